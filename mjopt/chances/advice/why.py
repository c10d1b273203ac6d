"""Say in one sentence why an option is the best, or what another one loses."""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from mjopt.chances.advice.options import NOTHING, WIN, Advice, AdvisedOption, Say
from mjopt.chances.win_chance.discard_bounds import decimals
from mjopt.hands.blocks import Block, Shape, chow, eye, kong, pchow, pong
from mjopt.hands.hand import Hand

LONGEST: Final = 6  # kinds of useful tiles that are named
LEAST_LOSS: Final = 0.0005  # of a loss that is shown: a tenth of a point, rounded

COMPLETE: Final = "the hand is complete"
UNWINNABLE: Final = "nothing can be won with the own draws that are left"
LOOSE: Final = "%(tile)s is in no run or pair"
BREAKS: Final = {
    Shape.EYE: "%(tile)s would break the pair %(block)s",
    Shape.PONG: "%(tile)s would break the triplet %(block)s",
    Shape.KONG: "%(tile)s would break the four equal tiles %(block)s",
    Shape.CHOW: "%(tile)s would break the run %(block)s",
    Shape.PCHOW: "%(tile)s would break %(block)s, two tiles of a run",
}
USEFUL: Final = "useful tiles left: %(number)d (%(kinds)s)"
FEWER: Final = "useful tiles left: %(number)d in place of %(best)d"
WORSE: Final = "it is proven to be worse"
GIVES_UP: Final = "it gives up the win"
FARTHER: Final = "it is %(number)s tiles from a win in place of %(best)s"
LOSES: Final = "it loses about %(points)s points"
LOST: Final = "about %(points)s points"
WORSE_BY: Final = "%(loss)s (proven worse)"
ONLY_WORSE: Final = "proven worse"
EQUAL: Final = "it is as good, as far as is known"
SEPARATOR: Final = "; "
SENTENCE: Final = "%(option)s: %(reasons)s."
ALONE: Final = "%(reasons)s."
BESIDE_NEXT: Final = "%(reasons)s. Next best is %(option)s: %(others)s."

TEMPLATES: Final = (
    COMPLETE,
    UNWINNABLE,
    LOOSE,
    *BREAKS.values(),
    USEFUL,
    FEWER,
    WORSE,
    GIVES_UP,
    FARTHER,
    LOSES,
    EQUAL,
    SEPARATOR,
    SENTENCE,
    ALONE,
    BESIDE_NEXT,
)
"""Every text of a sentence, for translations."""

AT_LEAST: Final = "at least %(chance)s"
ABOUT: Final = "about %(chance)s (estimate)"
NOT_SEARCHED: Final = "not searched"

NUMBER_TEXTS: Final = (LOST, WORSE_BY, ONLY_WORSE, AT_LEAST, ABOUT, NOT_SEARCHED)
"""Other texts for translations."""

Reason = tuple[str, dict[str, object]]


def describe_loss(lost: float, *, is_proven: bool, text: str = LOST, say: Say = str.__mod__) -> str:
    """Return what an option loses against the best one; empty if nothing is known to be lost.

    The number is an estimate, because only lower bounds are compared. Proven is only that the
    option is worse. ``lost`` is a chance, 0 or more; ``text`` has a place for the points, and
    ``say`` fills it.

    Examples
    --------
    >>> describe_loss(0.0924, is_proven=True), describe_loss(0.0924, is_proven=False)
    ('about 9.2 points (proven worse)', 'about 9.2 points')
    >>> describe_loss(0.0002, is_proven=True), describe_loss(0.0002, is_proven=False)
    ('proven worse', '')
    """
    if lost < LEAST_LOSS:
        return say(ONLY_WORSE, {}) if is_proven else ""
    loss = say(text, {"points": f"{100 * lost:.1f}"})
    return say(WORSE_BY, {"loss": loss}) if is_proven else loss


def percent(share: Fraction) -> str:
    """Return a chance in percent, rounded down.

    Examples
    --------
    >>> percent(Fraction(2, 3))
    '66.66 %'
    """
    return f"{decimals(share * 100, 2, up=False)} %"


def describe_chance(option: AdvisedOption, *, say: Say = str.__mod__) -> str:
    """Return the chance to win with an option, and how it is known.

    Examples
    --------
    >>> from mjopt import advise
    >>> for text in ("123456m789p1146s1z draws=1", "123456m789p1146s1z", "147m258p369s12345z"):
    ...     print(describe_chance(advise(text).options[0]))
    3.27 %
    at least 60.12 %
    about 5.5 % (estimate)
    >>> describe_chance(advise("147m258p369s12345z", effort="quick").options[0])
    'not searched'
    """
    least = Fraction(0) if option.at_most == 0 else option.at_least
    if least is not None:
        chance = percent(least)
        return chance if least == option.at_most else say(AT_LEAST, {"chance": chance})
    if option.estimate is not None:
        return say(ABOUT, {"chance": f"{100 * option.estimate.mean:.2g} %"})
    return say(NOT_SEARCHED, {})


