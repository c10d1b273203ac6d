"""Each condition of the checker of win chances alone: one forged certificate for each of them."""

import copy
import random
from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest
from helpers.tiny_certificates import EACH, WORLDS, Document, Path, changed, made, message
from reference_implementations.win_chance import ONE, World, certificate, room, tiny_worlds

from mjopt.proofs.win_chance_file import read_win_chance_file

MOST = 1 << 50  # the largest loss and lower bound


def reached(document: Document, world: World) -> list[set[int]]:
    """Return the states that the policy can reach, for each number of draws made."""
    found = [{claim["state"] for claim in document["claims"]}]
    hands = [tuple(map(int, digits)) for digits in document["states"]]
    for t in range(world.draws):
        after = set()
        for state in found[t]:
            moves = {drawn: to for drawn, _, to in document["policy"][state][t]}
            for drawn, copies in enumerate(room(world, hands[state])):
                if copies:
                    after.add(moves.get(drawn, state))
        found.append(after - {-1})
    return found


@pytest.mark.parametrize(("name", "version"), EACH)
def test_claims_are_accepted_up_to_the_bound_and_no_further(name, version):
    """The numbers that the checker computes itself are those of the reference, to the last bit."""
    document = made(name, version)
    assert not message(document)
    for filled in (document, document | {"upper": "recomputed", "lower": "recomputed"}):
        for at in range(len(filled["claims"])):
            for side, by in (("lower", 1), ("upper", -1)):
                other = changed(filled, ("claims", at, side), lambda bound, by=by: bound + by)
                assert message(other).startswith(f"claims[{at}].{side}: ")


def numbers(document: Document) -> Iterator[tuple[Path, int, int, int]]:
    """Yield each number of the tables: path, state, draws left, and the step that proves more."""
    tables: list[tuple[Path, int]] = [(("lower", "a"), 1), (("lower", "b"), -1)]
    if document["version"] == 2:
        tables += [(("upper", "a"), -1), (("upper", "b"), 1)]
    else:
        tables += [(("upper",), -1)]
    for table, by in tables:
        rows = reduce(lambda inner, key: inner[key], table, document)
        for state, row in enumerate(rows):
            for left, value in enumerate(row):
                kinds = sorted({*value, "0", "5"}) if isinstance(value, dict) else [None]
                for kind in kinds:
                    path = (*table, state, left) + (() if kind is None else (kind,))
                    yield path, state, left, by


@pytest.mark.parametrize(("name", "version"), EACH)
def test_one_number_that_proves_more_is_refused(name, version):
    """One state, one number of draws left, one kind: an entry of a table changed by one."""
    document = made(name, version)
    every = 16 if "tiles" in name else 3
    for path, is_checked, reason in forged(document, WORLDS[name], [*numbers(document)][::every]):
        assert reason or not is_checked, path
        if name != "only wins":  # there a bound that is not needed spoils the next one
            assert is_checked or not reason, path


@pytest.mark.parametrize("seed", [1, 4, 9, 13])
def test_claims_with_spared_kinds_are_those_of_the_reference(seed):
    """Weights of 0, 1 and 2, so that often only one of two kinds is charged."""
    rng = random.Random(seed)
    document = certificate(next(tiny_worlds(rng)), weigh=lambda: rng.choice((0, 1, 2)))
    assert message(document) == ""
    short = document | {"upper": "recomputed", "lower": "recomputed"}
    for side, by in (("lower", 1), ("upper", -1)):
        other = changed(short, ("claims", 0, side), lambda bound, by=by: bound + by)
        assert message(other).startswith(f"claims[0].{side}: ")


def test_numbers_of_random_worlds_are_those_of_the_reference():
    """Long enough for several copies to be gone, with weights that are often equal or 0."""
    rng = random.Random(1)
    worlds = tiny_worlds(rng, draws=7)
    for at in range(48):
        world = next(worlds)
        pick = rng.choice if at % 2 else None
        document = certificate(world, pick, weigh=lambda: rng.choice((0, 1, 2)))
        reason = message(document)
        if reason.startswith("lower.a["):
            continue  # the search would have clipped such a bound
        assert reason == ""
        where = reached(document, world)
        places = [
            (path, state, left, by)
            for path, state, left, by in numbers(document)
            if path[1] == "b" and left > 1
            if path[0] == "upper" or state in where[world.draws - left]
        ]
        for path, _, reason in forged(document, world, rng.sample(places, min(3, len(places)))):
            assert reason, path
        short = document | {"upper": "recomputed", "lower": "recomputed"}
        for side, by in (("lower", 1), ("upper", -1)):
            other = changed(short, ("claims", 0, side), lambda bound, by=by: bound + by)
            assert message(other).startswith(f"claims[0].{side}: ")


