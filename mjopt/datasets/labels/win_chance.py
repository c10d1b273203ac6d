"""Labels by bounds on optimal play: win chances, and verdicts on common advice."""

import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.progress import report
from mjopt._internal.registry import read_options
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import as_whole
from mjopt.analysis.certify import certify
from mjopt.chances.draws.ranking import rank_discards
from mjopt.chances.win_chance.discard_bounds import as_fraction, rounded
from mjopt.chances.win_chance.optimal_play import AUTO, optimal_play
from mjopt.chances.win_chance.play_bounds import COMPLETE, Play
from mjopt.datasets.labels.base import DatasetColumn, HandRows, Label, refuse_rules
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import ArgumentError, CertificateError, HandError
from mjopt.hands.hand import Hand
from mjopt.proofs.win_chance_check import verify_win_chance
from mjopt.tables.labels.batch import label as deficiencies
from mjopt.tables.standard.table_file import DIGEST
from mjopt.tables.useful import best_discard_masks

BOUNDS: Final = f"bounds on play 1, tables {DIGEST[:12]}"  # a version number
ROUNDING: Final = Fraction(1, 1 << 30)  # exceeds the rounding of bounds in certificates

ADVICE: Final = ("useful", "draws")
"""Rules: discard for most useful tiles at least deficiency, or for fewest expected draws."""

WRONG_FOR_ALL, WRONG, OPEN, RIGHT, RIGHT_FOR_ALL = -2, -1, 0, 1, 2
FOR_ALL: Final = {WRONG: WRONG_FOR_ALL, OPEN: OPEN, RIGHT: RIGHT_FOR_ALL}


class LabelSpec(NamedTuple):
    """Parameters in the name of a label: the number of draws, and the class of plays."""

    name: str
    draws: int
    waste: int | str

    def play(self, rows: HandRows, place: int) -> Play:
        """Search one hand; ArgumentError if it is too far from a win for this waste."""
        hand = rows.row(place).hand
        try:
            return optimal_play(hand, draws=self.draws, waste=self.waste, table=False)
        except HandError as error:
            row = f"row {rows.rows[place]}, {hand.to_text()}"
            raise ArgumentError(f"label {self.name}: {row}: {error}") from None

    def validate(self, deal: Deal) -> None:
        """Raise if there are more draws than tiles left, or the hands have rules."""
        refuse_rules(self.name, deal)
        left = deal.tiles.num_tiles - deal.num_tiles
        if self.draws > left:
            raise ArgumentError(f"label {self.name}: {self.draws} draws, but {left} tiles are left")


def _parse(name: str, waste: int | str) -> LabelSpec:
    """Parse ``LABEL:N`` or ``LABEL:N:waste=W``."""
    word, _, rest = name.partition(":")
    number, *given = rest.split(":")
    draws = int(number) if number.isdecimal() and len(number) < 5 else 0
    if draws < 1:
        raise ArgumentError(
            argument="label",
            value=short_repr(name),
            expected=f"{word}:N or {word}:N:waste=W, N draws",
        )
    for option, value in read_options(given, what=f"label {short_repr(name)}", error=ArgumentError):
        whole = as_whole(value)
        if option == "waste" and value == AUTO:
            waste = AUTO
        elif option == "waste" and whole is not None and whole >= 0:
            waste = whole
        else:
            raise ArgumentError(
                f"label {short_repr(name)}: {option}={value}", expected="waste=0, 1, ... or auto"
            )
    return LabelSpec(name, draws, waste)


