"""The shipped file: reproducible, checked, quick to load."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from mjopt.errors import FileError
from mjopt.tables import label, single, store
from mjopt.tables.derivation import derive


def test_shipped_file_is_what_the_rules_give() -> None:
    assert derive() == store.read_derived()


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    derived = bytearray(store.read_derived())
    derived[12345] ^= 1
    damaged = tmp_path / "tables.bin.z"
    damaged.write_bytes(zlib.compress(bytes(derived)))
    with pytest.raises(FileError, match="digest"):
        store.read_derived(damaged)
    damaged.write_bytes(b"not compressed")
    with pytest.raises(FileError, match="cannot be read"):
        store.read_derived(damaged)
    with pytest.raises(FileError, match="cannot be read"):
        store.read_derived(tmp_path / "missing")


def test_no_hand_is_blamed_for_a_damaged_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "tables.bin.z"
    damaged.write_bytes(store.PATH.read_bytes()[:30_000])
    monkeypatch.setattr(store.read_derived, "__defaults__", (damaged,))
    store.load_tables.cache_clear(), store.answers.cache_clear(), single._classes.cache_clear()
    try:
        with pytest.raises(FileError, match="table file .* install mjopt again"):
            label([[2] * 7 + [0] * 27])
    finally:
        single._classes.cache_clear()


def test_tables_cannot_be_written_to() -> None:
    tables = store.load_tables()
    with pytest.raises(ValueError, match="read-only"):
        tables.suit_class[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        store.answers(27, 0)[0, 0] = 1


def test_single_hands_and_the_census_compile_nothing() -> None:
    program = (
        "import sys\n"
        "from mjopt.tables import census, label, label_limited, label_limited_one, label_one\n"
        "hand = [2] * 7 + [0] * 27\n"
        "label_one(hand); label([hand]); label_limited_one(hand, [1] * 34)\n"
        "label_limited([hand], [1] * 34); census()\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
