"""`mjopt discards`: ranked discards and useful tiles."""

from typing import TypedDict

from rich.table import Table

from mjopt.analysis.deficiency import winning_forms
from mjopt.analysis.discard import discards
from mjopt.analysis.useful_tiles import UsefulTiles, useful_tiles
from mjopt.cli.options import FormsOfHand, HandText, Json, Unseen
from mjopt.cli.output import as_text, print_json, print_table, say_it_wins
from mjopt.cli.progress import waiting
from mjopt.cli.readers import WholeHandReader
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE, names_of

RANKED = (
    "Ranked by deficiency, then by copies of useful tiles, then by tile "
    "(`mjopt draws` separates most ties)."
)


def command(
    hand: HandText,
    *,
    reader: WholeHandReader,
    unseen: Unseen = None,
    forms: FormsOfHand = None,
    json: Json = False,
) -> None:
    """Rank the discards of a 14-tile hand; for 13 tiles, list the useful tiles.

    A useful tile lowers the deficiency; the number of unseen copies follows each kind.

    Example: `mjopt discards 4569m13445788p2s4z`
    """
    read = reader.hand(hand, unseen, forms=forms)
    known, chosen = reader.unseen(unseen, read), reader.forms(forms, read)
    wins = winning_forms(read, chosen)
    if not read.is_full:
        rows = [_row(read, useful_tiles(read, unseen=known, forms=chosen))]
    else:
        with waiting("ranking discards"):
            ranked = discards(read, unseen=known, forms=chosen)
        rows = [_row(read, d.after, d.kind) for d in ranked]
    if json:
        about = {
            "hand": read.to_text(reader.notation),
            "forms": list(names_of(chosen)),
            "wins": wins,
        }
        print_json({**about, "discards": rows})
        return
    title = as_text(read, reader.notation)
    if wins:
        say_it_wins(title, wins)
    _show(title, rows)


class _Row(TypedDict):
    """A discard, and the hand after it."""

    discard: str | None
    deficiency: int | None
    useful: dict[str, int]
    copies: int
    state: str


def _row(hand: Hand, after: UsefulTiles, kind: int | None = None) -> _Row:
    names = hand.tiles.names
    return {
        "discard": None if kind is None else names[kind],
        "deficiency": None if after.deficiency == UNREACHABLE else after.deficiency,
        "useful": {names[k]: copies for k, copies in after.copies},
        "copies": after.num_copies,
        "state": after.words,
    }


def _show(title: str, rows: list[_Row]) -> None:
    columns = ("discard", "deficiency", "copies", "useful tiles (copies unseen)", "state")
    table = Table(*columns)
    for row in rows:
        useful = " ".join(f"{name}({copies})" for name, copies in row["useful"].items())
        deficiency = "-" if row["deficiency"] is None else str(row["deficiency"])
        table.add_row(
            row["discard"] or "-", deficiency, str(row["copies"]), useful or "-", row["state"]
        )
    notes = [RANKED] if len(rows) > 1 else []
    print_table(table, title=title, notes=notes, optional=("state",))
