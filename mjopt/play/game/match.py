"""A match: a sequence of hands with rotating dealer and cumulative scores."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from mjopt._internal.validation import expect, expect_all, whole
from mjopt.errors import FileError, GameError
from mjopt.play.game.engine import start
from mjopt.play.game.moves import Action
from mjopt.play.game.play import Agent, GameResult, run_table
from mjopt.play.game.record import Record, read_record
from mjopt.play.game.rules import NUM_SEATS, SEATS, GameRules
from mjopt.play.game.state import Ending
from mjopt.play.game.table import GameTable, HandInPlay
from mjopt.play.game.wall import agent_stream, check_key, shuffle_wall


def winners_of(record: Record) -> list[int]:
    """Return the seats that won, in turn order after the payer."""
    return [event.seat for event in record.events if event.action is Action.WIN]


class NextDealer(StrEnum):
    """The dealer of the next hand.

    Examples
    --------
    >>> [dealer.name for dealer in NextDealer]
    ['SAME', 'NEXT']
    """

    SAME = "same"
    NEXT = "next"  # the next seat in turn order


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The rules of a match: the next dealer, and the end.

    Parameters
    ----------
    dealer_won
        The next dealer after a win of the dealer, including a shared win.
    other_won
        The next dealer after a win of another seat only. The source does not specify it.
    drawn
        The next dealer after a drawn game.
    broken
        The next dealer after a forfeit. The hand counts.
    most_hands
        Maximum number of hands, or None. The match also ends when the deal would return to
        the first dealer, after every seat has been dealer.

    References
    ----------
    .. [1] The Genius of Mahjong Boys and Girls, Tamkang University (2017), 2.2.

    Examples
    --------
    >>> Course().dealer_won.value, Course().drawn.value
    ('same', 'next')
    >>> Course(most_hands=0)
    Traceback (most recent call last):
    mjopt.errors.GameError: a match of 0 hands, expected at least 1
    """

    dealer_won: NextDealer = NextDealer.SAME
    other_won: NextDealer = NextDealer.NEXT
    drawn: NextDealer = NextDealer.NEXT
    broken: NextDealer = NextDealer.NEXT
    most_hands: int | None = None

    def __post_init__(self) -> None:
        """Check the dealers and the number of hands."""
        for name in ("dealer_won", "other_won", "drawn", "broken"):
            expect(getattr(self, name), NextDealer, name)
        if self.most_hands is not None and whole(self.most_hands, "most_hands") < 1:
            raise GameError(f"a match of {self.most_hands} hands", expected="at least 1")

    def after(self, record: Record) -> NextDealer:
        """Return the next dealer after a hand."""
        if record.ending == Ending.FAULT:
            return self.broken
        winners = winners_of(record)
        if not winners:
            return self.drawn
        return self.dealer_won if record.dealer in winners else self.other_won


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseMatch(ABC):
    """The state of a match by any rules; :class:`Match` describes the fields.

    Loops that play matches know nothing else of them.
    """

    rules: GameRules
    names: tuple[str, ...]
    seed: int | None = None
    game: int = 0
    lines: tuple[str, ...] = ()
    standing: tuple[int, ...] = field(init=False)
    won: tuple[int, ...] = field(init=False)
    is_over: bool = field(init=False)

    @property
    @abstractmethod
    def dealer(self) -> int:
        """The dealer of the next hand, or of the last one if the match is over."""

    @property
    def next_game(self) -> int:
        """The game number of the next hand's wall."""
        return self.game + len(self.lines)

    @abstractmethod
    def deal(self, seed: int) -> HandInPlay:
        """Return the next hand, dealt from the wall of a seed."""

    def with_hand(self, line: str) -> Self:
        """Return the match with another finished hand.

        Raises
        ------
        FileError
            If the record is not the next hand of this match.
        """
        return replace(self, lines=(*self.lines, line))


