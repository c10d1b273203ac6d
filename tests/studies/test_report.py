"""The report: from raw rows alone, byte for byte, on one page that needs nothing else."""

import csv
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from helpers.made_study import make_study

from mjopt.errors import StudyError
from mjopt.reports.table import make_table
from mjopt.reports.table_formats import to_html
from mjopt.studies.comparisons import Analysis
from mjopt.studies.methods import plan_methods
from mjopt.studies.report import make_command, write_report
from mjopt.studies.study import PLAN, Study

RAW = ("hands", "rows", "sample", "times", "curves", "plan.json")
VOID = {"meta", "br", "link", "img", "input", "hr"}


class Page(HTMLParser):
    """Reads a page strictly: every element that opens must close, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        values = dict(attrs)
        if "id" in values:
            self.names.append(values["id"])
        self.links += [v for k, v in attrs if k in ("href", "xlink:href", "src")]
        self.links += re.findall(r"url\(([^)]*)\)", " ".join(v or "" for v in values.values()))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_data(self, data):
        if not {"style", "svg"} & set(self.open):
            self.text += data


def made(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[0] not in RAW
    }


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    study = make_study(tmp_path_factory.mktemp("study"), hands=50, runs=3, curves=2)
    write_report(study)
    return study


@pytest.fixture(scope="module")
def page(study) -> Page:
    return Page((study.folder / "report.html").read_text(encoding="utf-8"))


def test_everything_is_rebuilt_from_the_raw_rows_byte_for_byte(study, tmp_path):
    """In another folder, with nothing there but the raw rows."""
    for name in RAW:
        source = study.folder / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, tmp_path / name)
    write_report(Study(tmp_path))
    first, second = made(study.folder), made(tmp_path)
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    assert len(first) > 60


def test_every_table_and_figure_is_there_in_every_format(study):
    names = made(study.folder).keys()
    tables = {Path(n).stem for n in names if n.startswith("tables/")}
    figures = {Path(n).stem for n in names if n.startswith("figures/")}
    assert {f"tables/{t}.{e}" for t in tables for e in ("md", "csv", "tex")} | {
        f"figures/{f}.{e}" for f in figures for e in ("svg", "png")
    } | {"report.html"} == set(names)
    assert {"accuracy", "strata", "evaluations", "times", "early-stop", "gaps"} <= tables
    assert {"accuracy-tests", "time-tests", "friedman", "post-hoc", "methods", "sets"} <= tables
    assert {"accuracy", "evaluations", "gaps", "times", "critical-difference"} <= figures
    assert {"convergence-one-type", "convergence-two-type-60"} <= figures


def test_the_page_needs_nothing_else(page, study):
    assert all(link.startswith("#") for link in page.links)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    text = (study.folder / "report.html").read_text(encoding="utf-8")
    assert "@import" not in text
    assert str(study.folder) not in text
    assert "prefers-color-scheme: dark" in text
    outside = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    assert "http" not in outside


def test_links_and_names_fit(page):
    assert len(page.names) == len(set(page.names))
    assert {link[1:] for link in page.links} <= set(page.names)
    assert page.tags.count("section") == page.tags.count("li") - 2 - 5 - 3  # sets, settings, pairs


def test_significance_stands_above_everything_else(page, study):
    said = " ".join(page.text.split())
    assert said.index("finds more right answers than") < said.index("How often is each method")
    header = (study.folder / "tables" / "accuracy-tests.csv").read_text(encoding="utf-8")
    assert header.startswith("set,larger or smaller,significant,corrected p,")
    assert "evaluations of the cost" in (
        study.folder / "figures" / "convergence-one-type.svg"
    ).read_text(encoding="utf-8")


def test_long_names_may_break_in_a_heading():
    """One that may not, wider than its column, lies over the next."""
    table = make_table("t", "T", "ndde-20-50-out_of_range-wrap | tree-search", [])
    shown = to_html(table)
    assert '<span class="whole">tree-search</span>' in shown
    assert ">ndde-20-50-out_of_range-wrap</th>" in shown


def test_what_the_page_says(page):
    said = " ".join(page.text.split())
    assert "Study of ndde-20-50, pso-20-50 and tree-search" in said
    assert "3 methods looked for the deficiency of 100 hands in 2 sets, 3 runs" in said
    assert "tree-search is the most accurate" in said
    assert "mjopt compare --rebuild DIR" in said
    assert "mjopt compare \\ ndde:generations=50,population=20" in said
    assert "seed 1;" in said
    for figure in ("accuracy", "gaps", "critical-difference"):
        assert f"figures/{figure}.svg" in said  # every figure has a line on how to read it


def test_the_accuracy_table_is_that_of_the_rows(study):
    with (study.folder / "tables" / "accuracy.csv").open(newline="", encoding="utf-8") as file:
        rows = {(row["set"], row["method"]): row for row in csv.DictReader(file)}
    for hands in study.sets:
        truth = study.hands(hands)["deficiency"]
        for label in study.methods:
            frame = study.rows(hands, label)
            gap = frame["value"].astype(int) - truth[frame["hand"]].to_numpy()
            row = rows[hands, label]
            assert float(row["accuracy (%)"]) == pytest.approx(100 * (gap == 0).mean())
            assert int(row["too low"]) == (gap < 0).sum()
            assert int(row["too high"]) == (gap > 0).sum()
        assert int(rows[hands, "always 3"]["hands"]) == 50
        assert float(rows[hands, "always 3"]["accuracy (%)"]) == pytest.approx(
            100 * (truth == 3).mean()
        )


def test_one_method_one_set_one_run_no_curves_no_sample(tmp_path):
    study = make_study(
        tmp_path / "s",
        methods=("ndde-20-50",),
        sets=("one-type",),
        hands=30,
        runs=1,
        sample=0,
        curves=0,
        early_stop=True,
    )
    write_report(study)
    page = Page((study.folder / "report.html").read_text(encoding="utf-8"))
    assert "ndde-20-50 found the true deficiency for" in page.text
    assert "there is nothing to compare it with" in page.text
    assert "generation 0 is the first" not in page.text
    names = made(study.folder).keys()
    assert "tables/early-stop.csv" not in names
    assert not any("convergence" in name or "critical" in name for name in names)
    assert "--early-stop" in page.text


def test_a_grid_of_methods_and_a_reading(tmp_path):
    """Six methods: a grid, pairs with the reference alone, two of them drawn."""
    labels = ("ndde-10-10", "ndde-10-50", "ndde-20-10", "ndde-20-50", "pso", "ga")
    study = make_study(
        tmp_path / "s", methods=labels, sets=("one-type",), hands=25, runs=2, curves=0, sample=5
    )
    methods = tuple(
        replace(
            one,
            parameters=dict(
                zip(("population", "generations"), map(int, one.label.split("-")[1:]), strict=False)
            ),
        )
        for one in study.plan.methods
    )
    (study.folder / PLAN).write_text(replace(study.plan, methods=methods).to_json())
    analysis = Analysis(most_pairs=10, most_drawn=2, reference="pso", t_test="pooled")
    write_report(Study(study.folder), analysis=analysis)
    page = Page((study.folder / "report.html").read_text(encoding="utf-8"))
    assert "show 2 of 6: pso and the most accurate others" in page.text
    assert "The other 4 methods are in strata.csv" in page.text
    names = made(study.folder).keys()
    assert {"tables/grid-ndde-accuracy.csv", "figures/grid-ndde-times.svg"} <= names
    text = (study.folder / "tables" / "accuracy-tests.csv").read_text(encoding="utf-8")
    assert text.count("Student t-test") == 5
    assert text.count("pso") == 15


def test_the_command_in_the_report_makes_the_same_plan(page, study):
    """Its words, read as `mjopt compare` reads them, give every parameter again."""
    methods = plan_methods(["ndde:population=10,out_of_range=wrap", "pso", "tree-search"])
    sets = tuple(
        replace(one, certificates=number)
        for one, number in zip(study.plan.sets, (7, 9), strict=True)
    )
    plan = replace(study.plan, methods=methods, sets=sets, early_stop=True)
    words = [word.strip() for word in make_command(plan).split("\\\n")]
    assert words[0] == "mjopt compare"
    assert plan_methods(words[1:4]) == methods
    assert words[4:] == [
        "--hands one-type",
        "--hands two-type-60",
        "-o DIR",
        "--runs 3",
        "--seed 1",
        "--tiles m0",
        "--early-stop",
        "--sample 20",
        "--curves 2",
        "--certificates 9",
    ]


def test_an_unknown_reference_is_refused_before_anything_is_written(tmp_path):
    study = make_study(tmp_path / "s", hands=5, runs=1, sample=0, curves=0)
    with pytest.raises(StudyError, match="no method 'nobody' in this study, expected one of"):
        write_report(study, analysis=Analysis(reference="nobody"))
    assert made(study.folder) == {}


def test_without_the_extra_it_is_one_clear_line(study, monkeypatch):
    monkeypatch.setattr("mjopt._internal.optional_deps.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"is not installed: pip install 'mjopt\[experiments\]'"):
        write_report(study)
