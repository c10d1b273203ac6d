"""Certificates for many hands: of all, of one for each class of alike hands, or none."""

from collections.abc import Iterable, Iterator

from mjopt.answers.certificate import Certificate
from mjopt.answers.certifying import certify_many
from mjopt.errors import CertificateError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.symmetry import canonical_counts

CERTIFICATES = ("all", "representatives", "none")


def check_choice(choice: str) -> str:
    """Return which hands get a certificate; refuse anything but the three.

    Examples
    --------
    >>> check_choice("some")
    Traceback (most recent call last):
    mjopt.errors.MjoptError: --certificates some: expected one of all, representatives, none
    """
    if choice not in CERTIFICATES:
        raise MjoptError(f"--certificates {choice}: expected one of {', '.join(CERTIFICATES)}")
    return choice


class Numbering:
    """Gives each hand the line of its certificate, counted from 1.

    Parameters
    ----------
    choice
        One of ``CERTIFICATES``.

    Examples
    --------
    >>> numbers = Numbering("representatives")
    >>> one, alike = Hand.parse("1112345678999m1p"), Hand.parse("1m1112345678999p")
    >>> numbers.of(one, 1), numbers.of(alike, 1), [(h.to_text(), d) for h, d in numbers.new()]
    (1, 1, [('1112345678999m1p', 1)])
    """

    def __init__(self, choice: str) -> None:
        self.choice = check_choice(choice)
        self._lines: dict[tuple[int, tuple[int, ...]], int] = {}
        self._total = 0
        self._new: list[tuple[Hand, int]] = []

    def of(self, hand: Hand, deficiency: int) -> int | None:
        """Return the line of the certificate of a hand; None if it gets none."""
        if self.choice == "none":
            return None
        if self.choice == "representatives":
            key = (hand.called, canonical_counts(hand.counts, hand.tiles))
            if key in self._lines:
                return self._lines[key]
            self._lines[key] = self._total + 1
        self._total += 1
        self._new.append((hand, deficiency))
        return self._total

    def new(self) -> list[tuple[Hand, int]]:
        """Return the hands numbered since the last call, which are to be certified."""
        new, self._new = self._new, []
        return new


def proved(
    hands: Iterable[tuple[Hand, int]],
    *,
    forms: tuple[str, ...],
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[Certificate]:
    """Yield a checked certificate of every hand, once it proves the value given.

    Raises
    ------
    CertificateError
        If a proof contradicts the value: a fault of the tables.

    Examples
    --------
    >>> [cert.deficiency for cert in proved([(Hand.parse("1112345678999m1p"), 1)],
    ...  forms=("standard",))]
    [1]
    """
    known = list(hands)
    listed = (hand for hand, _ in known)
    certificates = certify_many(listed, forms=forms, jobs=jobs, scheduler=scheduler)
    for (hand, value), certificate in zip(known, certificates, strict=True):
        if certificate.deficiency != value:
            raise CertificateError(
                f"{hand.to_text()}: {certificate.deficiency} is proved, not {value}"
            )
        yield certificate
