"""Initial states and current player of training games."""

from dataclasses import replace
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import whole
from mjopt.errors import ArgumentError, GameError
from mjopt.hands.tiles import COPIES
from mjopt.play.game.engine import draw_tile, start
from mjopt.play.game.events import Meld
from mjopt.play.game.moves import Action, with_copies
from mjopt.play.game.public_state import OpenTable, Phase
from mjopt.play.game.rules import JJ, NUM_SEATS, SEATS, GameRules
from mjopt.play.game.state import State
from mjopt.play.game.wall import shuffle_wall
from mjopt.play.learning.config import Configuration

TOY_RULES: Final = replace(JJ, ready=False)
HELD: Final = 4  # tiles of a hand: one less than a meld and a pair
MELDS: Final = 3
RANKS: Final = 7  # of one suit: few ranks keep hands close to a win
SHORTEST: Final = 4
LONGEST: Final = 12
WALL: Final = 6


def initial_state(config: Configuration, seed: int, game: int) -> State:
    """Return the initial state of a game.

    Examples
    --------
    >>> from mjopt.play.learning.config import PRESETS
    >>> state = initial_state(PRESETS["small"], 1, 0)
    >>> state.to_move, sum(state.hands[0]), state.table.rules.ready
    (0, 14, False)
    """
    if config.game == "toy":
        return toy_state(seed, game, rules=config.rule_set)
    rules = config.rule_set
    return start(rules, shuffle_wall(seed, game, rules.tiles))


def current_seat(state: State) -> int:
    """Return the seat that has to decide; raise GameError if the game is over."""
    if state.to_move is None:
        raise GameError("the game is over")
    return state.to_move


def toy_state(seed: int, game: int, *, wall: int = WALL, rules: GameRules = TOY_RULES) -> State:
    """Return a state near the end of a game, a function of the seed and the game's number.

    Hands and wall hold tiles of seven ranks of one suit; twelve pongs of the other suits are on the
    table, all other tiles in the rivers. With six tiles to draw there are about 4,000 reachable
    states; each further tile triples them.

    Raises ArgumentError if the wall is too short or too long, or the rules lack three suits.

    Parameters
    ----------
    seed, game
        As for :func:`mjopt.play.game.shuffle_wall`.
    wall
        Number of tiles in the wall, 4 to 12; the first of them is already drawn.
    rules
        Rules with three suits.

    Examples
    --------
    >>> state = toy_state(1, 0)
    >>> [sum(hand) for hand in state.hands], state.table.live, sum(state.tiles_in_play())
    ([5, 4, 4, 4], 5, 108)
    """
    if not SHORTEST <= whole(wall, "wall") <= LONGEST:
        raise ArgumentError(
            f"a wall of {short_repr(wall)} tiles", expected=f"{SHORTEST} to {LONGEST}"
        )
    slices = rules.tiles.slices
    if len(slices) != 3 or {part.stop - part.start for part in slices} != {9}:
        raise ArgumentError(f"rules {rules.name}", expected="three suits of nine kinds")
    order, kinds = shuffle_wall(seed, game, rules.tiles), rules.tiles.num_kinds
    suit = slices[game % len(slices)]
    own = [kind for kind in order if suit.start <= kind < suit.start + RANKS]
    others = [kind for kind in dict.fromkeys(order) if not suit.start <= kind < suit.stop]
    called = others[: NUM_SEATS * MELDS]
    hands, front = [(0,) * kinds for _ in SEATS], NUM_SEATS * HELD
    for place, kind in enumerate(own[:front]):
        hands[place % NUM_SEATS] = with_copies(hands[place % NUM_SEATS], kind, 1)
    rest = [kind for kind in order if suit.start + RANKS <= kind < suit.stop]
    rest += own[front + wall :] + called + others[len(called) :] * COPIES
    shown = [0] * kinds
    for kind in [*rest, *called * 3]:
        shown[kind] += 1
    first = game // len(slices) % NUM_SEATS
    table = OpenTable(
        rules=rules,
        dealer=first,
        turn=first,
        phase=Phase.DEALT,
        melds=tuple(
            tuple(
                Meld(Action.PONG, (kind,) * 3, (seat + 1) % NUM_SEATS)
                for kind in called[seat::NUM_SEATS]
            )
            for seat in SEATS
        ),
        rivers=tuple(tuple(rest[seat::NUM_SEATS]) for seat in SEATS),
        shown=tuple(shown),
        live=wall,
    )
    state = State(table=table, wall=tuple(own[front : front + wall]), front=0, hands=tuple(hands))
    return draw_tile(state, first, None)
