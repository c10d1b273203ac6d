"""A match of a person against three agents, as an immutable session."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from mjopt.chances.advice.position import Position
from mjopt.errors import FileError, GameError, MjoptError
from mjopt.play.game.agents.human import default_move
from mjopt.play.game.agents.registry import agents_at_hand, check_agents, read_agent
from mjopt.play.game.events import Event
from mjopt.play.game.match import BaseMatch, Course, Match
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.play import Fault, decide
from mjopt.play.game.position_start import OWN_SEAT, PositionStart
from mjopt.play.game.public_state import Phase
from mjopt.play.game.record import kind_of, to_numbers
from mjopt.play.game.rules import NUM_SEATS, SEATS
from mjopt.play.game.state import RoundState
from mjopt.play.game.table import GameTable, HandInPlay
from mjopt.play.game.wall import agent_stream
from mjopt.play.riichi.match import open_match
from mjopt.play.riichi.rules import get_table_rules


class AgentProfile(NamedTuple):
    """An agent in words that need no knowledge of its method; translated where shown."""

    name: str
    style: str


PROFILES: Final[dict[str, AgentProfile]] = {
    "l1": AgentProfile("Beginner", "discards isolated tiles first"),
    "l2": AgentProfile("Intermediate", "keeps complete chows together"),
    "l3": AgentProfile("Advanced", "also calls chow and pong"),
    "deficiency": AgentProfile("Expert", "stays as near to a win as possible"),
    "draws": AgentProfile("Planner", "expects the fewest draws to a win"),
    "win-chance": AgentProfile("Strategist", "maximises the proven chance to win"),
    "rollout": AgentProfile("Champion", "plays out thousands of games for each move"),
    "ceiling": AgentProfile("Master", "maximises a bound on the chance to win, from tables"),
    "normal:taught": AgentProfile("Student", "a neural network that imitates the expert"),
    "random": AgentProfile("Dice", "makes any legal move"),
    "first": AgentProfile("Automaton", "makes the first legal move"),
    "deficiency:method=ndde": AgentProfile(
        "NDDE", "an expert that estimates by differential evolution"
    ),
    "deficiency:method=pso": AgentProfile("PSO", "an expert that estimates by a particle swarm"),
    "deficiency:method=ga": AgentProfile("GA", "an expert that estimates by a genetic algorithm"),
    "deficiency:method=tlbo": AgentProfile(
        "TLBO", "an expert that estimates by teaching and learning"
    ),
    "deficiency:method=tree-search": AgentProfile("Tree search", "an expert that searches"),
}
"""Agents on offer by specification, in the order of the choice."""

MAIN: Final = ("l1", "l2", "l3", "deficiency", "win-chance", "rollout", "ceiling")
"""The opponents offered at once: each clearly stronger than the one before, or of another kind."""

SECONDS: Final = (None, 15, 5)  # time limits of a decision; None is no limit
YOU: Final = "you"  # name of the person in records
_PER_HAND: Final = 1000  # exceeds the decisions of a hand
_MOVE_LENGTH: Final = 3  # characters of a stored move: the action's letter and two digits


@lru_cache(maxsize=8)
def available_agents(rules: str) -> dict[str, AgentProfile]:
    """Return the agents that play a rule set: built-in ones, never a file or a program.

    An agent without the tables that it needs is not on offer.

    Examples
    --------
    >>> available_agents("m0")["l1"].name, "normal:taught" in available_agents("m0")
    ('Beginner', False)
    """
    specs = dict.fromkeys((*PROFILES, *agents_at_hand()))
    return {
        spec: PROFILES.get(spec, AgentProfile(spec, "")) for spec in specs if _plays(spec, rules)
    }


def offered_agents(rules: str, *chosen: str, has_all: bool = False) -> dict[str, AgentProfile]:
    """Return the main agents that play a rule set and those chosen before, or all.

    Examples
    --------
    >>> [profile.name for profile in offered_agents("m0", "random").values()][-2:]
    ['Champion', 'Dice']
    """
    agents, shown = available_agents(rules).items(), {*MAIN, *chosen}
    return {spec: profile for spec, profile in agents if has_all or spec in shown}


def player_name(name: str) -> str:
    """Return the name of a player of a record as pages show it, untranslated.

    Examples
    --------
    >>> player_name("l1"), player_name("deficiency-ndde-20-50"), player_name("anyone")
    ('Beginner', 'NDDE', 'anyone')
    """
    return _record_names().get(name, name)


@cache
def _record_names() -> dict[str, str]:
    names = {YOU: "You"}
    for spec, profile in PROFILES.items():
        with suppress(MjoptError):  # an agent without its tables
            names[read_agent(spec).name] = profile.name
    return names


def _plays(spec: str, rules: str) -> bool:
    try:
        check_agents([spec], rules=get_table_rules(rules))
    except MjoptError:
        return False
    return True


Deal = Callable[[BaseMatch, int], HandInPlay]
"""A function that deals the next hand of a match from a seed."""


def deal_shuffled(match: BaseMatch, seed: int) -> HandInPlay:
    """Deal the next hand of a match from the wall of a seed."""
    return match.deal(seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSettings:
    """The choices a person makes before a match; GameError if one is not available.

    Examples
    --------
    >>> MatchSettings(players=("l1", "bot.py:Bot", "l3"))
    Traceback (most recent call last):
    mjopt.errors.GameError: no player 'bot.py:Bot' under the rules gmjbg, expected one of l1, ...
    """

    rules: str = "gmjbg"  # name of a rule set
    # The other agents in seat order, each of available_agents.
    players: tuple[str, ...] = ("l1", "l2", "l3")
    seat: int = 0  # of the person; seat 0 deals first
    seconds: int | None = None  # time limit of a decision, one of SECONDS
    hints: str = ""  # the agent whose advice is shown, or empty
    # Whether a win is declared when time runs out; otherwise the drawn tile is discarded, or the
    # offered one passed.
    wins_by_itself: bool = True
    # The position of the person at which the only hand begins, as text; empty for a whole match.
    position: str = ""

    def __post_init__(self) -> None:
        """Validate the choices."""
        get_table_rules(self.rules)
        if len(self.players) != NUM_SEATS - 1 or self.seat not in SEATS:
            raise GameError(
                f"{len(self.players)} players and seat {self.seat}",
                expected="three and a seat 0..3",
            )
        agents = available_agents(self.rules)
        for spec in (*self.players, *[self.hints] * bool(self.hints)):
            if spec not in agents:
                raise GameError(
                    f"no player {spec[:40]!r} under the rules {self.rules}", expected=tuple(agents)
                )
        if self.seconds not in SECONDS or isinstance(self.seconds, bool):
            raise GameError(argument="seconds", value=str(self.seconds), expected="5, 15 or none")
        if self.position and (self.begin.rules.name, OWN_SEAT) != (self.rules, self.seat):
            raise GameError(argument="position", value=self.position, expected=self.rules)

    @property
    def begin(self) -> PositionStart:
        """The start at the position."""
        return PositionStart(Position.parse(self.position))

    def new_match(self) -> BaseMatch:
        """Return the match before its first hand."""
        names = [read_agent(spec).name for spec in self.players]
        names.insert(self.seat, YOU)
        if self.position:
            return Match(
                rules=self.begin.rules,
                names=tuple(names),
                first_dealer=self.begin.dealer,
                course=Course(most_hands=1),
            )
        return open_match(get_table_rules(self.rules), names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSession:
    """A match in play, at a decision of the person or at the end of a hand.

    Every hand has its own seed, which its record publishes after the end of the hand. So each hand
    can be verified at once, and the seed reveals nothing about later hands.
    """

    setting: MatchSettings
    match: BaseMatch  # the finished hands, including the current one once it has ended
    seed: int | None  # of the current hand; None if the wall is not shuffled
    # The current hand. It is never changed: the next session has one of its own.
    table: HandInPlay = field(compare=False)
    # All moves of the current hand in order, passes included. With the seed they determine the
    # hand, and they are all that is stored.
    moves: tuple[Move, ...] = ()
    num_own_moves: int = 0  # how many of the moves are the person's
    num_seen_events: int = 0  # events before the person's last move
    fault: str = ""  # the rule violation of an agent, if any
    # The person's observation and legal moves before its last move, if there is one.
    before: tuple[View, tuple[Move, ...]] | None = None

    @property
    def state(self) -> RoundState:
        """The current hand, with all tiles."""
        return self.table.state

    @property
    def seat(self) -> int:
        """Seat of the person."""
        return self.setting.seat

    @property
    def hand_number(self) -> int:
        """Number of the current hand, from 1."""
        return len(self.match.lines) + (not self.state.is_over)

    @property
    def number(self) -> int:
        """Number of the pending decision. It reveals nothing about decisions of other players."""
        return self.hand_number * _PER_HAND + self.num_own_moves

    @property
    def view(self) -> View:
        """The observation of the person."""
        return self.table.view(self.seat)

    @property
    def options(self) -> tuple[Move, ...]:
        """Legal moves of the person; empty after the end of the hand."""
        return self.table.options()

    @property
    def news(self) -> tuple[Event, ...]:
        """Public events since the person's last decision, its own move first, without draws."""
        events = self.state.table.events[self.num_seen_events :]
        return tuple(event for event in events if event.action is not Action.DRAW)

    @property
    def points(self) -> tuple[int, ...]:
        """Points of each seat before the current hand; in riichi those at the moment."""
        if points := self.view.points:
            return points
        outcome = self.state.outcome
        scores = outcome.scores if outcome else (0,) * NUM_SEATS
        return tuple(a - b for a, b in zip(self.match.standing, scores, strict=True))

    def default(self) -> Move:
        """Return the move made when time runs out: a win if so set, else the default move."""
        if self.setting.wins_by_itself and self.options[0].action is Action.WIN:
            return self.options[0]
        return default_move(self.view, self.options)

    def to_document(self) -> dict[str, object]:
        """Return the stored form of the session, as JSON data."""
        tiles = self.match.rules.tiles
        lines = self.match.lines[:-1] if self.state.is_over else self.match.lines
        moves = (
            m.action.value + ("00" if m.kind == NO_KIND else to_numbers((m.kind,), tiles))
            for m in self.moves
        )
        return {
            "version": 1,
            "setting": asdict(self.setting),
            "lines": list(lines),
            "seed": self.seed,
            "moves": "".join(moves),
            "fault": self.fault,
        }


