"""Positions: their text form, and one line for each contradiction."""

import random
from dataclasses import replace

import pytest
from helpers.support import hands
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, SANMA, CallOption, Hand, MjoptError, Position
from mjopt.chances.advice.calls import possible_melds
from mjopt.hands.blocks import barred_kinds, chow, kong, pong
from mjopt.hands.rules.classic_forms import names_of

HAND = "2378m345p6688s11z"


def is_read_or_refused(text: str) -> bool:
    """Return whether a text is a position, or refused in one line."""
    try:
        position = Position.parse(text)
    except MjoptError as error:
        return len(str(error).splitlines()) == 1
    return Position.parse(position.to_text()) == position


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw any position: all tile sets, melds by name or number, seen tiles, draws, calls."""
    hand = draw(hands(tile_sets=(M0, FULL, SANMA)))
    if hand.num_tiles < 13 - 3 * hand.called:
        hand = Hand.parse("2378m345p668s", tiles=FULL, melds=["777z"])
    rng = random.Random(draw(st.integers(0, 2**32)))
    left = list(hand.unseen)
    offered = None
    if not hand.is_full and draw(st.booleans()):
        offered = rng.choice([kind for kind, copies in enumerate(left) if copies])
        left[offered] -= 1
    most = draw(st.sampled_from([4, 4, 1, 0]))
    wall = tuple(rng.randint(max(0, copies - 4), min(most, copies)) for copies in left)
    if not sum(wall):
        wall = tuple(left)
    draws = min(sum(wall), draw(st.integers(0, 18)))
    position = Position(hand=hand, wall=wall, draws=draws, offered=offered)
    if draw(st.booleans()) and position.calls:
        chosen = rng.sample(position.calls, rng.randint(0, len(position.calls)))
        calls = tuple(CallOption(call.meld, rng.randint(0, draws)) for call in chosen)
        position = Position(hand=hand, wall=wall, draws=draws, offered=offered, calls=calls)
    if draw(st.booleans()):
        position = replace(position, calls=None, swaps=False)
        if hand.is_full and hand.melds:
            meld = rng.choice(hand.melds)
            kinds = barred_kinds(meld, rng.choice(meld.kinds), hand.tiles)
            if any(held and kind not in kinds for kind, held in enumerate(hand.counts)):
                position = replace(position, barred=kinds)
    if draw(st.booleans()):
        return position
    forms = rng.sample(position.forms, rng.randint(1, len(position.forms)))
    calls = position.calls if "standard" in forms else ()
    return Position(
        hand=hand,
        wall=wall,
        draws=draws,
        offered=offered,
        forms=tuple(forms),
        calls=calls,
        swaps=position.swaps,
        barred=position.barred,
    )


@given(position=positions())
@settings(max_examples=60)
def test_text_is_read_as_the_same_position(position: Position) -> None:
    text = position.to_text()
    assert Position.parse(text) == position
    assert Position.parse(text).to_text() == text
    words = text.split()
    assert Position.parse(" ".join(reversed(words))) == position
    assert Position.of_fields(position.to_fields()) == position
    assert hash(Position.parse(text)) == hash(position)


@given(position=positions())
@settings(max_examples=30)
def test_tiles_are_conserved(position: Position) -> None:
    offered = [kind == position.offered for kind in range(len(position.wall))]
    shown = [4 - copies for copies in position.hand.unseen]
    total = map(sum, zip(position.wall, position.seen, offered, shown, strict=True))
    assert {*total} == {4}
    for call in position.calls or ():
        after = position.after(call)
        assert after.called - position.hand.called in (0, 1)
        before = position.hand.num_tiles + 3 * position.hand.called
        assert after.num_tiles + 3 * after.called == before + (position.offered is not None) - (
            len(call.meld.kinds) == 4
        )


def test_red_fives_and_named_melds_are_kept() -> None:
    position = Position.parse("0m34406p11z melds=340s,777z seen=5m draws=3")
    assert Position.parse(position.to_text()) == position
    assert position.hand.red
    assert [meld.text(FULL) for meld in position.hand.melds] == ["345s", "777z"]


def test_defaults() -> None:
    position = Position.parse(HAND)
    assert (position.draws, sum(position.wall)) == (18, 123)
    assert (position.offered, position.calls) == (None, ())
    assert names_of(position.forms) == ("standard", "seven_pairs", "thirteen_orphans")
    small = Position(hand=Hand.parse(HAND), wall=[1, 1] + [0] * 32)
    assert (small.draws, small.wall[:3]) == (2, (1, 1, 0))
    assert Position(hand=HAND, offered="4m") == Position.parse(f"{HAND} offered=4m")


def test_swap_calls_concern_an_offer_or_a_hand_that_has_just_called() -> None:
    offered = Position.parse(f"{HAND} offered=4m swaps=no")
    assert (offered.swaps, offered.to_text()) == (False, f"{HAND} offered=4m swaps=no")
    assert Position.parse(f"{HAND} offered=4m swaps=yes") == Position.parse(f"{HAND} offered=4m")
    assert Position.parse(f"{HAND} swaps=no") == Position.parse(HAND)
    called = "23m67p44s11z melds=345m,777z"
    barred = Position.parse(f"{called} barred=6m3m")
    assert (barred.barred, barred.to_text()) == ((2, 5), f"{called} barred=3m6m")
    # A kind need not be held, and some rules bar the called kind alone.
    assert Position.parse(f"{called} barred=7z").barred == (33,)
    assert Position.parse(f"{called} barred=3m").barred == (2,)
    assert Position(hand=Hand.parse("23m67p44s11z", called=2), barred=("9s",)).barred == (26,)
    with pytest.raises(TypeError, match="swaps"):
        Position(hand=HAND, swaps="no")


def test_draws_after_calls() -> None:
    """A chow or a pong replaces the next draw; a kong is followed by its own draw."""
    position = Position.parse("2333m345p6688s11z offered=3m draws=6")
    calls = {call.meld.text(FULL): call.draws for call in position.calls or ()}
    assert calls == {"333m": 5, "3333m": 6}
    own = Position.parse("3333m345p6688s112z draws=6")
    assert [(call.meld, call.draws) for call in own.calls or ()] == [(kong(2), 7)]
    added = Position.parse("345p6688s123z3p melds=111z draws=0")
    assert [(call.meld, call.draws) for call in added.calls or ()] == [(kong(27), 1)]
    last = Position.parse("3333m345p6688s112z draws=0")
    assert [call.draws for call in last.calls or ()] == [1]


def test_forms_without_melds_have_no_calls() -> None:
    position = Position.parse("1122334455667m offered=7m forms=seven_pairs draws=5")
    assert position.calls == ()
    assert replace(position, forms=("standard",), calls=None).calls


def test_melds_with_a_tile_are_found() -> None:
    hand = Hand.parse("123455566789m1z")
    assert {*possible_melds(hand, 4)} == {chow(2), chow(3), chow(4), pong(4), kong(4)}
    assert possible_melds(Hand.parse("1m", called=4), 0) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("11111m345p6688s1z", "hand: "),
        ("123m", "hand: 3 tiles, expected 14 or 13"),
        ("", "hand: "),
        ("22x", "hand: "),
        (f"{HAND} offered=45m", "offered: 2 tiles, expected one"),
        (f"{HAND} offered=x", "offered: "),
        ("2378m345p66888s11z offered=4m", "offered: 4m on offer to a hand after its draw"),
        ("1111m345p6688s11z offered=1m", "offered: 1m: the hand shows all 4 copies"),
        (f"{HAND} seen=4444m offered=4m", "seen: 4 of 4m, but only 3 can be elsewhere"),
        (f"{HAND} seen=111z", "seen: 3 of 1z, but only 2 can be elsewhere"),
        (f"{HAND} seen=nothing", "seen: "),
        (f"{HAND} draws=124", "draws: 124 draws from a wall of 123 tiles, expected 0 to 123"),
        (f"{HAND} draws=-1", "draws: '-1', expected 0 to 999"),
        (f"{HAND} draws=two", "draws: 'two', expected 0 to 999"),
        (f"{HAND} draws=²", "draws: '²', expected 0 to 999"),
        (f"{HAND} draws={'9' * 500}", "draws: "),
        (f"{HAND} tiles=144", "tiles 144, expected one of"),
        ("2378m345p6688s11z tiles=m0", "hand: "),
        (f"{HAND} called=5", "called: '5', expected 0 to 4"),
        (f"{HAND} called=1", "hand: 13 tiles"),
        (f"{HAND} melds=345m", "hand: 13 tiles"),
        ("23m67p44s1z melds=345m,135z", "melds: called meld '135z', expected a chow"),
        ("23m67p44s1z melds=345m,x", "melds: "),
        ("1111m67p44s melds=111m,777z", "1m"),
        ("23m67p44s1z melds=345m,777z called=1", "called"),
        (f"{HAND} forms=beauty", "forms 'beauty'"),
        ("2378m345p6688s11s tiles=m0 forms=kokushi", "forms: "),
        (f"{HAND} offered=4m swaps=maybe", "swaps: 'maybe', expected yes or no"),
        (f"{HAND} barred=4m", "barred: 4m, expected a hand that has just called a meld"),
        (f"{HAND}4s barred=4m", "barred: 4m, expected a hand that has just called a meld"),
        ("23m67p44s1z melds=345m,777z barred=3m", "barred: 3m, expected a hand that has just"),
        ("23m67p44s11z melds=345m,777z barred=x", "barred: 'x' at character 1"),
        ("23m67p44s11z melds=345m,777z barred=5z", "barred: 5z: no called meld bars this"),
        ("23m67p44s11z melds=345m,777z barred=3m7z", "barred: 3m 7z: no called meld bars this"),
        ("6m3m melds=345m,777z,111p,222p barred=36m", "barred: 3m 6m: nothing else is held"),
        (f"{HAND} calls=234m:17", "calls: 234m: no call of this position, expected none"),
        (
            f"{HAND} offered=4m calls=345m:17",
            "calls: 345m: no call of this position, expected 234m",
        ),
        (f"{HAND} offered=4m calls=234m", "calls: '234m', expected a meld and its draws: 234m:17"),
        (f"{HAND} offered=4m calls=24m:17", "calls: '24m:17', expected a meld and its draws"),
        (f"{HAND} offered=4m calls=234m:x", "calls: 'x', expected 0 to 999"),
        (f"{HAND} offered=4m calls=234m:200", "calls: 200 draws from a wall of 122 tiles"),
        (
            f"{HAND} offered=4m calls=234m:99",
            "calls: 99 draws after a call, expected at most 19, with 18 without a call",
        ),
        (f"{HAND} offered=4m calls=234m:17,234m:3", "calls: the same meld twice"),
        (f"{HAND} drawn=4", "position: 'drawn', expected tiles, rules, melds"),
        (f"{HAND} draws=4 draws=4", "position: draws twice, expected once"),
        (f"{HAND} hand=4", "position: 'hand', expected tiles"),
        (f"{HAND} {'1' * 1000}", "position: 1018 characters, expected at most 1000"),
    ],
)
def test_contradictions_are_one_line_that_names_the_field(text: str, message: str) -> None:
    with pytest.raises(MjoptError) as raised:
        Position.parse(text)
    line = str(raised.value)
    assert message in line
    assert "\n" not in line
    assert len(line) < 300


def test_draws_from_a_smaller_wall_are_refused() -> None:
    wall = (1,) * 10 + (0,) * 24
    with pytest.raises(MjoptError, match="draws: 20 draws from a wall of 10 tiles, expected 0 to"):
        Position(hand=Hand.parse(HAND), wall=wall, draws=20)
    with pytest.raises(MjoptError, match="wall: "):
        Position(hand=Hand.parse(HAND), wall=(5,) * 34)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "=",
        "draws=",
        "m=1",
        "1m=2",
        "draws==3",
        "offered=4m=5m",
        "\0",
        "calls=,",
        "forms=,",
        "  ",
    ],
)
def test_no_text_raises_anything_else(text: str) -> None:
    for whole in (text, f"{HAND} {text}", f"{text} {HAND} offered=4m"):
        assert is_read_or_refused(whole)


@given(text=st.text(alphabet="123456789mpsz=,: drawsoffedcl", max_size=60))
@settings(max_examples=150)
def test_random_texts_are_read_or_refused(text: str) -> None:
    assert is_read_or_refused(text)
