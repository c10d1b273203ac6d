"""Read rule sets from TOML: those that ship with mjopt, and files of users."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.errors import FileError, HandError
from mjopt.hands.rules.classic_forms import classic_forms, is_classic
from mjopt.hands.rules.feasibility import PartsSearch, TooManyStepsError
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.table import RuleTable
from mjopt.hands.rules.template import JOKER_PARTS, Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.rules.words import SUIT_VARIABLES, AbsentKindError, Assignment, Runs, assignments
from mjopt.hands.tiles import COPIES, TILE_SETS, Suit, TileSet

RULE_SETS: Final = (
    *("riichi", "basic", "sanma", "taiwan", "mcr", "sichuan", "half-flush", "full-flush"),
)
"""The rule sets that ship with mjopt."""

SHIPPED: Final = (*RULE_SETS, "riichi-open")
"""The files that ship with mjopt: also the forms of open hands of riichi, a question only."""

MOST_TEMPLATES: Final = 1000
"""Most templates of a rule set."""

MOST_STEPS: Final = 150_000
"""Most steps of reading a file: tiles put for letters, and parts tried for a hand of a form."""

MOST_DOTS: Final = 50
"""Most dots in a line: the TOML reader takes quadratic time for a key of many parts."""

MOST_BYTES: Final = 100_000
"""Most bytes of a file of rules."""

LARGEST: Final = 32
"""Most tiles of a complete hand."""

_ASSIGNMENT_STEPS: Final = 10
_SUITS: Final = re.compile("[d-ik-y]{0,9}")
_SUIT_NAMES: Final = {
    "m": "characters",
    "p": "dots",
    "s": "bamboos",
    "z": "honours",
    "j": "jokers",
}
_PART_SIZES: Final = {"melds": 3, "eyes": 2, "distinct": 1, "pairs": 2}
_NUMBERS: Final = ("melds", "eyes", "distinct", "doubled", "pairs")
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")

_RULE_KEYS: Final = ("name", "title", "tiles", "size", "jokers", "form")
_TILE_KEYS: Final = ("suits", "honours", "jokers", "without")
_JOKER_KEYS: Final = ("kinds", "parts", "least", "fifth")
_FORM_KEYS: Final = (
    *("name", "fixed", "melds", "eyes", "chows", "pongs", "kinds", "distinct", "doubled", "of"),
    *("pairs", "alike", "mirror", "shift"),
)

Counts = tuple[int, ...]


def get_rules(rules: "RuleSet | str | Path") -> RuleSet:
    """Return a rule set, given itself, its name or a TOML file.

    Parameters
    ----------
    rules
        One of ``RULE_SETS``; one form of them, such as ``mcr.knitted_straight``; or the path of a
        file whose name ends in ``.toml``.

    Raises
    ------
    HandError
        If no rule set has that name.
    FileError
        If the file cannot be read, or defines no rule set; the message names the line and the key.

    Examples
    --------
    >>> get_rules("taiwan").title
    'Taiwan: 16 tiles in the hand, five melds and an eye'
    >>> get_rules("tokyo")
    Traceback (most recent call last):
    mjopt.errors.HandError: rules 'tokyo': unknown, expected one of riichi, basic, sanma, ...
    """
    if isinstance(rules, RuleSet):
        return rules
    if isinstance(rules, Path) or (isinstance(rules, str) and is_rule_file(rules)):
        return read_rules(Path(rules))
    return named_rules(rules)


def named_rules(name: str) -> RuleSet:
    """Return a rule set that ships with mjopt, or one form of it; no file of a user is read.

    Examples
    --------
    >>> named_rules("mcr.knitted_straight").forms
    (<WinningForm mcr.knitted_straight>,)
    """
    word = name.strip().lower() if isinstance(name, str) else ""
    if word in SHIPPED:
        return _shipped(word)
    if word.partition(".")[0] in SHIPPED:
        for form in _shipped(word.partition(".")[0]).forms:
            if form.name == word and not is_classic((form,)):
                return RuleSet.of_form(form)
    raise HandError(
        "unknown",
        argument="rules",
        value=short_repr(name),
        expected=(*RULE_SETS, "FILE.toml"),
    )


def is_rule_file(text: str) -> bool:
    """Return whether a text is the path of a file of rules rather than a name."""
    return text.lower().endswith(".toml")


@cache
def _shipped(name: str) -> RuleSet:
    text = (files("mjopt.hands.rules") / "rule_sets" / f"{name}.toml").read_text(encoding="utf-8")
    return parse_rules(text, f"{name}.toml")


def read_rules(path: Path) -> RuleSet:
    """Read a rule set from a TOML file; see :func:`get_rules`."""
    from mjopt._internal.files import read_regular  # of no use to most queries

    data = read_regular(path, MOST_BYTES)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise FileError(
            "not UTF-8", argument=str(path), position=error.start, unit="byte"
        ) from None
    return parse_rules(text, str(path))


@lru_cache(maxsize=64)
def parse_rules(text: str, name: str = "rules") -> RuleSet:
    r"""Parse a rule set; ``name`` is that of the file in messages.

    Examples
    --------
    >>> small = 'name = "small"\ntiles = "136"\nsize = 5\n[[form]]\nmelds = 1\neyes = 1'
    >>> parse_rules(small).most_called
    1
    >>> parse_rules('name = "wide"\ntiles = "136"\n[[form]]\nmeld = 4', "wide.toml")
    Traceback (most recent call last):
    mjopt.errors.FileError: wide.toml line 4: unknown key 'meld', expected one of name, ...
    """
    import tomllib  # of no use to most commands

    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise FileError(
                f"more than {MOST_DOTS} dots", argument=name, position=number, unit="line"
            )
    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise FileError("not TOML that can be read: nested too deeply", argument=name) from None
    except ValueError as error:  # also a number of thousands of digits
        raise FileError(f"not TOML: {shorten(str(error))}", argument=name) from None
    return _rules(RuleTable(document, text, name))


def _rules(table: RuleTable) -> RuleSet:
    table.check_keys(_RULE_KEYS)
    name = table.get("name", str, "")
    _check_name(table, name)
    tiles = _tiles(table, name)
    size = table.whole("size", default=14, low=2, high=LARGEST)
    tables = table.get("form", list, [])
    if not tables or not all(isinstance(form, dict) for form in tables):
        table.fail("no winning form", "form", expected="a table [[form]]")
    jokers = _jokers(table, tiles)
    search = PartsSearch(MOST_STEPS)
    forms: list[WinningForm] = []
    num_templates = 0
    for number, data in enumerate(tables):
        part = table.table("form", data, number)
        try:
            form = _form(part, name, tiles, jokers, search, is_only=len(tables) == 1)
        except TooManyStepsError:
            part.fail(
                f"more than {MOST_STEPS:,} steps to read the forms so far",
                expected="fewer forms, or fewer ways to put suits for letters",
            )
        if any(form.name == other.name for other in forms):
            part.fail(f"the form {form} is there twice", "name")
        for template in form.templates:
            if template.num_tiles != size:
                part.fail(f"the parts are {template.num_tiles} tiles", expected=f"{size}, the size")
        num_templates += 0 if is_classic((form,)) else len(form.templates)
        if num_templates > MOST_TEMPLATES:
            part.fail(f"{num_templates:,} templates so far", expected=f"at most {MOST_TEMPLATES:,}")
        forms.append(form)
    title = table.get("title", str, name)
    return RuleSet(name=name, title=title, tiles=tiles, size=size, forms=tuple(forms))


def _check_name(table: RuleTable, name: str) -> None:
    if not _NAME.fullmatch(name):
        said = f"name {short_repr(name)}" if name else "no name"
        table.fail(said, "name", expected="a word of small letters, digits, - and _")


def _tiles(rules: RuleTable, name: str) -> TileSet:
    """Return the tile set: a built-in one, or that of the table ``tiles``."""
    data = rules.data.get("tiles")
    if isinstance(data, str) and data in TILE_SETS:
        return TILE_SETS[data]
    if not isinstance(data, dict):
        said = "no tiles" if data is None else f"tiles {short_repr(data)}"
        rules.fail(said, "tiles", expected=(*TILE_SETS, "a table"))
    table = rules.table("tiles", data)
    table.check_keys(_TILE_KEYS)
    suits = table.get("suits", str, "mps")
    if not _SUITS.fullmatch(suits) or len(set(suits)) < len(suits):
        table.fail(f"suits {short_repr(suits)}", "suits", expected="different letters of d to y")
    honours = table.whole("honours", high=7)
    jokers = table.whole("jokers", high=4)
    absent = {(run.rank, run.letter) for run in table.runs("without")}
    parts = [*((letter, 9) for letter in suits), ("z", honours), ("j", jokers)]
    made = []
    for letter, length in parts:
        ranks = tuple(rank for rank in range(1, length + 1) if (rank, letter) not in absent)
        if ranks:
            suit = _SUIT_NAMES.get(letter, f"suit {letter}")
            made.append(Suit(letter, suit, ranks, has_chows=letter in suits))
    if not made:
        table.fail("no tiles are left")
    tiles = TileSet(f"tiles of {name}", tuple(made))
    return next((known for known in TILE_SETS.values() if known.suits == tiles.suits), tiles)


class _Jokers(NamedTuple):
    """The jokers of a rule set; a fixed tile needs ``least`` equal ones beside it, itself one."""

    kinds: Counts = ()
    parts: tuple[str, ...] = ()
    least: int = COPIES + 1
    has_fifth: bool = False


def _jokers(rules: RuleTable, tiles: TileSet) -> _Jokers:
    if "jokers" not in rules.data:
        return _Jokers()
    data = rules.data["jokers"]
    if not isinstance(data, dict):
        rules.fail(f"jokers {short_repr(data)}", "jokers", expected="a table [jokers]")
    table = rules.table("jokers", data)
    table.check_keys(_JOKER_KEYS)
    runs = table.runs("kinds")
    if not runs:
        table.fail("no kinds of jokers", "kinds", expected="tiles such as 5z")
    try:
        kinds = Assignment(tiles, {}).kinds(runs)
    except AbsentKindError as error:
        table.fail(str(error), "kinds")
    parts = table.get("parts", list, [*JOKER_PARTS])
    if not parts or not all(part in JOKER_PARTS for part in parts):
        table.fail(f"parts {short_repr(parts)}", "parts", expected=JOKER_PARTS)
    least = table.whole("least", default=1, low=1, high=COPIES)
    return _Jokers(
        kinds=kinds,
        parts=tuple(part for part in _PART_SIZES if part in parts and _PART_SIZES[part] >= least),
        least=least if "fixed" in parts else COPIES + 1,
        has_fifth=table.get("fifth", bool, False),
    )


def _form(
    table: RuleTable,
    rules: str,
    tiles: TileSet,
    jokers: _Jokers,
    search: PartsSearch,
    *,
    is_only: bool,
) -> WinningForm:
    """Return the form of a table: a classic form if its templates are the same."""
    table.check_keys(_FORM_KEYS)
    name = table.get("name", str, "")
    if name or not is_only:
        _check_name(table, name)
    numbers = {key: table.whole(key, high=LARGEST) for key in _NUMBERS}
    runs = {"fixed": table.runs("fixed")}
    runs |= {key: _different(table.runs(key)) for key in ("kinds", "of")}
    if not any(numbers.values()) and not runs["fixed"]:
        table.fail("asks for no tiles")
    if numbers["distinct"] and not runs["of"]:
        table.fail("distinct without of, the kinds to choose from", "distinct")
    if numbers["doubled"] > numbers["distinct"]:
        table.fail("doubled exceeds distinct", "doubled")
    for key, users in (("of", ("distinct",)), ("kinds", ("melds", "eyes", "pairs"))):
        if key in table.data and not any(numbers[user] for user in users):
            table.fail(f"{key} without {' or '.join(users)}", key)
    templates: dict[Template, None] = {}
    every = [run for some in runs.values() for run in some]
    may_mirror, may_shift = (table.get(key, bool, False) for key in ("mirror", "shift"))
    for assign in assignments(tuple(every), tiles, may_mirror=may_mirror, may_shift=may_shift):
        search.spend(_ASSIGNMENT_STEPS + len(every))
        template = _template(table, assign, numbers, runs, jokers)
        templates[template] = None
        if len(templates) > MOST_TEMPLATES:
            table.fail(
                f"more than {MOST_TEMPLATES:,} templates", expected=f"at most {MOST_TEMPLATES:,}"
            )
    if not templates:
        table.fail(f"more of {', '.join(SUIT_VARIABLES)} than suits with chows")
    if not all(search.is_possible(template, tiles) for template in templates):
        table.fail("no hand can have these parts")
    found = tuple(templates)
    for classic in classic_forms(tiles):
        if found == classic.templates:
            return classic
    return WinningForm(rules if name in ("", rules) else f"{rules}.{name}", tiles, found)


def _different(runs: Runs) -> Runs:
    """Return each kind of some runs once, however many copies are written."""
    return tuple(dict.fromkeys([run._replace(copies=1) for run in runs]))


def _template(
    table: RuleTable,
    assign: Assignment,
    numbers: Mapping[str, int],
    runs: Mapping[str, Runs],
    jokers: _Jokers,
) -> Template:
    tiles = assign.tiles
    fixed, eligible = [0] * tiles.num_kinds, [0] * tiles.num_kinds
    try:
        for run in runs["fixed"]:
            kind = assign.kind(run)
            fixed[kind] += run.copies
            eligible[kind] += run.copies * (run.copies >= jokers.least)
        kinds = assign.kinds(runs["kinds"]) if runs["kinds"] else tuple(range(tiles.num_kinds))
        of = assign.kinds(runs["of"])
    except AbsentKindError as error:
        key = next(key for key, some in runs.items() if error.run in some)
        table.fail(str(error), key)
    for kind in [kind for kind, copies in enumerate(fixed) if copies]:
        copies, with_jokers = fixed[kind], eligible[kind]
        most = COPIES + (with_jokers if jokers.has_fifth else 0)
        if copies > most:
            table.fail(
                f"{copies} fixed tiles {tiles.names[kind]}", "fixed", expected=f"at most {most}"
            )
        if kind in jokers.kinds:
            table.fail(f"{tiles.names[kind]} is fixed and a joker", "fixed")
    return Template(
        fixed=tuple(fixed),
        melds=numbers["melds"],
        eyes=numbers["eyes"],
        has_chows=table.get("chows", bool, True),
        has_pongs=table.get("pongs", bool, True),
        kinds=kinds if numbers["melds"] or numbers["eyes"] or numbers["pairs"] else (),
        distinct=numbers["distinct"],
        doubled=numbers["doubled"],
        of=of,
        pairs=numbers["pairs"],
        has_equal_pairs=table.get("alike", bool, False),
        jokers=jokers.kinds,
        joker_parts=jokers.parts,
        joker_fixed=tuple(eligible) if jokers.kinds else (),
        has_fifth=jokers.has_fifth,
    )
