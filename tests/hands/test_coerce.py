"""Input conversion: every public call accepts text, counts, arrays and tile names."""

from collections.abc import Callable
from importlib import import_module
from inspect import isfunction, signature
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.support import hands
from hypothesis import given

import mjopt
from mjopt import FULL, M0, Hand, MjoptError
from mjopt.hands.coerce import as_hand, each_hand
from mjopt.heuristics import problem, run
from tools.reference import FACES, public_names

READY = Hand.parse("1112345678999m")
DRAWN = Hand.parse("123456m789p1146s1z", tiles=FULL)
WAYS: dict[str, Callable[[Hand], Any]] = {
    "hand": lambda hand: hand,
    "text": Hand.to_text,
    "tuple": lambda hand: hand.counts,
    "list": lambda hand: list(hand.counts),
    "iterator": lambda hand: iter(hand.counts),
    "bytes": lambda hand: np.array(hand.counts, np.uint8),
    "integers": lambda hand: np.array(hand.counts)[::1],
    "strided": lambda hand: np.repeat(np.array(hand.counts, np.int32), 2)[::2],
    "series": lambda hand: pd.Series(hand.counts),
    "names": lambda hand: [
        name for name, held in zip(hand.tiles.names, hand.counts, strict=True) for _ in range(held)
    ],
    "array of names": lambda hand: np.array(WAYS["names"](hand)),
}
# The calls that people type, which also take the tile set and the number of called melds.
TYPED: dict[str, tuple[Hand, Callable[..., Any]]] = {
    "deficiency": (DRAWN, mjopt.deficiency),
    "discards": (DRAWN, mjopt.discards),
    "is_win": (DRAWN, mjopt.is_win),
    "shanten": (DRAWN, mjopt.shanten),
    "useful_tiles": (READY, mjopt.useful_tiles),
}
# Every public call that takes a hand.
CALLS: dict[str, tuple[Hand, Callable[[Any], Any]]] = {
    **TYPED,
    "candidates": (DRAWN, mjopt.candidates),
    "certify": (DRAWN, mjopt.certify),
    "certify_many": (DRAWN, lambda h: list(mjopt.certify_many([h]))),
    "decompositions": (DRAWN, mjopt.decompositions),
    "expected_draws": (READY, mjopt.expected_draws),
    "expected_draws_many": (READY, lambda h: list(mjopt.expected_draws_many([h]))),
    "judge_calls": (READY, lambda h: mjopt.judge_calls(h, "1m", draws=2, effort="quick")),
    "problem": (DRAWN, lambda h: problem(h).bounds[1].tolist()),
    "rank_discards": (DRAWN, lambda h: mjopt.rank_discards(h, exact=False)),
    "run": (DRAWN, lambda h: run("tree-search", h, rng=1).value),
    "solve": (READY, lambda h: mjopt.solve(h, model="network").value),
    "targets": (READY, mjopt.targets),
}


@pytest.mark.parametrize("way", WAYS)
@given(hand=hands(called=0))
def test_all_input_types_give_the_same_hand(way: str, hand: Hand) -> None:
    tiles = hand.tiles if way != "hand" else None
    assert as_hand(WAYS[way](hand), tiles) == hand


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("way", ["text", "bytes", "names"])
def test_every_call_accepts_all_input_types(call: str, way: str) -> None:
    hand, ask = CALLS[call]
    assert ask(WAYS[way](hand)) == ask(hand)


@pytest.mark.parametrize("call", TYPED)
def test_typed_calls_accept_a_tile_set(call: str) -> None:
    hand, ask = TYPED[call]
    for tiles in ("136", FULL):
        assert ask(hand.to_text(), tiles=tiles) == ask(hand.in_full())


