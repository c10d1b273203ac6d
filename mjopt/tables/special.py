"""The forms without melds: seven pairs and thirteen orphans, one hand at a time."""

from collections.abc import Sequence

from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, UNREACHABLE, orphan_kinds
from mjopt.hands.tiles import COPIES, FULL

ORPHANS = orphan_kinds(FULL)


def special_deficiency(
    counts: Sequence[int], forms: Sequence[str], unseen: Sequence[int] | None = None
) -> int:
    """Return the least deficiency over the chosen forms other than the standard one.

    Parameters
    ----------
    counts
        Copies per kind, with nothing called.
    forms
        Names of forms; ``"standard"`` is skipped.
    unseen
        Copies of each kind that can still arrive; by default ``4 - counts``.

    Examples
    --------
    >>> special_deficiency([2] * 6 + [1, 1] + [0] * 19, ["seven_pairs"])
    1
    >>> special_deficiency([1] * 7 + [0] * 20, ["seven_pairs"], [0] * 27) == UNREACHABLE
    True
    """
    least = UNREACHABLE
    for form in forms:
        if form == STANDARD:
            continue
        reach = [COPIES] * len(counts)
        if unseen is not None:
            reach = [held + left for held, left in zip(counts, unseen, strict=True)]
        find = {SEVEN_PAIRS: _seven_pairs, THIRTEEN_ORPHANS: _thirteen_orphans}[form]
        least = min(least, find(counts, reach))
    return least


def _seven_pairs(counts: Sequence[int], reach: Sequence[int]) -> int:
    missing = sorted(
        max(0, 2 - held) for held, most in zip(counts, reach, strict=True) if most >= 2
    )
    return sum(missing[:7]) if len(missing) >= 7 else UNREACHABLE


def _thirteen_orphans(counts: Sequence[int], reach: Sequence[int]) -> int:
    twice = [counts[kind] for kind in ORPHANS if reach[kind] >= 2]
    if not twice or min(reach[kind] for kind in ORPHANS) < 1:
        return UNREACHABLE
    missing = sum(counts[kind] == 0 for kind in ORPHANS)
    return missing + (max(twice) < 2)
