"""Parsing of recipes: accepted texts, and one-line errors for all others."""

from pathlib import Path

import numpy as np
import pytest

from mjopt import label
from mjopt.datasets import Deal, read_recipe
from mjopt.datasets.recipes import BLOCK_ROWS, RECIPES
from mjopt.datasets.recipes.ranking import DISTINCT, any_hand, rank_hands
from mjopt.errors import ArgumentError, FileError, HandError, MjoptError, TileError
from mjopt.hands.tiles import FULL, M0
from mjopt.tables.suits.state_index import one_type_counts


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("one-type", "one-type", 118_800),
        ("deals:1e6", "deals:1000000", 1_000_000),
        ("deals:2_000", "deals:2000", 2000),
        ("three-type:5k", "three-type:5000", 5000),
        ("distinct:3M", "distinct:3000000", 3_000_000),
        ("kongs:7:2", "kongs:7:2", 7),
        ("kongs:7:3", "kongs:7", 7),
        ("stratified:70:0=1,1=1", "stratified:70:0=1,1=1", 70),
        ("all", "all", 21_310_147_575),
    ],
)
def test_recipe_names_round_trip(text: str, name: str, number: int) -> None:
    recipe = read_recipe(text)
    assert (recipe.name, recipe.num_hands) == (name, number)
    assert read_recipe(recipe.name).name == name
    assert name.partition(":")[0] in RECIPES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected one of one-type, two-type:N"),
        ("deal:5", "expected one of one-type"),
        ("deals", "'' after deals:, expected a number"),
        ("deals:0", "0 after deals:, expected 1 or more"),
        ("deals:-5", "'-5' after deals:"),
        ("deals:5:6", "expected deals:N and no more"),
        ("one-type:5", "expected one-type alone"),
        ("all:5", "expected all alone"),
        ("kongs:5:9", "9 kongs, expected 0..3"),
        ("file:", "expected file:PATH"),
        ("stratified:10:9=1", "no deal has deficiency 9, expected one of 0, 1, 2, 3, 4, 5, 6"),
        ("stratified:10:a", "share 'a', expected DEFICIENCY=SHARE"),
        ("stratified:10:0=0", "every share is 0"),
        ("stratified:5e9", "expected at most 2147483648"),
    ],
)
def test_invalid_recipes_are_refused(text: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message) as caught:
        read_recipe(text)
    assert (caught.value.argument, caught.value.value) == ("recipe", repr(text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("deal", "message"),
    [({"size": 12}, "hands of 12 tiles"), ({"called": 5}, "5 called melds, expected 0..4")],
)
def test_impossible_deals_are_refused(deal: dict[str, int], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Deal(tiles=M0, **deal)
    with pytest.raises(ArgumentError, match="seed -1"):
        read_recipe("deals:5").counts(seed=-1)
    with pytest.raises(ArgumentError, match="block 1 of 5 hands"):
        read_recipe("deals:5").block(1, seed=0)


def test_one_type_recipe_is_the_papers_set() -> None:
    hands = read_recipe("one-type").counts()
    assert (hands[:, :9] == one_type_counts()).all()
    assert np.bincount(label(hands)).tolist() == [13_259, 91_065, 14_386, 90]


def test_all_hands_has_expected_first_and_last_hand() -> None:
    for tiles in (M0, FULL):
        recipe = read_recipe("all", tiles=tiles)
        first = recipe.block(0)
        assert (first.sum(axis=1) == 14).all()
        last = recipe.block((recipe.num_hands - 1) // BLOCK_ROWS)
        assert last[-1].tolist() == [4, 4, 4, 2] + [0] * (tiles.num_kinds - 4)
        assert len(last) == (recipe.num_hands - 1) % BLOCK_ROWS + 1
        second = recipe.block(1)
        assert first[-1].tolist() < second[0].tolist()
        ways = rank_hands(tiles, any_hand(14), weights=DISTINCT)
        assert (second[0] == ways.hands(np.array([BLOCK_ROWS], np.uint64))).all()
    with pytest.raises(ArgumentError, match="too many for one array"):
        recipe.counts()


def test_files_of_every_format_are_read(tmp_path: Path) -> None:
    hands = read_recipe("deals:20", tiles=FULL).counts(seed=1)
    np.save(tmp_path / "h.npy", hands)
    from mjopt.datasets.arrow import hand_texts

    texts = hand_texts(hands).astype(str).tolist()
    (tmp_path / "h.txt").write_text("# hands\n" + "\n".join(texts))
    (tmp_path / "h.csv").write_text(
        "id,hand\n" + "".join(f"{i},{t}\n" for i, t in enumerate(texts))
    )
    for name in ("h.npy", "h.txt", "h.csv"):
        recipe = read_recipe(f"file:{tmp_path / name}", tiles=FULL)
        assert recipe.num_hands == 20
        assert (recipe.counts() == hands).all()
        assert len(recipe.identity["sha256"]) == 64


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("1112345678999m\n123m\n", HandError, "line 2: '123m': 3 tiles, expected 14 or 13"),
        ("1112345678999m\n11111m456p789s123m\n", TileError, "line 2"),
        ("1112345678999m\nhello\n", MjoptError, "line 2"),
    ],
)
def test_error_names_the_bad_row(
    tmp_path: Path, content: str, error: type[Exception], message: str
) -> None:
    path = tmp_path / "hands.txt"
    path.write_text(content)
    with pytest.raises(error, match=message):
        read_recipe(f"file:{path}")


def test_missing_and_malformed_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file"):
        read_recipe("file:nowhere.txt")
    (tmp_path / "x.pdf").write_bytes(b"")
    with pytest.raises(FileError, match="ending '.pdf'"):
        read_recipe(f"file:{tmp_path / 'x.pdf'}")
    np.save(tmp_path / "wide.npy", np.zeros((2, 35), np.uint8))
    with pytest.raises(FileError, match="expected whole numbers of shape \\(N, 27\\)"):
        read_recipe(f"file:{tmp_path / 'wide.npy'}")
    np.save(tmp_path / "five.npy", np.full((2, 27), 5, np.uint8))
    with pytest.raises(TileError, match="row 0: 5 copies of 1m"):
        read_recipe(f"file:{tmp_path / 'five.npy'}")
