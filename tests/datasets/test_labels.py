"""Batch labels against independent computations and published values."""

from typing import Any

import numpy as np
import pytest
from helpers.support import AWKWARD

from mjopt.datasets import Deal, read_recipe
from mjopt.datasets.labels.base import DatasetColumn, HandRows, Label
from mjopt.datasets.labels.registry import LABELS, engines, get_label, get_labels
from mjopt.datasets.labels.target_counts import num_decompositions, num_targets
from mjopt.errors import ArgumentError, HandError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.tables.standard._paper_cost import paper_costs
from mjopt.tables.useful import best_discard_masks, useful_masks

BOTH_WAYS = ["deficiency", "win", "useful", "targets", "decompositions"]
ONCE = 12  # rows computed a second time, per set


def block_of(recipe: str, tiles: TileSet, size: int = 14, called: int = 0) -> HandRows:
    found = read_recipe(recipe, tiles=tiles, size=size, called=called)
    hands = found.counts(seed=5)
    return HandRows(deal=found.deal, hands=hands, rows=np.arange(len(hands)), seed=3)


HANDS = np.zeros((2, 27), np.uint8)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"deal": None}, TypeError, "deal: None, expected a Deal"),
        ({"hands": [[1] * 27]}, TypeError, "hands: .*, expected an array of whole numbers"),
        ({"hands": HANDS + 0.5}, TypeError, "hands: .*, expected an array of whole numbers"),
        ({"rows": None}, TypeError, "rows: None, expected an array of whole numbers"),
        ({"seed": "x"}, TypeError, "seed: 'x', expected a whole number"),
        ({"seed": -1}, ArgumentError, "seed -1, expected 0 or more"),
        ({"hands": HANDS[:, :9]}, ArgumentError, r"\(2, 9\), expected \(N, 27\) for M0"),
        ({"rows": np.arange(3)}, ArgumentError, r"\(3,\), expected \(2,\), one for each hand"),
    ],
)
def test_rows_of_wrong_types_are_refused(
    change: dict[str, Any], error: type[Exception], message: str
) -> None:
    fields: dict[str, Any] = {"deal": Deal(tiles=M0), "hands": HANDS, "rows": np.arange(2)}
    with pytest.raises(error, match=message):
        HandRows(**({**fields, "seed": 0} | change))


def test_missing_rows_are_refused() -> None:
    rows = HandRows(deal=Deal(tiles=M0), hands=HANDS, rows=np.arange(2), seed=0)
    for place in (-1, 2, 10**30):
        with pytest.raises(ArgumentError, match=r"expected 0..1"):
            rows.row(place)
    empty = HandRows(deal=Deal(tiles=M0), hands=HANDS[:0], rows=np.arange(0), seed=0)
    with pytest.raises(ArgumentError, match="no hands, expected one or more"):
        empty.hand  # noqa: B018 - the error is the test


