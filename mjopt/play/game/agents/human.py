"""A human player at a terminal: text output, and short text commands as input."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mjopt.chances.advice.advise import advise
from mjopt.chances.advice.options import Advice
from mjopt.chances.advice.why import UNWINNABLE, describe_chance, say_why
from mjopt.play.game.agents.timeout import timeout_after
from mjopt.play.game.events import Event
from mjopt.play.game.moves import NO_KIND, PASS, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.play import PlayerLeft
from mjopt.play.game.positions import best_move, position_of
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS, RIICHI_GAME, GameRules

DONE: Final[dict[Action, str]] = {
    Action.WIN: "wins",
    Action.DISCARD: "discards",
    Action.READY: "is ready, and discards",
    Action.CHOW: "chows from",
    Action.PONG: "pongs",
    Action.KONG: "kongs",
    Action.ADDED_KONG: "adds to its pong",
    Action.CLOSED_KONG: "makes a closed kong of",
    Action.DRAW: "draws",
    Action.FAULT: "forfeits the game",
}
LETTERS: Final[dict[Action, str]] = {
    Action.WIN: "h",
    Action.READY: "r",
    Action.CHOW: "c",
    Action.PONG: "p",
    Action.KONG: "k",
    Action.ADDED_KONG: "k",
    Action.CLOSED_KONG: "k",
    Action.PASS: "n",
    Action.DRAWN_GAME: "d",
}
LEAVE: Final = ("q", "quit")


def list_commands(rules: GameRules) -> str:
    """Return all commands of some rules, in one line.

    Examples
    --------
    >>> from mjopt.play.game.rules import GMJBG
    >>> list_commands(GMJBG).partition("; ")[2]
    'h wins, c TILE chows from that tile, p pongs, k kongs, n passes, q quits'
    """
    ready = ["r TILE declares ready"] * rules.ready
    kongs = ["k kongs"] * rules.kongs
    calls = ["h wins", *ready, "c TILE chows from that tile", "p pongs", *kongs, "n passes"]
    calls += ["d draws the game with nine kinds"] * (rules == RIICHI_GAME)
    return f"a tile such as {rules.tiles.names[4]} to discard; {', '.join(calls)}, q quits"


def describe_event(event: Event, names: tuple[str, ...]) -> str:
    """Describe a public event.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> describe_event(Event(2, Action.DISCARD, 4), M0.names)
    'seat 3 discards 5m'
    """
    tile = "" if event.kind == NO_KIND else f" {names[event.kind]}"
    return f"seat {event.seat + 1} {DONE[event.action]}{tile}"


def describe_move(move: Move, names: tuple[str, ...]) -> str:
    """Write a move as the command that selects it.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> [describe_move(move, M0.names) for move in (Move(Action.CHOW, 0), PASS)]
    ['c 1m', 'n']
    >>> describe_move(Move(Action.DISCARD, 4), M0.names)
    '5m'
    """
    letter = LETTERS.get(move.action, "")
    needs_tile = move.kind != NO_KIND and move.action not in (Action.WIN, Action.PONG, Action.KONG)
    return f"{letter} {names[move.kind]}".strip() if needs_tile else letter


def describe_round(view: View) -> str:
    """Describe what riichi adds to a view, in one line."""
    names = view.tiles.names
    wind = ("East", "South", "West", "North")[view.wind % NUM_SEATS]
    parts = [f"{wind} {view.table.dealer + 1}", f"counter {view.honba}", f"deposits {view.sticks}"]
    parts.append(f"indicators {' '.join(names[kind] for kind in view.indicators)}")
    reds = [f"5{suit}" for suit, held in zip("mps", view.reds, strict=True) if held]
    parts += [f"your red fives {' '.join(reds)}"] if reds else []
    points = [f"seat {seat} {score:,}" for seat, score in enumerate(view.points, start=1)]
    return f"{', '.join(parts)}; {', '.join(points)}"


def understand(text: str, moves: tuple[Move, ...], names: tuple[str, ...]) -> Move | None:
    """Return the move of a command, or None if the command is unknown or ambiguous.

    The tile may be omitted if only one is possible. An empty command is a pass if that is
    legal.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> moves = (Move(Action.PONG, 4), Move(Action.CHOW, 3), PASS)
    >>> understand("c", moves, M0.names), understand("", moves, M0.names) == PASS
    (Move(action=<Action.CHOW: 'C'>, kind=3), True)
    >>> understand("x", moves, M0.names) is None
    True
    """
    words = text.strip().lower().split()
    if not words:
        return PASS if PASS in moves else None
    for move in moves:
        if describe_move(move, names).split() == words:
            return move
    short = [move for move in moves if [LETTERS.get(move.action)] == words]
    return short[0] if len(short) == 1 else None


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move made when time runs out.

    An offered tile is passed and the drawn tile discarded; after a call, where there is no
    drawn tile, the rightmost tile is discarded.
    """
    if view.phase in (Phase.CLAIM, Phase.ROB):
        return PASS
    if view.drawn != NO_KIND:
        return Move(Action.DISCARD, view.drawn)
    return [move for move in moves if move.action is Action.DISCARD][-1]


