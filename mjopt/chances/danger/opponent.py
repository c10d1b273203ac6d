"""An opponent: what he shows, and the kinds that he cannot win on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect
from mjopt.chances.advice.position import Position
from mjopt.chances.advice.position_document import NO, YES, errors_of, read_number, split_words
from mjopt.errors import ArgumentError, TileError
from mjopt.hands.blocks import Block, Shape
from mjopt.hands.coerce import as_copies, as_kind
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet

FIELDS: Final = ("melds", "called", "discards", "passed", "ready")
Counts = tuple[int, ...]
Kinds = str | Iterable[int | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """What an opponent shows, and the kinds that he cannot win on.

    Parameters
    ----------
    melds
        His melds on the table, each a :class:`mjopt.Block` or text, concealed kongs too.
    called
        The number of melds, if their tiles are not known; by default the length of ``melds``.
    discards
        The tiles that he discarded, as text, or as numbers or names of kinds. By the furiten
        rule a hand that waits on one of them cannot win on any discard. Under rules without
        furiten, leave them out: :class:`mjopt.Position` has them among the tiles seen.
    passed
        The kinds that he let pass since his riichi; also discards of his that are no tiles of
        his any more, because somebody called them.
    is_ready
        Whether he is known to be ready, as after a riichi. If not, all results are conditional.

    Examples
    --------
    >>> Opponent.parse("discards=19m4z passed=7s ready=yes")
    Opponent(melds=(), called=None, discards='19m4z', passed='7s', is_ready=True)
    """

    melds: Sequence[Block | str] = ()
    called: int | None = None
    discards: Kinds = ()
    passed: Kinds = ()
    is_ready: bool = False

    def __post_init__(self) -> None:
        """Validate the types; the tile set of a position decides the rest."""
        melds = (self.melds,) if isinstance(self.melds, str) else tuple(self.melds)
        for meld in melds:
            if not isinstance(meld, Block):
                expect(meld, str, "melds")
        object.__setattr__(self, "melds", melds)
        for name in ("discards", "passed"):
            kinds = getattr(self, name)
            object.__setattr__(self, name, kinds if isinstance(kinds, str) else tuple(kinds))
        expect(self.is_ready, bool, "is_ready")

    @property
    def has_called(self) -> bool:
        """Whether he has a meld other than a kong, which may be concealed."""
        kongs = [isinstance(meld, Block) and meld.shape is Shape.KONG for meld in self.melds]
        return not all(kongs)

    @classmethod
    def parse(cls, text: str) -> "Opponent":
        """Read words ``name=value``: melds, called, discards, passed, ready (yes or no).

        Raises
        ------
        ArgumentError
            If a word is unknown or appears twice, or a value is wrong.

        Examples
        --------
        >>> Opponent.parse("melds=123m,777z").melds
        ('123m', '777z')
        >>> Opponent.parse("riichi")
        Traceback (most recent call last):
        mjopt.errors.ArgumentError: opponent: 'riichi', expected words such as discards=1m9p
        """
        fields = split_words(text, FIELDS, "opponent")
        if other := fields.pop("hand"):
            raise ArgumentError(
                short_repr(other), argument="opponent", expected="words such as discards=1m9p"
            )
        ready = fields.get("ready", NO)
        if ready not in (YES, NO):
            raise ArgumentError(short_repr(ready), argument="ready", expected=f"{YES} or {NO}")
        return cls(
            melds=tuple(meld for meld in fields.get("melds", "").split(",") if meld),
            called=read_number(fields["called"], "called", 99) if "called" in fields else None,
            discards=fields.get("discards", ""),
            passed=fields.get("passed", ""),
            is_ready=ready == YES,
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """What an opponent shows, in the kinds of a position."""

    hand: Hand  # without concealed tiles
    discards: Counts  # copies per kind
    forbidden: frozenset[int]


@lru_cache(maxsize=256)
def templates_beside(melds: Hand, forms: tuple[WinningForm, ...]) -> tuple[Template, ...]:
    """Return the templates that hands with such melds can still complete."""
    query = HandQuery.of_checked(melds, forms)
    return tuple(dict.fromkeys(t for form in forms for t in query.templates(form)))


def read_opponents(
    position: Position, opponents: Iterable[Opponent | str] | Opponent | str
) -> tuple[list[Opponent], list[Shown], Counts]:
    """Return the opponents in the kinds of a position, and the copies that the player sees nowhere.

    A position without tiles seen elsewhere gets the melds and discards of the opponents as those
    tiles. In any other position they must be among the tiles seen.
    """
    if isinstance(opponents, str | Opponent):
        opponents = (opponents,)
    given, read = [], []
    for number, each in enumerate(opponents, 1):
        name = f"opponent {number}"
        expect(each, str if isinstance(each, str) else Opponent, name)
        with errors_of(name):
            opponent = _parsed(each)
            own, seen = _read(position, opponent)
            given.append(own)
            read.append(seen)
    if not given:
        raise ArgumentError("none", argument="opponents", expected="at least one")
    return given, read, _left(position, read)


def _parsed(opponent: Opponent | str) -> Opponent:
    if isinstance(opponent, Opponent):
        return opponent
    try:
        return Opponent.parse(opponent)
    except ArgumentError as error:
        error.argument = error.argument.removeprefix("opponent")  # the caller adds which one
        raise


def _read(position: Position, opponent: Opponent) -> tuple[Opponent, Shown]:
    tiles, rules = position.hand.tiles, position.hand.rules
    blocks = [meld for meld in opponent.melds if isinstance(meld, Block)]
    texts = [meld for meld in opponent.melds if isinstance(meld, str)]
    with errors_of("melds"):
        shown = Hand.parse("", tiles=tiles, melds=texts, called=None, partial=True, rules=rules)
        melds = [*blocks, *shown.melds]
        hand = Hand.from_counts(
            [0] * tiles.num_kinds, tiles=tiles, melds=melds, partial=True, rules=rules
        )
    if opponent.called is not None:
        with errors_of("called"):
            hand = replace(hand, called=opponent.called)
    discards = _copies(opponent.discards, tiles, "discards")
    passed = _copies(opponent.passed, tiles, "passed")
    both = (kind for copies in (discards, passed) for kind, held in enumerate(copies) if held)
    own = Opponent(
        melds=hand.melds,
        called=hand.called,
        discards=tuple(kind for kind, held in enumerate(discards) for _ in range(held)),
        passed=tuple(kind for kind, held in enumerate(passed) if held),
        is_ready=opponent.is_ready,
    )
    return own, Shown(hand, discards, frozenset(both))


def _copies(kinds: Kinds, tiles: TileSet, what: str) -> Counts:
    if isinstance(kinds, str):
        return as_copies(kinds, tiles, what=what) if kinds else (0,) * tiles.num_kinds
    copies = [0] * tiles.num_kinds
    with errors_of(what):
        for kind in kinds:
            copies[as_kind(kind, tiles)] += 1
    for kind, number in enumerate(copies):
        if number > COPIES:
            raise TileError(
                f"{number} copies of {tiles.names[kind]}",
                argument=what,
                expected=f"at most {COPIES}",
            )
    return tuple(copies)


def _left(position: Position, opponents: Sequence[Shown]) -> Counts:
    tiles, wall = position.hand.tiles, position.wall
    melds = [sum(row) for row in zip(*(o.hand.shown for o in opponents), strict=True)]
    discards = [sum(row) for row in zip(*(o.discards for o in opponents), strict=True)]
    seen = [s + (k == position.offered) for k, s in enumerate(position.seen)]
    if not any(position.seen):
        offer = [int(kind == position.offered and n > 0) for kind, n in enumerate(discards)]
        both = [m + d - o for m, d, o in zip(melds, discards, offer, strict=True)]
        for name, shown, most in zip(tiles.names, both, wall, strict=True):
            if shown > most:
                raise TileError(
                    f"{shown} copies of {name} in melds and discards, {COPIES - most} elsewhere",
                    argument="opponents",
                    expected=f"at most {COPIES} of a kind",
                )
        return tuple(most - shown for most, shown in zip(wall, both, strict=True))
    own = position.hand.shown  # a discard that the player called lies there
    for name, meld, discard, there, more in zip(
        tiles.names, melds, discards, seen, own, strict=True
    ):
        if meld > there:
            raise TileError(
                f"{meld} copies of {name} in melds, but {there} seen outside the hand",
                argument="opponents",
                expected="all melds and discards among the tiles seen",
            )
        if discard > there + more:
            raise TileError(
                f"{discard} copies of {name} discarded, but {there + more} seen outside the "
                "concealed hand",
                argument="opponents",
                expected="all melds and discards among the tiles seen",
            )
    return wall
