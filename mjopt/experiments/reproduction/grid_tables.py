"""Tables 1 and 2: NDDE over populations and generations, ours beside the published."""

from collections.abc import Iterator
from statistics import median

from mjopt.experiments.reproduction.measured import accuracy_at, seconds_per_hand, standard_errors
from mjopt.experiments.reproduction.plans import cell_label
from mjopt.experiments.reproduction.published import GENERATIONS, POPULATIONS, SETS, published_cell
from mjopt.experiments.studies.accuracy import Tally
from mjopt.experiments.studies.study import Study
from mjopt.reports.table import Column, Table

MARK = " *"
PUBLISHED_HANDS = {"one": 118_800, "two": 100_000, "three": 100_000}
WORDS = {"one": "one type", "two": "two types", "three": "three types"}


def accuracy_cells(study: Study) -> Iterator[tuple[str, int, int, Tally]]:
    """Yield set, population, generations and accuracy of every cell of Table 1."""
    for types, hands in zip(SETS, study.sets, strict=True):
        for population in POPULATIONS:
            label = cell_label(population, GENERATIONS[-1])
            for most in GENERATIONS:
                yield types, population, most, accuracy_at(study, hands, label, population, most)


def time_cells(study: Study) -> Iterator[tuple[str, int, int, float, float]]:
    """Yield set, population, generations and seconds a hand, stopped and run on, of Table 2."""
    for types, hands in zip(SETS, study.sets, strict=True):
        for population in POPULATIONS:
            for most in GENERATIONS:
                found = seconds_per_hand(study, hands, cell_label(population, most))
                yield types, population, most, median(found.stopped), found.ran_on[0]


def table1(study: Study) -> tuple[Table, Table]:
    """Return Table 1 as the paper lays it out, and cell by cell."""
    wide: dict[tuple[str, int], list[str]] = {}
    cells = []
    for types, population, most, tally in accuracy_cells(study):
        published = published_cell(1, types, population, most)
        low, high = tally.interval()
        inside = low <= published <= high
        shown = f"{100 * tally.share:.3f} / {100 * published:.3f}{'' if inside else MARK}"
        wide.setdefault((types, population), []).append(shown)
        variance = tally.share * (1 - tally.share) / tally.tries
        theirs = published * (1 - published) / PUBLISHED_HANDS[types]
        cells.append(
            (
                WORDS[types],
                population,
                most,
                tally.share,
                low,
                high,
                tally.below,
                published,
                tally.share - published,
                standard_errors(tally.share - published, variance, theirs),
                "yes" if inside else "no",
            )
        )
    notes = _set_notes(study)
    layout = Table(
        name="table1",
        title="Table 1: accuracy of NDDE in percent, ours / published",
        columns=(
            Column("hands"),
            Column("NP", "count"),
            *(Column(f"Gmax {most}") for most in GENERATIONS),
        ),
        rows=tuple((WORDS[types], population, *row) for (types, population), row in wide.items()),
        notes=(
            "* the published value lies outside our 95 % Wilson interval; how far, in points "
            "and in standard errors, is in table1-cells.",
            "One run, as in the paper. A run with fewer generations is the beginning of one "
            "with more, so each row is one run at Gmax 500 read at six generations.",
            *notes,
        ),
        groups=1,
    )
    by_cell = Table(
        name="table1-cells",
        title="Table 1, cell by cell",
        columns=(
            Column("hands"),
            Column("NP", "count"),
            Column("Gmax", "count"),
            Column("ours", "percent", 3),
            Column("from", "percent", 3),
            Column("to", "percent", 3),
            Column("below the deficiency", "count"),
            Column("published", "percent", 3),
            Column("ours less published", "points", 3),
            Column("in standard errors", "signed", 1),
            Column("published inside"),
        ),
        rows=tuple(cells),
        notes=(
            "From .. to is the 95 % Wilson interval. Standard errors are of the difference, both "
            "sides taken as one run on hands drawn at random; on one type, where both have "
            "all hands, they are too large, if anything.",
            *notes,
        ),
        groups=2,
    )
    return layout, by_cell


def _set_notes(study: Study) -> tuple[str, ...]:
    sizes = ", ".join(
        f"{WORDS[types]} {study.plan.hand_set(name).num_hands:,}"
        for types, name in zip(SETS, study.sets, strict=True)
    )
    return (
        f"Hands: {sizes}. The paper does not say how its hands of two and three types were "
        "drawn; ours are uniform deals, where every named type is present.",
    )


def table2(study: Study) -> tuple[Table, Table]:
    """Return Table 2 as the paper lays it out, and cell by cell."""
    wide: dict[tuple[str, int], list[str]] = {}
    cells = []
    for types, population, most, stopped, ran_on in time_cells(study):
        published = published_cell(2, types, population, most)
        shown = f"{1e6 * stopped:.1f} / {1e6 * published:,.0f}"
        wide.setdefault((types, population), []).append(shown)
        cells.append(
            (WORDS[types], population, most, stopped, ran_on, published, published / stopped)
        )
    first = study.plan.sets[0].num_hands
    notes = (
        f"CPU time of one thread on {first:,} hands of each set, the median of {study.plan.runs} "
        "runs, early stop as in the paper: a run ends as soon as the certified value is found. "
        "Published: Python on an i7-6700, so the factor is of machine and language as well.",
        "Times are measured, not computed: another run gives other digits.",
    )
    layout = Table(
        name="table2",
        title="Table 2: time a hand of NDDE in microseconds, ours / published",
        columns=(
            Column("hands"),
            Column("NP", "count"),
            *(Column(f"Gmax {most}") for most in GENERATIONS),
        ),
        rows=tuple((WORDS[types], population, *row) for (types, population), row in wide.items()),
        notes=(*notes, "Without early stop, and the factor: table2-cells."),
        groups=1,
    )
    by_cell = Table(
        name="table2-cells",
        title="Table 2, cell by cell",
        columns=(
            Column("hands"),
            Column("NP", "count"),
            Column("Gmax", "count"),
            Column("ours, early stop", "micros", 1),
            Column("ours, run on", "micros", 1),
            Column("published", "micros", 0),
            Column("published over ours", "number", 0),
        ),
        rows=tuple(cells),
        notes=notes,
        groups=2,
    )
    return layout, by_cell
