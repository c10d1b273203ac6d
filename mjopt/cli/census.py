"""`mjopt census`: the number of hands and deals by deficiency."""

from typing import Annotated

from rich.bar import Bar as ShareBar
from rich.table import Table
from typer import Option

from mjopt.cli.options import Forms, Json, Size, TileSetName
from mjopt.cli.output import print_json, print_table, right
from mjopt.cli.progress import waiting
from mjopt.hands.tiles import as_tiles
from mjopt.hands.winning_forms import STANDARD, check_forms
from mjopt.tables.census import census


def command(
    *,
    tiles: TileSetName = "m0",
    size: Size = 14,
    types: Annotated[
        int | None, Option(help="Only hands with exactly N suits.", metavar="N")
    ] = None,
    forms: Forms = STANDARD,
    json: Json = False,
) -> None:
    """Count all hands and all deals by deficiency, exactly.

    Example: `mjopt census --tiles 136 --size 13`
    """
    tile_set = as_tiles(tiles)
    chosen = check_forms(forms, tile_set)
    with waiting("counting"):
        counted = census(tile_set, size=size, forms=chosen, types=types)
    rows = list(enumerate(zip(counted.counts, counted.deals, strict=True)))
    if json:
        print_json(
            {
                "tiles": counted.tiles,
                "size": counted.size,
                "forms": list(counted.forms),
                "types": counted.types,
                "hands": counted.num_hands,
                "deals": counted.num_deals,
                "by_deficiency": [
                    {"deficiency": value, "hands": hands, "deals": deals}
                    for value, (hands, deals) in rows
                ],
            }
        )
        return
    kind = f", exactly {types} type{'s' * (types != 1)}" if types else ""
    table = Table(*right(["deficiency", "hands", "of hands", "deals", "of deals"]), "", box=None)
    for value, (hands, deals) in rows:
        share = deals / counted.num_deals
        of_hands = f"{hands / counted.num_hands:.4%}"
        cells = [str(value), f"{hands:,}", of_hands, f"{deals:,}", f"{share:.4%}"]
        table.add_row(*cells, ShareBar(1.0, 0.0, share, width=12))
    table.add_row("all", f"{counted.num_hands:,}", "", f"{counted.num_deals:,}")
    print_table(
        table,
        title=f"{counted.tiles}, {size} tiles{kind}, {', '.join(counted.forms)}",
        optional=["of hands"],
    )
