import random

import numpy as np
import numpy.typing as npt
import pytest
from helpers.support import AWKWARD, deal, hands, limits
from helpers.waits import LONG
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_implementations.heuristics.tree_search import PlainTreeSearch
from reference_implementations.paper_family import family, three_kongs_two_singles

import mjopt
from mjopt.errors import ArgumentError
from mjopt.hands.blocks import pong
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import FULL, M0, TILE_SETS, TileSet
from mjopt.heuristics._tree_moves import EYE, ORDERS, PAIR, PONG
from mjopt.heuristics.result import Batch, Result
from mjopt.heuristics.runner import run_batch
from mjopt.heuristics.stopping import NEVER, Stop, StopReason, evaluations, reached, seconds
from mjopt.heuristics.tree_search import TreeSearch
from mjopt.tables.suits.state_index import one_type_counts

RNG = np.random.default_rng(0)


def one_type() -> npt.NDArray[np.uint8]:
    counts = one_type_counts()
    return np.concatenate([counts, np.zeros((len(counts), 18), np.uint8)], axis=1)


def dealt(
    number: int, tiles: TileSet, *, size: int, kinds: int | None = None, seed: int
) -> npt.NDArray[np.uint8]:
    """Deal hands from the whole wall or from a few kinds (many kongs)."""
    rng = np.random.default_rng(seed)
    order = rng.random((number, tiles.num_kinds)).argsort(axis=1)[:, : kinds or tiles.num_kinds]
    wall = np.repeat(order, 4, axis=1)
    places = rng.random(wall.shape).argsort(axis=1)[:, :size]
    counts = np.zeros((number, tiles.num_kinds), np.uint8)
    np.add.at(counts, (np.arange(number)[:, None], np.take_along_axis(wall, places, axis=1)), 1)
    return counts


def search_all(
    method: TreeSearch, counts: npt.NDArray[np.uint8], *, tiles: TileSet = M0, called: int = 0
) -> Batch:
    numbers = np.arange(len(counts))
    return run_batch(
        method,
        counts,
        seed=0,
        method="tree",
        hand_numbers=numbers,
        run=0,
        tiles=tiles,
        called=called,
    )


def search(
    hand: Hand, stop: Stop = NEVER, target: int | None = None, **parameters: object
) -> Result:
    return TreeSearch(**parameters).search(hand, rng=RNG, stop=stop, target=target)  # type: ignore[arg-type]


@pytest.mark.parametrize("known", AWKWARD, ids=lambda known: known.text)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("prune", [True, False])
def test_awkward_hands(known: object, order: str, prune: bool) -> None:
    assert TreeSearch(order=order, prune=prune).deficiency(known.hand) == known.deficiency


def test_one_type_hands_are_exact() -> None:
    counts = one_type()
    found = search_all(TreeSearch(), counts)
    assert (found.value == mjopt.label(counts)).all()
    assert np.bincount(found.value).tolist() == [13_259, 91_065, 14_386, 90]
    # The node count characterises the method; a change needs an explanation.
    assert (found.evaluations.sum(), found.evaluations.max()) == (3_420_995, 603)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("called", range(5))
@pytest.mark.parametrize("kinds", [None, 8, 6, 5])
def test_random_deals_are_exact(tiles: TileSet, called: int, kinds: int | None) -> None:
    for size in (14 - 3 * called, 13 - 3 * called):
        counts = dealt(1000, tiles, size=size, kinds=kinds, seed=size)
        found = search_all(TreeSearch(), counts, tiles=tiles, called=called)
        assert (found.value == mjopt.label(counts, called=called, tiles=tiles)).all()


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_hands_where_the_papers_cost_is_wrong_are_exact(step: int) -> None:
    counts = np.array(list(family())[::step], np.uint8)
    assert (search_all(TreeSearch(), counts).value == 3).all()


@pytest.mark.slow
def test_three_kongs_and_two_singles_are_exact() -> None:
    counts = np.array(list(three_kongs_two_singles()), np.uint8)
    assert (search_all(TreeSearch(), counts).value == mjopt.label(counts)).all()


@pytest.mark.slow
@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
def test_many_random_deals_are_exact(tiles: TileSet) -> None:
    for kinds in (None, 18, 8):
        counts = dealt(200_000, tiles, size=14, kinds=kinds, seed=5)
        assert (
            search_all(TreeSearch(), counts, tiles=tiles).value == mjopt.label(counts, tiles=tiles)
        ).all()


