"""The agents of GMJBG (2017): discards by tile weight, locked chows, calls by total weight."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt._internal.sanitize import short_repr
from mjopt.errors import GameError
from mjopt.play.game.agents.greedy import check_option_names
from mjopt.play.game.moves import PASS, Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.tile_weights import (
    DEFAULT,
    VARIANTS,
    WeightVariant,
    choose_call,
    choose_discard,
)


@dataclass(frozen=True, slots=True)
class _GreedyAgent:
    """Base class of the three levels: win if possible, else discard the tile of least weight."""

    variant: WeightVariant = DEFAULT

    level: ClassVar[str]
    locking: ClassVar[bool]
    calls: ClassVar[bool] = False

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> "_GreedyAgent":
        """Read ``variant=NAME``, one of ``mjopt.play.game.tile_weights.VARIANTS``."""
        check_option_names(cls.level, options, cls.list_options())
        name = str(options.get("variant", "default"))
        if name not in VARIANTS:
            raise GameError(argument="variant", value=short_repr(name), expected=tuple(VARIANTS))
        return cls(VARIANTS[name])

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options that ``from_options`` reads."""
        return [Parameter("variant", "default", tuple(VARIANTS))]

    @property
    def name(self) -> str:
        """The level, followed by the variant unless it is the default."""
        if self.variant == DEFAULT:
            return self.level
        names = [name for name, variant in VARIANTS.items() if variant == self.variant]
        return f"{self.level}-{names[0] if names else 'custom'}"

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return a win if possible, else a call (L3 only), a pass or a discard."""
        if moves[0].action is Action.WIN:
            return moves[0]
        if view.phase is Phase.ROB or (view.phase is Phase.CLAIM and not self.calls):
            return PASS
        if view.phase is Phase.CLAIM:
            return choose_call(view.hand, moves, view.tile, variant=self.variant)
        discards = [move for move in moves if move.action is Action.DISCARD]
        if len(discards) == 1:  # a seat that has declared ready
            return discards[0]
        kind = choose_discard(view.hand, locking=self.locking, variant=self.variant)
        if Move(Action.DISCARD, kind) not in discards:  # barred after a call, unlike in GMJBG
            allowed = [0] * len(view.hand)
            for move in discards:
                allowed[move.kind] = view.hand[move.kind]
            kind = choose_discard(tuple(allowed), locking=False, variant=self.variant)
        return Move(Action.DISCARD, kind)


class L1(_GreedyAgent):
    """Win if possible, else discard the tile of the least weight; call nothing.

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


class L2(_GreedyAgent):
    """Like L1, but lock the tiles of a complete chow.

    Examples
    --------
    >>> import mjopt
    >>> from mjopt.play.game.agents import L2
    >>> result = mjopt.play.battle([L2(), "random", L2(), "random"], seed=1, games=2)
    >>> list(dict.fromkeys(result.names))
    ['l2', 'random']
    """

    __slots__ = ()
    level = "l2"
    locking = True


class L3(_GreedyAgent):
    """Like L2, but call a chow or pong that reduces the total weight.

    Examples
    --------
    >>> import mjopt
    >>> from mjopt.play.game.agents import L3
    >>> result = mjopt.play.battle([L3(), "random", L3(), "random"], seed=1, games=2)
    >>> list(dict.fromkeys(result.names))
    ['l3', 'random']
    """

    __slots__ = ()
    level = "l3"
    locking = True
    calls = True
