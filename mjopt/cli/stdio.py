"""The standard streams of this process: all three there, and none that ends in a traceback."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

from mjopt.hands.notation.unicode import SYMBOLS

PLAIN: Final = {
    "µ": "u",
    **dict.fromkeys("█▉▊▋▌", "#"),
    **dict.fromkeys("▍▎▏", " "),  # less than half of a bar's last column
    "…": "...",
    "\u2013": "-",
    "\u2014": "-",
    "\u2212": "-",
    "∞": "inf",
    "\u00d7": "x",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "\u00a0": " ",
    "\u202f": " ",
}
"""What stands for a character in an encoding that lacks it; pictures of tiles are written as
mpsz, others are escaped."""

_PICTURES: Final = {sign: name for name, sign in SYMBOLS.items()}
_PLAINLY: Final = "mjopt.plainly"
_NAMES: Final = ("standard input", "standard output", "standard error")


class _Named(io.FileIO):
    """The file of a standard stream: what goes wrong there names it."""

    def __init__(self, number: int, descriptor: int) -> None:
        super().__init__(descriptor, "wb" if number else "rb", closefd=False)
        self._told = _NAMES[number]

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = self._told
            raise

    def write(self, data: Any) -> Any:
        with self._naming():
            return super().write(data)

    def readinto(self, buffer: Any) -> Any:
        with self._naming():
            return super().readinto(buffer)


class _Heard(io.RawIOBase):
    """What stands for stdout in this process, and is no file of the system."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return sys.stdout.buffer.write(data)


def open_streams() -> None:
    """Put something in the place of closed streams, and let the others show any text."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            # Nothing, open the wrong way round: it fails as it is used, but for messages. No
            # other file gets this number then.
            how = os.O_WRONLY if number != 1 else os.O_RDONLY
            file = _Named(number, os.open(os.devnull, how))
            setattr(sys, name, _text(file, number, encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            # What is typed and is no text is no move: `play` asks again.
            stream.reconfigure(errors=_PLAINLY if number else "replace")
            if number == 1 and not stream.isatty():
                file = _Named(number, stream.fileno())
                # As soon as with that, if it was told to hold nothing back.
                sys.stdout = _text(
                    file, number, encoding=stream.encoding, line_buffering=stream.write_through
                )


def _text(file: _Named, number: int, **how: Any) -> io.TextIOWrapper:
    buffer: Any = io.BufferedWriter(file) if number else io.BufferedReader(file)
    return io.TextIOWrapper(buffer, errors=_PLAINLY if number else "strict", **how)


@contextmanager
def binary_stdout() -> Iterator[BinaryIO]:
    """Give stdout for bytes; a writer that closes it does not close that of this process."""
    sys.stdout.flush()
    try:
        raw: io.RawIOBase = _Named(1, sys.stdout.fileno())
    except io.UnsupportedOperation:  # somebody in this process listens
        raw = _Heard()
    with io.BufferedWriter(raw) as file:
        yield file


def close_streams() -> OSError | None:
    """Write out what is left, and return what went wrong on stdout; the end is then silent."""
    faults = []
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:  # the interpreter would try again, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            faults.append(error)
    told = (fault for fault in faults if fault.filename == _NAMES[1] and not is_closed_pipe(fault))
    return next(told, None)


def is_closed_pipe(error: BaseException | None) -> bool:
    """Whether the reader of our output, head for one, has seen enough."""
    if sys.platform == "win32" and isinstance(error, OSError) and error.filename == _NAMES[1]:
        return error.errno == errno.EINVAL
    return isinstance(error, BrokenPipeError)


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding cannot show."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost, text = error.object[error.start : error.end], ""
    for at, sign in enumerate(lost):
        if sign in _PICTURES:  # a run of them as mpsz has it: 112m3p
            rank, suit = _PICTURES[sign][0], _PICTURES[sign][1]
            goes_on = _PICTURES.get(lost[at + 1 : at + 2], "").endswith(suit)
            text += rank if goes_on else rank + suit
        else:
            text += PLAIN.get(sign) or sign.encode("ascii", "backslashreplace").decode()
    return text, error.end


codecs.register_error(_PLAINLY, _plainly)
