"""`mjopt win-chance`: bounds on the chance to win within N draws, for every discard."""

import gzip
import json as json_text
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from rich.table import Table
from typer import Option

from mjopt._internal.files import atomic_open, check_output
from mjopt._internal.sanitize import shorten
from mjopt.analysis.deficiency import winning_forms
from mjopt.chances.win_chance.discard_bounds import PlayedDiscard, decimals
from mjopt.chances.win_chance.optimal_play import AUTO, optimal_play
from mjopt.chances.win_chance.play_bounds import COMPLETE, TABLE, Play
from mjopt.cli.options import FormsOfHand, HandText, Json, Seen
from mjopt.cli.output import as_text, print_json, print_table, right, say_it_wins, tiles_text, warn
from mjopt.cli.progress import waiting
from mjopt.cli.readers import WholeHandReader
from mjopt.errors import ArgumentError
from mjopt.hands.rules.classic_forms import names_of
from mjopt.proofs.limits import LIMITS

DIGITS = 6
NOT_SEARCHED = "not searched"
MORE = {
    "given": "--waste {} includes more plays",
    "settled": "--waste {} includes more plays, though the last step gained at most a thousandth",
    "seconds": "--waste {} includes more plays",
}


GUIDE = (
    "The ceiling is a guide, not a bound: tiles are seen elsewhere, and the table is for a wall "
    "that holds all tiles that the hand does not."
)


def command(
    hand: HandText,
    *,
    reader: WholeHandReader,
    seen: Seen = None,
    forms: FormsOfHand = None,
    draws: Annotated[int, Option(help="Draws to come.", metavar="N")] = 18,
    waste: Annotated[
        str,
        Option(help="Exchanges that do not lower the deficiency: 0, 1, ... or auto.", metavar="N"),
    ] = AUTO,
    ceiling: Annotated[
        str | None,
        Option(
            help="A ceiling table, or none. [default: the one in the data folder]", metavar="FILE"
        ),
    ] = None,
    output: Annotated[
        str | None,
        Option("--output", "-o", help="Write a certificate: .json or .json.gz.", metavar="FILE"),
    ] = None,
    json: Json = False,
) -> None:
    """Bound the chance to win within N draws under optimal play, for every discard.

    Each turn draws a tile and discards one for good; there are no calls. The lower bounds
    hold without conditions. The upper bounds hold for plays with at most the given waste, and
    for all plays where the output says so. All digits are rounded outwards. With a table of
    `mjopt ceiling build`, no play at all exceeds the column "any play".

    Example: `mjopt win-chance 22557m234p34789s3z --draws 12 -o proof.json.gz`
    """
    if output is not None:
        if not output.endswith((".json", ".json.gz")):
            raise ArgumentError(
                argument="-o", value=str(output), expected="a name that ends in .json or .json.gz"
            )
        check_output(output)
    read = reader.hand(hand, seen, forms=forms)
    chosen = reader.forms(forms, read)
    copies = read.unseen if (known := reader.wall(read, None, seen)) is None else known
    wins = winning_forms(read, chosen)
    about = {
        "hand": read.to_text(reader.notation),
        "called": read.called,
        "wall": tiles_text(copies, read, reader.notation),
        "wall_size": sum(copies),
        "forms": list(names_of(chosen)),
        "wins": wins,
    }
    title = as_text(read, reader.notation)
    with waiting("searching"):
        play = optimal_play(
            read,
            wall=copies,
            draws=draws,
            waste=_waste(waste),
            forms=chosen,
            table=False if ceiling == "none" else ceiling,
        )
    if output is not None:
        _write(play, Path(output))
    if json:
        print_json({**about, **play.to_document()})
        return
    if wins:
        say_it_wins(title, wins)
    _show(play, title)


def _waste(text: str) -> int | str:
    if text == AUTO:
        return text
    if not text.isdecimal() or len(text) > 9:
        raise ArgumentError(
            argument="--waste", value=shorten(text), expected=f"0, 1, ... or {AUTO}"
        )
    return int(text)


