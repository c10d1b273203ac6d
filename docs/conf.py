"""The site: `make docs` builds it into build/site/html, with no network and no warning."""

import importlib
import re
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, get_origin

import mjopt

HERE = Path(__file__).parent

project = "mjopt"
author = "The mjopt developers"
project_copyright = "the mjopt developers. MIT licence"
release = mjopt.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["gallery/**/*.ipynb"]
# The tables of the reproduction begin with a heading of the third level: reports include them.
suppress_warnings = ["myst.header"]
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["site.css"]

# Pages are Markdown, those that GitHub and the sdist show too.
myst_heading_anchors = 3
smartquotes = False  # --option is no dash
copybutton_exclude = ".linenos, .gp, .go"  # the prompt and what is printed are not copied

# The reference describes the names in the `__all__` of each public package, and nothing else.
autosummary_ignore_module_all = False
autosummary_imported_members = True
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# The reference page lists the public packages.
FACES = re.findall(
    r"^   (mjopt[\w.]*)$", (HERE / "reference" / "api.md").read_text(encoding="utf-8"), re.MULTILINE
)


def described(value: Any) -> str:
    """Describe a constant: the keys of a dict, a short value, or the type."""
    if isinstance(value, dict):
        return "by name: " + ", ".join(f"``{name}``" for name in value)
    text = repr(value)
    return f"``{text}``" if len(text) <= 60 else f"a ``{type(value).__name__}``"


def is_data(value: Any) -> bool:
    """Return whether a value is a constant or an alias of types: autodoc makes no page of these."""
    is_alias = isinstance(value, UnionType) or get_origin(value) is not None
    return is_alias or not (isinstance(value, type) or callable(value))


def contents_of(face: ModuleType, above: dict[int, str]) -> dict[str, list[tuple[str, str]]]:
    """Sort the names of a package: those with a page of their own, data, and those listed above."""
    found: dict[str, list[tuple[str, str]]] = {"pages": [], "data": [], "above": []}
    public = getattr(face, "__all__", None) or [n for n in vars(face) if not n.startswith("_")]
    for name in public:
        value = getattr(face, name)
        if isinstance(value, ModuleType):
            continue
        if is_data(value):
            found["data"].append((name, described(value)))
        elif id(value) in above:
            found["above"].append((name, above[id(value)]))
        else:
            above[id(value)] = f"{face.__name__}.{name}"
            found["pages"].append((name, ""))
    return found


_above: dict[int, str] = {}
autosummary_context = {
    "contents": {name: contents_of(importlib.import_module(name), _above) for name in FACES}
}


def link_names(_app: object, page: str, source: list[str]) -> None:
    """Link each name on the reference page to its own page."""
    if page == "reference/api":
        parts = re.split(r"^## `(mjopt[\w.]*)`$", source[0], flags=re.MULTILINE)
        for number in range(1, len(parts), 2):
            contents = autosummary_context["contents"][face := parts[number]]
            places = dict(contents["above"]) | {n: f"{face}.{n}" for n, _ in contents["pages"]}
            for name, place in places.items():
                written = re.compile(rf"^- `({name}(?:\(\))?)`", flags=re.MULTILINE)
                parts[number + 1] = written.sub(rf"- {{py:obj}}`\1 <{place}>`", parts[number + 1])
            parts[number] = f"## {face}"
        source[0] = "".join(parts)


def show_charts(_app: object, page: str, source: list[str]) -> None:
    """Replace images of flow charts by their SVG: the links of an image cannot be followed."""

    def show(found: re.Match[str]) -> str:
        svg = (HERE / page).parent.joinpath(found[1]).read_text(encoding="utf-8")
        return f'<div class="flow-chart">{svg}</div>'

    source[0] = re.sub(r"!\[[^\]]*\]\(([./]*pictures/flow-[\w-]+\.svg)\)", show, source[0])


def check_charts(app: Any, error: Exception | None) -> None:
    """Fail if a box of a flow chart leads nowhere."""
    for picture in [] if error else HERE.glob("pictures/flow-*.svg"):
        for link in re.findall(r'href="(.*?)"', picture.read_text(encoding="utf-8")):
            page, _, name = link.partition("#")
            target = Path(app.outdir, page.removeprefix("../"))
            if f'id="{name}"' not in target.read_text(encoding="utf-8"):
                raise ValueError(f"{picture.name}: no {link}")


def setup(app: Any) -> None:
    """Connect the functions above to Sphinx."""
    app.connect("source-read", link_names)
    app.connect("source-read", show_charts)
    app.connect("build-finished", check_charts)


html_theme = "pydata_sphinx_theme"
html_title = f"mjopt {release}"
html_show_sourcelink = False
html_theme_options = {
    "logo": {"text": "mjopt"},
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "ignore_pattern": r"demo\.py|zjoi2019_mahjong\.py",  # takes minutes; reads standard input
    "within_subsection_order": "FileNameSortKey",
    "default_thumb_file": str(HERE / "_static" / "text.svg"),
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 1e9,  # how long an example took here says nothing there
    "write_computation_times": False,
    "copyfile_regex": r".*\.js",
    "abort_on_example_error": True,
}
