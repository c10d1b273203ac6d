"""Lines and files that a command reads from standard input."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from mjopt._internal.files import temporary_folder
from mjopt._internal.text_input import decode_text
from mjopt.errors import FileError, HandError

STDIN = "standard input"  # the name of `-` in messages
MOST_OF_STDIN = 1 << 30  # bytes


def lines_of_stdin() -> list[str]:
    """Return the lines on standard input without comments, as in files of hands."""
    try:
        text = decode_text(sys.stdin.buffer.read(), MOST_OF_STDIN)
    except FileError as error:
        error.locate(STDIN)
        raise
    lines = [line.strip() for line in text.splitlines()]
    hands = [line for line in lines if line and not line.startswith("#")]
    if not hands:
        raise HandError(f"{STDIN}: no hands", expected="one a line")
    return hands


@contextmanager
def input_paths(names: Sequence[str]) -> Iterator[list[Path]]:
    """Yield files that can be read more than once; standard input is copied to a temporary file."""
    with temporary_folder("stdin") as folder:
        stdin = folder / "stdin"
        if "-" in names:
            with stdin.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        yield [stdin if name == "-" else Path(name) for name in names]
