"""The states and copies gone that a policy of win chances reaches, with states in any order."""

import copy
import json
import random
from typing import Any

import numpy as np
import pytest
from adversarial.play import tables
from helpers.tiny_certificates import EACH, Document, changed, made, message, states_of
from reference_implementations.win_chance import ONE, World, certificate, copies_gone, tiny_worlds

from mjopt.proofs import Limits, win_chance_check
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_check import _limited, _reachable_states
from mjopt.proofs.win_chance_file import MOST, read_win_chance_file


def rotated(document: Document, first: int) -> Document:
    """Return the same certificate with another state in front."""
    other = copy.deepcopy(document)
    number = len(other["states"])
    for row in other["policy"]:
        for moves in row:
            for move in moves:
                move[2] = move[2] if move[2] < 0 else (move[2] - first) % number
    for claim in other["claims"]:
        claim["state"] = (claim["state"] - first) % number
    for rows in (other["states"], *tables(other)):
        rows[:] = rows[first:] + rows[:first]
    return other


def check_reach(document: Document) -> None:
    """Compare every state that is reached, and its copies gone, with the reference."""
    file = read_win_chance_file(json.dumps(document))
    hands = [*map(tuple, file.states.tolist())]
    policy = {
        hand: [
            {x: (None, None) if y < 0 else (y, hands[to]) for x, y, to in moves} for moves in row
        ]
        for hand, row in zip(hands, document["policy"], strict=True)
    }
    world = World(file.hand, file.called, file.wall, file.draws, file.waste)
    expected = copies_gone(world, policy, [hands[claim.state] for claim in file.claims])
    states = states_of(file)
    found = _reachable_states(file, states, StepCounter(Limits(), "win chance"))
    for there, (rows, gone) in zip(expected, found, strict=False):
        here = {hands[row]: one.tolist() for row, one in zip(rows, gone, strict=True)}
        assert here == there


@pytest.mark.parametrize("name", ["four tiles", "five tiles", "one tile", "two called"])
def test_reach_is_that_of_the_reference_with_states_in_any_order(name):
    for first in range(len(made(name, 1)["states"])):
        document = rotated(made(name, 1), first)
        assert message(document) == ""
        check_reach(document)


def with_idle_moves(document: Document) -> Document:
    """Return a copy that draws and discards each kind instead of refusing it."""
    other = copy.deepcopy(document)
    for state, row in enumerate(other["policy"]):
        for moves in row:
            drawn = {move[0] for move in moves}
            new = np.array([*map(int, other["states"][state])]) - other["hand"]
            room = np.array(other["wall"]) - np.maximum(new, 0)
            moves += [[x, x, state] for x in np.flatnonzero(room).tolist() if x not in drawn]
    return other


def test_reach_of_random_policies_is_that_of_the_reference():
    """Policies that change tiles back and forth, so that several copies of a kind are gone."""
    rng = random.Random(3)
    worlds = tiny_worlds(rng, draws=6)
    for _ in range(30):
        document = certificate(next(worlds), rng.choice)
        check_reach(document)
        check_reach(with_idle_moves(document))


@pytest.mark.parametrize(("name", "version"), EACH)
def test_draw_and_discard_of_a_kind_proves_what_its_refusal_proves(name, version):
    document = with_idle_moves(made(name, version))
    assert message(document) == ""
    other = document | {"lower": "recomputed"}
    assert message(other) == ""
    for at in range(len(document["claims"])):
        more = changed(other, ("claims", at, "lower"), lambda bound: bound + 1)
        assert message(more).startswith(f"claims[{at}].lower: ")


@pytest.mark.parametrize(("name", "version"), EACH)
def test_moves_that_stay_the_same_may_be_left_out(name, version):
    """Some states keep their moves, or all of them from the second draw on."""
    document = made(name, version) | {"lower": "recomputed"}
    for at in range(len(document["claims"])):
        document = changed(document, ("claims", at, "lower"), ONE)
    plain = [copy.deepcopy(document["policy"]), [row[:2] + row[1:-1] for row in document["policy"]]]
    for policy in plain:
        short = [
            [now if t == 0 or now != row[t - 1] else "same" for t, now in enumerate(row)]
            for row in policy
        ]
        assert message(document | {"policy": short}) == message(document | {"policy": policy})
        both = [
            read_win_chance_file(json.dumps(document | {"policy": rows})).moves
            for rows in (short, policy)
        ]
        for one, other in zip(*both, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("name", "version"), EACH)
