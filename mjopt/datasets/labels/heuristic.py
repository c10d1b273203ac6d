"""Labels by a heuristic: the best cost it finds, and its number of evaluations."""

import re
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

from mjopt._internal.arrays import Array
from mjopt._internal.registry import USER_CLASS, read_options
from mjopt._internal.sanitize import short_repr
from mjopt._internal.user_module import source_digest
from mjopt._version import __version__
from mjopt.datasets.labels.base import DatasetColumn, HandRows, Label, refuse_rules
from mjopt.datasets.recipes.base import Deal
from mjopt.errors import ArgumentError

if TYPE_CHECKING:
    from mjopt.heuristics.base import Heuristic


def heuristic_label(name: str) -> Label:
    """Return the label of the best cost that one run of a heuristic finds.

    Its name is ``heuristic:METHOD`` or ``heuristic:METHOD:NAME=VALUE:...``, the method one of
    ``mjopt.heuristics.HEURISTICS``, a plug-in or ``FILE.py:CLASS``, with parameters of its own.

    Examples
    --------
    >>> heuristic_label("heuristic:ndde:population=10").engine  # doctest: +ELLIPSIS
    'ndde(population=10) of mjopt ...'
    """
    from mjopt.heuristics.registry import HEURISTICS, get_heuristic  # take a while to load

    _, _, rest = name.partition(":")
    _, method, options = HEURISTICS.parse_spec(rest)
    if not method:
        raise ArgumentError(argument="label", value=short_repr(name), expected="heuristic:METHOD")
    given = options.split(":") if options else []
    parameters = tuple(read_options(given, what=f"label {short_repr(name)}", error=ArgumentError))
    heuristic: Callable[[], Heuristic]
    source = ""
    if spec := USER_CLASS.fullmatch(method):  # workers receive the object, not the name
        source = f" sha256:{source_digest(spec[1])[:12]}"
        heuristic = partial(_same, get_heuristic(method, **dict(parameters)))
    else:
        heuristic = cache(partial(get_heuristic, method, **dict(parameters)))

    def validate(deal: Deal) -> None:
        """Raise if the method or a parameter does not exist, or the hands have rules."""
        refuse_rules(name, deal)
        try:
            heuristic()
        except ValueError as error:
            raise ArgumentError(f"label {name}: {error}") from None

    def run(rows: HandRows) -> tuple[Array, ...]:
        """Run the heuristic once on every hand, with a stream by seed, method and row."""
        from mjopt.heuristics.runner import run_batch

        found = run_batch(
            heuristic(),
            rows.hands,
            seed=rows.seed,
            method=method,
            hand_numbers=rows.rows,
            run=0,
            tiles=rows.deal.tiles,
            called=rows.deal.called,
        )
        return found.value, found.evaluations

    word = re.sub(r"\W", "_", method.rpartition(":")[2])
    settings = ", ".join(f"{key}={value}" for key, value in parameters)
    return Label(
        name=name,
        engine=f"{method}({settings}){source} of mjopt {__version__}",
        columns=(
            DatasetColumn(f"{word}_value", "int8", f"best cost that {method} found in one run"),
            DatasetColumn(f"{word}_evaluations", "int32", "fitness evaluations of that run"),
        ),
        compute=run,
        validate=validate,
        plugin="" if method in HEURISTICS else name if source else method,
    )


def _same(heuristic: "Heuristic") -> "Heuristic":
    return heuristic
