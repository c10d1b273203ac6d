"""The forms of the target of a native certificate: each block, and each count, alone."""

from typing import Any

import pytest
from helpers.certificate_corpus import HANDS
from helpers.forged import Document, changed, message

from mjopt import FULL, Hand, certify

ORPHANS = HANDS["thirteen orphans"]().to_document()


@pytest.mark.parametrize(
    ("blocks", "is_form"),
    [
        ([["eye", [k, k]] for k in (0, 1, 2, 3, 4, 5, 6)], True),
        ([["eye", [k, k]] for k in (0, 1, 2, 3, 4, 5, 5)], False),
        ([["eye", [k, k]] for k in (0, 1, 2, 3, 4, 5)], False),
        ([["eye", [k, k]] for k in (0, 1, 2, 3, 4, 5, 6, 7)], False),
        ([*[["eye", [k, k]] for k in (0, 1, 2, 3, 4, 5)], ["single", [6]]], False),
        ([*[["eye", [k, k]] for k in (0, 1, 2, 3, 4, 5, 6)], ["single", [7]]], False),
    ],
)
def test_seven_pairs_are_seven_different_pairs(blocks, is_form):
    hand = Hand.parse("1122334455667m8p")
    document = certify(hand, forms=("seven_pairs",)).to_document()
    found = message(changed(document, ("target", "blocks", blocks)))
    assert ("are not seven_pairs" in found) != is_form


TERMINALS = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]


@pytest.mark.parametrize(
    ("singles", "eyes", "pongs", "is_form"),
    [
        (TERMINALS[1:], [0], [], True),
        (TERMINALS[1:-1], [0], [], False),
        ([*TERMINALS[2:], 1], [0], [], False),
        (TERMINALS[1:], [0, 8], [], False),
        (TERMINALS, [], [], False),
        (TERMINALS[2:], [0, 8], [], False),
        (TERMINALS[1:], [1], [], False),
        (TERMINALS[1:], [0], [1], False),
        (TERMINALS[1:], [], [0], False),
        (TERMINALS[2:], [0], [8], False),
    ],
)
def test_thirteen_orphans_are_all_of_them_and_one_twice(singles, eyes, pongs, is_form):
    blocks = [["single", [kind]] for kind in singles]
    blocks += [["eye", [kind] * 2] for kind in eyes] + [["pong", [kind] * 3] for kind in pongs]
    found = message(changed(ORPHANS, ("target", "blocks", blocks)))
    assert ("are not thirteen_orphans" in found) != is_form


def target(document: Document, form: str, blocks: list[Any]) -> Document:
    """Return the target of these blocks with the numbers that belong to it."""
    used = [sum(kinds.count(kind) for _, kinds in blocks) for kind in range(len(document["held"]))]
    both = [*zip(used, document["held"], strict=True)]
    return {
        "form": form,
        "blocks": blocks,
        "counts": used,
        "draws": [max(0, copies - held) for copies, held in both],
        "discards": [max(0, held - copies) for copies, held in both],
    }


def test_thirteen_orphans_need_honours():
    """A set without honours has 6 of them: the form is impossible, whatever the target."""
    terminals = [0, 8, 9, 17, 18, 26]
    blocks = [["eye", [0, 0]]] + [["single", [k]] for k in (*terminals[1:], *range(1, 8))]
    document = certify(Hand.parse("1m", tiles="m0", partial=True)).to_document()
    forged = {
        "forms": ["thirteen_orphans"],
        "bounds": {"thirteen_orphans": {"least": None}},
        "deficiency": 13,
        "target": target(document, "thirteen_orphans", blocks),
    }
    reason = "forms: thirteen_orphans is impossible in M0"
    assert message(changed(document, *forged.items())) == reason


def test_target_may_hold_four_copies_of_a_kind():
    document = certify(Hand.parse("11112355m", called=2)).to_document()
    assert max(document["target"]["counts"]) == 4
    assert message(document) == ""


@pytest.mark.parametrize("form", ["seven_pairs", "thirteen_orphans"])
def test_called_melds_leave_no_special_form(form):
    hand = Hand.parse("11m", tiles=FULL, called=4)
    document = certify(hand, forms=(form,)).to_document()
    assert document["deficiency"] is None
    reason = message(changed(document, ("bounds", form, "least", 13)))
    assert reason == f"bounds.{form}: least is None, not 13"
    blocks = [["eye", [kind] * 2] for kind in range(7)]
    if form == "thirteen_orphans":
        blocks = [["eye", [0, 0]]] + [["single", [kind]] for kind in TERMINALS[1:]]
    made = target(document, form, blocks)
    reason = message(changed(document, ("deficiency", 12), ("target", made)))
    assert reason.endswith(f"are not {form}")


@pytest.mark.parametrize("kind", [0, 5])
def test_five_copies_of_a_kind_are_refused_by_name(kind):
    document = certify(Hand.parse("12388m", called=3)).to_document()
    blocks = [["pong", [kind] * 3], ["eye", [kind] * 2]]
    forged = target(document, "standard", blocks)
    reason = message(changed(document, ("target", forged)))
    assert reason == f"target.blocks: 5 copies of {kind + 1}m"
