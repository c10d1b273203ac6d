"""The sections of the page: a finding in one sentence, tables, and how to repeat them."""

from abc import ABC, abstractmethod
from typing import ClassVar, Final

import numpy as np

from mjopt._internal.tables import Row, Table, Value
from report_tables import (
    RATIO_FORMATS,
    Comparison,
    Spread,
    enumeration,
    number,
    percent,
    ratio_columns,
    sides_table,
    spread,
)

TYPES: Final = {"one": "one type", "two": "two types", "three": "three types"}


class Section(ABC):
    """A section of the page."""

    claim: ClassVar[str]  # as in ``paired.Comparison``
    file: ClassVar[str]  # the benchmark
    title: ClassVar[str]

    @abstractmethod
    def finding(self, found: Comparison) -> str:
        """Return the finding; it is true for any figures."""

    @abstractmethod
    def tables(self, found: Comparison) -> list[Table]:
        """Return the tables."""

    def to_markdown(self, found: Comparison) -> str:
        """Return the section."""
        repeat = f"python -m pytest benchmarks/{self.file} -m claim --benchmark-json=claim.json"
        tables = "\n".join(table.to_markdown(3) for table in self.tables(found))
        return (
            f"## {self.title}\n\n{self.finding(found)}\n\n{tables}\n"
            f"To repeat this section alone: `{repeat}`.\n"
        )


def times_as_long(found: Comparison, names: dict[str, str], base: str | None = None) -> str:
    """Return "A takes 3 times as long, B 4 times" for the sides that ran.

    Parameters
    ----------
    found
        The result.
    names
        Beginnings of the names of sides, and their names in the sentence.
    base
        The side that counts as 1; by default that of the result.
    """
    parts = []
    for start, shown in names.items():
        if (side := found.named(start)) is not None:
            ratio = number(found.ratio(side, base).median)
            parts.append(f"{shown} {'' if parts else 'takes '}{ratio} times")
    return enumeration(parts) if parts else "no other program ran"


class Labels(Section):
    claim = "labels"
    file = "test_tables_label.py"
    title = "Labels in bulk"

    def finding(self, found: Comparison) -> str:
        names = {
            "nyanten's algorithm": "nyanten's algorithm",
            **{name: f"`{name}`" for name in ("riichienv", "xiangting", "mahjong")},
        }
        return (
            "`mjopt.label` labels many hands in one call. Per hand, with the three forms of "
            f"riichi, {times_as_long(found, names)} as long. "
            f"{times_as_long(found, {'mjopt, label_one': '`mjopt.tables.label_one`'})} as long, "
            "so label many hands in one call."
        )

    def tables(self, found: Comparison) -> list[Table]:
        return [
            sides_table(
                found,
                "labels",
                "Time of a label",
                f"{found.figures['hands']:,} random hands of 14 of 136 tiles; three winning forms "
                "unless the row says otherwise. All sides gave the same values.",
                "A call from Python costs time that one call for many hands does not; those "
                "packages have no such call. nyanten stores the distance of every way to hold "
                "tiles of one suit, found by a minimal perfect hash function; "
                "benchmarks/nyanten.py is our own program of that algorithm, not nyanten's "
                "code.",
                scale=1e9,
                unit="ns",
                digits=0,
            )
        ]


class Calls(Section):
    claim = "calls"
    file = "test_calls.py"
    title = "Calls for one hand"

    def finding(self, found: Comparison) -> str:
        names = {
            "mjopt.deficiency of a text": "the same for a text",
            "mjopt.label of texts": "`mjopt.label` of a list of texts",
            **{name: f"`{name}`" for name in ("xiangting", "mahjong")},
        }
        micros = number(1e6 * found.median(found.base))
        return (
            f"`mjopt.deficiency` of a `Hand` takes {micros} µs with the three forms of riichi. "
            f"Per hand, {times_as_long(found, names)} as long."
        )

    def tables(self, found: Comparison) -> list[Table]:
        return [
            sides_table(
                found,
                "calls",
                "Time of a call",
                "Random hands of 14 of 136 tiles; all sides gave the same values.",
                "Counts are 34 numbers; neither package checks them. xiangting reads no text.",
                scale=1e6,
                unit="µs",
                digits=2,
            )
        ]