def say_why(
    advice: Advice,
    option: AdvisedOption,
    *,
    say: Say = str.__mod__,
    name: Callable[[AdvisedOption], str] | None = None,
    with_next: bool = True,
) -> str:
    """Return why the first option is the best, or what another one loses, from facts of the advice.

    For the first option the sentence says what it keeps, and, if ``with_next``, what the next best
    would give up; its name and its chance stand elsewhere. Others are compared with it. ``say``
    fills a text with its values; ``name`` names an option, by default :attr:`AdvisedOption.name`.

    Examples
    --------
    >>> from mjopt import advise
    >>> advice = advise("22557m234p34789s3z draws=6")
    >>> print(say_why(advice, advice.options[0]))  # doctest: +NORMALIZE_WHITESPACE
    3z is in no run or pair; useful tiles left: 16 (2m 5m 6m 2s 5s). Next best is discard 7m: 7m
    would break 57m, two tiles of a run; useful tiles left: 12 in place of 16; it loses about 1.7
    points.
    >>> print(say_why(advice, advice.option(1)))  # doctest: +NORMALIZE_WHITESPACE
    discard 2m: 2m would break the pair 22m; it is 3 tiles from a win in place of 2; it loses
    about 4.6 points; it is proven to be worse.
    """
    first, *others = advice.options

    def joined(reasons: list[Reason]) -> str:
        return say(SEPARATOR, {}).join(say(text, values) for text, values in reasons)

    def named(each: AdvisedOption) -> str:
        return each.name if name is None else name(each)

    if option is not first:
        reasons = joined(_reasons(advice, option, first))
        return say(SENTENCE, {"option": named(option), "reasons": reasons})
    reasons = joined(_first_reasons(advice, first))
    if not with_next or advice.best is None or not others or first.action == WIN:
        return say(ALONE, {"reasons": reasons})
    beside = {"option": named(others[0]), "others": joined(_reasons(advice, others[0], first))}
    return say(BESIDE_NEXT, {"reasons": reasons} | beside)


def _first_reasons(advice: Advice, option: AdvisedOption) -> list[Reason]:
    """Return what the first option keeps."""
    if option.action == WIN:
        return [(COMPLETE, {})]
    if advice.measure == NOTHING:
        return [(UNWINNABLE, {})]
    tiles = option.hand.tiles
    reasons: list[Reason] = []
    block = None
    if option.kind is not None:
        block = broken_block(option.hand, option.kind)
        if block is None:
            reasons.append((LOOSE, {"tile": tiles.names[option.kind]}))
    kinds = [tiles.names[kind] for kind, copies in option.useful.items() if copies]
    more = " ..." if len(kinds) > LONGEST else ""
    shown = " ".join(kinds[:LONGEST]) + more
    return [*reasons, (USEFUL, {"number": option.num_useful, "kinds": shown})]


def _reasons(advice: Advice, option: AdvisedOption, first: AdvisedOption) -> list[Reason]:
    """Return what another option breaks and loses."""
    reasons: list[Reason] = []
    if advice.measure == NOTHING or option.at_most == 0:
        return [(UNWINNABLE, {})]
    tiles = option.hand.tiles
    is_farther = option.deficiency > first.deficiency
    is_fewer = option.deficiency == first.deficiency and option.num_useful < first.num_useful
    is_costly = option.lost is not None and option.lost >= LEAST_LOSS
    if option.kind is not None:
        block, tile = broken_block(option.hand, option.kind), tiles.names[option.kind]
        if block is None:
            reasons.append((LOOSE, {"tile": tile}))
        elif is_farther or is_fewer:
            reasons.append((BREAKS[block.shape], {"tile": tile, "block": block.text(tiles)}))
    if first.action == WIN:
        reasons.append((GIVES_UP, {}))
    elif is_farther:
        reasons.append((FARTHER, {"number": option.deficiency, "best": first.deficiency}))
    elif is_fewer:
        reasons.append((FEWER, {"number": option.num_useful, "best": first.num_useful}))
    if is_costly:
        reasons.append((LOSES, {"points": f"{100 * float(option.lost or 0):.1f}"}))
    if option.is_lost_proven:
        reasons.append((WORSE, {}))
    elif not (is_costly or is_farther or is_fewer):
        reasons.append((EQUAL, {}))
    return reasons


def broken_block(hand: Hand, kind: int) -> Block | None:
    """Return a block that a discard broke: the hand held it before, not after.

    It is equal tiles, a run or two tiles of a run; None if the tile was in none of them. ``hand``
    is the hand after the discard.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> after = Hand.parse("23m45p", tiles=FULL, partial=True)
    >>> broken_block(after, 3).text(FULL), broken_block(after, 14), broken_block(after, 27)
    ('234m', Block((12, 13, 14), Shape.CHOW), None)
    """
    counts, tiles = hand.counts, hand.tiles
    if counts[kind] >= 2:
        return pong(kind) if counts[kind] == 2 else kong(kind)
    if counts[kind] == 1:
        return eye(kind)
    before = [held + (k == kind) for k, held in enumerate(counts)]
    runs = [chow(first) for first in range(kind - 2, kind + 1) if first in tiles.chow_starts]
    for run in runs:
        if all(before[k] for k in run.kinds):
            return run
    for run in runs:
        held = [k for k in run.kinds if before[k]]
        if len(held) == 2:
            return pchow(held[0], gap=held[1] - held[0])
    return None
