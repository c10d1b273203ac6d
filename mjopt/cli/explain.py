"""`mjopt explain`: the proof of a hand's deficiency in words."""

from mjopt.analysis.certify import certify
from mjopt.analysis.deficiency import winning_forms
from mjopt.analysis.discard import discards
from mjopt.analysis.explanation import explain
from mjopt.cli.options import Forms, HandReader, HandText, Json, Throw, Unseen, read_forms
from mjopt.cli.output import as_document, print_json
from mjopt.hands.winning_forms import STANDARD


def command(
    hand: HandText,
    *,
    reader: HandReader,
    unseen: Unseen = None,
    forms: Forms = STANDARD,
    throw: Throw = False,
    json: Json = False,
) -> None:
    """Explain how far a hand is from winning, and why one tile less is impossible.

    Example: `mjopt explain 245568m245568p77s`
    """
    read = reader.hand(hand, unseen, forms=forms)
    chosen = read_forms(forms, read.tiles)
    known = reader.unseen(unseen, read)
    certificate = certify(read, forms=chosen, unseen=known)
    found = explain(certificate)
    wins = winning_forms(read, chosen)
    thrown = discards(read, unseen=known, forms=chosen) if throw and wins else []
    names = read.tiles.names
    if not json:
        print(found.text)
        if thrown:
            print("\nTo throw all the same:")
        for each in thrown:
            after = f"deficiency {each.deficiency}, {each.after.num_copies} useful tiles unseen"
            print(f"  {names[each.kind]}: {after}")
        return
    print_json(
        {
            "hand": read.to_text(reader.notation),
            **as_document(certificate.deficiency),
            "certified": certificate.certified,
            "wins": wins,
            "headline": found.headline,
            "target": list(found.target),
            "tiles": list(found.tiles),
            "reasons": list(found.reasons),
            "discards": [names[each.kind] for each in thrown],
        }
    )