class Imports(Section):
    claim = "imports"
    file = "test_imports.py"
    title = "Import"

    def finding(self, found: Comparison) -> str:
        seconds = number(1e3 * (found.median(found.base) - found.median("Python alone")))
        names = {name: f"`{name}`" for name in ("xiangting", "mahjong", "Python alone")}
        return (
            f"`import mjopt` takes {seconds} ms beyond the start of Python. With that start, "
            f"{times_as_long(found, names)} as long."
        )

    def tables(self, found: Comparison) -> list[Table]:
        return [
            sides_table(
                found,
                "imports",
                "Time of a process",
                "A new process each time, which imports and ends; its files are in the cache of "
                "the system.",
                scale=1e3,
                unit="ms",
                digits=0,
            )
        ]


class Formulations(Section):
    claim = "formulations"
    file = "test_formulations.py"
    title = "Integer programs by formulation and solver"

    def finding(self, found: Comparison) -> str:
        fastest = {
            model: min(
                (f"{model}, {solver}" for solver in found.figures["solvers"]), key=found.median
            )
            for model in found.figures["models"]
        }
        ratios = [
            f"`{model}` takes {number(found.ratio(fastest[model], fastest['blockwise']).median)} "
            "times"
            for model in ("completion", "network")
        ]
        tight = {model: rows[1][1] for model, rows in found.figures["bounds"].items()}
        return (
            f"With the fastest solver of each, {enumeration(ratios)} as long to solve as "
            f"`blockwise` ({fastest['blockwise'].partition(', ')[2]}). The bound of the linear "
            f"relaxation is the optimum on {percent(tight['blockwise'])} of two-type hands for "
            f"`blockwise`, {percent(tight['network'])} for `network` and "
            f"{percent(tight['completion'])} for `completion`."
        )

    def tables(self, found: Comparison) -> list[Table]:
        names = ("number", "bound is the optimum", "rounded up, it is")
        bounds: list[Row] = [
            {"formulation": model, "hands": shown, **dict(zip(names, row, strict=True))}
            for model, rows in found.figures["bounds"].items()
            for shown, row in zip(TYPES.values(), rows, strict=True)
        ]
        return [
            sides_table(
                found,
                "formulations",
                "Time to build and to solve",
                "Two-type hands, other ones in every round, one thread; CBC runs as a program "
                "of its own, whose start counts. predecomposition solves the problem of Yan and "
                "Li (2023), which is not always the deficiency.",
                scale=1e3,
                unit="ms",
                digits=2,
            ),
            Table(
                name="bounds",
                title="Bound of the linear relaxation",
                rows=bounds,
                formats=dict.fromkeys(names[1:], ".1%"),
            ),
        ]


class Ndde(Section):
    claim = "ndde"
    file = "test_heuristics.py"
    title = "NDDE and the published times"

    def _factors(self, found: Comparison) -> dict[str, Spread]:
        """Return median and quartiles of published time over ours, by side."""
        published = found.figures["published"]
        return {
            name: spread(published[name][0] / seconds) for name, seconds in found.seconds.items()
        }

    def finding(self, found: Comparison) -> str:
        factors = [
            factor.median for name, factor in self._factors(found).items() if "search" not in name
        ]
        return (
            f"The published times of NDDE are {number(min(factors))} to {number(max(factors))} "
            "times ours over the 72 cells of Table 2 of Yan and Li (2023), but theirs are of "
            "Python on another machine (an i7-6700), so this factor is mostly one of language "
            "and machine."
        )

    def tables(self, found: Comparison) -> list[Table]:
        factors, published = self._factors(found), found.figures["published"]
        cells = list(dict.fromkeys(name.split(",", 1)[1] for name in factors))
        generations = list(dict.fromkeys(cell.split(",")[1] for cell in cells if "," in cell))
        populations = list(dict.fromkeys(cell.split(",")[0] for cell in cells if "," in cell))
        columns = {f"{most} generations": most for most in generations}
        grid: list[Row] = [
            {
                "hands": shown,
                "population": int(size),
                **{
                    column: factors[f"{types},{size},{most}"].median
                    for column, most in columns.items()
                },
            }
            for types, shown in TYPES.items()
            for size in populations
        ]
        chosen = {
            "20,50": "NDDE (20, 50)",
            "50,500": "NDDE (50, 500)",
            "tree search": "tree search",
        }
        rows: list[Row] = []
        for types, shown in TYPES.items():
            for cell, method in chosen.items():
                name = f"{types},{cell}"
                theirs, their_share = published[name]
                share = float(np.mean(found.figures["right"][name]))
                rows.append(
                    {
                        "hands": shown,
                        "method": method,
                        "factor": factors[name].median,
                        "lower quartile": factors[name].low,
                        "upper quartile": factors[name].high,
                        "ours (µs)": 1e6 * found.median(name),
                        "published (µs)": 1e6 * theirs,
                        "right, ours": share,
                        "right, published": their_share,
                    }
                )
        return [
            Table(
                name="ndde",
                title="Published time over ours",
                rows=rows,
                formats={
                    **dict.fromkeys(("factor", "lower quartile", "upper quartile"), ",.0f"),
                    "ours (µs)": ",.1f",
                    "published (µs)": ",.0f",
                    **dict.fromkeys(("right, ours", "right, published"), ".1%"),
                },
                notes=(
                    f"{found.rounds} rounds of {found.figures['hands']:,} hands of each set. NDDE "
                    "stops at the deficiency, as in the paper; the tree search does not know it. "
                    "Ours skips branches that cannot become better than the best value yet. The "
                    "quartiles show the spread of our times alone. Accuracies here are of few "
                    "hands; mjopt reproduce table1 measures them on all.",
                ),
            ),
            Table(
                name="ndde-cells",
                title="Published time over ours, all cells of Table 2",
                rows=grid,
                formats=dict.fromkeys(columns, ",.0f"),
                notes=("Medians over the rounds.",),
            ),
        ]


