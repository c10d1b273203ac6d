"""Make figures and tables of the article again: how long it takes, a page for each."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Final

from mjopt._internal.folder import hold_folder, make_folder, write_whole
from mjopt.agent_reproduction.bench import BASELINES, HANDS, Bench, perfect_name
from mjopt.agent_reproduction.measures import claims_table
from mjopt.agent_reproduction.normal_targets import fig8, table7, table8
from mjopt.agent_reproduction.perfect_targets import fig6, fig7, table6
from mjopt.agent_reproduction.players import FEATURES
from mjopt.agent_reproduction.results import Result
from mjopt.agent_reproduction.seeds import make_all, side_by_side
from mjopt.errors import StudyError
from mjopt.learning.checkpoints import PARTS, WEIGHTS
from mjopt.learning.config import Configuration
from mjopt.reports.figure import (
    add_legend,
    log_ticks,
    look,
    name_panel,
    panels,
    save_figure,
    styled,
)
from mjopt.reports.table import Table
from mjopt.reports.table_formats import write_table
from mjopt.reports.web_page import Section, figure_piece, page, table_piece, text_piece

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TARGETS: Final = {one.__name__: one for one in (fig6, fig7, fig8, table6, table7, table8)}
SEARCH_SECONDS, STEP_SECONDS, NORMAL_SECONDS = 0.8e-4, 0.22, 6e-4
"""Of the networks of ``small`` on one core: a simulation, a training step of 256 rows and 6 steps,
a row that the normal agent learns."""
STATE_SECONDS, HAND_SECONDS, DECISION_SECONDS = 3e-4, 0.015, 0.003
"""Of a real state in a search, of a hand between plain agents, of a held-out decision."""
DECISIONS: Final = 78
"""Of a game of self-play."""


TAUGHT: Final = (
    "The perfect agents learned from games of {} first (first_games), which the article's did not: "
    "part of their agreement with exact agents is not their own."
)


def read_agent_targets(words: Sequence[str]) -> list[str]:
    """Return targets in the article's order.

    Examples
    --------
    >>> read_agent_targets(["table6", "fig6"])
    ['fig6', 'table6']
    """
    for word in words:
        if word not in (*TARGETS, "all"):
            raise StudyError(f"{word!r}: expected one of {', '.join(TARGETS)}, or all")
    return [name for name in TARGETS if name in words or "all" in words]


def reproduce_agent(targets: Sequence[str], bench: Bench) -> list[Table]:
    """Make some targets; what stands in the folder is taken, and what was stopped goes on."""
    make_folder(bench.folder)
    tables: list[Table] = []
    with hold_folder(bench.folder):
        if min(bench.jobs, len(bench.seeds)) > 1:
            side_by_side(bench, partial(make_all, targets=[TARGETS[name] for name in targets]))
        for target in targets:
            bench.progress.say(target)
            result = TARGETS[target](bench)
            if result.claims:
                result.tables.append(claims_table(target, result.claims))
            _write(bench, target, result)
            tables += result.tables
    return tables


def _write(bench: Bench, target: str, result: Result) -> None:
    for name in ("tables", "figures"):
        make_folder(bench.folder / name)
    pieces = []
    if result.panels:
        svg = save_figure(bench.folder / "figures", target, draw(result))
        reading = "The mean over seeds; the band holds all of them."
        pieces.append(figure_piece(target, svg, title=result.title, reading=reading))
    for table in result.tables:
        write_table(bench.folder / "tables", table)
        pieces.append(table_piece(table, reading=""))
    config = bench.config
    told = [*result.told, f"Seeds {', '.join(map(str, bench.seeds))}; {bench.scale}; {config}"]
    if config.first_games != "self":
        told.insert(0, TAUGHT.format(config.first_games))
    lead = [text_piece(line) for line in told]
    text = page(result.title, lead, [Section(target, result.title, tuple(pieces))])
    write_whole(bench.folder / f"{target}.html", text.encode())


def draw(result: Result) -> "Figure":
    """Draw curves: the mean over seeds, and how far the seeds lie apart."""
    names = list(dict.fromkeys(name for curves in result.panels.values() for name in curves))
    with styled():
        figure, axes = panels(len(result.panels), share_x=False, share_y=False)
        for panel, (title, curves) in zip(axes, result.panels.items(), strict=True):
            for name, curve in curves.items():
                at, style = sorted(curve), look(names.index(name))
                panel.plot(at, [fmean(curve[x]) for x in at], label=name, **style.curve)
                low, high = ([of(curve[x]) for x in at] for of in (min, max))
                panel.fill_between(at, low, high, color=style.colour, alpha=0.15, linewidth=0)
            if result.is_log:
                panel.set_xscale("log")
                log_ticks(panel.xaxis, *panel.get_xlim())
            panel.set_xlabel(result.axis)
            name_panel(panel, title)
        handles = {
            label: handle
            for panel in axes
            for handle, label in zip(*panel.get_legend_handles_labels(), strict=True)
        }
        add_legend(figure, list(handles.values()), list(handles))
        return figure


# How long it takes ------------------------------------------------------------------------


def seconds_of(targets: Sequence[str], bench: Bench) -> float:
    """Return about how long targets take, trainings that stand left out.

    A seed takes one core; of several, as many are made at once as there are jobs.
    """
    config, scale, seeds, wanted = bench.config, bench.scale, bench.seeds, {*targets}
    simulations = {config.simulations} if wanted - {"fig6"} else set()
    simulations |= {*bench.simulations} if "fig6" in wanted else set()
    ways = {"bernoulli"} if wanted & {"fig8", "table7", "table8"} else set()
    ways |= {"none"} if "fig8" in wanted else set()
    perfect = [replace(config, simulations=n) for n in simulations]
    if "fig7" in wanted and not bench.is_one:
        perfect += [replace(config, hidden=hidden) for hidden in FEATURES.values()]
    trainings = {perfect_name(one): perfect_seconds(config, one.simulations) for one in perfect}
    trainings |= {f"normal-{way}": normal_seconds(config) for way in ways}
    left = [
        sum(
            long
            for name, long in trainings.items()
            if not (bench.place_of(f"{name}-{seed}") / WEIGHTS).exists()
        )
        for seed in seeds
    ]
    at_once = min(bench.jobs, len(seeds))
    call, test = SEARCH_SECONDS * ratio_of(config), 2 * scale.decisions // 3
    hand = HAND_SECONDS / (bench.jobs if at_once == 1 else 1)
    rated, walls = scale.tournaments * scale.games * HANDS * hand, 2 * scale.walls * hand
    curves = len(bench.simulations) * (test + PARTS * scale.curve) * config.evaluation_simulations
    each = {
        "fig6": curves * call,
        "fig7": test * sum(scale.evaluated) * (6 * call + STATE_SECONDS),
        "table6": test * config.simulations * (2 * call + STATE_SECONDS),
        "fig8": 4 * rated,
        "table7": len(BASELINES) * (rated + walls),
        "table8": walls,
    }
    seconds = sum(left) + len(seeds) * sum(each[target] for target in wanted)
    return scale.decisions * DECISION_SECONDS / bench.jobs + seconds / at_once


def ratio_of(config: Configuration) -> float:
    """Return how many times as large the networks are as those of ``small``."""
    return config.blocks * config.channels**2 / (4 * 32**2)


def perfect_seconds(config: Configuration, simulations: int) -> float:
    """Return about how long a perfect agent is trained on one core.

    Examples
    --------
    >>> from mjopt.learning.config import PRESETS
    >>> [round(perfect_seconds(PRESETS["small"], n) / 60) for n in (5, 25)]
    [6, 8]
    """
    decisions = config.versions * (config.games + config.gate_games) * DECISIONS
    steps = config.steps * config.batch * (config.unroll + 1) / (256 * 7) * STEP_SECONDS
    return ratio_of(config) * (decisions * simulations * SEARCH_SECONDS + steps)


def normal_seconds(config: Configuration) -> float:
    """Return about how long a normal agent is trained on one core, its games included."""
    ratio = config.normal_blocks * config.normal_channels**2 / (6 * 64**2)
    rows = (round(1 / config.decay) + 1) * config.decay_steps * config.normal_batch
    games = config.normal_games * DECISIONS * config.simulations * SEARCH_SECONDS
    return ratio_of(config) * games + rows * NORMAL_SECONDS * ratio
