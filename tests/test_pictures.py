"""The drawn pictures of the docs show the package's answers and the numbers of their pages."""

import re

import pytest

from tools.figures import FIGURES, digest, figure
from tools.flow_charts import CHARTS, draw, look_up, table
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
