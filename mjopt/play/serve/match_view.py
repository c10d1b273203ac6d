"""View of a match: the table, the possible moves, the hint, and the end of a hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mjopt.chances.advice.options import Advice
from mjopt.chances.advice.position import Position
from mjopt.hands.rules.classic_forms import DEFAULT_FORM
from mjopt.play.game.agents.human import describe_move
from mjopt.play.game.events import CALLS, DISCARDS
from mjopt.play.game.moves import NO_KIND, Action, Move
from mjopt.play.game.positions import position_of
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import NUM_SEATS, RIICHI_GAME, SEATS
from mjopt.play.game.scoring import winning_form
from mjopt.play.game.state import Ending, Outcome
from mjopt.play.matches.agent_hints import hint_of
from mjopt.play.matches.hand_end import hand_end
from mjopt.play.matches.judged_hands import LostChance, OpenHand
from mjopt.play.matches.match_session import MatchSession, available_agents, offered_agents
from mjopt.play.matches.match_store import MatchView
from mjopt.play.riichi.record import read_riichi
from mjopt.play.riichi.values import win_values
from mjopt.play.serve.advice_words import lost_words, option_words
from mjopt.play.serve.board import (
    WINDS,
    TileView,
    board_at,
    kinds_of,
    points_words,
    table_words,
    tile_view,
    tiles_of,
)
from mjopt.play.serve.hand_form import position_address
from mjopt.play.serve.hand_page import WORDS
from mjopt.play.serve.hints import ADVISER, Hint, advised, describe_hint
from mjopt.play.serve.language import gettext
from mjopt.play.serve.review_file import ReviewView
from mjopt.play.serve.step_view import done_words, value_words
from mjopt.play.serve.tiles import tile_name

ENDINGS: Final[dict[Ending, str]] = {
    Ending.DISCARD: "%(winner)s won with %(tile)s, discarded by %(payer)s",
    Ending.OWN_DRAW: "%(winner)s won with %(tile)s, drawn from the wall",
    Ending.REPLACEMENT: "%(winner)s won with %(tile)s, the replacement tile of a kong",
    Ending.ROBBED_KONG: "%(winner)s won with %(tile)s, robbed from the kong of %(payer)s",
    Ending.WALL_EMPTY: "Drawn game: no tile is left to draw",
    Ending.FOUR_KONGS: "Drawn game: four kongs were declared",
    Ending.MANGAN: "Drawn game: a mangan of discards",
    Ending.NINE_KINDS: "Drawn game: nine kinds of ones, nines and honours",
    Ending.FOUR_WINDS: "Drawn game: four equal winds were discarded first",
    Ending.FOUR_READY: "Drawn game: four players are in riichi",
    Ending.THREE_WINNERS: "Drawn game: three players would have won",
    Ending.FAULT: "%(payer)s broke the rules",
}
SIDES: Final = ("own", "next", "across", "before")
NUM_DECISIONS: Final = 3  # shown after a hand
PACES: Final = ("0", "0.25", "0.5", "1", "2")  # seconds a move of another player is shown
_UNNAMED: Final = (Action.DISCARD, Action.DRAW, Action.FAULT)
_COPIES: Final = {Action.PONG: 3, Action.KONG: 4, Action.CLOSED_KONG: 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a match is shown: seconds for each move of another player, and whether it clicks."""

    pace: str = "0.5"
    sound: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A button for a legal move."""

    move: str  # the posted value
    words: str  # the label; empty for a discard
    tiles: tuple[TileView, ...]
    is_default: bool  # made when time runs out; if so, the button has the focus
    is_hint: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMove:
    """A public move since the person's last decision, shown before the next one."""

    words: str
    side: str  # of the board, one of SIDES
    part: str  # list that its tile or meld is the end of: ``river``, ``melds``, or empty
    call: str = ""  # announcement of a call


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterHand:
    """A person's own hand after its end."""

    missing: int  # tiles missing to a win; 0 after a win
    waits: tuple[TileView, ...]  # the tiles that would have won, if one was missing
    num_left: int  # copies of these in the wall
    num_passed: int  # wins passed up
    decisions: Sequence[Mapping[str, object]]  # the costliest discards, as in a review
    is_judged: bool  # by the chance to win
    lost: LostChance  # if judged


