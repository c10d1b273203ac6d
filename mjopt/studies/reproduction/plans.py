"""What must be run for each table and figure of the paper, at each scale."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from mjopt import __version__
from mjopt.errors import StudyError
from mjopt.studies.methods import plan_method, plan_methods
from mjopt.studies.plan import Plan, PlannedMethod
from mjopt.studies.reproduction.published import GENERATIONS, POPULATIONS
from mjopt.studies.study_hands import PAPER_EXAMPLES, HandSet, read_hand_set

TARGETS: Final = tuple(f"table{n}" for n in range(1, 8)) + tuple(f"figure{n}" for n in (2, 3, 4))

TIMED_RUNS: Final = 5
"""Runs of each cell of Table 2; their median passes over what else the machine did."""

CERTIFICATES: Final = 1000
"""Labels of each set that are proved before anything is run."""

CELL: Final = "ndde:population={},generations={}"

PAPER_METHODS: Final = {
    "tree search": "tree-search",
    "NDDE1": "ndde:population=20,generations=50",
    "NDDE2": "ndde:population=50,generations=500",
    "PSO": "pso:population=20,generations=50",
    "GA": "ga:population=20,generations=50",
    "TLBO": "tlbo:population=20,generations=50",
}
"""The paper's names of methods (its tree search is called TSA there), and ours."""

COMPARED: Final = {
    3: ("tree search", "NDDE1", "NDDE2"),
    4: ("tree search", "NDDE1", "NDDE2"),
    5: ("PSO", "GA", "TLBO", "NDDE1"),
    6: ("PSO", "GA", "TLBO", "NDDE1"),
    7: ("NDDE1", "PSO", "GA", "TLBO"),
}
"""Which methods each table has; NDDE in Tables 5 to 7 is NDDE1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How much is run."""

    hands: dict[str, str]  # the recipe of each of the three sets
    runs: int  # of each method on each hand in Tables 3 to 7 and Figure 4
    sample: int  # hands of each set that are also run without early stop, there
    timed: int  # hands of each set that every cell of Table 2 is timed on, both ways


SCALES: Final = {
    "quick": Scale(
        hands={"one": "one-type@3000", "two": "two-type:2000", "three": "three-type:2000"},
        runs=10,
        sample=300,
        timed=300,
    ),
    "paper": Scale(
        hands={"one": "one-type", "two": "two-type:100000", "three": "three-type:100000"},
        runs=30,
        sample=2000,
        timed=2000,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaperStudy:
    """A study that some tables or figures need."""

    name: str  # of its folder
    plan: Plan
    sets: tuple[HandSet, ...]
    only: frozenset[str]  # labels of the methods that are needed now


def read_targets(words: Iterable[str]) -> tuple[str, ...]:
    """Return the tables and figures that some words name, in the paper's order.

    Examples
    --------
    >>> read_targets(["figure4", "table1"])
    ('table1', 'figure4')
    >>> len(read_targets(["all"]))
    10
    >>> read_targets(["table8"])
    Traceback (most recent call last):
    mjopt.errors.StudyError: 'table8', expected table1 ... table7, figure2 ... figure4 or all
    """
    chosen = set()
    for word in words:
        if word not in (*TARGETS, "all"):
            raise StudyError(f"{word!r}, expected table1 ... table7, figure2 ... figure4 or all")
        chosen |= set(TARGETS) if word == "all" else {word}
    if not chosen:
        raise StudyError("name a table or a figure: table1 ... table7, figure2 ... figure4 or all")
    return tuple(target for target in TARGETS if target in chosen)


def cell_method(population: int, generations: int) -> PlannedMethod:
    """Return NDDE with these parameters, as a plan has it."""
    return plan_method(CELL.format(population, generations))


def studies_behind(targets: Iterable[str], scale: Scale, *, seed: int) -> tuple[PaperStudy, ...]:
    """Return the studies behind some tables and figures, the quickest first.

    ``curves`` has Figure 4. ``grid`` has Table 1 and Figure 2: one run at 500
    generations for each population, since a run with fewer generations is the beginning
    of it, drawn from the same stream; the generation of the first hit tells the
    accuracy at every budget. ``times`` has Table 2 and Figure 3: every cell timed on a
    sample, with and without early stop. ``methods`` has Tables 3 to 7.
    """
    wanted, found = set(targets), []

    def add(
        name: str,
        methods: Iterable[str],
        sets: tuple[HandSet, ...],
        *,
        only: Iterable[str] = (),
        **settings: Any,
    ) -> None:
        planned = plan_methods(methods)
        plan = Plan(
            methods=planned,
            sets=tuple(hands.planned for hands in sets),
            seed=seed,
            version=__version__,
            **settings,
        )
        needed = [plan_method(text) for text in only] or planned
        labels = frozenset(method.label for method in needed)
        found.append(PaperStudy(name=name, plan=plan, sets=sets, only=labels))

    def three_sets(*, timed: bool = False) -> tuple[HandSet, ...]:
        found = []
        for types, text in scale.hands.items():
            some = f"{text.partition('@')[0]}@{scale.timed}" if timed else text
            name = f"{types}-type"
            found.append(read_hand_set(some, seed=seed, name=name, certificates=CERTIFICATES))
        return tuple(found)

    if "figure4" in wanted:
        four = [PAPER_METHODS[name] for name in COMPARED[7]]
        six = read_hand_set(PAPER_EXAMPLES, seed=seed)
        add("curves", four, (six,), runs=scale.runs, curves=6)
    if wanted & {"table1", "figure2"}:
        longest = [CELL.format(population, GENERATIONS[-1]) for population in POPULATIONS]
        add("grid", longest, three_sets(), runs=1, early_stop=True)
    if wanted & {"table2", "figure3"}:
        cells = [CELL.format(*cell) for cell in product(POPULATIONS, GENERATIONS)]
        sample = scale.timed
        add("times", cells, three_sets(timed=True), runs=TIMED_RUNS, early_stop=True, sample=sample)
    names = {name for number in COMPARED if f"table{number}" in wanted for name in COMPARED[number]}
    if names:
        add(
            "methods",
            PAPER_METHODS.values(),
            three_sets(),
            only=[PAPER_METHODS[name] for name in names],
            runs=scale.runs,
            early_stop=True,
            sample=scale.sample,
        )
    return tuple(found)
