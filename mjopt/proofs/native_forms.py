"""Strict reader of the winning forms and rule sets that a JSON document defines in full."""

import re
from dataclasses import fields, replace
from typing import Final

from mjopt.errors import CertificateError, HandError
from mjopt.hands.rules.classic_forms import FORMS, classic_form, is_classic
from mjopt.hands.rules.rule_file import LARGEST, MOST_TEMPLATES, SHIPPED, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import JOKER_PARTS, Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.proofs.native_schema import Counts, exact, quoted, tile_set, whole

# A certificate proves a statement about its definitions (docs/reference/certificates.md, "Winning
# forms of rule sets"). The reader of the statement sees a name, so a name that ships with mjopt
# must mean the form that ships, and any other is printed with its SHA-256. Without the first rule,
# a form "taiwan" with one template fewer would prove a greater deficiency. A definition has one
# spelling (kinds ascending, parts in order, no parts for jokers without jokers), so equal forms
# have equal digests.

CLASSIC_SIZE: Final = 14
"""Tiles of a complete hand in the classic forms."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}(\.[a-z][a-z0-9_-]{0,39})?")
_KEYS: Final = frozenset({"sha256", "templates"})
_RULES_KEYS: Final = frozenset({"name", "title", "size", "tiles", "forms", "definitions"})
_MOST_TITLE: Final = 200
_TEMPLATE_KEYS: Final = frozenset(field.name for field in fields(Template))
_PARTS: Final = tuple(part for part in JOKER_PARTS if part != "fixed")


def read_forms(
    names: object, definitions: object, tiles: TileSet, size: int
) -> tuple[WinningForm, ...]:
    """Return winning forms: classic forms by their names, others as their definitions say.

    There is at least one name, each once. For each name that is not classic, ``definitions`` has
    the templates and the SHA-256 of the form; a form named as one that ships with mjopt must be
    that form. ``size`` is the number of tiles of a complete hand. A CertificateError names the
    field and its defect.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> read_forms(["standard", "seven_pairs"], {}, FULL, 14)
    (<WinningForm standard>, <WinningForm seven_pairs>)
    >>> read_forms(["taiwan"], {}, FULL, 17)
    Traceback (most recent call last):
    mjopt.errors.CertificateError: forms: unknown form 'taiwan'
    """
    if not isinstance(names, list) or not names:
        raise CertificateError(f"forms: {quoted(names)}", expected="at least one")
    if not isinstance(definitions, dict):
        raise CertificateError(quoted(definitions), argument="definitions", expected="an object")
    for index, name in enumerate(names):
        if not isinstance(name, str) or (name not in FORMS and name not in definitions):
            raise CertificateError(f"unknown form {quoted(name)}", argument="forms")
        if name in names[:index]:
            raise CertificateError(f"{name} is given twice", argument="forms")
        if name in FORMS and size != CLASSIC_SIZE:
            raise CertificateError(
                f"{name} is {CLASSIC_SIZE} tiles", argument="forms", expected=f"{size}, the size"
            )
    exact(definitions, frozenset(name for name in names if name not in FORMS), "definitions")
    forms: list[WinningForm] = []
    total = 0
    for name in names:
        if name in FORMS:
            forms.append(_classic_form(name, tiles))
            continue
        form = _form(name, definitions[name], tiles, size)
        total += len(form.templates)
        if total > MOST_TEMPLATES:
            raise CertificateError(
                f"{total:,} templates",
                argument="definitions",
                expected=f"at most {MOST_TEMPLATES:,}",
            )
        forms.append(form)
    return tuple(forms)


def read_rules(value: object) -> RuleSet:
    """Return the rule set that :func:`mjopt.hands.rules.document.rules_document` describes.

    A rule set named as one that ships with mjopt must be that one. A CertificateError names the
    field and its defect.

    Examples
    --------
    >>> from mjopt.hands.rules.document import rules_document
    >>> read_rules(rules_document(get_rules("mcr"))) == get_rules("mcr")
    True
    >>> read_rules(rules_document(get_rules("mcr")) | {"name": "riichi"})
    Traceback (most recent call last):
    mjopt.errors.CertificateError: rules: not the rules riichi that mjopt knows
    """
    data = exact(value, _RULES_KEYS, "rules")
    name, title = data["name"], data["title"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise CertificateError(quoted(name), argument="rules.name", expected="RULES or RULES.FORM")
    if not isinstance(title, str) or not title.isprintable() or len(title) > _MOST_TITLE:
        raise CertificateError(
            quoted(title), argument="rules.title", expected=f"a line of at most {_MOST_TITLE}"
        )
    tiles = tile_set(data["tiles"])
    size = whole(data["size"], 2, LARGEST, "rules.size")
    forms = read_forms(data["forms"], data["definitions"], tiles, size)
    rules = RuleSet(name=name, title=title, tiles=tiles, size=size, forms=forms)
    base = name.partition(".")[0]
    if base in SHIPPED:
        known = get_rules(base)  # never of the whole name, which could be that of a file
        alone = [RuleSet.of_form(f) for f in known.forms if not is_classic((f,))]
        if rules not in (known, *alone):
            raise CertificateError(f"not the rules {name} that mjopt knows", argument="rules")
    return rules


def _classic_form(name: str, tiles: TileSet) -> WinningForm:
    try:
        return classic_form(name, tiles)
    except HandError:
        raise CertificateError(f"{name} is impossible in {tiles.name}", argument="forms") from None


def _form(name: str, value: object, tiles: TileSet, size: int) -> WinningForm:
    """Return the form that a definition describes."""
    if not _NAME.fullmatch(name):
        raise CertificateError(quoted(name), argument="forms", expected="RULES or RULES.FORM")
    where = f"definitions.{name}"
    data = exact(value, _KEYS, where)
    templates = data["templates"]
    if not isinstance(templates, list) or not 0 < len(templates) <= MOST_TEMPLATES:
        raise CertificateError(
            f"{where}.templates: {quoted(templates)}", expected=f"1 to {MOST_TEMPLATES:,}"
        )
    read = tuple(_template(part, tiles, size, f"{where}.templates") for part in templates)
    form = WinningForm(name, tiles, read)
    if data["sha256"] != form.digest:
        raise CertificateError(
            f"{quoted(data['sha256'])} is not the SHA-256 of the templates, {form.digest}",
            argument=f"{where}.sha256",
        )
    rules = name.partition(".")[0]
    if rules in SHIPPED:
        shipped = next((known for known in get_rules(rules).forms if known.name == name), None)
        if shipped is None or shipped.digest != form.digest:
            raise CertificateError(f"not the form {name} that mjopt knows", argument=where)
    return form


def _template(value: object, tiles: TileSet, size: int, where: str) -> Template:
    """Return the template that plain data describe."""
    data = exact(value, _TEMPLATE_KEYS, where)

    def number(key: str) -> int:
        return whole(data[key], 0, LARGEST, f"{where}.{key}")

    def flag(key: str) -> bool:
        if type(data[key]) is not bool:
            raise CertificateError(
                quoted(data[key]), argument=f"{where}.{key}", expected="true or false"
            )
        return bool(data[key])

    jokers = _kinds(data["jokers"], tiles, f"{where}.jokers")
    parts = data["joker_parts"]
    if not isinstance(parts, list) or parts != [part for part in _PARTS if part in parts]:
        raise CertificateError(
            quoted(parts), argument=f"{where}.joker_parts", expected=f"some of {', '.join(_PARTS)}"
        )
    most = LARGEST if flag("has_fifth") else COPIES
    fixed = _copies(data["fixed"], most, tiles, f"{where}.fixed")
    joker_fixed: Counts = ()
    if data["joker_fixed"] != []:
        joker_fixed = _copies(data["joker_fixed"], most, tiles, f"{where}.joker_fixed")
        # Jokers for more tiles than the template fixes could stand for parts for which they may
        # not.
        for name, eligible, copies in zip(tiles.names, joker_fixed, fixed, strict=True):
            if eligible > copies:
                raise CertificateError(
                    f"{eligible} copies of {name}",
                    argument=f"{where}.joker_fixed",
                    expected=f"at most {copies}, the copies in fixed",
                )
    if not jokers and (parts or joker_fixed):
        raise CertificateError("parts for jokers, but no jokers", argument=f"{where}.jokers")
    # Tiles of joker kinds are never natural tiles, so no hand could hold this one.
    if any(fixed[kind] for kind in jokers):
        raise CertificateError("a kind is fixed and a joker", argument=f"{where}.jokers")
    template = Template(
        fixed=fixed,
        melds=number("melds"),
        eyes=number("eyes"),
        has_chows=flag("has_chows"),
        has_pongs=flag("has_pongs"),
        kinds=_kinds(data["kinds"], tiles, f"{where}.kinds"),
        distinct=number("distinct"),
        doubled=number("doubled"),
        of=_kinds(data["of"], tiles, f"{where}.of"),
        pairs=number("pairs"),
        has_equal_pairs=flag("has_equal_pairs"),
        jokers=jokers,
        joker_parts=tuple(parts),
        joker_fixed=joker_fixed,
        has_fifth=flag("has_fifth"),
    )
    # A template of fewer tiles would be nearer than any complete hand.
    if template.num_tiles != size:
        raise CertificateError(
            f"{template.num_tiles} tiles", argument=where, expected=f"{size}, the size"
        )
    return template


def _kinds(value: object, tiles: TileSet, where: str) -> Counts:
    """Return different kinds, ascending."""
    if (
        not isinstance(value, list)
        or any(type(kind) is not int or not 0 <= kind < tiles.num_kinds for kind in value)
        or value != sorted(set(value))
    ):
        raise CertificateError(
            quoted(value), argument=where, expected=f"kinds in 0..{tiles.num_kinds - 1}, ascending"
        )
    return tuple(value)


def _copies(value: object, most: int, tiles: TileSet, where: str) -> Counts:
    """Return copies per kind."""
    if (
        not isinstance(value, list)
        or len(value) != tiles.num_kinds
        or any(type(copies) is not int or not 0 <= copies <= most for copies in value)
    ):
        raise CertificateError(argument=where, expected=f"{tiles.num_kinds} numbers in 0..{most}")
    return tuple(value)


def templates_beside(
    template: Template, called: int, melds: tuple[Counts, ...], tiles: TileSet
) -> tuple[Template, ...]:
    """Return what a template asks for beside the called melds, in each way to count these.

    ``melds`` are the kinds of each called meld, if the certificate names them. The melds of a
    result include the ``called`` ones, so there is one more for each called meld that is a part of
    the fixed tiles. Results descend by the fixed tiles; there are none if the called melds leave no
    hand with the parts of the template.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> pongs = Template(fixed=(0,) * 34, melds=4, eyes=1, has_chows=False, kinds=(0, 1, 2))
    >>> melds = ((0, 1, 2), (2, 2, 2), (3, 3, 3))
    >>> [len(templates_beside(pongs, 1, (meld,), FULL)) for meld in melds]
    [0, 1, 0]
    """
    if not melds:
        return (template,) if called <= template.melds else ()
    # Fixed tiles that are left, and the called melds among the fixed tiles.
    ways = {(template.fixed, 0)}
    for meld in melds:
        # Each called meld is one of the melds that the template asks for, or a part of its fixed
        # tiles: `ways` has all fixed tiles that can be left so far. Leaving out one of them could
        # leave out the nearest complete hand.
        taken = set[tuple[Counts, int]]()
        for fixed, number in ways:
            if _may_be_meld(template, meld):
                taken.add((fixed, number))
            left = list(fixed)
            for kind in meld[:3]:  # the fourth tile of a kong is none of the hand
                left[kind] -= 1
            if min(left) >= 0:
                taken.add((tuple(left), number + 1))
        ways = taken
    # A called meld may leave the fixed tiles only in a cut of them into as many melds as possible:
    # 234m is in no such cut of 123456789m.
    most = _num_melds(template.fixed, tiles)
    return tuple(
        replace(
            template,
            fixed=fixed,
            joker_fixed=tuple(min(pair) for pair in zip(template.joker_fixed, fixed, strict=False)),
            melds=template.melds + number,
        )
        for fixed, number in sorted(ways, reverse=True)
        if called - number <= template.melds and number + _num_melds(fixed, tiles) == most
    )


def _may_be_meld(template: Template, meld: Counts) -> bool:
    is_chow = min(meld) < max(meld)
    has_shape = template.has_chows if is_chow else template.has_pongs
    return has_shape and set(meld) <= set(template.kinds)


def _num_melds(fixed: Counts, tiles: TileSet) -> int:
    """Return the most melds among some tiles.

    By the chows that began one and two kinds before, the most melds that began so far.
    """
    most = {(0, 0): 0}
    for kind, copies in enumerate(fixed):
        after: dict[tuple[int, int], int] = {}
        for (one, two), number in most.items():
            left = copies - one - two
            for chows in range(left + 1 if kind in tiles.chow_starts else min(1, left + 1)):
                melds = number + chows + (left - chows) // 3
                after[chows, one] = max(melds, after.get((chows, one), 0))
        most = after
    return most[0, 0]


def joker_supply(template: Template, counts: Counts) -> tuple[Counts, int]:
    """Return the copies per kind that are no jokers, and the number of jokers among them."""
    natural = [0 if kind in template.jokers else copies for kind, copies in enumerate(counts)]
    return tuple(natural), sum(counts) - sum(natural)
