"""Read log lines of JJ: four hands, then four characters for each action.

The article prints one line (Ouyang and Zhou 2023, Figure A3) and names the letters D, P and
H. M can only be a draw. B appears where a seat discards the drawn tile, and is interpreted as
a ready declaration with that discard. The article does not define the tile numbers: 01-09,
11-19 and 21-29 are interpreted as characters, dots and bamboos; 10, 20 and 30 as dragons,
since the line contains a 20.
"""

import re
from dataclasses import replace
from typing import Final

from mjopt.errors import FileError
from mjopt.hands.tiles import FULL
from mjopt.play.game.events import Event
from mjopt.play.game.log import LogGame, LogRound, LogRules
from mjopt.play.game.moves import Action
from mjopt.play.game.rules import JJ
from mjopt.play.game.state import Ending

NAME: Final = "jj"
RULES: Final = LogRules(rule_set=JJ, reds=(0, 0, 0), ready_closed=False)
WITH_DRAGONS: Final = replace(
    RULES, rule_set=replace(JJ, tiles=FULL), missing=frozenset(range(27, 31))
)
FIRST_DRAGON: Final = FULL.names.index("5z")
LETTERS: Final = "DPHMB"
SEATS: Final = 4

_SEAT: Final = re.compile(r"\s*([0-3])\((\d)\)(-?\d{1,12}):((?:\d\d)+)\s*;")
_ACTION: Final = re.compile(r"\s*([0-3])([A-Z])(\d\d)")


def read(text: str) -> LogGame:
    """Return the round of a log."""
    at, hands, points = 0, dict[int, list[int]](), dict[int, int]()
    for _ in range(SEATS):
        match = _SEAT.match(text, at)
        if match is None:
            raise FileError(
                position=at + 1, unit="character", expected="a seat such as 0(0)8348346:0203...;"
            )
        seat, digits = int(match[1]), match[4]
        if seat in hands:
            raise FileError(f"seat {seat} is given twice", position=at + 1, unit="character")
        codes = (int(digits[i : i + 2]) for i in range(0, len(digits), 2))
        hands[seat] = sorted(_tile(code, at) for code in codes)
        points[seat] = int(match[3])
        at = match.end()
    dealers = [seat for seat, hand in hands.items() if len(hand) == 14]
    if len(dealers) != 1 or any(len(hand) not in (13, 14) for hand in hands.values()):
        sizes = ", ".join(str(len(hands[seat])) for seat in range(SEATS))
        raise FileError(f"hands of {sizes} tiles", expected="13, and 14 of the dealer")
    dealer = dealers[0]
    # The log does not identify the dealer's first draw: assume the highest tile.
    first = Event(dealer, Action.DRAW, hands[dealer].pop())
    events, cut = [first], ""
    try:
        _add_events(events, text, at)
    except FileError as error:
        cut = str(error)
    deal = LogRound(
        wind=0,
        number=1,
        dealer=dealer,
        points=tuple(points[seat] for seat in range(SEATS)),
        hands=tuple(tuple(hands[seat]) for seat in range(SEATS)),
        events=tuple(events),
        draw_reason=Ending.WALL_EMPTY if events[-1].action is Action.DRAWN_GAME else None,
        cut=cut,
    )
    all_tiles = [*(tile for hand in deal.hands for tile in hand), *(event.tile for event in events)]
    rules = WITH_DRAGONS if max(all_tiles) >= FIRST_DRAGON else RULES
    return LogGame(form=NAME, names=("",) * SEATS, rules=rules, rounds=(deal,))


def _tile(code: int, at: int) -> int:
    suit, rank = divmod(code, 10)
    if not 1 <= code <= 30:
        raise FileError(
            f"no tile {code:02}", position=at + 1, unit="character", expected="01 to 30"
        )
    if not rank:
        return FIRST_DRAGON + suit - 1
    return 9 * suit + rank - 1


def _add_events(events: list[Event], text: str, at: int) -> None:
    """Add all events after the first draw."""
    drawn, discarder = events[0].tile, -1
    end = len(text.rstrip())
    while at < end:
        match = _ACTION.match(text, at)
        if match is None or match[2] not in LETTERS:
            raise FileError(
                position=at + 1,
                unit="character",
                expected=f"an action such as 3D06, one of {LETTERS}",
            )
        seat, letter, tile = int(match[1]), match[2], _tile(int(match[3]), at)
        at = match.end()
        if letter == "M":
            events.append(Event(seat, Action.DRAW, tile))
            drawn = tile
        elif letter == "P":
            events.append(Event(seat, Action.PONG, tile, other=discarder, tiles=(tile, tile)))
            drawn = -1
        elif letter == "H":
            own = drawn == tile and events[-1].action is Action.DRAW
            events.append(Event(seat, Action.WIN, tile, other=seat if own else discarder))
        else:
            if letter == "B":
                events.append(Event(seat, Action.READY))
            events.append(Event(seat, Action.DISCARD, tile))
            discarder, drawn = seat, -1
            if letter == "B":
                events.append(Event(seat, Action.READY_STANDS))
    if events[-1].action is not Action.WIN:
        events.append(Event(-1, Action.DRAWN_GAME))
