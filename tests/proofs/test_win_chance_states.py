"""The states and roots of a certificate of win chances, and checks in parts of any size."""

import copy
import json

import numpy as np
import pytest
from adversarial.play import tables
from helpers.tiny_certificates import WORLDS, Document, changed, made, message, standard_forms
from reference_implementations.win_chance import ONE, World, certificate

from mjopt import FULL, TILE_SETS, TileSet
from mjopt.proofs import Limits, verify_win_chance, win_chance_check, win_chance_states
from mjopt.proofs.limits import StepCounter

THREE = [("two called", 1), ("two called", 2), ("four tiles", 1)]


def without(document: Document, gone: int) -> Document:
    """Return a copy without a state, and without lower bounds."""
    other = copy.deepcopy(document) | {"lower": None, "policy": None}
    del other["states"][gone]
    for table in tables(other | {"policy": None, "lower": None}):
        del table[gone]
    for claim in other["claims"]:
        claim["state"] -= claim["state"] > gone
        claim["lower"] = None
    return other


def with_state(document: Document, hand: str, discard: int) -> Document:
    """Return a copy with one more state, the hand after a discard, and the claim that it loses."""
    other = copy.deepcopy(document) | {"lower": None, "policy": None}
    draws = other["draws"]
    other["states"].append(hand)
    if other["version"] == 2:
        other["weights"].append("0" * len(hand))
        other["upper"]["a"].append([0] + [ONE] * draws)
        other["upper"]["b"].append([{} for _ in range(draws + 1)])
    else:
        other["upper"].append([0] + [ONE] * draws)
    for claim in other["claims"]:
        claim["lower"] = None
    state = len(other["states"]) - 1
    other["claims"].append({"discard": discard, "state": state, "lower": None, "upper": ONE})
    return other


@pytest.mark.parametrize(("name", "version"), THREE)
def test_missing_hand_of_the_class_is_refused(name, version):
    """Each state in turn, except those of claims: a play through it would not be bounded."""
    check_missing(made(name, version))


def test_order_of_the_states_is_free():
    document = made("two called", 1)
    for first in range(1, len(document["states"])):
        other = copy.deepcopy(document) | {"lower": None, "policy": None}
        for rows in (other["states"], other["upper"]):
            rows[:] = rows[first:] + rows[:first]
        for claim in other["claims"]:
            claim["state"] = (claim["state"] - first) % len(other["states"])
            claim["lower"] = None
        assert message(other) == ""
        if first % 2:
            check_missing(other)


def test_missing_hand_is_refused_if_its_last_tile_cannot_be_drawn_again():
    """Hand 1259m and one 3m in the wall: 1235m and 1239m, one of them missing."""
    held, wall = (1, 1, 0, 0, 1, 0, 0, 0, 1), (0, 0, 1, 0, 0, 0, 0, 1, 0)
    document = certificate(World((*held, *(0,) * 18), 3, (*wall, *(0,) * 18), 2, 0))
    assert len(document["states"]) == 3
    check_missing(document)


def check_missing(document: Document) -> None:
    roots = {claim["state"] for claim in document["claims"]}
    for state, hand in enumerate(document["states"]):
        if state not in roots:
            reason = message(without(document, state))
            assert reason == f"states: {hand} is in the class and missing"


@pytest.mark.parametrize("version", [1, 2])
def test_claim_about_a_hand_outside_of_the_class_is_refused(version):
    """Hand 12334p with three called melds, waste 0: the discard of the 2 wastes a tile."""
    world = WORLDS["five tiles"]._replace(waste=0)
    document = certificate(world, weigh=(lambda: 3) if version == 2 else None)
    assert [claim["discard"] for claim in document["claims"]] == [9, 11, 12]
    other = with_state(document, "0" * 9 + "1021" + "0" * 14, 10)
    assert message(other) == "claims[3].upper: the discard leaves the class"


def unconditional(world: World) -> bool:
    return verify_win_chance(json.dumps(certificate(world))).is_unconditional


def test_bounds_hold_for_all_play_if_no_draw_can_waste_more():
    """With as many draws as the class may miss and acquire, every play stays in the class."""
    world = WORLDS["four tiles"]  # deficiency 2
    assert unconditional(world._replace(waste=0, draws=2))
    lower = certificate(world._replace(waste=0, draws=2)) | {"upper": None}
    lower["claims"][0]["upper"] = None
    assert not verify_win_chance(json.dumps(lower)).is_unconditional  # it claims no upper bound
    assert not unconditional(world._replace(waste=0, draws=3))
    assert unconditional(world._replace(waste=1, draws=3))
    assert not unconditional(world._replace(waste=1, draws=4))


