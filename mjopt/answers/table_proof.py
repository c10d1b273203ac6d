"""The tables, certified: every entry proved from both sides, every join by its minimum."""

import hashlib
import time
from importlib.metadata import version
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.hands.tiles import COPIES
from mjopt.proofs.suit_tables import (
    CARRIES,
    check_choices,
    check_potentials_of_suits,
    moves,
)
from mjopt.tables.states import MOST_TILES, num_states, state_copies
from mjopt.tables.store import DIGEST, Tables, load_tables, read_derived

FORMAT = "mjopt table proof"
FIELDS: Final = (
    *("format", "mjopt", "tables", "suit_states", "honour_states"),
    *("suit_entries", "honour_entries", "joins", "seconds"),
)
_CHUNK = 4096
_FAR = 60
_MOVES = 64  # above the number of moves of a rank

Bytes = npt.NDArray[np.int8]


def prove_suits(counts: Bytes, has_chows: bool) -> tuple[Bytes, Bytes]:
    """Find potentials and choices for every entry of some states.

    Parameters
    ----------
    counts
        Copies held, shape (N, R).
    has_chows
        Whether three consecutive ranks make a chow.

    Returns
    -------
    potentials, choices
        As the checkers in ``mjopt.proofs.suit_tables`` want them.
    """
    number, num_ranks = counts.shape
    # A cost and the move that gives it are one number, least by cost. States stand last
    # in memory: a move is then a few long rows, five times as fast.
    best = np.full((num_ranks + 1, len(CARRIES), 5, 2, number), _FAR * _MOVES, dtype=np.int16)
    best[num_ranks, 0, 0, 0] = 0
    for rank in range(num_ranks - 1, -1, -1):
        after = best[rank + 1] & -_MOVES
        use = np.arange(COPIES + 1, dtype=np.int16)[:, None]
        missing = np.maximum(use - counts[:, rank], 0) * _MOVES
        every = moves(has_chows and rank + 2 < num_ranks)
        for move, ((carry, chows, pongs, eyes, then), takes) in enumerate(every):
            melds = chows + pongs
            reached = after[then, : 5 - melds, : 2 - eyes] + (missing[takes] + move)
            place = best[rank, carry, melds:, eyes:]
            np.minimum(place, reached, out=place)
    potentials = (best // _MOVES).astype(np.int8)
    return potentials.transpose(0, 4, 2, 3, 1), _choices(counts, has_chows, best % _MOVES)


def _choices(counts: Bytes, has_chows: bool, best: npt.NDArray[np.int16]) -> Bytes:
    """Walk along the best moves of every state and entry at once."""
    number, num_ranks = counts.shape
    choices = np.empty((num_ranks, 3, 5, 2, number), dtype=np.int8)
    melds, eyes, row = np.indices((5, 2, number))
    carry = np.zeros_like(row)
    for rank in range(num_ranks):
        parts = np.array([move for move, _ in moves(has_chows and rank + 2 < num_ranks)])
        _, chows, pongs, pairs, carry = parts.T[:, best[rank, carry, melds, eyes, row]]
        choices[rank] = chows, pongs, pairs
        melds -= chows + pongs
        eyes -= pairs
    return choices.transpose(4, 2, 3, 0, 1)


def _prove_kind(num_kinds: int, has_chows: bool, classes: Any, costs: Bytes) -> tuple[int, str]:
    """Prove every entry of every state of one kind of suit; return how many, and a digest."""
    states, fitting = _fitting_states(num_kinds)
    digest = hashlib.sha256()
    for start in range(0, len(fitting), _CHUNK):
        rows = fitting[start : start + _CHUNK]
        counts = states[rows].astype(np.int8)
        potentials, choices = prove_suits(counts, has_chows)
        entries = costs[classes[rows]].reshape(-1, 5, 2)
        lower = check_potentials_of_suits(counts, has_chows, potentials)
        upper = check_choices(counts, has_chows, choices)
        if (lower < entries).any() or (upper > entries).any():
            wrong = rows[((lower < entries) | (upper > entries)).any(axis=(1, 2))][0]
            raise CertificateError(f"suit state {states[wrong].tolist()}: an entry is not proved")
        digest.update(np.ascontiguousarray(entries).tobytes())
    return len(fitting), digest.hexdigest()


def _fitting_states(num_kinds: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """Return the copies of every state, and the numbers of those of at most fourteen tiles."""
    states = state_copies(np.arange(num_states(num_kinds), dtype=np.uint32), num_kinds)
    return states, np.flatnonzero(states.sum(axis=1) <= MOST_TILES)


def _prove_join(first: Bytes, second: Bytes, classes: Any, costs: Bytes, sizes: Any) -> int:
    """Compare every entry of a join with the minimum over all ways to share."""
    left, right = first.reshape(-1, 1, 5, 2), second.reshape(1, -1, 5, 2)
    least = np.full((len(first), len(second), 5, 2), 99, dtype=np.int16)
    for m, e in product(range(5), range(2)):
        for here, eye in product(range(m + 1), range(e + 1)):
            cost = left[:, :, here, eye].astype(np.int16) + right[:, :, m - here, e - eye]
            least[:, :, m, e] = np.minimum(least[:, :, m, e], cost)
    fits = sizes[classes] <= MOST_TILES
    found = costs[classes].reshape(least.shape)
    if (found[fits] != least[fits]).any():
        raise CertificateError("a join of two classes is not the minimum over the ways to share")
    return int(fits.sum()) * 10


def certify_tables(tables: Tables | None = None) -> dict[str, Any]:
    """Prove every entry of the tables, and every join; nothing is sampled.

    For each of the 405,350 suit states and 43,130 honour states and each of its ten
    entries, potentials prove that nothing misses fewer tiles and a choice of blocks
    shows that so few suffice; the checkers in ``mjopt.proofs`` accept both. A join of
    two classes must be the least over all ways to share melds and eye.

    Parameters
    ----------
    tables
        The tables; by default those of this package.

    Returns
    -------
    dict
        Plain data: the kind of document and the version that wrote it; SHA-256 of the
        tables; how many states of at most fourteen tiles had their ten entries proved,
        and SHA-256 of those entries in order of the state's number, for suits and for
        honours; how many entries of joins of two classes were compared with their
        minimum; the seconds that it took.

    Raises
    ------
    CertificateError
        If an entry or a join is not proved.
    """
    begun = time.perf_counter()
    held = load_tables() if tables is None else tables
    suits, suit_digest = _prove_kind(9, True, held.suit_class, held.suit_cost)
    honours, honour_digest = _prove_kind(7, False, held.honour_class, held.honour_cost)
    joins = _prove_join(
        held.suit_cost, held.suit_cost, held.pair_class, held.pair_cost, held.pair_size
    )
    joins += _prove_join(
        held.suit_cost, held.honour_cost, held.mixed_class, held.mixed_cost, held.mixed_size
    )
    seconds = round(time.perf_counter() - begun, 1)
    found = (suits, honours, suit_digest, honour_digest, joins, seconds)
    return dict(zip(FIELDS, (FORMAT, version("mjopt"), DIGEST, *found), strict=True))


def verify_tables(document: dict[str, Any], *, again: bool = False) -> None:
    """Refuse a summary that is not about the tables of this package.

    Parameters
    ----------
    document
        The summary that :func:`certify_tables` gave.
    again
        Prove everything again instead of comparing digests only.

    Raises
    ------
    CertificateError
        With the field that does not match.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CertificateError(f"not a {FORMAT}")
    if set(document) != set(FIELDS):
        raise CertificateError("fields are missing or unknown")
    found = hashlib.sha256(read_derived()).hexdigest()
    if document["tables"] != found:
        raise CertificateError(f"tables: {document['tables']}, but this package holds {found}")
    held = load_tables()
    expected = {
        "suit_entries": _entries_digest(9, held.suit_class, held.suit_cost),
        "honour_entries": _entries_digest(7, held.honour_class, held.honour_cost),
    }
    if again:
        expected = certify_tables()
        del expected["seconds"], expected["mjopt"]
    for name, value in expected.items():
        if document[name] != value:
            raise CertificateError(f"{name}: {document[name]}, but this package holds {value}")


def _entries_digest(num_kinds: int, classes: Any, costs: Bytes) -> str:
    _, rows = _fitting_states(num_kinds)
    return hashlib.sha256(np.ascontiguousarray(costs[classes[rows]]).tobytes()).hexdigest()
