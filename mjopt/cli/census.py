"""`mjopt census`: the number of hands and deals by deficiency."""

from typing import Annotated

from rich.bar import Bar as ShareBar
from rich.table import Table
from typer import Option

from mjopt.cli.options import FormsOfHand, Json, RuleSetName
from mjopt.cli.output import print_json, print_table, right
from mjopt.cli.progress import waiting
from mjopt.cli.readers import rules_of_options
from mjopt.errors import TileError
from mjopt.hands.tiles import as_tiles
from mjopt.tables.census import census


def command(
    *,
    rules: RuleSetName = None,
    tiles: Annotated[
        str | None,
        Option(
            "--tiles",
            help="Tile set: m0 (or 108), 136 (or full), sanma. [default: that of --rules, else m0]",
        ),
    ] = None,
    size: Annotated[
        int | None,
        Option("--size", help="Tiles in a hand. [default: those of a complete hand]"),
    ] = None,
    types: Annotated[
        int | None, Option(help="Only hands with exactly N suits.", metavar="N")
    ] = None,
    forms: FormsOfHand = None,
    json: Json = False,
) -> None:
    """Count all hands and all deals by deficiency, exactly.

    Example: `mjopt census --tiles 136 --size 13`
    """
    known = rules_of_options(rules, forms)
    if known is not None and tiles is not None and as_tiles(tiles) != known.tiles:
        raise TileError(f"--tiles {tiles}, but the rules {known.name} are about {known.tiles.name}")
    with waiting("counting"):
        counted = census(tiles or "m0", size=size, forms=forms, rules=known, types=types)
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
        title=f"{counted.tiles}, {counted.size} tiles{kind}, {', '.join(counted.forms)}",
        optional=["of hands"],
    )
