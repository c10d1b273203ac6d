"""Figures 6 and 7 and Table 6: the perfect agent, measured on held-out decisions."""

import csv
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from mjopt.agent_reproduction.bench import BASELINES, Bench
from mjopt.agent_reproduction.measures import Claim, Measures, paired, slope
from mjopt.agent_reproduction.players import FEATURES
from mjopt.agent_reproduction.results import (
    Curve,
    Result,
    Row,
    add_seed,
    measured_table,
)
from mjopt.learning.training_curves import CURVES
from mjopt.reports.table import make_table

TWIN: Final = "simulator"
PUBLISHED_ACCURACY: Final = {"learned": (0.73, 0.72), TWIN: (0.705, 0.696)}


def fig6(bench: Bench) -> Result:
    """Train with several numbers of simulations; compare loss and accuracy over the steps."""
    losses: dict[str, Curve] = {}
    shares: dict[str, Curve] = {}
    rows: list[Row] = []
    # Loss and accuracy by simulations, seed by seed.
    final = [(dict[int, float](), dict[int, float]()) for _ in bench.seeds]
    for seed, (loss_at, accuracy_at) in zip(bench.seeds, final, strict=True):
        for number in bench.simulations:
            path, name = bench.perfect(seed, number), f"{number} simulations"
            loss, found = losses_of(path.parent), bench.searched(path)
            add_seed(losses.setdefault(name, {}), loss)
            add_seed(shares.setdefault(name, {}), bench.curve(path, bench.searched))
            loss_at[number], accuracy_at[number] = loss[1.0], found.accuracy
            rows.append((number, seed, loss[1.0], *found.cells()))
    *fewer, most = bench.simulations
    best = [one[most] - max((one[few] for few in fewer), default=nan) for _, one in final]
    double, columns = "when simulations double", "simulations:count | seed:count | loss:number:3"
    falls, rises = [-slope(one) for one, _ in final], [slope(one) for _, one in final]
    fall, rise = f"fall of the loss {double}", f"rise of the accuracy {double}"
    return Result(
        title="Figure 6: simulations in training",
        told=[
            "The article trains with 10, 50, 100 and 250 simulations and evaluates with 500; here "
            f"{', '.join(map(str, bench.simulations))}, evaluated with "
            f"{bench.config.evaluation_simulations}. Accuracy there is on decisions of people, "
            "here how often the exact agent of fewest expected draws does the same.",
            "The loss is cross-entropy with the search's own policy, which is sharper with few "
            "simulations: losses of different trainings have different least values.",
        ],
        tables=[measured_table("fig6", "at the end of training", columns, rows)],
        claims=[
            Claim("more simulations, lower loss", "250 lowest, 100 second", fall, falls),
            Claim("more simulations, higher accuracy", "10, 50: < 50 %, 250: 72 %", rise, rises),
            Claim(f"the most ({most}) are the best", "250: 72 %", "accuracy, less the next", best),
        ],
        panels={"loss": losses, "accuracy (validation)": shares},
        axis="share of the training",
    )


