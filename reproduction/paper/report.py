"""Report of the paper audit: outcomes, hands and evidence as data and files."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from mjopt._internal.files import make_folder
from mjopt.audits.export import open_text, proved, write_csv, write_summary
from mjopt.errors import HandError
from mjopt.hands.blocks import Block, usage
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.predecomposition import Predecomposition, candidates
from mjopt.hands.rules.classic_forms import STANDARD
from mjopt.hands.symmetry import canonical_counts
from mjopt.hands.tiles import M0
from paper.audit import DEALS, Counts, JudgedHands, PaperAudit
from paper.counterexamples import DESCRIPTION, in_family

COLUMNS = (
    *("hand", "paper", "deficiency", "cost", "only_without_special_case_2"),
    *("in_family", "representative"),
)
CERTIFICATES = ("all", "representatives", "none")


class Case(NamedTuple):
    """A hand whose least cost differs from its deficiency.

    Attributes
    ----------
    counts, deficiency, cost
        The hand, its deficiency and its least cost.
    with_case_2
        Whether the numbers also differ when special case 2 applies.
    representative
        The counts of the representative of its symmetry class (`canonical_counts`).
    """

    counts: Counts
    deficiency: int
    cost: int
    with_case_2: bool
    representative: Counts


def _cases(audit: PaperAudit) -> list[Case]:
    """Return every hand with a wrong cost without special case 2, a superset of those with it."""
    return [
        Case(counts, deficiency, without, cost != deficiency, canonical_counts(counts, M0))
        for counts, deficiency, cost, without in audit.different()
    ]


def summary(audit: PaperAudit) -> dict[str, Any]:
    """Return the outcomes as plain data: hands, deals, and how often the numbers differ."""
    return {
        "hands": audit.num_hands,
        "deals": audit.num_deals,
        "different": audit.num_different,
        "deal_probability": audit.deal_probability,
        "family": DESCRIPTION,
        "with_special_case_2": _outcomes(audit.with_case_2),
        "without_special_case_2": _outcomes(audit.without_case_2),
    }


def _outcomes(groups: Iterable[JudgedHands]) -> list[dict[str, Any]]:
    return [asdict(group) | {"deal_probability": group.deals / DEALS} for group in groups]


def write_report(
    audit: PaperAudit,
    folder: Path,
    *,
    certificates: str = "representatives",
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[str, int], object] = lambda *_: None,
) -> dict[str, Any]:
    """Write the audit to a folder.

    ``hands.csv`` lists every hand with differing numbers. ``representatives.jsonl`` holds,
    for one hand of each symmetry class, the best predecomposition with its cost, and the
    line of its certificate in ``certificates.jsonl``. The certificates prove the deficiency
    of the representatives, or of all hands in the order of ``hands.csv``. ``summary.json``
    has the totals.

    Parameters
    ----------
    audit
        The audit to report.
    folder
        The output folder, created if needed.
    certificates
        ``representatives``, ``all`` or ``none``.
    jobs, scheduler
        Workers for the proofs, as for `certify_many`.
    progress
        Called with the name of a step and the number of hands done since the last call.

    Returns
    -------
    dict
        The content of ``summary.json``.
    """
    make_folder(folder)
    cases = _cases(audit)
    write_csv(folder / "hands.csv", COLUMNS, map(_cells, cases))
    progress("hands", len(cases))
    # Special case 2 comes first, since it is part of the paper's claim.
    by_class = {case.representative: case for case in cases}
    representatives = [
        case._replace(counts=case.representative)
        for case in sorted(
            by_class.values(), key=lambda case: (not case.with_case_2, case.representative)
        )
    ]
    certified = {"all": cases, "representatives": representatives, "none": []}[certificates]
    known = ((Hand.from_counts(case.counts), None, case.deficiency) for case in certified)
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


SUIT_ORDER = {"mpsz": (0, 1, 2), "paper": (2, 0, 1)}
"""The order of the suits in each notation; the paper starts with bamboos."""


def _text(counts: Counts, notation: str) -> str:
    parts = (_suit_text(i, counts[M0.slices[i]], notation) for i in SUIT_ORDER[notation])
    return "".join(parts)


@cache
def _suit_text(suit: int, part: Counts, notation: str) -> str:
    """Format one suit. The cache saves half a minute, since the hands share few suit states."""
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

    The function does not prove that the cost is the least. The audit does, or a solver
    does: see ``mjopt.models.predecomposition``.

    Parameters
    ----------
    hand
        The hand.
    cost
        The required cost.
    special_case_2
        Whether special case 2 applies.

    Raises
    ------
    HandError
        If no predecomposition has this cost.

    Examples
    --------
    >>> hand = Hand.parse("B3333 C222267 D7777", notation="paper")
    >>> best = predecomposition_of_cost(hand, 2)
    >>> " ".join(piece.text(hand.tiles) for piece in best.pieces)
    '222m 777p 333s 67m'
    """
    # Melds first: they reduce the cost most, so the search reaches cheap choices early.
    elements = sorted(candidates(hand), key=lambda piece: (not piece.is_meld, piece))
    best = _search(hand, cost, special_case_2, elements, ())
    if best is None:
        raise HandError(f"{hand.to_text()}: no predecomposition costs {cost}")
    return best


def _search(
    hand: Hand,
    cost: int,
    special_case_2: bool,
    elements: list[Block],
    chosen: tuple[Block, ...],
) -> Predecomposition | None:
    """Search all multisets of elements, larger ones first."""
    room = hand.melds_needed + 1 - len(chosen)
    used = usage(list(chosen), hand.tiles.num_kinds)
    for i, piece in enumerate(elements if room else ()):
        if all(used[k] + piece.kinds.count(k) <= hand.counts[k] for k in piece.kinds):
            longer = _search(hand, cost, special_case_2, elements[i:], (*chosen, piece))
            if longer is not None:
                return longer
    here = Predecomposition(hand, chosen)
    return here if here.cost(special_case_2=special_case_2) == cost else None