def match_context(
    view: MatchView,
    look: Look | None = None,
    *,
    advice: Advice | None = None,
    hand: OpenHand | None = None,
    has_stopped: bool = False,
    discarded: Advice | None = None,
) -> dict[str, object]:
    """Return the variables of the template of a match.

    Until the hand has ended, they are computed from the person's observation and public
    information only. A search may have stopped before the advice was known, or the hand judged;
    ``discarded`` is the advice on the last discard.
    """
    session = view.session
    match, state, setting = session.match, session.state, session.setting
    names = _names(session)
    seat_names = [_seat_name(session, names, seat) for seat in SEATS]
    hint = _hint(session, advice, has_stopped=has_stopped)
    discards, calls = _choices(session, hint.move if hint else None)
    outcome = state.outcome
    return {
        "title": _title(session),
        "session": session,
        "look": look or Look(),
        "paces": PACES,
        "players": offered_agents(setting.rules, setting.hints),
        "board": board_at(
            state, session.seat, names=tuple(names), points=session.points, about=_about(session)
        ),
        "prompt": _prompt(session, seat_names),
        "timeout": move_words(view.timeout_move) if view.timeout_move else "",
        "steps": _steps(session, seat_names),
        "discards": discards,
        "calls": calls,
        "time_left": view.time_left,
        "outcome": outcome,
        "end": _describe_end(session, outcome, seat_names) if outcome else "",
        "values": _values(session, seat_names),
        "after": _after_hand(session, hand) if outcome else None,
        "has_stopped": has_stopped,
        "judged": _judge_discard(session, discarded),
        "judging": discard_position(session) and not discarded,
        "names": names,
        "seat_names": seat_names,
        "standing": [points_words(points, match.rules) for points in match.standing],
        "ranking": sorted(SEATS, key=lambda seat: -match.standing[seat]),
        "places": [1 + sum(other > own for other in match.standing) for own in match.standing],
        "hint": hint,
        "hinted_move": next((c.move for c in (*discards.values(), *calls) if c.is_hint), ""),
        "analyse": position_address(position_of(session.view, session.options)) if hint else "",
        "as_tile": tile_view,
        "move_words": move_words,
        **WORDS,
    }


def hinted_position(session: MatchSession) -> Position | None:
    """Return the position of the pending decision if an advice on it is asked for."""
    if session.setting.hints != ADVISER or not session.options:
        return None
    return position_of(session.view, session.options)


def discard_position(session: MatchSession) -> Position | None:
    """Return the position before the person's last discard if an advice on it is asked for."""
    if session.setting.hints != ADVISER or not session.options or session.before is None:
        return None
    own = [event for event in session.news[:1] if event.seat == session.seat]
    if not own or own[0].action not in DISCARDS:  # it passed or called
        return None
    return position_of(*session.before)


def _judge_discard(session: MatchSession, advice: Advice | None) -> str:
    """Return what the person's last discard lost, in one sentence; empty if that is unknown."""
    row = advice.option(session.news[0].kind) if advice else None
    if advice is None or row is None or row.lost is None:
        return ""
    values = {"tile": tile_name(session.news[0].kind), "best": option_words(advice.options[0])}
    if not (lost := lost_words(row)):
        return gettext("Your last discard, %(tile)s, lost nothing.") % values
    return gettext("Your last discard, %(tile)s, lost %(lost)s against: %(best)s.") % (
        values | {"lost": lost}
    )


def move_words(move: Move) -> str:
    """Describe a move."""
    tile = gettext(", ").join(map(tile_name, kinds_of(move)))
    templates = {
        Action.DISCARD: gettext("Discard %(tile)s"),
        Action.READY: gettext("Declare ready, discard %(tile)s"),
        Action.WIN: gettext("Win with %(tile)s"),
        Action.PASS: gettext("Pass"),
    }
    template = templates.get(move.action)
    if template is None:
        return gettext("%(call)s %(tile)s") % {"call": action_label(move.action), "tile": tile}
    return template % {"tile": tile}


def _hint(session: MatchSession, advice: Advice | None, *, has_stopped: bool) -> Hint | None:
    """Return the hint that the settings ask for, if any."""
    moves = session.options
    if not (session.setting.hints and moves):
        return None
    if session.setting.hints == ADVISER:
        return advised(moves, advice, has_stopped=has_stopped)
    found = hint_of(session.view, moves, session.setting.hints)
    return Hint(found.move, describe_hint(found, move_words(found.move)), by_agent=found)


def other_players(session: MatchSession) -> list[str]:
    """Return the other players in words."""
    return [name for seat, name in enumerate(_names(session)) if seat != session.seat]


def _names(session: MatchSession) -> list[str]:
    """Return the players by seat, in words."""
    agents = available_agents(session.setting.rules)
    names = [gettext(agents[spec].name) for spec in session.setting.players]
    names.insert(session.seat, gettext("You"))
    return names


def _seat_name(session: MatchSession, names: Sequence[str], seat: int) -> str:
    """Return player and wind of a seat."""
    wind = WINDS[(seat - session.state.table.dealer) % NUM_SEATS]
    return gettext("%(player)s (%(wind)s)") % {"player": names[seat], "wind": gettext(wind)}


def _title(session: MatchSession) -> str:
    number = {"number": session.hand_number}
    if not session.state.is_over:
        return gettext("Hand %(number)d") % number
    if session.match.is_over:
        return gettext("The match is over")
    return gettext("Hand %(number)d is over") % number


def _prompt(session: MatchSession, seat_names: list[str]) -> str:
    if session.state.is_over:
        return ""
    view = session.view
    if view.phase in (Phase.CLAIM, Phase.ROB):
        template = gettext("%(player)s discarded %(tile)s: take it?")
        tile = session.state.table.events[-1].tile
        if view.phase is Phase.ROB:
            template = gettext("%(player)s added %(tile)s to a pong: take it?")
        return template % {"player": seat_names[view.table.turn], "tile": tile_name(tile)}
    if view.drawn == NO_KIND:
        return gettext("Your turn: discard a tile.")
    template = gettext("You drew %(tile)s: discard a tile.")
    if session.options[0].action is Action.WIN:
        template = gettext("You drew %(tile)s: you can win.")
    return template % {"tile": tile_name(session.state.drawn)}


