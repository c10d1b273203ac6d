"""Print the table of seconds a move of every agent.

Usage: OPENBLAS_NUM_THREADS=1 python benchmarks/move_times.py [AGENT...] [--moves N] [--seconds S]
    [--seed SEED]

All agents decide the same positions, of games between `deficiency` agents, where there is more than
one legal move. Times are processor times of one core. The first decision of an agent is not
counted: it loads tables and compiles kernels. The networks of the learning agent have random
weights, since their speed does not depend on them.
"""

import argparse
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from cpuinfo import get_cpu_info

from mjopt.errors import MjoptError
from mjopt.play.game import (
    JJ,
    Agent,
    Move,
    State,
    View,
    legal_moves,
    shuffle_wall,
    start,
    step,
    view_of,
)
from mjopt.play.game.agents import AGENTS, read_agent
from mjopt.play.game.agents.registry import check_agents
from mjopt.play.game.play import sees_all
from mjopt.play.learning.config import PRESETS
from mjopt.play.learning.weights import initial_arrays, save

NDDE = "deficiency:method=ndde,population=20,generations=50"
FEWEST = 3  # moves, however slow the agent is


class Decision(NamedTuple):
    """A position with more than one legal move."""

    state: State
    view: View
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Times:
    """The processor times of an agent's moves, or the reason why there are none."""

    agent: str
    seconds: tuple[float, ...] = ()
    reason: str = ""

    def row(self) -> str:
        """Return the row of the table, in milliseconds."""
        if not self.seconds:
            return f"| {self.agent} | {self.reason} | | | 0 |"
        cells = [_digits(1000 * value) for value in np.quantile(self.seconds, [0.5, 0.95, 1])]
        return f"| {self.agent} | {' | '.join(cells)} | {len(self.seconds)} |"


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"


def decisions(seed: int, number: int) -> list[Decision]:
    """Return decisions at equal distances in games between `deficiency` agents."""
    agent, rng = read_agent("deficiency"), np.random.default_rng(seed)
    found: list[Decision] = []
    for game in range(max(4, number // 25)):
        state = start(JJ, shuffle_wall(seed, game, JJ.tiles), dealer=game % 4)
        while (seat := state.to_move) is not None:
            view, moves = view_of(state, seat), legal_moves(state)
            if len(moves) > 1:
                found.append(Decision(state, view, moves))
            state = step(state, agent.choose(view, moves, rng=rng))
    return [found[index] for index in np.linspace(0, len(found) - 1, number).astype(int)]


def measure(name: str, agent: Agent, positions: list[Decision], limit: float, seed: int) -> Times:
    """Measure an agent on positions until they or the seconds end."""
    rng, seconds = np.random.default_rng(seed), []
    for state, view, moves in [positions[0], *positions]:
        begin = time.process_time()
        if sees_all(agent):
            agent.show(state)  # type: ignore[attr-defined]
        agent.choose(view, moves, rng=rng)
        seconds.append(time.process_time() - begin)
        if len(seconds) > FEWEST and sum(seconds[1:]) > limit:
            break
    return Times(name, tuple(seconds[1:]))


def entries(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of every agent that needs no program of the reader."""
    for name in AGENTS:
        if name not in ("process", "mjai", "normal", "mcts"):
            yield f"`{name}`", name
    yield "`deficiency`, NDDE (20, 50)", NDDE
    yield "`normal:taught`", "normal:taught"
    for kind, agent in (("normal", "normal"), ("mcts", "perfect")):
        for preset, config in PRESETS.items():
            path = folder / f"{kind}-{preset}.npz"
            arrays = initial_arrays(config, agent, np.random.default_rng(1))
            # Small kernels: without training, states of a deep network would grow past all numbers.
            small = {key: (0.1 if "kernel" in key else 1) * each for key, each in arrays.items()}
            save(path, config, small)
            searches = f", {config.evaluation_simulations} simulations" if kind == "mcts" else ""
            yield f"`{kind}`, preset `{preset}`{searches}", f"{kind}:{path}"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="all by default")
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0, help="at most, for each agent")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    load, positions = os.getloadavg()[0], decisions(args.seed, args.moves)
    print("| agent | median, ms | 95 % | most | moves |\n|---|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        given = [(f"`{text}`", text) for text in args.agents]
        for name, text in given or entries(Path(folder)):
            try:
                check_agents([text] * 4, rules=JJ, here=True, perfect_information=True)
                agent = read_agent(text, perfect_information=True)
                times = measure(name, agent, positions, args.seconds, args.seed)
            except MjoptError as error:
                times = Times(name, reason="not here")
                print(f"{text}: {error}", file=sys.stderr)
            print(times.row(), flush=True)
    processor = get_cpu_info().get("brand_raw", "unknown processor")
    print(
        f"\nRules jj, seed {args.seed}; {processor}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}, load {load:.1f} when it began."
    )


if __name__ == "__main__":
    main()
