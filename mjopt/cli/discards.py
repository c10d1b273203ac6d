"""`mjopt discards`: ranked discards and useful tiles."""

from fractions import Fraction
from typing import Annotated, Any

from rich.table import Table
from typer import Option

from mjopt.analysis.deficiency import winning_forms
from mjopt.analysis.discard import discards
from mjopt.analysis.useful_tiles import UsefulTiles, useful_tiles
from mjopt.cli.options import (
    Forms,
    HandText,
    Json,
    Throw,
    Unseen,
    WholeHandReader,
    Wide,
)
from mjopt.cli.output import as_text, print_json, print_table, say_it_wins
from mjopt.cli.progress import waiting
from mjopt.hands.hand import Hand
from mjopt.hands.winning_forms import STANDARD, UNREACHABLE, check_forms

RANKED = (
    "Ranked by deficiency, then by copies of useful tiles, then by tile "
    "(`mjopt draws` separates most ties)."
)


def command(
    hand: HandText,
    *,
    reader: WholeHandReader,
    unseen: Unseen = None,
    forms: Forms = STANDARD,
    improving: Annotated[
        bool, Option("--improving", help="Also list draws that widen the wait.")
    ] = False,
    draws: Annotated[
        int | None,
        Option(help="Also bound the chance to win within N draws.", metavar="N"),
    ] = None,
    throw: Throw = False,
    wide: Wide = False,
    json: Json = False,
) -> None:
    """Rank the discards of a 14-tile hand; for 13 tiles, list the useful tiles.

    A useful tile lowers the deficiency; the number of unseen copies follows each kind. The
    discards of a complete hand are ranked only with `--throw`.

    Example: `mjopt discards 4569m13445788p2s4z`
    """
    read = reader.hand(hand, unseen, forms=forms)
    known, chosen = reader.unseen(unseen, read), check_forms(forms, read.tiles)
    wins = winning_forms(read, chosen)
    rows: list[dict[str, Any]] = []
    if not read.is_full:
        rows = [_row(read, useful_tiles(read, unseen=known, forms=chosen))]
    elif throw or not wins:
        with waiting("ranking discards"):
            ranked = discards(read, unseen=known, forms=chosen, improving=improving)
        rows = [_row(read, d.after, d.kind, d.improving) for d in ranked]
    if rows and draws is not None:
        _add_bounds(rows, read, known, chosen, draws)
    if json:
        about = {"hand": read.to_text(reader.notation), "forms": list(chosen), "wins": wins}
        print_json({**about, "discards": rows})
        return
    title = as_text(read, reader.notation)
    if wins:
        say_it_wins(title, wins, throw)
    if rows:
        _show(title, rows, wide=wide)


def _row(
    hand: Hand,
    after: UsefulTiles,
    kind: int | None = None,
    improving: tuple[tuple[int, int, int], ...] | None = None,
) -> dict[str, Any]:
    names = hand.tiles.names
    row: dict[str, Any] = {
        "discard": None if kind is None else names[kind],
        "deficiency": None if after.deficiency == UNREACHABLE else after.deficiency,
        "useful": {names[k]: copies for k, copies in after.copies},
        "copies": after.num_copies,
        "state": after.words,
    }
    if improving is not None:
        row["improving"] = {
            names[k]: {"copies": copies, "useful_then": best} for k, copies, best in improving
        }
    return row


def _add_bounds(
    rows: list[dict[str, Any]],
    hand: Hand,
    unseen: tuple[int, ...] | None,
    forms: tuple[str, ...],
    draws: int,
) -> None:
    """Add the bounds of `mjopt win-chance` to every row."""
    from mjopt.chances.win_chance.optimal_play import optimal_play

    wall = [min(pair) for pair in zip(hand.unseen, unseen or hand.unseen, strict=True)]
    with waiting("searching"):
        play = optimal_play(hand, wall=wall, draws=draws, forms=forms)
    bounds_by_kind = {row.kind: row.to_document() for row in play.discards}
    names = {name: kind for kind, name in enumerate(hand.tiles.names)}
    for row in rows:
        bounds = bounds_by_kind[names.get(row["discard"])]
        row["within"] = {
            "draws": play.draws,
            "waste": play.waste,
            **{key: bounds[key] for key in ("lower", "lower_float", "upper", "upper_float")},
        }


def _show(title: str, rows: list[dict[str, Any]], *, wide: bool) -> None:
    columns = ["discard", "deficiency", "copies", "useful tiles (copies unseen)", "state"]
    shows_improving = any("improving" in row for row in rows)
    if shows_improving:
        columns.append("improving (useful then)")
    within = rows[0].get("within")
    if within:
        from mjopt.chances.win_chance.discard_bounds import decimals

        columns[3:3] = [f"within {within['draws']}: at least", "at most"]
    table = Table(*columns)
    for row in rows:
        useful = " ".join(f"{name}({copies})" for name, copies in row["useful"].items())
        deficiency = "-" if row["deficiency"] is None else str(row["deficiency"])
        cells = [row["discard"] or "-", deficiency, str(row["copies"]), useful or "-", row["state"]]
        if within:
            lower, upper = (Fraction(row["within"][side]) for side in ("lower", "upper"))
            cells[3:3] = [decimals(lower, 4, up=False), decimals(upper, 4, up=True)]
        if shows_improving:
            better = row.get("improving", {})
            cells.append(" ".join(f"{n}({b['useful_then']})" for n, b in better.items()) or "-")
        table.add_row(*cells)
    notes = [RANKED] if len(rows) > 1 else []
    if within:
        notes.append(
            f"At most: for plays of waste {within['waste']} (`mjopt win-chance` explains both)."
        )
    print_table(
        table, title=title, notes=notes, optional=("state", "improving (useful then)"), wide=wide
    )
