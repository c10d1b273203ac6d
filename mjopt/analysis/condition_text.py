"""Describe the conditions of a deficiency: tile set, called melds, unseen tiles."""

from collections.abc import Iterable
from itertools import groupby

from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, names_of
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, M0, TILE_SETS, Suit, TileSet


def conditions_text(hand: Hand, unseen: tuple[int, ...]) -> str:
    """Name a hand with every condition that is not the default.

    Examples
    --------
    >>> hand = Hand.parse("1m", called=4)
    >>> conditions_text(hand, hand.unseen)
    '1m with 4 called'
    >>> conditions_text(hand, (0,) * 26 + (4,))
    '1m with 4 called and only 9999s unseen'
    >>> conditions_text(hand, (1,) + (4,) * 26)
    '1m with 4 called and every other tile unseen but 11m'
    """
    parts = []
    if hand.melds:
        parts.append(f"{' '.join(f'({meld.text(hand.tiles)})' for meld in hand.melds)} called")
    elif hand.called:
        parts.append(f"{hand.called} called")
    if unseen != hand.unseen:
        parts.append(_unseen_text(hand, unseen))
    name = hand.to_text() or "no concealed tile"
    if hand.tiles != M0:
        name += f" in {tile_set_text(hand.tiles)}"
    return f"{name} with {' and '.join(parts)}" if parts else name


def forms_text(forms: tuple[WinningForm, ...]) -> str:
    """Name the winning forms, in brackets; nothing for the default form alone.

    Examples
    --------
    >>> from mjopt.hands.rules.read_forms import check_forms
    >>> forms_text(check_forms("standard", M0)), forms_text(check_forms("all", M0))
    ('', ' (standard, seven_pairs)')
    """
    names = names_of(forms)
    return "" if names == (DEFAULT_FORM,) else f" ({', '.join(names)})"


def limited_text(hand: Hand, unseen: tuple[int, ...]) -> str | None:
    """Write the tiles that can still arrive; None if these are all tiles not in the hand."""
    return None if unseen == hand.unseen else _written(unseen, hand.tiles)


def kinds_text(kinds: Iterable[int], tiles: TileSet) -> str:
    """Write tiles suit by suit, with blanks between the suits.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> kinds_text((0, 3, 6, 10, 27, 27), FULL)
    '147m 2p 11z'
    """
    by_suit = groupby(kinds, key=tiles.letter)
    return " ".join(
        "".join(str(tiles.rank(kind)) for kind in part) + letter for letter, part in by_suit
    )


def tile_set_text(tiles: TileSet) -> str:
    """Name a tile set; describe a custom one.

    Examples
    --------
    >>> tile_set_text(M0)
    'M0'
    >>> suits = (Suit("m", "", (1, 2, 3), has_chows=False), Suit("z", "", (1, 9)))
    >>> tile_set_text(TileSet("mine", suits))
    "the tile set 'mine' (1-3 of m without chows, 1 9 of z without chows; 4 copies of each)"
    """
    if tiles in TILE_SETS.values():
        return tiles.name
    suits = ", ".join(_suit_text(suit, tiles) for suit in tiles.suits)
    return f"the tile set {tiles.name[:40]!r} ({suits}; {COPIES} copies of each)"


def _suit_text(suit: Suit, tiles: TileSet) -> str:
    """Describe a suit; it has chows if three of its kinds can make one."""
    part = tiles.slices[tiles.suits.index(suit)]
    has_chows = any(part.start <= kind < part.stop for kind in tiles.chow_starts)
    ranks = " ".join(map(str, suit.ranks))
    if len(suit.ranks) > 2 and suit.ranks[-1] - suit.ranks[0] == len(suit.ranks) - 1:
        ranks = f"{suit.ranks[0]}-{suit.ranks[-1]}"
    return f"{ranks} of {suit.letter} {'with' if has_chows else 'without'} chows"


def _unseen_text(hand: Hand, unseen: tuple[int, ...]) -> str:
    """List the tiles that can arrive, or those that cannot if that list is shorter."""
    if not any(unseen):
        return "no tile unseen"
    gone = tuple(every - left for every, left in zip(hand.unseen, unseen, strict=True))
    if sum(gone) < sum(unseen):
        return f"every other tile unseen but {_written(gone, hand.tiles)}"
    return f"only {_written(unseen, hand.tiles)} unseen"


def _written(counts: tuple[int, ...], tiles: TileSet) -> str:
    return get_notation("mpsz").write(counts, (0,) * tiles.num_kinds, tiles)
