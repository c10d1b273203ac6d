"""`mjopt explain`: the proof of a hand's deficiency in words."""

from typing import Annotated

import typer

from mjopt.answers.certifying import certify
from mjopt.answers.explanation import explain
from mjopt.cli.options import (
    Called,
    Forms,
    HandReader,
    Json,
    Melds,
    NotationName,
    Partial,
    TileSetName,
    Unseen,
    split_forms,
)
from mjopt.cli.show import print_json
from mjopt.hands.forms import STANDARD, UNREACHABLE

NAME = "explain"


def command(
    hand: Annotated[str, typer.Argument(help="A hand of 13 or 14 tiles.", metavar="HAND")],
    *,
    tiles: TileSetName = "m0",
    notation: NotationName = "mpsz",
    called: Called = None,
    meld: Melds = None,
    partial: Partial = False,
    unseen: Unseen = None,
    forms: Forms = STANDARD,
    json: Json = False,
) -> None:
    """Explain how far a hand is from winning, and why one tile less is impossible.

    Example: `mjopt explain 245568m245568p77s`
    """
    reader = HandReader(tiles=tiles, notation=notation, called=called, melds=meld, partial=partial)
    read = reader.hand(hand)
    chosen = split_forms(forms)
    certificate = certify(read, forms=chosen, unseen=reader.unseen(unseen))
    found = explain(certificate)
    if not json:
        print(found.text)
        return
    value = certificate.deficiency
    print_json(
        {
            "hand": read.to_text(notation),
            "deficiency": None if value == UNREACHABLE else value,
            "reachable": value != UNREACHABLE,
            "certified": certificate.certified,
            "headline": found.headline,
            "target": list(found.target),
            "tiles": list(found.tiles),
            "reasons": list(found.reasons),
        }
    )
