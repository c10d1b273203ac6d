"""Read hands from standard input, a JSON object a line, and write the answers, one line each."""

import json
import sys
from collections.abc import Callable, Mapping

NAMES = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 8 if suit == "z" else 10)]


def kinds(counts: list[int]) -> list[int]:
    """Return the kinds in a hand, each as often as it is held."""
    return [kind for kind, held in enumerate(counts) for _ in range(held)]


def is_full(counts: list[int]) -> bool:
    """Return whether a hand has drawn its tile."""
    return sum(counts) % 3 == 2


def serve(answer: Callable[[list[int], int], Mapping[str, object]]) -> None:
    """Answer every line by the copies of 34 kinds and the number of called melds."""
    for line in sys.stdin:
        hand = json.loads(line)
        try:
            answers = answer(hand["counts"], hand["called"])
        except Exception as error:  # the error is the answer
            answers = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answers), flush=True)
