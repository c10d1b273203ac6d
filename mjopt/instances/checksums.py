"""SHA256SUMS in a folder of results, which `sha256sum --check` also reads."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from mjopt._internal.files import atomic_write, read_regular, sha256_of
from mjopt.errors import FileError

CHECKSUMS: Final = "SHA256SUMS"
MOST_BYTES: Final = 64 << 20
"""Maximum size of a file, and of what is unpacked from it; those of mjopt are below 10 MB."""

_LINE: Final = re.compile(r"([0-9a-f]{64})  (\S+)")


def write_checksums(folder: Path, names: Iterable[str]) -> None:
    """Write the SHA-256 of files in a folder. It is written last: the folder is finished."""
    lines = [f"{sha256_of(folder / name)}  {name}\n" for name in sorted(names)]
    atomic_write(folder / CHECKSUMS, "".join(lines))


def read_checksums(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file, by its path in the folder.

    Raises
    ------
    FileError
        If the list is missing or damaged, or names a file outside the folder.
    """
    path = folder / CHECKSUMS
    lines = read_regular(path, MOST_BYTES).decode(errors="replace").splitlines()
    found: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        matched = _LINE.fullmatch(line)
        name = PurePosixPath(matched[2] if matched else "/")
        if matched is None or name.is_absolute() or ".." in name.parts:
            raise FileError(
                argument=str(path),
                position=number,
                unit="line",
                expected="the SHA-256 and the name of a file in the folder",
            )
        found[matched[2]] = matched[1]
    return found


def read_checked(folder: Path, name: str, checksums: Mapping[str, str]) -> bytes:
    """Return the content of a file in a folder.

    Raises
    ------
    FileError
        If it is missing, no regular file, or not as it was written.
    """
    content = read_regular(folder / name, MOST_BYTES)
    if sha256_of(content) != checksums.get(name):
        raise FileError(
            f"not as it was written (SHA-256 differs from {CHECKSUMS})",
            argument=str(folder / name),
        )
    return content
