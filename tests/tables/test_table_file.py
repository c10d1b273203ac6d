"""The shipped table file: reproducible, verified and fast to load."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from mjopt.errors import FileError
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.tiles import M0, Suit, TileSet
from mjopt.tables import build_tables
from mjopt.tables.build_tables import derive
from mjopt.tables.bundles.bundle import derive_bundle
from mjopt.tables.bundles.bundle_file import file_name, from_bytes
from mjopt.tables.bundles.layers import demand_file, demand_of
from mjopt.tables.standard import hand_tables, table_file


def test_shipped_file_is_reproducible() -> None:
    assert derive() == table_file.read_derived()


def test_all_shipped_files_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Here of a small tile set; other tests derive those of the package."""
    folder, tiles = tmp_path / "data", TileSet("one", (Suit("m", "one", (1, 2, 3, 4, 5)),))
    form = (standard_template(tiles),)
    demand = demand_of(form[0], tiles, slice(0, 5))
    monkeypatch.setattr(build_tables, "SHIPPED", folder)
    monkeypatch.setattr(build_tables, "PATH", tmp_path / "tables.bin.z")
    monkeypatch.setattr(build_tables, "SHIPPED_TEMPLATES", [(form, tiles, True)])
    monkeypatch.setattr(build_tables, "SHIPPED_DEMANDS", [demand])
    monkeypatch.setattr(build_tables, "derive", table_file.read_derived)
    assert build_tables.main() == 0
    assert table_file.DIGEST in capsys.readouterr().out
    assert table_file.read_derived(tmp_path / "tables.bin.z") == table_file.read_derived()
    bundle_name = file_name(form, tiles, 15, is_sized=True)
    assert {path.name for path in folder.iterdir()} == {bundle_name, demand_file(demand)}
    bundle = from_bytes((folder / bundle_name).read_bytes(), tiles, 15)
    expected = derive_bundle(form, tiles, 15, is_sized=True)
    assert bundle is not None
    assert expected is not None
    assert (bundle.answers == expected.answers).all()


def test_damaged_file_is_refused(tmp_path: Path) -> None:
    derived = bytearray(table_file.read_derived())
    derived[12345] ^= 1
    damaged = tmp_path / "tables.bin.z"
    damaged.write_bytes(zlib.compress(bytes(derived)))
    with pytest.raises(FileError, match="digest"):
        table_file.read_derived(damaged)
    damaged.write_bytes(b"not compressed")
    with pytest.raises(FileError, match="cannot be read"):
        table_file.read_derived(damaged)
    with pytest.raises(FileError, match="cannot be read"):
        table_file.read_derived(tmp_path / "missing")


def test_damaged_file_is_not_reported_as_a_bad_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "tables.bin.z"
    damaged.write_bytes(table_file.PATH.read_bytes()[:30_000])
    monkeypatch.setattr(table_file.read_derived, "__defaults__", (damaged,))
    table_file.load_tables.cache_clear()
    hand_tables.standard_tables.cache_clear()
    with pytest.raises(FileError, match="table file .* install mjopt again"):
        hand_tables.standard_tables(M0)


def test_tables_are_read_only() -> None:
    tables = table_file.load_tables()
    with pytest.raises(ValueError, match="read-only"):
        tables.suit_class[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        hand_tables.standard_tables(M0).answers(0)[0, 0] = 1


def test_single_hands_and_the_census_compile_nothing() -> None:
    program = (
        "import sys\n"
        "from mjopt import census, label\n"
        "from mjopt.tables import label_limited, label_limited_one, label_one\n"
        "hand = [2] * 7 + [0] * 27\n"
        "label_one(hand); label([hand]); label_limited_one(hand, [1] * 34)\n"
        "label_limited([hand], [1] * 34); census()\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
