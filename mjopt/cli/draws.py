"""`mjopt draws`: how many draws until the hand is complete."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.bar import Bar as ShareBar
from rich.console import Console
from rich.table import Table

from mjopt.answers.draws.calls import CallDraws, judge_calls
from mjopt.answers.draws.picture import draw_curves
from mjopt.answers.draws.ranking import DiscardDraws, Mean, rank_discards
from mjopt.answers.draws.record import Draws
from mjopt.answers.draws.variants import FINITE, MODELS, ModelDraws, compare_models
from mjopt.answers.draws.walls import check_wall
from mjopt.cli.options import Forms, HandReader, Json, read_forms, split_names
from mjopt.cli.progress import Bar
from mjopt.cli.show import as_text, print_json, tiles_text, wide_console
from mjopt.errors import HandError, ModelError, TileError
from mjopt.hands.forms import STANDARD, UNREACHABLE
from mjopt.hands.hand import Hand

MOST_LINES = 24  # of the curve in the terminal
ENOUGH = 0.995  # where that curve ends
PIPED_WIDTH = 200


def command(
    hand: Annotated[
        str, typer.Argument(help="A hand of 13 or 14 tiles, or fewer.", metavar="HAND")
    ],
    *,
    reader: HandReader,
    wall: Annotated[
        str | None,
        typer.Option("--wall", help="The wall, as tiles. [default: all not held]", metavar="TILES"),
    ] = None,
    seen: Annotated[
        str | None,
        typer.Option("--seen", help="Tiles seen elsewhere: not in the wall.", metavar="TILES"),
    ] = None,
    forms: Forms = STANDARD,
    model: Annotated[
        str,
        typer.Option(
            "--model", help="finite (exact); beside it infinite, nearest, or all of them."
        ),
    ] = "finite",
    call: Annotated[
        str | None,
        typer.Option("--call", help="A tile another player discards: call it?", metavar="TILE"),
    ] = None,
    within: Annotated[
        int | None,
        typer.Option("--within", help="Also what so many draws are good for.", metavar="N"),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option("--plot", help="Draw the curve: a .png, .svg or .pdf file.", metavar="FILE"),
    ] = None,
    json: Json = False,
) -> None:
    """Print the exact expected number of draws, with its whole distribution.

    Every tile drawn is kept; the wait ends when hand and draws contain a win. For a
    hand that has drawn, every discard is judged, the best first; with `--call`, every
    answer to another player's discard.

    Example: `mjopt draws 4569m13445788p2s4z --tiles 136 --forms standard,seven_pairs`
    """
    read = reader.hand(hand)
    if within is not None and within < 0:
        raise HandError(f"--within {within}, expected 0 or more draws")
    given_wall = _wall(read, wall, seen, reader)
    chosen, models = read_forms(forms, read.tiles), _models(model)
    asked = _Asked(read, given_wall, chosen, models, reader.notation, within, plot, json)
    if call is not None:
        _show_calls(asked, _one_tile(read, call, reader))
    elif read.is_full:
        _show_discards(asked)
    else:
        _show_hand(asked)


def _wall(
    hand: Hand, wall: str | None, seen: str | None, reader: HandReader
) -> tuple[int, ...] | None:
    if wall is None and seen is None:
        return None
    left = hand.unseen if wall is None else reader.counts("--wall", wall, hand.tiles)
    if seen is None:
        return left
    gone = reader.counts("--seen", seen, hand.tiles)
    for kind, (there, away) in enumerate(zip(left, gone, strict=True)):
        if away > there:
            raise TileError(
                f"--seen {seen!r}: {away} copies of {hand.tiles.names[kind]}, "
                f"but only {there} can be anywhere else"
            )
    return tuple(there - away for there, away in zip(left, gone, strict=True))


def _one_tile(hand: Hand, text: str, reader: HandReader) -> int:
    counts = reader.counts("--call", text, hand.tiles)
    if sum(counts) != 1:
        raise TileError(f"--call {text!r}: {sum(counts)} tiles, expected one")
    return counts.index(1)


def _models(text: str) -> tuple[str, ...]:
    names = tuple(MODELS) if text == "all" else split_names(text)
    for name in names:
        if name not in MODELS:
            raise ModelError(f"--model {name}: expected one of {', '.join(MODELS)}, all")
    return (FINITE, *(name for name in names if name != FINITE))


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question, and how its answer is to be shown."""

    hand: Hand
    wall: tuple[int, ...] | None  # None: all not held
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
        return {
            "hand": self.hand.to_text(self.notation),
            "called": self.hand.called,
            "wall": tiles_text(wall, self.hand, self.notation),
            "wall_size": sum(wall),
            "forms": list(self.forms),
        }

    def picture(self, curves: dict[str, Draws]) -> None:
        """Draw a picture if one was asked for."""
        if self.plot is not None:
            draw_curves(curves, Path(self.plot), title=as_text(self.hand, self.notation))


