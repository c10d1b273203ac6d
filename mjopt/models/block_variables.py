"""Columns of the blockwise formulation: a part and the tiles of it that the hand holds."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from mjopt.hands.blocks import Block, Shape, chow, joker
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.parts import Part, template_parts

Copies = tuple[tuple[int, int], ...]  # (kind, copies), by kind
Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A part, the copies it takes from the hand, those it draws and those that jokers replace."""

    part: Part  # a chow, a pong, an eye, or another part of a template
    held: Copies  # copies taken from the hand, as (kind, copies)
    drawn: Copies  # copies drawn from the unseen tiles
    jokers: Copies  # copies that jokers replace
    cost: int  # tiles drawn
    most: int  # upper bound on its use
    is_meld: bool
    name: str  # the part and the ranks taken from the hand: ``chow_123m_13``
    pieces: tuple[Block, ...]  # the block, and the tiles of it for which jokers stand


class Supply(NamedTuple):
    """A template and the tiles for its parts."""

    template: Template
    tiles: TileSet
    called: int  # called melds
    held: Counts  # copies per kind in the hand, without jokers
    unseen: Counts  # copies per kind still to come, without jokers
    jokers: int  # in the hand and still to come

    @classmethod
    def of(cls, query: HandQuery, template: Template) -> "Supply":
        """Return the supply for a template of a query."""
        hand = query.hand
        held, unseen = template.natural(hand.counts), template.natural(query.unseen)
        jokers = template.held_jokers(query.reach) if template.jokers else 0
        return cls(template, hand.tiles, hand.called, held, unseen, jokers)

    @property
    def melds(self) -> int:
        """Number of melds that the concealed tiles need; negative if too many are called."""
        return self.template.melds - self.called


