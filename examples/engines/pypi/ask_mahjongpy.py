"""mahjongpy: shanten, and wins of hands without called melds."""

from mahjongpy import MahjongPlayer, MahjongTile
from protocol import is_full, kinds, serve

SUITS = ("manzu", "pinzu", "souzu")
HONOURS = ("ton", "nan", "sha", "pei", "haku", "hatu", "tyun")


def tile(kind):
    """Return a tile of a kind."""
    return (
        MahjongTile(SUITS[kind // 9], kind % 9 + 1)
        if kind < 27
        else MahjongTile(HONOURS[kind - 27])
    )


def answer(counts, called):
    """Answer for a hand of 13 or 14 tiles."""
    if called:
        return {}
    player = MahjongPlayer(hands=[tile(kind) for kind in kinds(counts)], discards=[], melds=[])
    # Its shanten is for hands of 13 tiles; the win says whether one of 14 is complete.
    return {"win": player.is_hora()} if is_full(counts) else {"shanten": player.shanten()}


serve(answer)
