"""Tables on disk and look-ups: wrong, damaged and missing files are refused in one line."""

import gzip
import json
import os
import random
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from chances.ceiling.conftest import Table

import mjopt
from mjopt import FULL, Hand
from mjopt.chances.ceiling import CeilingTable, TableKey, build_ceiling, find_table
from mjopt.chances.ceiling.table import HEADER_SIZE, MAX_DRAWS
from mjopt.errors import ArgumentError, FileError, HandError, TileError

HAND = Hand.parse("1267m9p", called=3)


@pytest.fixture
def copied(table: Table, tmp_path: Path) -> Path:
    path = tmp_path / "copy.ceiling"
    path.write_bytes(table(called=3, draws=4, all_layers=True).path.read_bytes())
    return path


def refused(path: Path, match: str) -> None:
    """Expect one line that names the file, for every way to open it."""
    for call in (
        lambda: CeilingTable.open(path),
        lambda: mjopt.ceiling(HAND, table=path),
    ):
        with pytest.raises(FileError, match=match) as caught:
            call()
        assert "\n" not in str(caught.value)
        assert path.name[-20:] in str(caught.value)


def test_files_that_are_no_table_are_refused(tmp_path: Path) -> None:
    refused(tmp_path / "none", "No such file")
    refused(tmp_path, "Is a directory|Permission denied")
    with pytest.raises(FileError, match="cannot be read"):
        CeilingTable.open("a\0b")
    with pytest.raises(FileError, match="File name too long") as caught:
        CeilingTable.open("x" * 5000)
    assert len(str(caught.value)) <= 300
    path = tmp_path / "file"
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", "not a regular file")
    path.write_bytes(gzip.compress(bytes(1 << 20)))
    refused(path, "not a ceiling table")
    for content in (b"", b"{}", b"[1]", b"\xff" * 20_000, b"[" * 20_000, b'"' * 20_000, b"1"):
        path.write_bytes(content)
        refused(path, "not a ceiling table")


def test_damaged_files_are_refused(copied: Path) -> None:
    data = copied.read_bytes()
    for size in (HEADER_SIZE, HEADER_SIZE + 2, len(data) - 1):
        copied.write_bytes(data[:size])
        refused(copied, f"{size:,} bytes, expected {len(data):,}: the file is damaged")
    copied.write_bytes(data + b"\0")
    refused(copied, "the file is damaged")
    copied.write_bytes(data[:1000])
    refused(copied, "not a ceiling table|bytes, expected")
    damaged = bytearray(data)
    damaged[-1] ^= 1
    copied.write_bytes(damaged)
    with pytest.raises(FileError, match=r"layer 4 is damaged \(wrong SHA-256\)"):
        CeilingTable.open(copied).check_digests()


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("version", 2, "version 2, expected 1: build it again"),
        ("version", "\n", "version .*, expected 1"),
        ("format", "other", "not a ceiling table"),
        ("tiles", "144", "header is damaged"),
        ("called", 5, "header is damaged"),
        ("called", None, "header is damaged"),
        ("draws", 0, "header is damaged"),
        ("draws", 10**30, "header is damaged"),
        ("draws", 3, "header is damaged"),
        ("melds", "known", "header is damaged"),
        ("melds", ["known"], "header is damaged"),
        ("all_layers", False, "header is damaged"),
        ("wall_size", 5, "header is damaged"),
        ("means", [0.5], "header is damaged"),
        ("means", ["x"] * 5, "header is damaged"),
        ("means", 5, "header is damaged"),
        ("means", [-5.0] * 5, "header is damaged"),
        ("means", [0.0, 0.2, 0.1, 0.3, 0.4], "header is damaged"),
        ("means", [0.0, 0.1, 0.2, 0.3, 1.5], "header is damaged"),
        ("means", ["0.1"] * 5, "header is damaged"),
        ("means", [10**400] * 5, "header is damaged"),
        ("sha256", ["x"] * 4, "header is damaged"),
        ("sha256", [], "header is damaged"),
    ],
)
def test_wrong_headers_are_refused(copied: Path, name: str, value: object, match: str) -> None:
    data = copied.read_bytes()
    header = json.loads(data[:HEADER_SIZE]) | {name: value}
    copied.write_bytes(json.dumps(header).encode().ljust(HEADER_SIZE) + data[HEADER_SIZE:])
    refused(copied, match)


