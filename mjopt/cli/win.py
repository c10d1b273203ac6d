"""`mjopt win`: whether a hand is complete, and its decompositions."""

from mjopt.analysis.deficiency import decompositions, winning_forms
from mjopt.cli.options import FormsOfHand, HandText, Json
from mjopt.cli.output import print_json
from mjopt.cli.readers import WholeHandReader
from mjopt.hands.blocks import Block, Shape
from mjopt.hands.tiles import TileSet


def command(
    hand: HandText,
    *,
    reader: WholeHandReader,
    forms: FormsOfHand = None,
    json: Json = False,
) -> int:
    """Print whether a hand wins, with every decomposition. Exit status 1 if it does not.

    Example: `mjopt win 11122233344455s`
    """
    read = reader.hand(hand, forms=forms)
    chosen = reader.forms(forms, read)
    winning = winning_forms(read, chosen)
    complete = [form for form in chosen if form.name in winning]
    listed = [form for form in complete if not (form.is_pairs or form.is_singles)]
    ways = decompositions(read, forms=listed) if listed else []
    texts = [[_text(block, read.tiles) for block in way] for way in ways]
    if json:
        print_json(
            {
                "hand": read.to_text(reader.notation),
                "win": bool(winning),
                "forms": winning,
                "decompositions": texts,
            }
        )
    elif winning:
        print(f"wins\t{', '.join(winning)}")
        for blocks in texts:
            print(f"\t{' '.join(blocks)}")
    else:
        short = "" if read.is_full else f" ({read.num_tiles} tiles, one short of a hand to judge)"
        print(f"does not win{short}")
    return 0 if winning else 1


def _text(block: Block, tiles: TileSet) -> str:
    text = block.text(tiles)
    return f"(joker for {text})" if block.shape is Shape.JOKER else text
