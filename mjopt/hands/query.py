"""HandQuery: a hand, the winning forms that count and the tiles that can still arrive."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from mjopt.hands.coerce import HandLike, TilesLike, as_copies, as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.winning_forms import STANDARD, check_forms


@dataclass(frozen=True, slots=True, init=False)
class HandQuery:
    """A validated query for the distance of a hand from a win.

    Parameters
    ----------
    hand
        The hand, or anything that :func:`mjopt.hands.coerce.as_hand` accepts. Copies in the
        hand or in its called melds cannot arrive.
    forms
        The winning forms that count, one or several names from ``FORMS``; repeated names
        count once.
    unseen
        Unseen copies per kind (the knowledge base of Li and Yan), each in ``0..4``, or
        text; by default all copies that the hand does not show. Larger numbers are reduced
        to that.
    tiles, called
        The tile set or its name, and the number of called melds, if ``hand`` is not a
        :class:`Hand`.

    Raises
    ------
    HandError
        If no form is given, or one is unknown or impossible with the tile set.
    TileError
        If ``unseen`` is not one number in ``0..4`` per kind.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m1p")
    >>> HandQuery(hand).unseen[:3], HandQuery(hand, unseen=[4, 1] + [0] * 25).unseen[:3]
    ((1, 3, 3), (1, 1, 0))
    >>> HandQuery(hand, ["thirteen_orphans"])
    Traceback (most recent call last):
    mjopt.errors.HandError: thirteen_orphans needs 13 terminals and honours, M0 has 6
    """

    hand: Hand
    forms: tuple[str, ...]
    unseen: tuple[int, ...]
    is_limited: bool = field(repr=False, compare=False)  # some copies not shown cannot arrive

    def __init__(
        self,
        hand: HandLike,
        forms: Iterable[str] = (STANDARD,),
        unseen: Iterable[int] | str | None = None,
        tiles: TilesLike = None,
        called: int | None = None,
    ) -> None:
        hand = as_hand(hand, tiles, called=called, forms=forms)
        limits = hand.unseen
        if unseen is not None:
            limits = tuple(map(min, as_copies(unseen, hand.tiles, what="unseen"), limits))
        object.__setattr__(self, "hand", hand)
        object.__setattr__(self, "forms", check_forms(forms, hand.tiles))
        object.__setattr__(self, "unseen", limits)
        object.__setattr__(self, "is_limited", limits != hand.unseen)

    @property
    def reach(self) -> tuple[int, ...]:
        """Copies per kind that the hand holds or can still draw."""
        return tuple([h + u for h, u in zip(self.hand.counts, self.unseen, strict=True)])