# Columns depend on a few neighbouring kinds only, so most of them occur in many hands; the cache
# halves the time to build a program.
@lru_cache(maxsize=65536)
def _chow_columns(part: Part, held: Counts, unseen: Counts, jokers: int) -> tuple[Column, ...]:
    """Return every split of a chow; a copy in the hand may be used elsewhere and drawn again."""
    columns: list[Column] = []
    kinds, ranks = part.block.kinds, part.name[-4:-1]
    supplies = [
        [(source, most) for source, most in zip("hdj", (h, u, jokers), strict=True) if most]
        for h, u in zip(held, unseen, strict=True)
    ]
    for choice in product(*supplies):
        sources = [source for source, _ in choice]
        by_source = {
            which: [i for i, source in enumerate(sources) if source == which] for which in "hdj"
        }
        own = "".join([ranks[i] for i in by_source["h"]])
        replaced = "".join([ranks[i] for i in by_source["j"]])
        most = min([part.most, *[most for _, most in choice]])
        if replaced:
            most = min(most, jokers // len(replaced))
        taken = [tuple([(kinds[i], 1) for i in places]) for places in by_source.values()]
        columns.append(_column(part, *taken, most=most, own=own, replaced=replaced))
    return tuple(columns)


@lru_cache(maxsize=65536)
def _same_kind_columns(part: Part, held: int, unseen: int, jokers: int) -> tuple[Column, ...]:
    """Return every split of copies of one kind; fixed tiles take those of the hand first."""
    kind, size = part.block.kinds[0], len(part.block.kinds)
    rank = part.name.partition("_")[2][0]
    columns: list[Column] = []
    for own in range(min(held, size) + 1):
        for replaced in range(min(jokers, part.eligible, size - own) + 1):
            drawn = size - own - replaced
            if drawn > unseen or (part.block.shape is Shape.FIXED and drawn and own < held):
                continue
            taken = [((kind, copies),) if copies else () for copies in (own, drawn, replaced)]
            limits = ((held, own), (unseen, drawn), (jokers, replaced))
            most = min([part.most, *[most // used for most, used in limits if used]])
            columns.append(
                _column(part, *taken, most=most, own=rank * own, replaced=rank * replaced)
            )
    return tuple(columns)


def _column(
    part: Part, held: Copies, drawn: Copies, jokers: Copies, *, most: int, own: str, replaced: str
) -> Column:
    return Column(
        part=part,
        held=held,
        drawn=drawn,
        jokers=jokers,
        cost=sum([copies for _, copies in drawn]),
        most=most,
        is_meld=part.block.is_meld,
        name=f"{part.name}_{own or '0'}" + (f"_j{replaced}" if replaced else ""),
        pieces=(part.block, *[joker(kind, copies) for kind, copies in jokers]),
    )


@lru_cache(maxsize=65536)
def _lone_column(part: Part, held: int, unseen: int) -> Column:
    """Return the split that takes the most copies from the hand.

    It is the best if no other part can use them. If it is impossible its bound is 0, so
    that all hands have the same variables.
    """
    kind, size = part.block.kinds[0], len(part.block.kinds)
    own = min(held, size)
    taken = [((kind, copies),) if copies else () for copies in (own, size - own, 0)]
    return replace(
        _column(part, *taken, most=int(size - own <= unseen), own="", replaced=""), name=part.name
    )


@lru_cache(maxsize=256)
def lone_kinds(template: Template) -> frozenset[int]:
    """Return the kinds that one part, a single or a pair, can use and no other.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> from mjopt.hands.rules.read_forms import check_forms
    >>> [len(lone_kinds(form.templates[0])) for form in check_forms("all", M0)]
    [0, 27]
    """
    if template.jokers:
        return frozenset()
    singles = set(template.of) if template.distinct else set()
    groups = set(template.kinds) if template.melds or template.eyes else set()
    pairs = set(template.kinds) if template.pairs else set()
    groups |= pairs if template.has_equal_pairs else set()
    groups |= {kind for kind, copies in enumerate(template.fixed) if copies}
    return frozenset((singles ^ pairs) - groups)


def all_columns(supply: Supply) -> list[Column]:
    """List every column of a hand whose draws are possible.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> query = HandQuery("1112345678999m1p")
    >>> len(all_columns(Supply.of(query, standard_template(query.hand.tiles))))
    145
    """
    template, held, unseen = supply.template, supply.held, supply.unseen
    lone, needs_melds = lone_kinds(template), supply.melds > 0
    columns: list[Column] = []
    for part in template_parts(template, supply.tiles, supply.called):
        kind, last = part.block.kinds[0], part.block.kinds[-1]
        jokers = supply.jokers if part.eligible else 0
        if not needs_melds and part.block.is_meld:
            continue
        if kind != last:
            three = slice(kind, kind + 3)
            columns += _chow_columns(part, held[three], unseen[three], jokers)
        elif kind in lone:
            columns.append(_lone_column(part, held[kind], unseen[kind]))
        else:
            columns += _same_kind_columns(part, held[kind], unseen[kind], jokers)
    return columns


def drop_dominated(columns: list[Column], supply: Supply) -> tuple[list[Column], frozenset[int]]:
    """Drop columns that others can always replace; return the rest and the free kinds.

    Without a host, as defined here, all columns stay and no kind is free.

    Suppose a template of at most four melds and one eye, perhaps with fixed tiles, but without
    other parts and without jokers. Call a kind *empty* if melds and eyes may use it, it is not
    fixed, none is held and all four can arrive. Suppose a chow of empty kinds exists (the
    host), and two more empty kinds that no chow covers together (the eye sites). Then, without
    raising the cost of any solution:

    1. a meld drawn from scratch becomes the host: at most four melds, so the
       host's kinds are drawn at most four times;
    2. an eye drawn from scratch moves to a site: at most four melds draw from the
       sites, none from both, so one of them is drawn at most twice;
    3. hence every other empty kind is drawn by chows only, one copy each, at most
       four in all: it is *free*, and its draws need no row;
    4. of the columns that take the same tiles from the hand, one that draws only
       free kinds can replace all the others.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> query = HandQuery("1112345678999m1p")
    >>> supply = Supply.of(query, standard_template(query.hand.tiles))
    >>> kept, free = drop_dominated(all_columns(supply), supply)
    >>> len(kept), len(free)
    (76, 15)
    """
    host, sites = _host_and_sites(supply)
    if host is None:
        return columns, frozenset()
    fixed = supply.template.fixed
    free = frozenset(
        k for k, c in enumerate(supply.unseen) if c == COPIES and k not in sites and not fixed[k]
    )
    kept: list[Column] = []
    replaced: set[Copies] = set()  # held copies of melds whose draws are all free
    for column in columns:
        if not column.held:
            block = column.part.block
            is_kept = block == host if column.is_meld else block.kinds[0] in sites
            if is_kept or block.shape is Shape.FIXED:
                kept.append(column)
            continue
        if column.is_meld and column.drawn and all(kind in free for kind, _ in column.drawn):
            if column.held in replaced:
                continue
            replaced.add(column.held)
        kept.append(column)
    return [
        column
        for column in kept
        if column.held not in replaced
        or not column.is_meld
        or all(kind in free for kind, _ in column.drawn)
    ], free


@lru_cache(maxsize=256)
def _is_plain(template: Template) -> bool:
    """Return whether a template has groups with one eye and, apart from fixed tiles, no more."""
    others = (template.distinct, template.pairs, template.jokers)
    return template.has_chows and template.eyes == 1 and not any(others)


def _host_and_sites(supply: Supply) -> tuple[Block | None, tuple[int, ...]]:
    template, starts = supply.template, supply.tiles.chow_starts
    if not _is_plain(template) or not 0 < supply.melds <= COPIES:
        return None, ()
    fixed = template.fixed
    empty = [k for k in template.kinds if supply.unseen[k] == COPIES and not fixed[k]]
    chosen = set(empty)
    for start in starts:
        if {start, start + 1, start + 2} <= chosen:
            rest = [kind for kind in empty if not start <= kind <= start + 2]
            for second in rest:
                # The last is the highest: no chow may reach from the other up to it.
                if not any(s <= second and rest[-1] <= s + 2 for s in starts):
                    return chow(start), (rest[-1], second)
    return None, ()
