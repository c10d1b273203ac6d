"""View of one step of a game: the board, the events, the deficiency of each seat."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mjopt._internal.sanitize import shorten
from mjopt.play.game.engine import legal_moves
from mjopt.play.game.events import Event
from mjopt.play.game.game_replay import Away, ReplayedGame, seen_by
from mjopt.play.game.moves import Action
from mjopt.play.game.observation import view_of
from mjopt.play.game.positions import position_of
from mjopt.play.game.record import read_record
from mjopt.play.game.rules import NUM_SEATS, SEATS
from mjopt.play.game.state import Outcome, RoundState, State
from mjopt.play.matches.match_session import player_name
from mjopt.play.riichi.record import is_riichi, read_riichi
from mjopt.play.riichi.values import WinValue, win_values
from mjopt.play.serve.board import WINDS, Points, board_at, table_words, tile_view, tiles_of
from mjopt.play.serve.deficiency_chart import DASHES, Curve, draw_curve
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.language import gettext
from mjopt.play.serve.tiles import missing_words, tile_name

RULE_WORDS: Final = {
    "gmjbg": "With honours",
    "m0": "Three suits",
    "jj": "Seven pairs",
    "riichi": "Riichi",
}
MAX_NAME_LENGTH: Final = 40  # maximum length of a displayed name, in characters
DONE: Final[dict[Action, str]] = {
    Action.WIN: "won",
    Action.DISCARD: "discarded",
    Action.READY: "ready, discarded",
    Action.DRAW: "drew",
    Action.FAULT: "broke the rules",
}
"""Verbs that suit "you" and any other player, of the moves that are no calls."""

JUMPS: Final = {
    "first": "first",
    "previous": "back",
    "next": "on",
    "last": "last",
    "previous-change": "change before",
    "next-change": "next change",
    "previous-call": "call before",
    "next-call": "next call or win",
}
"""The links below a board, in order."""


class ChartSeat(NamedTuple):
    """A seat in the chart: label, line style, deficiency now and one step before."""

    seat: int
    label: str
    dashes: str
    away: int
    before: int


def sides_of(names: Mapping[int, str], now: Away, before: Away) -> list[ChartSeat]:
    """Return the sides of the given seats, with their names."""
    return [ChartSeat(s, name, DASHES[s], now[s], before[s]) for s, name in names.items()]


def jumps(
    at: int, last: int, changes: Sequence[int], calls: Sequence[int]
) -> dict[str, int | None]:
    """Return the target step of each link by name; None if there is none."""
    steps = [0 if at else None, at - 1 if at else None]
    steps += [at + 1 if at < last else None, last if at < last else None]
    for some in (changes, calls):
        steps.append(max((step for step in some if step < at), default=None))
        steps.append(min((step for step in some if step > at), default=None))
    return dict(zip(JUMPS, steps, strict=True))


def player_words(name: str) -> str:
    """Return the name of a player: those that one can play against as on that page."""
    known = player_name(name)
    return shorten(name, MAX_NAME_LENGTH) if known == name else gettext(known)


def rule_words(name: str) -> str:
    """Return the name of rules; that of variants is returned unchanged."""
    return gettext(RULE_WORDS[name]) if name in RULE_WORDS else name


def done_words(action: Action) -> str:
    """Return a move in words that suit "you" and any other player: a verb, or the call.

    Examples
    --------
    >>> done_words(Action.DISCARD), done_words(Action.ADDED_KONG)
    ('discarded', 'added kong')
    """
    return gettext(DONE.get(action, action.word))


class HandAbout(NamedTuple):
    """Around a hand: the points before it, its round in words, and the values of its wins."""

    points: Points = (None,) * NUM_SEATS
    words: str = ""
    values: Sequence[WinValue] = ()


def about_hand(line: str, before: Sequence[str] | None = None) -> HandAbout:
    """Return the points before a hand; of riichi also its round and the values of its wins.

    ``before`` are the hands before it in its match. Without a match the points are not known.
    """
    if is_riichi(line):
        record = read_riichi(line)
        start = record.start
        words = table_words(start["wind"], start["number"], start["honba"], start["sticks"])
        return HandAbout(start["points"], words, win_values(record.messages))
    if before is None:
        return HandAbout()
    rows = [read_record(line).scores for line in before]
    return HandAbout(tuple(sum(row[seat] for row in rows) for seat in SEATS))


def value_words(win: WinValue) -> str:
    """Return yaku, han and fu of a win, and the indicators below, in one sentence."""
    yaku = gettext(", ").join(f"{gettext(name)} {han}" for name, han in win.yaku)
    values = {"yaku": yaku, "han": win.han, "fu": win.fu}
    text = gettext("%(yaku)s: %(han)d han, %(fu)d fu") % values
    if not win.below:
        return text
    below = " ".join(map(tile_name, win.below))
    return text + gettext("; indicators below: %(tiles)s") % {"tiles": below}


class GameView:
    """View of a game, step by step."""

    def __init__(
        self,
        game: ReplayedGame,
        seat: int | None = None,
        about: HandAbout | None = None,
    ) -> None:
        self.game, self.seat, self.about = game, seat, about or HandAbout()
        self.names = tuple(map(player_words, game.names))
        dealer = game.states[0].table.dealer
        self.winds = [gettext(WINDS[(seat - dealer) % NUM_SEATS]) for seat in SEATS]
        self.seats = SEATS if seat is None else (seat,)
        self.curve: Curve = draw_curve(game.away, self.winds, self.seats)
        self.last = len(game.states) - 1

    def step(self, at: int) -> dict[str, object]:
        """Return the variables of the macro ``step`` in ``watch_parts.html``."""
        state, away = self.game.states[at], self.game.away
        who = {seat: self.who(seat) for seat in self.seats}
        sides = sides_of(who, away[at], away[max(at - 1, 0)])
        now = gettext(", ").join(
            f"{self.winds[side.seat]} {missing_words(side.away)}" for side in sides
        )
        return {
            "at": at,
            "last": self.last,
            "board": board_at(
                state,
                self.seat,
                names=self.names,
                points=self.about.points,
                about=self.about.words,
            ),
            "happened": [
                self._describe(event) for event in seen_by(self.game.events[at], self.seat)
            ],
            "end": None if state.outcome is None else self._end(state.outcome),
            "values": [
                gettext("%(player)s: %(verb)s")
                % {"player": self.who(win.seat), "verb": value_words(win)}
                for win in self.about.values
                if state.outcome is not None
            ],
            "sides": sides,
            "x": self.curve.xs[at],
            "said_by": "",
            "words": gettext("%(curve)s; at step %(step)d: %(now)s")
            % {"curve": self.curve.words, "step": at, "now": now},
            "jumps": jumps(at, self.last, self.game.changes(self.seat), self.game.calls),
            "refusal": self.game.refusal if at == self.last else "",
            "remarks": (),
            "bars": [],
            "analyse": self._position(state),
        }

    def _position(self, state: RoundState) -> str:
        """Return the address of the hand page for the seat, else for the seat to move."""
        to_move = state.to_move
        seat = to_move if self.seat is None else self.seat
        view = view_of(state, state.table.turn if seat is None else seat)
        # The engine of riichi alone knows its moves: the page then asks for discards.
        moves = legal_moves(state) if isinstance(state, State) and seat == to_move else ()
        return position_address(position_of(view, moves))

    def who(self, seat: int) -> str:
        """Return the name and the wind of a seat."""
        values = {"player": self.names[seat], "wind": self.winds[seat]}
        return gettext("%(player)s (%(wind)s)") % values

    def _describe(self, event: Event) -> dict[str, object]:
        return {
            "who": self.who(event.seat),
            "verb": done_words(event.action),
            "tiles": [tile_view(tile) for tile in tiles_of(event)],
        }

    def _end(self, outcome: Outcome) -> str:
        points = gettext(", ").join(
            f"{self.winds[seat]} {outcome.scores[seat]:+d}" for seat in SEATS
        )
        end = gettext("Drawn game") if outcome.is_drawn_game else gettext("The end")
        how = {"end": end, "how": gettext(outcome.ending), "points": points}
        return gettext("%(end)s (%(how)s): %(points)s") % how
