"""Prove the lookup tables: every entry from both sides, and every join by its minimum."""

import hashlib
import math
import time
from importlib.metadata import version
from itertools import product
from typing import Final

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.hands.hand import MAX_CALLED
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.tiles import COPIES, FULL, M0, SANMA, TileSet
from mjopt.proofs.native_schema import exact, quoted
from mjopt.proofs.table_check import (
    CARRIES,
    check_choices,
    check_potentials_of_suits,
    moves,
)
from mjopt.tables.bundles.rule_tables import SPARE, rule_tables
from mjopt.tables.standard.hand_tables import standard_tables
from mjopt.tables.standard.table_file import SECTIONS, Tables, load_tables
from mjopt.tables.suits.groups import MOST_GROUPS, groups_of
from mjopt.tables.suits.state_index import MOST_TILES, num_states, state_copies, state_numbers

FORMAT = "mjopt table proof"
FIELDS: Final = (
    *("format", "mjopt", "tables", "suit_states", "honour_states"),
    *("suit_entries", "honour_entries", "joins", "seconds"),
)
_CHUNK = 4096
_FAR = 60
_MOVES = 64  # above the number of moves of a rank

Classes = npt.NDArray[np.integer]
Bytes = npt.NDArray[np.int8]


def prove_suits(counts: Bytes, has_chows: bool) -> tuple[Bytes, Bytes]:
    """Find potentials and choices of blocks that prove every entry of states, shape ``(N, R)``.

    They have the shapes that ``mjopt.proofs.table_check`` expects.
    """
    number, num_ranks = counts.shape
    # A cost and the move that gives it are packed in one number, ordered by cost. The states
    # are the last axis, so that each operation runs over long rows: five times as fast.
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
    """Follow the best moves of every state and entry at once."""
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


def _prove_kind(
    num_kinds: int, has_chows: bool, classes: npt.NDArray[np.generic], costs: Bytes
) -> tuple[int, str]:
    """Prove every entry of every state of one kind of suit; return their number and a digest."""
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


