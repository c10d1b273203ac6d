"""Hands of three players: tables, programs, brute force and the full set with limits agree."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt import FULL, M0, SANMA, Hand
from mjopt._internal.jit import compile_always
from mjopt.audits.answer_block import AnswerBlock
from mjopt.audits.comparison import Audit, compare
from mjopt.audits.engines import get_engine
from mjopt.audits.hand_batch import HandBatch
from mjopt.audits.packages import get_package
from mjopt.audits.questions import DISTANCES
from mjopt.datasets.labels.target_counts import num_decompositions, num_targets
from mjopt.datasets.recipes.registry import read_recipe
from mjopt.errors import HandError, MjoptError, TileError
from mjopt.hands.rules.classic_forms import RIICHI
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.tiles import places_in_full
from mjopt.models import brute_force
from mjopt.tables.labels.batch import label
from mjopt.tables.lookup import label_one

PLACES = list(places_in_full(SANMA))
AWKWARD = (
    "1111m9999m111p456s",  # four of both terminals
    "1111m99m123p45s111z",
    "119m19p19s1234567z",
    "1199m1199p1199s11z",
    "11999m111222333p",
    "19m19p19s12345677z",
    "1111m2222p3333s44z",
    "1111m1111z2222z33z",
    "99m123456789p111s",
)


def widen(rows: np.ndarray) -> np.ndarray:
    wide = np.zeros((*rows.shape[:-1], 34), rows.dtype)
    wide[..., PLACES] = rows
    return wide


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    hands = [Hand.parse(text, tiles="sanma").counts for text in AWKWARD]
    parts = [read_recipe(text, tiles="sanma").counts(seed=5) for text in ("deals:60", "kongs:40:2")]
    return np.concatenate([np.array(hands, np.uint8), *parts])


@st.composite
def hands(draw: st.DrawFn) -> tuple[int, ...]:
    """Draw a hand with many terminals of characters."""
    few = draw(st.lists(st.integers(2, 26), min_size=4, max_size=6, unique=True))
    pool = np.repeat([0, 1, *few], 4).tolist()
    tiles = draw(st.permutations(pool))[: draw(st.sampled_from([13, 14]))]
    return tuple(np.bincount(tiles, minlength=27).tolist())


@given(counts=hands(), left=st.lists(st.integers(0, 4), min_size=27, max_size=27))
@settings(max_examples=40)
def test_tables_agree_with_brute_force(counts: tuple[int, ...], left: list[int]) -> None:
    hand = Hand.from_counts(counts, tiles="sanma")
    for unseen in (None, left):
        for forms in (("standard",), RIICHI):
            found = mjopt.deficiency(hand, unseen=unseen, forms=forms)
            assert found == brute_force.deficiency(hand, unseen=unseen, forms=forms)


def test_programs_agree_with_tables(rows: np.ndarray) -> None:
    for counts in rows[:12].tolist():
        hand = Hand.from_counts(counts, tiles="sanma")
        expected = label_one(counts, tiles=SANMA)
        for model, solver in (("completion", "cp-sat"), ("blockwise", "cbc"), ("network", "highs")):
            assert mjopt.deficiency(hand, model=model, solver=solver) == expected, (hand, model)


@pytest.mark.parametrize("compiled", [False, True])
def test_answers_are_those_of_full_without_2m_to_8m(rows: np.ndarray, compiled: bool) -> None:
    unseen = 4 - rows
    before = rows.copy()
    before[np.arange(len(rows)), rows.argmax(axis=1)] -= 1
    with compile_always(compiled):
        for forms in (("standard",), RIICHI):
            expected = label(widen(rows), unseen=widen(unseen), forms=forms)
            assert (label(rows, tiles="sanma", forms=forms) == expected).all()
            assert (label(widen(rows), tiles="sanma", forms=forms) == expected).all()
            assert (label(rows, unseen=unseen, tiles="sanma", forms=forms) == expected).all()
            one = mjopt.useful_tiles_many(before, tiles="sanma", forms=forms)
            other = mjopt.useful_tiles_many(widen(before), unseen=widen(4 - before), forms=forms)
            assert (one.deficiency == other.deficiency).all()
            assert (widen(one.useful) == other.useful).all()
            assert (one.num_copies == other.num_copies).all()
            few = mjopt.discards_many(rows, tiles="sanma", forms=forms)
            many = mjopt.discards_many(widen(rows), unseen=widen(unseen), forms=forms)
            wide = mjopt.discards_many(widen(rows), tiles="sanma", forms=forms)
            for name in ("deficiency", "num_copies"):
                assert (getattr(few, name) == getattr(many, name)[:, PLACES]).all()
                assert (getattr(wide, name) == getattr(many, name)).all()


def test_one_hand_and_many_have_the_same_discards(rows: np.ndarray) -> None:
    with compile_always():
        many = mjopt.discards_many(rows, tiles="sanma")
    for place, counts in enumerate(rows[:20].tolist()):
        for found in mjopt.discards(counts, tiles="sanma"):
            assert found.deficiency == many.deficiency[place, found.kind]
            assert found.after.num_copies == many.num_copies[place, found.kind]


def test_packed_hands_keep_their_labels(rows: np.ndarray) -> None:
    packed = mjopt.pack(rows, tiles="sanma")
    assert (mjopt.unpack(packed, tiles="sanma") == rows).all()
    assert (mjopt.label_packed(packed, tiles="sanma") == label(rows, tiles="sanma")).all()
    packed[1, 0] = 25
    with pytest.raises(TileError, match=r"row 1: state 25, expected 0\.\.24"):
        mjopt.label_packed(packed, tiles="sanma")


def test_census_counts_all_complete_hands() -> None:
    found = mjopt.census("sanma")
    assert found.counts[0] == brute_force.count_complete_hands(SANMA)
    assert found.num_deals == comb(108, 14)


def test_targets_and_decompositions_are_counted(rows: np.ndarray) -> None:
    found = num_targets(rows[:10], tiles=SANMA)
    splits = num_decompositions(rows[:10], tiles=SANMA)
    for place, counts in enumerate(rows[:10].tolist()):
        hand = Hand.from_counts(counts, tiles="sanma")
        assert found[place] == mjopt.targets(hand).number
        assert splits[place] == len(mjopt.decompositions(hand))


def test_win_chances_are_those_of_full_without_2m_to_8m() -> None:
    hand = Hand.parse("1199m1z", called=3, tiles="sanma")
    full = hand.in_full()
    wall = [copies * (kind in PLACES) for kind, copies in enumerate(full.unseen)]
    one = mjopt.optimal_play(hand, draws=3, table=False)
    other = mjopt.optimal_play(full, wall=wall, draws=3, table=False)
    assert [(PLACES[row.kind], row.lower, row.upper) for row in one.discards] == [
        (row.kind, row.lower, row.upper) for row in other.discards
    ]


def test_expected_draws_are_those_of_full_without_2m_to_8m() -> None:
    hand = Hand.parse("1199m123p4567s15z", tiles="sanma")
    full = hand.in_full()
    wall = [copies * (kind in PLACES) for kind, copies in enumerate(full.unseen)]
    assert mjopt.expected_draws(hand).mean == mjopt.expected_draws(full, wall=wall).mean


@pytest.mark.parametrize("name", ["mahjong", "xiangting", "riichienv"])
def test_another_package_agrees(name: str) -> None:
    """`mjopt audit-engine NAME --tiles sanma` compares more hands."""
    pytest.importorskip(name)
    counts = read_recipe("deals:2000", tiles="sanma").counts(seed=3)
    batch = HandBatch(counts=counts, called=np.zeros(len(counts), np.int16), tiles=SANMA)
    engine = get_engine(name, tiles=SANMA)
    columns = {question: question for question in engine.questions}
    with Audit(columns, tiles=SANMA, forms=read_forms(RIICHI, SANMA)) as audit:
        compare(engine.blocks([AnswerBlock.of(batch)]), audit)
        audit.drop_unanswered(name)
        assert audit.num_wrong == 0
        [findings] = [f for column, f in audit.columns.items() if column in DISTANCES]
        assert (findings.num_read, findings.num_compared) == (2000, 2000)

    expected = label(counts, tiles="sanma", forms=RIICHI) - (findings.name == "shanten")
    ask = get_package(name).load(RIICHI, SANMA)
    for row in range(0, len(counts), 40):
        assert ask(batch.hand(row))[findings.name] == expected[row]


def test_package_without_three_players_is_refused() -> None:
    with pytest.raises(HandError, match="jansou has no hands of SANMA, expected mahjong or"):
        get_engine("jansou", tiles=SANMA)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Hand.parse("5m1p", tiles="sanma"), "SANMA has no 5m, expected a rank 1 or 9 of m"),
        (lambda: Hand.parse("1m", tiles="sanma3"), "expected one of m0, 136, sanma"),
        (lambda: label([[0] * 28], tiles="sanma"), r"shape \(N, 27\) or \(N, 34\) for SANMA"),
        (lambda: label([[0] * 27], tiles=FULL), r"expected integers of shape \(N, 34\) for FULL"),
        (lambda: label([[0, 3] + [0] * 32], tiles="sanma"), "row 0: 3 copies of 2m, but SANMA has"),
        (lambda: label([[0] * 33 + [2]], tiles=M0), "2 copies of 7z, but M0 has no 7z"),
        (lambda: label([[5] + [0] * 26], tiles="sanma"), "row 0: 5 copies of 1m, expected 0..4"),
        (lambda: label([[0, 5] + [0] * 25], tiles="sanma"), "row 0: 5 copies of 9m, expected 0..4"),
        (
            lambda: label([[1] * 14 + [0] * 13], unseen=[1] * 26, tiles="sanma"),
            r"unseen: int64 of shape \(26,\), expected integers of shape \(27,\)",
        ),
        (
            lambda: mjopt.deficiency("19m", called=4, tiles="sanma", unseen=[1] * 26),
            "unseen: 26 numbers, expected 27, one per kind of SANMA",
        ),
        (
            lambda: mjopt.deficiency("19m", called=4, tiles="sanma", unseen=[4] * 34),
            "unseen: 4 copies of 2m, but SANMA has no 2m",
        ),
        (lambda: mjopt.label_packed([[0]], tiles="sanma"), "packed: "),
        (
            lambda: mjopt.ceiling(Hand.parse("19m", called=4, tiles="sanma")),
            "ceiling tables exist for m0 and",
        ),
    ],
)
def test_bad_input_is_one_line(call: object, message: str) -> None:
    with pytest.raises(MjoptError, match=message) as caught:
        call()  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_many_rows_with_a_fifth_copy_are_refused() -> None:
    rows = np.tile(np.array(Hand.parse(AWKWARD[1], tiles="sanma").counts, np.uint8), (5000, 1))
    assert (label(rows, tiles="sanma") == label_one(rows[0].tolist(), tiles=SANMA)).all()
    for kind in (0, 1, 2, 26):
        wrong = rows.copy()
        wrong[4321, kind] = 5
        with pytest.raises(TileError, match=f"row 4321: 5 copies of {SANMA.names[kind]}"):
            label(wrong, tiles="sanma")
