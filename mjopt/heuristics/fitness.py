"""Fitness: what the predecomposition of a repaired individual costs."""

from collections.abc import Sequence

from mjopt.heuristics.encoding import Encoding


def evaluate(
    chosen: Sequence[int],
    encoding: Encoding,
    *,
    special_case_1: bool = True,
    special_case_2: bool = True,
) -> int:
    """Return the cost of an individual by Eq. 8, in tile changes.

    Parameters
    ----------
    chosen
        Numbers of elements, 0 for an empty position; already repaired.
    encoding
        What they stand for.
    special_case_1, special_case_2
        As in :meth:`mjopt.Predecomposition.cost`.

    Raises
    ------
    HandError
        If the hand cannot supply it.

    References
    ----------
    .. [1] Yan and Li (2023), section 3.2.3.

    Examples
    --------
    >>> from mjopt import Hand
    >>> encoding = Encoding(Hand.parse("B1B2B3B3B3B8B8B8C4C5C6D6D7D8", notation="paper"))
    >>> evaluate([0] * 5, encoding)
    9
    """
    return encoding.decode(chosen).cost(
        special_case_1=special_case_1, special_case_2=special_case_2
    )
