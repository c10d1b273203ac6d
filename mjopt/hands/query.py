"""HandQuery: a hand, the winning forms that count and the tiles that can still arrive."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from mjopt.errors import HandError
from mjopt.hands.coerce import HandLike, TilesLike, as_copies, as_hand
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import FORMS, is_classic
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm, templates_beside


@dataclass(frozen=True, slots=True, init=False)
class HandQuery:
    """A question about one hand: its distance from a win, and what follows from it.

    Public functions build one from their arguments, which validates them; everything that receives
    a HandQuery trusts it.

    Parameters
    ----------
    hand
        The hand, or anything that :func:`mjopt.hands.coerce.as_hand` accepts. Copies in the
        hand or in its called melds cannot arrive.
    forms
        The winning forms that count, one or several names from ``FORMS``; repeated names
        count once. With ``general`` also rule sets and files of rules. By default those of
        the rules of the hand, and without rules the standard form.
    unseen
        Unseen copies per kind (the knowledge base of Li and Yan), each in ``0..4``, or
        text; by default all copies that the hand does not show. Larger numbers are reduced
        to that.
    tiles, called
        As for :func:`mjopt.hands.coerce.as_hand`.
    general
        Allow every winning form; otherwise only those of ``FORMS``.

    Attributes
    ----------
    limit
        The unseen copies if they are fewer than those that the hand does not show, else None.

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
    mjopt.errors.HandError: thirteen_orphans needs 13 terminals and honours, M0 has 6 ...
    """

    hand: Hand
    forms: tuple[WinningForm, ...]
    limit: tuple[int, ...] | None = field(repr=False)

    def __init__(
        self,
        hand: HandLike,
        forms: FormsLike = None,
        unseen: Iterable[int] | str | None = None,
        *,
        tiles: TilesLike = None,
        called: int | None = None,
        general: bool = False,
    ) -> None:
        if not isinstance(hand, Hand) or tiles is not None or called is not None:
            hand = as_hand(hand, tiles, called=called, forms=forms)
        limit = None
        if unseen is not None:
            left = hand.unseen
            limit = tuple(map(min, as_copies(unseen, hand.tiles, what="unseen"), left))
            limit = None if limit == left else limit
        set_field = object.__setattr__
        set_field(self, "hand", hand)
        chosen = read_forms(forms, hand.tiles, hand.size, rules=hand.rules)
        if not general and not is_classic(chosen):
            other = next(form.name for form in chosen if not is_classic((form,)))
            raise HandError(
                f"only {', '.join(FORMS)} are possible here", argument="forms", value=repr(other)
            )
        set_field(self, "forms", chosen)
        set_field(self, "limit", limit)

    @classmethod
    def of_checked(
        cls, hand: Hand, forms: tuple[WinningForm, ...], unseen: tuple[int, ...] | None = None
    ) -> "HandQuery":
        """Return a query without validation, for parts that are known to be valid."""
        query = object.__new__(cls)
        set_field = object.__setattr__
        set_field(query, "hand", hand)
        set_field(query, "forms", forms)
        set_field(query, "limit", None if unseen == hand.unseen else unseen)
        return query

    @property
    def unseen(self) -> tuple[int, ...]:
        """Copies per kind that can still arrive."""
        return self.hand.unseen if self.limit is None else self.limit

    @property
    def is_limited(self) -> bool:
        """Whether some copies that the hand does not show cannot arrive."""
        return self.limit is not None

    @property
    def is_classic(self) -> bool:
        """Whether every form is one of ``FORMS``."""
        return is_classic(self.forms)

    def templates(self, form: WinningForm) -> tuple[Template, ...]:
        """Return the templates of a form that the called melds allow, without what they are.

        Each called meld is one of the melds of a template that is returned.
        """
        return tuple(chain.from_iterable(self.each_template(form)))

    def each_template(self, form: WinningForm) -> tuple[tuple[Template, ...], ...]:
        """Return for each template of a form what the called melds leave of it, perhaps nothing.

        Named melds can be a part of the fixed tiles in several ways.
        """
        called = self.hand.called
        if self.hand.melds:
            return templates_beside(form, self.hand.melds)
        return tuple([(part,) if part.melds >= called else () for part in form.templates])

    @property
    def reach(self) -> tuple[int, ...]:
        """Copies per kind that the hand holds or can still draw."""
        return tuple([h + u for h, u in zip(self.hand.counts, self.unseen, strict=True)])
