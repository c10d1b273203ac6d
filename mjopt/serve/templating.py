"""How every page is made, of the site or alone in a file: one set of templates."""

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def templates(**more: Any) -> Environment:
    """Return the templates, with what all of them may ask for."""
    found = Environment(
        loader=PackageLoader("mjopt.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals.update(tile_sheet="/static/tiles.svg", tiles_are_written=False)
    found.globals.update(more)
    return found