@given(st.data())
@settings(max_examples=150)
def test_limited_unseen_tiles_are_respected(data: st.DataObject) -> None:
    hand = data.draw(hands())
    unseen = data.draw(limits(hand))
    assert TreeSearch().deficiency(hand, unseen=unseen) == mjopt.deficiency(hand, unseen=unseen)


def test_empty_wall_is_unreachable() -> None:
    hand = Hand.parse("123m456m789m1239p")
    assert TreeSearch().deficiency(hand, unseen=[0] * 27) == UNREACHABLE
    assert TreeSearch().deficiency(Hand.parse("123m456m789m12399p"), unseen=[0] * 27) == 0


def test_a_pchow_needs_a_tile_that_can_arrive() -> None:
    """On one side of it, or between its tiles."""
    for text, tiles in (("23m55p", (0, 3)), ("89m55p", (6,)), ("24m55p", (2,))):
        hand = Hand.parse(text, called=3, partial=True)
        for kind in tiles:
            unseen = [4] * 27
            assert TreeSearch().deficiency(hand, unseen=unseen) == 1
            for other in tiles:
                unseen[other] = 0
            assert TreeSearch().deficiency(hand, unseen=unseen) == 2
            unseen[kind] = 1
            assert TreeSearch().deficiency(hand, unseen=unseen) == 1


def test_two_pchows_cannot_share_the_last_tile() -> None:
    hand = Hand.parse("1133m456m789m1p159s")
    unseen = [0] * 27
    unseen[1], unseen[9] = 1, 1  # 2m and 1p
    assert TreeSearch().deficiency(hand, unseen=unseen) == UNREACHABLE
    unseen[1] = 2
    assert TreeSearch().deficiency(hand, unseen=unseen) == 3
    assert mjopt.deficiency(hand, unseen=unseen) == 3


