"""Winning forms by their names, above all the classic ones: standard, seven pairs, orphans."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from mjopt._internal.sanitize import short_repr
from mjopt.errors import HandError, TileError
from mjopt.hands.blocks import beyond
from mjopt.hands.hand import HAND_SIZE, Hand
from mjopt.hands.rule_set import RuleSet, WinningForm, standard_template
from mjopt.hands.template import Template
from mjopt.hands.tiles import FULL, M0, TileSet, as_list

STANDARD: Final = "standard"
SEVEN_PAIRS: Final = "seven_pairs"
THIRTEEN_ORPHANS: Final = "thirteen_orphans"

DEFAULT_FORM: Final = STANDARD
"""The form that counts if none is given."""

FORMS: Final[dict[str, str]] = {
    STANDARD: "four melds and an eye",
    SEVEN_PAIRS: "seven pairs of different kinds",
    THIRTEEN_ORPHANS: "one of every terminal and honour, and one of them twice",
}
"""The winning forms, each with its definition."""

FORM_NAMES: Final[dict[str, tuple[str, ...]]] = {
    STANDARD: ("normal", "ippan", "一般形"),
    SEVEN_PAIRS: ("chiitoi", "chiitoitsu", "qidui", "qiduizi", "七対子", "七对", "七對"),
    THIRTEEN_ORPHANS: (
        *("kokushi", "kokushi_musou", "shisanyao"),
        *("国士無双", "国士", "十三幺", "十三么"),
    ),
}
"""Other names of the forms. Case is ignored; spaces and hyphens are read as ``_``."""

RIICHI: Final = (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)

Forms = tuple[WinningForm, ...]
FormsLike = str | WinningForm | Iterable[str | WinningForm] | RuleSet | Path | None
"""Winning forms: names, rule sets, or files of rules; None for those of the hand."""

_EXPECTED: Final = (*FORMS, "riichi", "all", "a rule set", "FILE.toml")

_NAMED: Final = {name: form for form, names in FORM_NAMES.items() for name in (form, *names)}

UNREACHABLE: Final = 127
"""The deficiency of a hand that the unseen tiles cannot complete.

It fits an int8 and exceeds every deficiency, so that a minimum over several forms needs no
special case.
"""


@lru_cache(maxsize=32)
def orphan_kinds(tiles: TileSet) -> tuple[int, ...]:
    """Return the thirteen terminals and honours; empty if the tile set lacks some.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL, M0
    >>> len(orphan_kinds(FULL)), orphan_kinds(M0)
    (13, ())
    """
    kinds = _outer_kinds(tiles)
    return kinds if len(kinds) == 13 else ()


def _outer_kinds(tiles: TileSet) -> tuple[int, ...]:
    """Return the terminals and honours of a tile set."""
    return tuple(k for k, name in enumerate(tiles.names) if name[1] == "z" or name[0] in "19")


@cache
def classic_form(name: str, tiles: TileSet) -> WinningForm:
    """Return a form of ``FORMS``; `HandError` if the tile set lacks its tiles."""
    every = tuple(range(tiles.num_kinds))
    nothing = (0,) * tiles.num_kinds
    if name not in FORMS:
        raise HandError(f"{name} is not a classic form")
    if name == STANDARD:
        template = standard_template(tiles)
    elif name == SEVEN_PAIRS:
        template = Template(fixed=nothing, pairs=7, kinds=every)
    else:
        orphans = orphan_kinds(tiles)
        if not orphans:
            present = len(_outer_kinds(tiles))
            raise HandError(
                f"{name} needs 13 terminals and honours, {tiles.name} has {present}",
                expected="tiles 136",
            )
        template = Template(fixed=nothing, distinct=13, doubled=1, of=orphans)
    return WinningForm(name, tiles, (template,))


@cache
def classic_forms(tiles: TileSet) -> Forms:
    """Return the forms of ``FORMS`` that are possible with a tile set.

    Examples
    --------
    >>> classic_forms(M0)
    (<WinningForm standard>, <WinningForm seven_pairs>)
    """
    has_orphans = bool(orphan_kinds(tiles))
    names = [name for name in FORMS if name != THIRTEEN_ORPHANS or has_orphans]
    return tuple([classic_form(name, tiles) for name in names])


@cache
def default_forms(tiles: TileSet) -> Forms:
    """Return the form that counts if none is given, as the only one."""
    return (classic_form(DEFAULT_FORM, tiles),)


@lru_cache(maxsize=1 << 10)
def is_classic(forms: Forms) -> bool:
    """Return whether every form is one of ``FORMS``, by its name and its templates.

    Examples
    --------
    >>> is_classic(classic_forms(M0)), is_classic(read_forms("mcr", FULL))
    (True, False)
    """
    return all(form in classic_forms(form.tiles) for form in forms)


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
        elif isinstance(word, str):
            chosen += _named_forms(word, tiles)
        elif _is_of_rules(word):
            raise _only_classic(word)
        else:
            raise _unknown(word)
    return tuple(dict.fromkeys(chosen))


@lru_cache(maxsize=1 << 8)
def _named_forms(word: str, tiles: TileSet) -> Forms:
    """Return the classic forms that a word names."""
    if _is_of_rules(word):
        raise _only_classic(word)
    if word in FORMS:
        return (classic_form(word, tiles),)
    name = "_".join(re.split(r"[\s_-]+", word.strip().lower()))
    if name == "riichi":
        return tuple([classic_form(form, tiles) for form in RIICHI])
    if name == "all":
        return classic_forms(tiles)
    if name in _NAMED:
        return (classic_form(_NAMED[name], tiles),)
    raise _unknown(word)


def _only_classic(word: object) -> HandError:
    return HandError(
        argument="forms",
        value=short_repr(str(word)),
        message=f"only {', '.join(FORMS)} are possible here",
    )


def _unknown(word: object) -> HandError:
    return HandError("unknown", argument="forms", value=short_repr(word), expected=_EXPECTED)


def has_plain(forms: Iterable[WinningForm]) -> bool:
    """Return whether four melds and an eye is among some forms."""
    return True in [form.is_plain for form in forms]  # twice as fast as `any` of a generator


def names_of(forms: Iterable[WinningForm]) -> tuple[str, ...]:
    """Return the names of some forms."""
    return tuple([form.name for form in forms])


def _is_of_rules(word: object) -> bool:
    """Return whether a word is, or names, more than today's three forms; no file is read."""
    from mjopt.hands.rule_file import is_rule_file

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
    from mjopt.hands.rule_file import SHIPPED, get_rules, is_rule_file

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


