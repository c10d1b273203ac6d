"""The audit of the paper as data and files: outcomes, hands, evidence."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mjopt._internal.files import make_folder
from mjopt.audits.packages.export import open_text, proved, write_csv, write_summary
from mjopt.audits.paper.audit import DEALS, Counts, JudgedHands, PaperAudit
from mjopt.audits.paper.counterexamples import DESCRIPTION, in_family
from mjopt.errors import HandError
from mjopt.hands.blocks import Block, usage
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.predecomposition import Predecomposition, candidates
from mjopt.hands.symmetry import canonical_counts
from mjopt.hands.tiles import M0
from mjopt.hands.winning_forms import STANDARD

COLUMNS = (
    *("hand", "paper", "deficiency", "cost", "only_without_special_case_2"),
    *("in_family", "representative"),
)


class Case(NamedTuple):
    """A hand whose least cost is not its deficiency.

    Attributes
    ----------
    counts, deficiency, cost
        The hand, and the two numbers.
    with_case_2
        Whether they differ with special case 2 applied too.
    representative
        The counts that stand for all hands alike (`canonical_counts`).
    """

    counts: Counts
    deficiency: int
    cost: int
    with_case_2: bool
    representative: Counts


def different_hands(audit: PaperAudit) -> list[Case]:
    """Return every hand that is wrong without special case 2, and so all that are with it."""
    return [
        Case(counts, deficiency, without, cost != deficiency, canonical_counts(counts, M0))
        for counts, deficiency, cost, without in audit.different()
    ]


def summary(audit: PaperAudit) -> dict[str, Any]:
    """Return the outcomes as plain data: hands, deals, and where the two numbers differ."""
    return {
        "hands": audit.num_hands,
        "deals": audit.num_deals,
        "different": audit.num_different,
        "deal_probability": audit.deal_probability,
        "family": DESCRIPTION,
        "with_special_case_2": _outcomes(audit.with_case_2),
        "without_special_case_2": _outcomes(audit.without_case_2),
    }


def _outcomes(found: Iterable[JudgedHands]) -> list[dict[str, Any]]:
    return [asdict(some) | {"deal_probability": some.deals / DEALS} for some in found]


def write_report(
    audit: PaperAudit,
    folder: Path,
    *,
    certificates: str = "representatives",
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[str, int], object] = lambda *_: None,
) -> dict[str, Any]:
    """Write the audit into a folder.

    ``hands.csv`` lists every hand that differs. ``representatives.jsonl`` holds, for
    one of all hands alike, the best predecomposition with its cost, and the line of
    its certificate in ``certificates.jsonl``; that file proves the deficiency of the
    representatives, or of all hands in the order of ``hands.csv``. ``summary.json``
    has the totals.

    Parameters
    ----------
    audit
        What was found.
    folder
        Where to; it is made if need be.
    certificates
        ``representatives``, ``all`` or ``none``.
    jobs, scheduler
        Who certifies, as for `certify_many`.
    progress
        Called with the name of a step and the number of further hands done.

    Returns
    -------
    dict
        The summary as it was written.
    """
    make_folder(folder)
    cases = different_hands(audit)
    write_csv(folder / "hands.csv", COLUMNS, map(_cells, cases))
    progress("hands", len(cases))
    # With special case 2 first: the paper's own claim is what most readers look for.
    by_class = {case.representative: case for case in cases}
    representatives = [
        case._replace(counts=case.representative)
        for case in sorted(
            by_class.values(), key=lambda case: (not case.with_case_2, case.representative)
        )
    ]
    certified = {"all": cases, "representatives": representatives, "none": []}[certificates]
    known = ((Hand.from_counts(case.counts), case.deficiency) for case in certified)
    with open_text(folder / "certificates.jsonl") as file:
        for certificate in proved(known, forms=(STANDARD,), jobs=jobs, scheduler=scheduler):
            file.write(certificate.to_json() + "\n")
            progress("certificates", 1)
    lines = {case.counts: line for line, case in enumerate(certified, 1)}
    with open_text(folder / "representatives.jsonl") as file:
        for case in representatives:
            record = _representative(case) | {"certificate": lines.get(case.counts)}
            file.write(json.dumps(record) + "\n")
            progress("representatives", 1)
    document = summary(audit) | {
        "representatives": sum(case.with_case_2 for case in representatives),
        "representatives_without_special_case_2": len(representatives),
    }
    write_summary(folder, document)
    return document


SUITS_AS_WRITTEN = {"mpsz": (0, 1, 2), "paper": (2, 0, 1)}
"""The order of the suits in each notation: the paper begins with bamboos."""


def _text(counts: Counts, notation: str) -> str:
    parts = (_suit_text(i, counts[M0.slices[i]], notation) for i in SUITS_AS_WRITTEN[notation])
    return "".join(parts)


@cache
def _suit_text(suit: int, part: Counts, notation: str) -> str:
    """Write one suit; the hands share few of them, and writing anew took half a minute."""
    none = (0,) * M0.num_kinds
    start = M0.slices[suit].start
    counts = (*none[:start], *part, *none[start + len(part) :])
    return get_notation(notation).write(counts, none, M0)


def _cells(case: Case) -> tuple[Any, ...]:
    return (
        _text(case.counts, "mpsz"),
        _text(case.counts, "paper"),
        case.deficiency,
        case.cost,
        "no" if case.with_case_2 else "yes",
        "yes" if in_family(case.counts) else "no",
        _text(case.representative, "mpsz"),
    )


def _representative(case: Case) -> dict[str, Any]:
    hand = Hand.from_counts(case.counts)
    best = predecomposition_of_cost(hand, case.cost, special_case_2=case.with_case_2)
    return {
        "hand": hand.to_text(),
        "paper": hand.to_text("paper"),
        "deficiency": case.deficiency,
        "special_case_2": case.with_case_2,
        "cost": best.cost(special_case_2=case.with_case_2),
        "predecomposition": [piece.text(hand.tiles) for piece in best.pieces],
    }


def predecomposition_of_cost(
    hand: Hand, cost: int, *, special_case_2: bool = True
) -> Predecomposition:
    """Return a predecomposition of the hand with exactly this cost.

    That nothing is cheaper is the audit's to know, or a solver's: see
    ``mjopt.models.predecomposition``.

    Parameters
    ----------
    hand
        The hand.
    cost
        The cost wanted.
    special_case_2
        Whether special case 2 applies.

    Raises
    ------
    HandError
        If there is none.

    Examples
    --------
    >>> hand = Hand.parse("B3333 C222267 D7777", notation="paper")
    >>> found = predecomposition_of_cost(hand, 2)
    >>> " ".join(piece.text(hand.tiles) for piece in found.pieces)
    '222m 777p 333s 67m'
    """
    # Melds first: they pay most, so a cheap choice comes up early.
    elements = sorted(candidates(hand), key=lambda piece: (not piece.is_meld, piece))
    found = _search(hand, cost, special_case_2, elements, ())
    if found is None:
        raise HandError(f"{hand.to_text()}: no predecomposition costs {cost}")
    return found


def _search(
    hand: Hand,
    cost: int,
    special_case_2: bool,
    elements: list[Block],
    chosen: tuple[Block, ...],
) -> Predecomposition | None:
    """Try every multiset of elements, longer ones first."""
    room = hand.melds_needed + 1 - len(chosen)
    used = usage(list(chosen), hand.tiles.num_kinds)
    for i, piece in enumerate(elements if room else ()):
        if all(used[k] + piece.kinds.count(k) <= hand.counts[k] for k in piece.kinds):
            found = _search(hand, cost, special_case_2, elements[i:], (*chosen, piece))
            if found is not None:
                return found
    here = Predecomposition(hand, chosen)
    return here if here.cost(special_case_2=special_case_2) == cost else None
