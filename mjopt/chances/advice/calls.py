"""The melds that a player can call in a position, and the draws that he has left after each."""

from collections.abc import Iterator
from dataclasses import dataclass

from mjopt.hands.blocks import Block, Shape, chow, kong, pong, usage
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.called_melds import most_melds
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet


@dataclass(frozen=True, slots=True)
class CallOption:
    """A meld that can be called now, with the player's own draws after it.

    Parameters
    ----------
    meld
        A chow, a pong or a kong. Without a tile on offer: a kong of the player's own tiles.
    draws
        Own draws left after the call, 0 or more; the draw that replaces a kong is one of them.

    Examples
    --------
    >>> from mjopt import FULL, CallOption, Position
    >>> position = Position.parse("2378m345p6688s11z offered=4m draws=6")
    >>> [(call.meld.text(FULL), call.draws) for call in position.calls]
    [('234m', 5)]
    >>> position.calls == (CallOption(chow(1), 5),)
    True
    """

    meld: Block
    draws: int


def possible_melds(hand: Hand, offered: int | None) -> list[Block]:
    """Return the melds that can be called: with the tile on offer, or kongs of own tiles.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> [meld.text(FULL) for meld in possible_melds(Hand.parse("1111m345p22668s11z"), None)]
    ['1111m']
    """
    if hand.is_full:
        pongs = [meld.kinds[0] for meld in hand.melds if meld.shape is Shape.PONG]
        may_add = hand.called < hand.most_called
        return [
            kong(kind)
            for kind, held in enumerate(hand.counts)
            if (held == COPIES and may_add) or (held and kind in pongs)
        ]
    return (
        [*melds_with(hand, offered)]
        if offered is not None and hand.called < hand.most_called
        else []
    )


def own_draws(left: int, next_seat: int, seat: int, players: int) -> int:
    """Return the number of own draws if all seats draw in turn until no tile is left.

    ``left`` tiles will be drawn, the first of them by ``next_seat``; ``seat`` is the own seat of
    ``players``.

    Examples
    --------
    >>> [own_draws(5, next_seat, 0, 4) for next_seat in range(4)]
    [2, 1, 1, 1]
    """
    before = (seat - next_seat) % players
    return max(0, -((before - left) // players))


def after_call(hand: Hand, meld: Block, offered: int | None) -> Hand:
    """Return the hand after a call, before its discard or the draw that replaces a kong.

    Examples
    --------
    >>> from mjopt.hands.blocks import chow
    >>> after_call(Hand.parse("2378m345p6688s11z"), chow(1), 3).to_text()
    '78m345p6688s11z'
    """
    tiles = hand.tiles
    knows_melds = len(hand.melds) == hand.called
    former = pong(meld.kinds[0])
    if offered is None and former in hand.melds:  # the fourth tile joins a pong
        melds = list(hand.melds)
        melds[melds.index(former)] = meld
        return Hand.from_counts(
            [c - (k == meld.kinds[0]) for k, c in enumerate(hand.counts)],
            tiles=tiles,
            called=hand.called,
            melds=melds,
            rules=hand.rules,
        )
    used = usage([meld], tiles.num_kinds)
    counts = [
        held + (kind == offered) - gone
        for kind, (held, gone) in enumerate(zip(hand.counts, used, strict=True))
    ]
    melds = [*hand.melds, meld] if knows_melds else []
    return Hand.from_counts(
        counts, tiles=tiles, called=hand.called + 1, melds=melds, rules=hand.rules
    )


def melds_with(hand: Hand, kind: int) -> Iterator[Block]:
    """Yield the melds that a discarded tile makes with tiles of a hand.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> [meld.text(FULL) for meld in melds_with(Hand.parse("2333m345p6688s11z"), 2)]
    ['333m', '3333m']
    """
    for first in range(kind - 2, kind + 1):
        if first in hand.tiles.chow_starts:
            meld = chow(first)
            if all(hand.counts[other] for other in meld.kinds if other != kind):
                yield meld
    if hand.counts[kind] >= 2:
        yield pong(kind)
    if hand.counts[kind] == 3:
        yield kong(kind)


def forms_of(hand: Hand, forms: tuple[WinningForm, ...]) -> tuple[WinningForm, ...]:
    """Return the winning forms that the called melds allow; all if they allow none.

    Once a called meld makes a form any melds and an eye, such as a pong of dragons in riichi,
    forms that ask for more than that are left out: a search would only take longer.

    Examples
    --------
    >>> from mjopt.hands.rules.read_forms import check_forms
    >>> hand = Hand.parse("11m", called=4)
    >>> forms_of(hand, check_forms("all", hand.tiles))
    (<WinningForm standard>,)
    >>> from mjopt import FULL
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> hand = Hand.parse("23m44p679s1z", tiles=FULL, melds=["123m", "777z"])
    >>> forms_of(hand, get_rules("riichi-open").forms)
    (<WinningForm riichi-open.red_dragon>,)
    """
    if not hand.called:
        return forms
    query = HandQuery.of_checked(hand, forms)
    possible = tuple(form for form in forms if query.templates(form)) or forms
    plain = next((f for f in possible if any(t.is_plain for t in query.templates(f))), None)
    if plain is None:
        return possible
    return tuple(
        form
        for form in possible
        if form is plain or not all(_is_of_melds(t, hand.tiles) for t in query.templates(form))
    )


def _is_of_melds(template: Template, tiles: TileSet) -> bool:
    """Return whether every hand of a template is four melds and an eye."""
    groups = most_melds(template.fixed, tiles)
    return (
        sum(template.fixed) == 3 * groups
        and (template.melds + groups, template.eyes) == (4, 1)
        and not (template.distinct or template.pairs or template.jokers)
    )
