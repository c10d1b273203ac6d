"""Figures 6 to 8 and Tables 6 to 8 of the article, made with a bench."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, nan
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np

from mjopt.errors import LearningError
from mjopt.experiments.battles.rating import stable_rank
from mjopt.experiments.battles.summary import compare, multipliers_by_name
from mjopt.experiments.reproduction.agent.bench import Bench
from mjopt.experiments.reproduction.agent.measures import (
    COLUMNS,
    LESS,
    READING,
    Claim,
    Measures,
    paired,
    slope,
)
from mjopt.experiments.reproduction.agent.players import FEATURES
from mjopt.learning.curves import CURVES
from mjopt.reports.statistics import Interval, wilson
from mjopt.reports.table import Cell, Table, make_table

TWIN: Final = "simulator"
PARITY: Final = 5.0
"""Eq. 13 of four equal players: (5 n + 2 n) / n - 2."""
BASELINES: Final = ("deficiency", "draws", "l3")
NEVER_FOURTH: Final = "An empty rank is infinite: never fourth."
PUBLISHED_ACCURACY: Final = {"learned": (0.73, 0.72), TWIN: (0.705, 0.696)}
PUBLISHED_WINS: Final = {"1": 378, "2": 38, "4": 8, "8": 3, "more": 1}
PUBLISHED_RANKS: Final = (
    ("published: the agent", None, 3328, 5.0, None, None, None),
    ("published: Tenhou-Bot, the baseline", None, 1095, 3.0, None, None, None),
    ("published: Bakuuchi", None, 30_516, 6.0, None, None, None),
    ("published: professional human player", None, None, 5.0, None, None, None),
)

Row = tuple[Cell, ...]
Curve = dict[float, list[float]]
"""Values by place on the axis, one a seed."""


@dataclass(kw_only=True)
class Result:
    """What was made for a target.

    Parameters
    ----------
    title, told
        What it is, and sentences on how to read it.
    tables, claims
        Its tables; what the article says, and our figures for it.
    panels, axis, is_log
        Curves by panel and name, over what, and whether that is logarithmic.
    """

    title: str
    told: list[str]
    tables: list[Table] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    panels: dict[str, dict[str, Curve]] = field(default_factory=dict)
    axis: str = ""
    is_log: bool = False


def fig6(bench: Bench) -> Result:
    """Train with several numbers of simulations; compare loss and accuracy over the steps."""
    losses: dict[str, Curve] = {}
    shares: dict[str, Curve] = {}
    rows: list[Row] = []
    final = [
        (dict[int, float](), dict[int, float]()) for _ in bench.seeds
    ]  # loss, accuracy by simulations
    for seed, (loss_at, accuracy_at) in zip(bench.seeds, final, strict=True):
        for number in bench.simulations:
            path, name = bench.perfect(seed, number), f"{number} simulations"
            loss, found = losses_of(path.parent), bench.searched(path)
            _add(losses.setdefault(name, {}), loss)
            _add(shares.setdefault(name, {}), bench.curve(path, bench.searched))
            loss_at[number], accuracy_at[number] = loss[1.0], found.accuracy
            rows.append((number, seed, loss[1.0], *found.cells()))
    *fewer, most = bench.simulations
    best = [one[most] - max((one[few] for few in fewer), default=nan) for _, one in final]
    rise = "of the accuracy when simulations double"
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
        tables=[
            _measured(
                "fig6",
                "at the end of training",
                "simulations:count | seed:count | loss:number:3",
                rows,
            )
        ],
        claims=[
            Claim(
                "more simulations, lower loss",
                "250 lowest, 100 second",
                "fall of the loss when simulations double",
                [-slope(one) for one, _ in final],
            ),
            Claim(
                "more simulations, higher accuracy",
                "10, 50: below 50 %, 250: 72 %",
                f"rise {rise}",
                [slope(one) for _, one in final],
            ),
            Claim(
                f"the most are the best ({most})",
                "250: 72 %",
                "accuracy above the others' best",
                best,
            ),
        ],
        panels={"loss": losses, "accuracy (validation)": shares},
        axis="share of the training",
    )


def fig7(bench: Bench) -> Result:
    """Evaluate with several numbers of simulations: hidden features, and the simulator."""
    numbers = bench.scale.evaluated
    few, many, near = min(numbers), max(numbers), _nearest(bench)
    found: dict[int, dict[tuple[str, int], Measures]] = {}
    curves: dict[str, Curve] = {}
    for seed in bench.seeds:
        weights = bench.perfect(seed)
        for what in (*FEATURES, TWIN):
            how = {"is_real": True} if what == TWIN else {"features": what}
            for number in numbers:
                one = bench.searched(weights, simulations=number, **how)
                found.setdefault(seed, {})[what, number] = one
                _add(curves.setdefault(what, {}), {number: one.accuracy})

    def gap(text: str, article: str, a: tuple[str, int], b: tuple[str, int]) -> Claim:
        gaps = [one[a].accuracy - one[b].accuracy for one in found.values()]
        within = paired(*(next(iter(found.values()))[one] for one in (a, b)))
        measured = f"accuracy, {a[0]} at {a[1]} less {b[0]} at {b[1]}"
        return Claim(text, article, measured, gaps, within)

    def rise(one: dict[tuple[str, int], Measures]) -> float:
        return slope({number: one["removed", number].accuracy for number in numbers})

    ahead = {n: fmean(curves["all"][n]) - fmean(curves[TWIN][n]) for n in numbers}
    rows = [
        (what, number, seed, *measures.cells())
        for seed, one in found.items()
        for (what, number), measures in one.items()
    ]
    return Result(
        title="Figure 7: hidden features, and the learned model against the simulator",
        told=[
            "Each network was trained with all features; random and removed ones are given to it "
            "when it is evaluated (the article trains a model for each). Random: all tiles that "
            "the seat cannot see are dealt anew.",
            f"Learned model against simulator: {crossing_of(ahead)}",
        ],
        tables=[
            _measured(
                "fig7",
                "over simulations of the evaluation",
                "what | simulations:count | seed:count",
                rows,
            )
        ],
        claims=[
            gap("random better than removed", "order", ("random", many), ("removed", many)),
            gap("all better than random", "72 % best", ("all", many), ("random", many)),
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
            "hidden features": {name: curves[name] for name in FEATURES},
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
        is_real = what == TWIN
        found.append(
            [
                bench.searched(bench.perfect(seed), simulations=most, is_real=is_real)
                for seed in bench.seeds
            ]
        )
        shares = [one.accuracy for one in found[-1]]
        summary.append((what, max(shares), fmean(shares), *published))
        rows += [
            (what, seed, *one.cells()) for seed, one in zip(bench.seeds, found[-1], strict=True)
        ]
    rows += [(name, None, *bench.asked(name).cells()) for name in BASELINES]
    both = list(zip(*found, strict=True))
    gaps = [one.accuracy - other.accuracy for one, other in both]
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
            _measured(
                "table6-seeds",
                "seed by seed, and agents without a network",
                "who | seed:count",
                rows,
            ),
        ],
        claims=[
            Claim(
                "the learned model is more accurate",
                "72.0 against 69.6 %",
                "accuracy, learned less simulator",
                gaps,
                paired(*both[0]),
            )
        ],
    )


def fig8(bench: Bench) -> Result:
    """Compare dropout learning with its control at the start and at the end of training."""
    ways = {"Bernoulli": "bernoulli", "control": "none"}
    curves: dict[str, Curve] = {name: {} for name in ways}
    ends: dict[tuple[str, str, str], list[float]] = {}
    rows: list[Row] = []
    for seed in bench.seeds:
        for name, dropout in ways.items():
            path = bench.normal(seed, dropout)
            _add(curves[name], bench.curve(path, bench.asked))
            done = bench.snapshots(path)
            if len(done) == 1:
                told = "no at-*.npz, expected a training that reproduce-agent made"
                raise LearningError(f"{path.parent}: {told}")
            for when, weights in (("start", done[min(done)]), ("end", path)):
                rank = stable_rank(bench.tournaments(weights, BASELINES[0]).sum(axis=0))
                found = bench.asked(weights)
                ends.setdefault(("dan", name, when), []).append(rank)
                ends.setdefault(("accuracy", name, when), []).append(found.accuracy)
                rows.append((name, when, seed, finite(rank), *found.cells()))

    def gap(of: str, at: str, a: str, b: str, article: str) -> Claim:
        gaps = [x - y for x, y in zip(ends[of, a, at], ends[of, b, at], strict=True)]
        return Claim(f"{a} ahead at the {at}", article, f"{of}, {a} less {b}", gaps)

    return Result(
        title="Figure 8: with and without the Bernoulli matrix",
        told=[
            "Both imitate the same games of the same perfect agent for as many steps; the start is "
            "what was kept first, a tenth of the training. The article draws ratings of 10 runs; "
            "here accuracy is drawn, and both ends are rated too, against three of `deficiency`."
        ],
        tables=[
            _measured(
                "fig8",
                "at the start and at the end",
                "training | when | seed:count | rank:number:2:dan",
                rows,
                NEVER_FOURTH,
            )
        ],
        claims=[
            claim
            for of in ("dan", "accuracy")
            for claim in (
                gap(of, "start", "control", "Bernoulli", "control first"),
                gap(of, "end", "Bernoulli", "control", "5 against 4 dan"),
            )
        ],
        panels={"accuracy (validation)": curves},
        axis="share of the training",
    )


def table7(bench: Bench) -> Result:
    """Rate the normal agent by Eq. 13 against three of a baseline, and on duplicate walls."""
    rated: list[Row] = []
    walls: list[Row] = []
    claims: list[Claim] = []
    for baseline in BASELINES:
        ranks: list[float] = []
        ahead: list[tuple[float, Interval]] = []
        for seed in bench.seeds:
            weights = bench.normal(seed)
            places = bench.tournaments(weights, baseline)
            each = [stable_rank(one) for one in places]
            quartiles = np.quantile(each, [0.5, 0.25, 0.75], method="nearest").tolist()
            total = places.sum(axis=0)
            shown = map(finite, (*quartiles, stable_rank(total)))
            rated.append((f"ours, three of {baseline}", seed, int(total.sum()), *shown))
            [found] = compare(bench.duplicate(weights, baseline), tests=False)
            walls.append((baseline, seed, found.difference, *found.interval, bench.scale.walls))
            ranks += each
            ahead.append((found.difference, found.interval))
        above = [one - PARITY - 2 for one in ranks]
        gaps, within = [gap for gap, _ in ahead], ahead[0][1]
        points = "points a hand on duplicate walls"
        claims += [
            Claim(f"2 dan above {baseline}", "5 against 3 dan", "dan above parity, less 2", above),
            Claim(f"better than {baseline}", "not measured", points, gaps, within),
        ]
    return Result(
        title="Table 7: ranks",
        told=[
            "Eq. 13 is (5 n1 + 2 n2) / n4 - 2. Four equal players have n1 = n2 = n4, so each has 5 "
            "+ 2 - 2 = 5 dan, whatever it can: 5 dan against three copies of the baseline means as "
            "good as the baseline. The baseline's 3 dan were made on a server, against people.",
            "10 tournaments of 100 games are 1,000, not the 3,328 of Table 7.",
        ],
        tables=[
            make_table(
                "table7",
                "Table 7: rank by Eq. 13, ours and published",
                "who | seed:count | games:count | median:number:2:dan | quartile 1:number:2:dan | "
                "quartile 3:number:2:dan | all games:number:2:dan",
                (*rated, *PUBLISHED_RANKS),
                f"{bench.scale.tournaments} tournaments of {bench.scale.games} games of four "
                f"hands; the agent sits anywhere. {NEVER_FOURTH}",
                groups=0,
            ),
            make_table(
                "table7-walls",
                "Points a hand ahead of each baseline on duplicate walls, two and two",
                "baseline | seed:count | ahead:signed:3 | from:signed:3 | to:signed:3 | "
                "walls:count",
                walls,
                "Both sit in the same seats with the same tiles; bootstrap over walls.",
            ),
        ],
        claims=claims,
    )


def table8(bench: Bench) -> Result:
    """Count the normal agent's wins by multiplier."""
    wins: dict[int, int] = {}
    for seed in bench.seeds:
        battle = bench.duplicate(bench.normal(seed), BASELINES[0])
        for worth, number in multipliers_by_name(battle).get(battle.names[0], {}).items():
            wins[worth] = wins.get(worth, 0) + number
    ours = {str(worth): wins[worth] for worth in sorted(wins)}
    return Result(
        title="Table 8: wins by multiplier",
        told=[
            "The two cannot be matched: the article counts multipliers 1, 2, 4, 8 and more, by a "
            "rule that it does not give; its appendix A has scores of 6 (an ordinary win), 8 (all "
            "pongs) and 12 (one suit, seven pairs), and ours are those."
        ],
        tables=[
            make_table(
                "table8",
                "Table 8: wins by multiplier, ours and published",
                "whose | multiplier | wins:count | share:percent:1 | from:percent:1 | to:percent:1",
                (*_shares("ours, appendix A", ours), *_shares("published", PUBLISHED_WINS)),
                "Against `deficiency` on duplicate walls, all seeds. 95 % Wilson intervals.",
            )
        ],
    )


TARGETS: Final = {one.__name__: one for one in (fig6, fig7, fig8, table6, table7, table8)}


def _measured(name: str, what: str, columns: str, rows: Iterable[Row], *notes: str) -> Table:
    title = f"{name.partition('-')[0].replace('fig', 'Figure ').replace('table', 'Table ')}: {what}"
    return make_table(name, title, f"{columns} | {COLUMNS}", rows, *notes, READING, less=LESS)


def _shares(whose: str, wins: Mapping[str, int]) -> Iterable[Row]:
    total = sum(wins.values())
    if not total:
        yield whose, "no win", 0, None, None, None
    for worth, number in wins.items():
        yield whose, worth, number, number / total, *wilson(number, total)


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


def finite(rank: float) -> float | None:
    """Return a rank, or None if it is infinite."""
    return None if rank == inf else rank


def _add(curve: Curve, values: Mapping[float, float]) -> None:
    for at, value in values.items():
        curve.setdefault(at, []).append(value)


def _nearest(bench: Bench) -> int:
    """Return what is evaluated that is nearest to the simulations in training."""
    return min(bench.scale.evaluated, key=lambda one: abs(one - bench.config.simulations))
