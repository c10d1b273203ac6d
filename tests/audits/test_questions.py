"""Exact answers: against one hand at a time, through the network and by exhaustive search."""

import numpy as np
import pytest
from audits.answers import batch_of
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import FULL, M0, SANMA, Hand, decompositions, is_win
from mjopt.audits.exact_answers import UNDEFINED, Answers, kinds_in
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.questions import CHOICE, QUESTIONS, default_forms
from mjopt.hands.rules.classic_forms import UNREACHABLE, classic_forms
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import templates_of
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models import brute_force
from mjopt.tables.suits.template_cost import least_missing


def deal(
    rng: np.random.Generator,
    tiles: TileSet,
    size: int,
    *,
    called: int = 0,
    rules: RuleSet | None = None,
    num_kinds: int | None = None,
) -> Hand:
    some = np.arange(tiles.num_kinds) if num_kinds is None else rng.permutation(tiles.num_kinds)
    pool = np.repeat(some[:num_kinds], COPIES)
    counts = np.bincount(rng.permutation(pool)[: size - 3 * called], minlength=tiles.num_kinds)
    return Hand.from_counts(counts.tolist(), tiles=tiles, called=called, rules=rules)


class OneByOne:
    """Answers by the definitions, from a distance of single hands that uses no tables."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules, self._templates = rules, templates_of(rules.forms)

    def distance(self, counts: list[int], left: list[int], called: int) -> int:
        held, most = tuple(counts), tuple(left)
        return least_missing(self._templates, self._rules.tiles, held, most, called)

    def useful(self, counts: list[int], left: list[int], called: int) -> int:
        now, mask = self.distance(counts, left, called), 0
        if now == UNREACHABLE:
            return 0
        for kind, copies in enumerate(left):
            if copies:
                more = [held + (k == kind) for k, held in enumerate(counts)]
                rest = [number - (k == kind) for k, number in enumerate(left)]
                mask |= (self.distance(more, rest, called) < now) << kind
        return mask

    def discards(self, counts: list[int], left: list[int], called: int) -> int:
        ranks = {}
        for kind, held in enumerate(counts):
            if held:
                less = [number - (k == kind) for k, number in enumerate(counts)]
                useful = kinds_in(self.useful(less, left, called))
                copies = sum(left[k] for k in useful)
                ranks[kind] = (self.distance(less, left, called), -copies)
        return sum(1 << kind for kind, rank in ranks.items() if rank == min(ranks.values()))

    def answers(self, counts: list[int], left: list[int], called: int) -> dict[str, int]:
        is_full = sum(counts) == self._rules.size - 3 * called
        distance, useful = (find(counts, left, called) for find in (self.distance, self.useful))
        is_asked = is_full and distance > 0
        return {
            "win": int(is_full and distance == 0),
            "shanten": distance if distance == UNREACHABLE else distance - 1,
            "deficiency": distance,
            "useful": useful,
            "ukeire": sum(left[kind] for kind in kinds_in(useful)),
            "discard": self.discards(counts, left, called) if is_asked else UNDEFINED,
        }


def answers_of(hands: HandBatch, rules: RuleSet, row: int) -> dict[str, int]:
    return {
        name: int(question.exact(hands, rules.forms)[row])
        for name, question in QUESTIONS.items()
        if name != "decompositions"
    }


@pytest.mark.parametrize("name", sorted(RULE_SETS))
@pytest.mark.parametrize("is_limited", [False, True])
def test_answers_of_every_rule_set(name: str, is_limited: bool) -> None:
    rules, rng = get_rules(name), np.random.default_rng(7)
    known = OneByOne(rules)
    hands = [
        deal(rng, rules.tiles, rules.size - short, rules=rules, num_kinds=num_kinds)
        for short in (0, 1)
        for num_kinds in (6, None)
    ]
    left = np.array([hand.unseen for hand in hands], np.uint8)
    if is_limited:
        left = rng.integers(0, left + 1).astype(np.uint8)
    batch = HandBatch.of(hands, left if is_limited else None)
    for row, hand in enumerate(hands):
        expected = known.answers([*hand.counts], left[row].tolist(), 0)
        assert answers_of(batch, rules, row) == expected, (hand, left[row].tolist())


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([M0, FULL, SANMA]), st.integers(0, 4))
def test_answers_with_called_melds_and_limited_tiles(
    seed: int, tiles: TileSet, called: int
) -> None:
    rng = np.random.default_rng(seed)
    rules = RuleSet(name="own", title="Own", tiles=tiles, size=14, forms=classic_forms(tiles))
    size = 14 - int(rng.integers(2))
    hand = deal(rng, tiles, size, called=called, num_kinds=int(rng.choice([5, 9])))
    left = rng.integers(0, np.array(hand.unseen) + 1).astype(np.uint8)[None]
    limited = bool(rng.integers(2))
    batch = HandBatch.of([hand], left if limited else None)
    least = brute_force.deficiency(hand, unseen=tuple(left[0].tolist()) if limited else None)
    standard = QUESTIONS["deficiency"].exact(batch, read_forms(None, tiles))
    assert standard.tolist() == [least]
    known = OneByOne(rules)
    expected = known.answers(
        [*hand.counts], left[0].tolist() if limited else [*hand.unseen], called
    )
    assert answers_of(batch, rules, 0) == expected


@pytest.mark.parametrize("tiles", [M0, FULL, SANMA])
def test_number_of_decompositions(tiles: TileSet) -> None:
    hands = [Hand.parse(t, tiles=tiles) for t in ("111222333p44455s", "11223344556677s")]
    hands += [Hand.parse("11p", tiles=tiles, called=4), Hand.parse("111222333p4445s", tiles=tiles)]
    forms = classic_forms(tiles)
    found = [QUESTIONS["decompositions"].exact(HandBatch.of([h]), forms)[0] for h in hands]
    assert found == [len(decompositions(hand, forms=forms)) for hand in hands]
    assert found[-1] == 0
    assert max(found) > 1


def test_kinds_of_melds_decide_which_flush_is_possible() -> None:
    rules = get_rules("half-flush")
    melds = (["111p"], ["999m"])
    batch = HandBatch.of([Hand.parse("1112345678m", rules=rules, melds=meld) for meld in melds])
    other, same = QUESTIONS["deficiency"].exact(batch, rules.forms).tolist()
    assert (other, same) == (11, 1)  # all tiles change, for melds and honours of the other suit
    assert all(QUESTIONS["useful"].exact(batch, rules.forms) > 0)


def test_tiles_of_melds_do_not_arrive() -> None:
    hand = Hand.parse("123m456p78s11z", tiles=FULL, melds=["6666s"])
    forms = read_forms("riichi", FULL)
    seen, unseen = HandBatch.of([hand]), batch_of("123m456p78s11z", called=1)
    useful = QUESTIONS["useful"]
    names = [
        " ".join(FULL.names[kind] for kind in kinds_in(int(useful.exact(batch, forms)[0])))
        for batch in (seen, unseen)
    ]
    assert names == ["9s", "6s 9s"]
    assert [int(QUESTIONS["ukeire"].exact(batch, forms)[0]) for batch in (seen, unseen)] == [4, 8]


def test_undefined_questions_have_no_wrong_answer() -> None:
    discard = QUESTIONS["discard"]
    batch = batch_of("1112345678999m", "11122233344455s", "123m456p789s1122z5m")
    exact = discard.exact(batch, read_forms("riichi", FULL))
    assert (exact == UNDEFINED).tolist() == [True, True, False]
    assert discard.is_right(np.full(3, 1 << 30), exact).tolist() == [True, True, False]


def test_any_of_the_best_discards_is_right() -> None:
    question = QUESTIONS["discard"]
    assert question.scale == CHOICE
    exact: Answers = np.array([0b110])
    one, other, both, more, none = (
        question.is_right(np.array([mask]), exact)[0] for mask in (0b10, 0b100, 0b110, 0b1110, 0)
    )
    assert (one, other, both, more, none) == (True, True, True, False, False)


def test_default_forms_are_those_of_riichi_beside_shanten() -> None:
    assert default_forms(["win", "shanten"]) == "riichi"
    assert default_forms(["win", "useful", "deficiency"]) is None


def test_answers_as_text_and_as_data() -> None:
    win, deficiency, useful = (QUESTIONS[name] for name in ("win", "deficiency", "useful"))
    assert [win.text(n, FULL) for n in (0, 1)] == ["no", "yes"]
    assert [deficiency.text(n, FULL) for n in (3, UNREACHABLE)] == ["3", "unreachable"]
    assert [useful.text(n, FULL) for n in (0, 9)] == ["none", "1m 4m"]
    assert (win.value(1, FULL), useful.value(9, FULL)) == (True, "1m 4m")
    assert deficiency.value(UNREACHABLE, FULL) is None
    assert QUESTIONS["ukeire"].text(UNREACHABLE, FULL) == "127"  # a number like any other


def test_wins_of_13_tiles() -> None:
    batch = batch_of("1112345678999m", "11122233344455s")
    assert QUESTIONS["win"].exact(batch, read_forms("riichi", FULL)).tolist() == [0, 1]
    assert is_win("11122233344455s")
