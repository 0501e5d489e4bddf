"""Bots: programs in any language at our tables, as agents of every command: `bot:./my_bot`, `bot:./my_bot:time=2`.

A bot reads lines from its standard input and writes lines to its standard output; each line is one JSON object. It is
told of a new game (`hello`), asked for decisions (`decide`), which alone it answers, and told what came of the game
(`result`). docs/bridges.md has the whole protocol.

A bot that does not answer in time, that ends, or whose answer is no legal move, has lost the game (`Forfeit`), and is
started anew for the next. Nothing that it does can make us wait longer than its time: what is written to it and read
from it goes through pipes that never block.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from hiddenhand.bridges import bot_guard
from hiddenhand.core.agent import Agent
from hiddenhand.core.decision import Decision
from hiddenhand.core.errors import Forfeit, IllegalAction, UserError
from hiddenhand.core.files import Files
from hiddenhand.core.game import Game, guide_of
from hiddenhand.core.settings import Setting, parse_pairs, read_settings
from hiddenhand.core.text import Text
from hiddenhand.core.view import View, bytes_of
from hiddenhand.kernel import record_type
from hiddenhand.kernel.records import record_to_json

PROTOCOL = 1
TEXT = re.compile(r"(?P<program>.+?)(?::(?P<settings>\w+=.*))?", re.DOTALL)
RUN_BY = {".py": [sys.executable, "-u"], ".js": ["node"]}
"""Programs that need not be executable, by how their names end."""
LONGEST_LINE = 1 << 20
LAST_WORDS = 4096
"""Bytes of what it says on its standard error that are kept."""
SHOWN = 200
PATIENCE = 0.5
"""Seconds in which a bot may take a result, and leave by itself when its input ends."""
REMEMBERED = 256
"""How many decisions are kept, so that a question why is answered about the move that was really played."""

TABLE = record_type([("number", "i8")])
"""What is kept at a table: the number by which the bot knows it, from 1."""


class BotFault(Exception):
    """What is wrong with a bot, as it follows its name in a sentence."""


class Conversation:
    """A running program, and what was said to it and by it."""

    def __init__(self, command: Sequence[str]) -> None:
        lifeline, holder = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", bot_guard.__file__, str(lifeline), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[lifeline],
            start_new_session=True,  # Ctrl-C is for us
        )
        os.close(lifeline)
        self.input, self.output, self.errors = self.process.stdin, self.process.stdout, self.process.stderr
        self.end = weakref.finalize(self, end_process, self.process, holder)
        """Ends the program; so does the end of this process, whatever it is."""
        self.ears = selectors.DefaultSelector()
        for stream in (self.input, self.output, self.errors):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        self.ears.register(self.output, selectors.EVENT_READ)  # type: ignore[arg-type]
        self.ears.register(self.errors, selectors.EVENT_READ)  # type: ignore[arg-type]
        self.unsaid = b""
        self.heard = b""
        self.last_words = b""
        self.ended = False
        self.asked = False
        """Whether it has been asked anything; its first answer may take longer."""
        self.tables: set[int] = set()
        """The tables that have been announced to the program."""

    def say(self, message: dict[str, Any]) -> None:
        """To be written when the program reads."""
        if not self.unsaid and self.input is not None and not self.input.closed:
            self.ears.register(self.input, selectors.EVENT_WRITE)
        self.unsaid += json.dumps(message, separators=(",", ":")).encode() + b"\n"

    def attend(self, seconds: float) -> None:
        """Write and read what can be written and read; at most so long if there is nothing."""
        for key, _ in self.ears.select(max(0.0, seconds)):
            if key.fileobj is self.input:
                self.write()
            elif key.fileobj is self.output and self.output is not None:
                self.heard += self.read(self.output)
                self.ended = self.output not in self.ears.get_map()
            elif self.errors is not None:
                self.last_words = (self.last_words + self.read(self.errors))[-LAST_WORDS:]

    def write(self) -> None:
        assert self.input is not None
        try:
            self.unsaid = self.unsaid[os.write(self.input.fileno(), self.unsaid[:65536]) :]
        except OSError:  # it does not listen any more; that it has ended is heard
            self.unsaid = b""
        if not self.unsaid:
            self.ears.unregister(self.input)

    def read(self, stream: IO[bytes]) -> bytes:
        try:
            data = os.read(stream.fileno(), 65536)
        except OSError:
            data = b""
        if not data:
            self.ears.unregister(stream)
        return data

    def answer(self, seconds: float) -> object:
        """The next line that it says, which is JSON, or a Fault."""
        limit = time.monotonic() + seconds
        while b"\n" not in self.heard:
            if self.ended:
                raise BotFault(self.how_it_ended())
            if len(self.heard) > LONGEST_LINE:
                raise BotFault(Text("wrote a line of more than {n:,} bytes", n=LONGEST_LINE))
            if time.monotonic() >= limit:
                raise BotFault(Text("did not answer within {n:g} seconds", n=seconds) + self.complaint())
            self.attend(limit - time.monotonic())
        line, _, self.heard = self.heard.partition(b"\n")
        try:
            return json.loads(line)
        except ValueError:
            raise BotFault(Text("answered what is not JSON: {line}", line=short(line))) from None

    def forget(self) -> None:
        """Discard what the program has written so far: it answers no question."""
        self.attend(0.0)
        self.heard = b""

    def how_it_ended(self) -> Text:
        limit = time.monotonic() + PATIENCE
        while self.errors in self.ears.get_map() and time.monotonic() < limit:
            self.attend(limit - time.monotonic())
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return Text("closed its output") + self.complaint()
        if status == bot_guard.CANNOT_START:
            return Text("cannot be started") + self.complaint()
        if status > bot_guard.KILLED:
            killer = name_of(status - bot_guard.KILLED)
            return Text("was killed by {signal}", signal=killer) + self.complaint()
        return Text("ended with status {status}", status=status) + self.complaint()

    def complaint(self) -> str:
        """The last line of what it said on its standard error, if anything."""
        lines = [line for line in self.last_words.splitlines() if line.strip()]
        return f": {short(lines[-1])}" if lines else ""


def end_process(process: subprocess.Popen[bytes], holder: int) -> None:
    """Let a program leave by itself, which the end of its input asks for; a moment later it is killed."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE)
    os.close(holder)
    process.wait()


