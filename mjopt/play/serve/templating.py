"""Jinja2 templates, rendered for the site or into a single HTML file."""

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from mjopt.play.serve.language import LANGUAGES, gettext, language, ngettext
from mjopt.play.serve.tiles import drawn, missing_words, spoken


@cache  # each environment compiles its templates
def make_environment(**variables: object) -> Environment:
    """Return the template environment, with variables that every template may use."""
    environment = Environment(
        loader=PackageLoader("mjopt.play.serve"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    assert hasattr(environment, "install_gettext_callables")  # the extension adds it
    environment.install_gettext_callables(gettext, ngettext, newstyle=True)
    environment.filters.update(drawn=drawn, spoken=spoken)
    environment.globals.update(language=language, languages=LANGUAGES, missing_words=missing_words)
    tiles = {"tile_sheet": "/static/tiles.svg", "has_text_tiles": False}
    environment.globals.update(tiles | variables)
    return environment


def render_standalone(template: str, *, has_text_tiles: bool = False, **context: object) -> str:
    """Return an HTML page that contains its style sheets and tile pictures."""
    environment = make_environment(
        tile_sheet="",
        has_text_tiles=has_text_tiles,
        sprite=Markup(_read_static("tiles.svg")),
        style=Markup("\n".join(map(_read_static, ("style.css", "board.css", "watch.css")))),
    )
    return environment.get_template(template).render(context)


def _read_static(name: str) -> str:
    return files("mjopt.play.serve").joinpath("static", name).read_text(encoding="utf-8")
