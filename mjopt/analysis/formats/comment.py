"""Which hand a proof file is about: a comment that ties the file to its program."""

import json
from typing import Any

from mjopt.analysis.certificate import Certificate, tiles_document
from mjopt.errors import CertificateError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.query import Question
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from mjopt.models.formulation import Formulation
from mjopt.models.network import Network
from mjopt.models.program import Program
from mjopt.models.special_forms import SevenPairs, ThirteenOrphans
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.native_check import read_native
from mjopt.proofs.native_schema import counts, exact, tile_set, whole

_MARK = "mjopt "
_KEYS = frozenset({"hand", "tiles", "called", "melds", "unseen", "form"})
_FORMULATIONS: dict[str, Formulation] = {
    STANDARD: Network(),
    SEVEN_PAIRS: SevenPairs(),
    THIRTEEN_ORPHANS: ThirteenOrphans(),
}


def question_of(certificate: Certificate) -> Question:
    """Return the question of a certificate of one form.

    Raises
    ------
    CertificateError
        If it is about several forms: a proof file is about one program.
    """
    if len(certificate.forms) != 1:
        raise CertificateError(
            f"the least over {', '.join(certificate.forms)} is no single program: "
            "write the native form (json), or certify one form at a time"
        )
    return Question(certificate.hand, certificate.forms, certificate.unseen)


def program_of(question: Question) -> Program:
    """Build the integer program whose optimum is the answer, for a question of one form.

    For the standard form it is the network: the same arcs for every hand of a tile
    set, of which those that take more copies than there are stay in, bounded
    by 0. So the hand shows in costs and bounds alone.
    """
    return _FORMULATIONS[question.forms[0]].write(question)


def to_comment(question: Question) -> str:
    """Write a question of one form as a line, without the sign that begins a comment.

    Examples
    --------
    >>> question = Question(Hand.parse("1m", called=4))
    >>> from_comments("% " + to_comment(question), "%") == question
    True
    """
    hand = question.hand
    data: dict[str, Any] = {
        "hand": hand.to_text(),
        "tiles": tiles_document(hand.tiles),
        "called": hand.called,
        "melds": [meld.text(hand.tiles) for meld in hand.melds],
        "unseen": question.unseen,
        "form": question.forms[0],
    }
    return _MARK + json.dumps(data, separators=(",", ":"))


def from_comments(text: str, sign: str, limits: Limits = LIMITS) -> Question | None:
    """Return the question that a comment on top of a file spells out; None if none does.

    Raises
    ------
    CertificateError
        If a comment begins as ours do, and does not name a hand.
    """
    for line in text.split("\n"):
        if not line.startswith(sign):
            break
        comment = line[len(sign) :].strip()
        if comment.startswith(_MARK + "{"):
            return _question(comment.removeprefix(_MARK), limits)
    return None


def _question(text: str, limits: Limits) -> Question:
    data = exact(read_native(text, limits), _KEYS, "comment")
    tiles = tile_set(data["tiles"])
    unseen = counts(data["unseen"], tiles.num_kinds, "unseen")
    called = whole(data["called"], 0, 4, "called")
    hand, melds, form = data["hand"], data["melds"], data["form"]
    if not isinstance(hand, str) or not isinstance(form, str) or form not in _FORMULATIONS:
        raise CertificateError("comment: names no hand and form")
    if not isinstance(melds, list) or not all(isinstance(meld, str) for meld in melds):
        raise CertificateError("comment: melds are not text")
    try:
        parsed = Hand.parse(hand, tiles=tiles, called=called, melds=melds, partial=True)
        question = Question(parsed, form, unseen)
    except MjoptError as error:
        raise CertificateError(f"comment: {error}") from None
    if question.unseen != unseen:
        raise CertificateError("comment: more tiles unseen than the hand leaves")
    return question
