"""What must be run for each table and figure of the paper, at each scale."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from mjopt import __version__
from mjopt.errors import StudyError
from mjopt.experiments.reproduction.published import GENERATIONS, POPULATIONS
from mjopt.experiments.studies.methods import plan_method, plan_methods
from mjopt.experiments.studies.plan import Plan, PlannedMethod
from mjopt.experiments.studies.study_hands import PAPER_EXAMPLES, HandSet, read_hand_set

TARGETS: Final = tuple(f"table{n}" for n in range(1, 8)) + tuple(f"figure{n}" for n in (2, 3, 4))

TIMED_RUNS: Final = 5
"""Runs of each cell of Table 2; their median passes over what else the machine did."""

CERTIFICATES: Final = 1000
"""Labels of each set that are proved before anything is run."""

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
    """How much is run.

    Parameters
    ----------
    name
        ``quick`` or ``paper``.
    hands
        The recipe of each of the three sets.
    runs
        Runs of each method on each hand in Tables 3 to 7 and Figure 4.
    sample
        Hands of each set that are also run without early stop, there.
    timed
        Hands of each set that every cell of Table 2 is timed on, both ways.
    """

    name: str
    hands: dict[str, str]
    runs: int
    sample: int
    timed: int


SCALES: Final = {
    "quick": Scale(
        name="quick",
        hands={"one": "one-type@3000", "two": "two-type:2000", "three": "three-type:2000"},
        runs=10,
        sample=300,
        timed=300,
    ),
    "paper": Scale(
        name="paper",
        hands={"one": "one-type", "two": "two-type:100000", "three": "three-type:100000"},
        runs=30,
        sample=2000,
        timed=2000,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaperStudy:
    """A study that some tables or figures need.

    Parameters
    ----------
    name
        The name of its folder.
    plan, sets
        The study.
    only
        Labels of the methods that are needed now.
    """

    name: str
    plan: Plan
    sets: tuple[HandSet, ...]
    only: frozenset[str]


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
    return plan_method(_cell(population, generations))


def _cell(population: int, generations: int) -> str:
    return f"ndde:population={population},generations={generations}"


def studies_behind(targets: Iterable[str], scale: Scale, *, seed: int) -> tuple[PaperStudy, ...]:
    """Return the studies behind some tables and figures, the quickest first.

    ``curves`` has Figure 4. ``grid`` has Table 1 and Figure 2: one run at 500
    generations for each population, since a run with fewer generations is the beginning
    of it, drawn from the same stream; the generation of the first hit tells the
    accuracy at every budget. ``times`` has Table 2 and Figure 3: every cell timed on a
    sample, with and without early stop. ``methods`` has Tables 3 to 7.
    """
    wanted = set(targets)
    found = []
    if "figure4" in wanted:
        texts = [PAPER_METHODS[name] for name in COMPARED[7]]
        six = read_hand_set(PAPER_EXAMPLES, seed=seed)
        found.append(_study("curves", texts, (six,), seed, runs=scale.runs, curves=6))
    if wanted & {"table1", "figure2"}:
        texts = [_cell(population, GENERATIONS[-1]) for population in POPULATIONS]
        found.append(_study("grid", texts, _sets(scale, seed), seed, early_stop=True))
    if wanted & {"table2", "figure3"}:
        texts = [_cell(population, most) for population in POPULATIONS for most in GENERATIONS]
        sets = _sets(scale, seed, timed=True)
        found.append(
            _study("times", texts, sets, seed, runs=TIMED_RUNS, early_stop=True, sample=scale.timed)
        )
    names = {name for number in COMPARED if f"table{number}" in wanted for name in COMPARED[number]}
    if names:
        labels = frozenset(plan_method(PAPER_METHODS[name]).label for name in names)
        texts = list(PAPER_METHODS.values())
        sets = _sets(scale, seed)
        study = _study(
            "methods", texts, sets, seed, runs=scale.runs, early_stop=True, sample=scale.sample
        )
        found.append(replace(study, only=labels))
    return tuple(found)


def _sets(scale: Scale, seed: int, *, timed: bool = False) -> tuple[HandSet, ...]:
    sets = []
    for types, text in scale.hands.items():
        recipe = f"{text.partition('@')[0]}@{scale.timed}" if timed else text
        sets.append(
            read_hand_set(recipe, seed=seed, name=f"{types}-type", certificates=CERTIFICATES)
        )
    return tuple(sets)


def _study(
    name: str,
    methods: list[str],
    sets: tuple[HandSet, ...],
    seed: int,
    *,
    runs: int = 1,
    early_stop: bool = False,
    sample: int = 0,
    curves: int = 0,
) -> PaperStudy:
    planned = plan_methods(methods)
    plan = Plan(
        methods=planned,
        sets=tuple(hands.planned for hands in sets),
        runs=runs,
        seed=seed,
        early_stop=early_stop,
        sample=sample,
        curves=curves,
        version=__version__,
    )
    every = frozenset(method.label for method in planned)
    return PaperStudy(name=name, plan=plan, sets=sets, only=every)