@dataclass(frozen=True, slots=True, kw_only=True)
class Match(BaseMatch):
    """The state of a match. The players keep their seats.

    Parameters
    ----------
    rules
        The rules of every hand.
    names
        The players by seat.
    seed
        The seed of all walls, or None: each hand then has its own seed, stored in its record.
    game
        The game number of the first hand's wall; the next hands count up from it.
    first_dealer
        The dealer of the first hand.
    course
        The next dealer, and the end of the match.
    lines
        The records of the finished hands.
    dealers
        The dealer of each finished hand and, unless the match is over, of the next; computed.
    standing
        The points of each seat so far, sum 0; computed.
    won
        The number of hands that each seat has won; computed.
    is_over
        Whether the match has ended; computed.

    Raises
    ------
    TypeError, GameError
        If an argument has another type, or is out of range.
    FileError
        If a hand does not belong to this match: it has other rules, players, wall or dealer,
        or comes after the end.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES
    >>> match = Match(rules=M0_RULES, names=("a", "b", "c", "d"), seed=1)
    >>> match.dealers, match.standing, match.is_over
    ((0,), (0, 0, 0, 0), False)
    """

    first_dealer: int = 0
    course: Course = Course()
    dealers: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Compute dealers and standing, and reject hands of another match."""
        expect(self.rules, GameRules, "rules")
        expect(self.course, Course, "course")
        names, lines = expect_all(self.names, str, "names"), expect_all(self.lines, str, "lines")
        first = whole(self.first_dealer, "first_dealer")
        if len(names) != NUM_SEATS or first not in SEATS:
            raise GameError(
                f"{len(names)} names, first dealer {first}", expected="4 names and a dealer 0..3"
            )
        check_key(0 if self.seed is None else self.seed, self.game)
        for name, value in (("names", names), ("lines", lines), ("first_dealer", first)):
            object.__setattr__(self, name, value)
        dealers, standing, is_over = [self.first_dealer], [0] * NUM_SEATS, False
        won: Counter[int] = Counter()
        for number, line in enumerate(lines):
            if is_over:
                raise FileError(f"hand {number + 1}: the match was over before it")
            record = read_record(line)
            self._check(record, number, dealers[-1])
            won.update(winners_of(record))
            standing = [a + b for a, b in zip(standing, record.scores, strict=True)]
            dealer = dealers[-1]
            if self.course.after(record) is NextDealer.NEXT:
                dealer = (dealer + 1) % NUM_SEATS
            is_full_round = dealer == self.first_dealer != dealers[-1]
            is_over = is_full_round or number + 1 == self.course.most_hands
            dealers += [] if is_over else [dealer]
        object.__setattr__(self, "dealers", tuple(dealers))
        object.__setattr__(self, "standing", tuple(standing))
        object.__setattr__(self, "won", tuple(won[seat] for seat in SEATS))
        object.__setattr__(self, "is_over", is_over)

    def _check(self, record: Record, number: int, dealer: int) -> None:
        wall = (record.seed, record.game) if self.seed is not None else (None, self.game + number)
        for what, actual, expected in (
            ("rules", record.rules, self.rules),
            ("names", record.names, self.names),
            ("dealer", record.dealer, dealer),
            ("wall", wall, (self.seed, self.game + number)),
            ("sum of scores", sum(record.scores), 0),
        ):
            if actual != expected:
                raise FileError(f"hand {number + 1}: {what} {actual}", expected=str(expected))

    @property
    def dealer(self) -> int:
        """The dealer of the next hand, or of the last one if the match is over."""
        return self.dealers[-1]

    def deal(self, seed: int) -> GameTable:
        """Return the next hand, dealt from the wall of a seed."""
        wall = shuffle_wall(seed, self.next_game, self.rules.tiles)
        return GameTable(start(self.rules, wall, dealer=self.dealer))


def run_hand(
    match: Match, agents: Sequence[Agent], *, time_limit: float | None = None
) -> GameResult:
    """Play the next hand of a match between four agents.

    Parameters
    ----------
    match
        An unfinished match with a seed.
    agents
        The players of seats 0, 1, 2 and 3, named as in the match.
    time_limit
        As for :func:`mjopt.play.game.run_game`.

    Returns
    -------
    GameResult
        Pass its line to :meth:`Match.with_hand`.

    Raises
    ------
    GameError
        If the match is over, or has no seed.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES
    >>> class First:
    ...     name = "first"
    ...     def choose(self, view, moves, *, rng):
    ...         return moves[0]
    >>> match = Match(rules=M0_RULES, names=("first",) * 4, seed=1)
    >>> while not match.is_over:
    ...     match = match.with_hand(run_hand(match, [First()] * 4).line)
    >>> match.dealers, sum(match.standing)
    ((0, 1, 2, 2, 3), 0)
    """
    expect(match, Match, "match")
    return run_next(match, agents, time_limit)


def run_next(
    match: BaseMatch, agents: Sequence[Agent], time_limit: float | None = None
) -> GameResult:
    """Play the next hand of a match by any rules between four agents."""
    if match.is_over or match.seed is None:
        what = "the match is over" if match.is_over else "the match has no seed"
        raise GameError("no hand follows", argument=what)
    seed, game = match.seed, match.next_game
    return run_table(
        agents,
        match.deal(seed),
        rngs=[agent_stream(seed, game, seat) for seat in SEATS],
        seed=seed,
        game=game,
        time_limit=time_limit,
    )