@pytest.mark.parametrize("call", CALLS)
def test_non_hand_is_refused_by_argument_name(call: str) -> None:
    _, ask = CALLS[call]
    with pytest.raises(TypeError, match=r"(hand|hands row 0): None, expected a Hand, text, 27 "):
        ask(None)
    with pytest.raises(MjoptError, match=r"(hand|hands row 0): 'x' at character 4"):
        ask("123x")


@pytest.mark.parametrize("call", TYPED)
def test_typed_calls_accept_called_melds(call: str) -> None:
    hand, ask = TYPED[call]
    held = Hand.parse("11m" if hand.is_full else "1m", called=4, tiles=hand.tiles)
    assert ask(held.to_text(), called=4, tiles=hand.tiles) == ask(held)
    with pytest.raises(MjoptError, match="called: 3, but the hand has 4"):
        ask(held, called=3)
    with pytest.raises(MjoptError, match="11 tiles: 14 less one called meld, expected called 1"):
        ask("123m456m789m11p", tiles=hand.tiles)


def test_other_calls_take_a_hand_alone() -> None:
    functions = {
        name: found
        for face in FACES
        for name in public_names(face)
        if isfunction(found := getattr(import_module(face), name))
    }
    about_hands = {name: signature(function).parameters for name, function in functions.items()}
    takers = {name for name, parameters in about_hands.items() if "hand" in parameters}
    assert takers >= {*TYPED, "certify", "explain", "optimal_play", "run"}
    assert {name for name in takers if {"tiles", "called"} & {*about_hands[name]}} == {*TYPED}


def test_batches_and_shanten_accept_called_melds() -> None:
    rows = [Hand.parse("11m", called=4).counts]
    assert mjopt.discards_many(rows, called=4).deficiency[0, 0] == 1
    assert mjopt.shanten("1z", called=4) == 0


def test_text_can_name_unseen_tiles() -> None:
    assert mjopt.deficiency("123m456m789m1239p", unseen="9p") == 1
    for given_ in ("九筒", "🀡", ["9p"], ("9p", "9p")):
        assert mjopt.deficiency("123m456m789m1239p", unseen=given_) == 1
    with pytest.raises(MjoptError, match="^unseen: 'x' at character 2"):
        mjopt.deficiency(READY, unseen=["1x"])
    assert mjopt.expected_draws(READY, wall="1m").mean == 1
    with pytest.raises(MjoptError, match="^unseen: "):
        mjopt.deficiency(READY, unseen="10x")
    with pytest.raises(MjoptError, match="^wall: "):
        mjopt.expected_draws(READY, wall="1")


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ([1] * 13, "hand: 13 counts, expected 27"),
        ([], "hand: 0 counts"),
        (np.zeros((2, 27), int), r"hand: an array of shape \(2, 27\)"),
        (np.zeros(27), "hand: 0 tiles"),
        ([0.5] + [0] * 26, "hand: 0.5 copies of 1m"),
        (["1m", "2"], "hand item 1: "),
        (["1m", 2], "hand: 2 counts"),
        ("1m", "hand: 1 tile"),
    ],
)
def test_errors_locate_the_bad_hand(given_: Any, words: str) -> None:
    with pytest.raises(MjoptError, match=words):
        mjopt.deficiency(given_)


def test_hand_keeps_its_tile_set() -> None:
    assert as_hand(DRAWN, "full") is DRAWN
    with pytest.raises(MjoptError, match="^tiles: M0, but the hand is one of FULL$"):
        mjopt.deficiency(DRAWN, tiles=M0)
    with pytest.raises(MjoptError, match="tiles 144"):
        mjopt.deficiency(READY, tiles="144")


def test_error_in_a_batch_names_the_row() -> None:
    rows = np.array([READY.counts, READY.counts])
    assert list(each_hand(rows)) == [READY, READY]
    with pytest.raises(MjoptError, match="^hands row 1: "):
        list(mjopt.certify_many([READY, "12m"]))
    with pytest.raises(TypeError, match="hands: '1112345678999m', expected several hands"):
        list(mjopt.expected_draws_many("1112345678999m"))
