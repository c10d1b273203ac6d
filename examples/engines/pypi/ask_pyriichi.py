"""pyriichi: wins and divisions of hands without called melds, and the waits of ready ones."""

from protocol import is_full, kinds, serve
from pyriichi.hand import Hand
from pyriichi.tiles import Suit, Tile

SUITS = list(Suit)


def answer(counts, called):
    """Answer for a hand of 13 or 14 tiles."""
    if called:
        return {}
    hand = Hand([Tile(SUITS[kind // 9], kind % 9 + 1) for kind in kinds(counts)])
    if not is_full(counts):
        waits = [f"{tile.rank}{'mpsz'[SUITS.index(tile.suit)]}" for tile in hand.get_machi_tiles()]
        return {"shanten": 0, "useful": sorted(waits)} if waits else {}
    last = hand.tiles[-1]
    answers = {"win": hand.is_winning_hand(last, is_tsumo=True)}
    if answers["win"] and (found := hand.get_winning_combinations(last, is_tsumo=True)):
        # Listed once for each order of the blocks; seven pairs are not among them.
        blocks = [sorted(str(sorted(map(str, block.tiles))) for block in each) for each in found]
        answers["decompositions"] = len({*map(tuple, blocks)}) + (counts.count(2) == 7)
    return answers


serve(answer)
