"""Rule sets as data."""

from dataclasses import astuple, dataclass, fields, replace
from typing import Any, Final

from mjopt._internal.validation import expect, told
from mjopt.errors import GameError, RecordError
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.hands.winning_forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, check_forms

NUM_SEATS: Final = 4
SEATS: Final = range(NUM_SEATS)
HAND_SIZE: Final = 13
DEALT: Final = NUM_SEATS * HAND_SIZE
_DIGITS: Final = 9  # maximum length of a number in the text of rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Multipliers:
    """Value of a winning hand in basic scores, by pattern; the greatest counts.

    Examples
    --------
    >>> Multipliers(all_pongs=8).normal
    1
    """

    normal: int = 1
    all_pongs: int = 1
    one_suit: int = 1
    seven_pairs: int = 1

    def __post_init__(self) -> None:
        """Check that every multiplier is positive."""
        if min(astuple(self)) < 1:
            raise GameError(f"multipliers must be at least 1: {self}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one game, as data.

    Four seats, thirteen tiles each, the dealer draws first. Choices that the
    sources leave open are fields; the defaults are the choices of this package.

    Parameters
    ----------
    name
        How the rules are called on the command line and in records.
    tiles
        The tile set.
    forms
        The winning forms.
    dead_wall
        Tiles that are never drawn: the game is drawn when no more are left.
    kongs
        Whether kongs may be made. Their replacement tile comes from the wall's end,
        and one more tile may be drawn only while more than ``dead_wall`` are left.
    robbing
        Whether the tile added to a pong may be won by another seat.
    all_winners
        Whether every seat that wins on one tile is paid; otherwise only the first in
        turn order after the seat that gave it.
    four_kongs_draw
        Whether the game is drawn after four kongs of at least two seats, unless the discard
        after the fourth is won.
    seat_walls
        Whether each seat draws from a part of the wall of its own, replacement tiles
        included, so that a call moves nobody else's draws. Without calls everyone draws
        what the one wall would give. The game is drawn when a seat has none to draw.
    calls_on_last_discard
        Whether chow and pong may be called when no tile is left to draw (with walls of
        their own: none for the next seat). A win may always be. (GMJBG looks at the wall
        before a turn, called or not.)
    ready
        Whether a seat may declare itself ready as it discards. It then discards what
        it draws, wins, or makes kongs that leave it ready, and nothing else.
    multipliers
        Value of a winning hand in basic scores, by pattern; the greatest counts.
    ready_multiplier
        Factor of a win after a ready declaration.
    basic_score
        Points of a multiplier of 1.
    discarder_pays_all
        Whether the seat that gave the tile pays for all three; otherwise it pays once
        and the others nothing. On an own draw every other seat pays once.
    forfeit
        Basic scores that a seat which breaks the game pays to each of the others.

    Examples
    --------
    >>> GMJBG.tiles.num_tiles, GMJBG.dead_wall, GMJBG.draws
    (136, 14, 70)
    """

    name: str
    tiles: TileSet
    forms: tuple[str, ...] = (STANDARD,)
    dead_wall: int = 0
    kongs: bool = True
    robbing: bool = True
    all_winners: bool = False
    four_kongs_draw: bool = False
    seat_walls: bool = False
    calls_on_last_discard: bool = False
    ready: bool = False
    multipliers: Multipliers = Multipliers()
    ready_multiplier: int = 1
    basic_score: int = 1
    discarder_pays_all: bool = False
    forfeit: int = 1

    def __post_init__(self) -> None:
        """Check that the rules can be played."""
        object.__setattr__(self, "forms", check_forms(self.forms, self.tiles))
        if not 0 <= self.dead_wall < self.tiles.num_tiles - DEALT:
            raise GameError(
                f"rules {self.name}: dead wall of {self.dead_wall} tiles, expected "
                f"0..{self.tiles.num_tiles - DEALT - 1}"
            )
        if min(self.ready_multiplier, self.basic_score) < 1 or self.forfeit < 0:
            raise GameError(f"rules {self.name}: scores must be at least 1, the forfeit 0")

    @property
    def draws(self) -> int:
        """How many tiles may be drawn in a game, replacement draws included."""
        return self.tiles.num_tiles - DEALT - self.dead_wall


M0_RULES: Final = RuleSet(name="m0", tiles=M0)
"""The basic version of Yan and Li (2023): three suits, basic score 1."""

GMJBG: Final = RuleSet(name="gmjbg", tiles=FULL, forms=(STANDARD, THIRTEEN_ORPHANS), dead_wall=14)
"""The Genius of Mahjong Boys and Girls (2017): drawn when fourteen tiles are left."""

JJ: Final = RuleSet(
    name="jj",
    tiles=M0,
    forms=(STANDARD, SEVEN_PAIRS),
    ready=True,
    multipliers=Multipliers(normal=6, all_pongs=8, one_suit=12, seven_pairs=12),
    ready_multiplier=2,
)
"""JJ World's game (appendix A of the 2023 study). The reward for a declaration is not
told there: twice the score is this package's choice."""

RULE_SETS: Final[dict[str, RuleSet]] = {rules.name: rules for rules in (M0_RULES, GMJBG, JJ)}
"""Our rules by name."""


_CHOICES: Final = tuple(
    item.name for item in fields(RuleSet) if type(getattr(JJ, item.name)) in (int, bool)
)
"""The fields that the text of rules can change."""


def get_rules(text: str) -> RuleSet:
    """Return rules by the name of a rule set, and perhaps what differs from it.

    Parameters
    ----------
    text
        A name, then ``,CHOICE=NUMBER`` for each number or choice of :class:`RuleSet` that
        differs; 0 and 1 stand for no and yes.

    Raises
    ------
    GameError
        If the name, a choice or its number is not one.

    Examples
    --------
    >>> get_rules("gmjbg").tiles.name, get_rules("jj,ready=0").ready
    ('FULL', False)
    >>> get_rules("riichi")
    Traceback (most recent call last):
    mjopt.errors.GameError: unknown rules 'riichi', expected one of m0, gmjbg, jj
    """
    expect(text, str, "rules")
    name, *words = text.split(",")
    if name not in RULE_SETS:
        raise GameError(f"unknown rules {told(repr(name))}, expected one of {', '.join(RULE_SETS)}")
    changes: dict[str, Any] = {}
    for word in words:
        choice, _, number = word.partition("=")
        is_choice = isinstance(getattr(RULE_SETS[name], choice, None), bool)
        if choice not in _CHOICES or not number.isdecimal() or len(number) > _DIGITS:
            expected = f"CHOICE=NUMBER with one of {', '.join(_CHOICES)}"
            raise GameError(f"rules {name}: {told(repr(word))}, expected {expected}")
        if is_choice and number not in ("0", "1"):
            raise GameError(f"rules {name}: {told(repr(word))}, expected {choice}=0 or {choice}=1")
        changes[choice] = bool(int(number)) if is_choice else int(number)
    return replace(RULE_SETS[name], **changes)


def write_rules(rules: RuleSet) -> str:
    """Write rules as the name of a rule set and every number or choice that differs.

    Raises
    ------
    RecordError
        If they differ from the rule set of their name in something else.

    Examples
    --------
    >>> from dataclasses import replace
    >>> write_rules(replace(GMJBG, robbing=False, dead_wall=10))
    'gmjbg,dead_wall=10,robbing=0'
    """
    known = RULE_SETS.get(rules.name)
    if known is None:
        raise RecordError(f"rules {rules.name!r} have no name that a record could give")
    words = [rules.name]
    for item in fields(RuleSet):
        value = getattr(rules, item.name)
        if value != getattr(known, item.name):
            if not isinstance(value, int):
                raise RecordError(f"rules {rules.name}: a record cannot tell other {item.name}")
            words.append(f"{item.name}={int(value)}")
    return ",".join(words)


def read_rules(text: str) -> RuleSet:
    """Read what :func:`write_rules` wrote.

    Raises
    ------
    RecordError
        If the name or a choice is unknown.

    Examples
    --------
    >>> read_rules("gmjbg,dead_wall=10").dead_wall
    10
    >>> read_rules("gmjbg,colour=1")
    Traceback (most recent call last):
    mjopt.errors.RecordError: rules gmjbg: 'colour=1', expected CHOICE=NUMBER with one of ...
    """
    try:
        return get_rules(text)
    except GameError as error:
        raise RecordError(str(error)) from error