def test_random_damage_of_the_header_gives_no_other_error(copied: Path) -> None:
    data, rng = copied.read_bytes(), random.Random(1)
    end = data.index(b"}") + 1
    for _ in range(100):
        damaged = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(end)] = rng.randrange(256)
        copied.write_bytes(damaged)
        with suppress(FileError):
            CeilingTable.open(copied)


@pytest.mark.parametrize(
    ("hand", "draws", "match"),
    [
        (
            Hand.parse("1267m9p", called=3, tiles=FULL),
            4,
            "a table of tiles m0.* expected one of tiles 136",
        ),
        (Hand.parse("12m", called=4), 4, "called 3.* expected .* called 4"),
        ("123m456p1122789s", 4, "expected one of tiles m0, draws 4$"),
        (HAND, 5, "expected one of tiles m0, draws 5, called 3"),
    ],
)
def test_tables_of_other_questions_are_refused(table: Table, hand, draws, match: str) -> None:
    made = table(called=3, draws=4, all_layers=True)
    for given in (made, made.path, str(made.path)):
        with pytest.raises(FileError, match=match):
            mjopt.ceiling(hand, draws=draws, table=given)


def test_tables_of_known_melds_are_for_their_own_questions(table: Table) -> None:
    """A wall that lacks the melds' tiles is smaller, so its ceiling is greater."""
    known, unknown = table(called=3, draws=4, melds="known"), table(called=3, draws=4)
    values = [mjopt.ceiling(HAND, draws=4, table=t).value for t in (known, unknown)]
    assert values[0] > values[1]
    assert (known.key.wall_size, unknown.key.wall_size) == (94, 103)
    assert "known" in known.key.file_name
    assert known.key.describe().endswith("melds known")


def test_arguments_are_validated(table: Table) -> None:
    made = table(called=3, draws=4)
    for draws in (-1, MAX_DRAWS + 1, 10**30):
        with pytest.raises(ArgumentError, match=f"expected 0..{MAX_DRAWS}"):
            mjopt.ceiling(HAND, draws=draws, table=made)
    with pytest.raises(TypeError, match="table"):
        mjopt.ceiling(HAND, table=7)  # type: ignore[arg-type]
    with pytest.raises(HandError, match=r"row 0: 4 tiles, expected 5 \(with the draw\)"):
        mjopt.ceiling_many(["1267m"], called=3, draws=4, table=made)
    with pytest.raises(
        FileError, match="no layer for 3 draws, expected 4..4; a table with all layers"
    ):
        made.layer(3)
    for options, error in [
        ({"called": 5}, ArgumentError),
        ({"draws": 0}, ArgumentError),
        ({"draws": MAX_DRAWS + 1}, ArgumentError),
        ({"melds": "all"}, ArgumentError),
        ({"tiles": "144"}, TileError),
        ({"draws": -(10**4000)}, ArgumentError),
        ({"called": "x"}, TypeError),
        ({"called": 10**5000}, TypeError),
        ({"called": True}, TypeError),
        ({"draws": None}, TypeError),
        ({"tiles": 3}, TypeError),
        ({"tiles": np.array(["m0", "136"])}, TypeError),
        ({"tiles": "x" * 5000}, TileError),
        ({"melds": np.array(["known", "unknown"])}, TypeError),
        ({"melds": "x" * 5000}, ArgumentError),
        ({"all_layers": "no"}, TypeError),
        ({"all_layers": 1}, TypeError),
    ]:
        calls = [lambda options=options: TableKey(**options)]
        if not {"melds", "tiles"} & options.keys():
            calls.append(lambda options=options: find_table(**options))
        for call in calls:
            with pytest.raises(error) as caught:
                call()
            assert len(str(caught.value)) < 200


