"""Winning forms given by names, rule sets or files of rules."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from mjopt._internal.sanitize import short_repr
from mjopt.errors import HandError
from mjopt.hands.rules.classic_forms import (
    DEFAULT_FORM,
    FORMS,
    HAND_SIZE,
    classic_form,
    default_forms,
    is_classic,
    named_forms,
    unknown_form,
)
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import Forms, WinningForm
from mjopt.hands.tiles import FULL, M0, TileSet, as_list

FormsLike = str | WinningForm | Iterable[str | WinningForm] | RuleSet | Path | None
"""Winning forms: names, rule sets, or files of rules; None for those of the hand."""


def check_forms(forms: str | Iterable[str | WinningForm], tiles: TileSet) -> Forms:
    """Validate classic winning forms and return them as a tuple.

    Names are those of ``FORMS`` or ``FORM_NAMES``, in a list or separated by commas; ``riichi`` is
    standard, seven pairs and thirteen orphans, ``all`` every form possible with the tile set.

    Examples
    --------
    >>> check_forms("all", M0)
    (<WinningForm standard>, <WinningForm seven_pairs>)
    >>> check_forms(["standard", "chiitoi"], M0) == check_forms("all", M0)
    True
    >>> check_forms(["kokushi"], M0)
    Traceback (most recent call last):
    mjopt.errors.HandError: thirteen_orphans needs 13 terminals and honours, M0 has 6 ...
    """
    if type(forms) is tuple:
        with suppress(TypeError):  # if some part is not hashable
            return _check_words(forms, tiles)
    return _check_words.__wrapped__(forms, tiles)


@lru_cache(maxsize=1 << 8)
def _check_words(forms: object, tiles: TileSet) -> Forms:
    chosen: list[WinningForm] = []
    for word in _words(forms):
        if isinstance(word, WinningForm) and is_classic((word,)):
            chosen.append(classic_form(word.name, tiles))
        elif _is_of_rules(word):
            raise _only_classic(word)
        elif isinstance(word, str):
            chosen += named_forms(word, tiles)
        else:
            raise unknown_form(word)
    return tuple(dict.fromkeys(chosen))


def _only_classic(word: object) -> HandError:
    return HandError(
        argument="forms",
        value=short_repr(str(word)),
        message=f"only {', '.join(FORMS)} are possible here",
    )


def _is_of_rules(word: object) -> bool:
    """Return whether a word is, or names, more than today's three forms; no file is read."""
    from mjopt.hands.rules.rule_file import is_rule_file

    if isinstance(word, Path) or (isinstance(word, str) and is_rule_file(word.strip())):
        return True
    return rules_of(word) is not None


def read_forms(
    forms: FormsLike, tiles: TileSet, size: int = HAND_SIZE, *, rules: RuleSet | None = None
) -> Forms:
    """Validate winning forms of any rule set for hands of ``size`` tiles; return each once.

    Forms are those of :func:`check_forms`, and also rule sets: their names, the paths of their
    files, or one form of a rule set, such as ``mcr.knitted_straight``. By default they are those of
    ``rules``, the rule set of the hand, and without it the standard form. `HandError` is raised for
    an unknown form, and for one of another tile set or size.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> read_forms("mcr.knitted_straight,standard", FULL)
    (<WinningForm mcr.knitted_straight>, <WinningForm standard>)
    >>> read_forms("taiwan", FULL)
    Traceback (most recent call last):
    mjopt.errors.HandError: forms 'taiwan': hands of 17 tiles, but this one is of 14
    """
    if forms is None:
        if rules is None and size == HAND_SIZE:
            return default_forms(tiles)
        forms = DEFAULT_FORM if rules is None else rules.forms
    words = _words(forms)
    if type(words) is tuple and {*map(type, words)} == {WinningForm}:
        return _read_words(words, tiles, size)
    return _read_words.__wrapped__(words, tiles, size)


@lru_cache(maxsize=1 << 8)
def _read_words(words: Sequence[object], tiles: TileSet, size: int) -> Forms:
    chosen: list[WinningForm] = []
    for word in words:
        known = rules_of(word)
        if isinstance(known, RuleSet):
            some = known.forms
            its_tiles, its_size = known.tiles, known.size
        elif known is not None:
            some, its_tiles, its_size = (known,), known.tiles, known.size
        else:
            some, its_tiles, its_size = _check_words.__wrapped__([word], tiles), tiles, HAND_SIZE
        if its_size != size:
            raise HandError(
                f"hands of {its_size} tiles, but this one is of {size}",
                argument="forms",
                value=short_repr(str(word)),
            )
        if its_tiles != tiles:
            raise HandError(
                f"hands of {its_tiles.name}, but this one is of {tiles.name}",
                argument="forms",
                value=short_repr(str(word)),
            )
        chosen += some
    by_name: dict[str, WinningForm] = {}
    for form in chosen:
        if by_name.setdefault(form.name, form) != form:
            raise HandError(
                "two different forms of that name", argument="forms", value=repr(form.name)
            )
    return tuple(by_name.values())


def _words(forms: Any) -> Sequence[Any]:
    """Return the words of an argument, each a name, a form, a rule set or a path."""
    if isinstance(forms, WinningForm | RuleSet | Path):
        return (forms,)
    words: Sequence[Any]
    if isinstance(forms, str):
        words = forms.split(",")
    elif type(forms) is tuple:
        words = forms
    else:
        words = as_list(() if forms is None else forms, "forms", "names")
    if not words:
        raise HandError("no form given", expected=f"some of {', '.join(FORMS)}")
    return words


def rules_of(word: object) -> RuleSet | WinningForm | None:
    """Return the rule set, or its one form, that a word names; None for those of ``FORMS``.

    Examples
    --------
    >>> rules_of("taiwan").size, rules_of("standard"), rules_of("riichi")
    (17, None, None)
    """
    if isinstance(word, RuleSet) or (isinstance(word, WinningForm) and not is_classic((word,))):
        return word
    if not isinstance(word, str | Path) or word in FORMS:
        return None
    from mjopt.hands.rules.rule_file import SHIPPED, get_rules, is_rule_file

    text = str(word).strip()
    name, _, form = text.lower().partition(".")
    if is_rule_file(text):
        return get_rules(text)
    if name not in SHIPPED or (not form and name in ("riichi", "basic", "sanma")):
        return None
    rules = get_rules(name)
    if not form:
        return rules
    names = (f"{name}.{form}", form)
    found = next((known for known in rules.forms if known.name in names), None)
    return None if found is None or is_classic((found,)) else found


def rule_set_of(forms: FormsLike) -> RuleSet | None:
    """Return the rule set that decides tiles and size where only the forms are given.

    Examples
    --------
    >>> rule_set_of("taiwan").name, rule_set_of(("standard", "seven_pairs"))
    ('taiwan', None)
    """
    if not isinstance(forms, str | WinningForm | list | tuple | RuleSet | Path):
        return None
    words = _words(forms)
    for word in words:
        known = rules_of(word)
        if isinstance(known, WinningForm):
            return RuleSet.of_form(known)
        if known is not None:
            return known
    return None


def needs_honours(forms: str | Iterable[str | WinningForm]) -> bool:
    """Return whether a named form is impossible in M0; ``all`` never is.

    Examples
    --------
    >>> needs_honours("riichi"), needs_honours(["chiitoi"]), needs_honours("all")
    (True, False, False)
    """
    if not forms or not any(form.is_singles for form in check_forms(forms, FULL)):
        return False
    try:
        check_forms(forms, M0)
    except HandError:
        return True
    return False
