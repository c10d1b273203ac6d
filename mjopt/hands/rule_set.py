"""Rule sets: the tiles, the size and the winning forms of one kind of Mahjong, as data."""

from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Final

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, expect_all
from mjopt.errors import HandError
from mjopt.hands.template import Template
from mjopt.hands.tiles import TileSet

STANDARD: Final = "standard"
SEVEN_PAIRS: Final = "seven_pairs"
THIRTEEN_ORPHANS: Final = "thirteen_orphans"
CLASSIC: Final = (STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS)
"""The forms of hands of 14 tiles that every part of mjopt knows, also for batches and games."""


class WinningForm(str):
    """A winning form of a rule set: a name, which is the text, and the templates.

    A hand has the form if it has the parts of one of the templates. The form is its name wherever
    a name is expected, so answers, JSON and tables show it without conversion.

    Parameters
    ----------
    name
        The rule set, and the form if the rule set has several: ``mcr.knitted_straight``.
    tiles
        The tile set.
    templates
        The templates, all of the same number of tiles, each once.

    Examples
    --------
    >>> from mjopt.hands.rule_file import get_rules
    >>> form = get_rules("mcr").forms[-1]
    >>> form, len(form.templates), form.templates[0].distinct
    ('mcr.honours_and_knitted', 6, 14)
    """

    tiles: TileSet
    templates: tuple[Template, ...]

    def __new__(cls, name: str, tiles: TileSet, templates: tuple[Template, ...]) -> "WinningForm":
        """Return a text with two attributes."""
        expect(name, str, "name")
        expect(tiles, TileSet, "tiles")
        form = super().__new__(cls, name)
        form.tiles = tiles
        form.templates = expect_all(templates, Template, "templates")
        if not form.templates:
            raise HandError("no templates", argument=short_repr(name))
        return form

    def __getnewargs__(self) -> tuple[str, TileSet, tuple[Template, ...]]:  # type: ignore[override]
        return str(self), self.tiles, self.templates

    @property
    def size(self) -> int:
        """Number of tiles of a complete hand."""
        return self.templates[0].num_tiles

    @property
    def definition(self) -> dict[str, object]:
        """The form as plain data."""
        return {"name": str(self), "templates": [asdict(part) for part in self.templates]}

    @property
    def digest(self) -> str:
        """SHA-256 of the tile set and the templates."""
        import hashlib
        import json

        suits = [asdict(suit) for suit in self.tiles.suits]
        parts = {"tiles": suits, **self.definition}
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One kind of Mahjong: the tiles, the size of a complete hand, and its winning forms.

    Read one with :func:`mjopt.get_rules`, by its name or from a TOML file.

    Parameters
    ----------
    name
        A word, such as ``taiwan``.
    title
        A few words that say what it is.
    tiles
        The tile set.
    size
        Number of tiles of a complete hand, called melds with three tiles each.
    forms
        The winning forms: names from ``CLASSIC``, or a :class:`WinningForm`.

    Attributes
    ----------
    most_called
        Most melds that a hand can have on the table.

    Examples
    --------
    >>> from mjopt.hands.rule_file import get_rules
    >>> rules = get_rules("taiwan")
    >>> rules.size, rules.most_called, rules.forms
    (17, 5, ('taiwan',))
    """

    name: str
    title: str = field(compare=False)
    tiles: TileSet
    size: int
    forms: tuple[str, ...]
    most_called: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Validate the fields; derive the most melds that a hand can have on the table."""
        for name, kind in (("name", str), ("title", str), ("tiles", TileSet), ("size", int)):
            expect(getattr(self, name), kind, name)
        object.__setattr__(self, "forms", expect_all(self.forms, str, "forms"))
        templates = (t for form in self.forms for t in templates_of(form, self.tiles))
        most = max((template.melds for template in templates), default=0)
        object.__setattr__(self, "most_called", most)

    @classmethod
    def of_form(cls, form: WinningForm) -> "RuleSet":
        """Return the rule set of one form, which has its name."""
        return cls(name=form, title=form, tiles=form.tiles, size=form.size, forms=(form,))

    @property
    def is_classic(self) -> bool:
        """Whether every form is one of ``CLASSIC``."""
        return all(form in CLASSIC and not isinstance(form, WinningForm) for form in self.forms)

    @property
    def jokers(self) -> tuple[int, ...]:
        """The kinds whose tiles are jokers."""
        parts = (t.jokers for form in self.forms for t in templates_of(form, self.tiles))
        return tuple(sorted({kind for jokers in parts for kind in jokers}))


def templates_of(form: str, tiles: TileSet) -> tuple[Template, ...]:
    """Return the templates of a winning form over a tile set.

    Raises
    ------
    HandError
        If the form is of another tile set.

    Examples
    --------
    >>> from mjopt.hands.tiles import FULL
    >>> [template.num_tiles for form in CLASSIC for template in templates_of(form, FULL)]
    [14, 14, 14]
    """
    if not isinstance(form, WinningForm):
        return classic_templates(form, tiles)
    if form.tiles != tiles:
        raise HandError(f"{form} is a form of {form.tiles.name}, not of {tiles.name}")
    return form.templates


@lru_cache(maxsize=128)
def classic_templates(form: str, tiles: TileSet) -> tuple[Template, ...]:
    """Return the template of a form of ``CLASSIC``; none if the tile set lacks its tiles."""
    every = tuple(range(tiles.num_kinds))
    nothing = (0,) * tiles.num_kinds
    if form == STANDARD:
        return (Template(fixed=nothing, melds=4, eyes=1, kinds=every),)
    if form == SEVEN_PAIRS:
        return (Template(fixed=nothing, pairs=7, kinds=every),)
    if form != THIRTEEN_ORPHANS:
        raise HandError(f"{form} is not a classic form")
    orphans = tuple(k for k, name in enumerate(tiles.names) if name[1] == "z" or name[0] in "19")
    if len(orphans) != 13:
        return ()
    return (Template(fixed=nothing, distinct=13, doubled=1, of=orphans),)


@lru_cache(maxsize=32)
def standard_template(tiles: TileSet) -> Template:
    """Return the template of four melds and an eye.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> standard_template(M0).melds
    4
    """
    return classic_templates(STANDARD, tiles)[0]
