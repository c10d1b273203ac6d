"""Load the tables: one compressed file with a checksum."""

import hashlib
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.errors import FileError
from mjopt.hands.tiles import M0
from mjopt.tables.state_index import MOST_TILES, rank_tables

PATH: Final = Path(__file__).with_name("tables.bin.z")

DIGEST: Final = "98cf11dc63766e88fd518866b65d1db92544d01432afee9b06e8a54ad17d2fcc"
"""SHA-256 of the derived bytes, before compression."""

NO_HAND: Final = -1
"""Label of tiles that are too many or too few for a hand."""

NUM_SUIT_STATES: Final = 506_146  # num_states(9)
NUM_HONOUR_STATES: Final = 44_594  # num_states(7)

NUM_SUIT: Final = 160  # classes: 159 of at most fourteen tiles, and the last for more
NUM_HONOUR: Final = 138
NUM_PAIR: Final = 340
NUM_MIXED: Final = 451

HONOURS: Final = 1 << 19
"""Offset of the honours in :attr:`Lookups.classes`."""

_FAR: Final = 120  # more missing tiles than any hand has

NUM_CLASSES: Final = HONOURS + (1 << 16)

SECTIONS: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "suit_class": ("u1", (NUM_SUIT_STATES,)),
    "honour_class": ("u1", (NUM_HONOUR_STATES,)),
    "pair_class": ("<u2", (NUM_SUIT, NUM_SUIT)),
    "mixed_class": ("<u2", (NUM_SUIT, NUM_HONOUR)),
    "suit_cost": ("i1", (NUM_SUIT, 10)),
    "honour_cost": ("i1", (NUM_HONOUR, 10)),
    "pair_cost": ("i1", (NUM_PAIR, 10)),
    "mixed_cost": ("i1", (NUM_MIXED, 10)),
    "suit_size": ("u1", (NUM_SUIT,)),
    "honour_size": ("u1", (NUM_HONOUR,)),
    "pair_size": ("u1", (NUM_PAIR,)),
    "mixed_size": ("u1", (NUM_MIXED,)),
}
"""Arrays in the file, in order, each with its type and shape."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tables:
    """Classes of suits, of honours and of their joins.

    A *class* is a cost vector and a number of tiles: two suits of one class give the same
    deficiency with any rest of the hand. 506,146 suit states have only
    159 classes (126 cost vectors), so a class is a byte and joins are small tables.
    The last class of each kind is "more than fourteen tiles".
    """

    suit_class: NDArray[np.uint8]  # by state number of nine ranks
    honour_class: NDArray[np.uint8]  # by state number of seven honours
    pair_class: NDArray[np.uint16]  # of two suits, by their classes
    mixed_class: NDArray[np.uint16]  # of a suit and the honours, by their classes
    suit_cost: NDArray[np.int8]  # cost vectors, by class
    honour_cost: NDArray[np.int8]
    pair_cost: NDArray[np.int8]
    mixed_cost: NDArray[np.int8]
    suit_size: NDArray[np.uint8]  # tiles, by class; 15 for more than fourteen
    honour_size: NDArray[np.uint8]
    pair_size: NDArray[np.uint8]
    mixed_size: NDArray[np.uint8]


def read_derived(path: Path = PATH) -> bytes:
    """Read the table file and check its SHA-256.

    Raises
    ------
    FileError
        If the file is missing, damaged or of another version.
    """
    try:
        derived = zlib.decompress(path.read_bytes())
    except (OSError, zlib.error) as error:
        raise FileError(
            f"mjopt's own table file {path} cannot be read ({error})", hint="install mjopt again"
        ) from error
    found = hashlib.sha256(derived).hexdigest()
    if found != DIGEST:
        raise FileError(
            f"mjopt's own table file {path} is damaged (digest {found[:12]}...)",
            expected=f"{DIGEST[:12]}...",
            hint="install mjopt again",
        )
    return derived


@cache
def load_tables() -> Tables:
    """Return the tables as read-only arrays, cached after the first call."""
    derived, offset = read_derived(), 0
    arrays: dict[str, Any] = {}
    for name, (kind, shape) in SECTIONS.items():
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(derived, kind, count, offset).reshape(shape)
        offset += arrays[name].nbytes
    return Tables(**arrays)


@cache
def answers(num_kinds: int, called: int, *, partial: bool = False) -> NDArray[np.int8]:
    """Return the deficiency by the classes of the two halves of a hand.

    Parameters
    ----------
    num_kinds
        27: rows are pairs of suits, columns the third suit. 34: columns are the
        third suit with the honours.
    called
        Melds on the table, ``0..4``.
    partial
        Whether fewer tiles than a hand has are allowed.

    Returns
    -------
    NDArray[np.int8]
        Two dimensions; :data:`NO_HAND` where the number of tiles is wrong.

    Examples
    --------
    >>> answers(27, 0).shape, answers(27, 0).max().item(), answers(34, 0).max().item()
    ((340, 160), 7, 9)
    """
    tables = load_tables()
    three_suits = num_kinds == M0.num_kinds
    cost = tables.suit_cost if three_suits else tables.mixed_cost
    size = tables.suit_size if three_suits else tables.mixed_size
    return labels_of_joins(
        (tables.pair_cost, cost), (tables.pair_size, size), called, partial=partial
    )


def labels_of_joins(
    costs: tuple[NDArray[np.int8], NDArray[np.int8]],
    sizes: tuple[NDArray[np.integer], NDArray[np.integer]],
    called: int,
    *,
    partial: bool,
) -> NDArray[np.int8]:
    """Return the deficiency of every class of two suits with every class of the rest.

    Parameters
    ----------
    costs, sizes
        Cost vectors and numbers of tiles of the two kinds of classes.
    called, partial
        As for :func:`answers`.
    """
    first, second = (size.astype(np.int64) for size in sizes)
    total = first[:, None] + second
    most = MOST_TILES - 3 * called
    is_hand = total <= most if partial else (total == most) | (total == most - 1)
    is_hand &= (first <= MOST_TILES)[:, None] & (second <= MOST_TILES)
    found = np.where(is_hand, completed(*costs, 4 - called), np.int8(NO_HAND))
    found.setflags(write=False)
    return found


def completed(first: NDArray[np.int8], second: NDArray[np.int8], melds: int) -> NDArray[np.int8]:
    """Return the missing tiles of every pair for ``melds`` and an eye, shape ``(A, B)``.

    Parameters
    ----------
    first, second
        Cost vectors, shapes ``(A, 10)`` and ``(B, 10)``.
    melds
        Melds needed.
    """
    left = first.reshape(-1, 1, 5, 2)
    right = second.reshape(1, -1, 5, 2)
    best = np.full((len(first), len(second)), _FAR, np.int8)
    for here in range(melds + 1):
        for eye in range(2):
            missing = left[:, :, here, eye] + right[:, :, melds - here, 1 - eye]
            np.minimum(best, missing, out=best)
    return best


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Lookups:
    """The tables as flat read-only arrays for the kernels.

    Parameters
    ----------
    classes
        The class of every suit state, then from :data:`HONOURS` on that of every
        honour state. Both parts are padded with "more than fourteen tiles", so
        that any number of 19 or 16 bits is a valid index.
    pair, mixed
        Joins, row after row.
    pair_start
        Start of the row of each pair of suits in the answers for 27 kinds.
    steps, starts
        Rank tables of the states with four of a kind.
    """

    classes: NDArray[np.uint8]
    pair: NDArray[np.uint16]
    pair_start: NDArray[np.uint16]
    mixed: NDArray[np.uint16]
    steps: NDArray[np.int32]
    starts: NDArray[np.int32]


@cache
def lookups() -> Lookups:
    """Return the tables as flat arrays for the kernels."""
    tables = load_tables()
    classes = np.full(NUM_CLASSES, NUM_SUIT - 1, np.uint8)
    classes[: len(tables.suit_class)] = tables.suit_class
    classes[HONOURS:] = NUM_HONOUR - 1
    classes[HONOURS : HONOURS + len(tables.honour_class)] = tables.honour_class
    steps, starts = rank_tables()
    found = Lookups(
        classes=classes,
        pair=tables.pair_class.ravel(),
        pair_start=tables.pair_class.ravel() * np.uint16(NUM_SUIT),
        mixed=tables.mixed_class.ravel(),
        steps=steps.view(),
        starts=starts.view(),
    )
    for array in (found.classes, found.pair_start, found.steps, found.starts):
        array.setflags(write=False)
    return found
