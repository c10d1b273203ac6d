"""The drawn pictures of the docs show the package's answers and the numbers of their pages."""

import re
from xml.etree import ElementTree

import pytest

from tools.figures import FIGURES, digest, figure
from tools.flow_charts import CHARTS, PAGE, draw, functions_page, look_up, table
from tools.pages import DOCS, PAGES
from tools.pictures import DRAWN, PICTURES


@pytest.mark.parametrize("name", DRAWN)
def test_drawn_hands_are_current(name: str) -> None:
    """After a change: ``python -m tools.pictures``."""
    assert (PICTURES / f"{name}.svg").read_text(encoding="utf-8") == DRAWN[name]()


@pytest.mark.parametrize("name", FIGURES)
def test_figures_show_the_tables_of_their_pages(name: str) -> None:
    """After a change of a table: ``python -m tools.figures``."""
    page = (DOCS / "results" / f"{FIGURES[name][2]}.md").read_text(encoding="utf-8")
    assert f"](../pictures/{name}.svg)" in page
    text = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert f"<desc>{digest(name)}</desc>" in text


def test_figures_can_be_drawn_again() -> None:
    text = figure("solvers")
    assert all(word in text for word in ("predecomposition", "CP-SAT", ">36<", "var(--ink)"))


@pytest.mark.parametrize("name", CHARTS)
def test_flow_charts_name_functions_that_exist(name: str) -> None:
    """After a change: ``python -m tools.flow_charts``, and its tables on the pages."""
    assert (PICTURES / f"{name}.svg").read_text(encoding="utf-8") == draw(CHARTS[name])
    page = (DOCS / CHARTS[name].page).read_text(encoding="utf-8")
    assert f"](../pictures/{name}.svg)" in page
    assert table(CHARTS[name]) in page
    for box in CHARTS[name].boxes:
        assert callable(look_up(box.function)), box.function


@pytest.mark.parametrize("name", CHARTS)
def test_every_box_leads_to_the_source_of_its_function(name: str) -> None:
    """The site is not built here: ``make docs`` fails if an address is missing on it."""
    assert PAGE.read_text(encoding="utf-8") == functions_page()
    titles = re.findall(r"^#+ `?(.+?)`?$", functions_page(), flags=re.MULTILINE)
    ids = [re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") for title in titles]  # Docutils
    assert len(set(ids)) == len(ids)
    boxes = ElementTree.parse(PICTURES / f"{name}.svg").findall("{*}a")
    assert len(boxes) == len(CHARTS[name].boxes)
    for box, link in zip(CHARTS[name].boxes, boxes, strict=True):
        path, _, target = link.attrib["href"].partition("#")
        assert (PICTURES / path).with_suffix(".md").resolve() == PAGE
        assert titles[ids.index(target)] == box.function
        assert link.attrib["aria-label"] == f"{box.words}, {box.function}"


def test_the_page_of_functions_names_files_that_define_them() -> None:
    shown = re.findall(r"\{literalinclude\} (\S+)\n:pyobject: (\S+)\n", functions_page())
    assert len(shown) == len({box.function for chart in CHARTS.values() for box in chart.boxes})
    for file, names in shown:
        last = names.rpartition(".")[2]
        assert f"def {last}(" in (PAGE.parent / file).read_text(encoding="utf-8")


def test_missing_functions_are_found() -> None:
    for name in ("mjopt.heuristics.gone", "mjopt.gone.run", "mjopt.heuristics.ndde.NDDE.gone"):
        with pytest.raises((ImportError, AttributeError)):
            look_up(name)


def test_every_picture_is_shown() -> None:
    shown = set()
    for page in PAGES:
        for link in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
            shown.add((page.parent / link).resolve())
    assert {path.resolve() for path in PICTURES.iterdir()} <= shown
