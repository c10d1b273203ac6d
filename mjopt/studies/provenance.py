"""What rows were made by, kept beside them: the release, and a digest of the code."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mjopt import __version__
from mjopt._internal.folder import write_whole
from mjopt._internal.program_files import ITS_OWN
from mjopt._internal.strict_json import read_json_file
from mjopt.errors import FileError

MADE_BY: Final = "made-by.json"
FORMAT: Final = 1


def read_record(folder: Path) -> dict[str, Any] | None:
    """Return what a folder says of who made its rows; None if it is older than such records.

    Raises
    ------
    FileError
        If that is no such record.
    """
    path = folder / MADE_BY
    if not path.exists():
        return None
    found: dict[str, Any] = read_json_file(path)  # or whatever else: looked at here
    is_ours = isinstance(found, dict) and found.pop("format", None) == FORMAT
    if not is_ours or not all(isinstance(part, dict) for part in found.values()):
        raise FileError(f"{path}: not a record of who made the rows; remove it to keep them as is")
    return found


def write_record(folder: Path, record: Mapping[str, Any]) -> None:
    """Write such a record, unless it stands there."""
    document = {"format": FORMAT, **record}
    text = json.dumps(document, indent=1, sort_keys=True) + "\n"
    path = folder / MADE_BY
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text.encode())


def is_same(was: Any, now: Any) -> bool:
    """Return whether code is what it was; files that a program writes itself do not count."""
    if isinstance(was, dict) and isinstance(now, dict):
        told = [name for name in {**was, **now} if was.get(name) != ITS_OWN]
        return all(was.get(name) == now.get(name) for name in told)
    return bool(was == now)


def maker(code: Any) -> dict[str, Any]:
    """Return what a record says of one maker: this release, and what tells its code."""
    return {"mjopt": __version__, "code": code}
