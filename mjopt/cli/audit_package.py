"""`mjopt audit-package`: compare the deficiencies of another package with exact results."""

from typing import Annotated

from typer import Argument, Option

from mjopt.audits.packages.adapters import PEERS, get_peer, peer_rows
from mjopt.audits.packages.comparison import Findings
from mjopt.cli.audit import Output, report
from mjopt.cli.options import Hands, HandsSeed, Json, RecipeReader, Work
from mjopt.hands.tiles import FULL, SANMA, as_tiles
from mjopt.hands.winning_forms import FORMS, names_of, read_forms


def command(
    package: Annotated[str, Argument(help=f"One of {', '.join(PEERS)}.", metavar="NAME")],
    *,
    hands: Hands,
    seed: HandsSeed = 0,
    reader: RecipeReader,
    forms: Annotated[
        str | None,
        Option(
            help=f"Winning forms, comma-separated: {', '.join(FORMS)}. "
            "[default: those of the package]"
        ),
    ] = None,
    output: Output = None,
    work: Work,
    json: Json = False,
) -> int:
    """Find every hand whose deficiency or shanten a package gets wrong.

    Each wrong value comes with its likely cause and a certificate. The package must be installed.
    Exit status 1 if a value is wrong.

    Example: `mjopt audit-package mahjong --hands deals:10000 --tiles 136`
    """
    peer = get_peer(package)
    chosen = peer.check_forms(None if forms is None else names_of(read_forms(forms, FULL)))
    is_sanma = reader.tiles is not None and as_tiles(reader.tiles) == SANMA
    tiles = SANMA if is_sanma else FULL
    find = peer.finder(chosen, tiles)
    with (
        reader.recipe_or_file(hands, seed=seed) as file,
        Findings(tiles=tiles, forms=read_forms(chosen, FULL), means="deficiency") as findings,
    ):
        return report(
            {"package": package, "version": peer.version, "hands_file": hands},
            peer_rows(file.rows(), find, reader.notation),
            len(file),
            findings,
            output=output,
            workers=work.workers,
            json=json,
        )
