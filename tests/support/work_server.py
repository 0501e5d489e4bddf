"""Carries out commands in forked copies of one process, so that a signal can be sent at any instant of the work.

A process that starts from nothing spends most of its time on imports and compilation; here the first command is
carried out in the process itself, and the copies find everything in their memory.

One line of JSON on stdin for each command: {"arguments": [...], "folder": "...", "here": false}. The answers are the
number of the copy, as soon as it begins, and its exit status, when it ends, each on a line. What it prints goes into
the files `out` and `err` beside the folder.
"""

import json
import os
import sys


def carry_out(arguments, folder):
    """In the folder, with output into files; the exit status."""
    from hiddenhand.cli import main

    os.chdir(folder)
    for number, name in ((1, "out"), (2, "err")):
        file = os.open(f"{folder}.{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
    try:
        return main(arguments)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def carry_out_here(arguments, folder):
    """In this very process, which goes on afterwards."""
    kept = [os.dup(number) for number in (1, 2)]
    status = carry_out(arguments, folder)
    for number, file in zip((1, 2), kept):
        os.dup2(file, number)
        os.close(file)
    return status


def serve():
    for line in sys.stdin:
        order = json.loads(line)
        if order["here"]:
            print(os.getpid(), flush=True)
            print(carry_out_here(order["arguments"], order["folder"]), flush=True)
            continue
        copy = os.fork()
        if copy == 0:
            status = 1
            try:
                status = carry_out(order["arguments"], order["folder"])
            except KeyboardInterrupt:  # before the command itself has begun
                status = 130
            finally:
                os._exit(status)
        print(copy, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
