"""Labels of danger: the share of the ready hands of an opponent that win on each kind."""

import re
from typing import Final

import numpy as np

from mjopt._internal.arrays import Array
from mjopt._internal.progress import report
from mjopt._internal.sanitize import short_repr
from mjopt.chances.advice.position import Position
from mjopt.chances.danger.danger import VERDICTS, KindDanger, danger
from mjopt.chances.danger.opponent import Opponent
from mjopt.chances.danger.prior import PRIORS, Prior
from mjopt.datasets.labels.base import DatasetColumn, HandRows, Label
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import ArgumentError, MjoptError
from mjopt.hands.rules.read_forms import read_forms

COUNT: Final = "ready hands 1"  # increase the number when the values change

CODES: Final = {verdict: code for code, verdict in enumerate(VERDICTS)}
"""Numbers of the verdicts: 0 safe by rule, 1 proved safe, 2 possible, 3 no hand is ready."""


def danger_label(name: str) -> Label:
    """Return the label ``danger:PRIOR`` with the danger of every kind, for hands with a position.

    The prior is one of ``mjopt.PRIORS``.

    Examples
    --------
    >>> [(column.name, column.kind) for column in danger_label("danger:riichi-2022").columns]
    [('danger_riichi_2022', 'shares'), ('danger_riichi_2022_verdict', 'codes')]
    >>> danger_label("danger:flat")
    Traceback (most recent call last):
    mjopt.errors.ArgumentError: label 'danger:flat', expected one of danger:uniform, ...
    """
    prior = PRIORS.get(name.partition(":")[2])
    if prior is None:
        known = tuple(f"danger:{each}" for each in PRIORS)
        raise ArgumentError(argument="label", value=short_repr(name), expected=known)
    return label_of_prior(name, prior)


def label_of_prior(name: str, prior: Prior) -> Label:
    """Return the label under any prior."""

    def compute(rows: HandRows) -> tuple[Array, Array]:
        shares = np.full(rows.hands.shape, np.nan)
        codes = np.zeros(rows.hands.shape, np.uint8)
        for place in range(len(rows.hands)):
            try:
                found = _danger(rows.row(place), prior)
            except MjoptError as error:
                error.locate("row", value=str(rows.rows[place]))
                raise
            codes[place] = [CODES[row.verdict] for row in found]
            shares[place] = [np.nan if row.share is None else float(row.share) for row in found]
            report(1)
        return shares, codes

    def validate(deal: Deal) -> None:
        forms = read_forms(None, deal.tiles, deal.complete, rules=deal.rules)
        if any(template.jokers for form in forms for template in form.templates):
            raise ArgumentError(f"label {name}: ready hands are not counted with jokers")

    word = re.sub(r"[^a-z0-9]", "_", f"danger_{prior.name}".lower())
    fitted = prior.fitted_to or "no games"
    codes = ", ".join(f"{code} {verdict}" for verdict, code in CODES.items())
    return Label(
        name=name,
        engine=COUNT,
        columns=(
            DatasetColumn(
                word,
                "shares",
                f"share of the opponent's ready hands that win on each kind, if he is ready, under "
                f"the prior {prior.name} (fitted to {fitted}); NaN if no hand is ready",
            ),
            DatasetColumn(f"{word}_verdict", "codes", f"verdict on each kind: {codes}"),
        ),
        compute=compute,
        validate=validate,
        needs_positions=True,
    )


def _danger(row: HandRows, prior: Prior) -> tuple[KindDanger, ...]:
    """Return the danger of each kind in the position of one row."""
    if row.positions is None:
        raise ArgumentError("no positions", expected="the recipe positions:PATH")
    [unseen], [mask] = row.positions.unseen.tolist(), row.positions.cannot_win_on.tolist()
    [melds], [called] = row.positions.opponent_melds, row.positions.opponent_called.tolist()
    opponent = Opponent(
        melds=melds.split(",") if melds else (),
        called=called,
        passed=[kind for kind in range(row.deal.tiles.num_kinds) if mask >> kind & 1],
    )
    position = Position(hand=row.hand, wall=tuple(unseen), calls=(), draws=0)
    return danger(position, opponent, prior=prior).kinds
