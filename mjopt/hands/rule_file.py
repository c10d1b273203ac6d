"""Read rule sets from TOML: those that ship with mjopt, and files of users."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import permutations
from pathlib import Path
from typing import Any, Final, NoReturn

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.errors import FileError, HandError, MjoptError
from mjopt.hands.rule_set import CLASSIC, RuleSet, WinningForm, classic_templates
from mjopt.hands.template import JOKER_PARTS, Template
from mjopt.hands.tiles import COPIES, TILE_SETS, Suit, TileSet

RULE_SETS: Final = (
    *("riichi", "basic", "sanma", "taiwan", "mcr", "sichuan", "half-flush", "full-flush"),
)
"""The rule sets that ship with mjopt."""

MOST_TEMPLATES: Final = 1000
"""Most templates of a rule set."""

MOST_BYTES: Final = 100_000
"""Most bytes of a file of rules."""

LARGEST: Final = 32
"""Most tiles of a complete hand."""

_SUIT_LETTERS: Final = "abc"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_WORD: Final = re.compile(r"([0-9]+)([a-z])")
_TABLE: Final = re.compile(r"\s*\[\[?\s*([A-Za-z0-9_\"'.-]+)\s*\]\]?")

_RULE_KEYS: Final = ("name", "title", "tiles", "size", "jokers", "form")
_TILE_KEYS: Final = ("suits", "honours", "jokers", "without")
_JOKER_KEYS: Final = ("kinds", "parts", "least", "fifth")
_FORM_KEYS: Final = (
    *("name", "fixed", "melds", "eyes", "chows", "pongs", "kinds", "distinct", "doubled", "of"),
    *("pairs", "alike", "mirror", "shift"),
)

Counts = tuple[int, ...]
Words = tuple[tuple[int, str, int], ...]  # (rank, letter, copies) of every run of equal tiles


def get_rules(rules: "RuleSet | str | Path") -> RuleSet:
    """Return a rule set, given itself, its name or a TOML file.

    Parameters
    ----------
    rules
        One of ``RULE_SETS``, or the path of a file whose name ends in ``.toml``.

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
    if isinstance(rules, str) and rules.strip().lower() in RULE_SETS:
        return _shipped(rules.strip().lower())
    if isinstance(rules, Path) or (isinstance(rules, str) and is_rule_file(rules)):
        return read_rules(Path(rules))
    raise HandError(
        "unknown",
        argument="rules",
        value=short_repr(rules),
        expected=(*RULE_SETS, "FILE.toml"),
    )


def is_rule_file(text: str) -> bool:
    """Return whether a text is the path of a file of rules rather than a name."""
    return text.lower().endswith(".toml")


@lru_cache(maxsize=None)
def _shipped(name: str) -> RuleSet:
    text = (files("mjopt.hands") / "rule_sets" / f"{name}.toml").read_text(encoding="utf-8")
    return parse_rules(text, f"{name}.toml")


