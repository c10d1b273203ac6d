"""The folder of machine code: whose folders are used, what is removed, what a digest covers."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest

from mjopt._internal import cache_folder, kernel_cache
from mjopt._internal.cache_folder import UNUSED_DAYS
from mjopt._internal.code_digest import code_digest
from mjopt._internal.kernel_cache import (
    CHECKSUMS,
    FOLDER,
    is_intact,
    open_cache,
    write_entry,
)


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache_folder._open.cache_clear()
    yield tmp_path
    cache_folder._open.cache_clear()


def make_entry(folder: Path, name: str = "room.double-00") -> Path:
    entry = folder / name
    with write_entry(entry):
        written = kernel_cache.EntryLocator.from_function(None, "")
        assert written is not None
        Path(written.get_cache_path(), "code.nbc").write_bytes(b"code")
    return entry


def test_folder_is_made_for_its_user_alone(parent: Path) -> None:
    cache = open_cache()
    assert (cache.folder, cache.is_writable, cache.problem) == (parent / FOLDER, True, "")
    assert (parent / FOLDER).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_folder_that_others_can_write_is_not_used(parent: Path, mode: int) -> None:
    (parent / FOLDER).mkdir()
    (parent / FOLDER).chmod(mode)
    assert open_cache() == cache_folder.CacheFolder(
        None, False, f"others can write to {parent / FOLDER}"
    )


def test_folder_of_another_user_is_not_used(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_cache()
    if (owner := (parent / FOLDER).stat().st_uid) == 0:
        os.chown(parent / FOLDER, 12345, -1)  # the administrator's own folders may be used
        owner = 12345
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    cache_folder._open.cache_clear()
    assert open_cache().folder is None


def test_link_and_file_are_not_used(parent: Path) -> None:
    (parent / "other").mkdir(mode=0o700)
    (parent / FOLDER).symlink_to(parent / "other")
    assert open_cache().problem == f"{parent / FOLDER} is not a folder"
    (parent / FOLDER).unlink()
    (parent / FOLDER).write_text("")
    cache_folder._open.cache_clear()
    assert open_cache().problem == f"{parent / FOLDER} is not a folder"


def test_relative_folder_is_not_used(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "cache")
    monkeypatch.chdir(parent)
    assert "no absolute path" in open_cache().problem
    assert not [*parent.iterdir()]


def test_read_only_folder_is_read(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(dir: Path) -> None:
        raise PermissionError(13, "Permission denied")

    entry = make_entry(parent_of(open_cache()))
    cache_folder._open.cache_clear()
    monkeypatch.setattr(cache_folder, "TemporaryFile", refuse)
    cache = open_cache()
    assert not cache.is_writable
    assert cache.problem == f"{parent / FOLDER}: Permission denied"
    assert kernel_cache.entry_of(cache, "room.double", "00") == entry
    assert is_intact(entry)


def parent_of(cache: cache_folder.CacheFolder) -> Path:
    assert cache.folder is not None
    return cache.folder


def test_each_change_of_an_entry_is_noticed(parent: Path) -> None:
    entry = make_entry(parent_of(open_cache()))
    for path in (entry / "code.nbc", entry / CHECKSUMS):
        content = path.read_bytes()
        for changed in (b"", content[:-1], content + b"\0", bytes([content[0] ^ 1]) + content[1:]):
            path.write_bytes(changed)
            assert not is_intact(entry)
        path.write_bytes(content)
        assert is_intact(entry)
    (entry / "more").write_text("")
    assert not is_intact(entry)


def test_failed_entry_leaves_nothing(parent: Path) -> None:
    folder = parent_of(open_cache())
    with pytest.raises(KeyError), write_entry(folder / "room.double-00"):
        raise KeyError
    assert not [*folder.iterdir()]


def test_only_entries_unused_for_long_are_removed(parent: Path) -> None:
    folder = parent_of(open_cache())
    old, used, foreign = make_entry(folder, "old-0"), make_entry(folder, "used-0"), folder / "mine"
    foreign.mkdir()
    before = parent / f"kernels-{'0' * 16}"
    before.mkdir()
    long_ago = time.time() - (UNUSED_DAYS + 1) * 24 * 60 * 60
    for path in (old / CHECKSUMS, used / CHECKSUMS, foreign, before):
        os.utime(path, (long_ago, long_ago))
    assert is_intact(used)  # which is a use
    make_entry(folder, "new-0")
    assert sorted(path.name for path in folder.iterdir()) == ["mine", "new-0", "used-0"]
    assert not before.exists()


class Pair(NamedTuple):
    first: int
    second: int = 0


class Opaque:
    pass


def double(number: int) -> int:
    """Double a number."""
    return FACTOR * number


def triple(number: int) -> int:
    return 3 * number


FACTOR: Any = 2


def digest(value: object = 2, function: Callable[..., Any] = double, **more: Any) -> str | None:
    assert isinstance(function, FunctionType)
    names = {"FACTOR": value}
    copy = FunctionType(function.__code__, function.__globals__ | names, "double")
    return code_digest(copy, (), more.get("inner", {}), *more.get("options", ()))


def test_digest_depends_on_values() -> None:
    values: list[Any] = [
        *(2, 2.0, True, "2", b"2", None, (2,), [2], (2, 2), {2: 3}, {2: 4}, {2}, range(2)),
        *(np.uint64(2), np.int64(2), np.arange(2), np.arange(2.0), np.arange(4).reshape(2, 2)),
        *(np.dtype("u1"), np.add, np.subtract, np, np.int64, int, Pair, Pair(1, 2), Opaque),
        *(double, triple, lambda number: 4 * number),
    ]
    digests = [digest(value) for value in values]
    assert None not in digests
    assert len({*digests}) == len(digests)
    assert digest(frozenset("abc")) == digest(frozenset("cba"))
    assert digest(2) == digest(2)


def test_digest_depends_on_functions_options_and_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = [
        digest(double),
        digest(double, inner={double: (triple, False)}),
        digest(double, inner={double: (triple, True)}),
        digest(double, options=[1]),
        digest(double, function=triple),
    ]
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    found.append(digest(double))
    assert len({*found}) == 6
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    assert digest(double) == found[-1]


def test_value_without_a_description_has_no_digest() -> None:
    """Its code is not kept, because it may change while its name stays."""
    assert digest(Opaque()) is None
    assert digest(iter(())) is None
    assert digest(np.array([object()])) is None
