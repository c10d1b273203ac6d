"""Bulk labels: correct values for every input layout."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers import count_rows
from helpers.support import AWKWARD
from numpy.typing import NDArray

from mjopt import label, label_packed, pack, unpack
from mjopt._internal.jit import compile_always
from mjopt.errors import ArgumentError, HandError, NotationError, TileError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import FULL
from mjopt.tables import label_limited_one, label_one
from mjopt.tables.suits.state_index import num_states, one_type_counts

KINDS = [27, 34]
THREE = ("standard", "seven_pairs", "thirteen_orphans")


@pytest.fixture(scope="module", params=KINDS)
def hands(request: pytest.FixtureRequest) -> NDArray[np.uint8]:
    """Return random hands of 13 and 14 tiles, many of them with several kongs."""
    kinds = request.param
    rng = np.random.default_rng(kinds)
    parts = [
        count_rows.deal(rng, 1500, kinds, 14),
        count_rows.deal(rng, 500, kinds, 13),
        *(count_rows.deal(rng, 500, kinds, 14, few=few) for few in (4, 5, 6, 8, 10)),
    ]
    return rng.permutation(np.concatenate(parts))


@pytest.fixture(scope="module")
def labels(hands: NDArray[np.uint8]) -> NDArray[np.int8]:
    return label(hands)


def test_labels_match_brute_force(hands: NDArray[np.uint8], labels: NDArray[np.int8]) -> None:
    for row in range(0, len(hands), 16):
        assert labels[row] == count_rows.deficiency(hands[row].tolist())


def test_label_one_equals_label(hands: NDArray[np.uint8], labels: NDArray[np.int8]) -> None:
    assert [label_one(hand.tolist()) for hand in hands] == labels.tolist()
    assert [label_one(hand) for hand in hands[:100]] == labels[:100].tolist()


@pytest.mark.parametrize("known", AWKWARD, ids=lambda known: known.text)
def test_awkward_hands_have_the_known_deficiency(known: object) -> None:
    hand = known.hand  # type: ignore[attr-defined]
    assert label_one(hand.counts) == known.deficiency  # type: ignore[attr-defined]
    many = np.tile(np.array(hand.counts, np.uint8), (100, 1))
    assert set(label(many).tolist()) == {known.deficiency}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "deficiency"),
    [("33336666789999m", 2), ("44555566667777z", 3), ("22224566669999m", 2)],
)
def test_waits_on_a_fifth_copy(text: str, deficiency: int) -> None:
    counts = Hand.parse(text, tiles=FULL).counts
    assert label_one(counts) == count_rows.deficiency(counts) == deficiency


def test_one_type_hands_match_brute_force() -> None:
    suit = one_type_counts()
    for first in (0, 9, 18):
        for kinds in KINDS:
            rows = np.zeros((len(suit), kinds), np.uint8)
            rows[:, first : first + 9] = suit
            found = np.bincount(label(rows)).tolist()
            # with other suits some hands need fewer tiles, none needs more
            assert sum(found) == 118_800
            assert found[0] == 13_259
            assert sum(k * n for k, n in enumerate(found)) <= 91_065 + 2 * 14_386 + 3 * 90


@pytest.mark.parametrize("called", range(5))
def test_called_melds_match_brute_force(called: int) -> None:
    rng = np.random.default_rng(called)
    for kinds in KINDS:
        for size in (14 - 3 * called, 13 - 3 * called):
            rows = count_rows.deal(rng, 200, kinds, size)
            found = label(rows, called=called)
            for row in range(0, 200, 20):
                assert found[row] == count_rows.deficiency(rows[row].tolist(), called)
                assert found[row] == label_one(rows[row].tolist(), called)


def test_called_melds_may_differ_by_row() -> None:
    rng = np.random.default_rng(8)
    called = rng.integers(0, 5, 600)
    rows = np.concatenate([count_rows.deal(rng, 1, 34, 14 - 3 * int(melds)) for melds in called])
    found = label(rows, called=called)
    for melds in range(5):
        which = called == melds
        assert (found[which] == label(rows[which], called=melds)).all()
    rows[321] = 1
    with pytest.raises(HandError, match=f"row 321: 34 tiles.*{'with' if called[321] else ''}"):
        label(rows, called=called)


def test_partial_hands_match_brute_force() -> None:
    rng = np.random.default_rng(9)
    rows = np.concatenate([count_rows.deal(rng, 20, 27, size) for size in range(15)])
    found = label(rows, partial=True)
    for row in range(0, len(rows), 10):
        assert found[row] == count_rows.deficiency(rows[row].tolist())
    assert found[0] == 14
    with pytest.raises(HandError, match="15 tiles, expected at most 14"):
        label(np.concatenate([rows, count_rows.deal(rng, 1, 27, 15)]), partial=True)


# --- the same labels for every input layout


def test_mapped_read_only_and_listed_rows_are_labelled(
    hands: NDArray[np.uint8], labels: NDArray[np.int8], tmp_path: Path
) -> None:
    mapped = np.memmap(tmp_path / "hands.bin", np.uint8, "w+", shape=hands.shape)
    mapped[:] = hands
    read_only = np.memmap(tmp_path / "hands.bin", np.uint8, "r", shape=hands.shape)
    frozen = hands.copy()
    frozen.setflags(write=False)
    for rows in (mapped, read_only, frozen):
        assert (label(rows) == labels).all()
    assert (label(hands[::-2]) == labels[::-2]).all()
    assert label(hands[:10].tolist()).tolist() == labels[:10].tolist()


def test_number_of_threads_does_not_change_labels(
    hands: NDArray[np.uint8], labels: NDArray[np.int8]
) -> None:
    many = np.tile(hands, (20, 1))
    for threads in (1, 2, 3):
        assert (label(many, threads=threads) == np.tile(labels, 20)).all()
        assert (label(many[::-1], threads=threads) == np.tile(labels, 20)[::-1]).all()
        assert (label_packed(pack(many, threads=threads)) == np.tile(labels, 20)).all()
    broken = many.copy()
    broken[[40_000, 60_000]] = 0
    with pytest.raises(HandError, match="row 40000: 0 tiles"):
        label(broken, threads=2)


@pytest.mark.parametrize("num_rows", [0, 1, 3, 4, 63, 64, 65, 66, 67, 1023, 1024, 1025, 1027])
def test_any_number_of_rows_is_labelled(
    hands: NDArray[np.uint8], labels: NDArray[np.int8], num_rows: int
) -> None:
    assert (label(hands[:num_rows]) == labels[:num_rows]).all()
    assert (label_packed(pack(hands[:num_rows])) == labels[:num_rows]).all()


def test_out_receives_the_labels(hands: NDArray[np.uint8], labels: NDArray[np.int8]) -> None:
    out = np.empty(len(hands), np.int8)
    assert label(hands, out=out) is out
    assert (out == labels).all()
    spread = np.zeros(2 * len(hands), np.int8)[::2]
    assert label(hands, out=spread) is spread
    assert (spread == labels).all()
    for wrong in (np.empty(len(hands), np.int16), np.empty(1, np.int8)):
        with pytest.raises(TileError, match="out: .* expected int8"):
            label(hands, out=wrong)


def test_packed_rows_have_the_same_labels(
    hands: NDArray[np.uint8], labels: NDArray[np.int8]
) -> None:
    packed = pack(hands)
    assert packed.shape == (len(hands), 3 if hands.shape[1] == 27 else 4)
    assert (unpack(packed) == hands).all()
    assert (label_packed(packed) == labels).all()
    assert (label_packed(packed[::-1], threads=2) == labels[::-1]).all()
    assert (pack(np.asfortranarray(hands)) == packed).all()


def test_every_state_can_be_packed() -> None:
    for kinds, column in ((9, 0), (7, 3)):
        numbers = np.zeros((num_states(kinds), 4), np.uint32)
        numbers[:, column] = np.arange(num_states(kinds))
        counts = unpack(numbers)
        small = counts.sum(axis=1) <= 14
        assert (pack(counts[small]) == numbers[small]).all()


# --- other forms


def test_label_of_several_forms_is_the_minimum(hands: NDArray[np.uint8]) -> None:
    forms = THREE if hands.shape[1] == 34 else THREE[:2]
    least = label(hands, forms=forms)
    pairs = label(hands, forms=("seven_pairs",))
    for row in range(0, len(hands), 16):
        counts = hands[row].tolist()
        assert pairs[row] == count_rows.deficiency(counts, 0, None, "seven_pairs")
        expected = count_rows.deficiency(counts, 0, None, *forms)
        assert least[row] == expected == label_one(counts, forms=forms)


def test_thirteen_orphans() -> None:
    ends = [0, 8, 9, 17, 18, 26, *range(27, 34)]
    rng = np.random.default_rng(2)
    rows = np.zeros((500, 34), np.uint8)
    for row in rows:
        np.add.at(row, rng.choice(np.repeat(ends, 4), 14, replace=False), 1)
    rows[0] = 0
    rows[0, ends] = 1
    rows[0, 33] = 2
    found = label(rows, forms=("thirteen_orphans",))
    assert found[0] == 0
    for value, row in zip(found, rows.tolist(), strict=True):
        assert value == count_rows.deficiency(row, 0, None, "thirteen_orphans")


def test_special_forms_allow_no_called_melds() -> None:
    rows = count_rows.deal(np.random.default_rng(0), 100, 34, 11)
    found = label(rows, called=1, forms=("seven_pairs", "thirteen_orphans"))
    assert set(found.tolist()) == {UNREACHABLE}
    assert (label(rows, called=1, forms=THREE) == label(rows, called=1)).all()
    assert label_one(rows[0].tolist(), 1, forms=("seven_pairs",)) == UNREACHABLE


# --- errors


@pytest.mark.parametrize("num_rows", [20, 5000])
@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({0: 5}, TileError, r"5 copies of 1m, expected 0\.\.4"),
        ({26: 255}, TileError, r"255 copies of 9s"),
        ({9: 8, 10: 4}, TileError, r"8 copies of 1p"),
        ({}, HandError, r"0 tiles, expected 14 or 13"),
        ({4: 4, 13: 4, 22: 4}, HandError, r"12 tiles"),
        (dict.fromkeys(range(4), 4), HandError, r"16 tiles"),
        (dict.fromkeys(range(27), 3), HandError, r"81 tiles"),
        (dict.fromkeys(range(15), 1), HandError, r"15 tiles"),
    ],
)
def test_error_names_the_bad_row(
    change: dict[int, int], error: type[Exception], message: str, kinds: int, num_rows: int
) -> None:
    rows = np.zeros((num_rows, kinds), np.uint8)
    rows[:, :13] = 1
    for fault in (0, 7, num_rows - 1):
        broken = rows.copy()
        broken[fault] = 0
        for kind, copies in change.items():
            broken[fault, kind] = copies
        with pytest.raises(error, match=f"row {fault}: {message}"):
            label(broken)
        if change and max(change.values()) <= 4:
            continue
        if change:
            with pytest.raises(error, match=f"row {fault}: {message}"):
                pack(broken)
        with pytest.raises(error, match=f"row {fault}: {message}"):
            label(broken.astype(np.int32))


@pytest.mark.parametrize("kind", range(34))
def test_fifth_copy_is_refused(kind: int) -> None:
    rows = np.zeros((200, 34), np.uint8)
    rows[:, 20:33] = 1
    rows[77] = 0
    rows[77, kind] = 5
    rows[77, (kind + 1) % 34] = 4
    rows[77, (kind + 2) % 34] = 4
    with pytest.raises(TileError, match="row 77: 5 copies"):
        label(rows)


def test_bad_arguments_are_refused() -> None:
    rows = np.zeros((100, 27), np.uint8)
    rows[:, :13] = 1
    for wrong in (rows[0], rows + 0.5, rows[:, :26], rows[:, :, None]):
        with pytest.raises(TileError, match="expected integers of shape"):
            label(wrong)
    with pytest.raises(TileError, match="row 3: -1 copies of 1m"):
        label(np.where(np.arange(100)[:, None] == 3, -1, rows.astype(np.int8)))
    with pytest.raises(HandError, match="14 or 13|11 or 10"):
        label(rows, called=1)
    with pytest.raises(HandError, match="5 called melds"):
        label(rows, called=5)
    with pytest.raises(HandError, match="row 2: 7 called"):
        label(rows, called=np.where(np.arange(100) == 2, 7, 0))
    for called in (True, [False] * 100, 0.5, "1", [0] * 99, [[0]] * 100):
        with pytest.raises(HandError, match=r"^called: .* of shape .*, expected an integer, or"):
            label(rows, called=called)
    for called, text in ((-1, "^-1 called"), ([0] * 99 + [-1], "^row 99: -1 called")):
        with pytest.raises(HandError, match=text):
            label(rows, called=called)
    with pytest.raises(ArgumentError, match="threads 0"):
        label(rows, threads=0)
    with pytest.raises(HandError, match="needs 13 terminals"):
        label(rows, forms=THREE)
    with pytest.raises(HandError, match="row 5: more than 14 tiles of one suit"):
        pack(np.where(np.arange(100)[:, None] == 5, 3, rows).astype(np.uint8))
    with pytest.raises(TileError, match="expected uint32"):
        label_packed(rows)


def test_label_one_takes_arrays_and_names_of_tile_sets() -> None:
    counts = np.array([3, 1, 1, 1, 1, 1, 1, 1, 3, 1] + [0] * 17)
    for dtype in (np.int64, np.uint8, object):  # not the bytes of the array
        assert label_one(counts.astype(dtype)) == 1
        assert label_one(counts.astype(dtype), forms=("standard", "seven_pairs")) == 1
    assert label_one(iter(counts.tolist()), tiles="m0") == 1
    assert label_limited_one(counts, counts * 0 + 1, tiles="m0") == 1
    for bad in (counts.astype(float), np.zeros((2, 27), np.uint8), "123m", 5, None):
        with pytest.raises(TypeError, match="^counts: .*, expected 27 or 34 counts"):
            label_one(bad)  # type: ignore[arg-type]
    for tiles in ("m9", 5):
        with pytest.raises(TileError, match="expected one of m0, 136, sanma"):
            label_one(counts, tiles=tiles)  # type: ignore[arg-type]
    with pytest.raises(HandError, match=r"\[1\] called melds, expected 0..4"):
        label_one(counts.tolist(), [1])  # type: ignore[arg-type]


def test_bad_packed_rows_are_refused() -> None:
    packed = np.tile(np.array([[0b01_01, 4**9 - 1, 0]], np.uint32), (50, 1))
    with pytest.raises(HandError, match="row 0: 29 tiles"):
        label_packed(packed)
    good = pack(np.tile(np.array([1] * 13 + [0] * 21, np.uint8), (50, 1)))
    for column, limit in ((0, num_states(9)), (2, 1 << 19), (3, num_states(7)), (3, 1 << 31)):
        bad = good.copy()
        bad[31, column] = limit
        with pytest.raises(TileError, match=f"row 31: state {limit}, expected"):
            label_packed(bad)
        with pytest.raises(TileError, match=f"row 31: state {limit}, expected"):
            unpack(bad)


def test_texts_and_whole_floats_are_labelled() -> None:
    texts = ["1112345678999m1p", "123m456p789s1122z"]
    rows = [[float(copies) for copies in Hand.parse(text, tiles=FULL).counts] for text in texts]
    assert label(texts).tolist() == label(rows).tolist() == [1, 1]
    assert label(rows, unseen=[4.0] * 34, called=0.0).tolist() == [1, 1]
    with pytest.raises(TileError, match="float64 of shape"):
        label([[0.5] * 27])
    with pytest.raises(NotationError, match="'x' at character 3"):
        label(["12x"])
    for bad in (float("nan"), float("inf"), 1e300):
        with pytest.raises(TileError):
            label([[bad] * 27])


@pytest.mark.parametrize("number", range(1, 8))
def test_few_rows_are_labelled_alike_by_kernels(number):
    """A kernel reads four rows at once."""
    texts = ["19m19p19s1234567z", "1133557799m113p", "1112345678999m", "2468m2468p13579s"] * 2
    hands, forms = texts[:number], ("standard", "seven_pairs", "thirteen_orphans")
    with compile_always(False):
        expected = label(hands, tiles=FULL, forms=forms).tolist()
    with compile_always():
        assert label(hands, tiles=FULL, forms=forms).tolist() == expected
    assert expected[:1] == [1]


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of the process from /proc")
def test_no_memory_stays_after_a_label() -> None:
    def resident() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    row = np.array([[1] * 14 + [0] * 20], np.uint8)
    for _ in range(2):  # loads the kernel; and the allocator keeps memory of arrays freed before
        label(row.repeat(800_000, axis=0))
    before = resident()
    label(row.repeat(800_000, axis=0))  # 27 MB of copies
    assert resident() - before < 10_000_000
