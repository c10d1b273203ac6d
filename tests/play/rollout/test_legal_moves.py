"""Moves of compiled playouts against the list of legal moves, in random positions.

Played games seldom reach the positions in which the two may differ, such as kongs of hands that
have declared ready and calls of the last discard. Hands are made of melds and pairs here.
"""

import random
from collections import Counter

import numpy as np
import pytest

from mjopt.play.game import (
    JJ,
    M0_RULES,
    Action,
    Event,
    Meld,
    Move,
    OpenTable,
    Phase,
    State,
    get_game_rules,
    step,
    view_of,
)
from mjopt.play.game.agents import DeficiencyAgent
from mjopt.play.game.events import KONGS
from mjopt.play.game.legal import turn_moves
from mjopt.play.game.moves import with_copies
from mjopt.play.game.scoring import away
from mjopt.play.rollout.playout import play_out

RNG = np.random.default_rng(0)  # the policy never draws from it
RULES = [JJ, M0_RULES, get_game_rules("jj,kongs=0"), get_game_rules("jj,calls_on_last_discard=1")]
NUM_KINDS = 27


class Tiles:
    """The tiles of one position, of which some have been taken."""

    def __init__(self, rng):
        self.rng, self.left = rng, Counter(dict.fromkeys(range(NUM_KINDS), 4))

    def take(self, kinds):
        """Take tiles; none if one of them is missing."""
        if any(self.left[kind] < copies for kind, copies in Counter(kinds).items()):
            return []
        self.left -= Counter(kinds)
        return list(kinds)

    def take_pong(self):
        return self.take([self.rng.randrange(NUM_KINDS)] * 3)

    def take_hand(self, size, start):
        """Take tiles for a hand: at times those of ``start``, then equal and successive ones.

        Successive kinds may be of two suits, which makes no chow.
        """
        rng = self.rng
        hand = [tile for kind in start if rng.random() < 0.3 for tile in self.take([kind])]
        while (room := size - len(hand)) > 0:
            kind = rng.randrange(NUM_KINDS - 2)
            run = rng.sample([kind, kind + 1, kind + 2], rng.choice((2, 3)))
            hand += self.take(rng.choice(([kind] * rng.choice((2, 3)), run))[:room])
        return hand

    def rest(self):
        tiles = sorted(self.left.elements())
        self.rng.shuffle(tiles)
        return tiles


def counts_of(tiles):
    number = Counter(tiles)
    return tuple(number[kind] for kind in range(NUM_KINDS))


def random_position(rules, rng):
    """Return a random state after a draw; often no or one more tile can be drawn."""
    tiles, turn = Tiles(rng), rng.randrange(4)
    pongs = [[tiles.take_pong() for _ in range(rng.choice((0, 0, 1, 2)))] for _ in range(4)]
    melds = tuple(
        tuple(Meld(Action.PONG, tuple(pong), (seat + 1) % 4) for pong in own if pong)
        for seat, own in enumerate(pongs)
    )
    # The fourth copy of a pong in the hand makes an added kong possible.
    hands = [
        counts_of(tiles.take_hand(13 - 3 * len(own), [meld.kind for meld in own])) for own in melds
    ]
    ready = tuple(
        rules.ready and rng.random() < 0.7 and away(hand, len(own), rules) == 1
        for hand, own in zip(hands, melds, strict=True)
    )
    rest = tiles.rest()
    pairs = [kind for kind in rest if any(hand[kind] >= 2 for hand in hands)]
    drawn = pairs[0] if pairs and rng.random() < 0.7 else rest[0]
    rest.remove(drawn)
    live = rng.choice((0, 1, len(rest)))
    hands[turn] = with_copies(hands[turn], drawn, 1)
    table = OpenTable(
        rules=rules,
        dealer=0,
        turn=turn,
        phase=Phase.TURN,
        melds=melds,
        rivers=(tuple(rest[live:]), (), (), ()),
        ready=ready,
        shown=counts_of([*rest[live:], *(tile for own in pongs for pong in own for tile in pong)]),
        live=live,
        events=(Event(turn, Action.DRAW),),
    )
    moves = turn_moves(table, turn, hands[turn], drawn)
    return State(
        table=table,
        hands=tuple(hands),
        drawn=drawn,
        wall=tuple(rest[:live]),
        front=0,
        pending=((turn, moves),),
    )


def policy_move(state):
    view, [(_, moves), *_] = view_of(state, state.to_move), state.pending
    return DeficiencyAgent().choose(view, moves, rng=RNG)


def answered(state):
    """Return the state after the answers of the policy to a tile on offer, and the moves legal."""
    legal = set()
    while state.to_move is not None and state.table.phase in (Phase.CLAIM, Phase.ROB):
        legal |= {move.action for move in state.pending[0][1]}
        state = step(state, policy_move(state))
    return state, legal


def events_of(state):
    """Return the events after the first draw: seat, action and kind."""
    draws = iter(state.draws)
    return [
        (event.seat, event.action, next(draws) if event.action is Action.DRAW else event.kind)
        for event in state.table.events[1:]
    ]


def compare_positions(rules, number):
    """The policy moves once, and once a seat discards its draw; then all seats answer.

    Return the actions that were legal, and those that were taken.
    """
    rng, made, legal = random.Random(1), set(), set()
    for _ in range(number):
        state = random_position(rules, rng)
        legal |= {move.action for move in state.pending[0][1]}
        for forced in (None, Move(Action.DISCARD, state.drawn)):
            after, claims = answered(step(state, forced or policy_move(state)))
            expected, found = events_of(after), [*play_out(state, forced).events]
            assert found[: len(expected)] == expected, (state, forced)
            assert not after.is_over or found == expected, (state, forced)
            legal |= claims
            made |= {action for _, action, _ in expected}
    return legal, made


def test_moves_are_those_of_the_policy_among_the_legal_moves():
    compare_positions(JJ, 50)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_moves_are_those_of_the_policy_in_a_thousand_positions(rules):
    legal, made = compare_positions(rules, 1000)
    of_rules = {Action.WIN, Action.PONG, Action.CHOW, Action.DISCARD}
    of_rules |= {Action.READY} if rules.ready else set()
    of_rules |= set(KONGS) if rules.kongs else set()
    assert legal == of_rules | {Action.PASS}
    assert made == of_rules | {Action.DRAW}
