"""Figures: reproducible bytes, content and degenerate studies."""

import re
import struct
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.made_study import make_study

from mjopt._internal.plot_style import save_figure, series_style, to_svg
from mjopt.errors import StudyError
from mjopt.studies.parameter_grids import draw_grid, draw_times_by_population
from mjopt.studies.plots import (
    Panel,
    draw_accuracy,
    draw_convergence,
    draw_ecdfs,
    draw_gaps,
    draw_ranks,
    draw_strata,
    draw_times,
)
from mjopt.studies.summary import Summary, summarise

CELLS = {(p, g): 1 - 0.5 / p for p in (10, 20) for g in (10, 50)}


@pytest.fixture(scope="module")
def summary(tmp_path_factory) -> Summary:
    return summarise(
        make_study(tmp_path_factory.mktemp("study"), hands=60, runs=3, sets=("one-type",))
    )


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter() if "text" in node.tag]


DRAWN = {
    "accuracy": draw_accuracy,
    "deficiency": lambda s: draw_strata(s, "deficiency"),
    "ecdfs": draw_ecdfs,
    "gaps": draw_gaps,
    "times": draw_times,
    "grid": lambda _: draw_grid({"one": CELLS}, published={"one": CELLS}),
    "populations": lambda _: draw_times_by_population({"one": CELLS}, 10),
    "ranks": lambda _: draw_ranks(["a", "b", "c"], [1.2, 1.9, 2.9], critical=1, blocks="9 sets"),
}


