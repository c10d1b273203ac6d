"""cmajiang: shanten of three forms, and useful tiles."""

import cmajiang
from protocol import NAMES, is_full, kinds, serve


def answer(counts, called):
    """Write the hand as text, in which called melds are pongs of kinds that it lacks."""
    absent = [name for name, held in zip(NAMES, counts, strict=True) if not held]
    tiles = "".join(NAMES[kind][::-1] for kind in kinds(counts))
    pongs = [f",{name[1]}{name[0] * 3}+" for name in absent[:called]]
    hand = cmajiang.Shoupai(tiles + "".join(pongs))
    answers = {"shanten": cmajiang.xiangting(hand)}
    if not is_full(counts):
        answers["useful"] = [name[::-1] for name in cmajiang.tingpai(hand)]
    return answers


serve(answer)
