"""`mjopt methods`: list the heuristics with their parameters."""

from collections.abc import Mapping
from textwrap import wrap

from mjopt._internal.registry import PluginDescription, format_value
from mjopt._internal.sanitize import plain
from mjopt.cli.options import Json
from mjopt.cli.output import print_json, warn
from mjopt.heuristics.registry import HEURISTICS


def command(*, json: Json = False) -> None:
    """List the heuristics: what each does, every parameter, its default and its range.

    You can add a method as a class in a file: `mjopt compare sa.py:SA --hands deals:100 -o DIR`.
    Optimisers of other packages are methods too: pymoo:GA, nevergrad:NGOpt, mealpy:OriginalWOA,
    scipy:dual_annealing; an unknown name lists those that a package has.

    Example: `mjopt methods --json`
    """
    show_parameters("methods", HEURISTICS.describe(), json=json)


def show_parameters(
    key: str, described: Mapping[str, PluginDescription | Exception], *, json: bool
) -> None:
    """Print each class with its summary and parameters, and errors of plugins on stderr."""
    loaded = {name: item for name, item in described.items() if not isinstance(item, Exception)}
    for name in described.keys() - loaded.keys():
        warn(str(described[name]))
    if json:
        documents = [
            {
                "name": name,
                "summary": plain(summary),
                "parameters": [parameter.document() for parameter in parameters],
            }
            for name, (summary, parameters) in loaded.items()
        ]
        print_json({key: documents})
        return
    for name, (summary, parameters) in loaded.items():
        heading = f"{name}: {summary}" if summary else name
        print("\n".join(map(plain, wrap(heading, 80, subsequent_indent=" " * 6))))
        for parameter in parameters:
            default = "(needed)" if parameter.is_needed else format_value(parameter.default)
            line = f"  {parameter.name} = {default}"
            expected = f": {parameter.expected}" if parameter.expected else ""
            wrapped = wrap(line + expected, 80, subsequent_indent=" " * 6, break_on_hyphens=False)
            print("\n".join(map(plain, wrapped)))
