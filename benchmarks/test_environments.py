"""Steps a second of the reinforcement learning environment, beside those of other packages.

A step is one decision of one agent: the agent gets its observation and legal actions, chooses one
at random, and the environment applies it.
"""

import random
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt.play import env
from paired import Comparison, Side, installed, measure


def mjopt_steps(rules: str) -> Iterator[None]:
    """Play random hands for ever, in PettingZoo's loop."""
    choice, hands = random.Random(1).choice, env(rules)
    hands.reset(seed=1)
    while True:
        for _ in hands.agent_iter():
            observation, _, is_terminated, is_truncated, _ = hands.last()
            if is_terminated or is_truncated:
                hands.step(None)
                continue
            hands.step(choice(np.flatnonzero(observation["action_mask"]).tolist()))
            yield
        hands.reset()


def rlcard_steps() -> Iterator[None]:
    import rlcard

    choice, hands = random.Random(1).choice, rlcard.make("mahjong", config={"seed": 1})
    state, _ = hands.reset()
    while True:
        if hands.is_over():
            state, _ = hands.reset()
        state, _ = hands.step(choice(list(state["legal_actions"])))
        yield


def riichienv_steps() -> Iterator[None]:
    import riichienv

    choice = random.Random(1).choice
    games = riichienv.RiichiEnv(game_mode=1, skip_mjai_logging=True, seed=1)
    observations = games.reset()
    while True:
        if games.done():
            observations = games.reset()
        actions = {}
        for player, observation in observations.items():
            np.frombuffer(observation.encode(), np.float32)
            actions[player] = choice(observation.legal_actions())
            yield
        observations = games.step(actions)


PEERS = {
    "rlcard": (rlcard_steps, 500, "planes (6, 34, 4); Python"),
    "riichienv": (riichienv_steps, 5000, "planes (74, 34); Rust; riichi rules"),
}


def taking(steps: Iterator[None], number: int) -> Callable[[int], object]:
    """Return a function that takes the next steps."""
    return lambda _: sum(1 for _ in islice(steps, number))


@pytest.mark.claim
def test_steps(benchmark: BenchmarkFixture, quick: bool) -> None:
    sides = [
        Side(
            name=f"mjopt, rules {rules}",
            run=taking(mjopt_steps(rules), 50 if quick else 500),
            units=50 if quick else 500,
            note=f"planes (118, {kinds}); Python and lookup tables",
        )
        for rules, kinds in (("jj", 34), ("gmjbg", 34), ("m0", 27))
    ]
    present, absent = installed(PEERS)
    for name, title in present.items():
        steps, most, note = PEERS[name]
        number = 50 if quick else most
        sides.append(Side(name=title, run=taking(steps(), number), units=number, note=note))
    compared = Comparison(
        claim="environment", unit="step", sides=sides, base=sides[0].name, absent=absent
    )
    measure(benchmark, compared, rounds=3 if quick else 30)
