"""Rules for discards by name: built-in ones for many hands at once, and functions of a user's file.

To add a rule, write a function from hands, walls and the number of draws to come to kinds, and add
a line to ``RULES``.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.files import sha256_of
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import (
    UserCode,
    code_version,
    load_function,
    source_digest,
)
from mjopt._internal.validation import as_whole, expect, expect_all
from mjopt.chances.ceiling.table import BUILD_HINT, CeilingTable, TableKey, find_table
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import TileSet
from mjopt.play.solitaire.ceiling_play import Counts, Kinds, Rule, ceiling_rule, lookahead_rule
from mjopt.tables.labels.batch import label
from mjopt.tables.useful import judge_discards, useful_masks

FUNCTION: Final = re.compile(r"(.+\.py):([^:]+)", re.DOTALL)
"""A function in a user's file."""

SECOND_ORDER_SHARE: Final = 3.0
"""Weight of two useful draws in a row in the rule ``mixture``."""

_DEFICIENCY_WEIGHT: Final = 200  # a hand has at most 136 useful copies


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardRule:
    """A rule for discards."""

    name: str  # or FILE.py:FUNCTION
    version: str  # of the code, and of the table behind it
    choose: Rule  # chooses the discards of many hands
    uses_draws: bool = False  # whether the choice depends on the number of draws to come


def read_rule(text: str, *, tiles: TileSet, draws: int) -> DiscardRule:
    """Return a rule by its name in :data:`RULES`, or a function of a user's file.

    The text ``FILE.py:FUNCTION`` names a function, which gets a :class:`mjopt.Hand` with its drawn
    tile and the wall, a tuple with the number of tiles left of each kind; it returns the kind to
    discard or its name, such as ``"3m"``. ``draws`` is the greatest number of draws to come.
    ArgumentError if the rule is unknown; FileError if it needs a ceiling table that has not been
    built, or the file or the function cannot be loaded.

    Examples
    --------
    >>> from mjopt import M0, Hand
    >>> rule = read_rule("useful", tiles=M0, draws=18)
    >>> hand = np.array([Hand.parse("1144m123p456p789s7s").counts], np.uint8)
    >>> M0.names[rule.choose(hand, 4 - hand, 18)[0]]
    '7s'
    """
    expect(text, str, "rule")
    if text in RULES:
        return RULES[text](text, tiles, draws)
    if not (match := FUNCTION.fullmatch(text)):
        known = ", ".join(RULES)
        raise ArgumentError(
            "unknown",
            argument="rule",
            value=short_repr(text),
            expected=f"{known} or FILE.py:FUNCTION",
        )
    function = load_function(text)
    version = f"sha256:{source_digest(match[1])}"
    return DiscardRule(name=text, version=version, choose=partial(_ask, function, text, tiles))


def read_rules(names: Iterable[str], *, tiles: TileSet, draws: int) -> list[DiscardRule]:
    """Return several rules, all different; see :func:`read_rule`."""
    texts = expect_all(names, str, "rules")
    if twice := [text for text in texts if texts.count(text) > 1]:
        raise ArgumentError(f"rule {short_repr(twice[0])} is named twice")
    return [read_rule(text, tiles=tiles, draws=draws) for text in texts]


def _built_in(rule: Callable[..., Kinds]) -> Callable[[str, TileSet, int], DiscardRule]:
    """Return the maker of a rule that needs no table."""

    def make(name: str, tiles: TileSet, _draws: int) -> DiscardRule:
        choose = partial(rule, tiles=tiles)
        return DiscardRule(name=name, version=code_version(DiscardRule), choose=choose)

    return make


def _from_table(
    rule: Callable[[CeilingTable], Rule],
) -> Callable[[str, TileSet, int], DiscardRule]:
    """Return the maker of a rule that reads a ceiling table."""

    def make(name: str, tiles: TileSet, draws: int) -> DiscardRule:
        table = find_table(tiles, draws=draws, all_layers=True)
        if table is None:
            key = TableKey(tiles=tiles.key, draws=max(draws, 1), all_layers=True)
            raise FileError(
                f"no ceiling table ({key.describe()})", argument="rule", value=name, hint=BUILD_HINT
            )
        digest = sha256_of("".join(table.digests).encode())
        version = f"{code_version(DiscardRule)}, table sha256:{digest}"
        return DiscardRule(name=name, version=version, choose=rule(table), uses_draws=True)

    return make


def _scores(
    hands: Counts, walls: Counts, tiles: TileSet | None
) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
    """Return a score by deficiency and then useful tiles, and the useful tiles, shape (N, K)."""
    deficiency, useful = judge_discards(hands, walls, called=_called(hands), tiles=tiles)
    return useful - np.int32(_DEFICIENCY_WEIGHT) * deficiency, useful


def _called(hands: Counts) -> int:
    """Return the number of called melds of hands of one size."""
    return (14 - int(hands[0].sum())) // 3


def by_deficiency(
    hands: Counts, walls: Counts, _draws: int, *, tiles: TileSet | None = None
) -> Kinds:
    """Discard for the least deficiency, of equal kinds the lowest."""
    deficiency, _ = judge_discards(hands, walls, called=_called(hands), tiles=tiles)
    best: Kinds = deficiency.argmin(axis=1)
    return best


def by_useful_tiles(
    hands: Counts, walls: Counts, _draws: int, *, tiles: TileSet | None = None
) -> Kinds:
    """Discard for the least deficiency, then for the most useful tiles in the wall."""
    best: Kinds = _scores(hands, walls, tiles)[0].argmax(axis=1)
    return best


