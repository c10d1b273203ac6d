"""Finished units of work in a folder, one file each, so that an interrupted run resumes."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from mjopt._internal.files import (
    atomic_open,
    atomic_write,
    make_folder,
    remove_stale_temp,
    sha256_of,
    visible_names,
)
from mjopt._internal.sanitize import shorten
from mjopt._internal.strict_json import read_json_file
from mjopt.errors import FileError

SUFFIX: Final = ".unit"
_MARK: Final = re.compile(rb"mjopt unit ([0-9a-f]{64})\n")
_MARK_SIZE: Final = len("mjopt unit ") + 64 + len("\n")

Config = Mapping[str, object]
"""The configuration of a run: JSON data by name."""

Facts = dict[str, Any]
"""JSON data by name. Its readers know the types, because mjopt wrote it."""


class StoredUnit(NamedTuple):
    """A finished unit: facts as JSON data, and bytes."""

    facts: Facts
    content: bytes


class _Header(NamedTuple):
    """The first two lines of a unit file."""

    sha256: str  # of everything after the first line
    run: str  # digest of the run
    key: str
    files: dict[str, str]  # SHA-256 of other files of the unit, by path from the folder above
    facts: Facts
    line: bytes  # the second line


class UnitStore:
    """Finished units of one run: a folder with one file a unit.

    A unit is on disk whole or not at all, and is checked against its SHA-256 when it is read. Only
    files that this class wrote are read, replaced or removed. Workers can write units; the caller
    holds the lock of the folder.

    The folder of the unit files is made when the first unit is written. ``run`` is JSON data on
    which all units depend; units of another run count as missing.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     store = UnitStore(Path(name) / "units", {"seed": 1})
    ...     store.write("first", {"sum": 3}, b"12")
    ...     print(store.missing(["first", "second"]), store.read("first"))
    ['second'] StoredUnit(facts={'sum': 3}, content=b'12')
    """

    def __init__(self, folder: Path, run: object = None) -> None:
        self.folder = folder
        self._run = sha256_of(json.dumps(run, sort_keys=True).encode())

    def write(
        self,
        key: str,
        facts: Mapping[str, object] | None = None,
        content: bytes | memoryview = b"",
        files: Iterable[Path] = (),
    ) -> None:
        """Write a unit, or replace it; ``key``, its name, is safe in a file name.

        ``facts`` is JSON data. Other ``files`` that belong to the unit are complete and in or below
        the folder above.
        """
        home = self.folder.parent
        document = {
            "run": self._run,
            "key": key,
            "files": {path.relative_to(home).as_posix(): sha256_of(path) for path in files},
            "facts": dict(facts or {}),
        }
        line = json.dumps(document).encode() + b"\n"
        make_folder(self.folder)
        with atomic_open(self._path(key)) as file:
            file.write(b"mjopt unit %s\n" % _digest(line, content).encode())
            file.write(line)
            file.write(content)

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Return the keys without a finished unit.

        A unit, or another file of a unit, that is not as it was written is a `FileError`.
        """
        return [key for key in keys if key not in self]

    def __contains__(self, key: str) -> bool:
        """Whether a unit and its other files exist; FileError if one is not as it was written."""
        found = self._load(key)
        return found is not None and are_whole(self.folder.parent, found[0].files)

    def get(self, key: str) -> StoredUnit | None:
        """Return a unit, or None if it is missing; FileError if it is not as it was written."""
        found = self._load(key)
        return found and StoredUnit(found[0].facts, found[1])

    def read(self, key: str) -> StoredUnit:
        """Return a unit; FileError if it is missing, or not as it was written."""
        if not (unit := self.get(key)):
            raise FileError(f"{self._path(key)}: missing", expected="a finished unit of this run")
        return unit

    def facts(self, key: str) -> Facts | None:
        """Return the facts of a unit whose content is large, unchecked; None if it is missing."""
        found = self._load(key, is_whole=False)
        return found and found[0].facts

    def all_keys(self) -> list[str]:
        """Return the keys of all units, also of other runs, sorted."""
        return [path.name.removesuffix(SUFFIX) for path, _ in self._own_files()]

    def remove(self, key: str) -> None:
        """Remove a unit, and its other files unless they were modified."""
        path = self._path(key)
        if header := _header_or_none(path):
            for name, sha256 in header.files.items():
                file = self.folder.parent / name
                if file.is_file() and sha256_of(file) == sha256:
                    file.unlink()
            path.unlink()

    def finish(self) -> None:
        """Remove all units but not their other files, and the folder if nothing else is in it."""
        for path, _ in self._own_files():
            path.unlink()
        with suppress(OSError):
            self.folder.rmdir()

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"

    def _own_files(self) -> Iterator[tuple[Path, _Header]]:
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            if header := _header_or_none(path):
                yield path, header

    def _load(self, key: str, *, is_whole: bool = True) -> tuple[_Header, bytes] | None:
        """Return a unit of this run, checked if it is read whole; None if there is none."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                header = _read_header(file.read(_MARK_SIZE), file.readline())
                content = file.read() if is_whole else b""
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FileError(str(error.strerror or error), argument=str(path)) from None
        if (
            header is None
            or header.key != key
            or (is_whole and header.sha256 != _digest(header.line, content))
        ):
            raise FileError(
                "not as it was written",
                argument=str(path),
                expected=f"the finished unit {key}",
                hint="remove it to compute it again",
            )
        return (header, content) if header.run == self._run else None


def are_whole(folder: Path, files: Mapping[str, str]) -> bool:
    """Return whether files exist, given SHA-256 by path in a folder; `FileError` if one changed."""
    paths = {folder / name: sha256 for name, sha256 in files.items()}
    existing = [path for path in paths if path.is_file()]
    for path in existing:
        if sha256_of(path) != paths[path]:
            raise FileError(
                "was modified (SHA-256 differs)",
                argument=str(path),
                hint="remove it and run the same command again",
            )
    return len(existing) == len(paths)


def _digest(line: bytes, content: bytes | memoryview) -> str:
    digest = hashlib.sha256(line)
    digest.update(content)
    return digest.hexdigest()


def _read_header(mark: bytes, line: bytes) -> _Header | None:
    """Return the header of a unit file; None if it has none."""
    if not (found := _MARK.fullmatch(mark)):
        return None
    try:
        header = _Header(found[1].decode(), **json.loads(line), line=line)
        names = [PurePosixPath(name) for name in header.files]
    except (ValueError, TypeError, RecursionError):
        return None
    return None if any(name.is_absolute() or ".." in name.parts for name in names) else header


def _header_or_none(path: Path) -> _Header | None:
    """Return the header of a file, None if it is no unit file."""
    try:
        with path.open("rb") as file:
            return _read_header(file.read(_MARK_SIZE), file.readline())
    except OSError:
        return None


def claim_run(
    folder: Path,
    name: str,
    config: Config,
    *,
    what: str,
    accept: Callable[[dict[str, object]], object] | None = None,
) -> bool:
    """Accept a folder for a run, store its configuration, and remove temporary files.

    The result is whether the stored configuration, in the file ``name``, was another one, or none;
    the caller holds the lock of the folder. A different one is given to ``accept``, which raises an
    error unless the run can continue with the new one; by default they must be equal. `FileError`
    is raised if the folder holds another run, or visible files but no configuration; ``what`` names
    the run there.
    """
    path, config = folder / name, json.loads(json.dumps(config))
    stored = None
    if path.exists():
        try:
            stored = read_json_file(path)
        except OSError as error:
            raise FileError(str(error.strerror or error), argument=str(path)) from None
        if not isinstance(stored, dict):
            raise FileError(f"not the configuration of a {what}", argument=str(path))
        if accept is None:
            check_same_run(folder, stored, config, what=what)
        elif stored != config:
            accept(stored)
    elif names := visible_names(folder):
        raise FileError(
            f"holds {names[0]} and no {what}",
            argument=str(folder),
            expected="an empty or a new folder",
        )
    if stored != config:
        atomic_write(path, json.dumps(config, indent=1, ensure_ascii=False) + "\n")
    for written in (folder, *(path for path in folder.iterdir() if path.is_dir())):
        remove_stale_temp(written)
    return stored != config


def check_same_run(folder: Path, stored: Config, config: Config, *, what: str) -> None:
    """Refuse a folder whose stored configuration differs from another.

    Examples
    --------
    >>> check_same_run(Path("out"), {"seed": 1, "hands": 7}, {"seed": 2, "hands": 7}, what="study")
    Traceback (most recent call last):
    mjopt.errors.FileError: out: holds another study (seed 1, not 2); name another folder
    """
    config = json.loads(json.dumps(config))
    differences = [
        f"{key} {_short(stored.get(key))}, not {_short(config.get(key))}"
        for key in {**config, **stored}
        if stored.get(key) != config.get(key)
    ]
    if differences:
        more = "; ..." if len(differences) > 1 else ""
        raise FileError(
            f"holds another {what} ({differences[0]}{more})",
            argument=str(folder),
            hint="name another folder",
        )


def _short(value: object) -> str:
    return shorten(value if isinstance(value, str) else json.dumps(value))
