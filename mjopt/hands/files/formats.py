"""The formats of files of hands, by their suffixes."""

from contextlib import suppress
from pathlib import Path

from mjopt.errors import FileError

TABULAR = {".csv": "csv", ".parquet": "parquet", ".jsonl": "jsonl", ".tsv": "csv"}
READABLE = {".txt": "text", ".hands": "text", ".csv": "csv", ".npy": "npy"} | TABULAR
COMPRESSED = (".gz", ".xz", ".bz2")
DELIMITED = ("text", "csv")  # a row is a line of cells
LINES = (*DELIMITED, "jsonl")  # formats with lines


def file_format(path: Path, known: dict[str, str]) -> str:
    """Return the format of a file by its suffix; text to read may be compressed: ``.csv.xz``.

    Examples
    --------
    >>> file_format(Path("hands.txt"), READABLE)
    'text'
    >>> file_format(Path("hands.xls"), READABLE)
    Traceback (most recent call last):
    mjopt.errors.FileError: hands.xls: ending '.xls', expected one of .txt, .hands, ...
    """
    *_, before, last = ["", "", *map(str.lower, path.suffixes)]
    if last in COMPRESSED and known in (READABLE, TABULAR) and known.get(before) in LINES:
        return known[before]
    if last not in known:
        raise FileError(f"ending {path.suffix!r}", argument=str(path), expected=tuple(known))
    return known[last]


def is_readable(path: Path) -> bool:
    """Return whether the suffix is that of a file of hands."""
    with suppress(FileError):
        return bool(file_format(path, READABLE))
    return False