def forged(document: Document, world: World, places: list[Any]) -> Iterator[tuple[Any, bool, str]]:
    """Yield the path of each number, whether its bounds are needed, and why it is refused."""
    where = reached(document, world)
    for path, state, left, by in places:
        other = copy.deepcopy(document)
        place = reduce(lambda inner, key: inner[key], path[:-1], other)
        before = place.get(path[-1], 0) if isinstance(place, dict) else place[path[-1]]
        place[path[-1]] = before + by
        is_checked = path[0] == "upper" or not left or state in where[world.draws - left]
        yield path, is_checked, message(other)


# Paths of numbers, with the range that the reader accepts; the first value outside on either
# side is refused. Changed numbers inside may be refused later, for another reason.
LAST = len(made("four tiles", 1)["states"]) - 1
RANGES: dict[str, tuple[int, Path, int, int]] = {
    "called": (1, ("called",), 0, 4),
    "waste": (1, ("waste",), 0, 14),
    "deficiency": (1, ("deficiency",), 0, 14),
    "draws": (1, ("draws",), 1, 8),
    "wall": (1, ("wall", 26), 0, 4),
    "policy[0][0]: drawn": (1, ("policy", 0, 0, 0, 0), 0, 26),
    "policy[11][2]: drawn": (1, ("policy", LAST, 2, 0, 0), 0, 26),
    "policy[0][0]: thrown": (1, ("policy", 0, 0, 0, 1), 0, 26),
    "policy[0][0]: state": (1, ("policy", 0, 0, 0, 2), 0, LAST),
    "lower.a[0]": (1, ("lower", "a", 0, 0), -MOST, MOST),
    "lower.a[11]": (1, ("lower", "a", LAST, 3), -MOST, MOST),
    "lower.b[0][2]": (1, ("lower", "b", 0, 2, "5"), -MOST, MOST),
    "lower.b[11][3]": (1, ("lower", "b", LAST, 3, "26"), -MOST, MOST),
    "upper[0]": (1, ("upper", 0, 0), 0, ONE),
    "upper[11]": (1, ("upper", LAST, 3), 0, ONE),
    "upper.a[0]": (2, ("upper", "a", 0, 0), -2 * ONE, 2 * ONE),
    "upper.a[11]": (2, ("upper", "a", LAST, 3), -2 * ONE, 2 * ONE),
    "upper.b[11][3]": (2, ("upper", "b", LAST, 3, "26"), -ONE, ONE),
    "claims[0].discard": (1, ("claims", 0, "discard"), -1, 26),
    "claims[0].state": (1, ("claims", 0, "state"), 0, LAST),
    "claims[0].lower": (1, ("claims", 0, "lower"), 0, ONE),
    "claims[0].upper": (1, ("claims", 0, "upper"), 0, ONE),
}


@pytest.mark.parametrize("name", RANGES)
def test_first_number_out_of_range_is_refused(name):
    version, path, low, high = RANGES[name]
    field = name.partition(": ")[0]
    for value, is_inside in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        found = message(changed(made("four tiles", version), path, value), read_win_chance_file)
        assert found.startswith(f"{field}: ") != is_inside, (value, found)


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1]])
@pytest.mark.parametrize(
    "path",
    [
        ("called",), ("waste",), ("draws",), ("deficiency",), ("scale",), ("version",),
        ("hand", 1), ("wall", 6), ("policy", 0, 0, 0, 0), ("policy", 0, 0, 0, 1),
        ("policy", 0, 0, 0, 2), ("lower", "a", 0, 1), ("lower", "b", 0, 2, "1"), ("upper", 0, 1),
        ("claims", 0, "state"), ("claims", 0, "discard"), ("claims", 0, "lower"),
    ],
)  # fmt: skip
def test_other_value_for_a_number_is_refused(path, value):
    assert message(changed(made("four tiles", 1), path, value), read_win_chance_file)


def longer(rows: list[Any]) -> list[Any]:
    return [*rows, rows[-1]]


def shorter(rows: list[Any]) -> list[Any]:
    return rows[:-1]


LISTS: tuple[tuple[int, Path], ...] = (
    (1, ("hand",)), (1, ("wall",)), (1, ("policy",)), (1, ("policy", 3)), (1, ("policy", 0, 0, 0)),
    (1, ("lower", "a")), (1, ("lower", "a", 3)), (1, ("lower", "b")), (1, ("lower", "b", 3)),
    (1, ("upper",)), (1, ("upper", 3)), (2, ("upper", "a")), (2, ("upper", "a", 3)),
    (2, ("upper", "b")), (2, ("upper", "b", 3)), (2, ("weights",)),
)  # fmt: skip