def short(line: bytes) -> str:
    """A line of others as a part of a sentence of ours."""
    text = " ".join(line.decode("utf-8", "replace").split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."


def name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return Text("signal {number}", number=number)


class Bot(Agent):
    """A program that decides."""

    name = "bot"
    summary = Text("a program of any language that speaks our protocol: bot:./my_bot")
    settings = {
        "program": Setting("", Text("the program"), kind="file"),
        "time": Setting(5.0, Text("seconds for a decision"), low=0.01, high=86400.0),
        "start": Setting(5.0, Text("seconds more for the first, in which it starts"), low=0.0, high=86400.0),
    }
    program: str
    time: float
    start: float
    origin = "bot"

    def __init__(self, game: Game, **values: Any) -> None:
        super().__init__(game, **values)
        self.command = command_for(Path(self.program))
        self.talk: Conversation | None = None
        self.answers: OrderedDict[tuple[int, int, bytes], Decision] = OrderedDict()
        self.tables = 0

    def __str__(self) -> str:
        program = self.files_as_written.get("program", self.program)
        given = [f"{name}={self.values[name]:g}" for name in ("time", "start") if self.differs(name)]
        return f"{self.name}:{program}" + (":" + ",".join(given) if given else "")

    def differs(self, name: str) -> bool:
        return bool(self.values[name] != self.settings[name].default)

    def decide(self, view: View) -> Decision:
        """What the program answers."""
        decision = self.ask(view)
        self.answers[moment(view)] = decision
        if len(self.answers) > REMEMBERED:
            self.answers.popitem(last=False)
        return replace(decision, reasons=list(decision.reasons))

    def explain(self, view: View) -> Decision:
        """What it said when it was asked at this moment; if it has not been, it is now."""
        known = self.answers.get(moment(view))
        return self.decide(view) if known is None else replace(known, reasons=list(known.reasons))

    def ask(self, view: View) -> Decision:
        try:
            talk = self.talk = self.talk or Conversation(self.command)
            table = self.introduced(talk, view)
            seconds = self.time if talk.asked else self.time + self.start
            talk.forget()
            talk.say(question(view, table, seconds))
            talk.asked = True
            return read_answer(talk.answer(seconds), view)
        except BotFault as fault:
            self.stop()
            raise Forfeit("{name} {fault}", name=Path(self.program).name, fault=fault) from None

    def introduced(self, talk: Conversation, view: View) -> int:
        """The number of the table; a table that is new to the program is announced to it first."""
        memory = view.memory(TABLE, str(self))
        if memory.number == 0:
            self.tables += 1
            memory.number = self.tables
        table = int(memory.number)
        if table not in talk.tables:
            talk.tables.add(table)
            talk.say(hello(view, table, self.time))
        return table

    def finished(self, view: View, payoffs: Sequence[float]) -> None:
        """Tell the program, unless it has lost by not being there."""
        table = int(view.memory(TABLE, str(self)).number)
        if self.talk is not None and table in self.talk.tables:
            self.talk.tables.discard(table)
            self.talk.say(result(view, table, payoffs))
            limit = time.monotonic() + PATIENCE
            while self.talk.unsaid and time.monotonic() < limit:
                self.talk.attend(limit - time.monotonic())

    def stop(self) -> None:
        if self.talk is not None:
            self.talk.end()
            self.talk = None


def moment(view: View) -> tuple[int, int, bytes]:
    """What makes a moment of a game this moment."""
    return view.seed, view.seat, bytes_of(view.record)


def bot(game: Game, text: str, files: Files) -> Bot:
    """The bot of a text: a program, and perhaps settings after another colon. It is not started yet."""
    found = TEXT.fullmatch(text)
    if found is None:
        raise UserError("bot: needs a program after the colon, such as bot:./my_bot")
    if not hasattr(os, "set_blocking") or os.name != "posix":
        raise UserError("bots need pipes that do not block, which this system has not")
    path = files.program(found["program"])
    given = parse_pairs(found["settings"] or "", "bot", "parameter")
    if "program" in given:
        raise UserError("the program of a bot is written after the first colon: bot:./my_bot:time=2")
    values = read_settings({"program": str(path), **given}, Bot.settings, "bot", "parameter")
    made = Bot(game, **values)
    made.files_as_written = {"program": files.written(path)}
    return made


def command_for(path: Path) -> list[str]:
    """How a program is started."""
    if path.suffix in RUN_BY:
        runner, *more = RUN_BY[path.suffix]
        found = shutil.which(runner)
        if found is None:
            raise UserError("{name} needs {runner}, which is not installed", name=path.name, runner=runner)
        return [found, *more, str(path)]
    if not os.access(path, os.X_OK):
        raise UserError("{path} is not executable: chmod +x {path}", path=path)
    return [str(path)]


# ---- what is said


def hello(view: View, table: int, seconds: float) -> dict[str, Any]:
    game = view.game
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "table": table,
        "game": game.name,
        "title": game.title,
        "rules": guide_of(game),
        "version": game.version,
        "options": dict(game.options),
        "seats": game.players,
        "seat": view.seat,
        "seconds": seconds,
    }


