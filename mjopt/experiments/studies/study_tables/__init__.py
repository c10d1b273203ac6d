"""The tables of a study, each from its summary."""

from mjopt.experiments.studies.study_tables.accuracy import (
    accuracy_table,
    gap_table,
    runs_table,
    strata_table,
    stratum_table,
)
from mjopt.experiments.studies.study_tables.effort import (
    early_stop_table,
    effort_table,
    grid_tables,
    seconds_table,
)
from mjopt.experiments.studies.study_tables.outcomes import (
    comparison_table,
    pairs_table,
    ranking_table,
)
from mjopt.experiments.studies.study_tables.settings import methods_table, sets_table

__all__ = [
    "accuracy_table",
    "comparison_table",
    "early_stop_table",
    "effort_table",
    "gap_table",
    "grid_tables",
    "methods_table",
    "pairs_table",
    "ranking_table",
    "runs_table",
    "seconds_table",
    "sets_table",
    "strata_table",
    "stratum_table",
]
