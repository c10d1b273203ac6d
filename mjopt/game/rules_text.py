"""Rules in one word of a record: a name, and what differs from it."""

from dataclasses import fields, replace
from typing import Any

from mjopt.errors import GameError, RecordError
from mjopt.game.rules import RULE_SETS, RuleSet, get_rules


def write_rules(rules: RuleSet) -> str:
    """Write rules as the name of a rule set and every number or choice that differs.

    Raises
    ------
    RecordError
        If they differ from the rule set of their name in something else.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from mjopt.game import GMJBG
    >>> write_rules(replace(GMJBG, robbing=False, dead_wall=10))
    'gmjbg,dead_wall=10,robbing=0'
    """
    known = RULE_SETS.get(rules.name)
    if known is None:
        raise RecordError(f"rules {rules.name!r} have no name that a record could give")
    words = [rules.name]
    for item in fields(RuleSet):
        value = getattr(rules, item.name)
        if value != getattr(known, item.name):
            if not isinstance(value, int):
                raise RecordError(f"rules {rules.name}: a record cannot tell other {item.name}")
            words.append(f"{item.name}={int(value)}")
    return ",".join(words)


def read_rules(text: str) -> RuleSet:
    """Read what :func:`write_rules` wrote.

    Raises
    ------
    RecordError
        If the name or a choice is unknown.

    Examples
    --------
    >>> read_rules("gmjbg,dead_wall=10").dead_wall
    10
    >>> read_rules("gmjbg,colour=1")
    Traceback (most recent call last):
    mjopt.errors.RecordError: rules 'gmjbg,colour=1': 'colour=1' is no choice of a number
    """
    name, *words = text.split(",")
    changes: dict[str, Any] = {}
    try:
        rules = get_rules(name)
        for word in words:
            key, _, number = word.partition("=")
            if type(getattr(rules, key, None)) not in (int, bool) or not number.isdecimal():
                raise RecordError(f"{word!r} is no choice of a number")
            changes[key] = type(getattr(rules, key))(int(number))
        return replace(rules, **changes)
    except (GameError, TypeError) as error:
        raise RecordError(f"rules {text!r}: {error}") from error