def start_session(
    setting: MatchSettings, seed: int | None, deal: Deal = deal_shuffled
) -> MatchSession:
    """Deal the first hand of a match, and let the agents move until the person must decide.

    Examples
    --------
    >>> session = start_session(MatchSettings(rules="m0"), 1)
    >>> session.number, len(session.options) > 9
    (1000, True)
    >>> play_move(session, session.default()).number
    1001
    """
    return run_agents(deal_hand(setting, setting.new_match(), seed, deal))


def next_hand(session: MatchSession, seed: int | None, deal: Deal = deal_shuffled) -> MatchSession:
    """Deal the next hand of a match."""
    if not session.state.is_over or session.match.is_over:
        raise GameError("no hand can be dealt now")
    return run_agents(deal_hand(session.setting, session.match, seed, deal))


def play_move(session: MatchSession, move: Move) -> MatchSession:
    """Make a move of the person, and let the agents move until the person must decide again."""
    return _with_agents(_after(session, _copy(session), move))


def deal_hand(
    setting: MatchSettings, match: BaseMatch, seed: int | None, deal: Deal
) -> MatchSession:
    """Deal the next hand of a match; no agent has moved yet."""
    if setting.position:
        state = setting.begin.deal(np.random.default_rng(seed))
        num_events = len(state.table.events) - (state.table.phase is Phase.CLAIM)
        table = GameTable(state)
        return MatchSession(
            setting=setting, match=match, seed=seed, table=table, num_seen_events=num_events
        )
    return MatchSession(setting=setting, match=match, seed=seed, table=deal(match, seed or 0))


