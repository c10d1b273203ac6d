"""An agent in a separate process that speaks mjai."""

import json
import time
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from mjopt._internal.sanitize import shorten
from mjopt.errors import GameError
from mjopt.hands.notation.mjai import RED_SYMBOLS, SYMBOLS
from mjopt.hands.rules.classic_forms import RIICHI
from mjopt.hands.tiles import FULL
from mjopt.play.game.agents.mjai_feed import Feed, deal_message, new_messages
from mjopt.play.game.agents.program import ProgramAgent, RunningProgram
from mjopt.play.game.mjai_messages import ACTIONS, Message, is_message
from mjopt.play.game.moves import PASS, Action, Move, with_copies
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import RIICHI_GAME, SEATS
from mjopt.tables.lookup import label_one

SEAT_WORD: Final = "{seat}"
SHOWN: Final = 120  # characters shown of an answer
NINE: Final = 9  # kinds of terminals and honours for an abortive draw
_NAMES: Final = {sign: name for name, sign in SYMBOLS.items()} | {
    sign: name for name, sign in RED_SYMBOLS.items()
}


@dataclass(slots=True)
class MjaiAgent(ProgramAgent):
    """Play as a program decides, which speaks mjai, a protocol of riichi programs.

    The program receives the events since its last decision as one JSON array a line, and
    answers each line with one action. It plays one round a game. After a timeout or an invalid
    answer the seat forfeits the game, and the program restarts for the next one. See
    docs/reference/protocol.md for the differences between riichi and the rules of this package.

    Parameters
    ----------
    command
        The program and its arguments. The word ``{seat}`` stands for the seat, 0 to 3; the
        program then restarts for every game.
    time_limit
        Seconds for a decision, from sending the message to receiving the answer.
    single
        Send each event as a line of its own, instead of arrays.

    Examples
    --------
    >>> MjaiAgent.from_text("python3 bot.py {seat}").command
    ('python3', 'bot.py', '{seat}')
    >>> MjaiAgent.from_text("--single ./bot").single
    True
    """

    single: bool = False
    _game: Feed | None = field(default=None, init=False, repr=False, compare=False)

    kind: ClassVar[str] = "mjai"
    flag: ClassVar[str] = "--single"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move that the program answers.

        Raises
        ------
        TimeoutError
            If the program exceeds the time limit.
        GameError
            If the program exits, or its answer is invalid.
        """
        deadline = time.monotonic() + self.time_limit
        try:
            game, messages = self._follow(view, rng, deadline)
            answer = self._exchange([*messages, *new_messages(game, view)], deadline)
            if answer.get("type") == "reach" and view.phase is Phase.TURN:
                game.has_declared = True
                answer = self._exchange([{"type": "reach", "actor": view.seat}], deadline)
            return _move_of(answer, game, view, moves)
        except BaseException:
            self.close()  # a late answer must not be taken for the next one
            raise

    def watch(self, view: View, seat_to_move: int) -> None:
        """Send the program the end of a game.

        Raises
        ------
        TimeoutError, GameError
            If the program does not answer it.
        """
        if self._game is not None and seat_to_move < 0:
            try:
                self._end(new_messages(self._game, view), time.monotonic() + self.time_limit)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """End the program; the next decision restarts it."""
        self._game = None
        ProgramAgent.close(self)

    def _follow(
        self, view: View, rng: np.random.Generator, deadline: float
    ) -> tuple[Feed, list[Message]]:
        """Return the game and, if it is a new one, its first messages."""
        game, events = self._game, view.table.events
        if game and game.rng is rng and events[: len(game.events)] == game.events:
            return game, []
        if game is not None:
            self._end([], deadline)
        if any(SEAT_WORD in word for word in self.command):
            ProgramAgent.close(self)
        game = self._game = Feed(rng, view.seat)
        command = tuple(word.replace(SEAT_WORD, str(view.seat)) for word in self.command)
        self._running = self._running or RunningProgram(command, kind=self.kind)
        names = [str(seat) for seat in SEATS]
        self._exchange([{"type": "start_game", "names": names, "id": view.seat}], deadline)
        return game, [] if view.messages else [deal_message(view)]

    def _end(self, messages: list[Message], deadline: float) -> None:
        self._game = None
        self._exchange([*messages, {"type": "end_kyoku"}], deadline)
        self._exchange([{"type": "end_game"}], deadline)

    def _exchange(self, messages: list[Message], deadline: float) -> Message:
        """Send messages and return the answer to the last one."""
        assert self._running is not None
        answer: Message = {}
        for message in messages if self.single else [messages]:
            seconds = max(deadline - time.monotonic(), 0)
            try:
                document = self._running.ask(message, seconds)
            except TimeoutError:
                raise TimeoutError(f"no answer within {self.time_limit:g} s") from None
            if not is_message(document):
                raise GameError(
                    argument="answer", value=_shown(document), expected="an mjai action"
                )
            answer = document
        return answer


def _shown(answer: object) -> str:
    return shorten(json.dumps(answer, ensure_ascii=False), SHOWN)


def _move_of(answer: Message, game: Feed, view: View, moves: tuple[Move, ...]) -> Move:
    """Return the legal move of an answer."""
    if answer.get("actor", view.seat) != view.seat:
        raise GameError(f"answer {_shown(answer)} of another seat than {view.seat}")
    move = _parse(answer, game, view)
    if move in moves:
        game.is_drawn = bool(answer.get("tsumogiri")) and move.kind == view.drawn
        return move
    if view.rules != RIICHI_GAME and _is_riichi_only(answer["type"], view):
        game.is_drawn = True
        return PASS if PASS in moves else Move(Action.DISCARD, view.drawn)
    raise GameError(f"answer {_shown(answer)} is not a legal move")


def _parse(answer: Message, game: Feed, view: View) -> Move | None:
    """Return the move of an answer, or None if it is not well-formed."""
    word = answer["type"]
    if word == "none":
        return PASS
    if word == "hora":
        return Move(Action.WIN, view.drawn if view.phase is Phase.TURN else view.tile)
    if word == "ryukyoku":
        return Move(Action.DRAWN_GAME)
    try:
        return _parse_tiles(answer, game, view)
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def _parse_tiles(answer: Message, game: Feed, view: View) -> Move | None:
    """Return the move of an answer that names tiles; raise if they are not well-formed."""
    action = ACTIONS.get(answer["type"])
    if action is Action.DISCARD:
        declares = game.has_declared and view.rules.ready
        return Move(Action.READY if declares else Action.DISCARD, _kind(answer["pai"], view))
    consumed = [_kind(sign, view) for sign in answer["consumed"]]
    kinds = sorted([view.tile, *consumed])
    match action:
        case Action.CLOSED_KONG:
            return Move(action, consumed[0])
        case Action.ADDED_KONG:
            return Move(action, _kind(answer["pai"], view))
        case Action.CHOW if kinds == list(range(kinds[0], kinds[0] + 3)):
            return Move(action, kinds[0])
        case Action.PONG | Action.KONG if kinds == [view.tile] * (3 + (action is Action.KONG)):
            return Move(action, view.tile)
    return None


def _kind(sign: str, view: View) -> int:
    return view.tiles.names.index(_NAMES[sign])


def _is_riichi_only(word: str, view: View) -> bool:
    """Return whether riichi allows an action that the rules of the game lack.

    These are a win with a form that does not win here, and the abortive draw with nine kinds of
    terminals and honours on the first draw.
    """
    is_turn = view.phase is Phase.TURN
    if word == "hora":
        hand = view.hand if is_turn else with_copies(view.hand, view.tile, 1)
        hand = (*hand, *[0] * (FULL.num_kinds - len(hand)))  # three suits are a part of it
        return label_one(hand, view.called, forms=RIICHI) == 0
    names = [view.tiles.names[kind] for kind, held in enumerate(view.hand) if held]
    num_outer = sum(name[0] in "19" or name.endswith("z") for name in names)
    first = not view.table.rivers[view.seat] and not any(view.table.melds)
    return word == "ryukyoku" and is_turn and first and num_outer >= NINE
