"""The result of verifying a certificate file: the statement proved, or the reason for none."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Literal

from mjopt.analysis.certificate import Certificate, meld_of, rules_of_forms
from mjopt.analysis.condition_text import conditions_text, forms_text, limited_text, tile_set_text
from mjopt.analysis.formats.claim import ClaimedBounds
from mjopt.analysis.formats.external_checkers import CheckerVerdict
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE, is_classic, names_of
from mjopt.hands.rules.rule_file import RULE_SETS
from mjopt.proofs.native_schema import meld_kinds
from mjopt.proofs.win_chance_check import VerifiedWinChance
from mjopt.proofs.win_chance_file import ONE

Status = Literal["accepted", "refused", "unreadable", "unchecked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationResult:
    """The result for one file, or for an OPB instance and its proof.

    Parameters
    ----------
    paths
        The file; for VeriPB the instance and its proof.
    format
        The format that the content shows; empty if it is unknown.
    status
        ``accepted``, ``refused``, ``unreadable`` (no file, or no text), or ``unchecked`` (the
        program that checks this format is missing or gave no verdict).
    message
        The statement that is proved, or the reason why none is, on one line.
    facts
        The statement as plain data; for ``unchecked`` what is claimed.
    limit
        The limit that a refused certificate exceeds, ``bytes`` or ``steps``; else empty.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import mjopt
    >>> from mjopt.analysis.formats import verify_files
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "proof.json")
    ...     _ = path.write_text(mjopt.certify("1112345678999m1p").to_json())
    ...     [result] = verify_files([path])
    >>> result.is_accepted, result.message
    (True, '1112345678999m1p has deficiency 1')
    """

    paths: tuple[Path, ...]
    format: str = ""
    status: Status = "accepted"
    message: str
    facts: dict[str, object] = field(default_factory=dict)
    limit: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether all of the file is proved."""
        return self.status == "accepted"

    def to_document(self) -> dict[str, object]:
        """Return the result as plain data."""
        document: dict[str, object] = {
            "format": self.format or None,
            "accepted": self.is_accepted,
            "status": self.status,
        }
        if not self.is_accepted:
            reason = {"readable": self.status != "unreadable", "reason": self.message}
            return document | reason | self.facts
        nothing = dict.fromkeys(("hand", "tiles", "called", "unseen", "deficiency"))
        defaults = {"statement": self.message, "certificates": 1, **nothing}
        lists: dict[str, object] = {"melds": [], "forms": []}
        bounds = {"reachable": True, "lower": None, "upper": None}
        return document | defaults | lists | bounds | self.facts


def certificate_result(paths: tuple[Path, ...], certificate: Certificate) -> VerificationResult:
    """Return the result for a native certificate that was accepted."""
    value = None if certificate.deficiency == UNREACHABLE else certificate.deficiency
    bound = None if value is None else str(value)
    query = HandQuery(certificate.hand, certificate.forms, certificate.unseen, general=True)
    verb = "cannot be completed" if value is None else f"has deficiency {value}"
    return VerificationResult(
        paths=paths,
        format="native",
        message=f"{conditions_text(query.hand, query.unseen)} {verb}{_forms(query)}",
        facts=query_facts(query)
        | {"deficiency": value, "reachable": value is not None, "lower": bound, "upper": bound},
    )


def proof_result(
    paths: tuple[Path, ...],
    format: str,
    query: HandQuery,
    claim: ClaimedBounds,
    verdict: CheckerVerdict,
) -> VerificationResult:
    """Return the result for a proof whose claim was read, and the verdict of its checker."""
    value = None if claim.upper == inf else int(claim.upper)
    bound = None if value is None else str(value)
    facts: dict[str, object] = {"checker": verdict.program}
    status: Status = "refused"
    message = f"{verdict.program} refuses: {verdict.message}"
    if verdict.accepted is not False:
        subject = f"{conditions_text(query.hand, query.unseen)}{_forms(query)}"
        bounds = {"deficiency": value, "reachable": value is not None}
        facts |= query_facts(query) | bounds | {"lower": bound, "upper": bound}
        if verdict.accepted:
            status = "accepted"
            message = f"{subject}: proves: {claim}; {verdict.program} accepts: {verdict.message}"
        else:
            status = "unchecked"
            message = f"{subject}: claims: {claim}; not checked: {verdict.message}"
    return VerificationResult(
        paths=paths, format=format, status=status, message=message, facts=facts
    )


