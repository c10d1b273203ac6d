from types import SimpleNamespace

import pytest
from helpers.arranged_game import JUNK, arranged

from mjopt.errors import GameError
from mjopt.play.game import (
    GMJBG,
    JJ,
    PASS,
    Action,
    Ending,
    Move,
    agent_stream,
    forfeit,
    read_record,
    replay,
    run_game,
    shuffle_wall,
)


class Obedient:
    """Wins if possible, else plays its last legal move."""

    name = "obedient"

    def choose(self, view, moves, *, rng):
        return moves[0] if moves[0].action is Action.WIN else moves[-1]


class Random(Obedient):
    name = "random"

    def choose(self, view, moves, *, rng):
        return moves[rng.integers(len(moves))]


class Crashing(Obedient):
    name = "crashing"

    def choose(self, view, moves, *, rng):
        if len(view.table.events) > 10:
            raise ZeroDivisionError("one over zero")
        return super().choose(view, moves, rng=rng)


class Cheating(Obedient):
    name = "cheating"
    answer = Move(Action.WIN, 3)

    def choose(self, view, moves, *, rng):
        return self.answer


class Late:
    """Raises its own TimeoutError."""

    name = "late"

    def choose(self, view, moves, *, rng):
        raise TimeoutError("no answer within 3 s")


class Slow(Obedient):
    """Answers after a second of a clock."""

    name = "slow"

    def __init__(self):
        self.now = 0.0

    def choose(self, view, moves, *, rng):
        self.now += 1.0
        return super().choose(view, moves, rng=rng)


def play(agents, rules=GMJBG, game=0, **options):
    return run_game(
        agents,
        shuffle_wall(1, game, rules.tiles),
        rules=rules,
        rngs=[agent_stream(1, game, seat) for seat in range(4)],
        seed=1,
        game=game,
        **options,
    )


def test_game_returns_result_and_record():
    result = play([Obedient()] * 4)
    assert result.fault is None
    assert sum(result.outcome.scores) == 0
    assert replay(result.line).outcome == result.outcome
    assert read_record(result.line).names == ("obedient",) * 4


@pytest.mark.parametrize("rules", [GMJBG, JJ])
def test_the_same_streams_give_the_same_game(rules):
    assert play([Random()] * 4, rules=rules) == play([Random()] * 4, rules=rules)
    assert play([Random()] * 4, rules=rules) != play([Random()] * 4, rules=rules, game=1)


@pytest.mark.parametrize(
    ("agent", "reason", "text"),
    [
        (Crashing(), "crash", "ZeroDivisionError: one over zero"),
        (Cheating(), "illegal", "is not a legal move"),
        (Slow(), "slow", "more than 0.5 s for a decision"),
        (Late(), "slow", "no answer within 3 s"),
    ],
)
def test_fault_forfeits_the_game_and_is_recorded(agent, reason, text, monkeypatch):
    agents = [Obedient(), Obedient(), agent, Obedient()]
    clock = SimpleNamespace(perf_counter=lambda: getattr(agent, "now", 0.0))
    monkeypatch.setattr("mjopt.play.game.play.time", clock)
    result = play(agents, time_limit=0.5 if reason == "slow" else None)
    assert result.outcome.ending is Ending.FAULT
    assert result.outcome.scores == (1, 1, -3, 1)
    assert (result.fault.seat, result.fault.reason) == (2, reason)
    assert text in result.fault.text
    assert reason in read_record(result.line).fault
    assert replay(result.line).outcome == result.outcome


@pytest.mark.parametrize("answer", [None, "D1m", PASS, Move(Action.DISCARD, 99), 7])
def test_invalid_answers_are_faults(answer):
    agent = Cheating()
    agent.answer = answer
    result = play([agent, Obedient(), Obedient(), Obedient()])
    assert result.fault.reason == "illegal"


def test_turn_of_the_win_counts_the_discards_of_the_winner():
    for game in range(40):
        result = play([Random()] * 4, rules=JJ, game=game)
        state = replay(result.line)
        if result.outcome.winners:
            thrown = sum(
                event.seat == result.outcome.winners[0] and event.action in ("D", "R")
                for event in state.table.events
            )
            assert result.turn == thrown + 1
        else:
            assert result.turn == 0
        assert result.calls == tuple(len(melds) for melds in state.table.melds)


def test_other_number_of_agents_is_refused():
    with pytest.raises(GameError, match="3 agents"):
        play([Obedient()] * 3)


def test_wall_of_other_rules_is_refused():
    with pytest.raises(GameError, match="wall: 108 tiles"):
        run_game(
            [Obedient()] * 4,
            shuffle_wall(1, 0, JJ.tiles),
            rules=GMJBG,
            rngs=[agent_stream(1, 0, seat) for seat in range(4)],
        )


def test_forfeit_is_paid_to_the_other_seats():
    state = forfeit(arranged(GMJBG, [JUNK, JUNK, JUNK, ""]), 2)
    assert state.outcome.scores == (1, 1, -3, 1)
    with pytest.raises(GameError, match="is over"):
        forfeit(state, 1)
