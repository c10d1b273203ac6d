"""An agent in a separate process that speaks mjai."""

import json
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from mjopt._internal.sanitize import shorten
from mjopt.game.agents.json_protocol import AnswerError
from mjopt.game.agents.program import ProgramAgent, RunningProgram
from mjopt.game.mjai_log import DRAWN_GAMES, OFFERS, messages_of
from mjopt.game.moves import NO_KIND, PASS, Action, Move, with_copies
from mjopt.game.observation import View
from mjopt.game.public_state import Event, Phase
from mjopt.game.rules import HAND_SIZE, NUM_SEATS, SEATS
from mjopt.game.state import Ending
from mjopt.hands.notation.mjai import RED_SYMBOLS, SYMBOLS
from mjopt.hands.tiles import FULL, TileSet
from mjopt.hands.winning_forms import RIICHI
from mjopt.tables.lookup import label_one

Message = dict[str, Any]

SEAT_WORD: Final = "{seat}"
MARKER: Final = "N"
"""The dora indicator sent: these rules have no dora, and public bots refuse a hidden indicator."""

POINTS: Final = 25_000
SHOWN: Final = 120  # characters shown of an answer
NINE: Final = 9  # kinds of terminals and honours for an abortive draw
_NAMES: Final = {sign: name for name, sign in SYMBOLS.items()} | {
    sign: name for name, sign in RED_SYMBOLS.items()
}
_KONGS: Final = {"ankan": Action.CLOSED_KONG, "kakan": Action.ADDED_KONG}
_PONGS: Final = {"pon": Action.PONG, "daiminkan": Action.KONG}


@dataclass(slots=True)
class _Game:
    """What the program has been sent of the current game."""

    rng: np.random.Generator
    seat: int
    tiles: TileSet
    events: tuple[Event, ...] = ()
    offer: Event | None = None  # the last discard or added kong
    held: list[Message] = field(default_factory=list)  # to be sent before the next event
    has_declared: bool = False  # the program, also where the rules know no declaration
    is_drawn: bool = False  # whether its last discard is the tile just drawn


