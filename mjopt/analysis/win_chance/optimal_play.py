"""The chance to win within so many draws, for every discard: bounds that hold."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from mjopt._internal.validation import as_whole, is_number, told, whole
from mjopt.analysis.draws.distribution import check_wall
from mjopt.analysis.draws.expected_draws import expected_draws
from mjopt.analysis.win_chance.certificate import to_document
from mjopt.analysis.win_chance.discard_bounds import PlayedDiscard, as_fraction
from mjopt.analysis.win_chance.graph import World
from mjopt.analysis.win_chance.search import Found, search_class
from mjopt.analysis.win_chance.upper_bound import ONE
from mjopt.errors import HandError
from mjopt.hands.coerce import HandLike, TilesLike, as_hand, as_kind
from mjopt.hands.hand import Hand
from mjopt.hands.winning_forms import STANDARD, check_forms
from mjopt.tables.lookup import label_one

AUTO: Final = "auto"
GIVEN: Final = "given"
COMPLETE: Final = "complete"
SETTLED: Final = "settled"
SECONDS: Final = "seconds"
LONGEST: Final = 86_400.0
"""Seconds that a search may be given: a day."""

ENOUGH: Final = ONE // 1000
"""Waste is raised while the lower bound of the best discard gains more."""

STATES_A_SECOND: Final = 9_000
"""What a second stands for: so many hands, so that answers depend on no machine."""

MOST_STATES: Final = 300_000
"""No larger class is searched: it takes gigabytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """What a hand is worth within so many draws if it is played well.

    Parameters
    ----------
    hand, wall, forms
        What was asked about.
    draws
        The draws that may be made: no more than the wall holds.
    deficiency
        Of the hand, as if every copy could be had.
    waste
        The class of plays that was searched: hands may be held that differ from the first
        one by so many tiles more than the deficiency asks for.
    states
        Hands in that class.
    stopped
        Why waste was not raised: ``given``, ``complete`` (every play is in the class),
        ``settled`` (the lower bound gained no more than a thousandth) or ``seconds``.
    discards
        Every discard, the greatest lower bound first; for a hand that waits for its draw one
        row, whose kind is None.
    best_proven
        Whether no other discard is better than the first, within the class.
    """

    hand: Hand
    wall: tuple[int, ...]
    forms: tuple[str, ...]
    draws: int
    deficiency: int
    waste: int
    states: int
    stopped: str
    discards: tuple[PlayedDiscard, ...]
    best_proven: bool
    found: Found = field(repr=False, compare=False)

    @property
    def best(self) -> PlayedDiscard:
        """The discard with the greatest lower bound."""
        return self.discards[0]

    def curve(self, number: int = 3) -> dict[int | None, list[tuple[Fraction, Fraction]]]:
        """Return bounds for 1, 2, ... draws of the best discards, in the same class.

        Parameters
        ----------
        number
            Of discards.

        Returns
        -------
        dict
            By discard, lower and upper bound for each number of draws.
        """
        rows = self.discards[:number]
        found: dict[int | None, list[tuple[Fraction, Fraction]]] = {row.kind: [] for row in rows}
        for draws in range(1, self.draws + 1):
            bounds = self.found.within(draws).bounds()
            for row in rows:
                key = -1 if row.kind is None else row.kind
                lower, upper = bounds.get(key, (0, 0))
                found[row.kind].append((as_fraction(lower), as_fraction(upper)))
        return found

    def to_certificate(
        self, discards: Iterable[int | str] | None = None, *, with_numbers: bool = False
    ) -> dict[str, Any]:
        """Return a certificate that `mjopt verify` checks with no search.

        Parameters
        ----------
        discards
            About which, kinds or names of tiles; by default the best alone. What is claimed
            of several at once may be a little lower than the bounds here.
        with_numbers
            Write the bounds of every state too; else the checker works them out.

        Raises
        ------
        HandError
            If nothing was searched, or a discard is none of the class.

        Examples
        --------
        >>> from mjopt.proofs.win_chance_check import verify_win_chance
        >>> import json
        >>> proof = optimal_play("22557m234p34789s3z", waste=0).to_certificate(["3z", "5m"])
        >>> verify_win_chance(json.dumps(proof)).is_unconditional
        False
        """
        if self.forms != (STANDARD,):
            raise HandError(f"certificates are of the standard form, not {', '.join(self.forms)}")
        if not self.draws:
            raise HandError("no draws: there is nothing to prove")
        roots = self.found.graph.roots
        every = [-1 if row.kind is None else row.kind for row in self.discards]
        kinds = [kind for kind in every if kind in roots][:1]
        if discards is not None:
            kinds = [as_kind(kind, self.hand.tiles) for kind in discards]
        for kind in kinds:
            if kind not in roots:
                name = self.hand.tiles.names[kind]
                raise HandError(f"{name}: no discard within waste {self.waste}")
        if not kinds:
            raise HandError(f"no discard within waste {self.waste}: there is nothing to prove")
        return to_document(self.found, kinds, with_numbers=with_numbers)

    def to_document(self) -> dict[str, Any]:
        """Return the answer as plain data: exact numbers as text, floats rounded outwards."""
        return {
            "draws": self.draws,
            "deficiency": self.deficiency,
            "waste": self.waste,
            "states": self.states,
            "stopped": self.stopped,
            "best_proven": self.best_proven,
            "discards": [row.to_document() for row in self.discards],
        }


