"""Strict reader of certificates of win chances: exact keys, integers, indices in range."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple, TypeGuard

import numpy as np
import numpy.typing as npt

from mjopt.errors import CertificateError
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, default_forms
from mjopt.hands.rules.rule_file import LARGEST
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TILE_SETS, TileSet
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.native_check import read_native
from mjopt.proofs.native_forms import CLASSIC_SIZE, read_forms, templates_beside
from mjopt.proofs.native_schema import (
    Counts,
    counts,
    exact,
    meld_kinds,
    melds,
    quoted,
    tile_set,
    whole,
)

# The format is docs/reference/certificates.md, "Win chances". The checks after this reader are
# NumPy sums and indices without tests of their own: NumPy wraps around beyond 64 bits, and takes -1
# for the last row. So every index is tested here, and every number has a range in which no sum of
# the checks leaves 64 bits.

Integers = npt.NDArray[np.int64]

FORMAT: Final = "mjopt-play"
SCALE: Final = 48
"""Chances are whole numbers of 2**-48: times a wall of 136 tiles they stay far below 2**63."""
ONE: Final = 1 << SCALE
MOST: Final = 1 << 50
"""Largest absolute value of a loss per tile and of a lower bound; the search shares it."""
MOST_KINDS: Final = 34
"""Most kinds of a tile set."""
MAX_DEPLETION_STATES: Final = 10_000
"""Most states of a certificate with weights (version 2), whose check takes memory for each state
and kind; the search shares this limit."""
RECOMPUTED: Final = "recomputed"
"""Placeholder for numbers that the checker computes itself."""
SAME: Final = "same"
"""Placeholder for moves equal to those one draw earlier."""

_KEYS = frozenset({
    "format", "version", "tiles", "hand", "called", "forms", "wall", "draws", "waste",
    "deficiency", "scale", "states", "upper", "policy", "lower", "claims",
})  # fmt: skip
_GUIDED = _KEYS | {"weights"}  # version 2
_FORMED = _GUIDED | {"size", "melds", "definitions", "limits"}  # version 3
_VERSION_OF_FORMS = 3
_VERSIONS = {1: _KEYS, 2: _GUIDED, _VERSION_OF_FORMS: _FORMED}
_CLAIM = frozenset({"discard", "state", "lower", "upper"})


@dataclass(frozen=True, slots=True)
class DiscardClaim:
    """The bounds claimed for one discard; -1 if the hand discards nothing.

    ``lower`` and ``upper`` are whole numbers of 2**-48, or None for no claim.
    """

    discard: int
    state: int
    lower: int | None
    upper: int | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WinChanceFile:
    """A certificate of win chances, parsed but not checked: every number is in its range."""

    # The hand and the conditions of the claims, up to the deficiency.
    tiles: TileSet
    hand: Counts
    called: int
    wall: Counts
    draws: int
    waste: int
    deficiency: int
    size: int  # tiles of a complete hand, without those of the called melds
    melds: tuple[str, ...]  # the texts of the called melds, if they are named
    forms: tuple[WinningForm, ...]
    # For each form the most tiles acquired and missing together of a hand of the class: one that
    # keeps to one of them.
    limits: tuple[int, ...]
    states: Integers  # hands after a discard, shape (S, K)
    # Priorities of the slopes that the upper bounds keep, shape (S, K); all values are valid. None
    # without them: the upper bounds are then those of T1.
    weights: Integers | None
    # Upper bounds where no copy is gone, shape (draws + 1, S); None to recompute them.
    upper: Integers | None
    # In version 2, rows (state, kind, charge) for each number of draws left, or None to recompute.
    charges: tuple[Integers, ...] | None
    # Rows (state, kind drawn, kind discarded, state reached) for each draw, by state.
    moves: tuple[Integers, ...]
    # Lower bounds where no copy is gone, shape (draws + 1, S); None to recompute them.
    bases: Integers | None
    # Rows (state, kind, loss) for each number of draws left, or None to recompute.
    losses: tuple[Integers, ...] | None
    has_upper: bool  # whether upper bounds are claimed
    has_lower: bool  # whether lower bounds are claimed
    claims: tuple[DiscardClaim, ...]  # the bounds of each discard

    @property
    def templates(self) -> list[list[Template]]:
        """What the called melds leave of the templates of each form."""
        melds = tuple(tuple(meld_kinds(meld, self.tiles)) for meld in self.melds)
        return [
            [
                template
                for part in form.templates
                for template in templates_beside(part, self.called, melds, self.tiles)
            ]
            for form in self.forms
        ]


def read_win_chance_file(text: str, limits: Limits = LIMITS) -> WinChanceFile:
    """Parse a certificate of win chances.

    A CertificateError names the invalid field, or the limit that was exceeded.

    Examples
    --------
    >>> read_win_chance_file('{"format": "mjopt-play"}')
    Traceback (most recent call last):
    mjopt.errors.CertificateError: certificate: 'called' is missing
    """
    document = read_native(text, limits)
    version = document.get("version") if isinstance(document, dict) else None
    version = version if type(version) is int and version in _VERSIONS else 1
    data = exact(document, _VERSIONS[version], "certificate")
    wanted: dict[str, object] = {"format": FORMAT, "scale": SCALE, "version": version}
    if version < _VERSION_OF_FORMS:
        wanted["forms"] = [DEFAULT_FORM]
    for name, value in wanted.items():
        if type(data[name]) is not type(value) or data[name] != value:
            raise CertificateError(f"{name}: {quoted(data[name])}", expected=repr(value))
    conditions = _conditions_of_forms(data) if version == _VERSION_OF_FORMS else _conditions(data)
    tiles, called, in_melds = conditions.tiles, conditions.called, conditions.in_melds
    size = conditions.size - 3 * called
    num = tiles.num_kinds
    hand, wall = counts(data["hand"], num, "hand"), counts(data["wall"], num, "wall")
    if any(h + w + m > COPIES for h, w, m in zip(hand, wall, in_melds, strict=True)):
        raise CertificateError("more copies held and in the wall than exist", argument="wall")
    if sum(hand) not in (size, size - 1):
        raise CertificateError(
            f"{sum(hand)} tiles", argument="hand", expected=f"{size - 1} or {size}"
        )
    waste = whole(data["waste"], 0, 14, "waste")
    deficiency = whole(data["deficiency"], 0, conditions.size, "deficiency")
    is_guided = version == 2 or data.get("weights") is not None
    draws = whole(data["draws"], 1, sum(wall), "draws")
    states = _states(data["states"], num, is_guided=is_guided)
    upper, policy, lower = data["upper"], data["policy"], data["lower"]
    if (policy is None) != (lower is None) or (upper is None and lower is None):
        raise CertificateError(
            argument="lower", expected="bounds and the policy that reaches them, or none"
        )
    bases = losses = None
    if lower is not None and lower != RECOMPUTED:
        lower = exact(lower, frozenset("ab"), "lower")
        bases = _table(lower["a"], len(states), draws + 1, -MOST, MOST, "lower.a")
        losses = _losses(lower["b"], len(states), draws + 1, num, "lower.b", MOST)
    weights = charges = None
    if is_guided:
        weights = _digits(data["weights"], len(states), num, "weights", "9")
    if upper is None or upper == RECOMPUTED:
        bounds = None
    elif is_guided:
        upper = exact(upper, frozenset("ab"), "upper")
        bounds = _table(upper["a"], len(states), draws + 1, -2 * ONE, 2 * ONE, "upper.a")
        charges = _losses(upper["b"], len(states), draws + 1, num, "upper.b", ONE)
    else:
        bounds = _table(upper, len(states), draws + 1, 0, ONE, "upper")
    return WinChanceFile(
        tiles=tiles,
        hand=hand,
        called=called,
        wall=wall,
        draws=draws,
        waste=waste,
        deficiency=deficiency,
        size=size,
        melds=conditions.melds,
        forms=conditions.forms,
        limits=_limits(data, conditions.forms, deficiency + waste),
        states=states,
        weights=weights,
        upper=bounds,
        charges=charges,
        moves=() if policy is None else _moves(policy, len(states), draws, num),
        bases=bases,
        losses=losses,
        has_upper=upper is not None,
        has_lower=lower is not None,
        claims=_claims(data["claims"], len(states), num, upper is not None, lower is not None),
    )


class _Conditions(NamedTuple):
    tiles: TileSet
    called: int
    size: int  # of a complete hand, called melds with three tiles each
    melds: tuple[str, ...]
    in_melds: Counts
    forms: tuple[WinningForm, ...]


def _conditions(data: dict[str, object]) -> _Conditions:
    """Return the conditions of the standard form."""
    known = {tiles.name: tiles for tiles in TILE_SETS.values()}
    tiles = known.get(data["tiles"] if isinstance(data["tiles"], str) else "")
    if tiles is None:
        expected = " or ".join(map(repr, known))
        raise CertificateError(quoted(data["tiles"]), argument="tiles", expected=expected)
    called = whole(data["called"], 0, 4, "called")
    in_melds = (0,) * tiles.num_kinds
    return _Conditions(tiles, called, CLASSIC_SIZE, (), in_melds, default_forms(tiles))


def _conditions_of_forms(data: dict[str, Any]) -> _Conditions:
    """Return the conditions of forms that the certificate defines or names."""
    tiles = tile_set(data["tiles"])
    if tiles.num_kinds > MOST_KINDS:
        raise CertificateError(
            f"{tiles.num_kinds} kinds", argument="tiles", expected=f"at most {MOST_KINDS}"
        )
    size = whole(data["size"], 2, LARGEST, "size")
    called = whole(data["called"], 0, (size - 1) // 3, "called")
    in_melds = melds(data["melds"], tiles, called)
    forms = read_forms(data["forms"], data["definitions"], tiles, size)
    return _Conditions(tiles, called, size, tuple(data["melds"]), in_melds, forms)


def _limits(data: dict[str, object], forms: tuple[WinningForm, ...], least: int) -> tuple[int, ...]:
    """Return the limit of each form, at least that of the waste."""
    if "limits" not in data:
        return (least,) * len(forms)
    limits = _listed(data["limits"], len(forms), "limits")
    return tuple(
        whole(limit, least, 3 * LARGEST, f"limits[{at}]") for at, limit in enumerate(limits)
    )


def _states(value: object, num_kinds: int, *, is_guided: bool) -> Integers:
    """Return the states, shape (S, K)."""
    states = _digits(value, None, num_kinds, "states", "4")
    if is_guided and len(states) > MAX_DEPLETION_STATES:
        raise CertificateError(
            f"{len(states):,}",
            argument="states",
            expected=f"at most {MAX_DEPLETION_STATES:,} with weights",
        )
    return states


def _listed(value: object, length: int | None, what: str) -> list[object]:
    """Return a value if it is a list of this length (None: of any), or raise."""
    if not isinstance(value, list) or len(value) != (len(value) if length is None else length):
        many = "a list" if length is None else f"a list of {length}"
        raise CertificateError(quoted(value), argument=what, expected=str(many))
    return value


def _are_whole(values: list[object]) -> TypeGuard[list[int]]:
    return set(map(type, values)) <= {int}


def _plain(values: list[object], low: int, high: int, what: str) -> list[int]:
    """Return a list if it holds integers in a range, or raise."""
    if not _are_whole(values) or (values and (min(values) < low or max(values) > high)):
        raise CertificateError(quoted(values), argument=what, expected=f"numbers in {low}..{high}")
    return values


def _digits(value: object, rows: int | None, num_kinds: int, what: str, most: str) -> Integers:
    """Return rows of digits, each given as a text, shape (rows, kinds)."""
    listed = _listed(value, rows, what)
    known, texts = "0123456789"[: int(most) + 1], []
    for at, one in enumerate(listed):
        if not isinstance(one, str) or len(one) != num_kinds or one.strip(known):
            raise CertificateError(
                f"{what}[{at}]: {quoted(one)}", expected=f"{num_kinds} digits 0..{most}"
            )
        texts.append(one)
    digits = np.frombuffer("".join(texts).encode(), np.uint8)
    return (digits.reshape(len(listed), num_kinds) - ord("0")).astype(np.int64)


def _table(value: object, rows: int, length: int, low: int, high: int, what: str) -> Integers:
    """Return a row of numbers for each state, transposed: shape (length, rows)."""
    table = [
        _plain(_listed(row, length, f"{what}[{at}]"), low, high, f"{what}[{at}]")
        for at, row in enumerate(_listed(value, rows, what))
    ]
    return np.ascontiguousarray(np.array(table, np.int64).reshape(rows, length).T)


def _losses(
    value: object, rows: int, length: int, num_kinds: int, name: str, most: int
) -> tuple[Integers, ...]:
    kinds = {str(kind): kind for kind in range(num_kinds)}
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(length)]
    for at, row in enumerate(_listed(value, rows, name)):
        for left, losses in enumerate(_listed(row, length, f"{name}[{at}]")):
            what = f"{name}[{at}][{left}]"
            if not isinstance(losses, dict) or not losses.keys() <= kinds.keys():
                raise CertificateError(quoted(losses), argument=what, expected="losses by kind")
            if 0 in _plain(list(losses.values()), -most, most, what):
                raise CertificateError("a loss of 0, which is left out", argument=what)
            found[left] += [(at, kinds[kind], loss) for kind, loss in losses.items()]
    return tuple(np.array(rows, np.int64).reshape(-1, 3) for rows in found)


def _moves(value: object, rows: int, draws: int, num_kinds: int) -> tuple[Integers, ...]:
    policy = [
        list(_unfolded(_listed(row, draws, f"policy[{at}]"), at, rows, num_kinds))
        for at, row in enumerate(_listed(value, rows, "policy"))
    ]
    made: list[Integers] = []
    for t in range(draws):
        if t and all(row[t] is row[t - 1] for row in policy):
            made.append(made[-1])
            continue
        sizes = [len(row[t]) // 3 for row in policy]
        flat = np.fromiter(chain.from_iterable(row[t] for row in policy), np.int64)
        sources = np.repeat(np.arange(rows), sizes)
        made.append(np.column_stack([sources, flat.reshape(-1, 3)]))
    return tuple(made)


def _unfolded(row: list[object], at: int, rows: int, num_kinds: int) -> Iterator[list[int]]:
    """Yield the moves of a state at each draw as one flat list."""
    last: list[int] | None = None
    for t, moves in enumerate(row):
        if moves != SAME or last is None:
            what = f"policy[{at}][{t}]"
            last = []
            for move in _listed(moves, None, what):
                drawn, thrown, state = _plain(
                    _listed(move, 3, what), -1, rows - 1 + num_kinds, what
                )
                is_win = thrown == state == -1
                if not 0 <= drawn < num_kinds or not (
                    is_win or (0 <= thrown < num_kinds and 0 <= state < rows)
                ):
                    raise CertificateError(
                        str(move),
                        argument=what,
                        expected=f"[drawn, discarded, next state] with kinds below {num_kinds} and "
                        f"a state below {rows}, or [drawn, -1, -1] for a win",
                    )
                last += [drawn, thrown, state]
            # A policy makes one move for each tile drawn: with two, the sums of the check would mix
            # both.
            if len(set(last[::3])) != len(last) // 3:
                raise CertificateError("two moves for one tile drawn", argument=what)
        yield last


def _claims(
    value: object, rows: int, num_kinds: int, has_upper: bool, has_lower: bool
) -> tuple[DiscardClaim, ...]:
    claims = []
    for at, one in enumerate(_listed(value, None, "claims")):
        what = f"claims[{at}]"
        claim = exact(one, _CLAIM, what)
        bounds = []
        for name, has in (("lower", has_lower), ("upper", has_upper)):
            # A claim of a side without proof would be read as proved.
            if not has and claim[name] is not None:
                raise CertificateError(f"{what}.{name}: {quoted(claim[name])}, with no proof of it")
            bounds.append(whole(claim[name], 0, ONE, f"{what}.{name}") if has else None)
        discard = whole(claim["discard"], -1, num_kinds - 1, f"{what}.discard")
        claims.append(
            DiscardClaim(discard, whole(claim["state"], 0, rows - 1, f"{what}.state"), *bounds)
        )
    # Two claims about one discard could contradict each other, and a reader would see one of them.
    if not claims or len({claim.discard for claim in claims}) != len(claims):
        raise CertificateError(argument="claims", expected="some, each about another discard")
    return tuple(claims)
