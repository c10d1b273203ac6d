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

PATH: Final = Path(__file__).parents[1] / "tables.bin.z"

DIGEST: Final = "98cf11dc63766e88fd518866b65d1db92544d01432afee9b06e8a54ad17d2fcc"
"""SHA-256 of the derived bytes, before compression."""

NUM_SUIT_STATES: Final = 506_146  # num_states(9)
NUM_HONOUR_STATES: Final = 44_594  # num_states(7)

NUM_SUIT: Final = 160  # classes: 159 of at most fourteen tiles, and the last for more
NUM_HONOUR: Final = 138
NUM_PAIR: Final = 340
NUM_MIXED: Final = 451

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
    # Of two suits, by their classes. Of the standard form, for packed hands and proofs; the joins
    # of other forms are `Bundle.pair`.
    pair_class: NDArray[np.uint16]
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

    A missing or damaged file, or one of another version, is a `FileError`.
    """
    try:
        # The digest is that of the derived bytes, so that it does not depend on the compression
        # library.
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
