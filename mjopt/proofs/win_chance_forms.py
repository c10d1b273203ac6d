"""The deficiencies of many hands in the winning forms of a certificate of win chances.

A dynamic program over the kinds of each suit computes the tiles missing for every share of the
parts of a template (melds, eyes, ..., jokers), for all states of the suit at once. Shares of the
suits are then joined. Only the definition of a template is used: the checker has no table.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mjopt.hands.rules.template import KindOption, Template, TemplateProgress, advance, kind_options
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.proofs.limits import StepCounter

# The class of docs/reference/optimal-play.md is defined by deficiencies. The checker computes them
# from the definitions: a hand that is wrongly outside of the class would be left out of an upper
# bound. The recurrence is the shortest path of docs/reference/winning-forms.md, for many states of
# a suit at once: costs[p, i] are the fewest tiles that state i misses so far, with progress p.
#
# Sorting the moves of a kind by the progress after them makes a step one gather and one minimum
# over consecutive rows. Costs are bytes; a sum is cut off at FAR before the next one, so none
# exceeds 120.

Integers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]
Share = tuple[int, ...]
"""Melds, eyes, distinct kinds, doubled kinds, pairs, and tiles for which jokers stand."""

FAR: Final = 60
"""More tiles than any hand misses; twice it still fits an int8."""

_BYTES_A_STEP: Final = 1 << 10
_MOST_BYTES: Final = 1 << 24  # of a table of moves and states
_CHUNK: Final = 50_000  # hands whose shares are joined at once


class _Kind(NamedTuple):
    """The moves of one kind, sorted by the progress after them.

    ``before`` and ``use`` are the progress before and the copies taken that are no jokers; moves
    to the same progress begin at ``starts``.
    """

    before: Integers
    use: Integers
    starts: Integers


class _Program(NamedTuple):
    """The program of a suit: its kinds, and the shares at its end."""

    kinds: tuple[_Kind, ...]
    shares: tuple[Share, ...]
    places: Integers  # of the shares among the last progresses


_Options = tuple[tuple[tuple[KindOption, ...], bool], ...]
"""Of each kind of a suit, the uses, and whether its tiles are jokers."""


@lru_cache(maxsize=256)
def _program(template: Template, options: _Options) -> tuple[_Program, int]:
    """Return the program of a suit, and the number of moves that were tried."""
    layer, tried, kinds = [TemplateProgress()], 0, []
    for uses, is_joker in options:
        moves: dict[TemplateProgress, list[tuple[int, int]]] = {}
        for place, made in enumerate(layer):
            carried = made.one_back + made.two_back
            left = template.most_jokers - made.jokers
            for option in uses:
                most = carried + option.copies
                for jokers in range(min(left, most) + 1):
                    tried += 1
                    use = most - jokers
                    if use > (0 if is_joker else COPIES):
                        continue
                    after = advance(template, made, option, jokers)
                    if after is not None:
                        moves.setdefault(after, []).append((place, use))
        layer = sorted(moves)
        rows = np.array([move for after in layer for move in moves[after]], np.int64).reshape(-1, 2)
        sizes = [len(moves[after]) for after in layer]
        kinds.append(_Kind(rows[:, 0], rows[:, 1], np.cumsum([0, *sizes])[:-1]))
    ends = [(tuple(made[:6]), n) for n, made in enumerate(layer) if not any(made[6:])]
    shares, places = zip(*ends, strict=True) if ends else ((), ())
    return _Program(tuple(kinds), shares, np.array(places, np.int64)), tried


class _Suit:
    """The costs of one template in one suit, computed once for each state of the suit."""

    def __init__(
        self, template: Template, tiles: TileSet, part: slice, counter: StepCounter
    ) -> None:
        kinds = range(tiles.num_kinds)[part]
        options = tuple(
            (
                tuple([use._replace(blocks=()) for use in kind_options(template, tiles, kind)]),
                kind in template.jokers,
            )
            for kind in kinds
        )
        self._program, tried = _program(_without_kinds(template), options)
        counter.spend(tried)
        self._counter = counter
        self._powers = 5 ** np.arange(len(kinds), dtype=np.int64)
        self._is_joker = np.array([is_joker for _, is_joker in options])
        self._codes = np.zeros(0, np.int64)  # sorted
        self._costs = np.zeros((len(self.shares), 0), np.int8)

    @property
    def shares(self) -> tuple[Share, ...]:
        return self._program.shares

    def costs(self, held: Integers) -> Bytes:
        """Return the tiles missing for each share, shape (shares, N)."""
        each, where = np.unique(held @ self._powers, return_inverse=True)
        fresh = each[~np.isin(each, self._codes)]
        if len(fresh):
            most = max([len(kind.use) for kind in self._program.kinds], default=1)
            length = max(1, _MOST_BYTES // max(1, most))
            parts = [
                self._fresh_costs(fresh[at : at + length]) for at in range(0, len(fresh), length)
            ]
            codes = np.concatenate([self._codes, fresh])
            order = np.argsort(codes)
            self._codes = codes[order]
            self._costs = np.concatenate([self._costs, *parts], axis=1)[:, order]
        places = np.searchsorted(self._codes, each).reshape(-1)[where.reshape(-1)]
        found: Bytes = self._costs[:, places]
        return found

    def _fresh_costs(self, codes: Integers) -> Bytes:
        costs = np.zeros((1, len(codes)), np.int8)
        for kind, power, is_joker in zip(
            self._program.kinds, self._powers, self._is_joker, strict=True
        ):
            self._counter.spend(1 + kind.use.size * len(codes) // _BYTES_A_STEP)
            held = np.zeros_like(codes) if is_joker else codes // power % 5
            missing = np.maximum(np.arange(COPIES + 1)[:, None] - held, 0).astype(np.int8)
            if not kind.use.size:
                return np.full((len(self.shares), len(codes)), FAR, np.int8)
            through = np.minimum(costs[kind.before] + missing[kind.use], FAR)
            costs = np.minimum.reduceat(through, kind.starts, axis=0)
        found: Bytes = costs[self._program.places]
        return found


def _without_kinds(template: Template) -> Template:
    """Return a template with the numbers of its parts: equal suits then share their program."""
    return Template(
        fixed=(),
        melds=template.melds,
        eyes=template.eyes,
        distinct=template.distinct,
        doubled=template.doubled,
        pairs=template.pairs,
        jokers=tuple(range(len(template.jokers))),
        joker_parts=template.joker_parts,
        joker_fixed=(sum(template.joker_fixed),),
        has_fifth=template.has_fifth,
    )


class _TemplateDistances:
    """The deficiency in one template."""

    def __init__(
        self, template: Template, tiles: TileSet, called: int, counter: StepCounter
    ) -> None:
        self._template, self._parts, self._counter = template, tiles.slices, counter
        self._suits = [_Suit(template, tiles, part, counter) for part in tiles.slices]
        wanted = (template.melds - called, template.eyes, template.distinct, template.doubled)
        self._most = (*wanted, template.pairs, template.most_jokers)
        # Of each suit, the shares so far and after it: only those that the suits after it complete.
        # Shares that the other suits cannot complete are dropped: fewer arrays to join, with the
        # same minimum.
        every: list[set[Share]] = [{self._most[:5]}]
        for suit in reversed(self._suits):
            every.append(
                {
                    rest
                    for after, share in product(every[-1], {share[:5] for share in suit.shares})
                    if min(rest := _less(after, share)) >= 0
                }
            )
        self._needed = every[::-1][1:]

    def of(self, hands: Integers) -> Bytes:
        """Return the deficiency of each hand; ``FAR`` or more if it has not the form."""
        nothing = (0,) * len(self._most)
        joined = {nothing: np.zeros(len(hands), np.int8)}
        for suit, part, needed in zip(self._suits, self._parts, self._needed, strict=True):
            costs = suit.costs(hands[:, part])
            after: dict[Share, Bytes] = {}
            for (share, before), (own, cost) in product(
                joined.items(), zip(suit.shares, costs, strict=True)
            ):
                total = tuple([a + b for a, b in zip(share, own, strict=True)])
                if total[:5] not in needed or total[5] > self._most[5]:
                    continue
                self._counter.spend(1 + len(hands) // _BYTES_A_STEP)
                both = np.minimum(before + cost, FAR)
                known = after.get(total)
                after[total] = both if known is None else np.minimum(known, both)
            joined = after
        least = np.full(len(hands), FAR, np.int8)
        held = hands[:, list(self._template.jokers)].sum(axis=1)
        for share, missing in joined.items():
            drawn = np.maximum(share[5] - held, 0).astype(np.int8)
            np.minimum(least, missing + drawn, out=least)
        return least


def _less(share: Share, part: Share) -> Share:
    return tuple([a - b for a, b in zip(share, part, strict=True)])


class FormDistances:
    """The deficiencies of hands in the winning forms of a class.

    Each form is given by the templates that the called melds allow, its limit by the most tiles
    acquired and missing together of a hand of the class. ``called`` is the number of called melds;
    the counter bounds the work.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.proofs.limits import LIMITS
    >>> forms = FormDistances(
    ...     [[standard_template(M0)]], (2,), M0, 2, StepCounter(LIMITS, "win chance")
    ... )
    >>> hand = np.zeros((1, 27), np.int64)
    >>> hand[0, :5] = 3, 1, 1, 1, 1
    >>> forms.of(hand).tolist(), forms.beyond(hand)
    ([[1]], (array([-1]), array([False])))
    """

    def __init__(
        self,
        forms: Sequence[Sequence[Template]],
        limits: Sequence[int],
        tiles: TileSet,
        called: int,
        counter: StepCounter,
    ) -> None:
        self.limits = tuple(limits)
        self._forms = [
            [_TemplateDistances(template, tiles, called, counter) for template in templates]
            for templates in forms
        ]

    def of(self, hands: Integers) -> Bytes:
        """Return the deficiency of each hand, shape (N, K), in each form, shape (F, N)."""
        found = np.full((len(self._forms), len(hands)), FAR, np.int8)
        for start in range(0, len(hands), _CHUNK):
            some = hands[start : start + _CHUNK]
            for row, templates in zip(found[:, start : start + _CHUNK], self._forms, strict=True):
                for template in templates:
                    np.minimum(row, template.of(some), out=row)
        return found

    def beyond(self, hands: Integers) -> tuple[Integers, npt.NDArray[np.bool_]]:
        """Return by how much hands without acquired tiles exceed the class, and whether they win.

        A hand is in the class if this number and its acquired tiles are at most 0 together.
        """
        missing = self.of(hands)
        limits = np.array(self.limits, np.int64)[:, None]
        return (missing - limits).min(axis=0), (missing == 0).any(axis=0)
