"""Whether a complete hand of riichi has a yaku, as far as its tiles and the situation say.

The yaku that are winning forms are those of riichi-open; they count for closed hands as well. An
open hand without one of these can have few others, each of which needs tiles that most hands lack.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from mjopt.hands.rules.winning_form import templates_beside
from mjopt.hands.tiles import COPIES, FULL
from mjopt.play.game.events import Meld
from mjopt.play.game.log_replay import LogState
from mjopt.play.game.moves import Action, with_copies
from mjopt.play.game.open_hands import value_kinds, yaku_forms
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import RIICHI_TABLE
from mjopt.tables.suits.template_cost import least_missing

Counts = tuple[int, ...]

NO_YAKU: Final = ""
"""The answer for a hand that has no yaku."""

_SPECIAL: Final = tuple(form for form in RIICHI_TABLE.forms if not form.is_plain)
_INNER: Final = frozenset(
    kind for start in FULL.chow_starts if FULL.rank(start) == 4 for kind in range(start, start + 3)
)
_SAME_RANK: Final = tuple((kind, kind + 9, kind + 18) for kind in range(9))
_ENDS: Final = frozenset(
    kind for kind in range(FULL.num_kinds) if FULL.letter(kind) == "z" or FULL.rank(kind) in (1, 9)
)


def find_yaku(state: LogState, seat: int, tile: int | None = None) -> str | None:
    """Return one yaku of a complete hand; ``NO_YAKU`` if it has none, None if that is open.

    ``tile`` is the kind on offer, None for a win by the own draw. All simples count for open hands.
    """
    if yaku := _of_situation(state, seat, is_own=tile is None):
        return yaku
    held, deal = state.hands[seat], state.deal
    counts = held if tile is None else with_copies(held, tile, 1)
    counts = (*counts, *(0,) * (FULL.num_kinds - len(counts)))
    melds = [meld for meld in state.table.melds[seat] if meld.action is not Action.NORTH]
    values = value_kinds(seat, deal.dealer, deal.wind, state.rules.seats)
    return yaku_of_tiles(counts, melds, values)


def _of_situation(state: LogState, seat: int, *, is_own: bool) -> str:
    """Return a yaku that the tiles do not decide; empty if there is none."""
    table = state.table
    is_closed = all(meld.seat_from == seat for meld in table.melds[seat])
    before = table.events[-2].action if is_own and len(table.events) > 1 else Action.PASS
    yaku = {
        "riichi": table.ready[seat],
        "own draw of a closed hand": is_own and is_closed,
        "replacement tile": is_own and (table.on_replacement or before is Action.NORTH),
        "robbed kong": not is_own and table.events[-1].action is Action.ADDED_KONG,
        "last tile": not table.live and (is_own or table.phase is Phase.CLAIM),
    }
    return next((name for name, holds in yaku.items() if holds), "")


def yaku_of_tiles(counts: Counts, melds: Sequence[Meld], values: frozenset[int]) -> str | None:
    """Return a yaku of the tiles of a complete hand, as :func:`find_yaku` does.

    ``counts`` have the winning tile; ``values`` are the kinds whose pongs are a yaku.

    Examples
    --------
    >>> from mjopt.hands.hand import Hand
    >>> hand = Hand.parse("456789m11p123s", tiles=FULL, called=1)
    >>> melds = [Meld(Action.CHOW, (first, first + 1, first + 2), 3) for first in (0, 1)]
    >>> [yaku_of_tiles(hand.counts, [meld], frozenset()) for meld in melds]
    ['straight', '']
    """
    none = (0,) * len(counts)
    blocks = tuple(meld.block for meld in melds)
    for form in (*yaku_forms(values), *(() if melds else _SPECIAL)):
        templates = chain.from_iterable(templates_beside(form, blocks))
        if least_missing(templates, FULL, counts, none, len(blocks)) == 0:
            return form.name.rpartition(".")[2].replace("_", " ")
    is_closed = all(meld.action is Action.CLOSED_KONG for meld in melds)
    return None if is_closed or _may_have_other(counts, melds) else NO_YAKU


def _may_have_other(counts: Counts, melds: Sequence[Meld]) -> bool:
    """Return whether an open hand may have a yaku that is no form, by what each one needs.

    These are outside hands, three-colour pongs, three concealed pongs and three kongs.
    """
    concealed = {kind for kind, copies in enumerate(counts) if copies >= COPIES - 1}
    concealed |= {meld.kind for meld in melds if meld.action is Action.CLOSED_KONG}
    pongs = concealed | {meld.kind for meld in melds if len({*meld.block.kinds}) == 1}
    is_outside = not any(counts[kind] for kind in _INNER) and all(
        _ENDS & {*meld.block.kinds} for meld in melds
    )
    return (
        is_outside
        or any(pongs.issuperset(kinds) for kinds in _SAME_RANK)
        or len(concealed) >= 3
        or sum(meld.is_kong for meld in melds) >= 3
    )