def test_whole_floats_and_numpy_numbers_are_whole_numbers() -> None:
    key = TableKey(called=2.0, draws=np.int64(6), all_layers=np.True_)  # type: ignore[arg-type]
    assert key == TableKey(called=2, draws=6, all_layers=True)
    assert key.file_name == "m0-called2-draws6-all.ceiling"


@pytest.mark.parametrize("path", [3, None, b"x", ["a"]])
def test_path_of_a_table_is_a_path(path: object) -> None:
    with pytest.raises(TypeError, match="table: .*, expected a path"):
        CeilingTable.open(path)  # type: ignore[arg-type]


def test_without_a_table_the_error_names_the_command(data_folder: Path) -> None:
    wanted = "no ceiling table for this hand (tiles {}); mjopt ceiling build makes it"
    for hand, words in [
        (HAND, "m0, draws 7, called 3"),
        (Hand.parse("1267m1z", called=3), "136, draws 7, called 3"),
    ]:
        with pytest.raises(FileError) as caught:
            mjopt.ceiling(hand, draws=7)
        assert str(caught.value) == wanted.format(words)
    with pytest.raises(FileError, match=r"\(tiles m0, draws 18\)"):
        mjopt.ceiling_many(["123m456p11227899s"])
    assert not data_folder.exists()


def test_the_table_of_the_data_folder_is_found(data_folder: Path) -> None:
    exact, every = TableKey(called=4, draws=3), TableKey(called=4, draws=5, all_layers=True)
    assert find_table(called=4, draws=3) is None
    build_ceiling(key=every)
    assert [path.name for path in data_folder.iterdir()] == [every.file_name]
    loose = mjopt.ceiling(Hand.parse("12m", called=4), draws=3)
    assert (loose.draws, loose.table_draws) == (3, 5)
    build_ceiling(key=exact)
    tight = mjopt.ceiling(Hand.parse("12m", called=4), draws=3)
    assert (tight.table_draws, tight.value <= loose.value) == (3, True)
    found = find_table(called=4, draws=3, all_layers=True)
    assert found is not None
    assert found.key == every
    assert find_table(called=4, draws=6) is None
    assert find_table("136", called=4, draws=3) is None
    # A file under the name of another question is not used.
    (data_folder / TableKey(called=4, draws=9).file_name).write_bytes(
        (data_folder / exact.file_name).read_bytes()
    )
    assert find_table(called=4, draws=9) is None


def test_values_are_those_of_the_layer(table: Table) -> None:
    made = table(called=3, draws=4, all_layers=True)
    hands = ["11123m", "11122m", "1267m9p", "19m19p1s", "44447m"]
    for draws in range(5):
        many = mjopt.ceiling_many(hands, called=3, draws=draws, table=made)
        for hand, row in zip(hands, many, strict=True):
            found = mjopt.ceiling(Hand.parse(hand, called=3), draws=draws, table=made)
            wins = mjopt.is_win(hand, called=3)
            assert found.value == (1 if wins else found.discards[0].value)
            assert {r.kind for r in found.discards} == {*np.flatnonzero(row >= 0).tolist()}
            assert sorted(found.discards, key=lambda r: -r.value) == [*found.discards]
            for discard in found.discards:
                after = mjopt.Hand.parse(hand, called=3).with_one(discard.kind, -1)
                alone = mjopt.ceiling(after, draws=draws, table=made)
                assert (alone.value, alone.discards) == (discard.value, ())
                assert 0 <= Fraction(float(row[discard.kind])) - discard.value < Fraction(1, 10**9)
            assert draws or {r.value for r in found.discards} == {0} == {*row[row >= 0].tolist()}
