"""What a study compared, and on what, as tables."""

from mjopt.experiments.studies.summary import Summary
from mjopt.reports.table import Column, Table


def methods_table(summary: Summary) -> Table:
    """Return what was compared."""
    return Table(
        name="methods",
        title="Methods and their parameters",
        columns=(
            Column("method"),
            Column("heuristic"),
            Column("parameters"),
            Column("runs", "count"),
        ),
        rows=tuple(
            (
                one.label,
                one.name,
                ", ".join(f"{key} = {value}" for key, value in sorted(one.parameters.items()))
                or "none",
                summary.plan.num_runs(one),
            )
            for one in summary.plan.methods
        ),
    )


def sets_table(summary: Summary) -> Table:
    """Return what they were compared on."""
    return Table(
        name="sets",
        title="Hand sets",
        columns=(
            Column("set"),
            Column("recipe"),
            Column("seed"),
            Column("hands", "count"),
            Column("with certificate", "count"),
            Column("mean deficiency", "number", 3),
        ),
        rows=tuple(
            (
                hands.name,
                hands.recipe,
                str(hands.seed),
                hands.hands,
                hands.certified,
                sum(key * size for key, size in hands.strata["deficiency"].items()) / hands.hands,
            )
            for hands in summary.sets
        ),
        notes=(
            "The true deficiency of every hand comes from the lookup tables; for so many hands "
            "a certificate was made and checked by a program that shares no code with them.",
        ),
    )
