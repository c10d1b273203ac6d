"""The deficiency agent: minimise the deficiency after the discard, by any method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from mjopt._internal.registry import Parameter
from mjopt.heuristics.registry import HEURISTICS
from mjopt.models.formulation import Goal
from mjopt.models.registry import FORMULATIONS
from mjopt.play.game.agents.deficiency_backends import (
    DeficiencyMethod,
    MethodOptions,
    TableMethod,
    read_method_options,
)
from mjopt.play.game.agents.greedy import (
    TIES,
    CallPolicy,
    PolicyOptions,
    Rating,
    RatingAgent,
    break_tie,
    check_words,
    take_policy,
)
from mjopt.play.game.moves import with_copies
from mjopt.play.game.observation import View
from mjopt.tables.useful import judge_discards, judge_waits

Counts = tuple[int, ...]

USEFUL: Final[dict[str, str]] = {
    "tables": "with the tables for every method, so that agents differ by the deficiency alone",
    "method": "with the method itself, which then evaluates some thirty times as many hands",
    "none": "useful tiles are not counted",
}
"""Ways to count the useful tiles that break ties, with descriptions."""


@dataclass(slots=True)
class _Memory:
    """Cached results of a slow or random method for the hands of one game.

    The random generator identifies the game. Equal hands are evaluated once per game. No value
    is reused in another game, because results would then depend on the order of games.
    """

    rng: np.random.Generator | None = None
    values: dict[tuple[Counts, int], int] = field(default_factory=dict)

    def of(self, rng: np.random.Generator) -> dict[tuple[Counts, int], int]:
        if rng is not self.rng:
            self.rng = rng
            self.values.clear()
        return self.values


class DeficiencyOptions(PolicyOptions, MethodOptions, total=False):
    """The options of the agent and its policy, as in its spec; all others are the method's."""

    method: str
    ties: str
    useful: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeficiencyAgent(RatingAgent):
    """Minimise the deficiency after the discard; break ties by useful tiles, then by a rule.

    Parameters
    ----------
    method
        The method that computes the deficiency.
    ties
        The final tie-breaking rule, one of ``mjopt.play.game.agents.greedy.TIES``.
    useful
        The way to count unseen useful tiles, one of :data:`USEFUL`.
    policy
        When the agent calls, makes kongs and declares ready.

    Notes
    -----
    A useful tile is one that reduces the deficiency. Their number counts the copies that the
    seat cannot see.

    Examples
    --------
    >>> DeficiencyAgent.from_options({"method": "ndde", "population": 50}).name
    'deficiency-ndde-50-50'
    >>> DeficiencyAgent.from_options({"ties": "first", "calls": "never"}).name
    'deficiency-first-never'
    """

    method: DeficiencyMethod = field(default_factory=TableMethod)
    ties: str = "outer"
    useful: str = "tables"
    memory: _Memory = field(default_factory=_Memory, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Reject unknown options."""
        check_words(self, ties=TIES, useful=USEFUL)

    @classmethod
    def from_options(cls, options: DeficiencyOptions) -> "DeficiencyAgent":
        """Read ``method=``, ``ties=``, ``useful=``, ``calls=``, ``kongs=``, ``ready=``.

        All other options go to the method.
        """
        default, policy = cls(), take_policy(options)
        ties, useful = options.pop("ties", default.ties), options.pop("useful", default.useful)
        method = read_method_options(str(options.pop("method", "table")), options)
        return cls(policy=policy, method=method, ties=ties, useful=useful)

    @classmethod
    def list_options(cls) -> list[Parameter]:
        """Return the options of ``from_options``, without those of the method."""
        exact = [name for name, model in FORMULATIONS.items() if model().goal is Goal.DEFICIENCY]
        methods = ("table", *exact, *HEURISTICS.names)
        return [
            Parameter("method", "table", (*methods, "FILE.py:CLASS")),
            Parameter("ties", "outer", tuple(TIES)),
            Parameter("useful", "tables", tuple(USEFUL)),
            *CallPolicy.list_options(),
        ]

    @property
    def name(self) -> str:
        """The method (unless it is the tables) and the options that are not default."""
        words = ["deficiency"]
        if self.method != TableMethod():
            words.append(self.method.name)
        words += [self.ties] * (self.ties != "outer")
        words += [f"useful-{self.useful}"] * (self.useful != "tables")
        return "-".join(words + self.policy.words())

    def rate_discards(
        self, view: View, hand: Counts, called: int, kinds: Sequence[int], rng: np.random.Generator
    ) -> Mapping[int, Rating]:
        """Rate by deficiency; rate the best also by useful tiles."""
        exact = isinstance(self.method, TableMethod)
        if exact and self.useful != "none":
            values, useful = _judge(view, hand, called)
            return {kind: (values[kind], -useful[kind]) for kind in kinds}
        values = self._values([with_copies(hand, kind, -1) for kind in kinds], called, view, rng)
        least, by_kind = min(values), dict(zip(kinds, values, strict=True))
        # Only the best discards need the second criterion.
        tied = [kind for kind, value in by_kind.items() if value == least]
        is_needed = len(tied) > 1 and self.useful != "none"
        copies = self._useful(view, hand, called, tied, rng) if is_needed else {}
        return {kind: (value, -copies.get(kind, 0)) for kind, value in by_kind.items()}

    def rate_waiting(
        self, view: View, hand: Counts, called: int, rng: np.random.Generator
    ) -> Rating:
        """Rate a waiting hand by the same criteria."""
        value = self._values([hand], called, view, rng)[0]
        if self.policy.calls != "wider" or self.useful == "none":
            return (value, 0)
        if self.useful == "method":
            return (value, -self._useful_of(view, hand, called, rng))
        _, useful = judge_waits(hand, view.unseen, called=called, forms=view.rules.forms)
        return (value, -int(useful))

    def pick(
        self, view: View, hand: Counts, called: int, tied: list[int], rng: np.random.Generator
    ) -> int:
        """Break a tie by the final rule."""
        if self.ties == "draws":
            from mjopt.play.game.agents.expected_draws import DrawsAgent

            rated = DrawsAgent().rate_discards(view, hand, called, tied, rng)
            best = min(rated.values())
            tied = [kind for kind in tied if rated[kind] == best]
        return break_tie(tied, self.ties, tiles=view.tiles, rng=rng)

    def _values(
        self, hands: list[Counts], called: int, view: View, rng: np.random.Generator
    ) -> list[int]:
        known = self.memory.of(rng)
        new = [hand for hand in dict.fromkeys(hands) if (hand, called) not in known]
        if new:
            forms = view.rules.forms
            forms = tuple(form for form in forms if form.is_plain) if called else forms
            values = self.method.values(new, called=called, tiles=view.tiles, forms=forms, rng=rng)
            known.update(((hand, called), value) for hand, value in zip(new, values, strict=True))
        return [known[hand, called] for hand in hands]

    def _useful(
        self, view: View, hand: Counts, called: int, kinds: list[int], rng: np.random.Generator
    ) -> dict[int, int]:
        if self.useful == "tables":
            useful = _judge(view, hand, called)[1]
            return {kind: useful[kind] for kind in kinds}
        return {
            kind: self._useful_of(view, with_copies(hand, kind, -1), called, rng) for kind in kinds
        }

    def _useful_of(self, view: View, hand: Counts, called: int, rng: np.random.Generator) -> int:
        """Count useful copies with the method itself."""
        [value] = self._values([hand], called, view, rng)
        drawable = [(k, copies) for k, copies in enumerate(view.unseen) if copies and hand[k] < 4]
        values = self._values([with_copies(hand, k, 1) for k, _ in drawable], called, view, rng)
        return sum(
            copies for (_, copies), after in zip(drawable, values, strict=True) if after < value
        )


def _judge(view: View, hand: Counts, called: int) -> tuple[list[int], list[int]]:
    """Return deficiency and useful copies after each discard, from the tables."""
    values, useful = judge_discards(hand, view.unseen, called=called, forms=view.rules.forms)
    return values.tolist(), useful.tolist()
