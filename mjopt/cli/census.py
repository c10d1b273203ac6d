"""`mjopt census`: how many hands, and deals, have each deficiency."""

from typing import Annotated

from typer import Option

from mjopt.cli.options import Forms, Json, Size, TileSetName, get_tiles, read_forms
from mjopt.cli.show import bar_text, print_json
from mjopt.hands.forms import STANDARD
from mjopt.tables.counting import census


def command(
    *,
    tiles: TileSetName = "m0",
    size: Size = 14,
    types: Annotated[
        int | None, Option(help="Only hands with exactly so many suits.", metavar="N")
    ] = None,
    forms: Forms = STANDARD,
    json: Json = False,
) -> None:
    """Count all hands and all deals by deficiency: exactly, nothing sampled.

    Example: `mjopt census --tiles 136 --size 13`
    """
    tile_set = get_tiles(tiles)
    chosen = read_forms(forms, tile_set)
    found = census(tile_set, size=size, forms=chosen, types=types)
    rows = list(enumerate(zip(found.counts, found.deals, strict=True)))
    if json:
        print_json(
            {
                "tiles": found.tiles,
                "size": found.size,
                "forms": list(found.forms),
                "types": found.types,
                "hands": found.num_hands,
                "deals": found.num_deals,
                "by_deficiency": [
                    {"deficiency": value, "hands": hands, "deals": deals}
                    for value, (hands, deals) in rows
                ],
            }
        )
        return
    kind = f", exactly {types} type{'s' * (types != 1)}" if types else ""
    print(f"{found.tiles}, {size} tiles{kind}, {', '.join(found.forms)}")
    print(f"{'':>10} {'hands':>22} {'share':>9} {'deals':>28} {'share':>9}")
    for value, (hands, deals) in rows:
        share = deals / found.num_deals
        print(
            f"{value:>10} {hands:>22,} {hands / found.num_hands:>9.4%} "
            f"{deals:>28,} {share:>9.4%} {bar_text(share)}".rstrip()
        )
    print(f"{'all':>10} {found.num_hands:>22,} {'':>9} {found.num_deals:>28,}")
