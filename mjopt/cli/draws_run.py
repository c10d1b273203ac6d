"""What `mjopt draws` prints: tables, a curve, a picture, one JSON document."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from pathlib import Path
from typing import Any

from rich.bar import Bar
from rich.console import Console
from rich.progress import track
from rich.table import Table

from mjopt.answers.draws.calls import CallDraws, judge_calls
from mjopt.answers.draws.picture import draw_curves
from mjopt.answers.draws.ranking import Mean, rank_discards
from mjopt.answers.draws.record import Draws, check_wall
from mjopt.answers.draws.variants import FINITE, MODELS, ModelDraws, compare_models
from mjopt.cli.draws_json import (
    call_document,
    discard_document,
    distribution,
    models_document,
    question,
)
from mjopt.cli.show import as_text, print_json, tiles_text
from mjopt.hands.forms import UNREACHABLE
from mjopt.hands.hand import Hand

MOST_LINES = 24  # of the curve in the terminal
ENOUGH = 0.995  # where that curve ends
PLAIN_WIDTH = 200  # piped output keeps whole rows instead of folding them at 80 columns


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawsRun:
    """One question of the command line.

    Parameters
    ----------
    hand, wall, forms
        The hand, the wall (None: all not held) and the winning forms.
    models
        ``finite``, and others to print beside it.
    notation
        How tiles are written.
    within
        A number of draws to look at, if any.
    plot
        Where a picture goes, if anywhere.
    json
        Whether to print one JSON document.
    """

    hand: Hand
    wall: tuple[int, ...] | None
    forms: tuple[str, ...]
    models: tuple[str, ...]
    notation: str
    within: int | None
    plot: str | None
    json: bool

    @property
    def title(self) -> str:
        """The hand and the forms."""
        return f"{as_text(self.hand, self.notation)}  ({', '.join(self.forms)})"

    def document(self) -> dict[str, Any]:
        """Return what every JSON document begins with."""
        wall = check_wall(self.hand, self.wall)
        return question(self.hand, wall, self.forms, self.notation)

    def picture(self, curves: dict[str, Draws]) -> None:
        """Draw a picture if one was asked for."""
        if self.plot is not None:
            draw_curves(curves, Path(self.plot), title=as_text(self.hand, self.notation))


def show_hand(run: DrawsRun) -> None:
    """Print the draws of a hand that waits for its draw."""
    found = compare_models(run.hand, wall=run.wall, forms=run.forms, models=run.models)
    exact = found[0].draws
    assert exact is not None
    run.picture({model.model: model.draws for model in found if model.draws is not None})
    if run.json:
        print_json({**run.document(), **distribution(exact, run.within), **models_document(found)})
        return
    console = _console()
    console.print(_summary(exact, run))
    if len(found) > 1:
        console.print(_model_table(found))
    _print_curve(console, exact)


def show_discards(run: DrawsRun) -> None:
    """Print every discard of a hand that has drawn, the best first."""
    wall = check_wall(run.hand, run.wall)
    ranked = rank_discards(run.hand, wall=wall, forms=run.forms)
    console = Console(stderr=True)
    hide = len(run.models) == 1 or not console.is_terminal
    beside = [
        compare_models(row.hand, wall=wall, forms=run.forms, models=run.models)
        if len(run.models) > 1
        else []
        for row in track(ranked, "models", console=console, disable=hide, transient=True)
    ]
    names = run.hand.tiles.names
    best = [row for row in ranked if row.rank == 1]
    run.picture({names[r.kind]: r.draws for r in ranked[:6] if r.draws is not None})
    if run.json:
        rows = [
            discard_document(row, names, models, run.within)
            for row, models in zip(ranked, beside, strict=True)
        ]
        print_json({**run.document(), "best": [names[r.kind] for r in best], "discards": rows})
        return
    table = Table(title=run.title, title_justify="left")
    for column in ("", "discard", "expected draws", "more", "deficiency", "copies"):
        table.add_column(column, justify="right" if column else "left")
    extra = [model for model in run.models if model != FINITE]
    for model in extra:
        table.add_column(model, justify="right")
    if run.within is not None:
        table.add_column(f"by draw {run.within}", justify="right")
    table.add_column("useful tiles")
    for row, models in zip(ranked, beside, strict=True):
        kinds = {kind for kind, _ in row.useful}
        useful = tuple(int(kind in kinds) for kind in range(len(names)))
        cells = [
            f"{row.rank}{'=' if row.is_tied else ''}",
            names[row.kind],
            _number(row.mean),
            "best" if row.rank == 1 else f"+{_number(row.change)}",
            "-" if row.deficiency == UNREACHABLE else str(row.deficiency),
            str(row.num_useful),
            *(_number(found.mean) for found in models if found.model != FINITE),
        ]
        if run.within is not None and row.draws is not None:
            cells.append(f"{float(row.draws.within(run.within).probability):.2%}")
        table.add_row(*cells, tiles_text(useful, run.hand, run.notation))
    console = _console()
    console.print(table)
    if ranked[0].draws is not None:
        print(f"after {names[ranked[0].kind]}:")
        _print_curve(console, ranked[0].draws)


def show_calls(run: DrawsRun, tile: int) -> None:
    """Print every answer to another player's discard, the best first."""
    found = judge_calls(run.hand, tile, wall=run.wall, forms=run.forms)
    names = run.hand.tiles.names
    run.picture({_words(call, names): call.draws for call in found if call.draws is not None})
    if run.json:
        rows = [call_document(call, names, run.within) for call in found]
        print_json({**run.document(), "tile": names[tile], "answers": rows})
        return
    title = f"{run.title}: {names[tile]} is discarded"
    table = Table(title=title, title_justify="left")
    for column in ("answer", "expected draws", "against passing", "worth it"):
        table.add_column(column, justify="left" if column == "answer" else "right")
    for call in found:
        passes = call.action == "pass"
        change = "-" if passes else ("+" if call.change > 0 else "") + _number(call.change)
        worth = "-" if passes else "yes" if call.is_worth_it else "no"
        table.add_row(_words(call, names), _number(call.mean), change, worth)
    _console().print(table)


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=PLAIN_WIDTH)


