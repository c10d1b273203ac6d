"""Standard streams: closed ones are replaced, any text can be printed, errors name the stream."""

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
"""Replacements of characters that an encoding lacks. Tile characters are written as mpsz, other
characters are escaped."""

_PICTURES: Final = {sign: name for name, sign in SYMBOLS.items()}
_ERRORS: Final = "mjopt.plainly"
_NAMES: Final = ("standard input", "standard output", "standard error")


class _Named(io.FileIO):
    """The file of a standard stream; its errors name the stream."""

    def __init__(self, number: int, descriptor: int) -> None:
        super().__init__(descriptor, "wb" if number else "rb", closefd=False)
        self._name_in_errors = _NAMES[number]

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = self._name_in_errors
            raise

    def write(self, data: Any) -> Any:
        with self._naming():
            return super().write(data)

    def readinto(self, buffer: Any) -> Any:
        with self._naming():
            return super().readinto(buffer)


class _RedirectedOutput(io.RawIOBase):
    """Raw output to a stdout that is not a file, as in tests."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return sys.stdout.buffer.write(data)


def open_streams() -> None:
    """Replace closed streams, and make the others print any text."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = getattr(sys, name)
        if stream is None:
            # The null device, opened so that using it fails, except for stderr. It also keeps
            # another file from getting this descriptor.
            how = os.O_WRONLY if number != 1 else os.O_RDONLY
            file = _Named(number, os.open(os.devnull, how))
            setattr(sys, name, _text(file, number, encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            # `play` treats undecodable input as an invalid move and asks again.
            stream.reconfigure(errors=_ERRORS if number else "replace")
            if number == 1 and not stream.isatty():
                file = _Named(number, stream.fileno())
                # Unbuffered if the stream was, as with `python -u`.
                sys.stdout = _text(
                    file, number, encoding=stream.encoding, line_buffering=stream.write_through
                )


def _text(file: _Named, number: int, **how: Any) -> io.TextIOWrapper:
    buffer: Any = io.BufferedWriter(file) if number else io.BufferedReader(file)
    return io.TextIOWrapper(buffer, errors=_ERRORS if number else "strict", **how)


@contextmanager
def binary_stdout() -> Iterator[BinaryIO]:
    """Open stdout for bytes; closing it does not close the stdout of this process."""
    sys.stdout.flush()
    try:
        raw: io.RawIOBase = _Named(1, sys.stdout.fileno())
    except io.UnsupportedOperation:  # stdout is redirected in this process
        raw = _RedirectedOutput()
    with io.BufferedWriter(raw) as file:
        yield file


def close_streams() -> OSError | None:
    """Flush the streams and return an error of stdout, so that the interpreter reports none."""
    faults = []
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:  # the interpreter would flush again and report the error
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            faults.append(error)
    told = (fault for fault in faults if fault.filename == _NAMES[1] and not is_closed_pipe(fault))
    return next(told, None)


def is_closed_pipe(error: BaseException | None) -> bool:
    """Whether the reader of our output, such as `head`, has closed the pipe."""
    if sys.platform == "win32" and isinstance(error, OSError) and error.filename == _NAMES[1]:
        return error.errno == errno.EINVAL
    return isinstance(error, BrokenPipeError)


def _replace_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding cannot represent (an error handler of codecs)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost, text = error.object[error.start : error.end], ""
    for at, sign in enumerate(lost):
        if sign in _PICTURES:  # consecutive tiles in mpsz: 112m3p
            rank, suit = _PICTURES[sign][0], _PICTURES[sign][1]
            goes_on = _PICTURES.get(lost[at + 1 : at + 2], "").endswith(suit)
            text += rank if goes_on else rank + suit
        else:
            text += PLAIN.get(sign) or sign.encode("ascii", "backslashreplace").decode()
    return text, error.end


codecs.register_error(_ERRORS, _replace_characters)
