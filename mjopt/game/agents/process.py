"""An agent in a process of its own: one JSON message a line in, one answer a line out."""

import json
import shlex
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread
from typing import Any

import numpy as np

from mjopt.errors import GameError
from mjopt.game.agents.messages import AnswerError, message_of, read_answer
from mjopt.game.moves import Move
from mjopt.game.view import View

TIME_LIMIT = 10.0  # seconds for a decision, unless told otherwise
LONGEST = 1 << 20  # characters of an answer
MOST_LINES = 64  # unasked answers that are read ahead
LAST_WORDS = 0.5  # seconds a process has to end by itself, and again when it is told to


class _Running:
    """A process, and the lines it has written so far."""

    def __init__(self, command: tuple[str, ...]) -> None:
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            raise GameError(f"process: cannot start {command[0]}: {error.strerror}") from None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.lines: Queue[str | None] = Queue(MOST_LINES)
        self.reader = Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        try:
            while line := self.stdout.readline(LONGEST):
                self.lines.put(line)
        except ValueError:  # not text
            self.lines.put("\n")
        self.lines.put(None)

    def stop(self) -> None:
        with suppress(OSError):  # it has gone before it read all
            self.stdin.close()
        if not self._has_ended():
            self.process.terminate()
            if not self._has_ended():
                self.process.kill()
                self.process.wait()
        while self.reader.is_alive():  # it ends now that the process has
            with suppress(Empty):
                self.lines.get(timeout=0.01)  # there may be no room for its last line
        self.stdout.close()

    def _has_ended(self) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_WORDS)
        return self.process.returncode is not None


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
        Seconds for a decision.

    Examples
    --------
    >>> ProcessAgent.from_text("python3 player.py --level 3").command
    ('python3', 'player.py', '--level', '3')
    """

    command: tuple[str, ...]
    time_limit: float = TIME_LIMIT
    _running: _Running | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse an empty command."""
        if not self.command:
            raise GameError("process: no command, expected process:COMMAND")
        if not self.time_limit > 0:
            raise GameError(f"process: time limit of {self.time_limit} s, expected more than 0")

    @classmethod
    def from_text(cls, text: str) -> "ProcessAgent":
        """Read a command as a shell would cut it into words."""
        try:
            return cls(tuple(shlex.split(text)))
        except ValueError as error:
            raise GameError(f"process: {text!r}: {error}") from None

    @property
    def name(self) -> str:
        """The command."""
        return f"process:{' '.join(self.command)}"

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
            return read_answer(self._ask(message_of(view, moves)), moves, view.tiles)
        except BaseException:
            self.close()  # a late answer must not be taken for the next one
            raise

    def _ask(self, message: dict[str, Any]) -> Any:
        running = self._running = self._running or _Running(self.command)
        if not running.lines.empty() and running.process.poll() is None:
            raise AnswerError("an answer came before it was asked for")
        try:
            running.stdin.write(json.dumps(message) + "\n")
            running.stdin.flush()
            line = running.lines.get(timeout=self.time_limit)
        except BrokenPipeError:
            line = None
        except Empty:
            raise TimeoutError(f"no answer within {self.time_limit:g} s") from None
        if line is None:
            status = running.process.wait(LAST_WORDS)
            raise AnswerError(f"the process ended with status {status}")
        try:
            return json.loads(line)
        except json.JSONDecodeError as error:
            raise AnswerError(f"answer {line.strip()[:60]!r} is not JSON: {error}") from None

    def close(self) -> None:
        """End the program; the next question starts it anew."""
        if self._running is not None:
            self._running.stop()
            self._running = None
