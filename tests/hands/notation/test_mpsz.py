import pytest

from mjopt.errors import NotationError, TileError
from mjopt.hands.notation import get_notation
from mjopt.hands.tiles import FULL, M0, Suit, TileSet

THREE_PLAYER = TileSet(
    "three-player",
    (
        Suit("m", "characters", (1, 9), has_chows=False),
        Suit("p", "dots", tuple(range(1, 10))),
        Suit("s", "bamboos", tuple(range(1, 10))),
        Suit("z", "honours", tuple(range(1, 8)), has_chows=False),
    ),
)
SUIT_R = TileSet("reeds", (Suit("r", "reeds", tuple(range(1, 10))),))


@pytest.mark.parametrize(
    ("text", "counts", "red"),
    [
        ("", {}, {}),
        (" \t\n", {}, {}),
        ("12m3p45m", {"1m": 1, "2m": 1, "4m": 1, "5m": 1, "3p": 1}, {}),
        ("1 2\tm\n3p", {"1m": 1, "2m": 1, "3p": 1}, {}),
        ("406m", {"4m": 1, "5m": 1, "6m": 1}, {"5m": 1}),
        ("45r6m", {"4m": 1, "5m": 1, "6m": 1}, {"5m": 1}),
        ("4r56m", {"4m": 1, "5m": 1, "6m": 1}, {"5m": 1}),
        ("5r5m", {"5m": 2}, {"5m": 1}),
        ("55rm", {"5m": 2}, {"5m": 1}),
        ("r55m", {"5m": 2}, {"5m": 1}),
        ("r5r5m", {"5m": 2}, {"5m": 2}),
        ("5rr5m", {"5m": 2}, {"5m": 2}),
        ("0r5m", {"5m": 2}, {"5m": 2}),
        ("00p", {"5p": 2}, {"5p": 2}),
        ("0000s", {"5s": 4}, {"5s": 4}),
    ],
)
def test_text_is_parsed(reads, text, counts, red):
    assert reads("mpsz", text) == (counts, red)


@pytest.mark.parametrize(
    "text",
    [
        "406M789P11Z",
        "406m, 789p, 11z",
        " 406m,789p 11z,",
        "４０６ｍ７８９ｐ１１ｚ",
        "４０６Ｍ，　７８９Ｐ、１１Ｚ",
        "四r五六萬七八九筒東東",
        "四0六万 789餅 东东",
        "4r伍6m七八九饼東1z",
    ],
)
def test_equivalent_spellings_are_equal(reads, text):
    held = {"4m": 1, "5m": 1, "6m": 1, "7p": 1, "8p": 1, "9p": 1, "1z": 2}
    assert reads("mpsz", text, FULL) == (held, {"5m": 1})


def test_all_honours_and_suit_symbols_are_parsed(reads):
    every = {f"{rank}z": 1 for rank in range(1, 8)}
    assert reads("mpsz", "東南西北白發中", FULL) == (every, {})
    assert reads("mpsz", "1索2条3條發発发", FULL) == ({"1s": 1, "2s": 1, "3s": 1, "6z": 3}, {})


def test_tile_characters_are_parsed_as_unicode_notation(reads):
    assert reads("mpsz", "🀇🀈🀉 🀄\ufe0f", FULL) == ({"1m": 1, "2m": 1, "3m": 1, "7z": 1}, {})


def test_honours_of_the_full_set_are_parsed(reads):
    assert reads("mpsz", "15577z", FULL) == ({"1z": 1, "5z": 2, "7z": 2}, {})


