"""Games that are learned from: how one begins, and who is asked in it."""

from mjopt.errors import GameError
from mjopt.game.engine import start
from mjopt.game.state import State
from mjopt.game.wall import shuffle_wall
from mjopt.learning.config import Configuration


def initial_state(config: Configuration, seed: int, game: int) -> State:
    """Return the beginning of a game.

    Examples
    --------
    >>> from mjopt.learning.config import PRESETS
    >>> state = initial_state(PRESETS["small"], 1, 0)
    >>> state.to_move, sum(state.hands[0]), state.table.rules.ready
    (0, 14, False)
    """
    if config.game == "toy":
        from mjopt.learning.toy import toy_state

        return toy_state(seed, game, rules=config.rule_set)
    rules = config.rule_set
    return start(rules, shuffle_wall(seed, game, rules.tiles))


def current_seat(state: State) -> int:
    """Return the seat that is asked."""
    if state.to_move is None:
        raise GameError("the game is over")
    return state.to_move
