"""An agent in a process of its own: one JSON message a line in, one answer a line out."""

import json
import os
import selectors
import shutil
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread
from typing import Any, Final

import numpy as np

from mjopt._internal.command_words import command_words
from mjopt._internal.process_group import IS_POSIX, LAST_WORDS, ProcessGroup
from mjopt._internal.registry import Parameter
from mjopt._internal.sanitize import one_line, plain
from mjopt._internal.strict_json import read_json
from mjopt.errors import GameError
from mjopt.game.agents.json_protocol import AnswerError, message_of, read_answer, said
from mjopt.game.moves import Move
from mjopt.game.observation import View
from mjopt.game.play import check_time_limit

TIME_LIMIT: Final = 10.0  # seconds for a decision, unless told otherwise
LONGEST: Final = 1 << 20  # bytes of an answer
CHUNK: Final = 1 << 16  # bytes read at once
EARLY: Final = "an answer came before it was asked for"
SHOWN: Final = 60  # characters of an answer that is none
EVERY_STATE: Final = "--every-state"


class _Running:
    """A program, and what it has written beyond the last line that was taken."""

    def __init__(self, command: tuple[str, ...]) -> None:
        try:
            self.group = ProcessGroup(command)
        except (OSError, ValueError) as error:  # a null character in a word is a ValueError
            reason = getattr(error, "strerror", None) or error
            raise GameError(f"process: cannot start {said(command[0])}: {reason}") from None
        self.process = self.group.process
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.ahead = bytearray()
        self.talk: Thread | None = None
        if IS_POSIX:
            os.set_blocking(self.stdin.fileno(), False)
            os.set_blocking(self.stdout.fileno(), False)

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """Write a line and return the next one, without its end if there is none.

        Raises
        ------
        TimeoutError
            If both together take longer.
        AnswerError
            If an answer came before, or is too long.
        """
        line = (self._by_pipes if IS_POSIX else self._by_thread)(message, seconds)
        if line is None:
            raise TimeoutError(f"no answer within {seconds:g} s")
        if len(line) >= LONGEST:
            raise AnswerError(f"{LONGEST} bytes without an end of line")
        return line

    def tell(self, message: bytes, seconds: float) -> None:
        """Write a line that nobody answers; whether the program lives is seen when it is asked.

        Raises
        ------
        TimeoutError
            If it is not read.
        """
        if IS_POSIX:
            is_read = self._written(message, time.monotonic() + seconds)
        else:
            is_read = self._by_thread(message, seconds, answers=False) is not None
        if not is_read:
            raise TimeoutError(f"a state was not read within {seconds:g} s")

    def _written(self, message: bytes, deadline: float) -> bool:
        unsent = memoryview(message)
        with selectors.DefaultSelector() as pipes:
            pipes.register(self.stdin, selectors.EVENT_WRITE)
            while unsent:
                if not pipes.select(max(deadline - time.monotonic(), 0)):
                    return False
                unsent = self._write(unsent)
        return True

    def _by_pipes(self, message: bytes, seconds: float) -> bytes | None:
        """Write and read as the pipes are ready; no more is read than one answer may hold."""
        if self.ahead or (self._read() and self.ahead):
            raise AnswerError(EARLY)
        deadline, unsent, seen = time.monotonic() + seconds, memoryview(message), 0
        with selectors.DefaultSelector() as pipes:
            pipes.register(self.stdout, selectors.EVENT_READ)
            pipes.register(self.stdin, selectors.EVENT_WRITE)
            while (end := self.ahead.find(b"\n", seen)) < 0 and len(self.ahead) < LONGEST:
                seen = len(self.ahead)
                ready = pipes.select(max(deadline - time.monotonic(), 0))
                if not ready:
                    return None
                for key, _ in ready:
                    if key.fileobj is self.stdin:
                        unsent = self._write(unsent)
                        if not unsent:
                            pipes.unregister(self.stdin)
                    elif not self._read():
                        return self._taken(len(self.ahead))
        if unsent:
            raise AnswerError(EARLY)
        return self._taken(end + 1 or len(self.ahead))

    def _taken(self, size: int) -> bytes:
        line = bytes(self.ahead[:size])
        del self.ahead[:size]
        return line

    def _write(self, unsent: memoryview) -> memoryview:
        """Write what the pipe takes; nothing is left if nobody reads any more."""
        try:
            return unsent[os.write(self.stdin.fileno(), unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:  # what it has answered before still counts
            return unsent[:0]

    def _read(self) -> bool:
        """Take what is there; whether there may be more."""
        try:
            chunk = os.read(self.stdout.fileno(), CHUNK)
        except BlockingIOError:
            return True
        self.ahead += chunk
        return bool(chunk)

    def _by_thread(self, message: bytes, seconds: float, answers: bool = True) -> bytes | None:
        """Do the same where no pipe can be waited for: in a thread that may be left alone."""
        lines: Queue[bytes] = Queue()

        def talk() -> None:
            line, unsent = b"", memoryview(message)
            with suppress(OSError, ValueError):  # it has ended, or was stopped meanwhile
                while unsent:
                    unsent = unsent[self.stdin.write(unsent) :]
                line = self.stdout.readline(LONGEST) if answers else line
            lines.put(line)

        self.talk = Thread(target=talk, daemon=True)
        self.talk.start()
        try:
            return lines.get(timeout=seconds)
        except Empty:
            return None

    def how_it_ended(self) -> str:
        """Say why there is no more output."""
        try:
            return f"the process ended with status {self.process.wait(LAST_WORDS)}"
        except subprocess.TimeoutExpired:
            return "the process has closed its output"

    def stop(self) -> None:
        """End it and all that it has started."""
        if self.talk is not None and self.talk.is_alive():
            self.process.kill()  # else closing a pipe would wait for whoever waits there
        self.group.stop()


@dataclass(slots=True)
class ProcessAgent:
    """Ask a program what to do, over its standard input and output.

    The program starts when it is first asked and plays game after game; each message is
    complete in itself. If it is late or writes what is no answer, that game is lost and
    the program starts anew for the next.

    Parameters
    ----------
    command
        The program and its arguments.
    time_limit
        Seconds for a decision: for reading the question and answering it.
    every_state
        Send every state of the game, as the study's server does: also when another seat is
        asked, whose number ``Seat`` then is, and at the end, with an empty ``Seat``. Answered
        is only what asks the seat itself; ``You`` tells which that is.

    Examples
    --------
    >>> ProcessAgent.from_text("python3 player.py --level 3").command
    ('python3', 'player.py', '--level', '3')
    >>> ProcessAgent.from_text("--every-state python3 player.py").every_state
    True
    """

    command: tuple[str, ...]
    time_limit: float = TIME_LIMIT
    every_state: bool = False
    _running: _Running | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse an empty command."""
        if not self.command:
            raise GameError("process: no command, expected process:COMMAND")
        check_time_limit(self.time_limit)

    @classmethod
    def from_text(cls, text: str) -> "ProcessAgent":
        """Read a command as a shell of the platform would cut it, perhaps after an option."""
        try:
            words = command_words(text)
            every_state = words[:1] == (EVERY_STATE,)
            return cls(words[every_state:], every_state=every_state)
        except ValueError as error:
            raise GameError(f"process: {said(text)}: {error}") from None

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return what ``from_text`` reads."""
        return [Parameter(f"[{EVERY_STATE}] COMMAND", is_needed=True)]

    @property
    def name(self) -> str:
        """The command."""
        words = (EVERY_STATE, *self.command) if self.every_state else self.command
        return plain(f"process:{' '.join(words)}")

    def check_program(self) -> None:
        """Refuse a program that is not on this machine, before any game is played."""
        if shutil.which(self.command[0]) is None:
            raise GameError(f"process: no program {said(self.command[0])!r} on the path")

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move that the program answers with.

        Raises
        ------
        TimeoutError
            If it is late.
        AnswerError
            If it ends, or what it writes is no answer.
        """
        try:
            return read_answer(self._ask(self._message(view, moves)), moves, view.tiles)
        except BaseException:
            self.close()  # a late answer must not be taken for the next one
            raise

    def watch(self, view: View, asked: int) -> None:
        """Send the program a state in which another seat is asked, if it is to see every one.

        Raises
        ------
        TimeoutError
            If the program does not read it.
        """
        if not self.every_state:
            return
        running = self._running = self._running or _Running(self.command)
        message = {**self._message(view, ()), "Seat": str(asked) if asked >= 0 else ""}
        try:
            running.tell(f"{json.dumps(message)}\n".encode(), self.time_limit)
        except BaseException:
            self.close()
            raise

    def _message(self, view: View, moves: tuple[Move, ...]) -> dict[str, Any]:
        message = message_of(view, moves)
        return {**message, "You": message["Seat"]} if self.every_state else message

    def _ask(self, message: dict[str, Any]) -> Any:
        running = self._running = self._running or _Running(self.command)
        line = running.exchange(f"{json.dumps(message)}\n".encode(), self.time_limit)
        if not line.endswith(b"\n") and not line.strip():
            raise AnswerError(running.how_it_ended())
        try:
            return read_json(line.decode())
        except ValueError as error:  # no text, no JSON, a number too long
            shown = one_line(line.decode(errors="replace"), SHOWN)
            raise AnswerError(f"answer {shown!r} is not JSON: {said(str(error))}") from None

    def close(self) -> None:
        """End the program; the next question starts it anew."""
        if self._running is not None:
            self._running.stop()
            self._running = None