def _show_hand(asked: _Asked) -> None:
    """Print the draws of a hand that waits for its draw."""
    found = compare_models(asked.hand, wall=asked.wall, forms=asked.forms, models=asked.models)
    exact = found[0].draws
    assert exact is not None
    asked.picture({model.model: model.draws for model in found if model.draws is not None})
    if asked.json:
        print_json(
            {**asked.document(), **_distribution(exact, asked.within), **_models_document(found)}
        )
        return
    console = wide_console(PIPED_WIDTH)
    console.print(_summary(exact, asked))
    if len(found) > 1:
        console.print(_model_table(found))
    _print_curve(console, exact)


def _show_discards(asked: _Asked) -> None:
    """Print every discard of a hand that has drawn, the best first."""
    wall = check_wall(asked.hand, asked.wall)
    ranked = rank_discards(asked.hand, wall=wall, forms=asked.forms)
    beside: list[Sequence[ModelDraws]] = [[] for _ in ranked]
    if len(asked.models) > 1:
        with Bar("models", len(ranked), unit="discards") as bar:
            for number, row in enumerate(ranked):
                beside[number] = compare_models(
                    row.hand, wall=wall, forms=asked.forms, models=asked.models
                )
                bar.advance()
    names = asked.hand.tiles.names
    best = [row for row in ranked if row.rank == 1]
    asked.picture({names[r.kind]: r.draws for r in ranked[:6] if r.draws is not None})
    if asked.json:
        rows = [
            _discard_document(row, names, models, asked.within)
            for row, models in zip(ranked, beside, strict=True)
        ]
        print_json({**asked.document(), "best": [names[r.kind] for r in best], "discards": rows})
        return
    table = Table(title=asked.title, title_justify="left")
    for column in ("", "discard", "expected draws", "more", "deficiency", "copies"):
        table.add_column(column, justify="right" if column else "left")
    extra = [model for model in asked.models if model != FINITE]
    for model in extra:
        table.add_column(model, justify="right")
    if asked.within is not None:
        table.add_column(f"by draw {asked.within}", justify="right")
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
        if asked.within is not None and row.draws is not None:
            cells.append(f"{float(row.draws.within(asked.within).probability):.2%}")
        table.add_row(*cells, tiles_text(useful, asked.hand, asked.notation))
    console = wide_console(PIPED_WIDTH)
    console.print(table)
    if ranked[0].draws is not None:
        print(f"after {names[ranked[0].kind]}:")
        _print_curve(console, ranked[0].draws)


