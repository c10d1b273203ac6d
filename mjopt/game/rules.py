"""Rule sets as data: what the engine asks, a record answers."""

from dataclasses import astuple, dataclass, fields, replace
from typing import Any, Final

from mjopt.errors import GameError, RecordError
from mjopt.hands.forms import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS, check_forms
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.runtime.as_code import call, unusual

NUM_SEATS: Final = 4
SEATS: Final = range(NUM_SEATS)
HAND_SIZE: Final = 13
DEALT: Final = NUM_SEATS * HAND_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class Multipliers:
    """What a winning hand is worth in basic scores, by pattern; the greatest counts.

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
        """Refuse a win that is worth nothing."""
        if min(astuple(self)) < 1:
            raise GameError(f"multipliers must be at least 1: {self}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """The rules of one game, as data.

    Four seats, thirteen tiles each, the dealer draws first. What the sources leave open
    is a field here, with the choice of this package as its default.

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
        Whether the game is drawn once four kongs stand that are not all of one seat,
        and the discard after the last of them is not won. Otherwise it goes on.
    calls_on_last_discard
        Whether chow and pong may be called when no tile is left to draw. A win may
        always be. (GMJBG looks at the wall before a turn, called or not.)
    ready
        Whether a seat may declare itself ready as it discards. It then discards what
        it draws, wins, or makes kongs that leave it ready, and nothing else.
    multipliers
        What a hand is worth, in basic scores, by pattern; the greatest counts.
    ready_multiplier
        What a win after a declaration is multiplied with.
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
    calls_on_last_discard: bool = False
    ready: bool = False
    multipliers: Multipliers = Multipliers()
    ready_multiplier: int = 1
    basic_score: int = 1
    discarder_pays_all: bool = False
    forfeit: int = 1

    def __repr__(self) -> str:
        return call("RuleSet", **unusual(self))

    def __post_init__(self) -> None:
        """Refuse rules that cannot be played."""
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


def get_rules(name: str) -> RuleSet:
    """Return a rule set by its name.

    Examples
    --------
    >>> get_rules("gmjbg").tiles.name
    'FULL'
    >>> get_rules("riichi")
    Traceback (most recent call last):
    mjopt.errors.GameError: unknown rules 'riichi', expected one of m0, gmjbg, jj
    """
    if name not in RULE_SETS:
        raise GameError(f"unknown rules {name!r}, expected one of {', '.join(RULE_SETS)}")
    return RULE_SETS[name]


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
    mjopt.errors.RecordError: rules 'gmjbg,colour=1': 'colour=1' is no choice of a number
    """
    name, *words = text.split(",")
    changes: dict[str, Any] = {}
    try:
        rules = get_rules(name)
        for word in words:
            key, _, number = word.partition("=")
            if type(getattr(rules, key, None)) not in (int, bool) or not number.isdecimal():
                raise RecordError(f"{word!r} is no choice of a number")
            changes[key] = type(getattr(rules, key))(int(number))
        return replace(rules, **changes)
    except (GameError, TypeError) as error:
        raise RecordError(f"rules {text!r}: {error}") from error