def shown(view: View) -> dict[str, Any]:
    return {"seat": view.seat, "view": record_to_json(view.record), "text": view.screen(), "picture": view.picture()}


def question(view: View, table: int, seconds: float) -> dict[str, Any]:
    moves = [{"move": move.action, "text": move.text} for move in view.legal_moves()]
    seed = view.seed >> 11  # as many bits as every reader of JSON keeps
    return {"type": "decide", "table": table, **shown(view), "moves": moves, "seconds": seconds, "seed": seed}


def result(view: View, table: int, payoffs: Sequence[float]) -> dict[str, Any]:
    return {"type": "result", "table": table, **shown(view), "payoffs": list(payoffs)}


def read_answer(told: object, view: View) -> Decision:
    """The decision that an answer is, or a Fault."""
    if not isinstance(told, dict) or "move" not in told:
        raise BotFault(Text('answered without a "move": {line}', line=short(json.dumps(told).encode())))
    move, reasons = told["move"], told.get("reasons", [])
    if not isinstance(reasons, list) or not all(isinstance(reason, str) for reason in reasons):
        raise BotFault(Text('answered with "reasons" that are not a list of texts'))
    if isinstance(move, str):
        try:
            move = view.read(move)
        except IllegalAction as error:
            raise BotFault(Text("chose a move that is not legal: {why}", why=error)) from None
    if isinstance(move, bool) or not isinstance(move, int):
        raise BotFault(
            Text(
                'answered with a "move" that is neither a number nor a text: {line}',
                line=short(json.dumps(move).encode()),
            )
        )
    if move not in view.legal_actions():
        raise BotFault(Text("chose a move that is not legal: {why}", why=view.illegal(move)))
    return Decision(move, view.action_name(move), reasons=list(reasons))
