"""Which hand a proof file is about, as a comment that ties the file to its program."""

import json
from dataclasses import dataclass
from typing import Any

from mjopt.answers.certificate import Certificate, tiles_document
from mjopt.errors import CertificateError, MjoptError
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, check_forms
from mjopt.hands.hand import Hand
from mjopt.models.network import Network
from mjopt.models.program import Program
from mjopt.models.seven_pairs import SevenPairs
from mjopt.models.thirteen_orphans import ThirteenOrphans
from mjopt.proofs.native_check import read_native
from mjopt.proofs.native_fields import counts, exact, tile_set, whole

_MARK = "mjopt "
_KEYS = frozenset({"hand", "tiles", "called", "melds", "unseen", "form"})
_BUILDERS = {
    STANDARD: Network().build,
    SEVEN_PAIRS: SevenPairs().build,
    THIRTEEN_ORPHANS: ThirteenOrphans().build,
}


@dataclass(frozen=True, slots=True)
class Question:
    """How far a hand is from one winning form, drawing from some unseen tiles.

    Examples
    --------
    >>> hand = Hand.parse("1m", called=4)
    >>> question = Question(hand, hand.unseen, "standard")
    >>> Question.read(question.written()) == question
    True
    """

    hand: Hand
    unseen: tuple[int, ...]
    form: str

    @classmethod
    def of(cls, certificate: Certificate) -> "Question":
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
        return cls(certificate.hand, certificate.unseen, certificate.forms[0])

    @classmethod
    def read(cls, comment: str) -> "Question | None":
        """Return the question that a comment spells out; None if it is another comment.

        Raises
        ------
        CertificateError
            If the comment begins as ours do, and does not name a hand.
        """
        text = comment.strip()
        if not text.startswith(_MARK + "{"):
            return None
        data = exact(read_native(text.removeprefix(_MARK)), _KEYS, "comment")
        tiles = tile_set(data["tiles"])
        unseen = counts(data["unseen"], tiles.num_kinds, "unseen")
        called = whole(data["called"], 0, 4, "called")
        hand, melds, form = data["hand"], data["melds"], data["form"]
        if not isinstance(hand, str) or not isinstance(form, str) or form not in _BUILDERS:
            raise CertificateError("comment: names no hand and form")
        if not isinstance(melds, list) or not all(isinstance(meld, str) for meld in melds):
            raise CertificateError("comment: melds are not text")
        try:
            check_forms((form,), tiles)
            parsed = Hand.parse(hand, tiles=tiles, called=called, melds=melds, partial=True)
        except MjoptError as error:
            raise CertificateError(f"comment: {error}") from None
        if any(u > most for u, most in zip(unseen, parsed.unseen, strict=True)):
            raise CertificateError("comment: more tiles unseen than the hand leaves")
        return cls(parsed, unseen, form)

    def written(self) -> str:
        """Write the question as one comment line, without the sign that begins a comment."""
        hand = self.hand
        data: dict[str, Any] = {
            "hand": hand.to_text(),
            "tiles": tiles_document(hand.tiles),
            "called": hand.called,
            "melds": [meld.text(hand.tiles) for meld in hand.melds],
            "unseen": self.unseen,
            "form": self.form,
        }
        return _MARK + json.dumps(data, separators=(",", ":"))

    def program(self) -> Program:
        """Build the integer program whose optimum is the answer.

        For the standard form it is the network: the same arcs for every hand of a tile
        set, of which those that take more copies than there are stay in, bounded
        by 0. So the hand shows in costs and bounds alone.
        """
        return _BUILDERS[self.form](self.hand, self.unseen)
