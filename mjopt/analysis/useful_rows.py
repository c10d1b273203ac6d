"""Useful tiles of many hands at once, over all their winning forms."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.arrays import distinct
from mjopt.analysis.nearest_batch import nearest
from mjopt.hands.rules.classic_forms import UNREACHABLE, standard_template
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm, templates_of
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.neighbours import deficiencies, draws_more, waits
from mjopt.tables.rows.validation import sum_rows

Counts = NDArray[np.uint8]
Small = NDArray[np.int8]
Flags = NDArray[np.bool_]


def find_useful(
    part: Counts,
    left: Counts | None,
    tiles: TileSet,
    called: int,
    forms: tuple[WinningForm, ...],
    *,
    num_rows: int | None = None,
) -> tuple[Small, Flags]:
    """Return deficiency, shape ``(N,)``, and useful kinds, ``(N, K)``, over all forms of the hands.

    ``part`` is the hands, and ``left`` the copies that can arrive, by default all not held, of
    shape ``(N, K)``. ``num_rows`` is the number of hands of the whole query, if these are a part.
    """
    templates = templates_of(forms)
    value, useful = waits(part, templates, tiles, called, num_rows=num_rows)
    if left is not None:  # the tables hold unless a nearest hand draws more than are available
        row, kind = np.nonzero(useful & (part + left < COPIES) & (left < value[:, None]))
        copies = left[row, kind].astype(np.int64)
        is_short = copies == 0
        most = np.flatnonzero(~is_short)
        if len(most):
            asked = row[most]
            is_short[most] = draws_more(
                part[asked], kind[most], copies[most], value[asked], templates, tiles, called
            )
        some = distinct(row[is_short])
        if len(some):
            known = value[some], useful[some]
            value[some], useful[some] = _limited(
                part[some], left[some], known, tiles, called, templates
            )
    return value, useful


def _limited(
    part: Counts,
    left: Counts,
    known: tuple[Small, Flags],
    tiles: TileSet,
    called: int,
    templates: tuple[Template, ...],
) -> tuple[Small, Flags]:
    """Return deficiency and useful kinds with limited unseen copies.

    A kind that is useful with fewer copies is ``known`` to be useful with all, unless all copies
    lower the deficiency: every kind is tried for those hands.
    """
    plain = standard_template(tiles)
    others = tuple(t for t in templates if t != replace(plain, kinds=t.kinds))
    best: Small = np.full(len(part), np.int8(UNREACHABLE))
    useful = np.zeros(part.shape, np.bool_)
    for template in templates:
        if template not in others:  # the standard form, or melds and an eye of some kinds
            able = np.zeros(part.shape[1], np.uint8)
            able[list(template.kinds)] = 1
            least, drawn = nearest(part * able, left * able, tiles, called)
            useful[least < best] = False
            best = np.minimum(best, least.astype(np.int8))
            useful |= drawn & (least == best)[:, None] & (least < UNREACHABLE)[:, None]
    if any(template.melds >= called for template in others):
        value = deficiencies(part, others, tiles, called, left)
        useful[value < best] = False
        best = np.minimum(best, value)
        is_able = (value == best) & (best > 0) & (best < UNREACHABLE)
        tried = known[1] | (best > known[0])[:, None]
        row, kind = np.nonzero((left > 0) & tried & is_able[:, None])
        each = np.arange(len(row))
        after, rest = part[row], left[row]
        after[each, kind] += 1
        rest[each, kind] -= 1
        useful[row, kind] |= deficiencies(after, others, tiles, called, rest) < best[row]
    return best, useful


def drawn_kinds(rows: Counts, rules: RuleSet, called: int = 0) -> Flags:
    """Return the kinds that some nearest complete hand draws, before and after the draw.

    They are the kinds whose arrival lowers the deficiency, even if the hand then has a tile more
    than a complete one.

    Rows are copies per kind, shape ``(N, K)``, as are the flags: none for a complete hand.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("123456789m123p12358s", rules="taiwan")
    >>> found = drawn_kinds(np.array([hand.counts], np.uint8), hand.rules)
    >>> [hand.tiles.names[kind] for kind in np.flatnonzero(found[0])]
    ['5s', '8s']
    """
    return waits(rows, templates_of(rules.forms), rules.tiles, called)[1]


def count_copies(useful: Flags, part: Counts, left: Counts | None) -> NDArray[np.uint64]:
    """Count the copies of useful kinds that can arrive, for each hand."""
    return sum_rows(useful.view(np.uint8) * (COPIES - part if left is None else left))
