"""What became of a certificate file: what was proved, or why it was refused."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from mjopt.analysis.certificate import Certificate
from mjopt.analysis.condition_text import conditions_text, forms_text, limited_text, tile_set_text
from mjopt.hands.hand import Hand
from mjopt.hands.query import Question
from mjopt.hands.winning_forms import UNREACHABLE
from mjopt.proofs.accepted import Accepted
from mjopt.proofs.play_check import AcceptedPlay
from mjopt.proofs.play_read import ONE
from mjopt.proofs.words import show


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of one file, or of one pair of instance and proof.

    Parameters
    ----------
    paths
        The file; for VeriPB the instance and its proof.
    format
        What its content says it is; empty if nothing known.
    refusal
        Why it was refused; empty if it was accepted.
    is_readable
        False if there is no such file, or it is not text.
    hand, tiles, called, melds, unseen, forms
        What it is about, where the file says so: the tile set in words, and the tiles that
        can still arrive, None if those are all that the hand leaves.
    deficiency
        The value proved; None if that is no single number.
    lower, upper
        The bounds proved; None where there is none.
    is_infeasible
        Whether it proves that there is no way to complete the hand.
    statement
        What was proved, in words.
    num_certificates
        How many certificates the file holds.
    play
        The bounds on the chance to win, as plain data, where it proves any.
    """

    paths: tuple[Path, ...]
    format: str = ""
    refusal: str = ""
    is_readable: bool = True
    hand: str | None = None
    tiles: str | None = None
    called: int | None = None
    melds: tuple[str, ...] = ()
    unseen: str | None = None
    forms: tuple[str, ...] = ()
    deficiency: int | None = None
    lower: str | None = None
    upper: str | None = None
    is_infeasible: bool = False
    statement: str = ""
    num_certificates: int = 1
    play: dict[str, Any] | None = None

    @property
    def is_accepted(self) -> bool:
        """Whether the checker accepted all of it."""
        return not self.refusal

    def to_document(self) -> dict[str, Any]:
        """Return what was proved, or why it was refused, as plain data."""
        document = {"format": self.format or None, "accepted": self.is_accepted}
        if not self.is_accepted:
            return document | {"readable": self.is_readable, "reason": self.refusal}
        about_play = {} if self.play is None else {"play": self.play}
        return document | {
            "statement": self.statement,
            "certificates": self.num_certificates,
            "hand": self.hand,
            "tiles": self.tiles,
            "called": self.called,
            "melds": list(self.melds),
            "unseen": self.unseen,
            "forms": list(self.forms),
            "deficiency": self.deficiency,
            "reachable": not self.is_infeasible,
            "lower": self.lower,
            "upper": self.upper,
            **about_play,
        }

    @classmethod
    def of_certificate(cls, paths: tuple[Path, ...], certificate: Certificate) -> "Report":
        """Report a native certificate that was accepted."""
        value = None if certificate.deficiency == UNREACHABLE else certificate.deficiency
        bound = None if value is None else str(value)
        question = Question(certificate.hand, certificate.forms, certificate.unseen)
        return cls(
            paths=paths,
            format="native",
            **_asked(question),
            deficiency=value,
            lower=bound,
            upper=bound,
            is_infeasible=value is None,
            statement=_about_hand(question, bound, bound),
        )

    @classmethod
    def of_proof(
        cls, paths: tuple[Path, ...], accepted: Accepted, question: Question | None
    ) -> "Report":
        """Report a proof that was accepted, with the hand it names."""
        lower = None if accepted.lower is None else show(accepted.lower)
        upper = None if accepted.upper is None else show(accepted.upper)
        if question is None:
            size = f"{accepted.num_variables} variables and {accepted.num_constraints} constraints"
            proved = "no solution" if accepted.infeasible else _range(lower, upper)
            statement = f"a program of {size}: {proved}"
        elif accepted.infeasible or lower is not None or upper is not None:
            statement = _about_hand(question, lower, upper)
        else:
            statement = f"{conditions_text(question.hand, question.unseen)}: nothing was claimed"
        value = accepted.value
        return cls(
            paths=paths,
            format=accepted.format,
            **({} if question is None else _asked(question)),
            deficiency=None if question is None or value is None else int(value),
            lower=lower,
            upper=upper,
            is_infeasible=accepted.infeasible,
            statement=statement,
        )

    @classmethod
    def of_play(cls, paths: tuple[Path, ...], accepted: AcceptedPlay) -> "Report":
        """Report bounds on the chance to win that were accepted."""
        file = accepted.file
        hand = Hand.from_counts(file.hand, tiles=file.tiles, called=file.called)
        question = Question(hand, unseen=file.wall)
        number = str(file.deficiency)
        return cls(
            paths=paths,
            format="play",
            **_asked(question),
            deficiency=file.deficiency,
            lower=number,
            upper=number,
            statement=_about_play(question, accepted),
            play={
                "draws": file.draws,
                "waste": file.waste,
                "unconditional": accepted.is_unconditional,
                "states": len(file.states),
                "discards": [
                    {
                        "discard": None if one.discard < 0 else file.tiles.names[one.discard],
                        "lower": None if one.lower is None else one.lower / ONE,
                        "upper": None if one.upper is None else one.upper / ONE,
                    }
                    for one in file.claims
                ],
            },
        )


def _asked(question: Question) -> dict[str, Any]:
    """Return the fields of a report that say what a certificate is about."""
    hand = question.hand
    melds = tuple(meld.text(hand.tiles) for meld in hand.melds)
    return {
        "hand": " ".join([hand.to_text(), *(f"({meld})" for meld in melds)]).strip(),
        "tiles": tile_set_text(hand.tiles),
        "called": hand.called,
        "melds": melds,
        "unseen": limited_text(hand, question.unseen),
        "forms": question.forms,
    }


def _range(lower: str | None, upper: str | None) -> str:
    if lower is not None and lower == upper:
        return f"optimum {lower}"
    return f"optimum between {lower or 'any'} and {upper or 'any'}"


def _about_hand(question: Question, lower: str | None, upper: str | None) -> str:
    name = conditions_text(question.hand, question.unseen)
    form = forms_text(question.forms)
    if lower is None and upper is None:
        return f"{name} cannot be completed{form}"
    if lower == upper:
        return f"{name} has deficiency {lower}{form}"
    return f"{name} has a deficiency between {lower or 0} and {upper or 14}{form}"


def _about_play(question: Question, accepted: AcceptedPlay) -> str:
    """Say what is proved of play, rounded outwards: whole numbers of 2**-48 are not for reading."""
    file = accepted.file
    name = conditions_text(question.hand, question.unseen)
    least, most = [], []
    for one in sorted(file.claims, key=lambda one: -(one.lower or one.upper or 0)):
        after = "" if one.discard < 0 else f" throwing {file.tiles.names[one.discard]}"
        if one.lower is not None:
            least.append(f"{_decimal(Fraction(one.lower, ONE))}{after}")
        if one.upper is not None:
            most.append(f"{_decimal(-Fraction(one.upper, ONE))}{after}")
    parts = [f"some way to play wins with at least {', '.join(least)}"] if least else []
    if most and accepted.is_unconditional:
        parts.append(f"no way to play wins with more than {', '.join(most)}")
    elif most:
        parts.append(f"with best discarding within waste {file.waste} at most {', '.join(most)}")
    return f"{name}, {file.draws} draws: {'; '.join(parts)}"


def _decimal(chance: Fraction) -> str:
    """Write a chance with six digits, rounded down; one below zero up, without the sign."""
    return f"{abs(chance.numerator * 10**6 // chance.denominator) / 10**6:.6f}"