def _number(value: Mean) -> str:
    return "never" if isinf(value) else f"{float(value):.4f}"


def _words(call: CallDraws, names: Sequence[str]) -> str:
    if call.meld is None:
        return call.action
    meld = "".join(names[kind][0] for kind in call.meld.kinds) + names[call.meld.kinds[0]][1]
    discard = "" if call.discard is None else f", discard {names[call.discard]}"
    return f"{call.action} {meld}{discard}"


def _summary(draws: Draws, run: DrawsRun) -> Table:
    table = Table(title=run.title, title_justify="left", show_header=False)
    table.add_column()
    table.add_column()
    exact = str(draws.mean) if draws.is_certain else ""
    shown = f" = {exact}" if 0 < len(exact) <= 40 else ""
    table.add_row("expected draws", f"{_number(draws.mean)}{shown}")
    table.add_row("wall", f"{draws.wall_size} tiles")
    if draws.is_certain:
        deviation = float(draws.variance) ** 0.5
        table.add_row("standard deviation", f"{deviation:.4f}")
        table.add_row("least, most", f"{draws.least}, {draws.most} draws")
        shares = ", ".join(f"{draws.quantile(q)}" for q in (0.1, 0.5, 0.9))
        table.add_row("10 %, 50 %, 90 % complete by", f"draw {shares}")
    else:
        table.add_row("", "not even the whole wall completes this hand")
    if run.within is not None:
        found = draws.within(run.within)
        mean = found.conditional_mean
        then = "" if mean is None else f", after {float(mean):.4f} draws on average"
        table.add_row(f"within {run.within} draws", f"{float(found.probability):.4%}{then}")
    return table


def _model_table(found: Sequence[ModelDraws]) -> Table:
    table = Table(title="beside the exact number", title_justify="left")
    for column in ("model", "expected draws", "error", "what it counts"):
        table.add_column(column)
    for model in found:
        error = "-" if model.error is None else f"{model.error:+.2%}"
        table.add_row(model.model, _number(model.mean), error, MODELS[model.model])
    return table


def _print_curve(console: Console, draws: Draws) -> None:
    """Print the probability to be complete, a bar for some numbers of draws."""
    if not draws.is_certain:
        return
    shares = draws.curve_floats
    last = next(i for i, share in enumerate(shares) if share >= ENOUGH)
    step = 1 + last // MOST_LINES
    table = Table(box=None, padding=(0, 1))
    table.add_column("draws", justify="right")
    table.add_column("complete", justify="right")
    table.add_column("", min_width=40)
    for number in range(0, last + step, step):
        share = shares[min(number, len(shares) - 1)]
        if number < len(shares):
            table.add_row(str(number), f"{share:.2%}", Bar(1.0, 0.0, share, width=40))
    console.print(table)