def read_rules(path: Path) -> RuleSet:
    """Read a rule set from a TOML file; see :func:`get_rules`."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise FileError(error.strerror or "cannot be read", argument=str(path)) from None
    if len(data) > MOST_BYTES:
        raise FileError(f"more than {MOST_BYTES:,} bytes", argument=str(path))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise FileError(
            "not UTF-8", argument=str(path), position=error.start, unit="byte"
        ) from None
    return parse_rules(text, str(path))


def parse_rules(text: str, name: str = "rules") -> RuleSet:
    """Parse a rule set; ``name`` is that of the file in messages.

    Examples
    --------
    >>> parse_rules('name = "wide"\\ntiles = "136"\\nsize = 5\\n[[form]]\\nmelds = 1\\neyes = 1').size
    5
    >>> parse_rules('name = "wide"\\ntiles = "136"\\n[[form]]\\nmeld = 4', "wide.toml")
    Traceback (most recent call last):
    mjopt.errors.FileError: wide.toml line 4: unknown key 'meld', expected one of name, ...
    """
    import tomllib  # of no use to most commands

    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"not TOML: {shorten(str(error))}", argument=name) from None
    return _Reader(document, _Lines(text, name)).rules()


@dataclass(frozen=True)
class _Lines:
    """The lines of a file, to name the place of a mistake."""

    text: str
    name: str

    def fail(
        self, message: str, table: str = "", key: str = "", *, number: int = 0, expected: Any = ""
    ) -> NoReturn:
        """Raise an error that names the line of a key; without one, the line of its table."""
        raise FileError(
            message,
            argument=self.name,
            position=self._line(table, key, number),
            unit="line",
            expected=expected,
        )

    def _line(self, table: str, key: str, number: int) -> int:
        header, inside, seen = 1, not table, -1
        for place, line in enumerate(self.text.splitlines(), 1):
            if match := _TABLE.match(line):
                is_table = match[1] == table
                seen += is_table
                inside = is_table and (table != "form" or seen == number)
                header = place if inside else header
            elif inside and key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
                return place
            elif table and not inside and re.match(rf"\s*{re.escape(table)}\s*[=.]", line):
                header = place  # an inline table
        return header


class _Reader:
    """The parts of one document, validated as they are read."""

    def __init__(self, document: dict[str, Any], lines: _Lines) -> None:
        self._document = document
        self._lines = lines

    def rules(self) -> RuleSet:
        """Return the rule set."""
        data, lines = self._document, self._lines
        self._check_keys(data, _RULE_KEYS, "")
        name = self._get(data, "name", str, "", "", default=None)
        if name is None or not _NAME.fullmatch(name):
            lines.fail(
                f"name {short_repr(name)}" if name is not None else "no name",
                key="name",
                expected="a word of small letters, digits, - and _",
            )
        tiles = self._tiles()
        size = self._whole(data, "size", "", default=14, low=2, high=LARGEST)
        forms = self._get(data, "form", list, "", "", default=[])
        if not forms or not all(isinstance(form, dict) for form in forms):
            lines.fail("no winning form", expected="a table [[form]]")
        jokers = _Jokers.read(self, tiles)
        read = [
            self._form(form, number, (name, size, tiles, jokers), alone=len(forms) == 1)
            for number, form in enumerate(forms)
        ]
        if len(set(read)) < len(read):
            twice = next(k for k, form in enumerate(read) if form in read[:k])
            lines.fail(f"the form {read[twice]} is there twice", "form", "name", number=twice)
        total = sum(len(form.templates) for form in read if isinstance(form, WinningForm))
        if total > MOST_TEMPLATES:
            lines.fail(f"{total:,} templates", "form", expected=f"at most {MOST_TEMPLATES:,}")
        title = self._get(data, "title", str, "", "", default=name)
        return RuleSet(name=name, title=title, tiles=tiles, size=size, forms=tuple(read))

    def _tiles(self) -> TileSet:
        data = self._document.get("tiles")
        if isinstance(data, str):
            if data not in TILE_SETS:
                self._lines.fail(
                    f"tiles {short_repr(data)}", key="tiles", expected=(*TILE_SETS, "a table")
                )
            return TILE_SETS[data]
        if not isinstance(data, dict):
            self._lines.fail("no tiles", key="tiles", expected=(*TILE_SETS, "a table"))
        self._check_keys(data, _TILE_KEYS, "tiles")
        suits = self._get(data, "suits", str, "tiles", "suits", default="mps")
        honours = self._whole(data, "honours", "tiles", default=0, low=0, high=7)
        jokers = self._whole(data, "jokers", "tiles", default=0, low=0, high=4)
        without = self._get(data, "without", str, "tiles", "without", default="")
        if not re.fullmatch("[a-y]{0,9}", suits) or set(suits) & {*_SUIT_LETTERS, "j"}:
            self._lines.fail(
                f"suits {short_repr(suits)}",
                "tiles",
                "suits",
                expected=f"letters d..y, each once, without j; {_SUIT_LETTERS} stand for suits",
            )
        absent = {(rank, letter) for rank, letter, _ in self._words(without, "tiles", "without")}
        made: list[Suit] = []
        parts = [
            *((letter, 9, True) for letter in suits),
            ("z", honours, False),
            ("j", jokers, False),
        ]
        names = {"m": "characters", "p": "dots", "s": "bamboos", "z": "honours", "j": "jokers"}
        for letter, length, has_chows in parts:
            ranks = tuple(r for r in range(1, length + 1) if (r, letter) not in absent)
            if ranks:
                made.append(Suit(letter, names.get(letter, f"suit {letter}"), ranks, has_chows))
        try:
            tiles = TileSet(f"tiles of {self._document['name']}", tuple(made))
        except MjoptError as error:
            self._lines.fail(str(error), "tiles", "suits")
        return next((known for known in TILE_SETS.values() if known.suits == tiles.suits), tiles)

    def _form(
        self,
        data: dict[str, Any],
        number: int,
        about: "tuple[str, int, TileSet, _Jokers]",
        *,
        alone: bool,
    ) -> str:
        rules, size, tiles, jokers = about
        self._check_keys(data, _FORM_KEYS, "form", number)
        name = self._get(data, "name", str, "form", "name", number=number, default="")
        if not (alone and not name) and not _NAME.fullmatch(name):
            self._lines.fail(
                f"name {short_repr(name)}" if name else "no name",
                "form",
                "name",
                number=number,
                expected="a word of small letters, digits, - and _",
            )
        if not data.keys() - {"name"}:
            self._lines.fail("asks for no tiles", "form", number=number)
        templates = self._templates(data, number, size, tiles, jokers)
        for classic in CLASSIC:
            if templates == classic_templates(classic, tiles):
                return classic
        return WinningForm(rules if alone or name == rules else f"{rules}.{name}", tiles, templates)

    def _templates(
        self, data: dict[str, Any], number: int, size: int, tiles: TileSet, jokers: "_Jokers"
    ) -> tuple[Template, ...]:
        where = {"table": "form", "number": number}

        def whole(key: str, high: int = LARGEST) -> int:
            return self._whole(data, key, default=0, low=0, high=high, **where)

        def flag(key: str, default: bool) -> bool:
            return bool(self._get(data, key, bool, key=key, default=default, **where))

        def words(key: str) -> Words:
            return self._words(
                self._get(data, key, str, key=key, default="", **where), "form", key, number
            )

        numbers = {key: whole(key) for key in ("melds", "eyes", "distinct", "doubled", "pairs")}
        texts = {key: words(key) for key in ("fixed", "kinds", "of")}
        flags = {
            "has_chows": flag("chows", True),
            "has_pongs": flag("pongs", True),
            "has_equal_pairs": flag("alike", False),
        }
        for key, needed_by in (("of", "distinct"), ("kinds", "melds, eyes or pairs")):
            users = needed_by.replace(" or", ",").split(", ")
            if key in data and not any(numbers[user] for user in users):
                self._lines.fail(f"{key} without {needed_by}", key=key, **where)
        if numbers["distinct"] and "of" not in data:
            self._lines.fail(
                "distinct without of, the kinds to choose from", key="distinct", **where
            )
        if numbers["doubled"] > numbers["distinct"]:
            self._lines.fail("doubled exceeds distinct", key="doubled", **where)
        every = tuple(range(tiles.num_kinds))
        uses_kinds = any(numbers[key] for key in ("melds", "eyes", "pairs"))
        seen: dict[Template, None] = {}
        for assign in self._variants(texts, tiles, flag("mirror", False), flag("shift", False)):
            try:
                fixed, joker_fixed = _fixed(texts["fixed"], assign, tiles, jokers)
                given = _kinds(texts["kinds"], assign) if "kinds" in data else every
                of = _kinds(texts["of"], assign)
            except _Absent as error:
                key = next((k for k in texts if error.word in texts[k]), "")
                self._lines.fail(str(error), key=key, **where)
            most = max(fixed, default=0)
            if most > COPIES and not jokers.has_fifth:
                kind = tiles.names[fixed.index(most)]
                self._lines.fail(
                    f"{most} fixed tiles {kind}", key="fixed", expected=f"at most {COPIES}", **where
                )
            for kind in jokers.kinds:
                if fixed[kind]:
                    self._lines.fail(
                        f"{tiles.names[kind]} is fixed and a joker", key="fixed", **where
                    )
            template = Template(
                fixed=fixed,
                kinds=given if uses_kinds else (),
                of=of,
                jokers=jokers.kinds,
                joker_parts=jokers.parts,
                joker_fixed=joker_fixed,
                has_fifth=jokers.has_fifth,
                **numbers,
                **flags,
            )
            if template.num_tiles != size:
                self._lines.fail(
                    f"the parts are {template.num_tiles} tiles",
                    expected=f"{size}, the size",
                    **where,
                )
            if template in seen:
                continue
            seen[template] = None
            if len(seen) > MOST_TEMPLATES:
                self._lines.fail(
                    f"more than {MOST_TEMPLATES:,} templates",
                    expected=f"at most {MOST_TEMPLATES:,}",
                    **where,
                )
            if not template.is_possible(tiles):
                self._lines.fail("no hand can have these parts", **where)
        return tuple(seen)

    def _variants(
        self, texts: Mapping[str, Words], tiles: TileSet, mirror: bool, shift: bool
    ) -> "Iterator[_Assignment]":
        """Yield every way to put suits for letters, and to mirror and to shift the numbers."""
        words = [word for text in texts.values() for word in text]
        letters = sorted({letter for _, letter, _ in words if letter in _SUIT_LETTERS})
        suits = [suit.letter for suit in tiles.suits if suit.has_chows]
        numbered = [rank for rank, letter, _ in words if letter in (*_SUIT_LETTERS, *suits)]
        steps = range(-8, 9) if shift and numbered else (0,)
        for chosen in permutations(suits, len(letters)):
            names = dict(zip(letters, chosen, strict=True))
            for turned in (False, True) if mirror else (False,):
                ranks = [10 - rank if turned else rank for rank in numbered]
                for step in steps:
                    if not step or all(1 <= rank + step <= 9 for rank in ranks):
                        yield _Assignment(tiles, names, frozenset(suits), turned, step)

    def _words(self, text: str, table: str, key: str, number: int = 0) -> Words:
        """Return the runs of equal tiles in a text such as ``147a 258b 11z``."""
        found: list[tuple[int, str, int]] = []
        rest = text
        for match in _WORD.finditer(text):
            rest = rest.replace(match[0], "", 1)
            found += [
                (int(run[0][0]), match[2], len(run[0])) for run in re.finditer(r"(\d)\1*", match[1])
            ]
        if rest.strip():
            self._lines.fail(
                f"{key} {short_repr(text)}",
                table,
                key,
                number=number,
                expected="tiles such as 147a11z",
            )
        return tuple(found)

    def _check_keys(
        self, data: Mapping[str, Any], known: tuple[str, ...], table: str, number: int = 0
    ) -> None:
        for key in data:
            if key not in known:
                message = f"unknown key {short_repr(key)}"
                self._lines.fail(message, table, key, number=number, expected=known)

    def _get(
        self,
        data: Mapping[str, Any],
        name: str,
        kind: Callable[..., Any],
        table: str,
        key: str,
        number: int = 0,
        default: Any = None,
    ) -> Any:
        value = data.get(name, default)
        if value is not default and type(value) is not kind:
            words = {str: "a text", bool: "true or false", list: "tables", int: "a whole number"}
            self._lines.fail(
                f"{name} {short_repr(value)}",
                table,
                key or name,
                number=number,
                expected=words[kind],  # type: ignore[index]
            )
        return value

    def _whole(
        self,
        data: Mapping[str, Any],
        key: str,
        table: str,
        default: int,
        low: int,
        high: int,
        number: int = 0,
    ) -> int:
        value: int = self._get(data, key, int, table, key, number, default)
        if not low <= value <= high:
            self._lines.fail(f"{key} {value}", table, key, number=number, expected=f"{low}..{high}")
        return value


@dataclass(frozen=True)
class _Jokers:
    """The jokers of a rule set."""

    kinds: Counts = ()
    parts: tuple[str, ...] = ()
    least: int = 1
    for_fixed: bool = False
    has_fifth: bool = False

    @classmethod
    def read(cls, reader: _Reader, tiles: TileSet) -> "_Jokers":
        """Return the jokers of the table ``[jokers]``, or none."""
        data, lines = reader._document.get("jokers"), reader._lines
        if data is None:
            return cls()
        if not isinstance(data, dict):
            lines.fail(f"jokers {short_repr(data)}", key="jokers", expected="a table [jokers]")
        reader._check_keys(data, _JOKER_KEYS, "jokers")
        words = reader._words(
            reader._get(data, "kinds", str, "jokers", "kinds", default=""), "jokers", "kinds"
        )
        if not words:
            lines.fail("no kinds of jokers", "jokers", "kinds", expected="kinds such as 5z")
        try:
            kinds = _kinds(words, _Assignment(tiles, {}, frozenset(), False, 0))
        except _Absent as error:
            lines.fail(str(error), "jokers", "kinds")
        parts = data.get("parts", list(JOKER_PARTS))
        if (
            not isinstance(parts, list)
            or not parts
            or any(part not in JOKER_PARTS for part in parts)
        ):
            lines.fail(f"parts {short_repr(parts)}", "jokers", "parts", expected=JOKER_PARTS)
        least = reader._whole(data, "least", "jokers", default=1, low=1, high=COPIES)
        fifth = bool(reader._get(data, "fifth", bool, "jokers", "fifth", default=False))
        sizes = {"melds": 3, "eyes": 2, "distinct": 1, "pairs": 2}
        chosen = tuple(part for part in sizes if part in parts and sizes[part] >= least)
        return cls(kinds, chosen, least, "fixed" in parts, fifth)


class _Absent(Exception):
    """A kind that the tile set lacks."""

    def __init__(self, word: tuple[int, str, int], tiles: TileSet) -> None:
        super().__init__(f"{tiles.name} has no {word[0]}{word[1]}")
        self.word = word


@dataclass(frozen=True)
class _Assignment:
    """Suits for the letters a, b and c, and a change of the numbers."""

    tiles: TileSet
    names: dict[str, str]
    suits: frozenset[str]
    is_mirrored: bool
    step: int

    def kind(self, word: tuple[int, str, int]) -> int:
        """Return the kind of a run of tiles."""
        rank, letter, _ = word
        letter = self.names.get(letter, letter)
        if letter in self.suits:
            rank = (10 - rank if self.is_mirrored else rank) + self.step
        kind = self.tiles.kind(rank, letter)
        if kind is None:
            raise _Absent(word, self.tiles)
        return kind


def _kinds(words: Words, assign: _Assignment) -> Counts:
    return tuple(sorted({assign.kind(word) for word in words}))


def _fixed(
    words: Words, assign: _Assignment, tiles: TileSet, jokers: _Jokers
) -> tuple[Counts, Counts]:
    """Return the fixed copies per kind, and those of them for which jokers may stand."""
    fixed, eligible = [0] * tiles.num_kinds, [0] * tiles.num_kinds
    for word in words:
        kind = assign.kind(word)
        fixed[kind] += word[2]
        eligible[kind] += word[2] * (jokers.for_fixed and word[2] >= jokers.least)
    return tuple(fixed), tuple(eligible) if jokers.kinds else ()
