"""The result of one claim, and the tables that all sections use."""

import os
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.tables import Row, Table, Value

PACKAGES: Final = (
    *("mjopt", "numpy", "numba", "ortools", "PuLP", "pettingzoo"),
    *("mahjong", "riichienv", "rlcard", "xiangting"),
)
GIB: Final = 2**30


class Spread(NamedTuple):
    """Median and quartiles over rounds."""

    median: float
    low: float
    high: float


def spread(values: NDArray[np.float64]) -> Spread:
    """Return median, lower and upper quartile."""
    low, median, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
    return Spread(median, low, high)


class Comparison:
    """The sides of one claim, with their times in every round.

    Parameters
    ----------
    stored
        The dictionary that ``paired.measure`` stored.
    """

    def __init__(self, stored: dict[str, Any]) -> None:
        self.unit: str = stored["unit"]
        self.base: str = stored["base"]
        self.seconds = {side["name"]: np.array(side["seconds"]) for side in stored["sides"]}
        self.notes: dict[str, str] = {side["name"]: side["note"] for side in stored["sides"]}
        self.absent: dict[str, str] = stored["absent"]
        self.figures: dict[str, Any] = stored["figures"]

    @property
    def rounds(self) -> int:
        """The number of rounds."""
        return len(self.seconds[self.base])

    def median(self, name: str) -> float:
        """Return the median seconds of a unit."""
        return float(np.median(self.seconds[name]))

    def ratio(self, name: str, base: str | None = None) -> Spread:
        """Return the ratio of times to the base (or another side) in the same round."""
        return spread(self.seconds[name] / self.seconds[base or self.base])

    def named(self, start: str) -> str | None:
        """Return the side whose name starts so; None if it is absent."""
        return next((name for name in self.seconds if name.startswith(start)), None)


def number(value: float) -> str:
    """Return a number with at least two significant digits.

    Examples
    --------
    >>> number(0.0794), number(1.01), number(47.6), number(1013.4)
    ('0.079', '1.0', '48', '1,013')
    """
    if value >= 10:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 1 else f"{value:.2g}"


def percent(share: float) -> str:
    """Return a share as a percentage."""
    return f"{100 * share:.0f} %"


def enumeration(items: Sequence[str]) -> str:
    """Return a list in words.

    Examples
    --------
    >>> enumeration(["a"]), enumeration(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def sides_table(
    found: Comparison, name: str, title: str, *notes: str, scale: float, unit: str, digits: int = 1
) -> Table:
    """Return a table of all sides: ratio to the base, quartiles, time, and a remark.

    Parameters
    ----------
    found
        The result.
    name, title, notes
        As for :class:`Table`.
    scale, unit, digits
        The unit of time: its number in a second, its name, and decimals.
    """
    time = f"{unit} a {found.unit}"
    rows: list[dict[str, Value]] = [
        {
            "side": side,
            **ratio_columns(found.ratio(side)),
            time: scale * found.median(side),
            "remark": note,
        }
        for side, note in found.notes.items()
    ]
    rows += [
        {**dict.fromkeys(rows[0]), "side": side, "remark": reason}
        for side, reason in found.absent.items()
    ]
    if not any(row["remark"] for row in rows):
        for row in rows:
            del row["remark"]
    return Table(
        name=name,
        title=title,
        rows=rows,
        formats={**RATIO_FORMATS, time: f",.{digits}f"},
        notes=(f"{found.rounds} rounds; ratios are to {found.base}.", *notes),
    )


RATIO_FORMATS: Final = dict.fromkeys(("ratio of times", "lower quartile", "upper quartile"), ",.2f")


def ratio_columns(ratio: Spread) -> Row:
    return dict(zip(RATIO_FORMATS, ratio, strict=True))


def machine_table(machine: dict[str, Any], when: str, load: float) -> Table:
    """Return the machine, the versions and the date; no names of machines or folders."""
    cpu = machine["cpu"]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / GIB
    rows = [
        ("processor", f"{cpu.get('brand_raw', 'unknown')}, {cpu['count']} cores"),
        ("memory", f"{memory:.0f} GiB"),
        ("system", f"{machine['system']}, {machine['machine']}"),
        ("date", when[:10]),
        ("processes waiting or running at the start", f"{load:.1f} (mean over a minute)"),
        ("Python", f"{machine['python_implementation']} {machine['python_version']}"),
        *((name, _version(name)) for name in PACKAGES),
    ]
    return Table(
        name="machine",
        title="Machine and versions",
        rows=[{"item": item, "value": value} for item, value in rows],
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
