"""Describe winning forms in words."""

from mjopt.analysis.condition_text import kinds_text
from mjopt.hands.rules.classic_forms import FORMS, is_classic
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import TileSet

_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def template_text(template: Template, tiles: TileSet) -> str:
    """Name the parts of a template.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> rules = get_rules("mcr")
    >>> for form in rules.forms[-2:]:
    ...     print(template_text(form.templates[0], rules.tiles))
    147m 258p 369s, one meld and an eye
    14 different kinds of 147m 258p 369s 1234567z
    """
    groups = _groups(template)
    if template.kinds and groups and len(template.kinds) < tiles.num_kinds:
        groups[-1] += f" of {kinds_text(template.kinds, tiles)}"
    parts = [" and ".join([", ".join(groups[:-1]), groups[-1]] if groups[1:] else groups)]
    fixed = [kind for kind, copies in enumerate(template.fixed) for _ in range(copies)]
    distinct = ""
    if template.distinct:
        distinct = f"{template.distinct} different kinds of {kinds_text(template.of, tiles)}"
    if template.doubled:
        distinct += f", {_words(template.doubled)} of them twice"
    jokers = f"jokers {kinds_text(template.jokers, tiles)}" if template.jokers else ""
    parts = [kinds_text(fixed, tiles), distinct, *parts, jokers]
    return ", ".join([part for part in parts if part])


def form_text(form: WinningForm) -> str:
    """Describe a form; of several templates only the first.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> form_text(get_rules("basic").forms[0]), form_text(get_rules("taiwan").forms[0])
    ('four melds and an eye', 'five melds and an eye')
    >>> form_text(get_rules("full-flush").forms[0])
    'four melds and an eye of 123456789m, or one of 2 similar templates'
    """
    if is_classic((form,)):
        return FORMS[form.name]
    text = template_text(form.templates[0], form.tiles)
    others = len(form.templates) - 1
    return f"{text}, or one of {others} similar templates" if others else text


def _groups(template: Template) -> list[str]:
    """Name the melds, eyes and pairs."""
    groups = []
    if template.melds:
        noun = "meld" if template.has_chows and template.has_pongs else "chow"
        noun = noun if template.has_chows else "pong"
        groups.append(f"{_words(template.melds)} {noun}{'s' * (template.melds > 1)}")
    if template.eyes:
        groups.append("an eye" if template.eyes == 1 else f"{_words(template.eyes)} eyes")
    if template.pairs:
        number = "one pair" if template.pairs == 1 else f"{_words(template.pairs)} pairs"
        is_equal = "which may be equal" if template.has_equal_pairs else "of different kinds"
        groups.append(f"{number} {is_equal}" if template.pairs > 1 else number)
    return groups


def _words(number: int) -> str:
    return _WORDS[number] if number < len(_WORDS) else str(number)