def _copy(session: MatchSession) -> HandInPlay:
    """Return the unfinished hand of a session as another object."""
    table = session.table
    if isinstance(table, GameTable):
        return GameTable(table.state)
    # The engine of riichi cannot be copied: it plays the moves again, some 20 ms for a whole hand.
    table = session.match.deal(session.seed or 0)
    for move in session.moves:
        _make(table, move, session.seat)
    return table


def _make(table: HandInPlay, move: Move, own_seat: int) -> None:
    """Make a move, or end the hand by the fault of an agent."""
    seat = table.to_move
    if move.action is Action.FAULT and seat is not None and seat != own_seat:
        table.forfeit(seat)
    else:
        table.play(move)


def run_agents(session: MatchSession) -> MatchSession:
    """Let the agents move. Their random numbers depend on the seed and the state only."""
    if session.state.is_over or session.table.to_move == session.seat:
        return session
    return _with_agents(replace(session, table=_copy(session)))


def _with_agents(session: MatchSession) -> MatchSession:
    """Let the agents move at the table of a session; no other session may hold that table."""
    table = session.table
    players = [read_agent(spec) for spec in session.setting.players]
    while (seat := table.to_move) is not None and seat != session.seat:
        agent = players[seat - (seat > session.seat)]
        num_events = len(table.state.table.events)
        rng = agent_stream(session.seed or 0, session.match.next_game, seat, run=num_events + 1)
        move = decide(agent, table, seat, rng)
        if isinstance(move, Fault):
            session = replace(session, fault=f"{move.reason}: {move.text}")
            move = Move(Action.FAULT)
        session = _after(session, table, move)
    return session


