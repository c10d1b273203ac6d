"""Scores of winning hands, and payments between seats."""

from collections.abc import Sequence

from mjopt.analysis.deficiency import is_win, winning_forms
from mjopt.hands.blocks import Shape
from mjopt.hands.hand import Hand
from mjopt.hands.rules.classic_forms import DEFAULT_FORM
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.play.game.events import Meld
from mjopt.play.game.rules import HAND_SIZE, SEATS, GameRules
from mjopt.tables.lookup import look_up_counts
from mjopt.tables.rows.validation import not_a_hand


def away(counts: Sequence[int], called: int, rules: GameRules) -> int:
    """Return the exact deficiency of a hand of concealed copies, shape ``(K,)``, by the rules."""
    return away_by_forms(counts, called, rules.forms)


def away_by_forms(counts: Sequence[int], called: int, forms: tuple[WinningForm, ...]) -> int:
    """Return the exact deficiency of a hand for the winning forms of its rules."""
    value = look_up_counts(counts, called, forms)
    if value < 0:
        form = forms[0]
        raise not_a_hand(list(counts), called=called, tiles=form.tiles, size=form.size)
    return value


def wins(counts: Sequence[int], called: int, rules: GameRules) -> bool:
    """Return whether a hand, including the winning tile, is complete.

    Examples
    --------
    >>> from mjopt.play.game.rules import GMJBG
    >>> orphans = [1, 0, 0, 0, 0, 0, 0, 0, 1] * 3 + [1, 1, 1, 1, 1, 1, 2]
    >>> wins(orphans, 0, GMJBG)
    True
    """
    return away(counts, called, rules) == 0


def winning_form(counts: Sequence[int], rules: GameRules) -> str:
    """Return the winning form of a complete hand; the standard form takes precedence.

    The concealed copies per kind include the winning tile. Only the standard form allows melds.

    Examples
    --------
    >>> from mjopt.play.game.rules import GMJBG
    >>> winning_form([1, 0, 0, 0, 0, 0, 0, 0, 1] * 3 + [1, 1, 1, 1, 1, 1, 2], GMJBG)
    'thirteen_orphans'
    """
    is_concealed = sum(counts) == HAND_SIZE + 1
    hand = Hand.from_counts(counts, tiles=rules.tiles) if is_concealed else None
    return winning_forms(hand, rules.forms)[0] if hand else DEFAULT_FORM


def patterns(counts: Sequence[int], melds: Sequence[Meld], rules: GameRules) -> tuple[str, ...]:
    """Return all patterns of a winning hand, by their names in :class:`Multipliers`.

    The concealed copies per kind include the winning tile.

    Examples
    --------
    >>> from mjopt.play.game.rules import JJ
    >>> patterns([3, 0, 0, 3, 3, 0, 3, 0, 2] + [0] * 18, (), JJ)
    ('normal', 'all_pongs', 'one_suit')
    """
    names = ["normal"]
    copies = sorted(number for number in counts if number)
    no_chow = all(meld.block.shape is not Shape.CHOW for meld in melds)
    if no_chow and copies == [2] + [3] * (len(copies) - 1):
        names.append("all_pongs")
    kinds = [kind for kind, number in enumerate(counts) if number]
    kinds += [meld.kind for meld in melds]
    if len({rules.tiles.letter(kind) for kind in kinds}) == 1:
        names.append("one_suit")
    pairs = () if melds else tuple(form for form in rules.forms if form.is_pairs)
    if pairs and is_win(Hand.from_counts(counts, tiles=rules.tiles), forms=pairs):
        names.append(pairs[0].name)
    return tuple(names)


def multiplier(
    counts: Sequence[int], melds: Sequence[Meld], rules: GameRules, *, declared: bool = False
) -> int:
    """Return the value of a winning hand in basic scores, by its most valuable pattern.

    Hand and melds are as for :func:`patterns`; ``declared`` says whether the seat had declared
    ready.

    Examples
    --------
    >>> from mjopt.play.game.rules import JJ
    >>> pairs = [2, 2, 2, 0, 0, 0, 0, 2, 0, 2, 0, 2, 0, 2] + [0] * 13
    >>> multiplier(pairs, (), JJ), multiplier(pairs, (), JJ, declared=True)
    (12, 24)
    """
    worth: int = max(getattr(rules.multipliers, name) for name in patterns(counts, melds, rules))
    return worth * rules.ready_multiplier if declared else worth


def payments(
    winners: Sequence[int], multipliers: Sequence[int], payer: int | None, rules: GameRules
) -> tuple[int, ...]:
    """Return the points of the four seats; they sum to 0.

    ``multipliers`` are the values of the winners' hands; ``payer`` is the seat whose tile was won,
    or None for an own draw.

    Examples
    --------
    >>> from mjopt.play.game.rules import GMJBG, JJ
    >>> payments([2], [1], None, GMJBG), payments([0, 2], [6, 12], 3, JJ)
    ((-1, -1, 3, -1), (6, 0, 12, -18))
    """
    scores = [0, 0, 0, 0]
    for seat, worth in zip(winners, multipliers, strict=True):
        value = worth * rules.basic_score
        if payer is None:
            owed = {other: value for other in SEATS if other != seat}
        else:
            owed = {payer: value * (3 if rules.discarder_pays_all else 1)}
        for other, points in owed.items():
            scores[other] -= points
            scores[seat] += points
    return tuple(scores)
