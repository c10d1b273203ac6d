"""The analysis of one hand for the hand page, cached."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Final

from mjopt.analysis.ceiling.lookup import discard_ceilings
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import certify
from mjopt.analysis.deficiency import decompositions, deficiency, winning_forms
from mjopt.analysis.discard import Discard, discards
from mjopt.analysis.draws.calls import CallDraws, judge_calls
from mjopt.analysis.draws.distribution import Draws
from mjopt.analysis.draws.expected_draws import expected_draws
from mjopt.analysis.draws.ranking import DiscardDraws, rank_discards
from mjopt.analysis.explanation import Explanation, explain
from mjopt.analysis.formats import to_opb, to_vipr
from mjopt.analysis.targets import targets
from mjopt.analysis.useful_tiles import UsefulTiles, useful_tiles
from mjopt.errors import CertificateError
from mjopt.hands.blocks import Block
from mjopt.hands.query import HandQuery
from mjopt.hands.winning_forms import STANDARD
from mjopt.serve.hand_form import AnalysisQuery, Counts, errors_of

CACHE_SIZE: Final = 256  # analyses, about 100 kB each
CEILING_DRAWS: Final = 18
MAX_TARGETS: Final = 6  # nearest complete hands listed; all are counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """All results about one hand. Some exist only before the draw, some only after it."""

    certificate: Certificate
    explanation: Explanation
    wins: tuple[str, ...]  # the winning forms that are complete
    decompositions: tuple[tuple[Block, ...], ...]
    throws: tuple[tuple[DiscardDraws, Discard], ...]  # by ceiling if known, else expected draws
    ceilings: Mapping[int, Fraction]  # of the discards, if there is a table and the wall is fresh
    useful: UsefulTiles | None
    draws: Draws | None
    num_targets: int
    targets: tuple[Counts, ...]  # the first few of them


@lru_cache(maxsize=CACHE_SIZE)
def _analyse(query: HandQuery, wall: Counts) -> Analysis:
    hand, forms, unseen = query.hand, query.forms, query.unseen
    certificate = certify(hand, forms=forms, unseen=unseen)
    value = deficiency(hand, forms=forms, unseen=unseen)
    if value != certificate.deficiency:
        raise CertificateError(
            f"the tables say {value}, the proof {certificate.deficiency}: please report"
        )
    wins = tuple(winning_forms(hand, forms))
    near = targets(hand, forms=forms, unseen=unseen)
    throws: list[tuple[DiscardDraws, Discard]] = []
    if hand.is_full:
        left = {after.kind: after for after in discards(hand, forms=forms, unseen=unseen)}
        throws = [(row, left[row.kind]) for row in rank_discards(hand, wall=wall, forms=forms)]
    ceilings = {}
    if hand.is_full and wall == hand.unseen:
        ceilings = discard_ceilings(hand, forms=forms, draws=CEILING_DRAWS)
        throws.sort(key=lambda throw: -ceilings.get(throw[0].kind, 0))
    return Analysis(
        certificate=certificate,
        explanation=explain(certificate),
        wins=wins,
        decompositions=tuple(decompositions(hand)) if STANDARD in wins else (),
        throws=tuple(throws),
        ceilings=ceilings,
        useful=None if hand.is_full else useful_tiles(hand, unseen=unseen, forms=forms),
        draws=None if hand.is_full else expected_draws(hand, wall=wall, forms=forms),
        num_targets=near.number,
        targets=tuple(islice(near, MAX_TARGETS)),
    )


def analyse(query: AnalysisQuery) -> Analysis:
    """Return the analysis of a query; equal queries are analysed once."""
    return _analyse(query.hand_query, replace(query, call=None).wall)


def judge(query: AnalysisQuery) -> tuple[CallDraws, ...]:
    """Rank the answers to a discard of another player; FieldError for a hand after its draw."""
    if query.call is None:
        return ()
    with errors_of("call"):
        return _judge(query.hand_query, query.wall, query.call)


@lru_cache(maxsize=CACHE_SIZE)
def _judge(query: HandQuery, wall: Counts, kind: int) -> tuple[CallDraws, ...]:
    return tuple(judge_calls(query.hand, kind, wall=wall, forms=query.forms))


@lru_cache(maxsize=8)
def certificate_files(certificate: Certificate, format: str) -> dict[str, str]:
    """Return the files of a certificate by suffix: ``opb`` has two, with its proof."""
    if format == "json":
        return {"json": certificate.to_json() + "\n"}
    if format == "vipr":
        return {"vipr": to_vipr(certificate)}
    return dict(zip(("opb", "pbp"), to_opb(certificate), strict=True))