@pytest.mark.parametrize(
    ("text", "tiles", "message"),
    [
        ("123m4x", M0, "'x' at character 6: not a suit of M0, expected m, p or s"),
        ("1m11z", M0, "'z' at character 5: not a suit of M0, expected m, p or s"),
        ("1m-", M0, "'-' at character 3, expected a rank (1..9, 0 for a red five) or m, p or s"),
        (
            "\N{ARABIC-INDIC DIGIT ONE}m",
            M0,
            "'\N{ARABIC-INDIC DIGIT ONE}' at character 1, "
            "expected a rank (1..9, 0 for a red five) or m, p or s",
        ),
        ("²m", M0, "'²' at character 1, expected a rank (1..9, 0 for a red five) or m, p or s"),
        ("1,2,3m", M0, "'1' at character 1: ranks without a suit, expected m, p or s after them"),
        (
            "12東3m",
            FULL,
            "'12' at character 1: ranks without a suit, expected m, p, s or z after them",
        ),
        (
            "🀇🀈 3m",
            FULL,
            "'3' at character 4: mpsz beside tile characters, expected all of one kind",
        ),
        ("東", M0, "'東' at character 1: M0 has no 1z, expected a suit m, p or s"),
        ("萬", M0, "'萬' at character 1: a suit without ranks, expected ranks before it"),
        ("1m 2 3", M0, "'23' at character 4: ranks without a suit, expected m, p or s after them"),
        (
            "1" * 30,
            M0,
            "'11111111111111111111'... at character 1: "
            "ranks without a suit, expected m, p or s after them",
        ),
        ("1mp", M0, "'p' at character 3: a suit without ranks, expected ranks before it"),
        ("m1", M0, "'m' at character 1: a suit without ranks, expected ranks before it"),
        ("11111m", M0, "'1' at character 5: a fifth 1m, expected at most 4"),
        ("111m1 1m", M0, "'1' at character 7: a fifth 1m, expected at most 4"),
        ("55550m", M0, "'0' at character 5: a fifth 5m, expected at most 4"),
        ("00000m", M0, "'0' at character 5: a fifth 5m, expected at most 4"),
        ("55555rm", M0, "'5r' at character 5: a fifth 5m, expected at most 4"),
        ("8z", FULL, "'8' at character 1: there is no 8z, expected a rank 1..7 of z"),
        ("9z", FULL, "'9' at character 1: there is no 9z, expected a rank 1..7 of z"),
        ("10z", FULL, "'0' at character 2: no red 5z, expected red only on a 5 outside suit z"),
        ("5rz", FULL, "'5r' at character 1: no red 5z, expected red only on a 5 outside suit z"),
        ("4rm", M0, "'r' at character 2: red marker without its five, expected 5r or r5"),
        ("r4m", M0, "'r' at character 1: red marker without its five, expected 5r or r5"),
        ("5r6rm", M0, "'r' at character 4: red marker without its five, expected 5r or r5"),
        ("5 rm", M0, "'r' at character 3: red marker without its five, expected 5r or r5"),
        ("5mr", M0, "'r' at character 3: red marker without its five, expected 5r or r5"),
        (
            "12m",
            THREE_PLAYER,
            "'2' at character 2: three-player has no 2m, expected a rank 1 or 9 of m",
        ),
        (
            "0m",
            THREE_PLAYER,
            "'0' at character 1: three-player has no 5m, expected a rank 1 or 9 of m",
        ),
    ],
)
def test_bad_text_is_refused(refuses, text, tiles, message):
    refuses("mpsz", text, tiles, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mp1", "'m' at character 1: a suit without ranks, expected ranks after it"),
        ("m1p", "'p' at character 3: a suit without ranks, expected ranks after it"),
        ("1m", "'1' at character 1: ranks without a suit, expected m, p or s before them"),
    ],
)
def test_bad_prefix_text_is_refused(refuses, text, message):
    refuses("prefix", text, M0, message)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("", ""),
        ("6m 5mr 4m", "406m"),
        ("6m 5m 5mr 4m", "4056m"),
        ("1s 9p 1m", "1m9p1s"),
        ("1z 7z 5z", "157z"),
    ],
)
def test_tiles_are_formatted(writes, text, names):
    assert writes("mpsz", names, FULL) == text


def test_suits_are_written_in_tile_set_order(writes):
    assert writes("mpsz", "1m 1s", TileSet("turned", FULL.suits[::-1])) == "1s1m"


def test_suit_named_r_is_not_a_red_five(reads, writes):
    assert reads("mpsz", "405r", SUIT_R) == ({"4r": 1, "5r": 2}, {"5r": 1})
    assert writes("mpsz", "4r 5rr 5r", SUIT_R) == "405r"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("3mr", "1 red 3m, expected red only on a 5 outside suit z"),
        ("5zr", "1 red 5z, expected red only on a 5 outside suit z"),
    ],
)
def test_impossible_red_fives_are_refused(writes, names, message):
    with pytest.raises(NotationError) as refused:
        writes("mpsz", names, FULL)
    assert str(refused.value) == message


def test_counts_that_contradict_each_other_are_refused():
    one, two = ((0, 0, 0, 0, number) + (0,) * 22 for number in (1, 2))
    mpsz = get_notation("mpsz")
    with pytest.raises(NotationError, match=r"^2 red of 1 5m, expected at most 1$"):
        mpsz.write(one, two, M0)
    for red in ((), one):
        with pytest.raises(TileError, match="expected 34"):
            mpsz.write(one, red, FULL)


@pytest.mark.parametrize(
    "text", ["123m+5m", "123m + 5m", "123M\N{FULLWIDTH PLUS SIGN}5M", "+123m5m"]
)
def test_drawn_tile_may_stand_after_a_plus(text, reads):
    assert reads("mpsz", text) == reads("mpsz", "1235m")


def test_ranks_before_a_plus_need_their_suit(refuses):
    message = "'12' at character 1: ranks without a suit, expected m, p or s after them"
    refuses("mpsz", "12+3m", M0, message)