def apply_moves(session: MatchSession, moves: Iterable[Move]) -> MatchSession:
    """Return the session after some moves of any seats; a finished hand is added to the match."""
    table = _copy(session)
    for move in moves:
        session = _after(session, table, move)
    return session


def _after(session: MatchSession, table: HandInPlay, move: Move) -> MatchSession:
    """Make a move at a table, and return the session with it."""
    is_own = table.to_move == session.seat
    before = (table.view(session.seat), table.options()) if is_own else session.before
    num_events = len(table.state.table.events)
    _make(table, move, session.seat)
    if table.failure:
        raise GameError(f"the table failed: {table.failure}")
    match = session.match
    if table.outcome is not None:
        line = table.record(
            match.names,
            seed=None if session.setting.position else session.seed,  # not the wall of the seed
            game=match.next_game,
            fault=session.fault,
        )
        match = match.with_hand(line)
    return replace(
        session,
        match=match,
        table=table,
        moves=(*session.moves, move),
        num_own_moves=session.num_own_moves + is_own,
        num_seen_events=num_events if is_own else session.num_seen_events,
        before=before,
    )


def read_session(document: Any, deal: Deal = deal_shuffled) -> MatchSession:
    """Restore a session from :meth:`MatchSession.to_document`.

    The stored moves are replayed; no agent is called. FileError if the document is not a stored
    match.

    Examples
    --------
    >>> session = start_session(MatchSettings(rules="m0"), 1)
    >>> read_session(session.to_document()) == session
    True
    >>> read_session({"version": 1})
    Traceback (most recent call last):
    mjopt.errors.FileError: not a match: 'setting'
    """
    try:
        if document["version"] != 1:
            raise FileError(argument="version", value=repr(document["version"]), expected="1")
        fields = document["setting"]
        setting = MatchSettings(**{**fields, "players": tuple(fields["players"])})
        match = replace(setting.new_match(), lines=tuple(document["lines"]))
        if match.is_over:
            raise FileError("a hand after the end of the match")
        session = deal_hand(setting, match, document["seed"], deal)
        session = replace(session, fault=str(document["fault"]))
        text, tiles = document["moves"], match.rules.tiles
        moves = []
        for offset in range(0, len(text), _MOVE_LENGTH):
            letter, tile = text[offset], text[offset + 1 : offset + _MOVE_LENGTH]
            kind = NO_KIND if tile == "00" else kind_of(tile, tiles)
            moves.append(Move(Action(letter), kind))
        session = apply_moves(session, moves)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise FileError(f"not a match: {error}") from None
    if session.table.to_move not in (None, session.seat):
        raise FileError(f"not a match: it stops at the move of seat {session.table.to_move}")
    return session
