"""`mjopt shanten`: the shanten number, one less than the deficiency."""

from dataclasses import dataclass, replace
from typing import Annotated

from typer import Option

from mjopt.analysis.deficiency import deficiency
from mjopt.cli.options import FORMS_HELP, HandTexts, Json, Unseen
from mjopt.cli.output import as_text, print_json
from mjopt.cli.readers import WholeHandReader, rules_of_options
from mjopt.errors import TileError
from mjopt.hands.rules.classic_forms import UNREACHABLE, names_of
from mjopt.hands.tiles import FULL, SANMA, as_tiles


@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiReader(WholeHandReader):
    """Reads hands of 136 tiles, as riichi uses; for three players those of ``sanma``."""

    tiles: Annotated[
        str | None,
        Option(
            "--tiles", help="Tile set: 136 (or full), sanma. [default: that of --rules, else 136]"
        ),
    ] = None


def command(
    hands: HandTexts,
    *,
    reader: RiichiReader,
    unseen: Unseen = None,
    forms: Annotated[
        str | None,
        Option("--forms", help=f"{FORMS_HELP} [default: those of --rules, else riichi]"),
    ] = None,
    json: Json = False,
) -> None:
    """Print the shanten of each hand over the riichi forms: one less than the deficiency.

    A win is -1, a hand that needs one tile is 0. The tile set has 136 tiles, or
    with `--tiles sanma` the 108 of three players. A fifth copy of a tile never counts as a wait,
    and seven pairs must be of different kinds. Other winning forms: `--rules` or `--forms`.

    Example: `mjopt shanten 123456m789p1146s1z`
    """
    rows: list[dict[str, object]] = []
    if rules_of_options(reader.rules, forms) is None:
        if reader.tiles is not None and as_tiles(reader.tiles) not in (FULL, SANMA):
            raise TileError(
                f"--tiles {reader.tiles}: riichi has 136 tiles, or those of sanma; "
                "see mjopt deficiency --forms all"
            )
        reader, forms = replace(reader, tiles=reader.tiles or "136"), forms or "riichi"
    for hand in reader.hands(hands, forms=forms):
        known, chosen = reader.unseen(unseen, hand), reader.forms(forms, hand)
        values = {form.name: deficiency(hand, forms=(form,), unseen=known) for form in chosen}
        least = min(values.values())
        reached = least != UNREACHABLE
        nearest = [name for name, value in values.items() if value == least and reached]
        row: dict[str, object] = {
            "hand": hand.to_text(reader.notation),
            "forms": list(names_of(chosen)),
            "shanten": least - 1 if reached else None,
            "deficiency": least if reached else None,
            "reachable": reached,
            "nearest": nearest,
        }
        rows.append(row)
        if not json:
            value = f"{row['shanten']}" if reached else "unreachable"
            reason = f"one less than the deficiency, {least}, as {', '.join(nearest)}"
            print(f"{value}\t{as_text(hand, reader.notation)}{f'   ({reason})' * reached}")
    if json:
        print_json(rows[0] if len(rows) == 1 else rows)
