"""The states and copies gone that a policy of win chances reaches, with states in any order."""

import copy
import json

import numpy as np
import pytest
from adversarial.play import tables
from helpers.tiny_certificates import WORLDS, Document, made, message
from reference_implementations.win_chance import copies_gone

from mjopt.proofs import Limits
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_check import _reachable_states
from mjopt.proofs.win_chance_file import read_win_chance_file
from mjopt.proofs.win_chance_states import States


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


@pytest.mark.parametrize("name", ["four tiles", "five tiles", "one tile", "two called"])
def test_states_and_copies_gone_are_those_of_the_reference(name):
    """At every draw, with each state as the first and as the last."""
    for first in range(len(made(name, 1)["states"])):
        document = rotated(made(name, 1), first)
        assert message(document) == ""
        hands = [tuple(map(int, digits)) for digits in document["states"]]
        policy = {
            hand: [
                {x: (None, None) if y < 0 else (y, hands[to]) for x, y, to in moves}
                for moves in row
            ]
            for hand, row in zip(hands, document["policy"], strict=True)
        }
        roots = [hands[claim["state"]] for claim in document["claims"]]
        expected = copies_gone(WORLDS[name], policy, roots)
        file = read_win_chance_file(json.dumps(document))
        hand, wall = np.array(file.hand), np.array(file.wall)
        states = States(file.states, hand, wall, file.tiles, file.called)
        found = _reachable_states(file, states, StepCounter(Limits(), "win chance"))
        for there, (rows, gone) in zip(expected, found, strict=False):
            here = {hands[row]: one.tolist() for row, one in zip(rows, gone, strict=True)}
            assert here == there
