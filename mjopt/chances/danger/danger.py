"""How likely each discard deals in, exactly, under a named prior."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any, Final

from mjopt.chances.advice.position import Position, as_position
from mjopt.chances.danger.opponent import Opponent, Shown, read_opponents, templates_beside
from mjopt.chances.danger.prior import DEFAULT_PRIOR, Prior, get_prior
from mjopt.chances.danger.ready_counts import WAITS, count_ready
from mjopt.errors import HandError
from mjopt.hands.coerce import HandLike, as_kind
from mjopt.hands.rules.classic_forms import classic_forms, is_classic
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import FULL

SAFE_BY_RULE: Final = "safe by rule"
PROVED_SAFE: Final = "proved safe"
POSSIBLE: Final = "possible"
NONE_READY: Final = "no hand is ready"
VERDICTS: Final = {
    SAFE_BY_RULE: "he discarded it, or let it pass: furiten",
    PROVED_SAFE: "no ready hand that he can hold wins on it",
    POSSIBLE: "some ready hands that he can hold win on it",
    NONE_READY: "the tiles not seen make no ready hand for him",
}
"""The verdicts on a kind, each with its meaning."""

SMALL: Final = Fraction(2, 100)
"""Shares below it are shown as such: real games confirm them less well than greater ones."""

UNDER: Final = "under 2 %"

IF_READY: Final = "if ready: an opponent is not known to be ready, and counting does not tell"
INDEPENDENT_HANDS: Final = (
    "independent hands: the chance that at least one opponent wins ignores that they share tiles"
)
FURITEN: Final = "furiten: a hand that waits on a kind of its discards wins on no discard"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindDanger:
    """The danger of discarding one kind of tile.

    Parameters
    ----------
    kind, name
        The kind, by number and by name.
    verdict
        A key of ``VERDICTS``: ``safe by rule``, ``proved safe``, ``possible``, or
        ``no hand is ready``.
    hands
        The number of ready hands that win on it, each counted as often as its tiles can be
        chosen. With several opponents None: see the rows of each opponent.
    share
        Their share of all ready hands, weighted by the prior. With several opponents the chance
        that at least one of them wins. None if no hand is ready.

    Examples
    --------
    >>> KindDanger(kind=0, name="1m", verdict="possible", hands=3, share=Fraction(1, 60)).text
    'under 2 %'
    """

    kind: int
    name: str
    verdict: str
    hands: int | None
    share: Fraction | None

    @property
    def share_float(self) -> float | None:
        """The share in floating point."""
        return None if self.share is None else float(self.share)

    @property
    def text(self) -> str:
        """The verdict, or the share in percent: ``under 2 %`` if it is smaller."""
        if self.verdict != POSSIBLE or self.share is None:
            return self.verdict
        return UNDER if self.share < SMALL else f"{float(100 * self.share):.1f} %"

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document: exact numbers as text."""
        return {
            "kind": self.name,
            "verdict": self.verdict,
            "hands": None if self.hands is None else str(self.hands),
            "share": None if self.share is None else str(self.share),
            "share_float": self.share_float,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentDanger:
    """The ready hands of one opponent.

    Parameters
    ----------
    opponent
        The opponent, in the kinds of the position.
    ready
        The number of ready hands that he can hold, each counted as often as its tiles can be
        chosen; 0 if no hand is ready.
    by_wait
        These hands by kind of wait.
    kinds
        One row for each kind of tile, in order.

    Examples
    --------
    >>> import mjopt
    >>> [row] = mjopt.danger("1112345678999m", "called=4 ready=yes").opponents
    >>> row.ready, {wait: hands for wait, hands in row.by_wait.items() if hands}
    (123, {'single': 123})
    """

    opponent: Opponent
    ready: int
    by_wait: dict[str, int]
    kinds: tuple[KindDanger, ...]

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document."""
        return {
            "called": self.opponent.called,
            "is_ready": self.opponent.is_ready,
            "ready": str(self.ready),
            "by_wait": {wait: str(hands) for wait, hands in self.by_wait.items()},
            "kinds": [row.to_document() for row in self.kinds],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Danger:
    """The danger of every kind of tile against some opponents.

    Parameters
    ----------
    position
        What the player sees.
    prior
        The prior of the shares. The verdicts need none.
    opponents
        The rows of each opponent.
    kinds
        One row for each kind of tile: that of the opponent, or of all of them together.
    assumptions
        What the shares assume, in words, each with its name before a colon.

    Examples
    --------
    >>> import mjopt
    >>> found = mjopt.danger("1112345678999m", "discards=25m called=3")
    >>> [(row.name, row.text) for row in found.discards[:3]]
    [('2m', 'safe by rule'), ('5m', 'safe by rule'), ('8m', 'under 2 %')]
    >>> found.is_conditional
    True
    """

    position: Position
    prior: Prior
    opponents: tuple[OpponentDanger, ...]
    kinds: tuple[KindDanger, ...]
    assumptions: tuple[str, ...]

    @property
    def is_conditional(self) -> bool:
        """Whether shares hold only if opponents are ready who are not known to be."""
        return not all(row.opponent.is_ready for row in self.opponents)

    @property
    def discards(self) -> tuple[KindDanger, ...]:
        """The rows of the kinds that the player holds, the safest first."""
        held = (row for row in self.kinds if self.position.hand.counts[row.kind])
        order = (SAFE_BY_RULE, PROVED_SAFE, NONE_READY, POSSIBLE)
        return tuple(sorted(held, key=lambda row: (order.index(row.verdict), row.share or 0)))

    def of(self, kind: int | str) -> KindDanger:
        """Return the row of a kind, given its number or name."""
        return self.kinds[as_kind(kind, self.position.hand.tiles)]

    def to_document(self) -> dict[str, Any]:
        """Return a JSON-ready document: exact numbers as text."""
        return {
            "position": self.position.to_text(),
            "prior": self.prior.name,
            "weights": {wait: str(weight) for wait, weight in self.prior.weights.items()},
            "is_conditional": self.is_conditional,
            "assumptions": list(self.assumptions),
            "discards": [row.name for row in self.discards],
            "kinds": [row.to_document() for row in self.kinds],
            "opponents": [row.to_document() for row in self.opponents],
        }


def danger(
    position: Position | HandLike,
    opponents: Iterable[Opponent | str] | Opponent | str,
    *,
    prior: Prior | str | Path = DEFAULT_PRIOR,
    seen: Iterable[int] | str | None = None,
    wall: Iterable[int] | str | None = None,
    forms: FormsLike = None,
) -> Danger:
    """Count the ready hands that opponents can hold, and how many win on each kind of tile.

    A hand counts as often as its tiles can be chosen from those that the player does not see. It
    is ready if a tile completes it of which hand and melds do not hold all copies. By the
    furiten rule, hands that wait on a kind that the opponent discarded or let pass are left out
    as a whole. All numbers are exact.

    Parameters
    ----------
    position
        What the player sees, as for :func:`mjopt.advise`: a position, a hand or a text. The
        tiles seen hold the melds and the discards of all players; if it says of none, those of
        the opponents are the tiles seen.
    opponents
        One or several, each an :class:`mjopt.Opponent` or a text that
        :meth:`mjopt.Opponent.parse` reads.
    prior
        How often players hold hands of each kind of wait: ``riichi-2022``, ``uniform``, a
        :class:`mjopt.Prior`, or a TOML file of weights. A share under ``uniform`` misleads: players
        prefer waits on several kinds.
    seen, wall
        As for :func:`mjopt.advise`, with a hand.
    forms
        The winning forms of the opponents; by default those of the rules of the hand, and without
        rules all that the tile set allows.

    Returns
    -------
    Danger
        For each kind whether it is safe by rule, proved safe, or the share of the ready hands
        that win on it. A share that was not counted is None, never 0.

    Raises
    ------
    MjoptError
        If the position, an opponent or the prior is invalid, or draws are not counted for the
        forms, as with jokers.

    Examples
    --------
    >>> import mjopt
    >>> found = mjopt.danger("123m406p123789s11z", "discards=19m4z passed=7s ready=yes")
    >>> [found.of(kind).text for kind in ("7s", "1z", "6p")]
    ['safe by rule', 'under 2 %', '9.3 %']
    >>> found.of("6p").hands, found.opponents[0].ready
    (356700594356, 6142917402916)
    """
    words: dict[str, object] = {"seen": seen, "wall": wall}
    if not isinstance(position, Position):
        words["forms"] = forms
    position = as_position(position, words)
    chosen = get_prior(prior)
    winning = _forms(position, forms)
    own, shown, left = read_opponents(position, opponents)
    found = tuple(
        _of_opponent(position, opponent, each, left, winning, chosen)
        for opponent, each in zip(own, shown, strict=True)
    )
    return Danger(
        position=position,
        prior=chosen,
        opponents=found,
        kinds=found[0].kinds if len(found) == 1 else _together(position, found),
        assumptions=tuple(_assumptions(position, found, winning, chosen)),
    )


def _forms(position: Position, forms: FormsLike) -> tuple[WinningForm, ...]:
    hand = position.hand
    if forms is None and not (hand.called and (hand.rules or is_classic(position.forms))):
        forms = position.forms
    elif forms is None and hand.rules is None:  # forms that only the player's melds exclude
        forms = classic_forms(hand.tiles)
    found = read_forms(forms, hand.tiles, hand.size, rules=hand.rules)
    if jokers := [form for form in found if any(t.jokers for t in form.templates)]:
        raise HandError(f"{jokers[0]}: ready hands are not counted with jokers", argument="danger")
    return found


def _of_opponent(
    position: Position,
    opponent: Opponent,
    shown: Shown,
    left: tuple[int, ...],
    forms: tuple[WinningForm, ...],
    prior: Prior,
) -> OpponentDanger:
    tiles, templates = position.hand.tiles, templates_beside(shown.hand, forms)
    called, copies = shown.hand.called, shown.hand.shown
    counts = count_ready(templates, tiles, left, called, copies, shown.forbidden)
    ready, weights, rows = sum(counts.by_wait), prior.integers, []
    for kind, name in enumerate(tiles.names):
        hands = sum(by_kind[kind] for by_kind in counts.by_kind)
        # Theorem "Proved safe" of docs/reference/danger.md: the opponent's hand is among those
        # counted, so a count of 0 proves that he does not win on the kind, whatever the prior is.
        verdict = SAFE_BY_RULE if kind in shown.forbidden else POSSIBLE if hands else PROVED_SAFE
        if not ready and verdict != SAFE_BY_RULE:
            verdict = NONE_READY
        share = counts.share(kind, weights)
        rows.append(KindDanger(kind=kind, name=name, verdict=verdict, hands=hands, share=share))
    by_kind_of_wait = dict(zip(WAITS, counts.by_wait, strict=True))
    return OpponentDanger(
        opponent=opponent, ready=ready, by_wait=by_kind_of_wait, kinds=tuple(rows)
    )


def _together(position: Position, opponents: tuple[OpponentDanger, ...]) -> tuple[KindDanger, ...]:
    """Return the rows of several opponents: the chance that at least one of them wins."""
    rows = []
    for kind, name in enumerate(position.hand.tiles.names):
        each = [opponent.kinds[kind] for opponent in opponents]
        verdicts = {row.verdict for row in each}
        able = [row.share for row in each if row.share is not None]
        if POSSIBLE in verdicts:
            verdict = POSSIBLE
        elif len(verdicts) == 1:
            [verdict] = verdicts
        else:
            verdict = PROVED_SAFE
        share = 1 - prod((1 - share for share in able), start=Fraction(1)) if able else None
        rows.append(KindDanger(kind=kind, name=name, verdict=verdict, hands=None, share=share))
    return tuple(rows)


def _assumptions(
    position: Position,
    opponents: tuple[OpponentDanger, ...],
    forms: tuple[WinningForm, ...],
    prior: Prior,
) -> Iterable[str]:
    if not prior.fitted_to:
        yield f"{prior.name}: weights that were fitted to no games"
    elif position.hand.tiles != FULL or not {*forms} <= {*classic_forms(FULL)}:
        yield f"{prior.name}: fitted to other rules, {prior.fitted_to}"
    elif any(row.opponent.has_called for row in opponents):
        yield f"{prior.name}: fitted to hands without called melds, {prior.fitted_to}"
    else:
        yield f"{prior.name}: fitted to {prior.fitted_to}"
    if any(row.opponent.discards or row.opponent.passed for row in opponents):
        yield FURITEN
    if not all(row.opponent.is_ready for row in opponents):
        yield IF_READY
    if len(opponents) > 1:
        yield INDEPENDENT_HANDS