def _write(play: Play, path: Path) -> None:
    """Write the certificate of the best discard."""
    text = json_text.dumps(play.to_certificate(), separators=(",", ":")).encode() + b"\n"
    with atomic_open(path) as file:
        file.write(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
    if len(text) > LIMITS.bytes:
        warn(
            f"{path}: a certificate of {len(text):,} bytes; `mjopt verify` accepts it with "
            f"--limits bytes={len(text)}"
        )


def _show(play: Play, title: str) -> None:
    """Print every discard, the best first."""
    table = Table(
        *right(["discard", "at least", "at most", "any play", "exactly", "loses at most"])
    )
    is_guide = play.ceiling_is_bound is False
    if is_guide:
        table.add_column("ceiling", justify="right")
    for row in play.discards:
        table.add_row(*_cells(row), *([_decimals(row.ceiling or Fraction(0), up=True)] * is_guide))
    notes = [_summary(play)]
    if is_guide:
        notes.append(GUIDE)
    if play.has_no_table:
        called = f" --called {play.hand.called}" if play.hand.called else ""
        notes.append(
            f"`mjopt ceiling build --tiles {play.hand.tiles.key}{called} --draws {play.draws}` "
            "bounds all plays more closely."
        )
    print_table(table, title=title, notes=notes, optional=["any play", "exactly"])


def _summary(play: Play) -> str:
    """Say what to throw, its chance, against which plays that is proven, and how to prove more."""
    best = play.best
    if play.is_ranked_by_ceiling:
        text = "the first hand" if best.kind is None else f"throw {_name(best)}: the hand"
        text += f" has the ceiling {_decimals(best.ceiling or Fraction(0), up=True)}"
        text += f" within {play.draws} draws, which no discard exceeds"
        if play.stopped == TABLE:
            return f"{text[0].upper()}{text[1:]}; the win is too far away to search for a play."
        return (
            f"{text[0].upper()}{text[1:]}; plays of waste {play.waste} ({play.states} hands) win "
            f"at least {_decimals(max(row.lower for row in play.discards))}, and "
            f"{MORE[play.stopped].format(play.waste + 1)}."
        )
    if play.names_no_best:
        return (
            f"No tile is named: only plays of waste 0 ({play.states} hands) were searched, among "
            f"which {_name(best)} wins at least {_decimals(best.lower)}. Another tile may be "
            f"better; {MORE[play.stopped].format(1)}, and `mjopt advise` compares all options."
        )
    lower, upper = _decimals(best.lower), _decimals(best.upper, up=True)
    text = f"the chance to win within {play.draws} draws is {lower} to {upper}"
    if best.kind is not None:
        text = f"throw {_name(best)}: {text}"
    if len(play.discards) > 1:
        regret = f"another discard may be better by at most {_decimals(best.regret, up=True)}"
        text += f", and {'no other discard is better' if play.best_proven else regret}"
    text = f"{text[0].upper()}{text[1:]}; this is proven against "
    if play.stopped == COMPLETE:
        return f"{text}all plays ({play.states} hands)."
    most = _decimals(max(row.upper_any for row in play.discards), up=True)
    more = MORE[play.stopped].format(play.waste + 1)
    return (
        f"{text}plays of waste {play.waste} ({play.states} hands), any other play wins with at "
        f"most {most}, and {more}."
    )


def _decimals(number: Fraction, *, up: bool = False) -> str:
    return decimals(number, DIGITS, up=up)


def _name(row: PlayedDiscard) -> str:
    return "-" if row.kind is None else row.hand.tiles.names[row.kind]


def _cells(row: PlayedDiscard) -> list[str]:
    exact = "" if row.value is None else str(row.value)
    if not row.is_searched:
        any_play = _decimals(row.upper_any, up=True)
        return [_name(row), NOT_SEARCHED, NOT_SEARCHED, any_play, "", ""]
    return [
        _name(row),
        _decimals(row.lower),
        _decimals(row.upper, up=True),
        _decimals(row.upper_any, up=True),
        ("yes" if len(exact) > 40 else exact) if row.is_exact else "",
        _decimals(row.regret, up=True) if row.regret else "none",
    ]