def win_within_label(name: str) -> Label:
    """Return the label with bounds of the chance to win within N draws.

    Its name is ``win_within:N`` or ``win_within:N:waste=W``, as for :func:`mjopt.optimal_play`.

    Examples
    --------
    >>> [column.name for column in win_within_label("win_within:6").columns]
    ['win_within_6_lower', 'win_within_6_upper', 'win_within_6_waste']
    """
    spec = _parse(name, AUTO)

    def compute(rows: HandRows) -> tuple[NDArray[np.generic], ...]:
        """Bound the chances of all hands; the chance of a complete hand is 1."""
        found = np.tile([1.0, 1.0, 0.0], (len(rows.hands), 1))
        for place in np.flatnonzero(~_wins(rows)).tolist():
            play = spec.play(rows, place)
            lower, upper = _ends(play)
            found[place] = rounded(lower, up=False), rounded(upper, up=True), play.waste
            report(1)
        return tuple(found.T)

    def verify(hand: Hand) -> float:
        """Search again, and check the certificate of the lower bound."""
        if hand.is_full and not certify(hand).deficiency:
            return 1.0
        play = optimal_play(hand, draws=spec.draws, waste=spec.waste, table=False)
        lower, upper = _ends(play)
        # The best bound may belong to a narrower class: certify that class.
        proven = max(_proven(hand, play, waste) for waste in range(play.waste + 1))
        if not lower - ROUNDING <= proven <= upper:
            raise CertificateError(f"bounds {lower}..{upper}, but the certificate proves {proven}")
        return rounded(lower, up=False)

    word = f"win_within_{spec.draws}"
    chance = f"chance to win within {spec.draws} draws"
    return Label(
        name=name,
        engine=BOUNDS,
        columns=(
            DatasetColumn(f"{word}_lower", "float64", f"{chance}: some way to play has as much"),
            DatasetColumn(f"{word}_upper", "float64", f"{chance}: no play of the class has more"),
            DatasetColumn(
                f"{word}_waste",
                "int8",
                f"the class; all plays if {spec.draws} <= deficiency + waste",
            ),
        ),
        compute=compute,
        verify=verify,
        validate=spec.validate,
    )


def _wins(rows: HandRows) -> NDArray[np.bool_]:
    called = rows.deal.called
    is_full = rows.hands.sum(axis=1) == 14 - 3 * called
    return np.asarray((deficiencies(rows.hands, called=called) == 0) & is_full)


def _ends(play: Play) -> tuple[Fraction, Fraction]:
    """Return the bounds of the best discard."""
    return play.best.lower, max(row.upper for row in play.discards)


def _proven(hand: Hand, play: Play, waste: int) -> Fraction:
    """Return the lower bound that a certificate of one class proves."""
    if not play.best.lower:
        return Fraction(0)
    one = (
        play
        if waste == play.waste
        else optimal_play(hand, draws=play.draws, waste=waste, table=False)
    )
    kind = play.best.kind
    try:
        document = one.to_certificate(None if kind is None else [kind])
    except HandError:  # no discard in such a narrow class
        return Fraction(0)
    [claim] = verify_win_chance(json.dumps(document)).file.claims
    return Fraction(claim.lower or 0, 1 << document["scale"])


def advice_label(name: str) -> Label:
    """Return the label with verdicts on two rules of thumb, for 1, 2, ... draws.

    One rule discards for least deficiency and then most useful tiles, the other for the fewest
    expected draws if every drawn tile is kept. If a rule allows several discards, its best one
    counts. A rule is wrong if another discard is proven better than all of them.

    The discard with the greatest lower bound is stored too. With upper bounds for all plays, such
    as ceilings, it decides any rule later.

    Its name is ``advice:N`` or ``advice:N:waste=W``, as for :func:`mjopt.optimal_play`; the default
    waste is 1.

    Examples
    --------
    >>> [column.name for column in advice_label("advice:1").columns][:2]
    ['useful_within_1', 'useful_loss_within_1']
    """
    spec = _parse(name, 1)

    def compute(rows: HandRows) -> tuple[NDArray[np.generic], ...]:
        """Evaluate the rules on all hands; complete hands need no advice."""
        useful = best_discard_masks(
            rows.hands, tiles=rows.deal.tiles, called=rows.deal.called
        ).tolist()
        found = np.tile(_nothing(spec.draws), (len(rows.hands), 1))
        for place in np.flatnonzero(useful).tolist():
            play = spec.play(rows, place)
            by_draws = [row.kind for row in rank_discards(play.hand) if row.rank == 1]
            by_useful = [k for k in range(rows.deal.tiles.num_kinds) if useful[place] >> k & 1]
            found[place] = _judge(play, (by_useful, by_draws), spec.draws)
            report(1)
        return tuple(found.T)

    def validate(deal: Deal) -> None:
        spec.validate(deal)
        if deal.size != 14:
            raise ArgumentError(f"label {name}: needs hands after their draw (size 14)")

    return Label(
        name=name,
        engine=f"{BOUNDS}, advice 2, waste {spec.waste}",
        columns=(
            *(column for word in ADVICE for column in _columns(word, spec.draws)),
            *_best_columns(spec.draws),
        ),
        compute=compute,
        validate=validate,
    )


