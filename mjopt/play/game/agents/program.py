"""The process of an agent: JSON lines over standard input and output, limits of time and size."""

import json
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar, Final, Self

from mjopt._internal.programs import end_program, signal_group, start_program
from mjopt._internal.registry import Parameter
from mjopt._internal.sanitize import plain, shorten
from mjopt._internal.strict_json import read_json
from mjopt._internal.validation import expect_all
from mjopt.errors import GameError
from mjopt.play.game.agents.json_protocol import clean
from mjopt.play.game.play import check_time_limit

TIME_LIMIT: Final = 10.0  # default seconds for a decision
LONGEST: Final = 1 << 20  # maximum bytes of an answer
CHUNK: Final = 1 << 16  # bytes read at once
EARLY: Final = "an answer came before its request"
SHOWN: Final = 60  # characters shown of an invalid answer
GRACE_SECONDS: Final = 0.5  # to wait for the program to exit, and again after SIGTERM


class RunningProgram:
    """A running program in its own process group, with an output buffer."""

    def __init__(self, command: tuple[str, ...], *, kind: str = "process") -> None:
        try:
            self.process = start_program(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except (OSError, ValueError) as error:  # a null character in a word is a ValueError
            reason = getattr(error, "strerror", None) or error
            raise GameError(f"{kind}: cannot start {clean(command[0])}: {reason}") from None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.buffer = bytearray()
        os.set_blocking(self.stdin.fileno(), False)
        os.set_blocking(self.stdout.fileno(), False)

    def ask(self, message: object, seconds: float) -> object:
        """Write a message as a line and return the document in the next line of output.

        TimeoutError if writing and reading together take longer than ``seconds``; GameError if the
        program exits, or the line is not JSON or comes too early.
        """
        line = self.exchange(f"{json.dumps(message)}\n".encode(), seconds)
        if not line.endswith(b"\n") and not line.strip():
            raise GameError(self.exit_reason())
        try:
            document: object = read_json(line.decode())
        except ValueError as error:  # not UTF-8, not JSON, or a number that is too long
            shown = shorten(line.decode(errors="replace"), SHOWN)
            raise GameError(f"answer {shown!r} is not JSON: {clean(str(error))}") from None
        return document

    def exchange(self, message: bytes, seconds: float) -> bytes:
        """Write a line and return the next line of output, without newline at the end of output.

        TimeoutError if writing and reading together take longer than ``seconds``; GameError if
        there is output before the message is sent, or the line is too long.
        """
        if self.buffer or (self._read() and self.buffer):
            raise GameError(EARLY)
        deadline, unsent, num_searched = time.monotonic() + seconds, memoryview(message), 0
        with selectors.DefaultSelector() as pipes:
            pipes.register(self.stdout, selectors.EVENT_READ)
            pipes.register(self.stdin, selectors.EVENT_WRITE)
            while (end := self.buffer.find(b"\n", num_searched)) < 0:
                if len(self.buffer) >= LONGEST:
                    raise GameError(f"{LONGEST} bytes without an end of line")
                num_searched = len(self.buffer)
                ready = pipes.select(max(deadline - time.monotonic(), 0))
                if not ready:
                    raise TimeoutError(f"no answer within {seconds:g} s")
                for key, _ in ready:
                    if key.fileobj is self.stdin:
                        unsent = self._write(unsent)
                        if not unsent:
                            pipes.unregister(self.stdin)
                    elif not self._read():
                        return self._take(len(self.buffer))
        if unsent:
            raise GameError(EARLY)
        return self._take(end + 1)

    def send(self, message: bytes, seconds: float) -> None:
        """Write a line that needs no answer; TimeoutError if the program does not read it."""
        deadline, unsent = time.monotonic() + seconds, memoryview(message)
        with selectors.DefaultSelector() as pipes:
            pipes.register(self.stdin, selectors.EVENT_WRITE)
            while unsent:
                if not pipes.select(max(deadline - time.monotonic(), 0)):
                    raise TimeoutError(f"a state was not read within {seconds:g} s")
                unsent = self._write(unsent)

    def _take(self, size: int) -> bytes:
        line = bytes(self.buffer[:size])
        del self.buffer[:size]
        return line

    def _write(self, unsent: memoryview) -> memoryview:
        """Write as much as the pipe accepts; return the rest, or nothing if the pipe is closed."""
        try:
            return unsent[os.write(self.stdin.fileno(), unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:  # earlier output remains valid
            return unsent[:0]

    def _read(self) -> bool:
        """Read available output; return False at its end."""
        try:
            chunk = os.read(self.stdout.fileno(), CHUNK)
        except BlockingIOError:
            return True
        self.buffer += chunk
        return bool(chunk)

    def exit_reason(self) -> str:
        """Describe why the output ended."""
        try:
            return f"the process ended with status {self.process.wait(GRACE_SECONDS)}"
        except subprocess.TimeoutExpired:
            return "the process has closed its output"

    def stop(self) -> None:
        """End the program and its process group: close its input, then SIGTERM, then SIGKILL."""
        try:
            self.stdin.close()
            self._wait()
            signal_group(self.process, signal.SIGTERM)
            self._wait()
        finally:
            end_program(self.process)

    def _wait(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE_SECONDS)


@dataclass(slots=True)
class ProgramAgent:
    """Base class of agents that play as a program decides.

    Parameters
    ----------
    command
        The program and its arguments.
    time_limit
        Seconds for a decision, from sending the message to receiving the answer.
    """

    command: tuple[str, ...]
    time_limit: float = TIME_LIMIT
    _running: RunningProgram | None = field(default=None, init=False, repr=False, compare=False)

    kind: ClassVar[str]  # the word before the command
    flag: ClassVar[str]  # an option before the command, and a field of the same name

    def __post_init__(self) -> None:
        """Reject an empty command."""
        if not expect_all(self.command, str, "command"):
            raise GameError(f"{self.kind}: no command", expected=f"{self.kind}:COMMAND")
        check_time_limit(self.time_limit)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Split a command as a shell does; the flag may come first."""
        try:
            words = tuple(shlex.split(text))
        except ValueError as error:
            raise GameError(f"{cls.kind}: {clean(text)}: {error}") from None
        has_flag = words[:1] == (cls.flag,)
        return cls(words[has_flag:], **{_field_of(cls.flag): has_flag})

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options of ``from_text``."""
        return [Parameter(f"[{cls.flag}] COMMAND", is_needed=True)]

    @property
    def name(self) -> str:
        """The command."""
        has_flag = getattr(self, _field_of(self.flag))
        words = (self.flag, *self.command) if has_flag else self.command
        return plain(f"{self.kind}:{' '.join(words)}")

    def check_program(self) -> None:
        """Raise GameError if the program does not exist on this machine."""
        if shutil.which(self.command[0]) is None:
            raise GameError(f"{self.kind}: no program {clean(self.command[0])!r} on the path")

    def close(self) -> None:
        """End the program; the next decision restarts it."""
        if self._running is not None:
            self._running.stop()
            self._running = None


def _field_of(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")
