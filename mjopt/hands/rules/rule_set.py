"""Rule sets: the tiles, the size and the winning forms of one kind of Mahjong, as data."""

from dataclasses import dataclass, field
from itertools import chain

from mjopt._internal.validation import expect, expect_all
from mjopt.errors import HandError
from mjopt.hands.rules.called_melds import most_melds
from mjopt.hands.rules.classic_forms import named_forms
from mjopt.hands.rules.winning_form import WinningForm, templates_of
from mjopt.hands.tiles import TileSet


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
        The winning forms, each a :class:`WinningForm` or a name from ``FORMS``.

    Attributes
    ----------
    most_called
        Most melds that a hand can have on the table, those among fixed tiles included.

    Examples
    --------
    >>> from mjopt.hands.rules.rule_file import get_rules
    >>> rules = get_rules("taiwan")
    >>> rules.size, rules.most_called, rules.forms
    (17, 5, (<WinningForm taiwan>,))
    """

    name: str
    title: str = field(compare=False)
    tiles: TileSet
    size: int
    forms: tuple[WinningForm, ...]
    most_called: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Validate the fields; derive the most melds that a hand can have on the table."""
        for name, kind in (("name", str), ("title", str), ("tiles", TileSet), ("size", int)):
            expect(getattr(self, name), kind, name)
        given = self.forms
        if isinstance(given, list | tuple) and any(isinstance(form, str) for form in given):
            named = [named_forms(f, self.tiles) if isinstance(f, str) else (f,) for f in given]
            given = tuple(chain.from_iterable(named))
        forms = tuple(dict.fromkeys(expect_all(given, WinningForm, "forms")))
        for form in forms:
            if form.tiles != self.tiles:
                raise HandError(f"{form} is a form of {form.tiles.name}, not of {self.tiles.name}")
        object.__setattr__(self, "forms", forms)
        templates = templates_of(forms)
        most = max([t.melds + most_melds(t.fixed, self.tiles) for t in templates], default=0)
        object.__setattr__(self, "most_called", most)

    @classmethod
    def of_form(cls, form: WinningForm) -> "RuleSet":
        """Return the rule set of one form, which has its name."""
        return cls(name=form.name, title=form.name, tiles=form.tiles, size=form.size, forms=(form,))

    @property
    def jokers(self) -> tuple[int, ...]:
        """The kinds whose tiles are jokers."""
        parts = (template.jokers for form in self.forms for template in form.templates)
        return tuple(sorted({kind for jokers in parts for kind in jokers}))
