"""Automatic detection of notations: accepted spellings agree, all other text is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import NOTATIONS
from mjopt.errors import NotationError
from mjopt.hands.notation import get_notation, read_tiles
from mjopt.hands.tiles import FULL, M0, Suit, TileSet

CHINESE = {"m": "萬万", "p": "筒餅饼", "s": "索条條"}
HONOURS = {"1z": "東东", "2z": "南", "3z": "西", "4z": "北", "5z": "白", "6z": "發発发", "7z": "中"}
RANKS = "一二三四五六七八九"

kinds = st.lists(st.integers(0, FULL.num_kinds - 1), min_size=1, max_size=14).filter(
    lambda kinds: max(map(kinds.count, kinds)) <= 4
)


def wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) for char in text)


@st.composite
def spellings(draw):
    """Draw tiles, and write each group in any of the accepted symbols."""
    held = draw(kinds)
    groups = []
    for kind in held:
        name = FULL.names[kind]
        rank, letter = name
        ways = [name, name.upper(), wide(name), wide(name.upper()), wide(rank) + letter]
        if name in HONOURS:
            ways += HONOURS[name]
        else:
            ways += [r + s for r in (rank, RANKS[int(rank) - 1]) for s in CHINESE[letter]]
        groups.append(draw(st.sampled_from(ways)))
    between = draw(st.sampled_from(["", " ", ",", ", ", "，", "、", "\u3000", "\n"]))
    return held, between.join(groups)


@settings(max_examples=150)
@given(spellings())
def test_all_spellings_are_the_same_tiles(drawn):
    held, text = drawn
    tiles, [(counts, red)] = read_tiles([text])
    assert tiles is (FULL if any(kind >= M0.num_kinds for kind in held) else M0)
    assert counts == tuple(held.count(kind) for kind in range(tiles.num_kinds))
    assert not any(red)


@settings(max_examples=150)
@given(kinds, st.sampled_from(sorted(NOTATIONS)))
def test_text_valid_in_two_notations_means_the_same_tiles(held, name):
    """Text of another notation is never parsed as different tiles."""
    counts = tuple(held.count(kind) for kind in range(FULL.num_kinds))
    try:
        text = get_notation(name).write(counts, (), FULL)
    except NotationError:
        return  # the paper has no honours
    try:
        taken = get_notation("mpsz").parse(text, FULL)
    except NotationError:
        if sum(counts) > 1:
            with pytest.raises(NotationError, match=f"read in notation .*{name}"):
                read_tiles([text])
    else:
        assert taken.counts == counts


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("W1 W2 W3 F1", "; it can be read in notation botzone"),
        ("C1C2C3", "; it can be read in notation paper"),
        ("B1B2", "; it can be read in notation paper or botzone"),
        ("m123z11", "; it can be read in notation prefix"),
        ("5mr 5m", "; it can be read in notation mjai"),
        ("0 4 8 135", "; it can be read in notation ids136"),
        ("123m11h", "; 1..4z are the winds E S W N, 5z white, 6z green, 7z red"),
        ("123", "ranks without a suit, expected m, p, s or z after them"),
        ("1s2", "'2' at character 3: ranks without a suit, expected m, p, s or z after them"),
        ("🀇🀈3m", "'3' at character 3: mpsz beside tile characters, expected all of one kind"),
        ("123m W1", "'W' at character 6: not a suit of FULL, expected m, p, s or z; 1..4z are"),
        ("123m m123", "'m' at character 6: a suit without ranks, expected ranks before it"),
    ],
)
def test_error_names_the_notation_that_accepts_the_text(text, hint):
    with pytest.raises(NotationError) as refused:
        read_tiles([text])
    assert hint in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("EESS123m456p789s", "123m456p789s1122z"),
        ("123m456p789sEESS", "123m456p789s1122z"),
        ("123m E 456p CC", "123m456p1z77z"),
        ("1m 2m E P", "12m15z"),
        ("123SS", ""),  # bamboos or two winds
        ("123 SS", ""),
        ("https://tenhou.net/2/?q=123m406p789s1122z", "123m406p789s1122z"),
        ("tenhou.net/2/?x=1&p=123m%20456p#a", "123m456p"),
        ("tenhou.net/2/?q=123x", ""),
        ("tenhou.net/2/?q=" * 2000, ""),
    ],
)
def test_letters_of_honours_and_addresses_of_hands_are_read(text, meaning):
    if meaning:
        assert read_tiles([text], tiles=FULL) == read_tiles([meaning], tiles=FULL)
        return
    with pytest.raises(NotationError):
        read_tiles([text])


def test_letters_are_no_honours_where_a_suit_has_one_of_them():
    tiles = TileSet("own", (Suit("e", "eels", (1, 2, 3)), Suit("z", "winds", (1, 2, 3, 4))))
    assert read_tiles(["1z1e"], tiles=tiles)[1][0].counts == (1, 0, 0, 1, 0, 0, 0)
    with pytest.raises(NotationError, match="a suit without ranks"):
        read_tiles(["E E"], tiles=tiles)


def test_errors_of_other_notations_suggest_mpsz():
    with pytest.raises(NotationError, match="read in notation mpsz"):
        read_tiles(["123m456p"], "botzone")


def test_honours_in_one_text_make_all_hands_full():
    tiles, [first, second] = read_tiles(["123m", "東"])
    assert tiles is FULL
    assert len(first.counts) == len(second.counts) == 34
    with pytest.raises(NotationError, match="M0 has no 1z.*; it holds honours, expected tiles 136"):
        read_tiles(["123m", "東東"], tiles=M0)