def assert_agrees(name: str, block: HandRows) -> None:
    label = get_label(name)
    values = label.values(block)
    assert set(values) == {column.name for column in label.typed_columns(block.deal)}
    step = max(1, len(block.hands) // ONCE)
    for place in range(0, len(block.hands), step):
        for column, value in label.recompute(block.row(place)).items():
            assert values[column][place] == value, (column, block.row(place).hand.to_text())


@pytest.mark.parametrize(
    ("recipe", "tiles", "size", "called"),
    [
        ("stratified:70", M0, 14, 0),
        ("kongs:40", M0, 14, 0),
        ("deals:60", M0, 13, 0),
        ("stratified:60", FULL, 14, 0),
        ("kongs:30:2", FULL, 13, 0),
        ("stratified:40", FULL, 14, 2),
        ("stratified:30", M0, 13, 3),
        ("deals:20", FULL, 14, 4),
    ],
)
def test_labels_agree_with_a_second_computation(
    recipe: str, tiles: TileSet, size: int, called: int
) -> None:
    block = block_of(recipe, tiles, size, called)
    names = [*BOTH_WAYS, *(["discards"] if size == 14 else [])]
    names += [] if called else ["seven_pairs", *(["thirteen_orphans"] * (tiles is FULL))]
    for name in names:
        assert_agrees(name, block)


def test_every_label_is_tested_here() -> None:
    here = {*BOTH_WAYS, "discards", "seven_pairs", "thirteen_orphans", "cost", "digest"}
    assert set(LABELS) == {*here, "certificate"}, "add it to BOTH_WAYS, or to a test of its own"


def test_certificates_and_heuristics_are_verified() -> None:
    block = block_of("stratified:14", M0)
    for name in ("digest", "certificate", "heuristic:ndde:population=10:generations=5"):
        assert_agrees(name, block)


@pytest.mark.parametrize("known", [k for k in AWKWARD if k.hand.is_full or k.hand.num_tiles == 13])
def test_awkward_hands_are_labelled(known: Any) -> None:
    hand = known.hand
    size = 14 if hand.is_full else 13
    block = HandRows(
        deal=Deal(tiles=hand.tiles, size=size),
        hands=np.array([hand.counts], np.uint8),
        rows=np.zeros(1, np.int64),
        seed=0,
    )
    assert get_label("deficiency").values(block)["deficiency"][0] == known.deficiency
    for name in [*BOTH_WAYS, *(["discards"] if size == 14 else [])]:
        assert_agrees(name, block)


def test_hands_of_one_suit_have_useful_tiles_too() -> None:
    # Fourteen tiles of one suit: with one more, the state is not in the tables.
    block = block_of("one-type", M0)
    some = HandRows(
        deal=block.deal, hands=block.hands[::1500], rows=block.rows[::1500], seed=block.seed
    )
    for name in ("useful", "discards", "targets", "decompositions"):
        assert_agrees(name, some)


def test_complete_hand_has_no_useful_tiles() -> None:
    counts = np.array([Hand.parse("11122233344455s").counts], np.uint8)
    assert useful_masks(counts).tolist() == [0]
    assert best_discard_masks(counts).tolist() == [0]
    assert num_targets(counts).tolist() == [1]
    assert num_decompositions(counts).tolist() == [4]


def test_all_complete_one_type_hands_decompose() -> None:
    hands = read_recipe("one-type").counts()
    found = num_decompositions(hands)
    assert (found > 0).sum() == 13_259  # the number of complete hands
    assert found.max() == 4


def test_empty_batch_is_labelled() -> None:
    for kinds in (27, 34):
        none = np.zeros((0, kinds), np.uint8)
        for count in (useful_masks, best_discard_masks, num_targets, num_decompositions):
            assert len(count(none)) == 0


@pytest.mark.parametrize(
    "count", [useful_masks, best_discard_masks, num_targets, num_decompositions]
)
@pytest.mark.parametrize(
    ("counts", "called"), [([[0.5] * 27], 0), (3, 0), ([[1] * 27], 0), ([[5] + [0] * 26], 3)]
)
def test_other_rows_than_hands_are_refused(count: Any, counts: Any, called: int) -> None:
    with pytest.raises(MjoptError):
        count(counts, called=called)


@pytest.mark.slow
def test_paper_cost_is_verified() -> None:
    """Takes ten seconds: signatures of all suit states are computed first."""
    for recipe in ("stratified:70", "kongs:60"):
        assert_agrees("cost", block_of(recipe, M0))
    wrong = Hand.parse("B3333 C222267 D7777", notation="paper")  # its deficiency is 3
    assert paper_costs(np.array([wrong.counts], np.uint8)).tolist() == [2]
    one_type = read_recipe("one-type").counts()
    # The paper's claim holds on its one-type set.
    assert np.bincount(paper_costs(one_type)).tolist() == [13_259, 91_065, 14_386, 90]


@pytest.mark.parametrize(
    ("names", "deal", "message"),
    [
        (["beauty"], {}, "label 'beauty', expected one of deficiency, seven_pairs"),
        (["win", "win"], {}, "a label is repeated"),
        (
            ["heuristic:ndde:population=9:generations=1", "heuristic:ndde:generations=2"],
            {},
            "column",
        ),
        (["heuristic:"], {}, "expected heuristic:METHOD"),
        (["heuristic:nobody"], {}, "label heuristic:nobody: .*nobody"),
        (["heuristic:ndde:wings=2"], {}, "label heuristic:ndde:wings=2: .*wings"),
        (["heuristic:ndde:wings"], {}, "'wings', expected NAME=VALUE"),
        (["thirteen_orphans"], {}, "label thirteen_orphans: .*M0"),
        (["seven_pairs"], {"called": 1}, "needs hands with nothing called"),
        (["discards"], {"size": 13}, "needs hands after their draw"),
        (["cost"], {"tiles": FULL}, "needs hands of M0"),
        (["win_within"], {}, "expected one of deficiency, .*win_within:N, advice:N"),
        (["win_within:0"], {}, "'win_within:0', expected win_within:N or win_within:N:waste=W"),
        (["win_within:six"], {}, "expected win_within:N"),
        (["win_within:6:waste=much"], {}, "waste=much, expected waste=0, 1, ... or auto"),
        (["win_within:6:waste=-1"], {}, "waste=-1, expected"),
        (["win_within:6:seconds=2"], {}, "seconds=2, expected waste="),
        (["win_within:6", "win_within:6:waste=1"], {}, "two of them fill the same column"),
        (["win_within:95"], {}, "label win_within:95: 95 draws, but 94 tiles are left"),
        (["advice:"], {}, "expected advice:N"),
        (["advice:3"], {"size": 13}, "label advice:3: needs hands after their draw"),
    ],
)
def test_invalid_labels_are_refused(names: list[str], deal: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        get_labels(names, Deal(**{"tiles": M0, **deal}), trusted=names)


def test_hand_before_its_draw_has_no_discard() -> None:
    with pytest.raises(HandError, match="row 0: 13 tiles, expected 14 to discard from"):
        best_discard_masks(read_recipe("deals:1", size=13).counts())


def test_engines_are_named_with_versions() -> None:
    labels = get_labels(["deficiency", "useful", "targets"], Deal(tiles=FULL), trusted=())
    text = engines(labels)
    assert text.startswith("mjopt ")
    assert "; deficiency, useful: tables " in text
    assert text.endswith("; targets: suit automaton 1")
    kinds = [column.kind for label in labels for column in label.typed_columns(Deal(tiles=FULL))]
    assert kinds == ["int8", "uint64", "int32"]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("int8", value) for value in (128, -129, 1000, 1.5, float("nan"), float("inf"), "3")),
        *(("int32", value) for value in (2**31, -(2**31) - 1, 1e10, None)),
        *(("int64", value) for value in (2**63, 2.0**63, -1e300)),
        *(("uint32", value) for value in (-1, 2**32)),
        *(("uint64", value) for value in (-1, -1.0, 2**64, 2.0**64, 3j)),
        *(("bool", value) for value in (2, -1, 0.5, float("nan"))),
        *(("float64", value) for value in ("x", None)),
        *(("string", value) for value in (3, None)),
        *(("mask", value) for value in (-1, 2**32)),
    ],
)
def test_values_outside_the_declared_type_are_refused(kind: str, value: object) -> None:
    block = block_of("deals:3", M0)
    columns = (DatasetColumn("own", kind, "one bad value"),)
    good = "text" if kind == "string" else 1
    for dtype in {object, object if kind == "string" else None}:
        values = np.array([good, value, good], dtype)
        own = Label(name="own", engine="own", columns=columns, compute=lambda _, v=values: v)
        with pytest.raises(
            ArgumentError, match="^label own: own is .* in row [01], outside its ty"
        ):
            own.values(block)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("int8", [-128, 127, 0.0]),
        ("int32", [-(2**31), 2**31 - 1, 0]),
        ("int64", [-(2**63), 2**63 - 1, True]),
        ("uint64", [0, 2**64 - 1, 1]),
        ("bool", [0, 1.0, True]),
        ("float64", [float("nan"), float("-inf"), 3]),
        ("string", ["", "x", "yy"]),
    ],
)
def test_values_at_the_ends_of_a_type_are_kept(kind: str, values: list[Any]) -> None:
    block = block_of("deals:3", M0)
    columns = (DatasetColumn("own", kind, "extremes"),)
    given = np.array(values, object)
    own = Label(name="own", engine="own", columns=columns, compute=lambda _: given)
    np.testing.assert_equal(own.values(block)["own"].tolist(), values)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (np.zeros((3, 1), np.int8), r"own has shape \(3, 1\), expected \(3,\)"),
        (np.zeros(2, np.int8), r"own has shape \(2,\), expected \(3,\)"),
        ((np.zeros(3), np.zeros(3)), "2 arrays, expected 1"),
    ],
)
def test_arrays_of_another_shape_are_refused(found: Any, message: str) -> None:
    columns = (DatasetColumn("own", "int8", "ill-shaped"),)
    own = Label(name="own", engine="own", columns=columns, compute=lambda _: found)
    with pytest.raises(ArgumentError, match=f"^label own: {message}$"):
        own.values(block_of("deals:3", M0))


def test_number_of_called_melds_may_be_a_whole_float() -> None:
    counts = np.array([Hand.parse("1112345678999m1p").counts], np.uint8)
    assert num_targets(counts, called=0.0).tolist() == [12]  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"called: 0\.5, expected a whole number"):
        num_targets(counts, called=0.5)  # type: ignore[arg-type]