def missing_tiles(form: WinningForm, hand: Hand, unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the fewest copies to draw per kind for seven pairs or orphans; None if unreachable.

    Kinds are independent in both forms, so the cheapest kinds are optimal. Neither form is possible
    with called melds. ``unseen`` copies can still arrive, at most those not in the hand.

    Examples
    --------
    >>> hand = Hand.parse("1122334455667m8p")
    >>> sum(missing_tiles(classic_form("seven_pairs", hand.tiles), hand, hand.unseen))
    1
    """
    if hand.called:
        return None
    if form.is_pairs:
        wanted = _cheapest_pairs(hand.counts, unseen)
    elif form.is_singles:
        wanted = _cheapest_orphans(hand.counts, unseen, form.templates[0].of)
    else:
        raise TileError(f"{form} is not a form of single kinds")
    if wanted is None:
        return None
    return beyond(wanted, hand.counts)


def num_missing(form: WinningForm, hand: Hand, unseen: tuple[int, ...]) -> int:
    """Return the deficiency for one form; ``UNREACHABLE`` if the form is impossible."""
    missing = missing_tiles(form, hand, unseen)
    return UNREACHABLE if missing is None else sum(missing)


def missing_and_helpful(
    form: WinningForm, hand: Hand, unseen: tuple[int, ...]
) -> tuple[int, frozenset[int]]:
    """Return the deficiency for seven pairs or orphans, and the kinds that lower it.

    Examples
    --------
    >>> hand = Hand.parse("1122334455667m")
    >>> missing_and_helpful(classic_form("seven_pairs", hand.tiles), hand, hand.unseen)
    (1, frozenset({6}))
    """
    missing = missing_tiles(form, hand, unseen)
    if missing is None:
        return UNREACHABLE, frozenset()
    if form.is_pairs:
        prices = pair_prices(hand.counts, unseen)
        highest = sorted(prices.values())[6]
        return sum(missing), frozenset(k for k, price in prices.items() if 0 < price <= highest)
    orphans = form.templates[0].of
    is_paired = any(hand.counts[kind] > 1 for kind in orphans)
    useful = [k for k in orphans if unseen[k] and not (is_paired and hand.counts[k])]
    return sum(missing), frozenset(useful)


def pair_prices(counts: tuple[int, ...], unseen: tuple[int, ...]) -> dict[int, int]:
    """Return the missing copies of a pair, for each kind of which a pair is possible."""
    return {
        kind: max(0, 2 - held)
        for kind, (held, arriving) in enumerate(zip(counts, unseen, strict=True))
        if held + arriving >= 2
    }


def _cheapest_pairs(counts: tuple[int, ...], unseen: tuple[int, ...]) -> tuple[int, ...] | None:
    prices = pair_prices(counts, unseen)
    if len(prices) < 7:
        return None
    chosen = sorted(prices, key=lambda kind: (prices[kind], kind))[:7]
    return tuple(2 if kind in chosen else 0 for kind in range(len(counts)))


def _cheapest_orphans(
    counts: tuple[int, ...], unseen: tuple[int, ...], orphans: tuple[int, ...]
) -> tuple[int, ...] | None:
    reach = {kind: counts[kind] + unseen[kind] for kind in orphans}
    pairs = [kind for kind in orphans if reach[kind] >= 2]
    if min(reach.values()) < 1 or not pairs:
        return None
    pair = max(pairs, key=lambda kind: min(counts[kind], 2))
    return tuple((2 if kind == pair else 1) if kind in reach else 0 for kind in range(len(counts)))
