"""Contract tests for every registered notation."""

from itertools import permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mjopt import NOTATIONS
from mjopt.errors import NotationError
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.base import has_red_five
from mjopt.hands.tiles import COPIES, FULL, M0, TILE_SETS, Suit, TileSet

THREE_PLAYER = TileSet("three-player", (Suit("m", "characters", (1, 9)), *FULL.suits[1:]))
TURNED = [TileSet("turned", suits) for suits in permutations(M0.suits)]
NAMES = ["mpsz", "paper", "ids136", "mjai", "unicode", "botzone", "prefix"]
NAMES += ["codes121", "codes52", "codes42"]
NO_HONOURS = {"paper"}
KEEP_RED = {"mpsz", "mjai", "prefix"}

tile_sets = st.sampled_from([M0, FULL, THREE_PLAYER, *TURNED, TileSet("one", M0.suits[2:])])
# Characters of the notations, so that more random texts pass the first character
near_tiles = st.text(
    '0123456789mpszrBCDEWTFJHNSP()[],"? \n🀀🀇🀡🀫\ufe0f一九萬筒東中Ｍ１，', max_size=40
)


@st.composite
def each_tile(draw, sets=tile_sets):
    """Draw a tile set with valid counts and red fives."""
    tiles = draw(sets)
    kinds = draw(st.lists(st.integers(0, tiles.num_kinds - 1), max_size=20))
    counts = tuple(min(kinds.count(kind), COPIES) for kind in range(tiles.num_kinds))
    red = tuple(
        draw(st.integers(0, copies)) if copies and has_red_five(name) else 0
        for name, copies in zip(tiles.names, counts, strict=True)
    )
    return tiles, counts, red


def test_keys_are_the_names():
    assert {name: notation.name for name, notation in NOTATIONS.items()} == {
        name: name for name in NAMES
    }


def test_unknown_name_lists_known_names():
    with pytest.raises(NotationError) as refused:
        get_notation("tenhou")
    assert str(refused.value) == (f"notation 'tenhou': unknown, expected one of {', '.join(NAMES)}")


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
def test_example_round_trips(notation):
    counts, red = notation.parse(notation.example, M0)
    assert sum(counts) == 14
    assert notation.write(counts, red, M0) == notation.example
    assert "\n" not in notation.description


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_empty_text_is_no_tiles(notation, tiles):
    nothing = (0,) * tiles.num_kinds
    assert notation.parse("", tiles) == (nothing, nothing)
    assert notation.write(nothing, nothing, tiles) == ""


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@settings(max_examples=60)
@given(held=each_tile())
def test_counts_round_trip(notation, held):
    tiles, counts, red = held
    if notation.name in NO_HONOURS and any(
        copies and name[1] == "z" for name, copies in zip(tiles.names, counts, strict=True)
    ):
        with pytest.raises(NotationError):
            notation.write(counts, red, tiles)
        return
    text = notation.write(counts, red, tiles)
    back = notation.parse(text, tiles)

    assert back.counts == counts
    assert notation.write(*back, tiles) == text
    if notation.name in KEEP_RED:
        assert back.red == red


@settings(max_examples=60)
@given(held=each_tile())
def test_ids_keep_one_red_five_per_suit(held):
    tiles, counts, red = held
    ids = NOTATIONS["ids136"]
    back = ids.parse(ids.write(counts, red, tiles), tiles).red
    for name, copies, before, after in zip(tiles.names, counts, red, back, strict=True):
        four_fives = has_red_five(name) and copies == COPIES
        assert after == (1 if four_fives else min(before, 1))


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=NOTATIONS)
@settings(max_examples=120)
@given(text=st.one_of(st.text(), near_tiles), tiles=tile_sets)
@example(text="[" * 5000, tiles=M0)
@example(text="1" * 5000, tiles=M0)
@example(text="[" + "1" * 5000 + "]", tiles=M0)
@example(text='["\\ud800"]', tiles=M0)
@example(text="\ud800", tiles=M0)
def test_any_text_is_parsed_or_refused_in_one_line(notation, text, tiles):
    try:
        counts, red = notation.parse(text, tiles)
    except NotationError as refused:
        message = str(refused)
        assert len(message.splitlines()) == 1
        assert " at character " in message
        assert len(message) < 200
    else:
        assert len(counts) == len(red) == tiles.num_kinds
        assert all(0 <= r <= c <= COPIES for r, c in zip(red, counts, strict=True))