@pytest.mark.parametrize("change", [longer, shorter])
@pytest.mark.parametrize(("version", "path"), LISTS)
def test_list_of_another_length_is_refused(version, path, change):
    document = changed(made("four tiles", version), path, change)
    assert message(document, read_win_chance_file)
    document = changed(made("four tiles", version), path, {})
    assert message(document, read_win_chance_file)


# Name: version, path, new value, start of the message. Each violates one condition.
CONDITIONS: dict[str, tuple[int, Path, Any, str]] = {
    # the reader
    "format": (1, ("format",), "mjopt", "format: "),
    "scale": (1, ("scale",), 49, "scale: 49, expected 48"),
    "version 0": (1, ("version",), 0, "version: 0"),
    "version 2.0": (2, ("version",), 2.0, "certificate: unknown 'weights'"),
    "tiles": (1, ("tiles",), "M1", "tiles: 'M1'"),
    "tiles are no text": (1, ("tiles",), ["M0"], "tiles: ['M0']"),
    "no tiles": (1, ("tiles",), "", "tiles: ''"),
    "a form more": (1, ("forms",), ["standard"] * 2, "forms: "),
    "a fifth copy in the wall": (1, ("wall", 0), 4, "wall: more copies"),
    "a count below 0": (1, ("hand", 9), -1, "hand: expected 27 numbers in 0..4"),
    "a count above four": (1, ("hand", 9), 5, "hand: expected 27 numbers in 0..4"),
    "one tile too many": (1, ("hand", 1), 2, "hand: 6 tiles, expected 4 or 5"),
    "one tile too few": (1, ("hand", 0), 0, "hand: 3 tiles, expected 4 or 5"),
    "a digit above four": (1, ("states", 11), "5" + "0" * 26, "states[11]: '5000"),
    "a long state": (1, ("states", 11), "0" * 28, "states[11]: "),
    "a short state": (1, ("states", 0), "0" * 26, "states[0]: "),
    "a state that is a list": (1, ("states", 0), ["0"] * 27, "states[0]: "),
    "a weight of two digits": (2, ("weights", 11), "0" * 26 + "a", "weights[11]: "),
    "a policy without lower bounds": (1, ("lower",), None, "lower: expected bounds and the policy"),
    "lower bounds without a policy": (1, ("policy",), None, "lower: expected bounds and the pol"),
    "lower bounds of another kind": (1, ("lower",), "same", "lower: 'same', expected an object"),
    "upper bounds of another kind": (2, ("upper",), "same", "upper: 'same', expected an object"),
    "a loss more": (1, ("lower", "c"), [], "lower: unknown 'c'"),
    "a charge more": (2, ("upper", "c"), [], "upper: unknown 'c'"),
    "a loss of no kind": (1, ("lower", "b", 0, 2, "27"), 5, "lower.b[0][2]: "),
    "a loss of a negative kind": (1, ("lower", "b", 0, 2, "-1"), 5, "lower.b[0][2]: "),
    "a loss of a kind with a zero": (1, ("lower", "b", 0, 2, "01"), 5, "lower.b[0][2]: "),
    "a loss of 0": (1, ("lower", "b", 0, 2, "6"), 0, "lower.b[0][2]: a loss of 0"),
    "losses in a list": (1, ("lower", "b", 0, 2), [1], "lower.b[0][2]: "),
    "same before the first move": (1, ("policy", 0, 0), "same", "policy[0][0]: "),
    "a word for moves": (1, ("policy", 0, 1), "name", "policy[0][1]: "),
    "a discard but no state": (1, ("policy", 0, 0, 0), [0, 3, -1], "policy[0][0]: "),
    "a state but no discard": (1, ("policy", 0, 0, 0), [0, -1, 8], "policy[0][0]: "),
    "a win by nothing": (1, ("policy", 0, 0, 0), [-1, -1, -1], "policy[0][0]: "),
    "two moves for a draw": (1, ("policy", 1, 0), [[0, -1, -1]] * 2, "policy[1][0]: two moves"),
    "no claims": (1, ("claims",), [], "claims: "),
    "claims that are none": (1, ("claims",), None, "claims: None, expected a list"),
    "a policy that is none": (1, ("policy",), {}, "policy: {}, expected a list of 12"),
    "a claim twice": (1, ("claims",), lambda claims: claims * 2, "claims: "),
    "a claim with a note": (1, ("claims", 0, "note"), "", "claims[0]: unknown 'note'"),
    # the hand and its states
    "deficiency higher": (1, ("deficiency",), 3, "deficiency: 3, but the hand's is 2"),
    "deficiency lower": (1, ("deficiency",), 1, "deficiency: 1, but the hand's is 2"),
    "a discard of four tiles": (1, ("claims", 0, "discard"), 0, "claims[0].discard: 0 of a hand"),
    "another state": (1, ("claims", 0, "state"), 1, "claims[0].state: not the hand"),
    "a state of five tiles": (1, ("states", 11), "100202" + "0" * 21, "states[11]: not 4 tiles"),
    "a state of three tiles": (1, ("states", 11), "100002" + "0" * 21, "states[11]: not 4 tiles"),
    "a copy of no tile": (1, ("states", 11), "1000021" + "0" * 20, "states[11]: more copies"),
    "a copy too many": (1, ("states", 11), "003001" + "0" * 21, "states[11]: more copies"),
    "a state twice": (1, ("states", 11), lambda _: made("four tiles", 1)["states"][10],
                      "states[11]: given twice"),
    # moves of the policy
    "a discard that is not held": (1, ("policy", 2, 0), [[2, 0, 3]], "policy[2][0]: "),
    "a move to another state": (1, ("policy", 0, 0, 0, 2), 7, "policy[0][0]: "),
    "a draw of no copy": (1, ("policy", 0, 0), [[6, 6, 0]], "policy[0][0]: [6, 6, 0], expected"),
    "a draw that is no win": (1, ("policy", 0, 0, 0), [0, -1, -1], "policy[0][0]: "),
    "a draw that is no win later": (1, ("policy", 0, 1, 0), [0, -1, -1], "policy[0][1]: "),
    "a win with no copy": (1, ("policy", 5, 2), [[3, -1, -1]], "policy[5][2]: "),
    # bounds where no draw is left
    "a bound at the end": (1, ("lower", "a", 3, 0), 1, "lower: above 0 where no draw is left"),
    "a negative loss at the end": (1, ("lower", "b", 3, 0), {"3": -1}, "lower: above 0 where"),
    "an upper bound at the end": (1, ("upper", 3, 0), -1, "upper[3]: "),
    "a bound below 0 at the end": (2, ("upper", "a", 3, 0), -1, "upper: below 0 where no draw"),
    "a charge at the end": (2, ("upper", "b", 3, 0), {"3": 1}, "upper: below 0 where no draw"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_condition_alone_refuses_a_forged_certificate(name):
    version, path, value, start = CONDITIONS[name]
    assert message(changed(made("four tiles", version), path, value)).startswith(start)


def test_negative_loss_of_one_kind_and_state_is_refused():
    """With no draw left it would raise all later bounds; every state, and every kind of one."""
    document = made("two called", 1)
    last = len(document["states"]) - 1
    places = [(0, kind) for kind in range(27)] + [(state, state % 27) for state in range(last + 1)]
    for state, kind in places:
        other = changed(document, ("lower", "b", state, 0), {str(kind): -1})
        assert message(other) == "lower: above 0 where no draw is left"


def test_claim_without_a_proof_is_refused():
    document = made("four tiles", 1)
    for side, left_out in (("lower", {"lower": None, "policy": None}), ("upper", {"upper": None})):
        other = document | left_out
        assert message(other).endswith("with no proof of it")
        assert message(changed(other, ("claims", 0, side), None)) == ""
    neither = document | {"lower": None, "policy": None, "upper": None}
    assert message(neither).startswith("lower: expected bounds and the policy")


def test_chance_of_0_needs_no_bound():
    document = changed(made("four tiles", 1), ("lower", "a", 0, 3), -5)
    assert message(changed(document, ("claims", 0, "lower"), 0)) == ""
    reason = message(changed(document, ("claims", 0, "lower"), 1))
    assert reason == "claims[0].lower: above the bound -5"


STEPS = {
    ("four tiles", 1): 13750, ("four tiles", 2): 14008, ("five tiles", 1): 15795,
    ("five tiles", 2): 16281, ("honours", 1): 12195, ("honours", 2): 12235,
    ("only wins", 1): 11054, ("only wins", 2): 11056, ("one tile", 1): 11462,
    ("one tile", 2): 11501, ("two called", 1): 12649, ("two called", 2): 12725,
}  # fmt: skip


@pytest.mark.parametrize(("name", "version"), EACH)
def test_every_part_of_a_check_counts_towards_the_limit_of_steps(name, version):
    """States, draws and moves have their price; a check without one would be unlimited."""
    document, steps = made(name, version), STEPS[name, version]
    assert not message(document, steps=steps)
    reason = message(document, steps=steps - 1)
    assert reason == f"win chance: past the limit of {steps - 1:,} steps"
