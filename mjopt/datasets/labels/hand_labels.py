"""Labels without parameters: deficiency, useful tiles, certificates, ..."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from mjopt._internal.arrays import Array
from mjopt.analysis.certificate import Certificate
from mjopt.analysis.certify import SHORTEST_PATH, certify
from mjopt.analysis.deficiency import decompositions, is_win
from mjopt.analysis.discard import discards
from mjopt.analysis.targets import targets
from mjopt.datasets.labels.base import DatasetColumn, HandRows, Label, accept, refuse_rules
from mjopt.datasets.labels.target_counts import num_decompositions, num_targets
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import ArgumentError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM, FORMS
from mjopt.hands.rules.read_forms import check_forms
from mjopt.hands.tiles import M0
from mjopt.models.predecomposition import PredecompositionModel
from mjopt.models.shortest_path import nearest_draws
from mjopt.models.solve import optimal_value, solve
from mjopt.proofs.native_check import FORMAT, VERSION
from mjopt.tables.labels.batch import label as deficiencies
from mjopt.tables.standard.table_file import DIGEST
from mjopt.tables.useful import best_discard_masks, useful_masks

# Engines. The digest of the tables determines their values.
TABLES: Final = f"tables {DIGEST[:12]}"
COUNTER: Final = "suit automaton 1"  # increase the number when the values change
SIGNATURES: Final = "suit signatures 1"
PROOFS: Final = (
    f"{SHORTEST_PATH.model} {SHORTEST_PATH.solver} {SHORTEST_PATH.version}, {FORMAT} {VERSION}"
)


def _label(
    name: str,
    engine: str,
    column: str,
    kind: str,
    meaning: str,
    *,
    compute: Callable[[HandRows], Array],
    verify: Callable[[Hand], object],
    validate: Callable[[Deal], None] = accept,
) -> Label:
    """Return a label of one column."""
    return Label(
        name=name,
        engine=engine,
        columns=(DatasetColumn(column, kind, meaning),),
        compute=compute,
        verify=verify,
        validate=validate,
    )


def _deficiency(form: str) -> Label:
    """Return the label of the deficiency of one form, verified by a certificate."""
    name = "deficiency" if form == DEFAULT_FORM else form

    def validate(deal: Deal) -> None:
        try:
            check_forms((form,), deal.tiles)
        except MjoptError as error:
            raise ArgumentError(f"label {name}: {error}") from None
        if form != DEFAULT_FORM and deal.called:
            raise ArgumentError(f"label {name}: needs hands with nothing called")

    return _label(
        *(name, TABLES, name, "int8"),
        f"tile changes to a complete hand, {form.replace('_', ' ')} form",
        compute=lambda rows: deficiencies(
            rows.hands, tiles=rows.deal.tiles, called=rows.deal.called, forms=(form,)
        ),
        verify=lambda hand: certify(hand, forms=(form,)).deficiency,
        validate=validate,
    )


def _wins(rows: HandRows) -> Array:
    """Return which hands are complete; a hand before its draw never is."""
    is_full = rows.hands.sum(axis=1) == 14 - 3 * rows.deal.called
    return np.asarray((_by_deal(deficiencies, rows) == 0) & is_full)


def _by_deal(compute: Callable[..., Array], rows: HandRows) -> Array:
    """Call a function of arrays with the tile set and the called melds of the hands."""
    return compute(rows.hands, tiles=rows.deal.tiles, called=rows.deal.called)


def _verify_useful(hand: Hand) -> int:
    """Find the useful tiles by shortest paths from both ends of the networks."""
    query = HandQuery(hand, general=True)
    parts = [part for form in query.forms for part in query.templates(form)]
    found = [nearest_draws(query, part) for part in parts]
    least = min(value for value, _ in found)
    drawn = set[int]().union(*(kinds for value, kinds in found if value == least))
    return sum(1 << kind for kind in drawn)


def _verify_discards(hand: Hand) -> int:
    """Find the best discards one by one, through the network."""
    if is_win(hand):
        return 0
    judged = [(found.deficiency, found.after.num_copies, found.kind) for found in discards(hand)]
    return sum(1 << kind for *value, kind in judged if value == [*judged[0][:2]])


def _validate_size(deal: Deal) -> None:
    if deal.size != deal.complete:
        raise ArgumentError(f"label discards: needs hands after their draw (size {deal.complete})")


def _paper_costs(rows: HandRows) -> Array:
    from mjopt.tables.standard._paper_cost import paper_costs  # numba takes a while to load

    return paper_costs(rows.hands)


def _validate_paper(deal: Deal) -> None:
    refuse_rules("cost", deal)
    if deal.tiles != M0 or deal.called:
        raise ArgumentError("label cost: needs hands of M0 with nothing called")


def _certificate(hand: Hand) -> str:
    return certify(hand).to_json()


def _verify_certificate(hand: Hand) -> str:
    """Certify a hand, and check the certificate."""
    text = _certificate(hand)
    Certificate.from_json(text)
    return text


def _digest(hand: Hand) -> str:
    return str(certify(hand).to_document()["digest"])


def _for_each_hand(find: Callable[[Hand], str]) -> Callable[[HandRows], Array]:
    """Return a function that computes a text for every hand, about a millisecond for each."""

    def compute(rows: HandRows) -> Array:
        found = np.empty(len(rows.hands), object)
        for place in range(len(found)):
            found[place] = find(rows.row(place).hand)
        return found

    return compute


DEFICIENCY, DEFICIENCY_OF_PAIRS, DEFICIENCY_OF_ORPHANS = map(_deficiency, FORMS)
WIN: Final = _label(
    *("win", TABLES, "win", "bool", "complete: four melds and an eye"),
    compute=_wins,
    verify=lambda hand: hand.is_full and certify(hand).deficiency == 0,
)
USEFUL: Final = _label(
    *("useful", TABLES, "useful_tiles", "mask"),
    "bit k: some nearest complete hand draws kind k",
    compute=partial(_by_deal, useful_masks),
    verify=_verify_useful,
)
DISCARDS: Final = _label(
    *("discards", TABLES, "best_discards", "mask"),
    "bit k: no discard is better than kind k; 0 for a complete hand",
    compute=partial(_by_deal, best_discard_masks),
    verify=_verify_discards,
    validate=_validate_size,
)
TARGETS: Final = _label(
    *("targets", COUNTER, "num_targets", "int32", "complete hands at the least distance"),
    compute=partial(_by_deal, num_targets),
    verify=lambda hand: targets(hand).number,  # paths through the network
)
DECOMPOSITIONS: Final = _label(
    *("decompositions", f"{COUNTER}, {TABLES}", "num_decompositions", "int32"),
    "ways to split it into melds and an eye",
    compute=partial(_by_deal, num_decompositions),
    # By set partition, one solve per decomposition.
    verify=lambda hand: len(decompositions(hand)) if hand.is_full else 0,
)
COST: Final = _label(
    *("cost", SIGNATURES, "paper_cost", "int8"),
    "least of Eq. 8 (Yan and Li 2023), both special cases applied",
    compute=_paper_costs,
    verify=lambda hand: optimal_value(solve(hand, model=PredecompositionModel.name)),
    validate=_validate_paper,
)
DIGEST_OF_CERTIFICATE: Final = _label(
    *("digest", PROOFS, "certificate_digest", "string"),
    "digest of the hand's certificate, which `mjopt certify` makes again",
    compute=_for_each_hand(_digest),
    verify=_digest,
)
CERTIFICATE: Final = _label(
    *("certificate", PROOFS, "certificate", "string"),
    "certificate of the deficiency; `mjopt verify` checks it",
    compute=_for_each_hand(_certificate),
    verify=_verify_certificate,
)
