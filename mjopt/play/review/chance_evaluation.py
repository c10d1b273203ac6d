"""Evaluations of decisions by the chance to win that they cost."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mjopt.play.review.chance import Chance, ChanceJudge
from mjopt.play.review.collector import DecisionCollector, SeenCall, SeenDiscard
from mjopt.play.review.evaluate import CHANCE, Evaluation


def judge_of(collected: DecisionCollector, seat: int | None = None) -> ChanceJudge:
    """Return what judges the discards, then the calls, of a seat or all by chance."""
    rows: list[SeenDiscard | SeenCall] = [*collected.discards, *collected.calls]
    return ChanceJudge(
        [
            None if row.is_forced or seat not in (None, row.player[1]) else row.decision
            for row in rows
        ],
        [row.player for row in rows],
        [row.is_spared for row in rows],
    )


def with_chances(judged: Evaluation, chances: Mapping[int, Chance]) -> Evaluation:
    """Return an evaluation by chance, given the chances of its discards, then its calls."""
    first = len(judged.discards)
    of_discards = tuple(map(chances.get, range(first)))
    lost = [
        np.nan if chance is None or chance.lost is None else chance.lost for chance in of_discards
    ]
    return replace(
        judged,
        by=CHANCE,
        discards=replace(judged.discards, lost=np.array(lost, np.float64)),
        chances=of_discards,
        calls=tuple(
            call._replace(chance=chances.get(first + at)) for at, call in enumerate(judged.calls)
        ),
    )
