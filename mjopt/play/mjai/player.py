"""An agent that answers mjai messages: events in, actions out."""

from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.strict_json import read_json
from mjopt._internal.user_module import describe_failure, is_failure
from mjopt._internal.validation import expect, whole
from mjopt.errors import FileError, GameError, MjoptError
from mjopt.play.game.agents.deficiency import DeficiencyAgent
from mjopt.play.game.agents.program import ProgramAgent
from mjopt.play.game.agents.registry import check_rules, close_agent, read_agent, without_alias
from mjopt.play.game.legal import possible_discards
from mjopt.play.game.mjai_messages import Message, is_message
from mjopt.play.game.moves import PASS, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.play import Agent
from mjopt.play.game.rules import GMJBG, RIICHI_TABLE, GameRules
from mjopt.play.game.wall import agent_stream
from mjopt.play.mjai.actions import is_possible, permitted, write_action
from mjopt.play.mjai.legal import CALLS, legal_moves, may_declare
from mjopt.play.mjai.seat import Seat

NONE: Final[Message] = {"type": "none"}
ROOM: Final = "default"


class Player:
    """An agent at an mjai table: it reads events and answers with actions.

    Parameters
    ----------
    agent
        The agent, or its spec as on the command line.
    seed
        Seed of the agent's random generator, ``0..2**64 - 1``.
    riichi
        Whether to declare riichi whenever a discard makes a closed hand ready: it is then
        sure of a yaku. Agents do not decide about this.
    calls
        When the agent may call, one of :data:`mjopt.play.mjai.CALLS`.

    Raises
    ------
    GameError
        If the agent or an option is unknown.

    Examples
    --------
    >>> player = Player("l3")
    >>> player.react('{"type":"start_game","id":0,"names":["a","b","c","d"]}')
    {'type': 'none'}
    >>> hand = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E S P".split()
    >>> others = [["?"] * 13] * 3
    >>> deal = {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0,
    ...         "oya": 0, "dora_marker": "1p", "scores": [25000] * 4, "tehais": [hand, *others]}
    >>> player.react([deal, {"type": "tsumo", "actor": 0, "pai": "S"}])
    {'type': 'reach', 'actor': 0}
    >>> player.react({"type": "reach", "actor": 0})
    {'type': 'dahai', 'actor': 0, 'pai': 'P', 'tsumogiri': False}
    """

    def __init__(
        self, agent: str | Agent, *, seed: int = 0, riichi: bool = True, calls: str = "yaku"
    ) -> None:
        expect(riichi, bool, "riichi")
        if calls not in CALLS:
            raise GameError(f"calls={short_repr(calls)}", expected=tuple(CALLS))
        self.agent: Agent = read_agent(agent) if isinstance(agent, str) else agent
        expect(self.agent, Agent, "agent")
        if isinstance(program := without_alias(self.agent), ProgramAgent):
            program.check_program()
        self.seed, self.riichi, self.calls = whole(seed, "seed"), riichi, calls
        agent_stream(seed, 0, 0)  # checks the range of the seed
        self.rules = _rules_for(self.agent)
        self._seat = Seat()
        self._declared: Move | None = None  # the discard that follows a declaration
        self._rng = agent_stream(seed, 0, 0)
        self._last: Message = {}

    def react(self, line: str | Message | list[Message]) -> Message:
        """Take in a message or a list of messages, and return the answer.

        Parameters
        ----------
        line
            An event or a list of events, as JSON text or as decoded.

        Returns
        -------
        dict
            The action after the last event; ``{"type": "none"}`` if there is nothing to do.

        Raises
        ------
        GameError
            If a message is malformed or out of order, or the agent fails.
        """
        document: object = line
        if isinstance(line, str):
            try:
                document = read_json(line := line.strip())
            except ValueError as error:
                raise FileError(f"{short_repr(line)} is not JSON: {error}") from None
        messages = document if isinstance(document, list) else [document]
        self._seat.phase = None
        answer = NONE
        for number, message in enumerate(messages, start=1):
            try:
                answer = self._read(message)
            except MjoptError as error:
                place = f"message {number}: " if len(messages) > 1 else ""
                raise FileError(f"{place}{error}: {short_repr(message)}") from None
        return answer.copy() if self._seat.phase is None else self._decide()

    def close(self) -> None:
        """Close the agent, if it can be closed."""
        close_agent(self.agent)

    def _read(self, message: object) -> Message:
        """Take in a message; return its answer if no decision follows."""
        if not is_message(message):
            raise FileError("not an mjai message")
        if message["type"] == "error":
            raise FileError("the server reports an error")
        kind = self._seat.read(message)
        self._last = message
        if kind == "start_kyoku":
            assert self._seat.number is not None
            self._rng = agent_stream(self.seed, self._seat.num_rounds, self._seat.number)
            self._declared = None
        if kind == "hello":
            return {"type": "join", "name": self.agent.name, "room": ROOM}
        return NONE

    def _decide(self) -> Message:
        """Return the action of the agent at its decision."""
        seat, view = self._seat, self._seat.view(self.rules)
        moves = permitted(self._last, legal_moves(seat, calls=self.calls), view)
        if not moves or moves == (PASS,):
            return NONE.copy()
        if seat.declared and self._declared in moves:
            return write_action(self._declared, seat)
        move = self._ask(view, moves)
        if (
            self.riichi
            and move.action is Action.DISCARD
            and may_declare(seat, move.kind)
            and is_possible(self._last, "reach")
        ):
            self._declared = move
            return {"type": "reach", "actor": view.seat}
        return write_action(move, seat)

    def _ask(self, view: View, moves: tuple[Move, ...]) -> Move:
        """Return the agent's move; a discard that is barred is replaced by the best allowed one.

        Some agents discard by the hand alone, and know no swap calling.
        """
        try:
            move = self.agent.choose(view, moves, rng=self._rng)
        except BaseException as error:  # of any kind: the agent may be a user's class
            if not is_failure(error):
                raise
            raise GameError(f"agent {self.agent.name} fails: {describe_failure(error)}") from error
        if isinstance(move, Move) and move in moves:
            return move
        is_held = isinstance(move, Move) and move in [
            Move(Action.DISCARD, kind) for kind in possible_discards(view.hand)
        ]
        if is_held and all(other.action is Action.DISCARD for other in moves):
            return DeficiencyAgent().choose(view, moves, rng=self._rng)
        shown = move.text(view.tiles.names) if isinstance(move, Move) else short_repr(move)
        raise GameError(f"agent {self.agent.name}: {shown} is not a legal move")


def _rules_for(agent: Agent) -> GameRules:
    """Return the rules of the views that an agent accepts; some learned those of GMJBG."""
    try:
        check_rules([agent], RIICHI_TABLE)
    except MjoptError as error:
        try:
            check_rules([agent], GMJBG)
        except MjoptError:
            raise GameError(f"mjai tables have riichi rules and 136 tiles: {error}") from None
        return GMJBG
    return RIICHI_TABLE
