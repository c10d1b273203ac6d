"""Points of the options of ``mjopt mjai`` in hanchan under riichienv.

Usage: ``python benchmarks/mjai_points.py [--agent deficiency:safety=0] [--seeds 150] [--first 0]``

Four copies of one agent with different options sit at one table. Each seed is played four times,
so that each option sits in each seat. Intervals are over seeds, because the four hanchan of a seed
share their deals.

Deal i of seed s of riichienv is deal 0 of seed s + i. The seeds are therefore 1,000 apart; the
script stops if two of them share a deal.
"""

import argparse
import json
from importlib.metadata import version

import numpy as np
import riichienv

from mjopt.play.mjai import Player
from mjopt.statistics import bootstrap_mean

OPTIONS = {
    "defaults": {},
    "--calls free": {"calls": "free"},
    "--calls never": {"calls": "never"},
    "--no-riichi": {"riichi": False},
}
STEP = 1000  # between seeds; no hanchan has as many rounds

Deals = set[tuple[int, ...]]


def play_hanchan(players: list[Player], seed: int) -> tuple[list[int], Deals, int]:
    """Return the final points of the seats, the deals, and the number of rounds."""
    game = riichienv.RiichiEnv(game_mode="4p-red-half", seed=seed)
    observations, deals, rounds = game.reset(), Deals(), 0
    while not game.done():
        actions = {}
        for seat, seen in observations.items():
            events = seen.new_events()
            if any('"start_kyoku"' in event for event in events) and seat == game.oya:
                rounds += 1
                deals.add(tuple(game.wall))
            answer = json.dumps(players[seat].react(f"[{','.join(events)}]"))
            actions[seat] = seen.select_action_from_mjai(answer)
            assert actions[seat] is not None, (seed, seat, answer)
        observations = game.step(actions)
    return game.scores(), deals, rounds


def play_seeds(agent: str, first: int, number: int) -> tuple[np.ndarray, int]:
    """Return the mean points by seed and option, shape (seeds, options), and the rounds played."""
    points, all_deals, all_rounds = np.zeros((number, len(OPTIONS))), Deals(), 0
    for index in range(number):
        seed, deals = first + STEP * index, Deals()
        for shift in range(len(OPTIONS)):
            order = np.roll(np.arange(len(OPTIONS)), shift)  # the option of each seat
            players = [Player(agent, seed=seed, **list(OPTIONS.values())[k]) for k in order]
            scores, dealt, rounds = play_hanchan(players, seed)
            points[index, order] += np.array(scores) / len(OPTIONS)
            deals |= dealt
            all_rounds += rounds
        assert not deals & all_deals, f"seed {seed} shares a deal with a seed before it"
        all_deals |= deals
    return points, all_rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--agent", default="deficiency:safety=0")
    parser.add_argument("--seeds", type=int, default=150)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    given = parser.parse_args()
    points, rounds = play_seeds(given.agent, given.first, given.seeds)
    last = given.first + STEP * (given.seeds - 1)
    print(
        f"{given.agent}, riichienv {version('riichienv')}: seeds {given.first}, "
        f"{given.first + STEP}, ..., {last}, {len(OPTIONS) * given.seeds} hanchan, {rounds} rounds"
    )
    print(f"{'options':15} {'points':>8} {'95 % interval':>18} {'minus defaults':>16}")
    for option, values in zip(OPTIONS, points.T, strict=True):
        low, high = bootstrap_mean(values, rng=0)
        lower, upper = bootstrap_mean(values - points[:, 0], rng=0)
        print(
            f"{option:15} {values.mean():8,.0f} {low:8,.0f} to {high:,.0f} "
            f"{(values - points[:, 0]).mean():10,.0f} ({lower:,.0f} to {upper:,.0f})"
        )


if __name__ == "__main__":
    main()
