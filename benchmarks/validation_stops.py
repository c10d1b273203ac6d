"""Count how often questions about one hand validate it: ``python benchmarks/validation_stops.py``.

A stop is a call of a validating function from code that does not itself validate. A hand given as
text should stop once. A `Hand` was validated when it was built, so it should not stop at all. The
checkers of ``mjopt.proofs`` are left out: they validate every certificate on their own.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import mjopt

ROOT: Final = Path(mjopt.__file__).parent
CHECKERS: Final = str(ROOT / "proofs")

VALIDATORS: Final = frozenset(
    {
        *("Hand.__post_init__", "HandQuery.__init__"),
        *("as_copies", "as_hand", "as_list", "as_tiles"),
        *("check_called", "check_counts", "check_forms", "check_wall"),
        *("needs_honours", "not_a_hand", "tiles_by_length"),
    }
)
"""The functions that validate a hand, its winning forms or the tiles unseen."""

FULL_HAND: Final = "4569m13445788p2s4z"
WAITING: Final = "123456m789p1146s"
COMPLETE: Final = "11122233344455s"

QUESTIONS: Final[dict[str, tuple[str, Callable[[Any], object]]]] = {
    "deficiency": (FULL_HAND, mjopt.deficiency),
    "deficiency by a model": (FULL_HAND, partial(mjopt.deficiency, model="network")),
    "is_win": (COMPLETE, mjopt.is_win),
    "shanten": (FULL_HAND, mjopt.shanten),
    "useful_tiles": (WAITING, mjopt.useful_tiles),
    "discards": (FULL_HAND, mjopt.discards),
    "targets": (FULL_HAND, lambda hand: mjopt.targets(hand).number),
    "decompositions": (COMPLETE, mjopt.decompositions),
    "solve": (FULL_HAND, partial(mjopt.solve, model="network")),
    "certify": (FULL_HAND, mjopt.certify),
    "explain": (FULL_HAND, mjopt.explain),
    "expected_draws": (FULL_HAND, mjopt.expected_draws),
    "rank_discards": (FULL_HAND, mjopt.rank_discards),
    "optimal_play": (FULL_HAND, partial(mjopt.optimal_play, draws=2, waste=0, table=False)),
}
"""Of each question: a hand as text, and the call."""


def count_stops(call: Callable[[], object]) -> tuple[int, int]:
    """Return how often a call stops to validate, and how many validating functions it calls."""
    depth = stops = calls = 0

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth, stops, calls
        code = frame.f_code
        if code.co_qualname not in VALIDATORS or event not in ("call", "return"):
            return
        if not code.co_filename.startswith(str(ROOT)) or code.co_filename.startswith(CHECKERS):
            return
        if event == "return":
            depth -= 1
            return
        # A Hand that is passed on is not validated again.
        given = frame.f_locals.get("hand", frame.f_locals.get("value"))
        if not isinstance(given, mjopt.Hand):
            calls += 1
            stops += not depth
        depth += 1

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return stops, calls


def main() -> None:
    """Print the stops of each question for a text and for a Hand."""
    print(f"{'question':22} {'text':>5} {'Hand':>5} {'calls (text)':>13}")
    for name, (text, ask) in QUESTIONS.items():
        hand = mjopt.Hand.parse(text)
        ask(hand)  # tables that are read once are not counted
        stops, calls = count_stops(partial(ask, text))
        print(f"{name:22} {stops:5} {count_stops(partial(ask, hand))[0]:5} {calls:13}")


if __name__ == "__main__":
    main()
