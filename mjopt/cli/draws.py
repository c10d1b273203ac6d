"""`mjopt draws`: how many draws until the hand is complete."""

from typing import Annotated

import typer

from mjopt.cli.options import (
    Called,
    Forms,
    HandReader,
    Json,
    Melds,
    NotationName,
    Partial,
    TileSetName,
    read_forms,
)
from mjopt.errors import HandError, MjoptError, TileError
from mjopt.hands.forms import STANDARD
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation

NAME = "draws"


def command(
    hand: Annotated[
        str, typer.Argument(help="A hand of 13 or 14 tiles, or fewer.", metavar="HAND")
    ],
    *,
    tiles: TileSetName = "m0",
    notation: NotationName = "mpsz",
    called: Called = None,
    meld: Melds = None,
    partial: Partial = False,
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
    # NumPy loads here: `mjopt --help` does not need it.
    from mjopt.cli.draws_run import DrawsRun, show_calls, show_discards, show_hand

    reader = HandReader(tiles=tiles, notation=notation, called=called, melds=meld, partial=partial)
    read = reader.hand(hand)
    if within is not None and within < 0:
        raise HandError(f"--within {within}, expected 0 or more draws")
    run = DrawsRun(
        hand=read,
        wall=_wall(read, wall, seen, notation),
        forms=read_forms(forms, read.tiles),
        models=_models(model),
        notation=notation,
        within=within,
        plot=plot,
        json=json,
    )
    if call is not None:
        show_calls(run, _one_tile(read, call, notation))
    elif read.is_full:
        show_discards(run)
    else:
        show_hand(run)


def _tiles(hand: Hand, text: str, option: str, notation: str) -> tuple[int, ...]:
    try:
        return get_notation(notation).parse(text, hand.tiles).counts
    except MjoptError as error:
        raise type(error)(f"{option} {text!r}: {error}") from None


def _wall(hand: Hand, wall: str | None, seen: str | None, notation: str) -> tuple[int, ...] | None:
    if wall is None and seen is None:
        return None
    left = hand.unseen if wall is None else _tiles(hand, wall, "--wall", notation)
    if seen is None:
        return left
    gone = _tiles(hand, seen, "--seen", notation)
    for kind, (there, away) in enumerate(zip(left, gone, strict=True)):
        if away > there:
            raise TileError(
                f"--seen {seen!r}: {away} copies of {hand.tiles.names[kind]}, "
                f"but only {there} can be anywhere else"
            )
    return tuple(there - away for there, away in zip(left, gone, strict=True))


def _one_tile(hand: Hand, text: str, notation: str) -> int:
    counts = _tiles(hand, text, "--call", notation)
    if sum(counts) != 1:
        raise TileError(f"--call {text!r}: {sum(counts)} tiles, expected one")
    return counts.index(1)


def _models(text: str) -> tuple[str, ...]:
    from mjopt.answers.draws.variants import MODELS
    from mjopt.errors import ModelError

    names = tuple(MODELS) if text == "all" else tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in MODELS:
            raise ModelError(f"--model {name}: expected one of {', '.join(MODELS)}, all")
    return ("finite", *(name for name in names if name != "finite"))
