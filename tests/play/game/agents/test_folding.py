"""Folding: agents at a table of riichi discard what is safe while another seat is in riichi."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mjopt import danger
from mjopt.errors import GameError
from mjopt.play.game.agents.folding import folds, missing_tiles, safest
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.game.in_riichi import players_in_riichi
from mjopt.play.game.moves import Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.play import run_table
from mjopt.play.game.positions import position_of
from mjopt.play.game.public_state import evolve
from mjopt.play.game.rules import JJ
from mjopt.play.game.wall import agent_stream

pytest.importorskip("jansou")

from mjopt.play.riichi import RiichiTable, riichi_wall

Seen = tuple[View, tuple[Move, ...], Move]


class Watched:
    """An agent whose decisions are kept."""

    def __init__(self, spec: str) -> None:
        self.agent, self.seen = read_agent(spec), list[Seen]()
        self.name = self.agent.name

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move of the agent."""
        move = self.agent.choose(view, moves, rng=rng)
        self.seen.append((view, moves, move))
        return move


def decisions(spec: str, games: range) -> Iterator[Seen]:
    """Yield the decisions of four equal agents while another seat is in riichi."""
    for game in games:
        agents = [Watched(spec) for _ in range(4)]
        rngs = [agent_stream(3, game, seat) for seat in range(4)]
        run_table(agents, RiichiTable(riichi_wall(3, game)), rngs=rngs, seed=3, game=game)
        for agent in agents:
            for view, moves, move in agent.seen:
                if players_in_riichi(view.table, view.seat):
                    yield view, moves, move


def is_free(view: View, moves: tuple[Move, ...]) -> bool:
    """Return whether a decision is one of several discards without a win."""
    is_turn = sum(move.action is Action.DISCARD for move in moves) > 1
    return is_turn and moves[0].action is not Action.WIN and not view.table.ready[view.seat]


def test_folds_to_the_safest_kind() -> None:
    """A far hand discards one of the kinds of least danger, and calls nothing."""
    folded = called = 0
    for view, moves, move in decisions("deficiency", range(3)):
        if is_free(view, moves) and missing_tiles(view) >= 2:
            opponents = tuple(players_in_riichi(view.table, view.seat).values())
            found = danger(position_of(view), opponents)
            allowed = [m.kind for m in moves if m.action is Action.DISCARD]
            assert move.action is Action.DISCARD
            assert found.of(move.kind).share == min(found.of(kind).share or 0 for kind in allowed)
            folded += 1
        elif moves[-1].action is Action.PASS and missing_tiles(view) >= 2:
            assert move.action in (Action.PASS, Action.WIN)
            called += len(moves) > 1
    assert folded > 10
    assert called > 0


def test_without_safety_hands_go_on() -> None:
    """With ``safety=0`` some hand discards a kind that is not the safest."""
    free = [step for step in decisions("deficiency:safety=0", range(4)) if is_free(*step[:2])]
    kinds = [[m.kind for m in moves if m.action is Action.DISCARD] for _, moves, _ in free]
    assert not any(folds(view, 0) for view, _, _ in free)
    assert any(
        move.kind not in safest(view, held)
        for (view, _, move), held in zip(free, kinds, strict=True)
    )


def test_more_safety_folds_less() -> None:
    """A hand that folds from N missing tiles also folds from fewer."""
    for view, _, _ in decisions("deficiency", range(2)):
        found = [folds(view, safety) for safety in range(1, 8)]
        assert all(before or not after for before, after in pairwise(found))


def test_only_riichi_has_furiten() -> None:
    """Under rules without furiten nothing is safe by rule, so agents do not fold."""
    view = next(view for view, *_ in decisions("deficiency", range(4)))
    other = replace(view, table=evolve(view.table, rules=replace(JJ, tiles=view.tiles)))
    assert folds(view, 1)
    assert not folds(other, 1)


@pytest.mark.parametrize("value", ["8", "-1", "true", "often"])
def test_bad_value(value: str) -> None:
    """A value out of range is one line."""
    with pytest.raises(GameError, match=r"safety=.*expected 0\.\.7"):
        read_agent(f"deficiency:safety={value}")
