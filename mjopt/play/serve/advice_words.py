"""Words for the options of an advice, in the current language, the same on all pages."""

from collections.abc import Mapping

from mjopt.chances.advice.options import Advice, AdvisedOption, say_assumptions
from mjopt.chances.advice.position import Position
from mjopt.chances.advice.why import FARTHER, LOST, describe_chance, describe_loss, say_why
from mjopt.play.serve.language import gettext
from mjopt.play.serve.tiles import missing_words


def option_words(option: AdvisedOption) -> str:
    """Return the name of an option.

    Examples
    --------
    >>> from mjopt import advise
    >>> [option_words(row) for row in advise("2378m345p6688s11z offered=4m draws=6").options]
    ['chow 234m, discard 8s', 'pass']
    """
    names = option.hand.tiles.names
    parts = []
    if option.meld is not None:
        parts.append(f"{gettext(option.action)} {option.meld.text(option.hand.tiles)}")
    if option.kind is not None:
        parts.append(gettext("discard %(tile)s") % {"tile": names[option.kind]})
    return gettext(", ").join(parts) or gettext(option.action)


def assumption_words(position: Position) -> str:
    """Return what the forms of open riichi hands take for granted; empty without these forms."""
    return say_assumptions(position, say=_say)


def chance_words(option: AdvisedOption) -> str:
    """Return the chance to win with an option, and how it is known.

    Examples
    --------
    >>> from mjopt import advise
    >>> chance_words(advise("123456m789p1146s1z").options[0])
    'at least 60.12 %'
    """
    return describe_chance(option, say=_say)


def lost_words(option: AdvisedOption) -> str:
    """Return the chance lost against the best option; empty if nothing is known to be lost.

    Examples
    --------
    >>> from mjopt import advise
    >>> [lost_words(row) for row in advise("123456m789p1146s1z draws=6").options[:3]]
    ['', 'about 9.2 points (proven worse)', 'about 9.3 points (proven worse)']
    """
    return loss_words(float(option.lost or 0), is_proven=option.is_lost_proven)


def loss_words(lost: float, *, is_proven: bool, text: str = LOST) -> str:
    """Return a loss in the current language; see :func:`mjopt.chances.advice.why.describe_loss`."""
    return describe_loss(lost, is_proven=is_proven, text=text, say=_say)


def why_words(advice: Advice, option: AdvisedOption, *, with_next: bool = True) -> str:
    """Return one sentence about an option: why it is the best, or what it loses."""
    text = say_why(advice, option, say=_say, name=option_words, with_next=with_next)
    return text[:1].upper() + text[1:]


def _say(template: str, values: Mapping[str, object]) -> str:
    """Fill a text of the reasons in the current language."""
    shown = dict(values)
    if template == FARTHER:
        shown = {name: missing_words(int(str(number))) for name, number in values.items()}
    return gettext(template) % shown
