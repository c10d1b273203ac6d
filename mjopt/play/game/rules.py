"""The rules of games as data, and the rule sets m0, gmjbg and jj."""

from dataclasses import astuple, dataclass, fields, replace
from typing import Any, Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, whole
from mjopt.errors import FileError, GameError
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, RIICHI
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL, M0, TileSet

NUM_SEATS: Final = 4
SEATS: Final = range(NUM_SEATS)
HAND_SIZE: Final = 13
DEALT: Final = NUM_SEATS * HAND_SIZE
_DEFAULT_FORMS: Final[Any] = (DEFAULT_FORM,)  # names become forms of the tile set
_DIGITS: Final = 9  # maximum length of a number in the text of rules


def check_seat(seat: int, what: str = "seat") -> None:
    """Raise GameError unless a seat is 0 to 3."""
    if whole(seat, what) not in SEATS:
        raise GameError(argument=what, value=short_repr(seat), expected=f"0..{NUM_SEATS - 1}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Multipliers:
    """Value of a winning hand in basic scores, by pattern; the highest applies.

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
class GameRules:
    """The rules of one game, as data.

    Four seats have thirteen tiles each, and the dealer draws first. Fields cover the choices
    that the sources do not specify; their defaults are choices of this package.

    Parameters
    ----------
    name
        The name of the rules on the command line and in records.
    tiles
        The tile set.
    forms
        The winning forms.
    dead_wall
        Number of tiles that are never drawn: the game is drawn when only these remain.
    kongs
        Whether kongs are allowed. Their replacement tile comes from the end of the wall, and
        requires that more than ``dead_wall`` tiles remain.
    robbing
        Whether another seat may win on a tile added to a pong.
    all_winners
        Whether several seats may win on the same tile; otherwise only the first in turn
        order after the seat whose tile it is.
    four_kongs_draw
        Whether the game is drawn after four kongs by at least two seats, unless a seat wins on
        the discard after the fourth.
    seat_walls
        Whether each seat draws all tiles, replacement tiles included, from its own part of the
        wall, so that a call does not change the draws of other seats. Without calls, the draws
        are the same as from a common wall. The game is drawn when the part of the seat to draw
        is empty.
    calls_on_last_discard
        Whether chow and pong may be called when no tile is left to draw (with separate walls:
        none for the next seat). A win is always allowed. (GMJBG checks the wall before every
        turn, also after a call.)
    swaps
        Whether a seat that calls a tile may discard the same kind at once, or the other end of
        its chow (swap calls). The text of rules cannot forbid them: ``rollout`` plays only with
        swap calls, and the learning agents are trained with them.
    ready
        Whether a seat may declare itself ready with a discard. After that it can only discard
        the drawn tile, win, or make kongs that keep it ready.
    multipliers
        Value of a winning hand in basic scores, by pattern; the highest applies.
    ready_multiplier
        Factor of a win after a ready declaration.
    basic_score
        Points of a multiplier of 1.
    discarder_pays_all
        Whether the seat whose tile was won pays for all three seats; otherwise it pays once and
        the others pay nothing. On an own draw every other seat pays once.
    forfeit
        Basic scores that a seat pays to each other seat if it breaks the rules.

    Examples
    --------
    >>> GMJBG.tiles.num_tiles, GMJBG.dead_wall, GMJBG.draws
    (136, 14, 70)
    """

    name: str
    tiles: TileSet
    forms: tuple[WinningForm, ...] = _DEFAULT_FORMS
    dead_wall: int = 0
    kongs: bool = True
    robbing: bool = True
    all_winners: bool = False
    four_kongs_draw: bool = False
    seat_walls: bool = False
    calls_on_last_discard: bool = False
    swaps: bool = True
    ready: bool = False
    multipliers: Multipliers = Multipliers()
    ready_multiplier: int = 1
    basic_score: int = 1
    discarder_pays_all: bool = False
    forfeit: int = 1

    def __post_init__(self) -> None:
        """Check that the rules are consistent."""
        expect(self.tiles, TileSet, "tiles")
        for name in ("dead_wall", "ready_multiplier", "basic_score", "forfeit"):
            whole(getattr(self, name), name)
        object.__setattr__(self, "forms", check_forms(self.forms, self.tiles))
        if not 0 <= self.dead_wall < self.tiles.num_tiles - DEALT:
            raise GameError(
                f"rules {self.name}: dead wall of {self.dead_wall} tiles",
                expected=f"0..{self.tiles.num_tiles - DEALT - 1}",
            )
        for name, least in (("ready_multiplier", 1), ("basic_score", 1), ("forfeit", 0)):
            if (points := getattr(self, name)) < least:
                raise GameError(f"rules {self.name}: {name}={points}", expected=f"{least} or more")

    @property
    def draws(self) -> int:
        """Number of tiles that may be drawn in a game, replacement draws included."""
        return self.tiles.num_tiles - DEALT - self.dead_wall


M0_RULES: Final = GameRules(name="m0", tiles=M0)
"""The basic version of Yan and Li (2023): three suits, basic score 1."""

GMJBG: Final = GameRules(
    name="gmjbg", tiles=FULL, forms=check_forms("standard, thirteen_orphans", FULL), dead_wall=14
)
"""The Genius of Mahjong Boys and Girls (2017): drawn when fourteen tiles are left."""

JJ: Final = GameRules(
    name="jj",
    tiles=M0,
    forms=check_forms("standard, seven_pairs", M0),
    ready=True,
    multipliers=Multipliers(normal=6, all_pongs=8, one_suit=12, seven_pairs=12),
    ready_multiplier=2,
)
"""JJ World's game (appendix A of the 2023 study). It does not specify the reward
for a declaration: doubling the score is a choice of this package."""

RIICHI_TABLE: Final = GameRules(
    name="riichi",
    tiles=FULL,
    forms=check_forms(RIICHI, FULL),
    dead_wall=14,
    all_winners=True,
    four_kongs_draw=True,
    swaps=False,
)
"""The tiles, forms and draws of riichi, at the tables of other programs and in logs. Its yaku are
left to :mod:`mjopt.play.game.yaku`, declarations and limits on wins and discards to
:mod:`mjopt.play.mjai.legal`."""

RIICHI_GAME: Final = replace(RIICHI_TABLE, ready=True, forfeit=4_000)
"""What agents see of the rules at this package's own riichi table: :mod:`mjopt.play.riichi`. Its
engine alone decides which moves are legal, and the points."""

GAME_RULES: Final[dict[str, GameRules]] = {rules.name: rules for rules in (M0_RULES, GMJBG, JJ)}
"""The rule sets by name."""


_CHOICES: Final = tuple(
    item.name
    for item in fields(GameRules)
    if type(getattr(JJ, item.name)) in (int, bool) and item.name != "swaps"
)
"""The fields that a specification of rules can change."""


def get_game_rules(text: str) -> GameRules:
    """Return rules from the name of a rule set with optional changes.

    Parameters
    ----------
    text
        A name, then ``,CHOICE=NUMBER`` for each changed field of :class:`GameRules`; 0 and 1
        mean no and yes.

    Raises
    ------
    GameError
        If the name, a choice or its number is invalid.

    Examples
    --------
    >>> get_game_rules("gmjbg").tiles.name, get_game_rules("jj,ready=0").ready
    ('FULL', False)
    >>> get_game_rules("riichi")
    Traceback (most recent call last):
    mjopt.errors.GameError: rules 'riichi': unknown, expected one of m0, gmjbg, jj
    """
    expect(text, str, "rules")
    name, *words = text.split(",")
    if name not in GAME_RULES:
        raise GameError(
            "unknown", argument="rules", value=short_repr(name), expected=tuple(GAME_RULES)
        )
    changes: dict[str, Any] = {}
    for word in words:
        choice, _, number = word.partition("=")
        is_choice = isinstance(getattr(GAME_RULES[name], choice, None), bool)
        if choice not in _CHOICES or not number.isdecimal() or len(number) > _DIGITS:
            expected = f"CHOICE=NUMBER with one of {', '.join(_CHOICES)}"
            raise GameError(f"rules {name}: {short_repr(word)}", expected=expected)
        if is_choice and number not in ("0", "1"):
            raise GameError(
                f"rules {name}: {short_repr(word)}", expected=f"{choice}=0 or {choice}=1"
            )
        changes[choice] = bool(int(number)) if is_choice else int(number)
    return replace(GAME_RULES[name], **changes)


def write_rules(rules: GameRules) -> str:
    """Write rules as the name of a rule set with its changed fields.

    GameError if another field than a number or choice differs from the named rule set.

    Examples
    --------
    >>> from dataclasses import replace
    >>> write_rules(replace(GMJBG, robbing=False, dead_wall=10))
    'gmjbg,dead_wall=10,robbing=0'
    """
    known = GAME_RULES.get(rules.name)
    if known is None:
        raise GameError(f"rules {rules.name!r}: a record stores only named rule sets")
    words = [rules.name]
    for item in fields(GameRules):
        value = getattr(rules, item.name)
        if value != getattr(known, item.name):
            if item.name not in _CHOICES:
                raise GameError(f"rules {rules.name}: a record cannot store other {item.name}")
            words.append(f"{item.name}={int(value)}")
    return ",".join(words)


def read_rules(text: str) -> GameRules:
    """Parse the output of :func:`write_rules`; FileError if the name or a choice is unknown.

    Examples
    --------
    >>> read_rules("gmjbg,dead_wall=10").dead_wall
    10
    >>> read_rules("gmjbg,colour=1")
    Traceback (most recent call last):
    mjopt.errors.FileError: rules gmjbg: 'colour=1', expected CHOICE=NUMBER with one of ...
    """
    try:
        return get_game_rules(text)
    except GameError as error:
        raise FileError(str(error)) from error
