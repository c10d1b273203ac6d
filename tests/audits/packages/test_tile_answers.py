"""Answers about tiles: every way to write them, every kind of error, the exact ones as data."""

import numpy as np
import pytest
from helpers.support import AWKWARD

from mjopt import FULL, M0, SANMA, Hand, discards, useful_tiles
from mjopt.audits.packages import ValueRow
from mjopt.audits.packages.tile_answers import ERRORS, TileFindings, read_kinds
from mjopt.datasets import read_recipe
from mjopt.datasets.labels import best_discard_masks, useful_masks
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import TileSet

WAIT, DRAWN = "123m456p789s1122z", "123m456p789s1122z5m"


def row(hand: Hand | None, written: str, reason: str = "") -> ValueRow:
    text = "?" if hand is None else hand.to_text()
    return ValueRow(line=1, text=text, hand=hand, written=written, theirs=None, reason=reason)


def errors(means: str, text: str, *written: str, tiles: TileSet = FULL) -> list[str]:
    """Return the kind of error of each answer; empty for a right one."""
    hand, found = Hand.parse(text, tiles=tiles), []
    for answer in written:
        findings = TileFindings(means=means, tiles=tiles, forms=("standard",))
        found += [each.kind for each in findings.wrong([row(hand, answer)])] or [""]
    return found


@pytest.mark.parametrize(
    ("written", "kinds"),
    [
        ("14m", [0, 3]),
        ("4m, 1m 1m", [0, 3]),
        ("['1m', '4m']", [0, 3]),
        (str([1, 0, 0, 2] + [0] * 23), [0, 3]),
        (str([1.0, 0, 0, 2] + [0] * 30), [0, 3]),
        ("9", [0, 3]),
        ("0", []),
        ("[]", []),
        ("", []),
        (str([0] * 33 + [1]), None),
        ("[1, 2]", None),
        ("[1, 'x']", None),
        ("[[1]]", None),
        ("[", None),
        ("1z", None),
        ("x", None),
        ("-1", None),
        ("9" * 30, None),
    ],
)
def test_answers_are_read(written: str, kinds: list[int] | None) -> None:
    found = read_kinds(written, "useful", M0)
    assert (found if found is None else sorted(found)) == kinds


def test_number_of_a_discard_is_its_kind() -> None:
    assert read_kinds("26", "discard", M0) == {26}
    assert read_kinds("27", "discard", M0) is None


def test_errors_of_useful_tiles() -> None:
    missing, useless, both, no_tiles = ERRORS["useful"]
    answers = ("12z", "1z", "12z3m", "1z3m", "nothing", "")
    assert errors("useful", WAIT, *answers) == ["", missing, useless, both, no_tiles, missing]


def test_errors_of_discards() -> None:
    farther, fewer, absent, no_tiles = ERRORS["discard"]
    answers = ("5m", "1m", "9m", "5m1m", "x", "")
    expected = ["", farther, absent, no_tiles, no_tiles, no_tiles]
    assert errors("discard", DRAWN, *answers) == expected
    hand = "13568m2479p14579s"  # several discards keep the deficiency
    ranked = discards(Hand.parse(hand, tiles=FULL))
    same = [each for each in ranked if each.deficiency == ranked[0].deficiency]
    assert same[-1].after.num_copies < same[0].after.num_copies
    assert errors("discard", hand, FULL.names[same[-1].kind]) == [fewer]


def test_complete_hand_needs_no_discard() -> None:
    assert errors("discard", "123m456p789s11122z", "", "x") == ["", ERRORS["discard"][-1]]


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA])
@pytest.mark.parametrize("called", [0, 3])
def test_exact_answers_of_the_batch_functions_are_right(tiles: TileSet, called: int) -> None:
    counts = read_recipe("deals:12", tiles=tiles, called=called).counts(seed=1)
    hands = [Hand.from_counts(row, tiles=tiles, called=called) for row in counts.tolist()]
    masks = useful_masks(counts, called=called, tiles=tiles).tolist()
    useful = TileFindings(means="useful", tiles=tiles, forms=("standard",))
    assert not list(useful.wrong(map(row, hands, map(str, masks))))
    best = best_discard_masks(counts, called=called, tiles=tiles).tolist()
    found = TileFindings(means="discard", tiles=tiles, forms=("standard",))
    for hand, mask in zip(hands, best, strict=True):
        rows = [row(hand, str(kind)) for kind in range(tiles.num_kinds) if hand.counts[kind]]
        wrong = {int(answer.written) for answer in found.wrong(rows)}
        right = {int(each.written) for each in rows} - wrong
        if mask:
            assert right == {kind for kind in range(tiles.num_kinds) if mask >> kind & 1}


def test_awkward_hands_before_the_draw() -> None:
    hands = [known.hand for known in AWKWARD if not known.hand.is_full]
    for hand in hands:
        names = " ".join(hand.tiles.names[kind] for kind in useful_tiles(hand).kinds)
        assert errors("useful", hand.to_text(), names, tiles=hand.tiles) == [""]


def test_rows_without_such_an_answer_are_kept_apart() -> None:
    findings = TileFindings(means="discard", tiles=FULL, forms=("standard",))
    rows = [row(None, "1m", "no hand"), row(Hand.parse(WAIT, tiles=FULL), "1m")]
    assert not list(findings.wrong(rows))
    reasons = [each.reason for each in findings.not_hands]
    assert reasons == ["no hand", "13 tiles, expected a hand after its draw"]
    riichi = TileFindings(means="useful", tiles=FULL, forms=("standard", "seven_pairs"))
    assert not list(riichi.wrong([row(Hand.parse(DRAWN, tiles=FULL), "1m")]))
    assert (riichi.num_rows, riichi.num_hands, len(riichi.not_hands)) == (1, 0, 1)
    assert riichi.to_document()["not_hands"] == 1
    with pytest.raises(ArgumentError, match="means 'x'.*expected one of useful, discard"):
        TileFindings(means="x", tiles=M0, forms=("standard",))


def test_findings_are_counted() -> None:
    findings = TileFindings(means="useful", tiles=FULL, forms=("standard",))
    hand = Hand.parse(WAIT, tiles=FULL)
    rows = [row(hand, written) for written in ("1z2z", "1z", "x")]
    assert [findings.names(each.theirs) for each in findings.wrong(rows)] == ["1z", None]
    assert np.array([*findings.by_deficiency]).tolist()
    assert findings.num_wrong == 2
