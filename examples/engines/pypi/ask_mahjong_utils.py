"""mahjong-utils: shanten, useful tiles and best discards; it runs JavaScript inside Python."""

from mahjong_utils.bridge import bridge_mahjongutils
from protocol import NAMES, is_full, kinds, serve


def answer(counts, _):
    """Answer for any hand; fewer tiles imply called melds."""
    tiles = [NAMES[kind] for kind in kinds(counts)]
    arguments = {"tiles": tiles, "furo": [], "bestShantenOnly": True}
    faster = {"calcImprovement": False, "calcGoodShapeAdvance": False}
    found = bridge_mahjongutils.call("shanten", arguments | faster)["shantenInfo"]
    answers = {"shanten": found["shantenNum"]}
    if not is_full(counts):
        return answers | {"useful": found["advance"]}
    answers["win"] = answers["shanten"] == -1
    if answers["win"]:
        return answers
    after = {
        name: sum(4 - counts[NAMES.index(tile)] for tile in each["advance"])
        for name, each in found["discardToAdvance"].items()
        if each["shantenNum"] == answers["shanten"]
    }
    most = max(after.values())
    return answers | {"discard": [name for name, copies in after.items() if copies == most]}


serve(answer)
bridge_mahjongutils.close()
