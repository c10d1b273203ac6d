"""Likely causes: each with answers that it explains, and the exact ones that it does not."""

import random

import numpy as np
import pytest
from audits.answers import audit_of, batch_of
from helpers.support import AWKWARD, deal

from mjopt import FULL, M0, SANMA, Hand
from mjopt.audits import readings
from mjopt.audits.exact_answers import distances
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import QUESTIONS
from mjopt.audits.readings import standard_distance
from mjopt.hands.rules.classic_forms import RIICHI
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.tables.suits.costs import join_costs, suit_costs

# Programs that ignore the limit of four copies are one too low on these hands.
FIFTH_COPY = ("33336666789999m", "44555566667777z", "22224566669999m")


def causes(question: str, hands: HandBatch, *cells: object, forms: FormsLike = None) -> list[str]:
    """Return the cause of each wrong answer."""
    with audit_of(hands, {question: cells}, forms) as audit:
        return [row.cause for row in audit.wrong()]


def unlimited(hand: Hand) -> int:
    """Return the deficiency with unlimited copies, suit by suit, without a table."""
    joined = {0: 0}
    for suit, part in zip(hand.tiles.suits, hand.tiles.slices, strict=True):
        held = hand.counts[part]
        begins = [suit.has_chows and rank + 2 < len(held) for rank in range(len(held))]
        joined = join_costs(joined, suit_costs(held, [7] * len(held), begins))
    return joined[2 * hand.melds_needed + 1]


@pytest.mark.parametrize("text", FIFTH_COPY)
def test_waiting_for_a_fifth_copy(text: str) -> None:
    hands = batch_of(text)
    [true] = distances(hands, read_forms(None, FULL))
    assert standard_distance(hands, has_fifth=True).tolist() == [true - 1]
    assert causes("deficiency", hands, int(true) - 1) == [readings.FOUR_COPIES]


def test_unlimited_copies_never_increase_the_deficiency() -> None:
    rng = random.Random(5)
    dealt = [deal(rng, FULL, num_kinds=rng.choice([None, 4, 5])) for _ in range(150)]
    hands = HandBatch.of(dealt)
    true, found = distances(hands, read_forms(None, FULL)), standard_distance(hands, has_fifth=True)
    assert (standard_distance(hands) == true).all()
    assert (found <= true).all()
    assert (found < true).sum() > 10
    holds_four = np.array([max(hand.counts) == 4 for hand in dealt])
    assert found[holds_four].tolist() == [
        unlimited(hand) for hand in dealt if max(hand.counts) == 4
    ]


def test_other_forms() -> None:
    pairs = batch_of("1133557799m1133p")
    assert causes("deficiency", pairs, 0) == [readings.MIXED_FORMS]
    assert causes("deficiency", pairs, 1) == ["too low by three"]
    assert causes("deficiency", pairs, 4, forms="riichi") == ["counts only standard"]
    assert causes("win", pairs, "yes") == [readings.MIXED_FORMS]
    assert causes("useful", batch_of("1133557799m113p"), "3p") == [readings.MIXED_FORMS]
    assert causes("decompositions", batch_of("112233m112233p11s"), 1, forms="riichi") == [
        "counts only standard"
    ]


def test_four_of_a_kind_as_two_pairs() -> None:
    quads = batch_of("111199m3377p255s1z")
    assert causes("deficiency", quads, 1, forms="seven_pairs") == [readings.QUADS]
    assert causes("deficiency", quads, 8, forms="seven_pairs") == [
        "too high by six, holding four of a kind"
    ]
    assert causes("win", batch_of("1111m3377p2255s11z"), 1, forms="riichi") == [readings.QUADS]


@pytest.mark.parametrize(
    ("question", "text", "cell", "cause"),
    [
        ("useful", "1111m234567p789s", "1m", readings.FOUR_COPIES),
        ("useful", "123m456p789s1234z", "14z", readings.HONOUR_RUNS),
        ("shanten", "123m456p789s1234z", 0, readings.HONOUR_RUNS),
        ("ukeire", "123m456p789s1122z", 8, readings.OWN_COPIES),
        ("ukeire", "123m456p789s1122z", 2, readings.KINDS),
        ("shanten", "11122233344455s", 0, readings.WIN_IS_ZERO),
        ("win", "123m456p789s1122z", 1, readings.READY),
        ("useful", "123m456p789s1122z5m", "", ""),
        ("discard", "123m456p789s1122z5m", "2p", ""),
    ],
)
def test_causes_of_single_answers(question: str, text: str, cell: object, cause: str) -> None:
    [found] = causes(question, batch_of(text), cell, forms="riichi")
    assert found == cause


