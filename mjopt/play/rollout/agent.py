"""The rollout agent: compare moves by playouts of the table policy."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.registry import Parameter
from mjopt._internal.validation import as_whole, is_number
from mjopt.errors import GameError
from mjopt.play.game.agents.deficiency import DeficiencyAgent
from mjopt.play.game.agents.greedy import check_option_names, check_words
from mjopt.play.game.moves import Action, Move
from mjopt.play.game.observation import View
from mjopt.play.game.public_state import Phase
from mjopt.play.game.rules import GameRules
from mjopt.play.rollout.playout import check_playout_rules, sample_scores

HANDS: Final[dict[str, str]] = {
    "grown": "as if the other seats had drawn and discarded by the policy; declared hands wait",
    "uniform": "uniformly random",
}
"""Ways to deal the hands of the other seats, with descriptions."""

MOST_PLAYOUTS: Final = 1_000_000
MOST_CANDIDATES: Final = 14
CHUNK: Final = 64
"""Deals between two tests whether an option has fallen behind."""

LEAD: Final = 2.0
"""Standard errors by which an option that is dropped at once is behind the best one."""

MARGIN: Final = 1.0
"""Standard errors by which a move must be better than that of the policy: it seldom is."""

_CALLS: Final = (Phase.CLAIM, Phase.ROB)
_DISCARDS: Final = (Action.DISCARD, Action.READY)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class RolloutOptions(TypedDict, total=False):
    """The options of the agent, as in its spec."""

    playouts: int
    candidates: int
    seconds: float
    hands: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutAgent:
    """Make the move with the best mean result of playouts against the table policy.

    A playout deals the tiles that the seat cannot see, makes the move, and plays the game on to
    its end with every seat as the agent ``deficiency``. All moves are played on the same deals.
    Sequential halving divides the playouts: each round keeps the better half of the moves.

    Examples
    --------
    >>> RolloutAgent.from_options({"playouts": 400}).name
    'rollout-playouts-400'
    >>> RolloutAgent(playouts=0)
    Traceback (most recent call last):
    mjopt.errors.GameError: playouts=0, expected 1 to 1000000
    """

    playouts: int = 4000  # most playouts of a decision, over all its moves
    # Number of discards that are compared: the first by deficiency, useful tiles and the rule
    # ``outer``. Calls, kongs, declarations, wins and passes are always compared.
    candidates: int = 7
    # Most seconds for a decision, 0 without a limit. A decision that reaches the limit depends on
    # the speed of the machine.
    seconds: float = 0
    hands: str = "grown"  # how the hands of the other seats are dealt, one of HANDS

    def __post_init__(self) -> None:
        """Reject options out of range."""
        for name, most in (("playouts", MOST_PLAYOUTS), ("candidates", MOST_CANDIDATES)):
            number = getattr(self, name)
            if not 1 <= (as_whole(number) or 0) <= most:
                raise GameError(f"{name}={number}", expected=f"1 to {most}")
        if not is_number(self.seconds) or not 0 <= self.seconds <= 3600:
            raise GameError(f"seconds={self.seconds}", expected="0 to 3600")
        check_words(self, hands=HANDS)

    @classmethod
    def from_options(cls, options: RolloutOptions) -> "RolloutAgent":
        """Read ``playouts=``, ``candidates=``, ``seconds=`` and ``hands=``."""
        check_option_names("rollout", options, cls.list_options())
        return cls(**options)

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options of ``from_options``."""
        default = cls()
        return [
            Parameter("playouts", default.playouts, low=1, high=MOST_PLAYOUTS),
            Parameter("candidates", default.candidates, low=1, high=MOST_CANDIDATES),
            Parameter("seconds", default.seconds, low=0, high=3600),
            Parameter("hands", default.hands, tuple(HANDS)),
        ]

    @property
    def name(self) -> str:
        """``rollout`` and the options that are not default."""
        default = type(self)()
        words = [
            f"{option}-{getattr(self, option):g}"
            for option in ("playouts", "candidates", "seconds")
            if getattr(self, option) != getattr(default, option)
        ]
        return "-".join(["rollout", *words, *[self.hands] * (self.hands != default.hands)])

    def check_rules(self, rules: GameRules) -> None:
        """Raise GameError if playouts do not support the rules."""
        check_playout_rules(rules)

    def choose(self, view: View, moves: tuple[Move, ...], *, rng: np.random.Generator) -> Move:
        """Return the move of the best mean result."""
        options = self.options(view, moves, rng)
        if len(options) == 1:
            return options[0]
        return options[self._search(view, options, int(rng.integers(2**63)))]

    def options(
        self, view: View, moves: Sequence[Move], rng: np.random.Generator
    ) -> tuple[Move, ...]:
        """Return the moves to compare: first that of the table policy, which wins ties."""
        agent = DeficiencyAgent()
        policy = agent.choose(view, tuple(moves), rng=rng)
        if view.phase in _CALLS:
            return tuple(dict.fromkeys([policy, *moves]))
        kinds = [move.kind for move in moves if move.action is Action.DISCARD]
        rated = agent.rate_discards(view, view.hand, view.called, kinds, rng)
        far = [abs(view.tiles.rank(kind) - 5) for kind in kinds]
        ranked = sorted(zip(kinds, far, strict=True), key=lambda k: (rated[k[0]], -k[1], k[0]))
        kept = {kind for kind, _ in ranked[: self.candidates]}
        others = [move for move in moves if move.action not in _DISCARDS or move.kind in kept]
        return tuple(dict.fromkeys([policy, *others]))

    def _search(self, view: View, options: Sequence[Move], seed: int) -> int:
        """Return the number of the best option, by sequential halving."""
        end = time.perf_counter() + self.seconds if self.seconds else np.inf
        alive = np.arange(len(options))
        scores = np.zeros((0, len(options)))
        num_rounds = int(np.ceil(np.log2(len(options))))
        for _ in range(num_rounds):
            deals = max(self.playouts // (num_rounds * len(alive)), 1)
            keep = (len(alive) + 1) // 2
            while deals and len(alive) > 1:
                number = min(deals, CHUNK)
                more = np.zeros((number, len(options)))
                more[:, alive] = sample_scores(
                    view,
                    [options[option] for option in alive.tolist()],
                    number,
                    seed=seed,
                    first=len(scores),
                    grown=self.hands == "grown",
                )
                scores = np.concatenate([scores, more])
                alive = _leading(scores, alive)
                deals -= number
                if time.perf_counter() > end:
                    return int(_best_first(scores, alive)[0])
            alive = np.sort(_best_first(scores, alive)[:keep])
        return int(alive[0])


def _best_first(scores: Floats, alive: Integers) -> Integers:
    """Return the options by their means; all but the policy's move, number 0, have a margin."""
    means = scores[:, alive].mean(axis=0)
    if alive[0] == 0:
        error = (scores[:, alive] - scores[:, :1]).std(axis=0) / np.sqrt(len(scores))
        means = means - MARGIN * error
    order: Integers = alive[np.argsort(-means, kind="stable")]
    return order


def _leading(scores: Floats, alive: Integers) -> Integers:
    """Return the options that are not clearly worse than the best one, on the same deals."""
    best = alive[scores[:, alive].mean(axis=0).argmax()]
    behind = scores[:, best, None] - scores[:, alive]
    error = behind.std(axis=0) / np.sqrt(len(scores))
    leading: Integers = alive[behind.mean(axis=0) <= LEAD * error]
    return leading
