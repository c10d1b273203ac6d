"""Blocks of an unfinished run: whatever a kill leaves, whole blocks come back."""

from pathlib import Path

import numpy as np
import pytest

from mjopt.experiments.studies.block_journal import KEPT, BlockJournal
from mjopt.experiments.studies.row_files import ROWS, Columns

SIZES = (5, 1, 12)


def block(size: int) -> Columns:
    rng = np.random.default_rng(size)
    return {name: rng.integers(0, 100, size).astype(ROWS[name]) for name in KEPT}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with BlockJournal(tmp_path / "journal") as journal:
        for size in SIZES:
            journal.append(block(size), seconds=size / 4)
    return tmp_path / "journal"


def test_all_blocks_come_back(path: Path) -> None:
    with BlockJournal(path) as journal:
        assert journal.times == [(0, 5, 1.25), (5, 1, 0.25), (6, 12, 3.0)]
        for name in KEPT:
            assert journal.columns()[name].tolist() == [
                value for size in SIZES for value in block(size)[name].tolist()
            ]


def test_cut_anywhere_it_goes_on_after_the_last_whole_block(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    ends = []
    with BlockJournal(tmp_path / "growing") as journal:
        for size in SIZES:
            journal.append(block(size), seconds=size / 4)
            ends.append((tmp_path / "growing").stat().st_size)
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = sum(end <= cut for end in ends)
        with BlockJournal(path) as journal:
            assert len(journal) == sum(SIZES[:kept])
            for size in SIZES[kept:]:
                journal.append(block(size), seconds=size / 4)
        assert path.read_bytes() == whole


def test_a_flipped_bit_ends_what_is_believed(path: Path) -> None:
    whole = path.read_bytes()
    for place in range(len(whole)):
        flipped = bytearray(whole)
        flipped[place] ^= 1
        path.write_bytes(bytes(flipped))
        with BlockJournal(path) as journal:
            assert len(journal) in (0, 5, 6)


def test_discarded(path: Path) -> None:
    BlockJournal(path).discard()
    assert not path.exists()
    with BlockJournal(path) as journal:
        assert len(journal) == 0
        assert [len(column) for column in journal.columns().values()] == [0] * len(KEPT)