def _about(session: MatchSession) -> str:
    """Return the round of riichi with its counters and deposits; empty under other rules."""
    view = session.view
    if not view.points:
        return ""
    return table_words(view.wind, view.table.dealer + 1, view.honba, view.sticks)


def _values(session: MatchSession, seat_names: list[str]) -> list[str]:
    """Return the value of each win of a hand of riichi, in words."""
    if not session.state.is_over or session.match.rules != RIICHI_GAME:
        return []
    return [
        gettext("%(player)s: %(verb)s") % {"player": seat_names[win.seat], "verb": value_words(win)}
        for win in win_values(read_riichi(session.match.lines[-1]).messages)
    ]


def _steps(session: MatchSession, seat_names: list[str]) -> list[ShownMove]:
    """Return the moves since the person's last decision, its own first."""
    steps = []
    for event, after in zip(session.news, (*session.news[1:], None), strict=False):
        part = ""
        if event.action in DISCARDS and not (after and after.action in CALLS):
            part = "river"
        elif event.action in CALLS or event.action is Action.CLOSED_KONG:
            part = "melds"
        side = (event.seat - session.seat) % NUM_SEATS
        player = gettext("You") if side == 0 else seat_names[event.seat]
        call = _call_name(event.action, session)
        tile = gettext(", ").join(map(tile_name, tiles_of(event)))
        words = gettext("%(player)s: %(verb)s") % {
            "player": player,
            "verb": done_words(event.action),
        }
        steps.append(ShownMove(words=f"{words} {tile}", side=SIDES[side], part=part, call=call))
    return steps


def _choices(session: MatchSession, hint: Move | None) -> tuple[dict[str, Choice], list[Choice]]:
    """Return the possible discards by tile name, and all other moves."""
    if not session.options:
        return {}, []
    names, default = session.match.rules.tiles.names, session.default()
    discards: dict[str, Choice] = {}
    calls: list[Choice] = []
    for move in session.options:
        kinds = [*kinds_of(move)] * _COPIES.get(move.action, 1)
        choice = Choice(
            move=describe_move(move, names),
            words=_call_name(move.action, session),
            tiles=tuple(map(tile_view, kinds)),
            is_default=move == default,
            is_hint=move == hint,
        )
        if move.action is Action.DISCARD:
            discards[names[move.kind]] = choice
        else:
            calls.append(choice)
    return discards, calls


def _call_name(action: Action, session: MatchSession) -> str:
    """Return the name of a call, empty of other moves; a declaration of riichi has its own."""
    if action is Action.READY and session.match.rules == RIICHI_GAME:
        return gettext("Riichi")
    return "" if action in _UNNAMED else action_label(action)


def action_label(action: Action) -> str:
    """Return the name of an action as the label of a button."""
    if action is Action.DRAWN_GAME:
        return gettext("Draw the hand: nine kinds")
    return gettext(action.word.capitalize())


def _after_hand(session: MatchSession, hand: OpenHand | None) -> AfterHand:
    state, seat = session.state, session.seat
    is_winner = state.outcome is not None and seat in state.outcome.winners
    end = None if is_winner else hand_end(state, seat)
    costly, num_passed, is_judged = list[dict[str, object]](), 0, True
    if hand is not None:
        num_passed, is_judged = hand.review.summary.wins_passed, hand.is_judged
        view = ReviewView(hand.review, seat)
        view = view.by_chance(hand.judge) if is_judged else view
        costly = [
            one | {"turn": view.rows[one["at"]]["turn"]}
            for one in view.overview()["costly"][:NUM_DECISIONS]
        ]
    return AfterHand(
        missing=end.missing if end else 0,
        waits=tuple(map(tile_view, end.waits)) if end else (),
        num_left=end.left if end else 0,
        num_passed=num_passed,
        decisions=costly,
        is_judged=is_judged,
        lost=hand.lost if hand and is_judged else LostChance(),
    )


def _describe_end(session: MatchSession, outcome: Outcome, seat_names: list[str]) -> str:
    """Return who won how, or why nobody did."""
    payer = seat_names[outcome.payer] if outcome.payer >= 0 else ""
    template = gettext(ENDINGS[outcome.ending])
    if not outcome.winners:
        return template % {"payer": payer}
    winner = gettext(" and ").join(seat_names[seat] for seat in outcome.winners)
    values = {"winner": winner, "payer": payer, "tile": tile_name(outcome.kind)}
    if session.match.rules == RIICHI_GAME:  # its yaku name the forms
        return template % values
    hands = [session.state.winning_hand(seat) for seat in outcome.winners]
    forms = {winning_form(hand, session.match.rules) for hand in hands} - {DEFAULT_FORM}
    special = [gettext(form.replace("_", " ")) for form in sorted(forms)]
    return gettext(", ").join((template % values, *special))
