"""`mjopt explain`: explain the deficiency of a hand in words."""

from mjopt.analysis.certify import certify
from mjopt.analysis.deficiency import winning_forms
from mjopt.analysis.discard import discards
from mjopt.analysis.explanation import explain
from mjopt.cli.options import FormsOfHand, HandText, Json, Unseen
from mjopt.cli.output import as_document, print_json
from mjopt.cli.readers import WholeHandReader


def command(
    hand: HandText,
    *,
    reader: WholeHandReader,
    unseen: Unseen = None,
    forms: FormsOfHand = None,
    json: Json = False,
) -> None:
    """Explain how far a hand is from winning, and why one tile less is impossible.

    Example: `mjopt explain 245568m245568p77s`
    """
    parsed = reader.hand(hand, unseen, forms=forms)
    chosen_forms = reader.forms(forms, parsed)
    unseen_counts = reader.unseen(unseen, parsed)
    certificate = certify(parsed, forms=chosen_forms, unseen=unseen_counts)
    explanation = explain(certificate)
    wins = winning_forms(parsed, chosen_forms)
    ranked = discards(parsed, unseen=unseen_counts, forms=chosen_forms) if wins else []
    names = parsed.tiles.names
    if not json:
        print(explanation.text)
        if ranked:
            print("\nDiscards, if the win is declined:")
        for discard in ranked:
            useful = discard.after.num_copies
            print(
                f"  {names[discard.kind]}: deficiency {discard.deficiency}, "
                f"{useful} useful tiles unseen"
            )
        return
    print_json(
        {
            "hand": parsed.to_text(reader.notation),
            **as_document(certificate.deficiency),
            "certified": certificate.certified,
            "wins": wins,
            "headline": explanation.headline,
            "target": list(explanation.target),
            "tiles": list(explanation.tiles),
            "reasons": list(explanation.reasons),
            "discards": [names[discard.kind] for discard in ranked],
        }
    )
