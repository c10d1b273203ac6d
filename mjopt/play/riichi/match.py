"""A match of riichi: the engine decides who deals next, and when it ends."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mjopt._internal.optional_deps import need
from mjopt._internal.validation import expect, expect_all, whole
from mjopt.errors import FileError, GameError
from mjopt.play.game.log_sequence import DEPOSIT
from mjopt.play.game.match import BaseMatch, Course, Match, run_next
from mjopt.play.game.play import Agent, GameResult
from mjopt.play.game.rules import NUM_SEATS, RIICHI_GAME, GameRules
from mjopt.play.game.wall import check_key
from mjopt.play.riichi.record import read_riichi
from mjopt.play.riichi.replay import replay_riichi
from mjopt.play.riichi.rules import ENGINE, EXTRA, START_POINTS
from mjopt.play.riichi.table import RiichiTable
from mjopt.play.riichi.wall import riichi_wall

if TYPE_CHECKING:
    from jansou.game.flow import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class RiichiMatch(BaseMatch):
    """The state of a match of riichi over the east wind, which seat 0 begins as the dealer.

    A dealer who wins, or is ready when the wall is empty, deals again. If nobody has 30,000
    points at the end, the south wind follows until somebody has.

    Parameters
    ----------
    names
        The players by seat.
    seed
        The seed of all walls, or None: each hand then has its own seed, stored in its record.
    game
        The game number of the first hand's wall; the next hands count up from it.
    most_hands
        Maximum number of hands, or None.
    lines
        The records of the finished hands.
    standing
        Points of each seat; computed.
    won
        The number of hands that each seat has won; computed.
    is_over
        Whether the match has ended; computed.

    Raises
    ------
    FileError
        If a hand does not belong to this match, or its record does not replay.

    Examples
    --------
    >>> match = RiichiMatch(names=("a", "b", "c", "d"), seed=1)
    >>> match.start["dealer"], match.start["wind"], match.standing[0], match.is_over
    (0, 0, 25000, False)
    """

    rules: GameRules = field(default=RIICHI_GAME, init=False, repr=False)
    most_hands: int | None = None
    start: dict[str, Any] = field(init=False)  # of the next hand, as the arguments of a table

    def __post_init__(self) -> None:
        """Replay all hands, and let the engine settle each of them."""
        need(ENGINE, extra=EXTRA)
        from jansou.core.rules import preset
        from jansou.core.tiles import Wind
        from jansou.game.flow import DealOutcome
        from jansou.game.progression import advance, settle_deposits, starting_position

        names, lines = expect_all(self.names, str, "names"), expect_all(self.lines, str, "lines")
        if len(names) != NUM_SEATS:
            raise GameError(f"{len(names)} names", expected="4, one for each seat")
        check_key(self.seed or 0, self.game)
        if self.most_hands is not None and whole(self.most_hands, "most_hands") < 1:
            raise GameError(f"a match of {self.most_hands} hands", expected="at least 1")
        rules = replace(preset("tenhou"), game_length=Wind.EAST)
        begin = starting_position()
        position: Position | None = begin
        points, deposits, in_extension = [START_POINTS] * NUM_SEATS, 0, False
        won, start = [0] * NUM_SEATS, _start_of(begin, points, 0)
        for number, line in enumerate(lines, start=1):
            if position is None:
                raise FileError(f"hand {number}: the match was over before it")
            record = read_riichi(line)
            key = (record.seed if self.seed is None else self.seed, self.game + number - 1)
            if (record.names, record.start, (record.seed, record.game)) != (names, start, key):
                raise FileError(f"hand {number}: of another match")
            table = replay_riichi(record)
            assert table.outcome is not None
            points = [a + b for a, b in zip(points, table.outcome.scores, strict=True)]
            deposits += table.outcome.deposits
            for seat in table.outcome.winners:
                won[seat] += 1
            # After a fault of a seat the next one deals.
            settled = table.settled or DealOutcome((), dealer_repeats=False, is_draw=False)
            step = advance(position, settled, points, rules, in_extension=in_extension)
            position, in_extension = step.position, step.in_extension
            if number == self.most_hands:
                position = None
            if position is not None:
                start = _start_of(position, points, deposits)
        if position is None and lines:
            points = settle_deposits(points, deposits, rules)
        for name, value in (
            ("names", names),
            ("lines", lines),
            ("standing", tuple(points)),
            ("won", tuple(won)),
            ("is_over", position is None),
            ("start", start),
        ):
            object.__setattr__(self, name, value)

    def deal(self, seed: int) -> RiichiTable:
        """Return the next hand, dealt from the wall of a seed."""
        return RiichiTable(riichi_wall(seed, self.next_game), **self.start)

    @property
    def dealer(self) -> int:
        """The dealer of the next hand, or of the last one if the match is over."""
        return int(self.start["dealer"])


def _start_of(position: "Position", points: Sequence[int], deposits: int) -> dict[str, Any]:
    """Return the position of a hand as the arguments of a table."""
    return {
        "dealer": position.dealer,
        "wind": int(position.round_wind),
        "number": position.round_number,
        "honba": position.honba,
        "sticks": deposits // DEPOSIT,
        "points": tuple(points),
    }


def open_match(
    rules: GameRules,
    *,
    names: Sequence[str],
    seed: int | None = None,
    most_hands: int | None = None,
) -> BaseMatch:
    """Return a new match by any rules.

    Examples
    --------
    >>> open_match(RIICHI_GAME, names=("a", "b", "c", "d"), seed=1).standing
    (25000, 25000, 25000, 25000)
    """
    expect(rules, GameRules, "rules")
    if rules == RIICHI_GAME:
        return RiichiMatch(names=tuple(names), seed=seed, most_hands=most_hands)
    course = Course(most_hands=most_hands)
    return Match(rules=rules, names=tuple(names), seed=seed, course=course)


def run_next_hand(
    match: BaseMatch, agents: Sequence[Agent], *, time_limit: float | None = None
) -> GameResult:
    """Play the next hand of a match, as :func:`mjopt.play.game.run_hand` does.

    Raises
    ------
    GameError
        If the match is over.

    Examples
    --------
    >>> from mjopt.play.game.agents import L1
    >>> match = RiichiMatch(names=("l1",) * 4, seed=1, most_hands=2)
    >>> while not match.is_over:
    ...     match = match.with_hand(run_next_hand(match, [L1()] * 4).line)
    >>> len(match.lines), sum(match.standing)
    (2, 100000)
    """
    expect(match, BaseMatch, "match")
    return run_next(match, agents, time_limit)
