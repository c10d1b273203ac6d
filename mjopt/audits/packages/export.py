"""Write an audit to a folder: the disagreements, their certificates and a summary."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TextIO

from mjopt._internal.executor import batched
from mjopt._internal.files import atomic_open, atomic_write, lock_folder, remove_stale_temp
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import certify_many
from mjopt.audits.packages.comparison import Disagreement, Findings
from mjopt.errors import ArgumentError, CertificateError
from mjopt.hands.hand import Hand
from mjopt.hands.symmetry import canonical_counts
from mjopt.hands.winning_forms import UNREACHABLE, FormsLike

COLUMNS = (
    *("line", "hand", "called", "written", "theirs", "true", "difference"),
    *("kind", "cause", "certificate"),
)
CERTIFICATES = ("all", "representatives", "none")
BATCH = 16_384  # disagreements certified per batch


@contextmanager
def open_folder(folder: str | None) -> Iterator[Path | None]:
    """Lock the folder of an audit, and remove temporary files of a killed one; None for None."""
    if folder is None:
        yield None
        return
    with lock_folder(folder) as locked:
        remove_stale_temp(locked)
        yield locked


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """Open a text file for an atomic write."""
    with atomic_open(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.flush()
        text.detach()


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file atomically, from an iterable of rows."""
    with open_text(path) as file:
        csv.writer(file, lineterminator="\n").writerows(chain([header], rows))


def write_summary(folder: Path, document: dict[str, object]) -> None:
    """Write ``summary.json``."""
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    atomic_write(folder / "summary.json", text)


def check_choice(choice: str) -> str:
    """Validate and return the choice of hands that get a certificate.

    Examples
    --------
    >>> check_choice("some")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: certificates some, expected one of all, representatives, none
    """
    if choice not in CERTIFICATES:
        raise ArgumentError(argument="certificates", value=choice, expected=tuple(CERTIFICATES))
    return choice


class Numbering:
    """Assigns each hand the line number of its certificate, from 1.

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
        """Return the line number of a hand's certificate, or None if it gets no certificate."""
        if self.choice == "none":
            return None
        if self.choice == "representatives":
            known = hand.counts if hand.rules else canonical_counts(hand.counts, hand.tiles)
            key = (hand.called, known)
            if key in self._lines:
                return self._lines[key]
            self._lines[key] = self._total + 1
        self._total += 1
        self._new.append((hand, deficiency))
        return self._total

    def new(self) -> list[tuple[Hand, int]]:
        """Return the hands numbered since the last call, which need certificates."""
        new, self._new = self._new, []
        return new


def proved(
    hands: Iterable[tuple[Hand, int]],
    *,
    forms: FormsLike,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[Certificate]:
    """Yield a checked certificate of every hand that proves the given value.

    Raises
    ------
    CertificateError
        If a proof contradicts the value, which means that the tables are wrong.

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


def write_findings(
    folder: Path,
    findings: Findings,
    *,
    certificates: str = "all",
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the wrong rows with their values and the true ones, both on the scale of the file.

    ``disagreements.csv`` holds the hands with a wrong value, each with the line of
    its certificate in ``certificates.jsonl``; ``not_hands.csv`` the rows that are
    not hands, with the reason.

    Parameters
    ----------
    folder
        An existing folder.
    findings
        The result of a comparison.
    certificates
        One of ``CERTIFICATES``.
    jobs, scheduler
        Workers for the proofs, as for `certify_many`.
    progress
        Called with the number of disagreements written since the last call.
    """
    numbers = Numbering(certificates)

    def rows() -> Iterator[list[object]]:
        """Yield the rows, and certify each batch before the next begins."""
        for batch in batched(findings.wrong(), BATCH):
            yield from (_cells(row, numbers, findings) for row in batch)
            new, forms = numbers.new(), findings.forms
            for certificate in proved(new, forms=forms, jobs=jobs, scheduler=scheduler):
                proofs.write(certificate.to_json() + "\n")
            if progress:
                progress(len(batch))

    with open_text(folder / "certificates.jsonl") as proofs:
        write_csv(folder / "disagreements.csv", COLUMNS, rows())
    others = ((row.line, row.text, row.reason) for row in findings.not_hands())
    write_csv(folder / "not_hands.csv", ("line", "hand", "reason"), others)


def _cells(row: Disagreement, numbers: Numbering, findings: Findings) -> list[object]:
    assert row.hand is not None and row.true is not None  # noqa: PT018 - a hand with a wrong value
    return [
        row.line,
        row.text,
        row.hand.called,
        row.written,
        findings.on_scale(row.theirs),
        "unreachable" if row.true == UNREACHABLE else findings.on_scale(row.true),
        row.difference,
        row.kind,
        row.cause,
        numbers.of(row.hand, row.true),
    ]
