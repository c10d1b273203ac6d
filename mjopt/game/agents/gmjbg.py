"""The agents of GMJBG (2017): discards by weights, chows locked, calls by total weight."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt.errors import GameError
from mjopt.game.moves import PASS, Action, Move
from mjopt.game.observation import View
from mjopt.game.public_state import Phase
from mjopt.game.readings import DEFAULT_READING, READINGS, Reading
from mjopt.game.tile_weights import choose_call, choose_discard, choose_kong


@dataclass(frozen=True, slots=True)
class _Greedy:
    """What the three levels share: win when it is possible, else throw the least weight."""

    reading: Reading = DEFAULT_READING

    level: ClassVar[str]
    locking: ClassVar[bool]
    calls: ClassVar[bool] = False

    @classmethod
    def from_options(cls, options: dict[str, Any]) -> "_Greedy":
        """Take ``reading=NAME``, one of ``mjopt.game.tile_weights.READINGS``."""
        chosen = str(options.pop("reading", "default"))
        if options:
            raise GameError(f"{cls.level} has no option {next(iter(options))!r}, expected reading")
        if chosen not in READINGS:
            raise GameError(f"reading {chosen!r}, expected one of {', '.join(READINGS)}")
        return cls(READINGS[chosen])

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return what ``from_options`` reads."""
        return [Parameter("reading", "default", tuple(READINGS))]

    @property
    def name(self) -> str:
        """The level, and the reading if it is not the default one."""
        if self.reading == DEFAULT_READING:
            return self.level
        known = [name for name, reading in READINGS.items() if reading == self.reading]
        return f"{self.level}-{known[0] if known else 'own-reading'}"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return a win if there is one; kongs are L3's, where its reading has them."""
        if moves[0].action is Action.WIN:
            return moves[0]
        if view.phase is Phase.ROB or (view.phase is Phase.CLAIM and not self.calls):
            return PASS
        if view.phase is Phase.CLAIM:
            return choose_call(view.hand, moves, view.tile, reading=self.reading)
        discards = [move for move in moves if move.action is Action.DISCARD]
        if len(discards) == 1:  # a seat that has declared itself ready
            return discards[0]
        if self.calls and (kong := choose_kong(view.hand, moves, reading=self.reading)):
            return kong
        kind = choose_discard(view.hand, locking=self.locking, reading=self.reading)
        return Move(Action.DISCARD, kind)


class L1(_Greedy):
    """Weights alone.

    References
    ----------
    .. [1] The Genius of Mahjong Boys and Girls, Tamkang University (2017), 3.3 and 3.4.

    Examples
    --------
    >>> L1().name, L1().locking, L3().calls
    ('l1', False, True)
    """

    __slots__ = ()
    level = "l1"
    locking = False


class L2(_Greedy):
    """Weights, with the tiles of a whole chow locked."""

    __slots__ = ()
    level = "l2"
    locking = True


class L3(_Greedy):
    """As L2; calls chow and pong when the total weight falls."""

    __slots__ = ()
    level = "l3"
    locking = True
    calls = True