def test_computed_bounds_are_those_of_the_reference(monkeypatch, name, version):
    """All numbers before the last step, with 0 where the policy does not lead."""
    document, bounds, seen = made(name, version), win_chance_check._bounds, {}

    def recorded(*arguments: Any) -> Any:
        t, base, loss = arguments[3:6]
        seen[document["draws"] - t - 1] = base.copy(), loss.copy()
        return bounds(*arguments)

    monkeypatch.setattr(win_chance_check, "_bounds", recorded)
    assert message(document | {"lower": "recomputed"}) == ""
    assert max(seen) == document["draws"] - 1
    expected = read_win_chance_file(json.dumps(document))
    assert expected.bases is not None
    assert expected.losses is not None
    for left, (base, loss) in seen.items():
        assert base.tolist() == expected.bases[left].tolist()
        state, kind = np.nonzero(loss)
        rows = np.column_stack([state, kind, loss[state, kind]])
        assert sorted(rows.tolist()) == sorted(expected.losses[left].tolist())


def test_loss_may_name_every_kind():
    every = {str(kind): 1 for kind in range(27)}
    document = changed(made("four tiles", 1), ("lower", "b", 0, 2), every)
    file = read_win_chance_file(json.dumps(document))
    assert file.losses is not None
    assert file.losses[2][file.losses[2][:, 0] == 0].tolist() == [[0, k, 1] for k in range(27)]


@pytest.mark.parametrize("name", ["one tile", "two called"])
def test_policy_without_moves_proves_nothing(name):
    """One tile: at the last draw one tile is left, so that nothing is rounded."""
    document = copy.deepcopy(made(name, 1))
    draws = document["draws"]
    states = len(document["states"])
    document["policy"] = [[[] for _ in range(draws)] for _ in range(states)]
    document["lower"] = {
        "a": [[0] * (draws + 1) for _ in range(states)],
        "b": [[{} for _ in range(draws + 1)] for _ in range(states)],
    }
    document["claims"][0]["lower"] = 0
    assert message(document) == ""
    root = document["claims"][0]["state"]
    for left in range(1, draws + 1):
        for kind in range(27):
            other = changed(document, ("lower", "b", root, left), {str(kind): -1})
            assert message(other) == f"lower: T3 does not give a and b [{root}][{left}]"


QUARTER = MOST // 4


@pytest.mark.parametrize(
    ("base", "losses", "kept"),
    [
        (MOST, (MOST, -MOST), (MOST, (MOST, -MOST))),
        (-MOST, (-MOST, 5), (-MOST, (-MOST, 5))),
        (MOST + 1, (1, 2), (0, (0, 0))),
        (-MOST - 1, (1, 2), (0, (0, 0))),
        (MOST + 1, (MOST + 1, 2), (0, (0, 0))),
        (-MOST - 1, (MOST + 1, 2), (0, (0, 0))),
        (7, (MOST + 1, 2), (7, (MOST, 2))),
        (MOST, (MOST + 1, 0), (MOST, (MOST, 0))),
        (MOST, (MOST + 1, -1), (0, (0, 0))),
        (0, (MOST + 1, -QUARTER), (0, (MOST, -QUARTER))),
        (1, (MOST + 1, -QUARTER), (0, (0, 0))),
        (0, (MOST + 1, -QUARTER - 1), (0, (0, 0))),
        (-5, (5, -MOST - 1), (0, (0, 0))),
    ],
)
def test_bounds_beyond_the_largest_number_are_clipped_or_0(base, losses, kept):
    """One state among two others, which stay as they are."""
    bases = np.array([3, base, 4])
    bounds, clipped = _limited(bases, np.array([(1, -1), losses, (2, 2)]))
    assert bounds.tolist() == [3, kept[0], 4]
    assert clipped.tolist() == [[1, -1], [*kept[1]], [2, 2]]
