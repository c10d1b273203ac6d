"""HandQuery: a hand, the winning forms that count, and the tiles that can still arrive."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from mjopt.hands.coerce import HandLike, TilesLike, as_copies, as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.winning_forms import STANDARD, check_forms


@dataclass(frozen=True, slots=True, init=False)
class HandQuery:
    """How far a hand is from winning: checked here once, and trusted from then on.

    Parameters
    ----------
    hand
        The hand, or what :func:`mjopt.hands.coerce.as_hand` reads as one; what it holds or
        shows cannot arrive.
    forms
        The winning forms that count, one or several names from ``FORMS``; a form named
        twice counts once.
    unseen
        Copies believed unseen per kind (the knowledge base of Li and Yan), each in
        ``0..4``, or text; by default all that the hand does not show. A number above what
        the hand leaves is cut down to it.
    tiles, called
        The tile set or its name, and the melds on the table, where the hand is no
        :class:`Hand`.

    Raises
    ------
    HandError
        If there is no form, an unknown one, or one that the tiles cannot make.
    TileError
        If ``unseen`` is not one number in ``0..4`` for each kind.

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
    is_limited: bool = field(repr=False, compare=False)  # less can arrive than the hand leaves

    def __init__(
        self,
        hand: HandLike,
        forms: Iterable[str] = (STANDARD,),
        unseen: Iterable[int] | str | None = None,
        tiles: TilesLike = None,
        called: int | None = None,
    ) -> None:
        hand = as_hand(hand, tiles, called=called, forms=forms)
        chosen = tuple(dict.fromkeys(check_forms(forms, hand.tiles)))
        every = left = hand.unseen
        if unseen is not None:
            given = as_copies(unseen, hand.tiles, what="unseen")
            left = tuple(map(min, given, every))
        object.__setattr__(self, "hand", hand)
        object.__setattr__(self, "forms", chosen)
        object.__setattr__(self, "unseen", left)
        object.__setattr__(self, "is_limited", left != every)

    @property
    def reach(self) -> tuple[int, ...]:
        """Copies per kind that the hand holds or may still get."""
        return tuple([h + u for h, u in zip(self.hand.counts, self.unseen, strict=True)])