def _fitting_states(num_kinds: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return the copies of every state, and the indices of those of at most fourteen tiles."""
    states = state_copies(np.arange(num_states(num_kinds), dtype=np.uint32), num_kinds)
    return states, np.flatnonzero(states.sum(axis=1) <= MOST_TILES)


def _prove_sizes(tables: Tables) -> None:
    """Raise if a size is not the number of tiles, or not 15 for more than fourteen tiles.

    Then every entry of the tables belongs to a hand: each class is that of some state or
    join, and classes of too many tiles hold zeros only.
    """
    for name, (kind, shape) in SECTIONS.items():
        array = getattr(tables, name)
        if (array.dtype, array.shape) != (np.dtype(kind), shape):
            raise CertificateError(
                f"{name}: {array.dtype} {array.shape}", expected=f"{kind} {shape}"
            )
    found = {
        "suit": _fitting_states(9)[0].sum(axis=1),
        "honour": _fitting_states(7)[0].sum(axis=1),
        "pair": np.add.outer(tables.suit_size.astype(int), tables.suit_size),
        "mixed": np.add.outer(tables.suit_size.astype(int), tables.honour_size),
    }
    for name, tiles in found.items():
        classes, sizes, costs = (getattr(tables, f"{name}_{k}") for k in ("class", "size", "cost"))
        if classes.max() >= len(sizes) or len(np.unique(classes)) < len(sizes):
            raise CertificateError(
                f"{name}_class: {len(np.unique(classes))} classes up to {classes.max()}",
                expected=f"each of 0..{len(sizes) - 1}",
            )
        wrong = np.argwhere(np.minimum(tiles, MOST_TILES + 1) != sizes[classes])
        if len(wrong):
            place = tuple(wrong[0].tolist())
            raise CertificateError(
                f"{name}_size: {sizes[classes[place]]} for the {tiles[place]} tiles of {place}"
            )
        if costs[sizes > MOST_TILES].any():
            raise CertificateError(f"{name}_cost: an entry for more than {MOST_TILES} tiles")


def _digest(tables: Tables) -> str:
    """Return the SHA-256 of tables, which for those of this package is `table_file.DIGEST`."""
    digest = hashlib.sha256()
    for name in SECTIONS:
        digest.update(np.ascontiguousarray(getattr(tables, name)).tobytes())
    return digest.hexdigest()


def _num_join_entries(tables: Tables) -> int:
    """Return the number of entries in the joins of at most fourteen tiles."""
    sizes = (tables.pair_size[tables.pair_class], tables.mixed_size[tables.mixed_class])
    return 10 * sum(int((size <= MOST_TILES).sum()) for size in sizes)


def _prove_join(tables: Tables, second: str, name: str) -> None:
    """Compare every entry of a join of suits with the minimum over the ways to share."""
    first, other = tables.suit_cost, getattr(tables, f"{second}_cost")
    classes, sizes, costs = (getattr(tables, f"{name}_{k}") for k in ("class", "size", "cost"))
    left, right = first.reshape(-1, 1, 5, 2), other.reshape(1, -1, 5, 2)
    least = np.full((len(first), len(other), 5, 2), 99, dtype=np.int16)
    for m, e in product(range(5), range(2)):
        for here, eye in product(range(m + 1), range(e + 1)):
            cost = left[:, :, here, eye].astype(np.int16) + right[:, :, m - here, e - eye]
            least[:, :, m, e] = np.minimum(least[:, :, m, e], cost)
    fits = sizes[classes] <= MOST_TILES
    found = costs[classes].reshape(least.shape)
    if (found[fits] != least[fits]).any():
        raise CertificateError("a join of two classes is not the minimum over the ways to share")


def _prove_look_ups(tiles: TileSet) -> None:
    """Compare the tables that answer for the standard form with the proved ones, for every hand.

    States with the same classes in both give the same answers; so do halves. All pairs of the
    halves that occur are therefore all hands.
    """
    proved, (bundle, *_) = (
        standard_tables(tiles),
        rule_tables((standard_template(tiles),), tiles).bundles,
    )
    groups = [
        _both_classes(part.numbers, numbers, group.width)
        for part, numbers, group in zip(
            proved.parts, bundle.numbers, groups_of(tiles), strict=False
        )
    ]
    groups += [(np.zeros(1, np.int64), np.zeros(1, np.int64))] * (MOST_GROUPS - len(groups))
    halves = []
    for place, (half, join) in enumerate(
        zip(proved.halves, (bundle.pair, bundle.other), strict=True)
    ):
        (one, first), (two, second) = groups[2 * place : 2 * place + 2]
        known = half.numbers[one[:, None], two].astype(np.int64).ravel()
        found = join[first[:, None], second].astype(np.int64).ravel()
        fits = half.sizes[known] <= MOST_TILES
        pairs = np.unique(known[fits] << 16 | found[fits])
        halves.append((pairs >> 16, pairs & 0xFFFF))
    (one, first), (two, second) = halves
    for called in range(MAX_CALLED + 1):
        size = MOST_TILES - 3 * called
        expected = proved.answers(called, partial=True)[one[:, None], two]
        found = bundle.answers_of(called, size, partial=True)[first[:, None], second]
        if (expected != found).any():
            raise CertificateError(f"{tiles.name}, {called} called melds: a look-up is not proved")


def _both_classes(known: Classes, numbers: Classes, width: int) -> tuple[Classes, Classes]:
    """Return the distinct pairs of the classes of states of at most fourteen tiles."""
    states = state_copies(np.arange(num_states(width), dtype=np.uint32), width)
    rows = np.flatnonzero(states.sum(axis=1) <= MOST_TILES)
    found = numbers[state_numbers(states[rows], MOST_TILES + SPARE)].astype(np.int64)
    pairs = np.unique(known[rows].astype(np.int64) << 16 | found)
    return pairs >> 16, pairs & 0xFFFF


def certify_tables(tables: Tables | None = None) -> dict[str, object]:
    """Prove every entry of the tables, every join and every size; nothing is sampled.

    For each of the 405,350 suit states and 43,130 honour states and each of its ten
    entries, potentials prove the lower bound and a choice of blocks proves the upper bound;
    the checkers in ``mjopt.proofs`` accept both. A join of
    two classes must be the least over all ways to share melds and eye. The size of a class
    must be the number of tiles of each of its states, or of the two classes joined. The tables
    from which :func:`mjopt.label` answers, of the three built-in tile sets, are compared with
    these for every hand.

    The result is plain data: the format and the version of mjopt; the SHA-256 of the tables; for
    suits and for honours the number of states of at most fourteen tiles whose ten entries were
    proved, and the SHA-256 of these entries in order of the states; the number of entries of joins
    that were compared with their minimum; the seconds it took. An entry, a join or a size that is
    not proved is a `CertificateError`. The tables are by default those of this package.
    """
    started = time.perf_counter()
    tables = load_tables() if tables is None else tables
    _prove_sizes(tables)
    suits, suit_digest = _prove_kind(9, True, tables.suit_class, tables.suit_cost)
    honours, honour_digest = _prove_kind(7, False, tables.honour_class, tables.honour_cost)
    _prove_join(tables, "suit", "pair")
    _prove_join(tables, "honour", "mixed")
    for tiles in (M0, FULL, SANMA):
        _prove_look_ups(tiles)
    seconds = round(time.perf_counter() - started, 1)
    joins = _num_join_entries(tables)
    counts = (suits, honours, suit_digest, honour_digest, joins, seconds)
    return dict(zip(FIELDS, (FORMAT, version("mjopt"), _digest(tables), *counts), strict=True))


def verify_tables(document: dict[str, object], *, again: bool = False) -> None:
    """Raise `CertificateError` if a summary by :func:`certify_tables` is not about these tables.

    Digests and counts are computed again in a fraction of a second; the proofs are run only with
    ``again``. The version and the seconds are checked for their type only. The message names the
    field that does not match.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise CertificateError(f"not a {FORMAT}")
    exact(document, frozenset(FIELDS), "table proof")
    seconds = document["seconds"]
    if not isinstance(document["mjopt"], str) or not document["mjopt"]:
        raise CertificateError(_show(document["mjopt"]), argument="mjopt", expected="a version")
    if (type(seconds) is not int and type(seconds) is not float) or not 0 <= seconds < math.inf:
        raise CertificateError(_show(seconds), argument="seconds", expected="0 or more")
    expected = certify_tables() if again else table_counts(load_tables())
    for name in FIELDS[2:-1]:
        value = document[name]
        if type(value) is not type(expected[name]) or value != expected[name]:
            raise CertificateError(
                f"{name}: {_show(value)}, but this package holds {expected[name]}"
            )


def table_counts(tables: Tables) -> dict[str, object]:
    """Return the digests and counts of a summary, without proofs."""
    found: dict[str, object] = {"tables": _digest(tables), "joins": _num_join_entries(tables)}
    for kind, num_kinds in (("suit", 9), ("honour", 7)):
        classes, costs = getattr(tables, f"{kind}_class"), getattr(tables, f"{kind}_cost")
        _, rows = _fitting_states(num_kinds)
        entries = np.ascontiguousarray(costs[classes[rows]]).tobytes()
        found[f"{kind}_states"] = len(rows)
        found[f"{kind}_entries"] = hashlib.sha256(entries).hexdigest()
    return found


def _show(value: object) -> str:
    """Return a value for a message; a digest is shown in full."""
    return value if isinstance(value, str) and len(value) == 64 else quoted(value)
