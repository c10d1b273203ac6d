"""The compiled games are those of the Python engine with the Python agents, move by move."""

import random
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from mjopt.errors import GameError
from mjopt.game import GMJBG, JJ, M0_RULES, agent_stream, replay, run_game, shuffle_wall
from mjopt.game.agents.gmjbg import L1, L2, L3
from mjopt.game.fast import play_games
from mjopt.game.readings import DEFAULT_READING, READINGS, CallTest, ChowChoice, Reading, Ties

AGENTS = {"l1": L1, "l2": L2, "l3": L3}
STREAMS = [agent_stream(0, 0, seat) for seat in range(4)]  # these agents draw nothing


def check_twins(levels, rules, reading, *, seed, count, dealer):
    batch = play_games(
        levels,
        seed=seed,
        first=50,
        count=count,
        dealer=dealer,
        rules=rules,
        reading=reading,
        record=True,
    )
    readings = [reading] * 4 if isinstance(reading, Reading) else reading
    agents = [AGENTS[level](one) for level, one in zip(levels, readings, strict=True)]
    for i, line in enumerate(batch.lines()):
        result = run_game(
            agents,
            shuffle_wall(seed, 50 + i, rules.tiles),
            rules=rules,
            rngs=STREAMS,
            dealer=int(batch.dealers[i]),
            seed=seed,
            game=50 + i,
        )
        names = f"names={','.join(agent.name for agent in agents)} "
        assert result.line == line.replace(f"names={','.join(levels)} ", names)
        assert result.outcome.scores == tuple(batch.scores[i].tolist())
        assert result.turn == batch.turns[i]
        assert result.calls == tuple(batch.calls[i].tolist())
        assert result.outcome.by_own_draw == batch.by_own_draw[i]
        assert result.outcome.is_drawn_game == batch.is_drawn_game[i]
        assert set(result.outcome.winners) == set(np.flatnonzero(batch.has_won[i]).tolist())


@pytest.mark.parametrize("levels", [("l1", "l3", "l1", "l2"), ("l1", "l2", "l1", "l2")])
@pytest.mark.parametrize("name", [name for name in READINGS if name != "kongs"])
def test_every_named_reading_in_the_seats_of_the_source(levels, name):
    check_twins(levels, GMJBG, READINGS[name], seed=2017, count=8, dealer=np.arange(8) % 4)


def some_reading(rng):
    return Reading(
        most_locked=rng.randint(1, 4),
        locked_support=rng.random() < 0.5,
        locked_choosable=rng.random() < 0.2,
        four_alike=rng.choice([0, 2, 4]),
        ties=rng.choice(list(Ties)),
        chow_test=rng.choice(list(CallTest)),
        pong_test=rng.choice(list(CallTest)),
        chow_choice=rng.choice(list(ChowChoice)),
        called_weight=rng.choice([0, -1]),
        orphan_total=rng.choice([-1, 6, 40]),
    )


@pytest.mark.parametrize("seed", range(20))
def test_any_reading_any_seats_any_rules(seed):
    rng = random.Random(seed)
    rules = replace(
        rng.choice([GMJBG, GMJBG, M0_RULES]),
        all_winners=rng.random() < 0.5,
        calls_on_last_discard=rng.random() < 0.5,
        discarder_pays_all=rng.random() < 0.5,
        basic_score=rng.choice([1, 5]),
    )
    levels = tuple(rng.choice(["l1", "l2", "l3", "l3"]) for _ in range(4))
    dealer = [rng.randrange(4) for _ in range(12)]
    readings = [some_reading(rng) for _ in range(4)] if seed % 2 else some_reading(rng)
    check_twins(levels, rules, readings, seed=seed, count=12, dealer=dealer)


def test_thirteen_orphans_are_won_by_the_kernel_too():
    """With a reading that keeps every orphan: games that end otherwise without the form."""
    reading = Reading(orphan_total=40)
    levels = ("l1",) * 4
    batch = play_games(levels, seed=3, count=5000, reading=reading, record=True)
    standard = replace(GMJBG, forms=("standard",))
    other = play_games(levels, seed=3, count=5000, reading=reading, rules=standard)
    changed = np.flatnonzero((batch.winners != other.winners) | (batch.draws != other.draws))
    assert changed.size > 0
    some = changed[:10]
    lines = list(islice(batch.lines(), some[-1] + 1))
    for i in some:
        state = replay(lines[i])
        hand = list(state.hands[state.outcome.winners[0]])
        if not state.outcome.by_own_draw:
            hand[state.outcome.kind] += 1
        assert sum(held > 0 for held in hand) == 13


def test_a_batch_is_the_games_one_by_one():
    levels = ("l3", "l3", "l2", "l1")
    whole = play_games(levels, seed=5, count=30, dealer=[g % 4 for g in range(30)], record=True)
    lines = list(whole.lines())
    for i in (0, 1, 17, 29):
        one = play_games(levels, seed=5, first=i, count=1, dealer=i % 4, record=True)
        assert next(iter(one.lines())) == lines[i]


def test_recording_changes_nothing():
    levels = ("l1", "l3", "l1", "l2")
    plain = play_games(levels, seed=6, count=200)
    recorded = play_games(levels, seed=6, count=200, record=True)
    for name in ("winners", "scores", "turns", "draws", "calls", "payers", "kinds"):
        assert (getattr(plain, name) == getattr(recorded, name)).all()
    with pytest.raises(GameError, match="not recorded"):
        next(iter(plain.lines()))


def test_no_games():
    assert len(play_games(("l1",) * 4, seed=1, count=0)) == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"levels": ("l1", "l2")}, "2 levels, expected one for each of 4"),
        ({"levels": ("l1", "l2", "l3", "l4")}, "level 'l4', expected one of l1, l2, l3"),
        ({"rules": JJ}, "neither declarations nor patterns"),
        ({"rules": replace(M0_RULES, forms=("seven_pairs",))}, "no forms seven_pairs"),
        ({"dealer": 4}, "expected seats 0..3"),
        ({"seed": -1}, r"0..2\*\*64"),
    ],
)
def test_what_the_kernel_does_not_play_is_refused(wrong, message):
    given = {"levels": ("l1",) * 4, "seed": 1, "count": 5} | wrong
    with pytest.raises(GameError, match=message):
        play_games(given.pop("levels"), **given)


def test_the_default_reading_is_named():
    assert READINGS["default"] == DEFAULT_READING


def test_kongs_and_missing_readings_are_refused():
    levels, kongs = ("l3", "l1", "l1", "l1"), READINGS["kongs"]
    with pytest.raises(GameError, match="the kernel plays no kongs"):
        play_games(levels, seed=1, count=1, reading=kongs)
    with pytest.raises(GameError, match="2 readings, expected one, or one for each seat"):
        play_games(levels, seed=1, count=1, reading=[DEFAULT_READING] * 2)
    same = play_games(levels, seed=1, count=3, reading=[DEFAULT_READING, kongs, kongs, kongs])
    assert (same.scores == play_games(levels, seed=1, count=3).scores).all()  # only L3 has them
