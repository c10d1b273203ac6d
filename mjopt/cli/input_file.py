"""Files named on the command line, standard input among them as ``-``."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def input_path(names: Sequence[str]) -> Iterator[list[Path]]:
    """Give files that can be read more than once; standard input is put into one."""
    with tempfile.TemporaryDirectory() as folder:
        stdin = Path(folder) / "stdin"
        if "-" in names:
            with stdin.open("wb") as file:
                shutil.copyfileobj(sys.stdin.buffer, file)
        yield [stdin if name == "-" else Path(name) for name in names]