def by_second_order(
    hands: Counts, walls: Counts, _draws: int, *, tiles: TileSet | None = None
) -> Kinds:
    """Discard as :func:`by_useful_tiles`, and break ties by :func:`second_order`."""
    scores, _ = _scores(hands, walls, tiles)
    best: Kinds = scores.argmax(axis=1)
    is_tied = scores == scores.max(axis=1, keepdims=True)
    rows, kinds = np.nonzero(is_tied & (is_tied.sum(axis=1) > 1)[:, None])
    values = np.full(hands.shape, -1)
    values[rows, kinds] = second_order(hands, walls, rows, kinds, tiles)
    tied = np.unique(rows)
    best[tied] = values[tied].argmax(axis=1)
    return best


def by_mixture(hands: Counts, walls: Counts, _draws: int, *, tiles: TileSet | None = None) -> Kinds:
    """Discard for the least deficiency, then for useful tiles now and after the next draw.

    The sum of the useful tiles and of a multiple of those after a useful draw, by the share of
    that draw in the wall.
    """
    scores, useful = _scores(hands, walls, tiles)
    least = scores.max(axis=1, keepdims=True) // _DEFICIENCY_WEIGHT
    rows, kinds = np.nonzero(scores // _DEFICIENCY_WEIGHT == least)
    values = np.full(hands.shape, -1.0)
    later = second_order(hands, walls, rows, kinds, tiles) / walls.sum(axis=1)[rows]
    values[rows, kinds] = useful[rows, kinds] + SECOND_ORDER_SHARE * later
    best: Kinds = values.argmax(axis=1)
    return best


def second_order(
    hands: Counts, walls: Counts, rows: Kinds, kinds: Kinds, tiles: TileSet | None = None
) -> Kinds:
    """Count the ways to draw two useful tiles in a row after each discard, shape ``(D,)``.

    A count is the sum, over the useful tiles in the wall, of the useful tiles after the best
    discard that follows; 0 for a ready hand, which the first useful tile completes. ``hands`` and
    ``walls`` have shape ``(N, K)``: hands with a drawn tile, and the tiles left in each wall;
    ``rows`` and ``kinds`` have shape ``(D,)``: the hands, and a discard of each. By default the
    tile set is ``M0`` for 27 kinds and ``FULL`` for 34.

    Examples
    --------
    >>> from mjopt import Hand
    >>> hands = np.array([Hand.parse("1245m9p", called=3).counts], np.uint8)
    >>> second_order(hands, 4 - hands, np.array([0, 0]), np.array([0, 17])).tolist()
    [96, 108]
    """
    after, left = hands[rows], walls[rows]
    after[np.arange(len(after)), kinds] -= 1
    bits = useful_masks(after, called=_called(hands), tiles=tiles)[:, None] >> np.arange(
        hands.shape[1], dtype=np.uint64
    )
    place, drawn = np.nonzero((bits & np.uint64(1)).astype(np.bool_) & (left > 0))
    copies = left[place, drawn].astype(np.int64)
    full, rest = after[place], left[place]
    full[np.arange(len(full)), drawn] += 1
    rest[np.arange(len(rest)), drawn] -= 1
    if not len(full):
        return np.zeros(len(rows), np.int64)
    scores, useful = _scores(full, rest, tiles)
    best = scores.argmax(axis=1)
    counted = useful[np.arange(len(full)), best] * copies
    counted[label(full, called=_called(hands), tiles=tiles) == 0] = 0
    found: Kinds = np.bincount(place, counted, len(rows)).astype(np.int64)
    return found


def by_expected_draws(
    hands: Counts, walls: Counts, _draws: int, *, tiles: TileSet | None = None
) -> Kinds:
    """Discard for the fewest expected draws if every drawn tile is kept: milliseconds a hand."""
    from mjopt.chances.draws.ranking import rank_discards  # loading its kernels is slow

    called = _called(hands)
    return np.array(
        [
            rank_discards(
                Hand.from_counts(counts, tiles=tiles, called=called), wall=wall, exact=False
            )[0].kind
            for counts, wall in zip(hands.tolist(), walls.tolist(), strict=True)
        ],
        np.int64,
    )


def _ask(
    function: Callable[[Hand, tuple[int, ...]], object],
    name: str,
    tiles: TileSet,
    hands: Counts,
    walls: Counts,
    _draws: int,
) -> Kinds:
    """Call a user's function for each hand."""
    chosen = np.empty(len(hands), np.int64)
    called = _called(hands)
    for row, (counts, wall) in enumerate(zip(hands.tolist(), walls.tolist(), strict=True)):
        hand = Hand.from_counts(counts, tiles=tiles, called=called)
        with UserCode(function, f"rule {name} fails: {hand.to_text()}", ArgumentError):
            answer = function(hand, tuple(wall))
        is_name = isinstance(answer, str) and answer in tiles.names
        kind = tiles.names.index(str(answer)) if is_name else as_whole(answer)
        if kind is None or not 0 <= kind < tiles.num_kinds or not counts[kind]:
            raise ArgumentError(
                f"rule {name}: {hand.to_text()}: discards {short_repr(answer)}",
                expected=f"a kind 0..{tiles.num_kinds - 1} that the hand holds, or its name",
            )
        chosen[row] = kind
    return chosen


RULES: Final[dict[str, Callable[[str, TileSet, int], DiscardRule]]] = {
    "deficiency": _built_in(by_deficiency),
    "useful": _built_in(by_useful_tiles),
    "second-order": _built_in(by_second_order),
    "mixture": _built_in(by_mixture),
    "draws": _built_in(by_expected_draws),
    "ceiling": _from_table(ceiling_rule),
    "ceiling-lookahead": _from_table(lookahead_rule),
}
"""Makers of the built-in rules, by name."""
