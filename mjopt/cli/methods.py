"""`mjopt methods`: list the heuristics with their parameters."""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from mjopt._internal.registry import format_value
from mjopt._internal.sanitize import plain
from mjopt.cli.options import Json
from mjopt.cli.output import print_json, warn
from mjopt.heuristics.registry import describe_methods


def command(*, json: Json = False) -> None:
    """List the heuristics, with every parameter, its default and its range.

    You can add a method as a class in a file: `mjopt compare sa.py:SA --hands deals:100 -o DIR`.

    Example: `mjopt methods --json`
    """
    show_parameters("methods", describe_methods(), json=json)


def show_parameters(key: str, described: Mapping[str, Any], *, json: bool) -> None:
    """Print classes with their parameters; plugins that fail to load are reported on stderr."""
    loaded = {name: item for name, item in described.items() if not isinstance(item, Exception)}
    for name in described.keys() - loaded.keys():
        warn(str(described[name]))
    if json:
        documents = [
            {"name": name, "parameters": [parameter.document() for parameter in parameters]}
            for name, parameters in loaded.items()
        ]
        print_json({key: documents})
        return
    for name, parameters in loaded.items():
        print(name)
        for parameter in parameters:
            default = "(needed)" if parameter.is_needed else format_value(parameter.default)
            line = f"  {parameter.name} = {default}"
            expected = f": {parameter.expected}" if parameter.expected else ""
            wrapped = wrap(line + expected, 80, subsequent_indent=" " * 6, break_on_hyphens=False)
            print("\n".join(map(plain, wrapped)))
