"""Kinds of error and likely causes, each with a case where it applies and one where it does not."""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from helpers.support import AWKWARD, deal

from mjopt import FULL, M0, UNREACHABLE, Hand
from mjopt.audits.packages import Findings, ValueRow, compare
from mjopt.audits.packages.causes import (
    FOUR_COPIES,
    MIXED_FORMS,
    QUADS,
    likely_cause,
    true_deficiency,
    unlimited_deficiency,
)
from mjopt.audits.packages.export import Numbering, proved, write_findings

STANDARD = ("standard",)
# Programs that ignore the limit of four copies are one too low on these hands.
FIFTH_COPY = ("33336666789999m", "44555566667777z", "22224566669999m")


def row(hand: Hand | None, theirs: int | None, line: int = 1) -> ValueRow:
    return ValueRow(line=line, text="", hand=hand, written=str(theirs), theirs=theirs)


def findings(rows: Iterable[ValueRow], means: str = "deficiency") -> Findings:
    return compare(rows, Findings(tiles=FULL, forms=STANDARD, means=means))


@pytest.mark.parametrize("text", FIFTH_COPY)
def test_waiting_for_a_fifth_copy_is_explained(text: str) -> None:
    hand = Hand.parse(text, tiles=FULL, partial=True)
    true = true_deficiency(hand, STANDARD)
    assert unlimited_deficiency(hand) == true - 1
    assert likely_cause(hand, STANDARD, true - 1, true) == FOUR_COPIES


def test_unlimited_copies_never_increase_the_deficiency() -> None:
    rng = random.Random(5)
    helped = 0
    for _ in range(400):
        hand = deal(rng, FULL, num_kinds=rng.choice([None, 4, 5]))
        true, unlimited = true_deficiency(hand, STANDARD), unlimited_deficiency(hand)
        assert unlimited <= true
        helped += unlimited < true
        if unlimited < true and hand.num_tiles == 14:
            assert max(hand.counts) >= 3
    assert helped > 20


def test_likely_causes() -> None:
    pairs = Hand.parse("1133557799m1133p", tiles=FULL)
    assert likely_cause(pairs, STANDARD, 0, 4) == MIXED_FORMS
    assert likely_cause(pairs, STANDARD, 1, 4) == "too low by three"
    assert likely_cause(pairs, ("standard", "seven_pairs", "thirteen_orphans"), 4, 0) == (
        "too high by four"
    )
    quads = Hand.parse("111199m3377p255s1z", tiles=FULL)
    assert true_deficiency(quads, ("seven_pairs",)) == 2
    assert likely_cause(quads, ("seven_pairs",), 1, 2) == QUADS
    assert likely_cause(quads, ("seven_pairs",), 3, 2) == "too high by one, holding four of a kind"
    kongs = Hand.parse("1111m1111p111s147z", tiles=FULL)
    true = true_deficiency(kongs, STANDARD)
    assert likely_cause(kongs, STANDARD, true + 1, true).endswith("one, holding four of a kind")
    orphans = Hand.parse("19m19p19s12345677z", tiles=FULL)
    assert likely_cause(orphans, STANDARD, 0, true_deficiency(orphans, STANDARD)) == MIXED_FORMS


def test_shift_of_every_row_is_one_cause() -> None:
    hands = [known.hand for known in AWKWARD if known.tiles == FULL]
    shanten = findings(row(hand, true_deficiency(hand, STANDARD) - 1) for hand in hands)
    assert shanten.shift == -1
    assert shanten.causes == {"off by one: shanten given as deficiency": len(hands)}
    assert {wrong.cause for wrong in shanten.wrong()} == set(shanten.causes)
    high = findings((row(h, true_deficiency(h, STANDARD) + 1) for h in hands), "shanten")
    assert high.causes == {"off by one: deficiency given as shanten": len(hands)}


def test_no_shift_if_a_row_is_right_or_each_row_is_explained() -> None:
    hands = [Hand.parse(text, tiles=FULL, partial=True) for text in FIFTH_COPY]
    low = [row(hand, true_deficiency(hand, STANDARD) - 1) for hand in hands]
    assert findings(low).causes == {FOUR_COPIES: 3}
    right = Hand.parse("11122233344455s", tiles=FULL)
    mixed = findings([*low, row(right, 0), row(right, 1)])
    assert (mixed.shift, mixed.causes) == (None, {FOUR_COPIES: 3, "too high by one": 1})
    assert findings([row(right, 1)]).causes == {"too high by one": 1}


def test_errors_are_counted_by_kind_and_deficiency() -> None:
    right = Hand.parse("11122233344455s", tiles=FULL)
    found = findings([row(right, 0), row(right, None, 2), row(None, 3, 3), row(right, -1, 4)])
    assert (found.num_rows, found.num_hands, found.num_wrong) == (4, 3, 2)
    assert [(w.line, w.kind, w.true, w.difference) for w in found.wrong()] == [
        (2, "not a number", 0, None),
        (4, "too low", 0, -1),
    ]
    assert found.num_not_hands == 1
    assert [(w.line, w.kind, w.true) for w in found.not_hands()] == [(3, "not a hand", None)]
    assert found.to_document()["by_deficiency"] == [
        {"deficiency": 0, "kind": "not a number", "rows": 1},
        {"deficiency": 0, "kind": "too low", "rows": 1},
    ]


def test_empty_cell_is_right_for_unreachable_hands() -> None:
    called = Hand.parse("11m", called=4)
    found = Findings(tiles=M0, forms=("seven_pairs",), means="deficiency")
    empty = ValueRow(line=1, text="11m", hand=called, written="", theirs=None)
    assert compare([empty], found).num_wrong == 0
    assert compare([row(called, 0)], found).num_wrong == 1
    assert next(found.wrong()).true == UNREACHABLE


def test_progress_counts_every_row() -> None:
    hand = Hand.parse("11122233344455s", tiles=FULL)
    seen: list[int] = []
    empty = Findings(tiles=FULL, forms=STANDARD, means="deficiency")
    compare((row(hand, 0) for _ in range(2500)), empty, progress=seen.append)
    assert sum(seen) == 2500


@pytest.mark.parametrize(("choice", "number"), [("all", 3), ("representatives", 2), ("none", 0)])
def test_certificates_can_be_limited(tmp_path: Path, choice: str, number: int) -> None:
    texts = ("1112345678999m1p", "1m1112345678999p", "1112223334444z")
    found = findings(row(Hand.parse(text, tiles=FULL), 9, at) for at, text in enumerate(texts))
    write_findings(tmp_path, found, certificates=choice)
    assert len((tmp_path / "certificates.jsonl").read_text().splitlines()) == number


def test_certificates_are_numbered_and_prove_the_values() -> None:
    hands = [known.hand for known in AWKWARD if known.tiles == FULL]
    numbers = Numbering("all")
    assert [numbers.of(hand, 0) for hand in hands] == list(range(1, len(hands) + 1))
    assert Numbering("none").of(hands[0], 0) is None
    values = [known.deficiency for known in AWKWARD if known.tiles == FULL]
    certificates = list(proved(zip(hands, values, strict=True), forms=STANDARD))
    assert [certificate.deficiency for certificate in certificates] == values
    with pytest.raises(ValueError, match="1112223334444z: 2 is proved, not 1"):
        list(proved([(hands[0], 1)], forms=STANDARD))
