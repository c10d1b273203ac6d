"""The expected number of draws of one hand or of many hands."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, repeat

from mjopt.chances.draws.distribution import Draws, draws_query
from mjopt.chances.draws.incomplete_counts import Setting, count_incomplete, incomplete_means
from mjopt.errors import HandError, TileError
from mjopt.hands.coerce import HandLike, each_hand
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.read_forms import FormsLike
from mjopt.hands.tiles import as_list
from mjopt.tables.rows._array_input import check_threads

Walls = Sequence[Sequence[int]] | Sequence[int] | None
"""None (all copies that each hand leaves), one wall for all hands, or one each."""

SHARE = 32  # hands per thread and step


def expected_draws(
    hand: HandLike,
    *,
    wall: Iterable[int] | str | None = None,
    forms: FormsLike = None,
) -> Draws:
    """Return the exact distribution of the draws until hand and draws contain a win.

    The wall is in random order, tiles are drawn one by one, and every tile is kept. The hand
    can be before or after its draw, or smaller (``partial=True``).

    Parameters
    ----------
    hand
        The hand, as for :func:`mjopt.certify`.
    wall
        Copies of each kind in the wall, each in ``0..4``, or text; by default all that the hand
        does not show.
    forms
        The winning forms; the first one completed counts. With called melds only
        forms that have melds are possible.

    Returns
    -------
    Draws
        The number of incomplete draws of each size; ``mean`` is the expected number,
        ``curve`` the probability by number of draws.

    Raises
    ------
    TileError
        If the wall holds more copies than hand and called melds leave.

    References
    ----------
    .. [1] ZJOI2019, "Mahjong", loj.ac problem 3042: the same query for one suit.

    Examples
    --------
    >>> from mjopt import FULL
    >>> hand = Hand.parse("113399s", called=2, tiles=FULL, partial=True)
    >>> draws = expected_draws(hand, wall="1223s2z")
    >>> draws.mean, draws.ways
    (Fraction(16, 5), (1, 5, 8, 4, 0, 0))
    >>> round(float(expected_draws("1112345678999m").mean), 4)
    3.1366
    """
    return find_draws(draws_query(hand, wall, forms))


def find_draws(query: HandQuery, *, in_bulk: bool = False) -> Draws:
    """Return the distribution of a query, whose unseen tiles are the wall."""
    return Draws.of(query, count_incomplete(query, in_bulk=in_bulk)[0])


def float_mean(hand: Hand, *, wall: Iterable[int] | None = None, forms: FormsLike = None) -> float:
    """Return the expected draws of one hand in floating point, several times as fast.

    They are correct to about twelve digits; infinite if the wall cannot complete the hand.

    Examples
    --------
    >>> round(float_mean(Hand.parse("1112345678999m")), 3)
    3.137
    """
    return float(incomplete_means(Setting(draws_query(hand, wall, forms)))[0])


def expected_draws_many(
    hands: Iterable[HandLike],
    *,
    walls: Walls = None,
    forms: FormsLike = None,
    threads: int | None = 1,
) -> Iterator[Draws]:
    """Yield the distributions of many hands, in order.

    Parameters
    ----------
    hands
        Hands, each as for :func:`expected_draws`.
    walls
        One wall for all hands, or one each; by default all that each hand leaves.
    forms
        As for :func:`expected_draws`.
    threads
        Number of threads; None: one for each core.

    Raises
    ------
    MjoptError
        If a hand or its wall is invalid; the message names the row.

    Examples
    --------
    >>> hands = ["1112345678999m", "1122334455667m"]
    >>> [round(float(draws.mean), 3) for draws in expected_draws_many(hands, threads=2)]
    [3.137, 4.911]
    """
    number = check_threads(threads)
    chosen = tuple(forms) if isinstance(forms, Iterator) else forms
    held = list(each_hand(hands))
    pairs = list(zip(held, _each_wall(walls, len(held)), strict=True))
    shares = range(0, len(pairs), SHARE)

    def do_share(start: int) -> list[Draws]:
        found = []
        for row, (hand, wall) in enumerate(pairs[start : start + SHARE], start):
            try:
                found.append(find_draws(draws_query(hand, wall, chosen), in_bulk=True))
            except (HandError, TileError) as error:
                error.locate("hands", row)
                raise
        return found

    if number == 1:
        yield from chain.from_iterable(map(do_share, shares))
        return
    with ThreadPoolExecutor(number) as executor:
        yield from chain.from_iterable(executor.map(do_share, shares))


def _each_wall(walls: Walls, number: int) -> Iterable[Sequence[int] | None]:
    """Return one wall for each hand."""
    if walls is None:
        return repeat(None, number)
    given = as_list(walls, "walls")
    if given and not hasattr(given[0], "__len__"):
        return repeat(given, number)
    if len(given) != number:
        raise TileError(
            f"{len(given)} walls for {number} hands", expected="one each or one for all"
        )
    return given
