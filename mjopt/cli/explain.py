"""`mjopt explain`: the proof of a hand's deficiency in words."""

from mjopt.answers.certifying import certify
from mjopt.answers.explanation import explain
from mjopt.cli.options import Forms, HandReader, HandText, Json, Unseen, read_forms
from mjopt.cli.show import as_document, print_json
from mjopt.hands.forms import STANDARD


def command(
    hand: HandText,
    *,
    reader: HandReader,
    unseen: Unseen = None,
    forms: Forms = STANDARD,
    json: Json = False,
) -> None:
    """Explain how far a hand is from winning, and why one tile less is impossible.

    Example: `mjopt explain 245568m245568p77s`
    """
    read = reader.hand(hand, unseen, forms=forms)
    chosen = read_forms(forms, read.tiles)
    certificate = certify(read, forms=chosen, unseen=reader.unseen(unseen, read))
    found = explain(certificate)
    if not json:
        print(found.text)
        return
    print_json(
        {
            "hand": read.to_text(reader.notation),
            **as_document(certificate.deficiency),
            "certified": certificate.certified,
            "headline": found.headline,
            "target": list(found.target),
            "tiles": list(found.tiles),
            "reasons": list(found.reasons),
        }
    )
