"""mahjong-learner: shanten, wins, useful tiles and their copies, best discards."""

import sys
from importlib.util import find_spec
from pathlib import Path

from protocol import NAMES, is_full, serve

# Its modules import one another without the name of the package; __init__ needs no torch.
sys.path.append(str(Path(find_spec("mahjong_learner").origin).parent))
from efficiency import compute_acceptance, evaluate_discards
from win_check import calculate_shanten, is_win


def answer(counts, called):
    """Answer for any hand; its useful tiles and discards are for hands without called melds."""
    answers = {"shanten": calculate_shanten(counts, called)}
    if is_full(counts):
        answers["win"] = is_win(counts, called)
    if called or answers["shanten"] < 0:
        return answers
    if not is_full(counts):
        found = compute_acceptance(counts)
        return answers | {
            "useful": [NAMES[kind] for kind, _ in found["tiles"]],
            "ukeire": found["total"],
        }
    # Its first choice weighs the shape of waits, too: this compares the values behind it.
    options = evaluate_discards(counts)
    scores = [(each["shanten_after"], -each["acceptance_total"]) for each in options]
    best = [each for each, score in zip(options, scores, strict=True) if score == min(scores)]
    return answers | {"discard": [NAMES[each["tile_id"]] for each in best]}


serve(answer)
