"""mahjax: shanten of three forms, and wins."""

import jax
import numpy as np
from mahjax.no_red_mahjong.hand import Hand
from mahjax.no_red_mahjong.shanten import Shanten
from protocol import is_full, serve

number, can_win = jax.jit(Shanten.number), jax.jit(Hand.can_tsumo)


def answer(counts, _):
    """Answer for the tiles in hand; fewer tiles imply called melds."""
    hand = np.array(counts, np.int32)
    answers = {"shanten": int(number(hand))}
    if is_full(counts):
        answers["win"] = bool(can_win(hand))
    return answers


serve(answer)