def own_forms(query: HandQuery) -> dict[str, str]:
    """Return the SHA-256 of each form that is defined in the certificate and not by mjopt."""
    return {
        form.name: form.digest
        for form in query.forms
        if not is_classic((form,)) and form.name.partition(".")[0] not in RULE_SETS
    }


def _forms(query: HandQuery) -> str:
    """Name the winning forms, and the definitions of those that mjopt does not know."""
    named = [f"{form} as defined with SHA-256 {sha}" for form, sha in own_forms(query).items()]
    return f"{forms_text(query.forms)}{'; ' if named else ''}{', '.join(named)}"


def win_chance_result(paths: tuple[Path, ...], verified: VerifiedWinChance) -> VerificationResult:
    """Return the result for bounds on a win chance that were accepted."""
    file = verified.file
    melds = tuple(meld_of(meld_kinds(meld, file.tiles)) for meld in file.melds)
    # The checker has accepted all parts.
    hand = Hand.of_checked(
        file.tiles,
        file.hand,
        (0,) * file.tiles.num_kinds,
        file.called,
        melds,
        False,
        rules_of_forms(file.forms),
    )
    query = HandQuery.of_checked(hand, file.forms, file.wall)
    number = str(file.deficiency)
    discards = [
        {
            "discard": None if claim.discard < 0 else file.tiles.names[claim.discard],
            "lower": None if claim.lower is None else claim.lower / ONE,
            "upper": None if claim.upper is None else claim.upper / ONE,
        }
        for claim in file.claims
    ]
    play = {
        "draws": file.draws,
        "waste": file.waste,
        "unconditional": verified.is_unconditional,
        "states": len(file.states),
        "discards": discards,
    }
    return VerificationResult(
        paths=paths,
        format="play",
        message=_win_chance_statement(query, verified),
        facts=query_facts(query)
        | {"deficiency": file.deficiency, "lower": number, "upper": number, "play": play},
    )


def query_facts(query: HandQuery) -> dict[str, object]:
    """Return the hand and the conditions of a query as plain data."""
    hand = query.hand
    melds = [meld.text(hand.tiles) for meld in hand.melds]
    return {
        "hand": " ".join([hand.to_text(), *(f"({meld})" for meld in melds)]).strip(),
        "tiles": tile_set_text(hand.tiles),
        "called": hand.called,
        "melds": melds,
        "unseen": limited_text(hand, query.unseen),
        "forms": list(names_of(query.forms)),
        **({"definitions": own} if (own := own_forms(query)) else {}),
    }


def _win_chance_statement(query: HandQuery, verified: VerifiedWinChance) -> str:
    """Describe the proved bounds, rounded outwards."""
    file = verified.file
    lower, upper = [], []
    for claim in sorted(file.claims, key=lambda claim: -(claim.lower or claim.upper or 0)):
        discard = "" if claim.discard < 0 else f" throwing {file.tiles.names[claim.discard]}"
        if claim.lower is not None:
            lower.append(f"{_round_down(Fraction(claim.lower, ONE))}{discard}")
        if claim.upper is not None:
            upper.append(f"{_round_down(-Fraction(claim.upper, ONE))}{discard}")
    parts = [f"some way to play wins with at least {', '.join(lower)}"] if lower else []
    if upper and verified.is_unconditional:
        parts.append(f"no way to play wins with more than {', '.join(upper)}")
    elif upper:
        parts.append(f"with best discarding within waste {file.waste} at most {', '.join(upper)}")
    conditions = f"{conditions_text(query.hand, query.unseen)}{_forms(query)}"
    return f"{conditions}, {file.draws} draws: {'; '.join(parts)}"


def _round_down(chance: Fraction) -> str:
    """Write a chance with six digits, rounded down; a negated one is rounded up, without sign."""
    return f"{abs(chance.numerator * 10**6 // chance.denominator) / 10**6:.6f}"
