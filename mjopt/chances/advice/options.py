"""The options of a position (discards, calls, kongs, passing, a win) with the bounds of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isinf
from typing import Any, Final

from mjopt.chances.advice.estimate import Estimate
from mjopt.chances.advice.position import Position
from mjopt.chances.win_chance.discard_bounds import rounded
from mjopt.hands.blocks import Block, Shape
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.rules.rule_file import get_rules

DISCARD: Final = "discard"
DRAW: Final = "draw"
PASS: Final = "pass"
WIN: Final = "win"

CHANCE: Final = "chance"
ESTIMATE: Final = "estimate"
DRAWS: Final = "draws"
NOTHING: Final = "nothing"
MEASURES: Final = {
    CHANCE: "ranked by the proven chance to win",
    ESTIMATE: "ranked by an estimate of the chance to win: too far from a win for a proof",
    DRAWS: "ranked by expected draws if every tile is kept: a first guess, no best option is named",
    NOTHING: "nothing can be won by own draws",
}
"""The measures by which options are ranked."""

IGNORED: Final = "Yaku, points, danger, wins on discards and later calls are ignored."
NOT_RANKED_BY: Final = (
    "The ranking ignores danger, which stands beside it, and yaku, points, wins on discards and "
    "later calls."
)
"""In its place where danger is shown."""
OPEN_RIICHI: Final = "riichi-open"
WIND_FORMS: Final = [f"{OPEN_RIICHI}.{wind}_wind" for wind in ("east", "south", "west", "north")]
DRAGONS: Final = (31, 32, 33)
OPEN_FORMS: Final = (
    "A pong of %(winds)s counts as a yaku, as one of dragons does. Outside hands, three-colour "
    "pongs, three concealed pongs, kongs and yaku of the situation are not among the forms."
)
"""Assumptions of the forms of open riichi hands."""
NO_WINDS: Final = (
    "No pong of winds counts as a yaku, only one of dragons. Outside hands, three-colour pongs, "
    "three concealed pongs, kongs and yaku of the situation are not among the forms."
)
"""The same without forms of winds."""
HAS_DRAGONS: Final = "The called pong of dragons is a yaku: four melds and an eye win, whichever."
"""The same for a hand that has called such a pong."""

Say = Callable[[str, Mapping[str, object]], str]
"""Fills a text with its values; may translate it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvisedOption:
    """One option of a position.

    Parameters
    ----------
    action
        ``discard``, ``draw`` (a hand before its draw, nothing on offer), ``pass``, ``chow``,
        ``pong``, ``kong`` or ``win``.
    kind
        The discarded kind; after a chow or a pong the best one. None without a discard.
    meld
        The meld called, or None.
    hand
        The hand afterwards.
    draws
        Own draws left afterwards.
    at_least
        Proven: some play wins within these draws with this chance. None: not searched.
    at_most
        Proven: no play wins with a greater chance. None if unknown.
    in_class
        Upper bound of the plays of the class that was searched, or None. It bounds all plays
        only where ``at_most`` is no greater.
    estimate
        The simulated chance of a simple way of playing, or None.
    deficiency
        Deficiency afterwards, with the wall of the position; ``UNREACHABLE`` if it cannot be
        completed.
    useful
        Copies in the wall of each kind that lowers it.
    mean_draws_keeping_all
        Expected draws until a win if every drawn tile is kept; infinite if there is none.
    lost
        Chance lost against the best option: its ``at_least``, or estimate, minus that of this
        one. None if either is unknown.
    is_lost_proven
        Whether ``at_most`` is below ``at_least`` of the best option.
    """

    action: str
    kind: int | None = None
    meld: Block | None = None
    hand: Hand
    draws: int
    at_least: Fraction | None = None
    at_most: Fraction | None = None
    in_class: Fraction | None = None
    estimate: Estimate | None = None
    deficiency: int
    useful: Mapping[int, int]
    mean_draws_keeping_all: float
    lost: Fraction | None = None
    is_lost_proven: bool = False

    @property
    def num_useful(self) -> int:
        """Number of useful tiles in the wall."""
        return sum(self.useful.values())

    @property
    def name(self) -> str:
        """The option in words: ``discard 6s``, ``chow 234m, discard 1z``, ``pass``.

        Examples
        --------
        >>> from mjopt import advise
        >>> advise("2378m345p6688s11z offered=4m draws=6").options[0].name
        'chow 234m, discard 8s'
        """
        tiles = self.hand.tiles
        thrown = "" if self.kind is None else f"discard {tiles.names[self.kind]}"
        called = "" if self.meld is None else f"{self.action} {self.meld.text(tiles)}"
        return ", ".join(word for word in (called, thrown) if word) or self.action

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document: exact numbers as text, floats rounded outwards."""
        names = self.hand.tiles.names
        mean = self.mean_draws_keeping_all
        return {
            "action": self.action,
            "discard": None if self.kind is None else names[self.kind],
            "meld": None if self.meld is None else self.meld.text(self.hand.tiles),
            "draws": self.draws,
            "at_least": None if self.at_least is None else str(self.at_least),
            "at_least_float": None if self.at_least is None else rounded(self.at_least, up=False),
            "at_most": None if self.at_most is None else str(self.at_most),
            "at_most_float": None if self.at_most is None else rounded(self.at_most, up=True),
            "in_class_float": None if self.in_class is None else rounded(self.in_class, up=True),
            "estimate": None
            if self.estimate is None
            else {"mean": self.estimate.mean, "interval": list(self.estimate.interval)},
            "deficiency": None if self.deficiency == UNREACHABLE else self.deficiency,
            "useful": {names[kind]: copies for kind, copies in self.useful.items()},
            "mean_draws_keeping_all": None if isinf(mean) else mean,
            "lost_float": None if self.lost is None else float(self.lost),
            "is_lost_proven": self.is_lost_proven,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The options of a position, the best first.

    Parameters
    ----------
    position
        The position.
    effort
        ``quick``, ``normal`` or ``deep``.
    measure
        By which the options are ranked, a key of ``MEASURES``.
    options
        Every discard, call, pass, kong and win.
    waste
        The waste of the classes that were searched; None if none was.
    is_closed
        Whether these classes contain every play, so that all bounds are for all plays.
    states
        Number of hands in these classes.

    Examples
    --------
    >>> from mjopt import advise
    >>> advice = advise("123456m789p1146s1z draws=2")
    >>> advice.best.name, advice.measure, advice.is_closed, len(advice.options)
    ('discard 1z', 'chance', True, 13)
    """

    position: Position
    effort: str
    measure: str
    options: tuple[AdvisedOption, ...]
    waste: int | None
    is_closed: bool
    states: int

    @property
    def best(self) -> AdvisedOption | None:
        """The first option; None if nothing can be won, or too little was searched to say."""
        first = self.options[0]
        named = self.measure in (CHANCE, ESTIMATE) or first.action == WIN
        return first if named else None

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the forms of ``riichi-open`` take for granted; empty without these forms.

        Examples
        --------
        >>> from mjopt import advise
        >>> position = "23m44p679s1z melds=123m,222z draws=2"
        >>> [text] = advise(position, forms="riichi-open").assumptions
        >>> text.partition(",")[0]
        'A pong of 2z counts as a yaku'
        """
        text = say_assumptions(self.position)
        return (text,) if text else ()

    def option(self, kind: int) -> AdvisedOption | None:
        """Return the option that only discards a kind, or None."""
        rows = (row for row in self.options if row.kind == kind and row.meld is None)
        return next(rows, None)

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document."""
        return {
            "position": self.position.to_text(),
            "effort": self.effort,
            "measure": self.measure,
            "best": None if self.best is None else self.best.name,
            "waste": self.waste,
            "is_closed": self.is_closed,
            "states": self.states,
            "assumptions": [*self.assumptions],
            "options": [option.to_document() for option in self.options],
        }


def say_assumptions(position: Position, say: Say = str.__mod__) -> str:
    """Return what the forms of ``riichi-open`` take for granted; empty without these forms."""
    known, melds = get_rules(OPEN_RIICHI), position.hand.melds
    forms = [form for form in position.forms if form in known.forms]
    if not forms:
        return ""
    if any(meld.shape is not Shape.CHOW and meld.kinds[0] in DRAGONS for meld in melds):
        return say(HAS_DRAGONS, {})
    pongs = [form.templates[0].fixed.index(3) for form in forms if form.name in WIND_FORMS]
    winds = " ".join(known.tiles.names[kind] for kind in pongs)
    return say(OPEN_FORMS, {"winds": winds}) if winds else say(NO_WINDS, {})