def hint_in_words(advice: Advice, moves: tuple[Move, ...]) -> str:
    """Return the best option of an advice with its chance to win, and the reasons.

    Examples
    --------
    >>> advice = advise("2378m345p6688s11z offered=4m draws=6")
    >>> hint_in_words(advice, (Move(Action.CHOW, 1), PASS)).partition(": ")[0]
    'chow 234m, discard 8s (at least 5.70 % within 5 draws)'
    """
    found = None if advice.best is None else best_move(advice, moves)
    if found is None:
        return UNWINNABLE
    option, _ = found
    draws = "1 draw" if option.draws == 1 else f"{option.draws} draws"
    chance = "" if option.at_least == 1 else f" ({describe_chance(option)} within {draws})"
    reasons = say_why(advice, option)
    return f"{option.name}{chance}: {reasons}" if option is advice.options[0] else reasons


@dataclass(slots=True)
class Person:
    """An agent that asks a human player."""

    ask: Callable[[str], str]  # shows a prompt and returns a line; EOFError at the end of input
    tell: Callable[[str], None]
    write: Callable[[tuple[int, ...]], str]  # formats counts as tiles
    hints: bool = False  # whether to show the best option of mjopt.advise, with its chance to win
    name: str = "you"  # in records
    # Seconds for a decision, after which the default move is made; None for no limit. It needs the
    # main thread.
    clock: float | None = None
    # Seconds to wait after showing a move of another player, or one made when time ran out.
    pause: float = 0.0
    _shown: tuple[Event, ...] = field(default=(), init=False)

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move that the player types.

        If the player quits, or at the end of input, it raises PlayerLeft: no ``Exception``, which
        would be a fault.
        """
        self._tell_news(view)
        self._tell_table(view)
        if self.hints:
            self.tell(f"hint: {hint_in_words(advise(position_of(view, moves)), moves)}")
        names = view.tiles.names
        options = ", ".join(
            describe_move(move, names) for move in moves if move.action is not Action.DISCARD
        )
        must_discard = view.phase in (Phase.TURN, Phase.CALLED)
        prompt = "discard a tile" if must_discard else "take it?"
        prompt += f" ({options})" if options else ""
        try:
            with nullcontext() if self.clock is None else timeout_after(self.clock):
                return self._ask_move(prompt, moves, view.rules)
        except TimeoutError:
            move = default_move(view, moves)
            self.tell(f"\ntime is over: {describe_move(move, names)}")
            time.sleep(self.pause)
            return move

    def _ask_move(self, prompt: str, moves: tuple[Move, ...], rules: GameRules) -> Move:
        while True:
            try:
                text = self.ask(f"{prompt}: ")
            except EOFError:
                raise PlayerLeft from None
            if text.strip().lower() in LEAVE:
                raise PlayerLeft
            move = understand(text, moves, rules.tiles.names)
            if move is not None:
                return move
            if text.strip():  # else the question is enough
                self.tell(list_commands(rules))

    def _tell_news(self, view: View) -> None:
        events = view.table.events
        if events[: len(self._shown)] != self._shown:  # another game
            self._shown = ()
        for event in events[len(self._shown) :]:
            if event.seat != view.seat and event.action is not Action.DRAW:
                self.tell(describe_event(event, view.tiles.names))
                time.sleep(self.pause)
        self._shown = events

    def _tell_table(self, view: View) -> None:
        table, names = view.table, view.tiles.names
        laid = [" ".join(f"({m.block.text(view.tiles)})" for m in own) for own in table.melds]
        self.tell("")
        if view.points:
            self.tell(describe_round(view))
        for i in range(1, NUM_SEATS):
            seat = (view.seat + i) % NUM_SEATS
            river = " ".join(names[kind] for kind in table.rivers[seat])
            ready = " ready" * table.ready[seat]
            self.tell(f"seat {seat + 1}{ready} {laid[seat]} | {river}".replace("  ", " "))
        melds = laid[view.seat]
        drawn = f"   drawn {names[view.drawn]}" if view.drawn != NO_KIND else ""
        self.tell(f"you {self.write(view.hand)} {melds}{drawn}   {table.live} tiles left")
        if view.tile != NO_KIND and view.phase is not Phase.TURN:
            self.tell(f"on offer: {names[view.tile]} of seat {table.turn + 1}")
