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
from mjopt.hands.rule_file import RULE_SETS, get_rules
from mjopt.hands.rule_set import templates_of
from mjopt.hands.tiles import TileSet
from mjopt.tables.template_cost import least_missing

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
    assert (findings.num_rows, findings.num_hands, len(findings.not_hands)) == (2, 0, 2)
    assert findings.to_document()["not_hands"] == 2
    with pytest.raises(ArgumentError, match="means 'x'.*expected one of useful, discard"):
        TileFindings(means="x", tiles=M0, forms=("standard",))


@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_answers_of_every_rule_set(name: str) -> None:
    """Against the program, before and after the draw."""
    rules, rng = get_rules(name), np.random.default_rng(3)
    pool = np.repeat(np.arange(rules.tiles.num_kinds), 4)
    useful, thrown = (
        TileFindings(means=means, tiles=rules.tiles, forms=rules.forms)
        for means in ("useful", "discard")
    )
    templates = templates_of(rules.forms)

    def away(counts: list[int]) -> int:
        left = tuple(4 - held for held in counts)
        return least_missing(templates, rules.tiles, tuple(counts), left, 0)

    for size in (rules.size, rules.size - 1):
        counts = np.bincount(rng.permutation(pool)[:size], minlength=rules.tiles.num_kinds)
        held = counts.tolist()
        hand = Hand.from_counts(held, tiles=rules.tiles, rules=rules)
        more = [[have + (k == kind) for k, have in enumerate(held)] for kind in range(len(held))]
        right = [
            rules.tiles.names[kind]
            for kind, after in enumerate(more)
            if after[kind] <= 4 and away(after) < away(held)
        ]
        assert not list(useful.wrong([row(hand, " ".join(right))]))
        assert [each.kind for each in useful.wrong([row(hand, " ".join(right[1:]))])]
        if size == rules.size:
            best = discards(hand)[0].kind
            assert not list(thrown.wrong([row(hand, rules.tiles.names[best])]))


def test_findings_are_counted() -> None:
    findings = TileFindings(means="useful", tiles=FULL, forms=("standard",))
    hand = Hand.parse(WAIT, tiles=FULL)
    rows = [row(hand, written) for written in ("1z2z", "1z", "x")]
    assert [findings.names(each.theirs) for each in findings.wrong(rows)] == ["1z", None]
    assert np.array([*findings.by_deficiency]).tolist()
    assert findings.num_wrong == 2