def test_useful_tiles_after_the_best_discard() -> None:
    hands = batch_of("1133m456p789s1122z")  # two pairs too many: exchanges, then a wait
    exact = QUESTIONS["useful"].exact(hands, read_forms("riichi", FULL))
    best = QUESTIONS["discard"].exact(hands, read_forms("riichi", FULL))
    assert exact[0] > 0
    assert best[0] > 0
    [reading] = [
        find
        for name, find in readings.readings(QUESTIONS["useful"], hands, read_forms("riichi", FULL))
        if name == readings.AFTER_DISCARD
    ]
    after = reading(hands)
    assert after is not None
    if after[0] != exact[0]:
        assert causes("useful", hands, int(after[0]), forms="riichi") != [""]


def test_called_melds_and_seen_tiles() -> None:
    hand = Hand.parse("123m456p78s11z", tiles=FULL, melds=["6666s"])
    assert causes("ukeire", HandBatch.of([hand]), 8, forms="riichi") == [readings.SEEN]
    called = batch_of("123m456p78s11z", called=1)
    assert causes("deficiency", called, 4) == [readings.CALLED]


def test_tiles_that_three_players_lack() -> None:
    hands = batch_of("1111m111122233z", tiles=SANMA)
    [true] = distances(hands, read_forms("riichi", SANMA)).tolist()
    four = distances(batch_of("1111m111122233z"), read_forms("riichi", FULL)).tolist()[0]
    assert four < true
    assert causes("deficiency", hands, four, forms="riichi") == [readings.FOUR_PLAYERS]


def test_shift_of_every_row_is_one_cause() -> None:
    known = [each for each in AWKWARD if each.tiles == FULL]
    hands = HandBatch.of([each.hand for each in known])
    with audit_of(hands, {"deficiency": [each.deficiency - 1 for each in known]}) as audit:
        findings = audit.columns["deficiency"]
        assert findings.shift == -1
        assert findings.causes == {"off by one: shanten given as deficiency": len(known)}
        assert {row.cause for row in audit.wrong()} == set(findings.causes)
    with audit_of(hands, {"shanten": [each.deficiency for each in known]}) as audit:
        assert audit.columns["shanten"].causes == {
            "off by one: deficiency given as shanten": len(known)
        }


def test_no_shift_if_a_row_is_right_or_each_row_is_explained() -> None:
    fifth = HandBatch.of([Hand.parse(text, tiles=FULL) for text in FIFTH_COPY])
    low = [int(value) - 1 for value in distances(fifth, read_forms(None, FULL))]
    with audit_of(fifth, {"deficiency": low}) as audit:
        assert audit.columns["deficiency"].causes == {readings.FOUR_COPIES: 3}
    right = "11122233344455s"
    mixed = batch_of(*FIFTH_COPY, right, right)
    with audit_of(mixed, {"deficiency": [*low, 0, 1]}) as audit:
        findings = audit.columns["deficiency"]
        assert findings.shift is None
        assert findings.causes == {readings.FOUR_COPIES: 3, "too high by one": 1}


def test_the_reading_that_fits_most_is_the_cause() -> None:
    """An engine with runs of honours: a few of its answers also fit other readings by chance."""
    rng = random.Random(2)
    hands = HandBatch.of([deal(rng, FULL, num_kinds=20) for _ in range(120)])
    with_runs = standard_distance(hands, honour_runs=True)
    with audit_of(hands, {"deficiency": with_runs.tolist()}) as audit:
        found = audit.columns["deficiency"]
        assert [*found.causes] == [readings.HONOUR_RUNS]
        assert found.num_wrong > 20


@pytest.mark.parametrize("question", sorted(QUESTIONS))
def test_exact_answers_have_no_cause(question: str) -> None:
    hands = HandBatch.of([each.hand for each in AWKWARD if each.tiles == FULL])
    forms = read_forms(RIICHI, FULL)
    exact = QUESTIONS[question].exact(hands, forms)
    texts = [QUESTIONS[question].text(int(answer), FULL) for answer in exact]
    cells = ["-" if text == "undefined" else text for text in texts]
    with audit_of(hands, {question: cells}, RIICHI) as audit:
        assert audit.num_wrong == 0
        assert not [*audit.wrong()]


def test_plain_distance_is_the_standard_form_of_every_tile_set() -> None:
    rng = random.Random(3)
    for tiles in (M0, FULL, SANMA):
        hands = HandBatch.of([deal(rng, tiles) for _ in range(40)])
        expected = distances(hands, read_forms(None, tiles))
        assert (standard_distance(hands) == expected).all()