@pytest.fixture(scope="module")
def saved(summary, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    for name in ("accuracy", "ecdfs", "gaps", "grid", "ranks"):
        save_figure(folder, name, DRAWN[name](summary))
    return folder


@pytest.mark.parametrize("name", ["grid", "ranks"])  # test_report compares the others
def test_the_same_data_give_the_same_bytes(name, summary, saved, tmp_path):
    save_figure(tmp_path, name, DRAWN[name](summary))
    for ending in ("svg", "png"):
        one, two = ((folder / f"{name}.{ending}").read_bytes() for folder in (saved, tmp_path))
        assert one == two
    svg = (saved / f"{name}.svg").read_text(encoding="utf-8")
    assert not re.search(r"<dc:date>|20\d\d-\d\d-\d\d", svg)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"|rdf:\w+="[^"]*"|"http[^"]*dtd"', "", svg)
    width, height = struct.unpack(">II", (saved / f"{name}.png").read_bytes()[16:24])
    assert width > 900
    assert height > 200


def test_text_in_figures(summary, saved):
    words = {path.stem: texts(path.read_text(encoding="utf-8")) for path in saved.glob("*.svg")}
    found = words["accuracy"]
    assert {
        "ndde-20-50",
        "pso-20-50",
        "tree-search",
        "accuracy (%) on 60 hands",
        "always 3",
    } <= set(found)
    shares = {f"{100 * one.accuracy.share:.2f}" for one in summary.sets[0].methods}
    assert shares <= set(found)
    assert "too low" in words["gaps"]
    assert "evaluations of the cost" in words["ecdfs"]
    assert "published" in words["grid"]


def lowest_and_highest(figure) -> tuple[float, float]:
    (axes,) = figure.axes
    return axes.get_ylim()


def test_curves_end_at_the_share_of_solved_tries(summary):
    (axes,) = draw_ecdfs(summary).axes
    ends = {line.get_label(): line.get_ydata()[-1] for line in axes.get_lines()}
    for one in summary.sets[0].methods:
        assert ends[one.label] == pytest.approx(100 * one.accuracy.share)
    assert ends["pso-20-50"] < 100


def test_gap_plot_labels_have_no_exponents(tmp_path):
    """Shares within one decade, where Matplotlib labels minor ticks as 6x10^1."""
    methods = ("ndde-a", "pso-b")
    size = {"hands": 4, "runs": 1, "sample": 0}
    study = make_study(tmp_path / "s", methods=methods, sets=("one-type",), undershoot=0, **size)
    assert "\u00d7" not in to_svg(draw_gaps(summarise(study)))


def test_gap_plot_has_room_for_every_bar(summary):
    figure = draw_gaps(summary)
    low, high = lowest_and_highest(figure)
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert heights
    assert low < min(heights)
    assert high > max(heights)


def test_figures_of_a_method_without_errors(tmp_path):
    """Every figure is drawn for one exact method, one hand and zero times."""
    study = make_study(
        tmp_path / "s", methods=("tree-search",), sets=("one-type",), hands=1, runs=1, sample=0
    )
    found = summarise(study)
    for name in ("accuracy", "deficiency", "ecdfs", "gaps", "times"):
        assert "<svg" in to_svg(DRAWN[name](found))


def test_convergence_keeps_styles_and_marks_the_deficiency():
    curves = {"b": np.array([4.0, 3, 2]), "tree": np.array([2.0])}
    hands = [
        Panel(name="H1", detail="1m", truth=2, curves=curves),
        Panel(name="H2", detail="2m", truth=1, curves={"c": np.array([4.0, 3]), **curves}),
    ]
    figure = draw_convergence(hands)
    colours = [
        {line.get_label(): line.get_color() for line in axes.get_lines()} for axes in figure.axes
    ]
    assert colours[0]["b"] == colours[1]["b"] == series_style(0).color
    assert colours[1]["c"] == series_style(2).color
    assert "generation" in texts(to_svg(figure))
    spent = {"b": np.array([20.0, 40, 60]), "tree": np.array([9.0])}
    (axes,) = draw_convergence([replace(hands[0], spent=spent)]).axes
    assert [line.get_xdata().tolist() for line in axes.get_lines()[1:]] == [[20, 40, 60], [9]]
    assert axes.get_xlabel() == "evaluations of the cost"
    assert {"deficiency 2", "H1", "mean best value", "c"} <= set(texts(to_svg(figure)))


def test_eight_styles_differ_without_colour():
    assert len({series_style(i).marker for i in range(8)}) == 8
    assert len({series_style(i).hatch for i in range(8)}) == 8
    assert len({series_style(i).color for i in range(8)}) == 8


@pytest.mark.parametrize(
    ("ranks", "critical", "groups"),
    [
        ([1.0, 1.5, 2.2, 4.0], 1.0, [(1.0, 1.5), (1.5, 2.2)]),
        ([4.0, 2.2, 1.0, 1.5], 1.0, [(1.0, 1.5), (1.5, 2.2)]),
        ([1.0, 2.0, 3.0], 2.0, [(1.0, 3.0)]),
        ([1.5, 1.5, 3.0], 0.1, [(1.5, 1.5)]),  # equal ranks are joined too
        ([2.0, 2.0], 0.5, [(2.0, 2.0)]),
        ([1.0, 2.0, 3.0], 0.5, []),
    ],
)
def test_bars_join_maximal_groups_within_the_critical_difference(ranks, critical, groups):
    labels = [f"method-{place}" for place in range(len(ranks))]
    (axes,) = draw_ranks(labels, ranks, critical=critical, blocks="9 hands").axes
    bars = [line.get_xdata() for line in axes.get_lines() if line.get_linewidth() == 4]
    assert [(min(bar), max(bar)) for bar in bars] == [
        pytest.approx(group, abs=0.05) for group in groups
    ]
    # Bars are sets of names, whose order differs between processes.
    assert all(len(bar) == 2 and bar[0] < bar[1] for bar in bars)


def test_ranks_need_two_methods():
    with pytest.raises(StudyError, match="at least two"):
        draw_ranks(["a"], [1.0], critical=1, blocks="1 hand")


def test_missing_package_is_a_one_line_error(monkeypatch, tmp_path: Path):
    monkeypatch.setattr("mjopt._internal.optional_deps.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"matplotlib is not installed: pip install 'mjopt\["):
        draw_ranks(["a", "b"], [1.0, 2.0], critical=1, blocks="1 hand")
