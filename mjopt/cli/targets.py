"""`mjopt targets`: the complete hands at the least distance."""

from itertools import islice
from typing import Annotated, Any

from typer import Option

from mjopt.analysis.targets import targets
from mjopt.cli.options import FormsOfHand, HandText, Json, Unseen
from mjopt.cli.output import as_document, as_text, print_json, tiles_text, value_text
from mjopt.cli.readers import WholeHandReader
from mjopt.errors import ArgumentError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import names_of


def command(
    hand: HandText,
    *,
    reader: WholeHandReader,
    unseen: Unseen = None,
    forms: FormsOfHand = None,
    limit: Annotated[int, Option(help="Number of hands to list; 0 only counts them.")] = 20,
    json: Json = False,
) -> None:
    """Count the nearest complete hands and list some, with the tiles to draw and discard.

    Example: `mjopt targets 4569m13445788p2s4z`
    """
    if limit < 0:
        raise ArgumentError(argument="--limit", value=str(limit), expected="0 or more")
    read = reader.hand(hand, unseen, forms=forms)
    chosen = reader.forms(forms, read)
    nearest = targets(read, unseen=reader.unseen(unseen, read), forms=chosen)
    notation = reader.notation
    listed = [
        _row(read, target, notation) | {"forms": list(nearest.forms_of(target))}
        for target in islice(nearest, limit)
    ]
    if json:
        print_json(
            {
                "hand": read.to_text(notation),
                **as_document(nearest.deficiency),
                "forms": list(names_of(nearest.forms)),
                "number": nearest.number,
                "targets": listed,
            }
        )
        return
    print(f"{as_text(read, notation)}: {value_text(nearest.deficiency)}, {nearest.number} targets")
    has_several = len(nearest.forms) > 1
    for row in listed:
        named = f"   {', '.join(row['forms'])}" if has_several else ""
        print(f"  {row['target']}   draw {row['draws']}   discard {row['discards']}{named}")
    if len(listed) < nearest.number:
        print(f"  ... {nearest.number - len(listed)} more")


def _row(hand: Hand, target: tuple[int, ...], notation: str) -> dict[str, Any]:
    pairs = list(zip(target, hand.counts, strict=True))
    return {
        "target": tiles_text(target, hand, notation),
        "draws": tiles_text(tuple(max(0, w - h) for w, h in pairs), hand, notation),
        "discards": tiles_text(tuple(max(0, h - w) for w, h in pairs), hand, notation),
    }
