"""Tables as data, and their cells as people read them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, isnan
from typing import Final, Literal, cast, get_args

from mjopt.errors import StudyError

Cell = str | int | float | None

Form = Literal["text", "name", "count", "number", "percent", "points", "p", "micros", "signed"]

NOTHING: Final = "\u2013"  # an en dash, for a cell without a value
MINUS: Final = "\u2212"  # wider than a hyphen
THIN: Final = "\u202f"  # narrow no-break space, between thousands

SCALES: Final = {"percent": ("%", 100.0), "points": ("points", 100.0), "micros": ("µs", 1e6)}
"""What some forms bring: their unit, and what a value is multiplied by."""


@dataclass(frozen=True, slots=True)
class Field:
    """What stands in one column.

    Parameters
    ----------
    name
        What stands above it.
    form
        How its values are written: ``text``; ``name`` (a text that no terminal folds);
        ``count``; ``number``; ``percent`` (a share in
        0..1, written in percent); ``points`` (a difference of shares, in percentage
        points); ``p`` (a p-value); ``micros`` (seconds, written in microseconds);
        ``signed`` (a number with its sign).
    digits
        Places after the point, for people; files for machines keep them all.
    unit
        Written behind the name; percent, points and microseconds bring their own.

    Examples
    --------
    >>> Field("accuracy", "percent", 2).heading
    'accuracy (%)'
    """

    name: str
    form: Form = "text"
    digits: int = 2
    unit: str = ""

    def __post_init__(self) -> None:
        """Refuse formats that are not known."""
        if self.form not in (forms := get_args(Form)):
            raise StudyError(f"column {self.name}: form {self.form!r}, expected one of {forms}")

    @property
    def is_text(self) -> bool:
        """Whether its values are words."""
        return self.form in ("text", "name")

    @property
    def heading(self) -> str:
        """Return the name with its unit."""
        unit = self.unit or SCALES.get(self.form, ("", 1.0))[0]
        return f"{self.name} ({unit})" if unit else self.name


def fields(*texts: str) -> tuple[Field, ...]:
    """Read columns written ``NAME:FORM:DIGITS:UNIT``; all but the name may be left out.

    A text may hold several, with bars between them.

    Examples
    --------
    >>> fields("method | accuracy:percent:3") == (Field("method"), Field("accuracy", "percent", 3))
    True
    """
    found = []
    for text in " | ".join(texts).split(" | "):
        name, form, digits, unit = (text.split(":") + [""] * 3)[:4]
        known = cast("Form", form or "text")  # a field refuses what is no form
        found.append(Field(name, known, int(digits or 2), unit))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that can be written as Markdown, CSV, LaTeX or HTML.

    Parameters
    ----------
    name
        Its name in file names and labels.
    title
        One line that says what it shows.
    columns, rows
        Every row has a cell for every column.
    notes
        Sentences below it: how to read it, what was left out.
    groups
        How many leading columns repeat from row to row and may be written once.
    less
        Columns that a narrow terminal may leave out, those that go first first; bars
        stand between names that go together. Files have them all.

    Raises
    ------
    StudyError
        If a row does not fit the columns, or a value is not a number.

    Examples
    --------
    >>> table = Table(name="t", title="Accuracy", rows=(("ndde", 0.93325),),
    ...     columns=(Field("method"), Field("accuracy", "percent", 1)))
    >>> table.written_rows()
    [['ndde', '93.3']]
    """

    name: str
    title: str
    columns: tuple[Field, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    groups: int = 0
    less: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse rows that do not fit."""
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", self.name):
            raise StudyError(f"table name {self.name!r}, expected small letters, digits and '-'")
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise StudyError(
                    f"table {self.name}, row {number}: {len(row)} cells, "
                    f"expected {len(self.columns)}"
                )
            for column, cell in zip(self.columns, row, strict=True):
                wrong = isinstance(cell, str) != column.is_text and cell is not None
                if wrong or (isinstance(cell, float) and isnan(cell)):
                    raise StudyError(
                        f"table {self.name}, row {number}, column {column.name}: "
                        f"{cell!r}, expected {column.form}"
                    )

    @property
    def headings(self) -> list[str]:
        """The name of every column with its unit."""
        return [column.heading for column in self.columns]

    def written_rows(self) -> list[list[str]]:
        """Return every cell as people read it."""
        return [
            [written(cell, column) for column, cell in zip(self.columns, row, strict=True)]
            for row in self.rows
        ]

    def starts_group(self, number: int) -> bool:
        """Say whether a row begins another group than the row before it."""
        if not self.groups or not number:
            return False
        return self.rows[number][: self.groups] != self.rows[number - 1][: self.groups]


def make_table(
    name: str,
    title: str,
    columns: str | Iterable[Field],
    rows: Iterable[tuple[Cell, ...]],
    *notes: str,
    groups: int = 1,
    less: Iterable[str] = (),
) -> Table:
    """Return a table; columns may be text for :func:`fields`, rows may come one by one."""
    return Table(
        name=name,
        title=title,
        columns=fields(columns) if isinstance(columns, str) else tuple(columns),
        rows=tuple(rows),
        notes=notes,
        groups=groups,
        less=tuple(less),
    )


def written(cell: Cell, column: Field) -> str:
    """Return a cell as people read it.

    Examples
    --------
    >>> written(0.000021, Field("p", "p")), written(118800, Field("hands", "count"))
    ('<0.0001', '118\u202f800')
    >>> written(float("inf"), Field("evaluations", "number")), written(None, Field("n", "count"))
    ('∞', '\u2013')
    """
    if cell is None:
        return NOTHING
    if isinstance(cell, str):
        return cell
    if cell in (inf, -inf):
        return "∞" if cell > 0 else MINUS + "∞"
    if column.form == "p":
        return "<0.0001" if cell < 0.0001 else f"{cell:.4f}"
    if column.form == "count":
        return f"{round(cell):,}".replace(",", THIN).replace("-", MINUS)
    _, scale = SCALES.get(column.form, ("", 1.0))
    sign = "+" if column.form in ("points", "signed") else ""
    text = f"{cell * scale:{sign},.{column.digits}f}".replace(",", THIN)
    if not any(digit in text for digit in "123456789"):
        text = text.lstrip("+-")  # a zero has no sign
    elif column.form == "percent" and text.startswith("100") and cell < 1:
        text = f">{100 - 10.0**-column.digits:.{column.digits}f}"  # nearly all is not all
    return text.replace("-", MINUS)
