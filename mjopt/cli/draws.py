"""`mjopt draws`: the expected number of draws until a hand is complete."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isinf
from pathlib import Path

from rich.bar import Bar as ShareBar
from rich.table import Table

from mjopt._internal.files import check_output
from mjopt.analysis.deficiency import winning_forms
from mjopt.chances.draws.distribution import Draws, check_wall
from mjopt.chances.draws.expected_draws import expected_draws
from mjopt.chances.draws.plot import plot_curves
from mjopt.chances.draws.ranking import Mean, rank_discards
from mjopt.cli.options import FigureFile, FormsOfHand, HandText, Json, Seen, Wall
from mjopt.cli.output import as_text, print_json, print_table, right, say_it_wins, tiles_text
from mjopt.cli.progress import waiting
from mjopt.cli.readers import HandReader
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE, names_of
from mjopt.hands.rules.winning_form import WinningForm

MOST_LINES = 24  # maximum number of lines of the curve
ENOUGH = 0.995  # probability at which the curve ends
KEPT = (
    "Every drawn tile is kept, until hand and draws together contain a win "
    "(`mjopt win-chance` discards a tile after each draw)."
)


def command(
    hand: HandText,
    *,
    reader: HandReader,
    wall: Wall = None,
    seen: Seen = None,
    forms: FormsOfHand = None,
    output: FigureFile = None,
    json: Json = False,
) -> None:
    """Print the exact expected number of draws and its distribution.

    Every drawn tile is kept until hand and draws contain a win. For a hand after its draw,
    every discard is ranked. For chances within your own draws, and for calls: `mjopt advise`.

    Example: `mjopt draws 4569m13445788p2s4z --forms standard,chiitoi`
    """
    if output is not None:
        check_output(output)
    read = reader.hand(hand, wall, seen, forms=forms)
    given_wall = reader.wall(read, wall, seen)
    chosen = reader.forms(forms, read)
    request = _Request(read, given_wall, chosen, reader.notation, output, json)
    if read.is_full:
        if request.wins and not json:
            say_it_wins(as_text(read, reader.notation), request.wins)
        _show_discards(request)
    else:
        _show_hand(request)


@dataclass(frozen=True, slots=True)
class _Request:
    """One query and its output options."""

    hand: Hand
    wall: tuple[int, ...] | None  # None: all tiles outside the hand
    forms: tuple[WinningForm, ...]
    notation: str
    output: str | None
    json: bool

    @property
    def title(self) -> str:
        """The hand and the forms."""
        return f"{as_text(self.hand, self.notation)}  ({', '.join(names_of(self.forms))})"

    @property
    def wins(self) -> list[str]:
        """The forms in which the hand is complete."""
        return winning_forms(self.hand, self.forms)

    def document(self) -> dict[str, object]:
        """Return the first keys of every JSON document."""
        wall = check_wall(self.hand, self.wall)
        return {
            "hand": self.hand.to_text(self.notation),
            "called": self.hand.called,
            "wall": tiles_text(wall, self.hand, self.notation),
            "wall_size": sum(wall),
            "forms": list(names_of(self.forms)),
            "wins": self.wins,
        }

    def plot_curves(self, curves: dict[str, Draws]) -> None:
        """Write the plot if requested."""
        if self.output is not None:
            plot_curves(curves, Path(self.output), title=as_text(self.hand, self.notation))

    def show(
        self, table: Table, title: str, *, notes: Sequence[str] = (), optional: Sequence[str] = ()
    ) -> None:
        """Print a table."""
        print_table(table, title=title, notes=notes, optional=optional)


def _show_hand(request: _Request) -> None:
    """Print the draws of a hand before its draw."""
    with waiting("counting"):
        draws = expected_draws(request.hand, wall=request.wall, forms=request.forms)
    request.plot_curves({as_text(request.hand, request.notation): draws})
    if request.json:
        print_json(request.document() | draws.to_document())
        return
    request.show(_summary(draws), request.title, notes=[KEPT])
    _print_curve(draws)


def _show_discards(request: _Request) -> None:
    """Print every discard of a hand after its draw, the best first."""
    wall = check_wall(request.hand, request.wall)
    with waiting("counting"):
        ranked = rank_discards(request.hand, wall=wall, forms=request.forms)
    names = request.hand.tiles.names
    request.plot_curves({names[r.kind]: r.draws for r in ranked[:6] if r.draws is not None})
    if request.json:
        rows = [row.to_document() for row in ranked]
        best = [names[row.kind] for row in ranked if row.rank == 1]
        print_json({**request.document(), "best": best, "discards": rows})
        return
    figures = ["discard", "expected draws", "more", "deficiency", "copies"]
    table = Table("", *right(figures), "useful tiles")
    for row in ranked:
        kinds = {kind for kind, _ in row.useful}
        useful = tuple(int(kind in kinds) for kind in range(len(names)))
        cells = [
            f"{row.rank}{'=' if row.is_tied else ''}",
            names[row.kind],
            _number(row.mean),
            "best" if row.rank == 1 else f"+{_number(row.change)}",
            "-" if row.deficiency == UNREACHABLE else str(row.deficiency),
            str(row.num_useful),
        ]
        table.add_row(*cells, tiles_text(useful, request.hand, request.notation))
    optional = ["useful tiles", "deficiency", "copies", "more"]
    request.show(table, request.title, notes=[KEPT], optional=optional)
    if ranked[0].draws is not None:
        print(f"after {names[ranked[0].kind]}:")
        _print_curve(ranked[0].draws)


def _number(value: Mean) -> str:
    return "never" if isinf(value) else f"{float(value):.4f}"


def _summary(draws: Draws) -> Table:
    table = Table("", "", show_header=False)
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
        table.add_row("", "the whole wall does not complete this hand")
    return table


def _print_curve(draws: Draws) -> None:
    """Print the cumulative win probability as bars."""
    if not draws.is_certain:
        return
    shares = draws.curve_floats
    last = next(i for i, share in enumerate(shares) if share >= ENOUGH)
    step = 1 + last // MOST_LINES
    table = Table(*right(["draws", "complete"]), "", box=None)
    for number in range(0, last + step, step):
        share = shares[min(number, len(shares) - 1)]
        if number < len(shares):
            table.add_row(str(number), f"{share:.2%}", ShareBar(1.0, 0.0, share, width=40))
    print_table(table)
