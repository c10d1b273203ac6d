"""Journals: whatever a kill leaves, whole records come back."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from mjopt._internal import journal as journal_module
from mjopt._internal.journal import Journal

SIZES = (5, 1, 0, 12)
SETTINGS = {"model": "network", "forms": ["standard"]}
HEADER = 36  # bytes before the first record


def record(size: int) -> bytes:
    return np.random.default_rng(size).bytes(size)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Journal(tmp_path / "journal", SETTINGS) as journal:
        for size in SIZES:
            journal.append(record(size))
    return tmp_path / "journal"


def test_all_records_come_back(path: Path) -> None:
    with Journal(path, SETTINGS) as journal:
        assert len(journal) == len(SIZES)
        assert list(journal) == [record(size) for size in SIZES]
        assert list(journal) == [record(size) for size in SIZES]


def test_cut_anywhere_it_goes_on_after_the_last_whole_record(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    ends = []
    with Journal(tmp_path / "growing", SETTINGS) as journal:
        for size in SIZES:
            journal.append(record(size))
            ends.append((tmp_path / "growing").stat().st_size)
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = sum(end <= cut for end in ends)
        with Journal(path, SETTINGS) as journal:
            assert list(journal) == [record(size) for size in SIZES[:kept]]
            for size in SIZES[kept:]:
                journal.append(record(size))
        assert path.read_bytes() == whole


def test_a_flipped_bit_ends_what_is_believed(path: Path) -> None:
    whole = path.read_bytes()
    for place in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(bytes(flipped))
        with Journal(path, SETTINGS) as journal:
            assert len(journal) < len(SIZES)
            assert len(journal) == 0 or place >= 8 * HEADER
            assert list(journal) == [record(size) for size in SIZES[: len(journal)]]


def test_other_settings_begin_anew(path: Path) -> None:
    with Journal(path, SETTINGS | {"model": "completion"}) as journal:
        assert len(journal) == 0
        journal.append(b"other")
    with Journal(path, SETTINGS | {"model": "completion"}) as journal:
        assert list(journal) == [b"other"]


def test_some_are_kept(path: Path) -> None:
    with Journal(path, SETTINGS) as journal:
        journal.keep(2)
        journal.append(b"third")
        assert list(journal) == [record(5), record(1), b"third"]
    with Journal(path, SETTINGS) as journal:
        assert list(journal) == [record(5), record(1), b"third"]


def test_discarded(path: Path) -> None:
    Journal(path, SETTINGS).discard()
    assert not path.exists()
    with Journal(path, SETTINGS) as journal:
        assert list(journal) == []


def test_records_are_synced_when_it_is_time_and_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    now = 100.0
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    monkeypatch.setattr(journal_module.time, "monotonic", lambda: now)
    with Journal(tmp_path / "journal", SETTINGS) as journal:
        journal.append(b"1")
        assert synced == []
        now += 2 * journal_module.SYNC_SECONDS
        journal.append(b"2")
        journal.append(b"3")
        assert len(synced) == 1
    assert synced[1:] == [(tmp_path / "journal").stat().st_size]


def test_a_full_disk_names_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    journal = Journal(tmp_path / "journal", SETTINGS)
    monkeypatch.setattr(journal_module, "SYNC_SECONDS", 0)
    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left") as found:
        journal.append(b"1")
    assert found.value.filename == str(tmp_path / "journal")
    journal.discard()
