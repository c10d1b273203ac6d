"""Batches of hands and walls: order, threads and errors; figures."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from reference_implementations.draws import FORMS

from mjopt import FULL, M0, Hand, expected_draws, expected_draws_many
from mjopt.chances.draws.plot import plot_curves
from mjopt.errors import ArgumentError, FileError, HandError, TileError


def deal(number: int) -> tuple[list[Hand], list[list[int]]]:
    rng = random.Random(number)
    hands, walls = [], []
    for _ in range(number):
        tiles = [kind for kind in range(34) for _ in range(4)]
        rng.shuffle(tiles)
        counts = [tiles[:13].count(kind) for kind in range(34)]
        hands.append(Hand.from_counts(counts, tiles=FULL))
        walls.append([tiles[13 + rng.randint(0, 80) :].count(kind) for kind in range(34)])
    return hands, walls


def test_number_of_threads_does_not_change_results() -> None:
    hands, walls = deal(150)
    alone = list(expected_draws_many(hands, walls=walls, forms=FORMS[:2]))
    assert list(expected_draws_many(hands, walls=walls, forms=FORMS[:2], threads=3)) == alone
    for hand, wall, draws in list(zip(hands, walls, alone, strict=True))[::30]:
        assert draws == expected_draws(hand, wall=wall, forms=FORMS[:2])


def test_single_wall_and_default_wall() -> None:
    hands = [Hand.parse("1112345678999m"), Hand.parse("1122334455667m")]
    wall = [1, 1, 0, 1, 1, 1, 1, 1, 0] + [1] * 18
    for given in (wall, np.array(wall)):
        found = list(expected_draws_many(hands, walls=given))
        assert found == [expected_draws(hand, wall=wall) for hand in hands]
    found = list(expected_draws_many(hands))
    assert [draws.wall for draws in found] == [hand.unseen for hand in hands]
    assert list(expected_draws_many([])) == []


def test_error_names_the_bad_row() -> None:
    hands = [Hand.parse("1112345678999m")] * 40
    walls = [[0] * 27] * 39 + [[2] + [0] * 26]
    with pytest.raises(TileError, match="row 39: wall: 2 copies of 1m"):
        list(expected_draws_many(hands, walls=walls))
    with pytest.raises(TileError, match="row 39"):
        list(expected_draws_many(hands, walls=walls, threads=2))
    with pytest.raises(TileError, match="39 walls for 40 hands"):
        list(expected_draws_many(hands, walls=walls[:39]))
    with pytest.raises(ArgumentError, match="threads 0"):
        list(expected_draws_many(hands, threads=0))
    with pytest.raises(HandError, match="row 0: thirteen_orphans needs 13"):
        list(expected_draws_many(hands, forms=FORMS))


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_figures_are_written(tmp_path: Path, ending: str) -> None:
    pytest.importorskip("matplotlib")
    draws = expected_draws(Hand.parse("1112345678999m", tiles=M0))
    never = expected_draws(Hand.parse("1112345678999m"), wall=[0] * 27)
    path = tmp_path / f"curve.{ending}"
    plot_curves({"ready": draws, "hopeless": never}, path, title="two hands")
    first = path.read_bytes()
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert first.startswith(begins[ending])
    plot_curves({"ready": draws, "hopeless": never}, path, title="two hands")
    assert path.read_bytes() == first
    if ending == "svg":
        text = path.read_text()
        assert "two hands" in text
        assert "100%" in text
        assert "ready: mean 3.14" in text
        assert "hopeless: never" in text
        assert text.count('id="patch_') == 4  # background, axes and two spines


def test_axis_of_a_figure_ends_with_the_wall_if_the_hand_stays_incomplete(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curve.svg"
    plot_curves({"hopeless": expected_draws("1112345678999m", wall="19p1s")}, path)
    assert re.findall(r">(\d+)</text>", path.read_text()) == ["0", "1", "2", "3"]


def test_unknown_figure_format_is_refused(tmp_path: Path) -> None:
    draws = expected_draws(Hand.parse("1112345678999m"))
    with pytest.raises(FileError, match=r"expected a name that ends in \.png, \.svg, \.pdf"):
        plot_curves({"ready": draws}, tmp_path / "curve.bmp")
    with pytest.raises(FileError, match="does not exist"):
        plot_curves({"ready": draws}, tmp_path / "nowhere" / "curve.png")
    assert not list(tmp_path.iterdir())
