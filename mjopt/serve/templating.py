"""Jinja2 templates, rendered for the site or into a single HTML file."""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


def make_environment(**variables: Any) -> Environment:
    """Return the template environment, with variables that every template may use."""
    environment = Environment(
        loader=PackageLoader("mjopt.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(tile_sheet="/static/tiles.svg", has_text_tiles=False)
    environment.globals.update(variables)
    return environment


def render_standalone(template: str, *, has_text_tiles: bool = False, **context: Any) -> str:
    """Return an HTML page that contains its style sheets and tile pictures."""
    environment = make_environment(
        tile_sheet="",
        has_text_tiles=has_text_tiles,
        sprite=Markup(_read_static("tiles.svg")),
        style=Markup("\n".join(map(_read_static, ("style.css", "watch.css")))),
    )
    return environment.get_template(template).render(context)


def _read_static(name: str) -> str:
    return files("mjopt.serve").joinpath("static", name).read_text(encoding="utf-8")
