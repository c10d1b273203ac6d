"""Figures of a study: each function draws one and returns it; `save_figure` writes it."""

from mjopt.experiments.studies.figures.accuracy import draw_accuracy, draw_strata
from mjopt.experiments.studies.figures.climbs import draw_climbs
from mjopt.experiments.studies.figures.convergence import Panel, draw_convergence
from mjopt.experiments.studies.figures.gaps import draw_gaps
from mjopt.experiments.studies.figures.grids import draw_grid, draw_times_by_population
from mjopt.experiments.studies.figures.ranks import draw_ranks
from mjopt.experiments.studies.figures.times import draw_times
from mjopt.reports.figure import save_figure

__all__ = [
    "Panel",
    "draw_accuracy",
    "draw_climbs",
    "draw_convergence",
    "draw_gaps",
    "draw_grid",
    "draw_ranks",
    "draw_strata",
    "draw_times",
    "draw_times_by_population",
    "save_figure",
]