def _show_calls(asked: _Asked, tile: int) -> None:
    """Print every answer to another player's discard, the best first."""
    found = judge_calls(asked.hand, tile, wall=asked.wall, forms=asked.forms)
    names = asked.hand.tiles.names
    asked.picture({_words(call, names): call.draws for call in found if call.draws is not None})
    if asked.json:
        rows = [_call_document(call, names, asked.within) for call in found]
        print_json({**asked.document(), "tile": names[tile], "answers": rows})
        return
    title = f"{asked.title}: {names[tile]} is discarded"
    table = Table(title=title, title_justify="left")
    for column in ("answer", "expected draws", "against passing", "worth it"):
        table.add_column(column, justify="left" if column == "answer" else "right")
    for call in found:
        passes = call.action == "pass"
        change = "-" if passes else ("+" if call.change > 0 else "") + _number(call.change)
        worth = "-" if passes else "yes" if call.is_worth_it else "no"
        table.add_row(_words(call, names), _number(call.mean), change, worth)
    wide_console(PIPED_WIDTH).print(table)


def _number(value: Mean) -> str:
    return "never" if isinf(value) else f"{float(value):.4f}"


def _words(call: CallDraws, names: Sequence[str]) -> str:
    if call.meld is None:
        return call.action
    meld = "".join(names[kind][0] for kind in call.meld.kinds) + names[call.meld.kinds[0]][1]
    discard = "" if call.discard is None else f", discard {names[call.discard]}"
    return f"{call.action} {meld}{discard}"


def _summary(draws: Draws, asked: _Asked) -> Table:
    table = Table(title=asked.title, title_justify="left", show_header=False)
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
    if asked.within is not None:
        found = draws.within(asked.within)
        mean = found.conditional_mean
        then = "" if mean is None else f", after {float(mean):.4f} draws on average"
        table.add_row(f"within {asked.within} draws", f"{float(found.probability):.4%}{then}")
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
            table.add_row(str(number), f"{share:.2%}", ShareBar(1.0, 0.0, share, width=40))
    console.print(table)


def _finite(value: Mean | None) -> float | None:
    return None if value is None or isinf(value) else float(value)


def _distribution(draws: Draws, within: int | None) -> dict[str, Any]:
    """Return the distribution, and what so many draws are good for."""
    document: dict[str, Any] = {
        "mean": str(draws.mean) if draws.is_certain else None,
        "mean_float": _finite(draws.mean),
        "variance": _finite(draws.variance),
        "is_certain": draws.is_certain,
        "deficiency": draws.least,
        "most": draws.most,
        "quantiles": {str(q): draws.quantile(q) for q in (0.1, 0.5, 0.9)},
        "curve": list(draws.curve_floats),
        "ways": [str(ways) for ways in draws.ways],  # beyond what many JSON readers can hold
    }
    if within is not None:
        found = draws.within(within)
        document["within"] = {
            "limit": within,
            "probability": str(found.probability),
            "conditional_mean": None
            if found.conditional_mean is None
            else str(found.conditional_mean),
            "mean": str(found.mean),
        }
    return document


def _models_document(found: Sequence[ModelDraws]) -> dict[str, Any]:
    """Return what each model expects."""
    return {
        "models": [
            {"model": model.model, "mean": _finite(model.mean), "error": model.error}
            for model in found
        ]
    }


def _discard_document(
    row: DiscardDraws, names: Sequence[str], models: Sequence[ModelDraws], within: int | None
) -> dict[str, Any]:
    """Return one line of the ranking."""
    assert row.draws is not None
    document: dict[str, Any] = {
        "discard": names[row.kind],
        "rank": row.rank,
        "is_tied": row.is_tied,
        "change": None if isinf(row.change) else str(row.change),
        "change_float": _finite(row.change),
        "useful": {names[kind]: copies for kind, copies in row.useful},
        **_distribution(row.draws, within),
    }
    return {**document, **_models_document(models)} if models else document


def _call_document(call: CallDraws, names: Sequence[str], within: int | None) -> dict[str, Any]:
    """Return one answer to a discard."""
    document: dict[str, Any] = {
        "action": call.action,
        "meld": None if call.meld is None else [names[kind] for kind in call.meld.kinds],
        "discard": None if call.discard is None else names[call.discard],
        "change_float": _finite(call.change),
        "is_worth_it": call.is_worth_it,
    }
    if call.draws is None:
        return {**document, "mean": "0", "mean_float": 0.0}
    return {**document, **_distribution(call.draws, within)}
