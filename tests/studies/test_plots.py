"""Figures: reproducible bytes, content and degenerate studies."""

import re
import struct
import xml.etree.ElementTree as ET

import pandas as pd
import pytest
from helpers.made_study import make_study
from helpers.surroundings import without_packages

from mjopt._internal.plot_style import series_style, to_svg, write_figure
from mjopt.studies import RESULTS
from mjopt.studies.plots import plot_convergence, plot_ranks, plot_solved
from mjopt.studies.study import Study

PLOTTED = [name for name, result in RESULTS.items() if result.plot is not None]


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    return make_study(tmp_path_factory.mktemp("study"), hands=60, runs=3, sets=("one-type",))


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ET.fromstring(svg).iter() if "text" in node.tag]


def plot(study: Study, name: str):
    return RESULTS[name].plot(study.results(name))


@pytest.mark.parametrize("name", PLOTTED)
def test_the_same_data_give_the_same_bytes(name, study, tmp_path):
    folders = tmp_path / "one", tmp_path / "two"
    for folder in folders:
        folder.mkdir()
        figure = plot(study, name)
        for ending in ("svg", "png"):
            write_figure(folder / f"{name}.{ending}", figure)
    for ending in ("svg", "png"):
        one, two = ((folder / f"{name}.{ending}").read_bytes() for folder in folders)
        assert one == two
    svg = (folders[0] / f"{name}.svg").read_text(encoding="utf-8")
    assert not re.search(r"<dc:date>|20\d\d-\d\d-\d\d", svg)
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"|rdf:\w+="[^"]*"|"http[^"]*dtd"', "", svg)
    width, height = struct.unpack(">II", (folders[0] / f"{name}.png").read_bytes()[16:24])
    assert width > 900
    assert height > 200


def test_text_in_figures(study):
    found = texts(to_svg(plot(study, "accuracy")))
    words = {"ndde-20-50", "pso-20-50", "tree-search", "accuracy (%) on 60 hands"}
    for name in study.sets:
        words.add(f"always {study.hands(name)['deficiency'].mode()[0]}")
    assert words <= set(found)
    accuracy = study.results("accuracy")["accuracy"][:3]
    assert {f"{100 * share:.2f}" for share in accuracy} <= set(found)
    assert "evaluations of the cost" in texts(to_svg(plot(study, "solved")))
    assert {"true deficiency", "size of S"} <= set(texts(to_svg(plot(study, "strata"))))


def test_curves_end_at_the_share_of_solved_tries(study):
    (axes,) = plot(study, "solved").axes
    ends = {line.get_label(): line.get_ydata()[-1] for line in axes.get_lines()}
    for row in study.results("accuracy")[:3].itertuples():
        assert ends[row.method] == pytest.approx(100 * row.accuracy)
    assert ends["pso-20-50"] < 100


def test_eight_methods_are_plotted_at_most():
    table = pd.DataFrame({"set": "s", "method": [f"m{n}" for n in range(12)], "evaluations": 9})
    (axes,) = plot_solved(table.assign(solved=1.0)).axes
    assert [line.get_label() for line in axes.get_lines()] == [f"m{n}" for n in range(8)]


def test_figures_of_a_method_without_errors(tmp_path):
    """Every figure is plotted for one exact method, one hand and zero times."""
    study = make_study(
        tmp_path / "s", methods=("tree-search",), sets=("one-type",), hands=1, runs=1, sample=0
    )
    for name in PLOTTED:
        figure = plot(study, name)
        assert figure is None if name == "ranks" else "<svg" in to_svg(figure)


def test_convergence_keeps_styles_and_marks_the_deficiency():
    rows = [
        (hand, method, generation, best)
        for hand, method, curve in ((0, "b", [4, 3, 2]), (0, "tree", [2]), (1, "b", [4, 3, 2]),
                                    (1, "tree", [2]), (1, "c", [4, 3]))
        for generation, best in enumerate(curve)
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["hand", "method", "generation", "best"]).assign(
        set="s", text="1m", deficiency=2
    )
    table["evaluations"] = 20 * (1 + table["generation"])
    figure = plot_convergence(table, over="generation", names={0: "H1", 1: "H2"})
    colours = [
        {line.get_label(): line.get_color() for line in axes.get_lines()} for axes in figure.axes
    ]
    assert colours[0]["b"] == colours[1]["b"] == series_style(0).color
    assert colours[1]["c"] == series_style(2).color
    assert {"generation", "deficiency 2", "H1", "mean best value", "c"} <= set(
        texts(to_svg(figure))
    )
    axes = plot_convergence(table).axes[0]
    assert [line.get_xdata().tolist() for line in axes.get_lines()[1:]] == [[20, 40, 60], [20]]
    assert axes.get_xlabel() == "evaluations of the cost"


def test_eight_styles_differ_without_colour():
    assert len({series_style(i).marker for i in range(8)}) == 8
    assert len({series_style(i).color for i in range(8)}) == 8


def ranks_table(ranks: list[float], num_blocks: int) -> pd.DataFrame:
    labels = [f"method-{place}" for place in range(len(ranks))]
    table = pd.DataFrame({"method": labels, "rank": ranks})
    return table.assign(measure="accuracy", blocks="hands", num_blocks=num_blocks)


@pytest.mark.parametrize(
    ("ranks", "num_blocks", "groups"),
    [
        ([1.0, 1.5, 2.2, 4.0], 22, [(1.0, 1.5), (1.5, 2.2)]),  # critical difference 1.0
        ([4.0, 2.2, 1.0, 1.5], 22, [(1.0, 1.5), (1.5, 2.2)]),
        ([1.0, 2.0, 3.0], 2, [(1.0, 3.0)]),  # 2.3
        ([1.5, 1.5, 3.0], 1100, [(1.5, 1.5)]),  # equal ranks are joined too
        ([2.0, 2.0], 16, [(2.0, 2.0)]),
        ([1.0, 2.0, 3.0], 44, []),  # 0.5
    ],
)
def test_bars_join_maximal_groups_within_the_critical_difference(ranks, num_blocks, groups):
    (axes,) = plot_ranks(ranks_table(ranks, num_blocks)).axes
    bars = [line.get_xdata() for line in axes.get_lines() if line.get_linewidth() == 4]
    assert [(min(bar), max(bar)) for bar in bars] == [
        pytest.approx(group, abs=0.05) for group in groups
    ]
    # Bars are sets of names, whose order differs between processes.
    assert all(len(bar) == 2 and bar[0] < bar[1] for bar in bars)


def test_ranks_of_one_method_are_not_plotted():
    assert plot_ranks(ranks_table([1.0], 9)) is None


@without_packages("matplotlib")
def test_missing_package_is_a_one_line_error():
    with pytest.raises(ImportError, match=r"matplotlib is not installed: pip install 'mjopt\["):
        plot_ranks(ranks_table([1.0, 2.0], 9))
