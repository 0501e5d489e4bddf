"""Runs a program and watches over it: the program ends when the process that wanted it ends, however that happens.

    python bot_guard.py LIFELINE PROGRAM [ARGUMENT...]

LIFELINE is the reading end of a pipe whose other end whoever wanted the program holds: when that is closed, by will
or by death, the program is killed with all that it has started. This process ends as the program ends. It is run by
itself, from its file, and imports nothing of the package.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

CANNOT_START = 126
KILLED = 128
"""And the number of the signal, as shells say it."""


def kill_all(program: int) -> None:
    with suppress(OSError):  # it is gone already
        os.killpg(program, signal.SIGKILL)


def kill_without(lifeline: int, program: int) -> None:
    """In a thread: wait until the other end of the pipe is closed."""
    os.read(lifeline, 1)
    kill_all(program)


def main() -> int:
    lifeline = int(sys.argv[1])
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try:
        program = subprocess.Popen(sys.argv[2:], start_new_session=True)
    except OSError as error:
        print(error.strerror, file=sys.stderr)
        return CANNOT_START
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # they are the program's, and end with it
        os.dup2(nothing, stream)
    threading.Thread(target=kill_without, args=(lifeline, program.pid), daemon=True).start()
    status = program.wait()
    kill_all(program.pid)
    return status if status >= 0 else KILLED - status


if __name__ == "__main__":
    os._exit(main())
