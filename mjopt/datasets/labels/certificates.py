"""Labels that are evidence: a certificate of every hand, or its digest."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mjopt.answers.certificate import Certificate
from mjopt.answers.certifying import OWN, certify
from mjopt.datasets.labels.base import Block, Column, Values
from mjopt.datasets.recipes.base import Deal
from mjopt.hands.hand import Hand
from mjopt.proofs.native_check import FORMAT, VERSION

ENGINE = f"{OWN.model} {OWN.solver} {OWN.version}, {FORMAT} {VERSION}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A certificate that the checker has accepted; about a millisecond a hand.

    Parameters
    ----------
    name
        ``certificate`` (its JSON text) or ``digest`` (its digest alone).
    """

    name: str
    engine = ENGINE

    def check(self, _: Deal) -> None:
        """Refuse nothing."""

    def columns(self, _: Deal) -> tuple[Column, ...]:
        """Return its one column."""
        if self.name == "digest":
            meaning = "digest of the hand's certificate, which `mjopt certify` makes again"
            return (Column("certificate_digest", "string", meaning),)
        meaning = "certificate of the deficiency; `mjopt verify` checks it"
        return (Column("certificate", "string", meaning),)

    def values(self, block: Block) -> Values:
        """Certify hand after hand."""
        found = np.empty(len(block.hands), object)
        for i, counts in enumerate(block.hands.tolist()):
            hand = Hand.from_counts(counts, tiles=block.deal.tiles, called=block.deal.called)
            found[i] = self._text(certify(hand))
        [column] = self.columns(block.deal)
        return {column.name: found}

    def again(self, block: Block) -> dict[str, Any]:
        """Certify the hand again, and have the checker read the text."""
        hand = block.hand
        certificate = certify(hand)
        text = self._text(certificate)
        if self.name == "certificate":
            Certificate.from_json(text)
            return {"certificate": text}
        return {"certificate_digest": text}

    def _text(self, certificate: Certificate) -> str:
        if self.name == "digest":
            return str(certificate.to_document()["digest"])
        return certificate.to_json()