@pytest.mark.parametrize("number", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_kernel_visits_the_nodes_of_the_python_search(number: int) -> None:
    """Values, nodes and elements agree for every option, with limited unseen tiles too."""
    rng = random.Random(number)
    for _ in range(number):
        tiles, called = rng.choice([M0, FULL]), rng.randint(0, 2)
        hand = deal(
            rng,
            tiles,
            size=14 - 3 * called - rng.randint(0, 1),
            called=called,
            suits=rng.randint(1, 3),
            num_kinds=rng.choice([None, None, 5, 7]),
        )
        order, limit = rng.choice(list(ORDERS)), rng.choice([None, None, 6, 8])
        prune = hand.num_tiles > 8 or rng.random() < 0.5
        method = TreeSearch(order=order, prune=prune, depth_limit=limit)
        plain = PlainTreeSearch(
            tiles, hand.counts, hand.unseen, 4 - called, order, prune, limit or 100
        ).run()
        found = search(hand, order=order, prune=prune, depth_limit=limit)
        assert (found.value, found.evaluations) == (plain.best, plain.nodes), hand.to_text()
        shapes = {PONG: 3, EYE: 2, PAIR: 2}
        assert len(found.predecomposition.pieces) == len(plain.pieces)
        for piece, (branch, kind) in zip(found.predecomposition.pieces, plain.pieces, strict=True):
            assert piece.kinds[0] == kind
            assert branch not in shapes or piece.kinds == (kind,) * shapes[branch]
        assert search_all(
            method, np.array([hand.counts], np.uint8), tiles=tiles, called=called
        ).evaluations == [plain.nodes]


def test_value_may_exceed_the_papers_cost() -> None:
    found = search(Hand.parse("B3333C222267D7777", notation="paper"))
    assert (found.value, found.predecomposition.cost(), found.completes) == (3, 2, True)


def test_four_of_a_kind_form_a_pong_or_the_eye() -> None:
    hand = Hand.parse("1111z", tiles=FULL, partial=True, called=3)
    assert search(hand).predecomposition.pieces == (pong(27),)
    unseen = [0] * 34
    unseen[0] = 3  # 1m, for the eye
    assert TreeSearch().deficiency(hand, unseen=unseen) == 2
    unseen[0] = 1
    assert TreeSearch().deficiency(hand, unseen=unseen) == UNREACHABLE


@pytest.mark.parametrize(("text", "called"), [("", 2), ("1m", 2), ("19m147p", 0)])
def test_hands_without_candidates(text: str, called: int) -> None:
    hand = Hand.parse(text, called=called, partial=True)
    found = search(hand)
    assert found.value == mjopt.deficiency(hand)
    assert found.predecomposition.pieces == ()
    assert found.stopped is StopReason.EXHAUSTED


def test_pruning_and_order_change_only_the_node_count() -> None:
    counts = one_type()[::400]
    pruned = search_all(TreeSearch(), counts)
    for other in (TreeSearch(order="as-published"), TreeSearch(prune=False)):
        found = search_all(other, counts)
        assert (found.value == pruned.value).all()
        assert found.evaluations.mean() > 3 * pruned.evaluations.mean()


def test_depth_limited_search_is_not_exact() -> None:
    counts = dealt(20_000, M0, size=14, seed=1)
    true = mjopt.label(counts)
    wrong = {}
    for limit in (7, 8, 9, 10, None):
        value = search_all(TreeSearch(depth_limit=limit), counts).value
        assert (value >= true).all()
        wrong[limit] = int((value > true).sum())
    assert wrong[7] > wrong[8] > wrong[9] > wrong[10] == wrong[None] == 0


def test_node_budget_stops_the_search() -> None:
    hand = Hand.parse("1225m244456679p7s")
    whole = search(hand, target=4)
    assert whole.hit_evaluations is not None
    values = []
    for budget in range(1, whole.evaluations + 3):
        found = search(hand, stop=evaluations(budget), target=4)
        has_hit = budget >= whole.hit_evaluations
        assert found.hit_evaluations == (whole.hit_evaluations if has_hit else None)
        assert (found.value <= 4) is has_hit
        assert found.evaluations == min(budget, whole.evaluations)
        cut = budget < whole.evaluations
        assert (found.stopped is StopReason.EVALUATIONS) is cut
        values.append(found.value)
    assert values == sorted(values, reverse=True)
    assert values[0] > values[-1] == whole.value == 3


def test_search_stops_at_a_value_and_records_a_target() -> None:
    hand = Hand.parse("123456789m11122p")
    found = search(hand, target=0)
    assert found.hit_evaluations is not None
    stopped = search(hand, stop=reached(0))
    assert stopped.stopped is StopReason.REACHED
    assert stopped.evaluations == found.hit_evaluations <= found.evaluations
    assert search(hand, target=-1).hit_evaluations is None
    assert search(hand).hit_evaluations is None


def test_time_limit_stops_between_trees() -> None:
    hand = Hand.parse("1223344556677m")
    whole = search(hand, prune=False)
    assert whole.evaluations > 10_000
    assert search(hand, stop=seconds(LONG), prune=False) == whole
    cut = search(hand, stop=seconds(1e-9), prune=False)
    assert cut.stopped is StopReason.SECONDS
    assert cut.evaluations < whole.evaluations


def test_batch_records_targets() -> None:
    counts = one_type()[::1000]
    true = mjopt.label(counts)
    keys = {"seed": 0, "method": "tree", "hand_numbers": np.arange(len(counts)), "run": 0}
    plain = run_batch(TreeSearch(), counts, targets=true, history=True, **keys)
    early = run_batch(TreeSearch(), counts, targets=true, stop_at_target=True, **keys)
    assert (plain.hit_evaluations == early.evaluations).all()
    assert (early.stopped == StopReason.REACHED).all()
    assert (plain.stopped == StopReason.EXHAUSTED).all()
    assert (plain.hit_generation == 0).all()
    assert plain.history is not None
    assert (plain.history[:, 0] == true).all()
    for row, hand in enumerate(counts[:20].tolist()):
        found = search(Hand.from_counts(hand), target=int(true[row]))
        assert found.evaluations == plain.evaluations[row]
        assert found.hit_evaluations == plain.hit_evaluations[row]


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"order": "best"}, "order 'best', expected one of melds-first, as-published"),
        ({"prune": 2}, "prune 2, expected true or false"),
        ({"depth_limit": 0}, "depth limit 0, expected at least 1, or none"),
        ({"depth_limit": 2.5}, "depth limit 2.5, expected"),
    ],
)
def test_invalid_parameters_are_refused(parameters: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        TreeSearch(**parameters)  # type: ignore[arg-type]


def test_hand_that_cannot_be_completed_has_no_result() -> None:
    one_kind = TileSet("one kind", (mjopt.hands.tiles.Suit("z", "honours", (1,), has_chows=False),))
    hand = Hand.from_counts([4], tiles=one_kind, called=3, partial=True)
    assert TreeSearch().deficiency(hand) == UNREACHABLE
    with pytest.raises(ArgumentError, match="no unseen tiles complete 1111z"):
        search(hand)