def _columns(word: str, draws: int) -> list[DatasetColumn]:
    rule = {"useful": "most useful tiles", "draws": "fewest expected draws"}[word]
    meaning = "is -1 proven wrong, 1 proven best, in the class, -2, 2 for all plays; else 0"
    return [
        *(
            DatasetColumn(f"{word}_within_{n}", "int8", f"{rule}, {n} draws: {meaning}")
            for n in range(1, draws + 1)
        ),
        DatasetColumn(
            f"{word}_loss_within_{draws}",
            "float64",
            f"{rule}, {draws} draws: what it loses at least, in the class",
        ),
        DatasetColumn(f"{word}_discards", "mask", f"{rule}: bit k if the rule names kind k"),
    ]


def _best_columns(draws: int) -> list[DatasetColumn]:
    best = "the discard with the greatest lower bound"
    return [
        column
        for n in range(1, draws + 1)
        for column in (
            DatasetColumn(f"best_within_{n}", "int8", f"{n} draws: {best}, -1 for a complete hand"),
            DatasetColumn(f"best_lower_within_{n}", "float64", f"{n} draws: this bound"),
        )
    ]


def _nothing(draws: int) -> list[float]:
    """Return the columns of a complete hand."""
    return [0.0] * (len(ADVICE) * (draws + 2)) + [-1.0, 0.0] * draws


def _judge(play: Play, advice: Sequence[Sequence[int]], draws: int) -> list[float]:
    """Return the columns of a hand that is not complete."""
    most = draws if play.stopped == COMPLETE else play.deficiency + play.waste
    found: list[list[float]] = [[] for _ in advice]
    best_discards: list[float] = []
    losses = [0] * len(advice)
    for n in range(1, draws + 1):
        less = play.searched().within(n)
        judged = [_compare(less.bounds(is_quick=True), kinds) for kinds in advice]
        # The quick bounds are never tighter, so the full ones prove at least as much.
        if n == draws or not all(verdict for verdict, _ in judged):
            judged = [_compare(less.bounds(), kinds) for kinds in advice]
        for row, (verdict, _) in zip(found, judged, strict=True):
            row.append(FOR_ALL[verdict] if n <= most else verdict)
        losses = [loss for _, loss in judged]
        kind, lower = max(less.lower.items(), key=lambda item: item[1], default=(-1, 0))
        best_discards += [kind, rounded(as_fraction(lower), up=False)]
    for row, loss, kinds in zip(found, losses, advice, strict=True):
        row += [rounded(as_fraction(loss), up=False), sum(1 << kind for kind in kinds)]
    return [*chain.from_iterable(found), *best_discards]


def _compare(bounds: dict[int, tuple[int, int]], kinds: Sequence[int]) -> tuple[int, int]:
    """Return the verdict on the discards of a rule, and their least loss."""
    ours, others = [(0, 0)], [(0, 0)]  # a discard outside the class has win chance 0 in it
    for kind, ends in bounds.items():
        (ours if kind in kinds else others).append(ends)
    (lower, upper), (rival, most) = (map(max, zip(*some, strict=True)) for some in (ours, others))
    if rival > upper:
        return WRONG, rival - upper
    return RIGHT if lower >= most else OPEN, 0
