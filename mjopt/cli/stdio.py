"""Standard streams: closed ones are replaced, any text can be printed, errors name the stream."""

import codecs
import io
import os
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from mjopt.hands.notation.unicode import SYMBOLS

if TYPE_CHECKING:
    from typing_extensions import Buffer

IS_QUIET: Final = ContextVar("is_quiet", default=False)
"""Whether to show no progress: `mjopt --quiet`."""

REPLACEMENTS: Final = {
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

_MPSZ: Final = {sign: name for name, sign in SYMBOLS.items()}
ERROR_HANDLER: Final = "mjopt.replace"
_NAMES: Final = {"stdin": "standard input", "stdout": "standard output", "stderr": "standard error"}


class _StandardStream(io.FileIO):
    """The file of a standard stream; its errors name the stream."""

    def __init__(self, name: str, descriptor: int) -> None:
        super().__init__(descriptor, "rb" if name == "stdin" else "wb", closefd=False)
        self._name_in_errors = _NAMES[name]

    def write(self, data: "Buffer", /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self._name_in_errors
            raise

    def readinto(self, buffer: "Buffer", /) -> int:
        try:
            return super().readinto(buffer)
        except OSError as error:
            error.filename = self._name_in_errors
            raise


def open_streams() -> None:
    """Replace closed streams, and make the others print any text."""
    for name in _NAMES:
        stream = getattr(sys, name)
        if stream is None:
            # The null device, opened so that using it fails, except for stderr. It also keeps
            # another file from getting this descriptor.
            mode = os.O_RDONLY if name == "stdout" else os.O_WRONLY
            descriptor = os.open(os.devnull, mode)
            setattr(sys, name, _as_text(_StandardStream(name, descriptor), encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            # `play` treats undecodable input as an invalid move and asks again.
            stream.reconfigure(errors="replace" if name == "stdin" else ERROR_HANDLER)
            if name == "stdout" and not stream.isatty():
                file = _StandardStream(name, stream.fileno())
                # Unbuffered if the stream was, as with `python -u`.
                sys.stdout = _as_text(
                    file, encoding=stream.encoding, line_buffering=stream.write_through
                )


def _as_text(
    file: _StandardStream, *, encoding: str, line_buffering: bool = False
) -> io.TextIOWrapper:
    if file.readable():
        return io.TextIOWrapper(io.BufferedReader(file), encoding, line_buffering=line_buffering)
    writer = io.BufferedWriter(file)
    return io.TextIOWrapper(writer, encoding, ERROR_HANDLER, line_buffering=line_buffering)


def close_streams() -> OSError | None:
    """Flush the streams and return an error of stdout, so that the interpreter reports none."""
    errors = []
    for stream in (sys.stdout, sys.stderr):
        try:
            if not stream.closed:  # as a text layer of `label` leaves a broken pipe
                stream.flush()
        except OSError as error:  # the interpreter would flush again and report the error
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            errors.append(error)
    for fault in errors:
        # A closed pipe is no error: the reader, such as `head`, has seen enough.
        if fault.filename == _NAMES["stdout"] and not isinstance(fault, BrokenPipeError):
            return fault
    return None


def _replace_characters(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that an encoding cannot represent (an error handler of codecs)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unencodable, text = error.object[error.start : error.end], ""
    for at, sign in enumerate(unencodable):
        if sign in _MPSZ:  # consecutive tiles share the letter of their suit: 112m3p
            rank, suit = _MPSZ[sign][0], _MPSZ[sign][1]
            next_name = _MPSZ.get(unencodable[at + 1 : at + 2], "")
            text += rank if next_name.endswith(suit) else rank + suit
        else:
            text += REPLACEMENTS.get(sign) or sign.encode("ascii", "backslashreplace").decode()
    return text, error.end


codecs.register_error(ERROR_HANDLER, _replace_characters)
