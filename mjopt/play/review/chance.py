"""Judge decisions by the chance to win that they cost, with the own draws that were left."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mjopt._internal.executor import Workers
from mjopt._internal.jit import compile_always
from mjopt.chances.advice.advise import NORMAL, QUICK, advise
from mjopt.chances.advice.options import DRAWS, NOTHING, PASS, WIN, Advice, AdvisedOption
from mjopt.chances.advice.position import Position
from mjopt.chances.win_chance.discard_bounds import rounded
from mjopt.play.game.moves import NO_KIND
from mjopt.play.review.log_danger import LoggedDanger, logged_danger
from mjopt.play.review.log_positions import LoggedDecision

NUM_COSTLIEST: Final = 10
"""Decisions of a player in a game, the costliest, that are judged with normal effort."""


class Chance(NamedTuple):
    """A decision beside the best option of its position."""

    position: str  # as for mjopt.advise, which gives the same numbers
    effort: str
    measure: str  # by which the options are ranked; see mjopt.chances.advice.options.Advice
    is_best: bool  # whether the decision is the first option
    best_option: str  # the first option in words
    best_discard: int  # the kind that it discards, without a call; -1 otherwise
    at_least: float | None  # proven chance of the decision; None if not searched
    best_at_least: float | None  # that of the first option
    estimate: float | None  # simulated chance of the decision; None if not simulated
    best_estimate: float | None  # that of the first option
    lost: float | None  # chance lost against the first option; None if unknown
    is_lost_proven: bool  # whether every play after the decision wins less than the first option
    # The danger of the discard and that of the safest one; None if nobody was in riichi.
    of_discard: LoggedDanger | None = None

    @property
    def danger(self) -> str | None:
        """The danger of the discard in words, or its share in percent; None without a riichi."""
        return None if self.of_discard is None else self.of_discard.thrown.text

    @property
    def deals_in(self) -> float | None:
        """The share of the ready hands that win on the discard; None if it was not counted."""
        return None if self.of_discard is None else self.of_discard.thrown.share_float

    @property
    def safest(self) -> str | None:
        """The safest kind that could have been discarded."""
        return None if self.of_discard is None else self.of_discard.safest.name

    @property
    def safest_danger(self) -> str | None:
        """Its danger, as of the discard."""
        return None if self.of_discard is None else self.of_discard.safest.text

    @property
    def safest_deals_in(self) -> float | None:
        """Its share, as of the discard."""
        return None if self.of_discard is None else self.of_discard.safest.share_float

    @property
    def safest_lost(self) -> float | None:
        """The chance to win that it gives up against the best option; None if unknown."""
        return None if self.of_discard is None else self.of_discard.lost

    @property
    def is_hopeless(self) -> bool:
        """Whether no option could win by own draws."""
        return self.measure == NOTHING


def chance_of(decision: LoggedDecision, advice: Advice) -> Chance | None:
    """Compare a decision with the first option; None if it is not among the options.

    What is lost is unknown if the hand could have won, since a win may need more than a form. A
    call passed up costs something only if it is the first option.
    """
    first, row = advice.options[0], _chosen(decision, advice)
    if row is None:
        return None
    lost = row.lost
    if first.action == WIN:
        lost = None
    elif decision.rival is not None and first.meld != decision.rival and lost is not None:
        lost = type(lost)(0)
    return Chance(
        position=advice.position.to_text(),
        effort=advice.effort,
        measure=advice.measure,
        is_best=row is first,
        best_option=first.name,
        best_discard=NO_KIND if first.kind is None or first.meld is not None else first.kind,
        at_least=None if row.at_least is None else rounded(row.at_least, up=False),
        best_at_least=None if first.at_least is None else rounded(first.at_least, up=False),
        estimate=_mean(row),
        best_estimate=_mean(first),
        lost=None if lost is None else float(lost),
        is_lost_proven=bool(lost) and row.is_lost_proven,
        of_discard=None
        if decision.discard == NO_KIND
        else logged_danger(advice.position, decision.opponents, decision.discard, advice),
    )


def _mean(option: AdvisedOption) -> float | None:
    """Return the estimated chance of an option, if it was estimated."""
    return None if option.estimate is None else option.estimate.mean


def _chosen(decision: LoggedDecision, advice: Advice) -> AdvisedOption | None:
    """Return the option that was chosen."""
    if decision.discard != NO_KIND:
        return advice.option(decision.discard)
    if decision.meld is not None:
        rows = (row for row in advice.options if row.meld == decision.meld)
    else:
        rows = (row for row in advice.options if row.action == PASS)
    return next(rows, None)


class ChanceJudge:
    """Judges decisions: all with quick effort, then those that seem to cost most with normal.

    A decision of None is not judged; ``players`` are the game and the seat of each. ``spared`` says
    whether a decision, such as folding, is not among the costliest.
    """

    def __init__(
        self,
        decisions: Sequence[LoggedDecision | None],
        players: Sequence[tuple[int, int]],
        spared: Sequence[bool],
    ) -> None:
        self.chances: dict[int, Chance] = {}
        self._players, self._spared = players, spared
        self._decisions: dict[Position, list[tuple[int, LoggedDecision]]] = {}
        for at, decision in enumerate(decisions):
            if decision is not None:
                self._decisions.setdefault(decision.position, []).append((at, decision))
        self._quick = dict.fromkeys(self._decisions)  # positions without an answer

    @property
    def num_positions(self) -> int:
        """Number of positions to judge."""
        return len(self._decisions)

    @property
    def num_judged(self) -> int:
        """Number of positions that are judged at least quickly."""
        return len(self._decisions) - len(self._quick)

    def tasks(self) -> list[tuple[Position, str]]:
        """Return positions to advise on next, each with an effort; none if all is judged."""
        if self._quick:
            return [(position, QUICK) for position in self._quick]
        doubtful = set(self._doubtful())
        return [
            (position, NORMAL)
            for position, decisions in self._decisions.items()
            if any(at in doubtful for at, _ in decisions)
        ]

    def add(self, advice: Advice) -> None:
        """Judge the decisions of a position, unless they were judged with normal effort."""
        self._quick.pop(advice.position, None)
        for at, decision in self._decisions.get(advice.position, ()):
            before = self.chances.get(at)
            if before is None or before.effort == QUICK:
                chance = chance_of(decision, advice)
                if chance is not None:
                    self.chances[at] = chance

    def _doubtful(self) -> Iterator[int]:
        """Yield quickly judged decisions: not compared, or seemingly among the costliest."""
        costs: dict[tuple[int, int], list[tuple[float, int]]] = {}
        for at, chance in self.chances.items():
            if not self._spared[at]:
                if chance.lost:
                    costs.setdefault(self._players[at], []).append((chance.lost, at))
                elif chance.measure == DRAWS and not chance.is_best:
                    yield at
        for each in costs.values():
            most = sorted(each, reverse=True)[:NUM_COSTLIEST]
            yield from (at for _, at in most if self.chances[at].effort == QUICK)

    def judge(self, workers: Workers) -> None:
        """Judge all decisions."""
        while tasks := self.tasks():
            for advice in workers.map(_advise, tasks):
                self.add(advice)


def _advise(task: tuple[Position, str]) -> Advice:
    position, effort = task
    with compile_always():
        return advise(position, effort=effort)
