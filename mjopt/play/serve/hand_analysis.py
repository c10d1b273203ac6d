"""The analysis of one hand for the hand page, cached."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import nlargest
from typing import Final

from mjopt.analysis.deficiency import decompositions, deficiency, winning_forms
from mjopt.analysis.discard import Discard, discards
from mjopt.analysis.targets import targets
from mjopt.analysis.useful_tiles import UsefulTiles, useful_tiles
from mjopt.chances.advice.position_document import errors_of
from mjopt.chances.danger.danger import Danger, danger
from mjopt.hands.blocks import Block, beyond
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.play.serve.all_drawn import chance_to_draw
from mjopt.play.serve.hand_form import AnalysisQuery, Counts

CACHE_SIZE: Final = 256  # analyses, about 100 kB each
LISTED: Final = 6  # nearest complete hands
MOST_TARGETS: Final = 10_000  # more are not compared


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """Results about one hand that need no search. Some exist only before or after the draw."""

    deficiency: int
    distances: Mapping[str, int]  # the deficiency for each form that can be reached
    wins: tuple[str, ...]  # the winning forms that are complete
    decompositions: tuple[tuple[Block, ...], ...]
    discards: tuple[Discard, ...]  # by deficiency, then useful tiles
    useful: UsefulTiles | None
    num_targets: int
    targets: tuple[tuple[Counts, Fraction], ...]  # the likeliest, with the chance to draw each
    danger: Danger | None  # against a player in riichi


@lru_cache(maxsize=CACHE_SIZE)
def analyse(query: AnalysisQuery) -> Analysis:
    """Return the analysis of a query; equal queries are analysed once."""
    hand, forms, unseen = query.hand_query.hand, query.hand_query.forms, query.hand_query.unseen
    by_form = {form.name: deficiency(hand, forms=(form,), unseen=unseen) for form in forms}
    distances = {form: value for form, value in by_form.items() if value < UNREACHABLE}
    has_called = query.position is not None and query.position.barred
    wins = () if has_called else tuple(winning_forms(hand, forms))
    complete = [form for form in forms if form.name in wins]
    split = [form for form in complete if not (form.is_pairs or form.is_singles)]
    near = targets(hand, forms=forms, unseen=unseen)
    num_targets = near.number if query.position else 0
    likely: list[tuple[Counts, Fraction]] = []
    if query.position and 0 < num_targets <= MOST_TARGETS:
        draws = query.position.draws
        chances = (chance_to_draw(beyond(target, hand.counts), unseen, draws) for target in near)
        likely = nlargest(LISTED, zip(near, chances, strict=True), key=lambda pair: pair[1])
    danger_found = None
    if query.position and query.opponent:
        with errors_of("riichi"):
            danger_found = danger(query.position, query.opponent)
    return Analysis(
        deficiency=min(by_form.values()),
        distances=distances,
        wins=wins,
        decompositions=tuple(decompositions(hand, forms=split)) if split else (),
        discards=tuple(discards(hand, forms=forms, unseen=unseen)) if hand.is_full else (),
        useful=None if hand.is_full else useful_tiles(hand, unseen=unseen, forms=forms),
        num_targets=num_targets,
        targets=tuple(likely),
        danger=danger_found,
    )