class Reviews(Section):
    claim = "reviews"
    file = "test_reviews.py"
    title = "Reviews of games"

    def finding(self, found: Comparison) -> str:
        discards = 1 / found.median(found.base)
        games = discards / found.figures["discards"]
        names = {name: f"`{name}`" for name in ("xiangting", "riichienv", "mahjong")}
        return (
            f"`mjopt.play.review` reviews {number(games)} games, or {number(discards)} discards, a "
            "second on one core. To compute the same values of the discards, "
            f"{times_as_long(found, names)} as long as the whole review."
        )

    def tables(self, found: Comparison) -> list[Table]:
        return [
            sides_table(
                found,
                "reviews",
                "Time of a review",
                f"One riichi game of {found.figures['deals']} deals and "
                f"{found.figures['discards']} discards. The values are, for every kind that "
                "could be discarded, the deficiency after it and the unseen copies of tiles "
                "that reduce it; all sides gave the same values. mjopt also judges calls, made "
                "and passed up.",
                "Where hands are given, reading and replaying the game costs nothing; xiangting "
                "and mahjong do not read logs.",
                scale=1e6,
                unit="µs",
                digits=0,
            )
        ]


class Environment(Section):
    claim = "environment"
    file = "test_environments.py"
    title = "Environments for reinforcement learning"

    def finding(self, found: Comparison) -> str:
        speed = number(1 / found.median(found.base))
        names = {name: f"`{name}`" for name in ("rlcard", "riichienv")}
        return (
            f"`mjopt.play.env()` makes {speed} steps a second on one core. "
            f"For a step, {times_as_long(found, names)} as long."
        )

    def tables(self, found: Comparison) -> list[Table]:
        rows: list[dict[str, Value]] = [
            {
                "environment": side,
                "steps a second": round(1 / found.median(side)),
                **ratio_columns(found.ratio(side)),
                "remark": note,
            }
            for side, note in found.notes.items()
        ]
        rows += [
            {**dict.fromkeys(rows[0]), "environment": side, "remark": reason}
            for side, reason in found.absent.items()
        ]
        return [
            Table(
                name="environment",
                title="Steps a second",
                rows=rows,
                formats=RATIO_FORMATS,
                notes=(
                    f"{found.rounds} rounds; ratios of the time of a step are to {found.base}.",
                    "A step is one decision: an agent gets its observation and the legal actions, "
                    "chooses one at random, and the environment applies it. The rules and the "
                    "observations differ. mjopt is driven through PettingZoo, whose checks of "
                    "every call are part of the time; PettingZoo has no Mahjong of its own.",
                ),
            )
        ]


SECTIONS: Final[tuple[Section, ...]] = (
    Labels(),
    Calls(),
    Imports(),
    Formulations(),
    Ndde(),
    Reviews(),
    Environment(),
)
"""The sections in the order of the page."""
