"""Figures of a study: each function draws one and returns it; `save_figure` writes it."""

from mjopt.experiments.figures.accuracy import draw_accuracy, draw_strata
from mjopt.experiments.figures.climbs import draw_climbs
from mjopt.experiments.figures.convergence import Panel, draw_convergence
from mjopt.experiments.figures.gaps import draw_gaps
from mjopt.experiments.figures.grids import draw_grid, draw_times_by_population
from mjopt.experiments.figures.ranks import draw_ranks
from mjopt.experiments.figures.style import save_figure
from mjopt.experiments.figures.times import draw_times

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
