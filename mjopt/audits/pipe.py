"""Send lines to a program and read a line for each of them."""

import os
import selectors
import shlex
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO, Final

from mjopt._internal.programs import end_program, start_program
from mjopt._internal.sanitize import shorten
from mjopt.errors import WorkerError

TIMEOUT: Final = 10.0  # seconds without an answer

_CHUNK: Final = 1 << 16
_LONGEST: Final = 1 << 16  # bytes of an answer


def exchange(
    words: Sequence[str], blocks: Iterable[Sequence[str]], *, timeout: float = TIMEOUT
) -> Iterator[list[str]]:
    """Start a program, write blocks of lines to it, and yield the answers to each block.

    The program may answer at once or after the end of its input. Reading and writing alternate, so
    that neither side waits for the other. Blocks hold lines without line ends and are read as they
    are needed. After ``timeout`` seconds without any progress the program is killed. WorkerError,
    which names the line asked, if the program cannot be started, ends early, is silent, or answers
    more or fewer lines.

    Examples
    --------
    >>> list(exchange(["cat"], [["1m", "2m"], ["3m"]]))
    [['1m', '2m'], ['3m']]
    >>> list(exchange(["false"], [["11m"]]))
    Traceback (most recent call last):
    mjopt.errors.WorkerError: false: ended with status 1 before it answered 11m
    """
    name = shlex.join(words)
    with tempfile.TemporaryFile() as errors:
        try:
            process = start_program(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )
        except OSError as error:
            raise WorkerError(f"{name}: {error.strerror}") from None
        try:
            yield from _Exchange(process, name, errors, timeout).run(iter(blocks))
        finally:
            end_program(process)


class _Exchange:
    """The state of one exchange with a program."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        name: str,
        errors: IO[bytes],
        timeout: float,
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._name, self._errors, self._timeout = process, name, errors, timeout
        self._input, self._output = process.stdin, process.stdout
        self._questions: deque[Sequence[str]] = deque()  # blocks without all their answers
        self._answers: list[str] = []  # those of the first block, and perhaps later ones
        self._unsent, self._unread = memoryview(b""), b""
        self._is_writing, self._has_ended = True, False
        self._deadline = 0.0
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)

    def run(self, blocks: Iterator[Sequence[str]]) -> Iterator[list[str]]:
        """Yield the answers to each block."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            while not self._has_ended:
                while self._questions and len(self._answers) >= len(self._questions[0]):
                    number = len(self._questions.popleft())
                    yield self._answers[:number]
                    del self._answers[:number]
                self._check_surplus()
                self._deadline = time.monotonic() + self._timeout  # the caller's time is free
                if self._is_writing and not self._unsent:
                    self._take(next(blocks, None))
                if not self._is_writing and not self._input.closed:
                    selector.unregister(self._input)
                    with suppress(OSError):
                        self._input.close()
                if not self._progress(selector):
                    if self._questions:
                        raise self._error(f"no answer for {self._timeout:g} s to {self._asked()}")
                    return  # all is answered, though the program has not ended
            if self._unread:  # a last line without an end
                self._answers.append(self._unread.decode(errors="replace"))
            if len(self._questions) == 1 and len(self._answers) == len(self._questions[0]):
                yield self._answers
            elif self._questions:
                raise self._end()

    def _progress(self, selector: selectors.BaseSelector) -> bool:
        """Write and read once; return whether something happened before the deadline."""
        events = selector.select(max(0.0, self._deadline - time.monotonic()))
        for key, _ in events:
            self._write() if key.fileobj is self._input else self._read()
        return bool(events)

    def _take(self, lines: Sequence[str] | None) -> None:
        """Take a block to be written; None ends the input."""
        if lines is None:
            self._is_writing = False
        else:
            self._questions.append(lines)
            self._unsent = memoryview("".join(f"{line}\n" for line in lines).encode())

    def _check_surplus(self) -> None:
        """Raise an error if there are more answers than questions."""
        num_asked = sum(map(len, self._questions))
        if len(self._answers) > num_asked or (self._unread and not self._questions):
            surplus = [*self._answers[num_asked:], self._unread.decode(errors="replace")]
            raise self._error(f"answers more lines than hands, first {shorten(surplus[0])!r}")

    def _end(self) -> WorkerError:
        """Return the error for a program that ended without all answers."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(self._timeout)
        status = self._process.returncode
        how = f"ended with status {status}" if status else "ended"
        return self._error(f"{how} before it answered {self._asked()}")

    def _write(self) -> None:
        """Write what the program takes now."""
        try:
            number = os.write(self._input.fileno(), self._unsent[:_CHUNK])
        except BlockingIOError:
            return
        except OSError:  # it has closed its input: its answers may still come
            self._is_writing, number = False, len(self._unsent)
        self._unsent = self._unsent[number:]

    def _read(self) -> None:
        """Read what the program has written."""
        try:
            chunk = os.read(self._output.fileno(), _CHUNK)
        except BlockingIOError:
            return
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        self._answers += [line.decode(errors="replace").removesuffix("\r") for line in lines]
        self._has_ended = not chunk
        if len(self._unread) > _LONGEST:
            raise self._error(f"an answer of more than {_LONGEST} bytes to {self._asked()}")

    def _asked(self) -> str:
        """Return the first line without an answer."""
        place = len(self._answers)
        lines = (line for block in self._questions for line in block)
        return shorten(next((line for number, line in enumerate(lines) if number == place), "?"))

    def _error(self, message: str) -> WorkerError:
        """Return an error with the last line that the program wrote to its standard error."""
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 4096))
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        hint = f"; its last message: {shorten(lines[-1])}" if lines else ""
        return WorkerError(f"{self._name}: {message}{hint}")