def optimal_play(
    hand: HandLike,
    *,
    tiles: TilesLike = None,
    called: int | None = None,
    wall: Iterable[int] | str | None = None,
    draws: int = 18,
    waste: int | str = AUTO,
    seconds: float = 1.0,
    forms: Iterable[str] = (STANDARD,),
) -> Play:
    """Bound the chance to win within so many draws, for every discard of a hand.

    One seat, no calls: a tile is drawn from the wall, which wins or after which some tile is
    thrown away for good. The lower bounds hold for the best play whatever it is; the upper
    bounds for all plays of a class (see :class:`Play`), and for all where they say so.

    Parameters
    ----------
    hand
        A :class:`Hand`, mpsz text, counts or names of tiles: after its draw, or before it.
    tiles, called
        The tile set or its name, and the melds on the table, where the hand is none.
    wall
        Copies of each kind in the wall, or text; by default all that the hand does not show.
    draws
        To come; no more are made than the wall holds.
    waste
        How wide the class is: tiles that may be exchanged without coming nearer. ``"auto"``
        raises it while that gains more than a thousandth, and ``seconds`` last.
    seconds
        How much may be searched, about; what it stands for is a number of hands, so that an
        answer does not depend on the machine.
    forms
        The winning forms.

    Raises
    ------
    HandError, TileError
        If there is no such hand, wall or form, or a number is out of its range.

    Examples
    --------
    >>> play = optimal_play("22557m234p34789s3z", draws=18, waste=0)
    >>> play.hand.tiles.names[play.best.kind], play.best.value
    ('3z', Fraction(1902729291963615964, 4461635097219030885))
    >>> optimal_play("22557m234p34789s3z", waste=1).best.lower > play.best.upper
    True
    """
    hand = as_hand(hand, tiles, called=called, forms=forms)
    chosen, copies = check_forms(forms, hand.tiles), check_wall(hand, wall)
    draws = whole(draws, "draws")
    if draws < 0:
        raise HandError(f"draws: {draws}, expected 0 or more")
    is_auto = isinstance(waste, str) and waste == AUTO
    fixed = None if is_auto else as_whole(waste)
    if not is_auto and (fixed is None or fixed < 0):
        raise HandError(f"waste: {told(repr(waste))}, expected 0 or more, or 'auto'")
    if not (is_number(seconds) and 0 < seconds <= LONGEST):
        raise HandError(f"seconds: {told(repr(seconds))}, expected more than 0, and at most a day")
    draws = min(draws, sum(copies))
    deficiency = label_one(hand.counts, hand.called, forms=chosen)
    every, stopped = _search(hand, copies, chosen, draws, deficiency, fixed, seconds)
    found, rows = every[-1], _rows(hand, copies, chosen, every)
    return Play(
        hand=hand,
        wall=copies,
        forms=chosen,
        draws=draws,
        deficiency=deficiency,
        waste=found.waste,
        states=found.graph.num_states,
        stopped=stopped,
        discards=rows,
        best_proven=not rows[0].regret,
        found=found,
    )


def _search(
    hand: Hand,
    wall: tuple[int, ...],
    forms: tuple[str, ...],
    draws: int,
    deficiency: int,
    waste: int | None,
    seconds: float,
) -> tuple[list[Found], str]:
    """Search class after class; return what was found in each, and why no more were.

    The plays of a narrow class are plays of a wide one too, but what is bounded well there
    may not be here: each discard keeps the best of its lower bounds.
    """
    every: list[Found] = []
    most = int(seconds * STATES_A_SECOND)
    best = -1
    for more in range(99 if waste is None else waste + 1):
        world = World(hand=hand, wall=wall, forms=forms, deficiency=deficiency, waste=more)
        is_optional = waste is None and bool(every)
        found = search_class(world, draws, min(most, MOST_STATES) if is_optional else MOST_STATES)
        if found is None and not is_optional:
            raise HandError(
                f"waste {more}, {deficiency} tiles from a win: more than {MOST_STATES:,} hands"
            )
        if found is None:
            return every, SECONDS
        every.append(found)
        if world.is_all or draws <= world.most:
            return every, COMPLETE
        if waste is not None:
            continue
        before, best = best, max(best, *found.lower.values(), 0)
        if best and before >= 0 and best - before <= ENOUGH:
            return every, SETTLED
        most -= found.graph.num_states
    return every, GIVEN


def _rows(
    hand: Hand, wall: tuple[int, ...], forms: tuple[str, ...], every: list[Found]
) -> tuple[PlayedDiscard, ...]:
    """Return what is known of each discard, the best first."""
    last, bounds = every[-1], every[-1].bounds()
    kinds = [kind for kind, held in enumerate(hand.counts) if held] if hand.is_full else [-1]
    is_all = last.graph.world.is_all or last.draws <= last.graph.world.most
    rows = []
    for kind in kinds:
        upper = as_fraction(bounds.get(kind, (0, 0))[1])
        after = hand.with_one(kind, -1) if hand.is_full else hand
        upper_any = upper
        if not is_all:  # who keeps every tile wins with all draws that any play wins with
            kept = expected_draws(after, wall=wall, forms=forms)
            upper_any = kept.within(last.draws).probability
            upper = min(upper, upper_any)
        lower = max(as_fraction(found.lower.get(kind, 0)) for found in every)
        lower = max(lower, *(found.exact.get(kind, lower) for found in every))
        value = last.exact.get(kind)
        if value is None and upper == 0:
            value = upper
        if value is not None:
            lower = upper = value
        rows.append((kind, after, lower, upper, upper_any, value))
    found = []
    for kind, after, lower, upper, upper_any, value in rows:
        others = [row[3] for row in rows if row[0] != kind]
        found.append(
            PlayedDiscard(
                kind=kind if hand.is_full else None,
                hand=after,
                lower=lower,
                upper=upper,
                upper_any=min(upper, upper_any) if is_all else upper_any,
                is_exact=value is not None,
                value=value,
                regret=max(Fraction(0), max(others, default=lower) - lower),
            )
        )
    return tuple(sorted(found, key=lambda row: (-row.lower, -row.upper, row.kind or 0)))
