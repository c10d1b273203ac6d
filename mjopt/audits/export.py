"""Write an audit to a folder: the disagreements, their certificates and a summary."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TextIO

from mjopt._internal.executor import batched
from mjopt._internal.files import atomic_open, atomic_write, lock_folder, remove_stale_temp
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import certify, certify_many
from mjopt.analysis.deficiency import deficiency
from mjopt.audits.comparison import Audit
from mjopt.audits.discard_rates import UNIT
from mjopt.audits.exact_answers import kinds_in
from mjopt.audits.findings import Disagreement
from mjopt.audits.questions import CHOICE, DISTANCES, NUMBER, RATE, TILES, Question
from mjopt.errors import CertificateError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.tiles import COPIES

COLUMNS = (
    *("line", "hand", "called", "column", "written", "theirs", "true", "difference"),
    *("deficiency", "kind", "cause", "certificate"),
)
BATCH = 4_096  # disagreements certified per batch

Claim = tuple[Hand, tuple[int, ...] | None, int]
"""A hand, the copies that can arrive, None for all that it does not show, and its deficiency."""


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


def proved(
    claims: Iterable[Claim],
    *,
    forms: FormsLike,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[Certificate]:
    """Yield a checked certificate of every claim.

    CertificateError if a proof contradicts the value, which means that the tables are wrong.

    Examples
    --------
    >>> claim = (Hand.parse("1112345678999m1p"), None, 1)
    >>> [cert.deficiency for cert in proved([claim], forms=("standard",))]
    [1]
    """
    known = list(claims)
    if any(left is not None for _, left, _ in known):
        certificates = iter([certify(hand, forms=forms, unseen=left) for hand, left, _ in known])
    else:
        hands = (hand for hand, *_ in known)
        certificates = certify_many(hands, forms=forms, jobs=jobs, scheduler=scheduler)
    for (hand, _, value), certificate in zip(known, certificates, strict=True):
        if certificate.deficiency != value:
            raise CertificateError(
                f"{hand.to_text()}: {certificate.deficiency} is proved, not {value}"
            )
        yield certificate


def claims_of(row: Disagreement, audit: Audit) -> list[Claim]:
    """Return the claims whose certificates settle a wrong answer.

    They are the hand itself, and for useful tiles it with each disputed tile: whether that lowers
    the deficiency. For a discard they are the hands after the one given and after the best one.
    """
    question, tiles = audit.columns[row.column].question, audit.tiles
    if question.scale == RATE:
        return []  # a count, which no certificate shows
    hand, left = row.hand(tiles, audit.rules), row.left
    settled = [(hand, left)]
    given = row.given or 0
    if question.scale == TILES and not hand.is_full:
        for kind in kinds_in(given ^ row.exact):
            if hand.counts[kind] < COPIES and (left is None or left[kind]):
                after = None if left is None else _less(left, kind)
                settled.append((hand.with_one(kind, 1), after))
    if question.scale == CHOICE:
        unseen = hand.unseen if left is None else left
        for mask in (given, row.exact):
            settled += [
                (hand.with_one(kind, -1), unseen)
                for kind in kinds_in(mask)[:1]
                if hand.counts[kind]
            ]
    return [
        (hand, left, deficiency(hand, forms=audit.forms, unseen=left)) for hand, left in settled
    ]


def _less(left: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return (*left[:kind], left[kind] - 1, *left[kind + 1 :])


def write_findings(
    folder: Path,
    audit: Audit,
    groups: Sequence[tuple[int, Disagreement]] = (),
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the wrong answers with the exact ones into an existing folder.

    ``disagreements.csv`` holds the hands with a wrong answer, each with the lines of the
    certificates that settle it in ``certificates.jsonl``; ``groups.csv`` the simplest hands, if
    there are some; ``not_hands.csv`` the rows that are not hands, with the reason. A group is its
    number of rows and its simplest wrong answer. Workers make the proofs, as for `certify_many`;
    ``progress`` is called with the number of disagreements written since the last call.
    """
    numbers: dict[Claim, int] = {}

    def rows(wrong: Iterable[Disagreement]) -> Iterator[list[object]]:
        """Yield the rows, and certify each batch before the next begins."""
        for batch in batched(wrong, BATCH):
            new: list[Claim] = []
            for row in batch:
                claims = claims_of(row, audit)
                new += [each for each in dict.fromkeys(claims) if each not in numbers]
                for each in claims:
                    numbers.setdefault(each, len(numbers) + 1)
                yield _cells(row, audit, [numbers[each] for each in claims])
            for certificate in proved(new, forms=audit.forms, jobs=jobs, scheduler=scheduler):
                proofs.write(certificate.to_json() + "\n")
            if progress:
                progress(len(batch))

    with open_text(folder / "certificates.jsonl") as proofs:
        if groups:
            simplest = (replace(row, line=num_rows) for num_rows, row in groups)
            write_csv(folder / "groups.csv", ("rows", *COLUMNS[1:]), rows(simplest))
        write_csv(folder / "disagreements.csv", COLUMNS, rows(audit.wrong()))
    write_csv(folder / "not_hands.csv", ("line", "hand", "reason"), audit.not_hands())


def _cells(row: Disagreement, audit: Audit, lines: Sequence[int]) -> list[object]:
    question, tiles = audit.columns[row.column].question, audit.tiles
    is_number = question.scale in (NUMBER, RATE) and row.given is not None
    is_known = UNREACHABLE not in (row.exact, row.given) or question.name not in DISTANCES
    return [
        row.line,
        row.text,
        row.called,
        row.column,
        row.written,
        None if row.given is None else question.text(row.given, tiles),
        question.text(row.exact, tiles),
        _difference(row, question) if is_number and is_known else None,
        "unreachable" if row.deficiency == UNREACHABLE else row.deficiency,
        row.kind,
        row.cause,
        " ".join(map(str, lines)),
    ]


def _difference(row: Disagreement, question: Question) -> float:
    assert row.given is not None, "checked"
    difference = row.given - row.exact
    return difference / UNIT if question.scale == RATE else difference