def test_bounds_hold_for_all_play_if_no_move_leaves_the_states():
    """One tile, and only 2 and 3 in the wall: every hand there is has at most one new tile."""
    world = WORLDS["one tile"]
    assert unconditional(world)
    assert not unconditional(world._replace(waste=0))


@pytest.mark.parametrize("kind", [17, 26])
def test_hand_outside_of_the_class_may_come_after_all_states(kind):
    """Hand 1s with four called melds: a 9p or 9s in its place is outside of waste 0."""
    wall = tuple(int(one in (18, kind)) for one in range(27))
    world = World((*(0,) * 18, 1, *(0,) * 8), 4, wall, 2, 0)
    assert not unconditional(world)
    assert unconditional(world._replace(waste=1))


@pytest.mark.parametrize(
    ("changes", "start"),
    [
        ({"discard": -1}, "claims[1].discard: -1 of a hand of 5 tiles, expected a kind"),
        ({"discard": 13}, "claims[1].state: not the hand after the discard"),
        ({"state": 0}, "claims[1].state: not the hand after the discard"),
    ],
)
def test_claim_about_another_discard_is_refused(changes, start):
    document = made("five tiles", 1)
    one = document["claims"][1] | changes
    assert message(changed(document, ("claims", 1), one)) == start


@pytest.mark.parametrize(
    "move", [[6, 6, 0], [0, -1, -1], [0, 0, 1]], ids=["no copy", "no win", "another state"]
)
def test_moves_that_stay_the_same_are_checked_once(move):
    """All draws have the moves of the first one, which must be legal."""
    document = made("four tiles", 1)
    rows = [[row[0], "same", "same"] for row in document["policy"]]
    same = document | {"policy": rows, "lower": "recomputed"}
    assert message(changed(same, ("claims", 0, "lower"), 0)) == ""
    other = changed(same, ("policy", 0, 0), [move])
    assert message(other).startswith(f"policy[0][0]: {move}, expected ")


PARTS = {
    win_chance_check: ("_CHUNK", "_MOVES"),
    win_chance_states: ("_CHUNK", "_ROWS"),
}


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize(("name", "version"), THREE)
def test_checks_in_parts_of_any_size_give_the_same_answer(monkeypatch, name, version, size):
    for module, names in PARTS.items():
        for constant in names:
            monkeypatch.setattr(module, constant, size)
    document = made(name, version)
    assert not message(document)
    short = document | {"upper": "recomputed", "lower": "recomputed"}
    for side, by in (("lower", 1), ("upper", -1)):
        other = changed(short, ("claims", 0, side), lambda bound, by=by: bound + by)
        assert message(other).startswith(f"claims[0].{side}: ")
    last = len(document["states"]) - 1
    assert message(without(document, last)).endswith("is in the class and missing")
    for state, moves in ((last, "[26, 26, 0]"), (0, "[26, 26, 0]")):
        other = changed(document, ("policy", state, 1), [[26, 26, 0]])
        assert message(other).startswith(f"policy[{state}][1]: {moves}, expected ")


def states_of_one_tile(tiles: TileSet) -> win_chance_states.States:
    hands = np.eye(tiles.num_kinds, dtype=np.int64)
    forms = standard_forms(tiles, 4, limit=2)
    return win_chance_states.States(hands, hands[0], np.full(tiles.num_kinds, 3), 1, forms)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_moves_between_all_kinds_are_found(tiles):
    """Every state of one tile leads to every other one."""
    steps = states_of_one_tile(tiles).steps(StepCounter(Limits(), "win chance"))
    kinds = range(tiles.num_kinds)
    expected = [(one, two, one, two) for one in kinds for two in kinds if one != two]
    assert [*zip(*map(np.ndarray.tolist, steps[:4]), strict=True)] == expected
    assert steps.is_whole


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_numbers_of_full_hands_are_equal_for_equal_hands(tiles):
    """Every state of one tile, and every draw: each pair of kinds is met twice."""
    states = states_of_one_tile(tiles)
    sources, drawn = np.indices(states.hands.shape).reshape(2, -1)
    keys = states.full_keys(sources, drawn).reshape(states.hands.shape)
    assert (keys == keys.T).all()
    assert len(np.unique(keys)) == tiles.num_kinds * (tiles.num_kinds + 1) // 2


def test_states_with_all_copies_of_the_last_kinds_differ():
    """Four copies each of the last two kinds are the largest second part of a key."""
    hands = np.zeros((18, FULL.num_kinds), np.int64)
    hands[:, 32:] = 4
    hands[:, :18] = 2 * np.eye(18)
    forms = standard_forms(FULL, 1, limit=9)
    states = win_chance_states.States(hands, hands[0], 4 - hands[0], 10, forms)
    keys = states.full_keys(np.arange(18), np.full(18, 20))
    assert len(np.unique(keys)) == 18