@dataclass(slots=True)
class MjaiAgent(ProgramAgent):
    """Play as a program decides, which speaks mjai, a protocol of riichi programs.

    The program receives the events since its last decision as one JSON array a line, and
    answers each line with one action. It plays one round a game. After a timeout or an invalid
    answer the seat forfeits the game, and the program restarts for the next one. See
    docs/protocol.md for the differences between riichi and the rules of this package.

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
    _game: _Game | None = field(default=None, init=False, repr=False, compare=False)

    kind: ClassVar[str] = "mjai"
    flag: ClassVar[str] = "--single"

    @classmethod
    def from_text(cls, text: str) -> "MjaiAgent":
        """Split a command as a shell does; ``--single`` may come first."""
        command, single = cls.split_text(text)
        return cls(command, single=single)

    @property
    def has_flag(self) -> bool:
        """Whether each event is a line of its own."""
        return self.single

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move that the program answers.

        Raises
        ------
        TimeoutError
            If the program exceeds the time limit.
        AnswerError
            If the program exits, or its answer is invalid.
        """
        deadline = time.monotonic() + self.time_limit
        try:
            game, messages = self._follow(view, rng, deadline)
            answer = self._exchange([*messages, *_news(game, view)], deadline)
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
        TimeoutError, AnswerError
            If the program does not answer it.
        """
        if self._game is not None and seat_to_move < 0:
            try:
                self._end(_news(self._game, view), time.monotonic() + self.time_limit)
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """End the program; the next decision restarts it."""
        self._game = None
        ProgramAgent.close(self)

    def _follow(
        self, view: View, rng: np.random.Generator, deadline: float
    ) -> tuple[_Game, list[Message]]:
        """Return the game and, if it is a new one, its first messages."""
        game, events = self._game, view.table.events
        if game and game.rng is rng and events[: len(game.events)] == game.events:
            return game, []
        if game is not None:
            self._end([], deadline)
        if any(SEAT_WORD in word for word in self.command):
            ProgramAgent.close(self)
        game = self._game = _Game(rng, view.seat, view.tiles)
        command = tuple(word.replace(SEAT_WORD, str(view.seat)) for word in self.command)
        self._running = self._running or RunningProgram(command, kind=self.kind)
        names = [str(seat) for seat in SEATS]
        self._exchange([{"type": "start_game", "names": names, "id": view.seat}], deadline)
        return game, [_deal(view)]

    def _end(self, messages: list[Message], deadline: float) -> None:
        self._game = None
        self._exchange([*messages, {"type": "end_kyoku"}], deadline)
        self._exchange([{"type": "end_game"}], deadline)

    def _exchange(self, messages: list[Message], deadline: float) -> Message:
        """Send messages and return the answer to the last one."""
        assert self._running is not None
        answer: Any = {}
        for message in messages if self.single else [messages]:
            seconds = max(deadline - time.monotonic(), 0)
            try:
                answer = self._running.ask(message, seconds)
            except TimeoutError:
                raise TimeoutError(f"no answer within {self.time_limit:g} s") from None
            if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
                raise AnswerError(f"answer {_shown(answer)}, expected an mjai action")
        return dict(answer)


def _shown(answer: Any) -> str:
    return shorten(json.dumps(answer, ensure_ascii=False), SHOWN)


def _deal(view: View) -> Message:
    """Return the message that begins the round, at the first decision of the seat."""
    table = view.table
    if any(e.seat == view.seat and e.action is not Action.DRAW for e in table.events):
        raise AnswerError("mjai: the game has begun without the program")
    hand = with_copies(view.hand, view.drawn, -1) if view.drawn != NO_KIND else view.hand
    signs = [SYMBOLS[name] for name in view.tiles.names]
    own = [signs[kind] for kind, copies in enumerate(hand) for _ in range(copies)]
    return {
        "type": "start_kyoku",
        "bakaze": "E",
        "kyoku": table.dealer + 1,
        "honba": 0,
        "kyotaku": 0,
        "oya": table.dealer,
        "dora_marker": MARKER,
        "scores": [POINTS] * NUM_SEATS,
        "tehais": [own if seat == view.seat else ["?"] * HAND_SIZE for seat in SEATS],
    }


def _news(game: _Game, view: View) -> list[Message]:
    """Return the messages of the events since the last decision."""
    events = view.table.events
    messages, names = game.held, view.tiles.names
    game.held = []
    for event in events[len(game.events) :]:
        is_own = event.seat == game.seat
        if event.action is Action.WIN:
            messages = [m for m in messages if m["type"] != "reach_accepted"]
            target = event.seat if game.offer is None else game.offer.seat
            messages.append(
                {
                    "type": "hora",
                    "actor": event.seat,
                    "target": target,
                    "pai": SYMBOLS[names[event.kind]],
                }
            )
        elif event.action is Action.FAULT:
            messages.append({"type": "ryukyoku", "reason": "fault"})
        is_own_draw = is_own and event.action is Action.DRAW
        written = list(
            messages_of(
                event._replace(kind=view.drawn) if is_own_draw else event,
                offer=game.offer,
                is_drawn=is_own and game.is_drawn,
                names=names,
            )
        )
        if is_own and game.has_declared and event.action in (Action.DISCARD, Action.READY):
            game.has_declared = False
            accepted = {"type": "reach_accepted", "actor": game.seat}
            written = [*(m for m in written if m["type"] == "dahai"), accepted]
        messages += written
        if event.action in OFFERS:
            game.offer = event
        elif event.action is Action.DRAW:
            game.offer = None
    if messages and messages[-1]["type"] == "reach_accepted":
        game.held = [messages.pop()]  # the discard may be won first
    if view.phase is Phase.OVER and events and events[-1].action not in (Action.WIN, Action.FAULT):
        ending = Ending.FOUR_KONGS if view.table.live else Ending.WALL_EMPTY
        messages.append({"type": "ryukyoku", "reason": DRAWN_GAMES[ending]})
    game.events = events
    return messages


def _move_of(answer: Message, game: _Game, view: View, moves: tuple[Move, ...]) -> Move:
    """Return the legal move of an answer."""
    if answer.get("actor", view.seat) != view.seat:
        raise AnswerError(f"answer {_shown(answer)} of another seat than {view.seat}")
    move = _parse(answer, game, view)
    if move in moves:
        game.is_drawn = bool(answer.get("tsumogiri")) and move.kind == view.drawn
        return move
    if _is_riichi_only(answer["type"], view):
        game.is_drawn = True
        return PASS if PASS in moves else Move(Action.DISCARD, view.drawn)
    raise AnswerError(f"answer {_shown(answer)} is not a legal move")


def _parse(answer: Message, game: _Game, view: View) -> Move | None:
    """Return the move of an answer, or None if it is not well-formed."""
    word = answer["type"]
    if word == "none":
        return PASS
    if word == "hora":
        return Move(Action.WIN, view.drawn if view.phase is Phase.TURN else view.tile)
    try:
        return _parse_tiles(answer, game, view)
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def _parse_tiles(answer: Message, game: _Game, view: View) -> Move | None:
    """Return the move of an answer that names tiles; raise if they are not well-formed."""
    word = answer["type"]
    if word == "dahai":
        declares = game.has_declared and view.rules.ready
        return Move(Action.READY if declares else Action.DISCARD, _kind(answer["pai"], view))
    consumed = [_kind(sign, view) for sign in answer["consumed"]]
    if word in _KONGS:
        return Move(_KONGS[word], _kind(answer["pai"], view) if word == "kakan" else consumed[0])
    kinds = sorted([view.tile, *consumed])
    if word == "chi" and kinds == list(range(kinds[0], kinds[0] + 3)):
        return Move(Action.CHOW, kinds[0])
    if word in _PONGS and kinds == [view.tile] * (4 if word == "daiminkan" else 3):
        return Move(_PONGS[word], view.tile)
    return None


def _kind(sign: Any, view: View) -> int:
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
