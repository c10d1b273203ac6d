"""Positions from a file, and the labels of danger."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mjopt
from mjopt.datasets import build, check_dataset, make_plan, read_recipe, sample_rows, to_numpy
from mjopt.datasets.labels import danger as danger_labels
from mjopt.datasets.labels.registry import get_label
from mjopt.errors import ArgumentError, FileError, MjoptError, TileError

SAFE_BY_RULE, PROVED_SAFE, POSSIBLE, NONE_READY = range(4)
HAND = "1112345678999m1p"
Row = dict[str, Any]


def counts_of(text: str) -> list[int]:
    return [*mjopt.Hand.parse(text, partial=True).counts]


def row_of(hand: str, unseen: str, barred: list[int], called: int, melds: str = "") -> Row:
    return {
        "hand": counts_of(hand),
        "unseen": counts_of(unseen),
        "cannot_win_on": barred,
        "num_melds": called,
        "opponent_melds": melds,
    }


ROWS = [
    row_of(HAND, "2223p777s", [9], 4),
    row_of(HAND, "22p33344455s", [9, 20], 3, "1111s,9999p,8888s"),
    row_of("11m", "2p", [], 4),  # of a player with four melds
    row_of(HAND, "", [10], 4),  # the opponent can hold nothing
]

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_rows(rows: list[Row], name: str = "p.parquet") -> Path:
        path = tmp_path / name
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path

    return write_rows


def test_labels_are_those_of_danger(write: Write, tmp_path: Path) -> None:
    path = write(ROWS)
    plan = make_plan(f"positions:{path}", labels=("danger:uniform", "danger:riichi-2022"), check=3)
    build(plan, tmp_path / "set")
    values = to_numpy(tmp_path / "set")
    assert values["danger_uniform"].shape == values["danger_riichi_2022_verdict"].shape == (3, 27)
    for place, row in enumerate([ROWS[0], ROWS[1], ROWS[3]]):
        position = mjopt.Position(
            hand=mjopt.Hand.parse(HAND), wall=tuple(row["unseen"]), calls=(), draws=0
        )
        melds = tuple(filter(None, row["opponent_melds"].split(",")))
        opponent = mjopt.Opponent(
            melds=melds, called=row["num_melds"], passed=row["cannot_win_on"], is_ready=True
        )
        for name, prior in (
            ("danger_uniform", "uniform"),
            ("danger_riichi_2022", "riichi-2022"),
        ):
            kinds = mjopt.danger(position, opponent, prior=prior).kinds
            shares = [np.nan if each.share is None else float(each.share) for each in kinds]
            assert np.array_equal(values[name][place], shares, equal_nan=True)
            codes = [danger_labels.CODES[each.verdict] for each in kinds]
            assert values[f"{name}_verdict"][place].tolist() == codes
    assert values["unseen"].tolist() == [ROWS[n]["unseen"] for n in (0, 1, 3)]
    assert values["cannot_win_on"].tolist() == [1 << 9, 1 << 9 | 1 << 20, 1 << 10]
    assert values["opponent_melds"].tolist() == ["", "1111s,9999p,8888s", ""]


def test_what_is_not_computed_is_no_zero(write: Write, tmp_path: Path) -> None:
    build(make_plan(f"positions:{write(ROWS)}", labels=("danger:uniform",)), tmp_path / "set")
    values = to_numpy(tmp_path / "set")
    shares, verdicts = values["danger_uniform"], values["danger_uniform_verdict"]
    assert {*verdicts[0].tolist()} == {SAFE_BY_RULE, PROVED_SAFE, POSSIBLE}
    assert (verdicts[2] == NONE_READY).sum() == 26
    assert verdicts[2, 10] == SAFE_BY_RULE
    assert np.isnan(shares[2]).all()
    assert not np.isnan(shares[:2]).any()
    assert (shares[:2] > 0).tolist() == (verdicts[:2] == POSSIBLE).tolist()
    rows = {row["row"]: row["danger_uniform"] for row in sample_rows(tmp_path / "set", 3, rng=1)}
    assert rows[2] == [None] * 27


def test_recipe_keeps_the_positions_of_hands_of_its_deal(write: Write) -> None:
    path = write(ROWS)
    recipe = read_recipe(f"positions:{path}", called=4)
    assert recipe.counts().tolist() == [ROWS[2]["hand"]]
    assert recipe.positions is not None
    assert recipe.positions.unseen.tolist() == [ROWS[2]["unseen"]]
    with pytest.raises(FileError, match="4 positions, none of a hand of 8 tiles"):
        read_recipe(f"positions:{path}", called=2)


def test_check_reads_only_the_file_that_is_named(write: Write, tmp_path: Path) -> None:
    path, folder = write(ROWS[:2]), tmp_path / "set"
    build(make_plan(f"positions:{path}", labels=("danger:uniform",)), folder)
    moved = write(ROWS[:2], "moved.parquet")
    path.unlink()
    with pytest.raises(ArgumentError, match="is loaded or read only if you name it"):
        check_dataset(folder)
    assert check_dataset(folder, recipe=f"positions:{moved}").is_sound
    other = write(ROWS[1:], "other.parquet")
    with pytest.raises(FileError, match="its hands have changed"):
        check_dataset(folder, recipe=f"positions:{other}")
    with pytest.raises(FileError, match="only a recipe that you name yourself is loaded"):
        check_dataset(folder, recipe=f"file:{moved}")


def test_check_names_a_wrong_verdict(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, folder = f"positions:{write(ROWS[:1])}", tmp_path / "set"
    build(make_plan(recipe, labels=("danger:uniform",)), folder)
    monkeypatch.setitem(danger_labels.CODES, "possible", PROVED_SAFE)
    [fault] = check_dataset(folder, recipe=recipe).faults
    assert "danger_uniform_verdict is [" in fault


def test_more_labels_keep_those_that_exist(write: Write, tmp_path: Path) -> None:
    recipe = f"positions:{write(ROWS)}"
    build(make_plan(recipe, labels=("danger:uniform",)), tmp_path / "set")
    both = make_plan(recipe, labels=("danger:uniform", "deficiency"))
    build(both, tmp_path / "set")
    build(both, tmp_path / "again")
    one, other = (next((tmp_path / name / "data").iterdir()) for name in ("set", "again"))
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"hand": [1] * 34}, TileError, "row 0: hand: 34 numbers, expected 27 copies for M0"),
        ({"hand": [5] + [0] * 26}, TileError, "row 0: hand: 5 copies, expected 0..4"),
        ({"unseen": [4] * 27}, TileError, "3 copies of 1m in the hand and 4 unseen, expected at"),
        ({"cannot_win_on": [27]}, TileError, r"cannot_win_on: \[27\], expected a list of kinds"),
        ({"num_melds": -1}, TileError, "num_melds: -1, expected 0 or more"),
        ({"num_melds": None}, FileError, "column num_melds has empty cells"),
    ],
)
def test_wrong_file_is_one_line(
    write: Write, change: Row, error: type[MjoptError], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_recipe(f"positions:{write([ROWS[0] | change])}")


def test_file_without_positions_is_refused(write: Write, tmp_path: Path) -> None:
    (tmp_path / "text.parquet").write_text("no table")
    with pytest.raises(FileError, match=r"text.parquet: not a Parquet file"):
        read_recipe(f"positions:{tmp_path / 'text.parquet'}")
    with pytest.raises(FileError, match="no column unseen, expected hand, unseen"):
        read_recipe(f"positions:{write([{'hand': counts_of(HAND)}])}")
    with pytest.raises(ArgumentError, match="expected positions:PATH"):
        read_recipe("positions:")


def test_impossible_opponent_names_the_row(write: Write, tmp_path: Path) -> None:
    rows = [ROWS[0], ROWS[0] | {"opponent_melds": "123p,123p", "num_melds": 1}]
    plan = make_plan(f"positions:{write(rows)}", labels=("danger:uniform",))
    with pytest.raises(MjoptError, match="row 1: opponent 1: called"):
        build(plan, tmp_path / "set")


def test_label_needs_positions_and_a_known_prior() -> None:
    with pytest.raises(ArgumentError, match="needs what is seen and an opponent, expected positio"):
        make_plan("deals:2", labels=("danger:uniform",))
    with pytest.raises(ArgumentError, match="label 'danger:x', expected one of danger:uniform, d"):
        get_label("danger:x")
    with pytest.raises(ArgumentError, match="label 'danger:w.toml', expected one of danger:unif"):
        get_label("danger:w.toml")