def fig7(bench: Bench) -> Result:
    """Evaluate with several numbers of simulations: hidden features, and the simulator."""
    numbers, alone = bench.scale.evaluated, ", in evaluation alone"
    few, many, near = min(numbers), max(numbers), _nearest(bench)
    # Of one training that stands there are no others to compare it with.
    own = {"all": "all"} if bench.is_one else FEATURES
    random, removed = (f"{what}{alone}" if bench.is_one else what for what in ("random", "removed"))
    found: dict[int, dict[tuple[str, int], Measures]] = {}
    curves: dict[str, Curve] = {}
    for seed in bench.seeds:
        trained = {what: bench.perfect(seed, hidden=hidden) for what, hidden in own.items()}
        ways: list[tuple[str, Path, dict[str, Any]]]
        ways = [(what, trained[what], {"features": what}) for what in own]
        others = [what for what in FEATURES if what != "all"]
        ways += [(f"{what}{alone}", trained["all"], {"features": what}) for what in others]
        ways.append((TWIN, trained["all"], {"features": "all", "is_real": True}))
        for what, weights, how in ways:
            for number in numbers:
                one = bench.searched(weights, simulations=number, **how)
                found.setdefault(seed, {})[what, number] = one
                add_seed(curves.setdefault(what, {}), {number: one.accuracy})

    def gap(text: str, article: str, a: tuple[str, int], b: tuple[str, int]) -> Claim:
        gaps = [one[a].accuracy - one[b].accuracy for one in found.values()]
        within = paired(*(next(iter(found.values()))[one] for one in (a, b)))
        measured = f"accuracy, {a[0]} at {a[1]} less {b[0]} at {b[1]}"
        return Claim(text, article, measured, gaps, within)

    def rise(one: dict[tuple[str, int], Measures]) -> float:
        return slope({number: one[removed, number].accuracy for number in numbers})

    ahead = {n: fmean(curves["all"][n]) - fmean(curves[TWIN][n]) for n in numbers}
    rows = [
        (what, number, seed, *measures.cells())
        for seed, one in found.items()
        for (what, number), measures in one.items()
    ]
    columns = "what | simulations:count | seed:count"
    return Result(
        title="Figure 7: hidden features, and the learned model against the simulator",
        told=[
            "All, random, removed: what a network was trained, searched and evaluated with, one "
            "for each, as in the article. In evaluation alone: the network of all features is "
            "given others when it is evaluated. Random: all tiles that the seat cannot see are "
            "dealt anew for every decision, from what it cannot see.",
            f"Learned model against simulator: {crossing_of(ahead)}",
        ],
        tables=[measured_table("fig7", "over simulations of the evaluation", columns, rows)],
        claims=[
            gap("random better than removed", "order", (random, many), (removed, many)),
            gap("all better than random", "72 % best", ("all", many), (random, many)),
            gap("search helps with all", "rises to 72 %", ("all", many), ("all", few)),
            Claim(
                "search does not help with removed ones",
                "below 35 %, not improved",
                "a point less the rise when simulations double",
                [0.01 - rise(one) for one in found.values()],
            ),
            gap("learned model ahead of the simulator", "below 500", ("all", near), (TWIN, near)),
            gap("simulator ahead with many", "above 500", (TWIN, many), ("all", many)),
        ],
        panels={
            "hidden features": {name: one for name, one in curves.items() if name != TWIN},
            "states": {"learned model": curves["all"], "simulator": curves[TWIN]},
        },
        axis="simulations in evaluation",
        is_log=True,
    )


def table6(bench: Bench) -> Result:
    """Compare learned model and simulator with as many simulations as in training."""
    most = bench.config.simulations
    summary: list[Row] = []
    rows: list[Row] = []
    found: list[list[Measures]] = []
    for what, published in PUBLISHED_ACCURACY.items():
        ask = partial(bench.searched, simulations=most, is_real=what == TWIN)
        found.append([ask(bench.perfect(seed)) for seed in bench.seeds])
        shares = [one.accuracy for one in found[-1]]
        summary.append((what, max(shares), fmean(shares), *published))
        both = zip(bench.seeds, found[-1], strict=True)
        rows += [(what, seed, *one.cells()) for seed, one in both]
    rows += [(name, None, *bench.asked(name).cells()) for name in BASELINES]
    pairs = list(zip(*found, strict=True))
    gaps = [one.accuracy - other.accuracy for one, other in pairs]
    ahead, which = "the learned model is more accurate", "seed by seed, and plain agents"
    return Result(
        title="Table 6: accuracy",
        told=[
            f"Both with {most} simulations, as in training; 250 in the article, on decisions of "
            "people. Ours is agreement with an exact agent: signs can be compared, levels cannot."
        ],
        tables=[
            make_table(
                "table6",
                "Table 6: accuracy, ours and published",
                "states | highest:percent:1 | mean:percent:1 | published highest:percent:1 | "
                "published mean:percent:1",
                summary,
            ),
            measured_table("table6-seeds", which, "who | seed:count", rows),
        ],
        claims=[
            Claim(ahead, "72.0 against 69.6 %", "learned less simulator", gaps, paired(*pairs[0]))
        ],
    )


def losses_of(folder: Path) -> dict[float, float]:
    """Return the loss of a training by the share of its steps that was done."""
    with (folder / CURVES).open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["policy loss"]]
    last = float(rows[-1]["step"])
    return {
        float(row["step"]) / last: float(row["policy loss"]) + float(row["value loss"])
        for row in rows
    }


def crossing_of(ahead: Mapping[int, float]) -> str:
    """Say where one that is ahead falls behind.

    Examples
    --------
    >>> crossing_of({1: 0.0, 10: 0.02, 100: -0.01})
    'ahead up to 10 simulations, behind from 100 on; published: about 500.'
    >>> crossing_of({1: 0.1, 10: 0.02})
    'no crossing from 1 to 10 simulations; published: about 500.'
    """
    numbers = sorted(ahead)
    found = f"no crossing from {numbers[0]} to {numbers[-1]} simulations"
    for before, after in pairwise(numbers):
        if ahead[before] > 0 > ahead[after]:
            found = f"ahead up to {before} simulations, behind from {after} on"
    return f"{found}; published: about 500."


def _nearest(bench: Bench) -> int:
    """Return what is evaluated that is nearest to the simulations in training."""
    return min(bench.scale.evaluated, key=lambda one: abs(one - bench.config.simulations))
