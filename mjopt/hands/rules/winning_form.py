"""A winning form: a name, a tile set and templates."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import lru_cache

from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect, expect_all
from mjopt.errors import HandError
from mjopt.hands.blocks import Block
from mjopt.hands.rules.called_melds import beside
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import TileSet


@dataclass(frozen=True, slots=True, repr=False)
class WinningForm:
    """A winning form: its name, the tile set and the templates.

    A hand has the form if it has the parts of one of the templates. Two forms are equal if all
    three are. ``str(form)`` is the name; answers, JSON and tables show that.

    Parameters
    ----------
    name
        The rule set, and the form if the rule set has several: ``mcr.knitted_straight``.
    tiles
        The tile set.
    templates
        The templates, all of the same number of tiles, each once.

    Attributes
    ----------
    is_plain
        Whether it is four melds and an eye of any kinds, and nothing else.
    is_pairs
        Whether it is seven pairs of different kinds, any of the tile set, and nothing else.
    is_singles
        Whether it is each of thirteen kinds, one of them twice, and nothing else.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> form = get_rules("mcr").forms[-1]
    >>> form.name, len(form.templates), form.templates[0].distinct
    ('mcr.honours_and_knitted', 6, 14)
    >>> form
    <WinningForm mcr.honours_and_knitted>
    """

    name: str
    tiles: TileSet
    templates: tuple[Template, ...]
    is_plain: bool = field(init=False, compare=False)
    is_pairs: bool = field(init=False, compare=False)
    is_singles: bool = field(init=False, compare=False)
    _hash: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Validate the fields; derive what is asked often."""
        expect(self.name, str, "name")
        expect(self.tiles, TileSet, "tiles")
        set_field = object.__setattr__
        templates = expect_all(self.templates, Template, "templates")
        set_field(self, "templates", templates)
        if not templates:
            raise HandError("no templates", argument=short_repr(self.name))
        for name in ("is_plain", "is_pairs", "is_singles"):
            set_field(self, name, len(templates) == 1 and getattr(templates[0], name))
        set_field(self, "_hash", hash((self.name, self.tiles, templates)))

    def __hash__(self) -> int:  # that of a thousand templates takes long
        return self._hash

    def __reduce__(self) -> tuple[type["WinningForm"], tuple[object, ...]]:
        # Not with the hash: those of texts differ between processes.
        return WinningForm, (self.name, self.tiles, self.templates)

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __repr__(self) -> str:
        return f"<WinningForm {self.name}>"

    @property
    def size(self) -> int:
        """Number of tiles of a complete hand."""
        return self.templates[0].num_tiles

    @property
    def definition(self) -> dict[str, object]:
        """The form as plain data."""
        return {"name": self.name, "templates": [asdict(part) for part in self.templates]}

    @property
    def digest(self) -> str:
        """SHA-256 of the tile set and the templates."""
        import hashlib
        import json

        suits = [asdict(suit) for suit in self.tiles.suits]
        parts = {"tiles": suits, **self.definition}
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


Forms = tuple[WinningForm, ...]


def templates_of(forms: Iterable[WinningForm]) -> tuple[Template, ...]:
    """Return the templates of all forms."""
    return tuple(template for form in forms for template in form.templates)


@lru_cache(maxsize=1 << 10)
def templates_beside(
    form: WinningForm, melds: tuple[Block, ...]
) -> tuple[tuple[Template, ...], ...]:
    """Return what each template of a form asks for beside named called melds.

    See :func:`mjopt.hands.rules.called_melds.beside`; empty for a template that they rule out.
    """
    return tuple(beside(template, melds, form.tiles) for template in form.templates)
