"""Labels that are evidence: a certificate of every hand, or its digest."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.answers.certificate import Certificate
from mjopt.answers.certifying import OWN, certify
from mjopt.datasets.labels.base import HandRows, OneColumn
from mjopt.hands.hand import Hand
from mjopt.proofs.native_check import FORMAT, VERSION

ENGINE: Final = f"{OWN.model} {OWN.solver} {OWN.version}, {FORMAT} {VERSION}"


def _certificate(hand: Hand) -> str:
    return certify(hand).to_json()


def _read_again(hand: Hand) -> str:
    """Certify a hand again, and have the checker read the text."""
    text = _certificate(hand)
    Certificate.from_json(text)
    return text


def _digest(hand: Hand) -> str:
    return str(certify(hand).to_document()["digest"])


def _each(rows: HandRows, find: Any) -> NDArray[Any]:
    """Find a text for every hand; about a millisecond each."""
    found = np.empty(len(rows.hands), object)
    for place in range(len(found)):
        found[place] = find(rows.row(place).hand)
    return found


CERTIFICATE: Final = OneColumn(
    name="certificate",
    engine=ENGINE,
    column="certificate",
    kind="string",
    meaning="certificate of the deficiency; `mjopt verify` checks it",
    of_all=lambda rows: _each(rows, _certificate),
    of_one=_read_again,
)

DIGEST: Final = OneColumn(
    name="digest",
    engine=ENGINE,
    column="certificate_digest",
    kind="string",
    meaning="digest of the hand's certificate, which `mjopt certify` makes again",
    of_all=lambda rows: _each(rows, _digest),
    of_one=_digest,
)
