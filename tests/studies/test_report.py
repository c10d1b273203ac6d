"""The report: reproducible bytes, a self-contained page, tables that match the rows."""

import csv
import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from helpers.made_study import make_study
from helpers.surroundings import without_packages

from mjopt.studies import RESULTS
from mjopt.studies.method import parse_methods
from mjopt.studies.report import differences, make_command, read_summary, write_report
from mjopt.studies.study import Study

VOID = {"meta", "br", "wbr", "link", "img", "input", "hr"}
REPORT = ("report.html", "tables.md", "summary.json")


class Page(HTMLParser):
    """A strict parser: elements must be closed in order."""

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


def read_page(study: Study) -> Page:
    return Page((study.folder / "report.html").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Study:
    study = make_study(tmp_path_factory.mktemp("study") / "s", hands=50, runs=3, curves=2)
    write_report(study)
    return study


@pytest.fixture(scope="module")
def page(study) -> Page:
    return read_page(study)


def test_the_same_rows_give_the_same_bytes(study, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(study.folder, copy, ignore=shutil.ignore_patterns("export", *REPORT))
    write_report(Study(copy))
    exported = [f"export/{path.name}" for path in (study.folder / "export").iterdir()]
    for name in [*REPORT, *exported]:
        assert (copy / name).read_bytes() == (study.folder / name).read_bytes()


def test_the_export_has_every_table_and_figure(study):
    names = {path.name for path in (study.folder / "export").iterdir()}
    exported = {name.rpartition(".")[0] for name in names if name.endswith((".csv", ".tex"))}
    drawn = {name.rpartition(".")[0] for name in names if name.endswith(".svg")}
    assert names == {f"{t}.{e}" for t in exported for e in ("csv", "tex")} | {
        f"{f}.svg" for f in drawn
    }
    assert exported == set(RESULTS)
    assert drawn == {"accuracy", "strata", "solved", "ranks", "convergence", "by-deficiency"}
    text = (study.folder / "tables.md").read_text(encoding="utf-8")
    shown = [result for result in RESULTS.values() if not result.is_plot_only]
    assert text.count("\n## ") == len(shown)


def test_the_page_needs_nothing_else(page, study):
    assert all(link.startswith("#") for link in page.links)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    text = (study.folder / "report.html").read_text(encoding="utf-8")
    assert "@import" not in text
    assert str(study.folder) not in text
    assert "prefers-color-scheme: dark" in text
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)


def test_links_have_targets_and_identifiers_are_unique(page):
    assert len(page.names) == len(set(page.names))
    assert {link[1:] for link in page.links} <= set(page.names)


def test_the_page_has_every_result_and_the_command(page):
    text = " ".join(page.text.split())
    assert "Study of ndde-20-50, pso-20-50, tree-search" in text
    assert all(result.title in text for result in RESULTS.values())
    assert "mjopt compare \\ ndde:generations=50,population=20" in text
    assert "seed 1." in text


def test_the_page_begins_with_the_finding_and_ends_with_the_command(page):
    text = " ".join(page.text.split())
    places = [
        text.index(words)
        for words in (
            "one-type: tree-search is right more often than ",
            "two-type-60: tree-search is right more often than ",
            "Accuracy: how often",
            "Low and high: 95 %",
            "Accuracy over runs",
            "Hand sets Deficiencies come",
            "Repeat A value is right",
            "seed 1.",
            "mjopt compare",
        )
    ]
    assert places == sorted(places)
    assert page.tags.index("svg") < page.tags.index("nav")


def test_equal_methods_do_not_differ(tmp_path):
    study = make_study(tmp_path / "s", methods=("tree-search", "ndde-20-50"), hands=5, runs=1)
    [first, second] = differences(study)
    assert first == "one-type: 1 of 1 pairs do not differ significantly."
    assert second.startswith("two-type-60: 1 of 1 pairs do not differ significantly. ")


def test_accuracy_table_matches_the_rows(study):
    path = study.folder / "export" / "accuracy.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = {(row["set"], row["method"]): row for row in csv.DictReader(file)}
    for hands in study.sets:
        truth = study.hands(hands)["deficiency"]
        for label in study.methods:
            frame = study.rows(hands, label)
            gap = frame["value"].astype(int) - truth[frame["hand"]].to_numpy()
            row = rows[hands, label]
            assert float(row["accuracy"]) == pytest.approx((gap == 0).mean())
            assert int(row["too_low"]) == (gap < 0).sum()
            assert int(row["too_high"]) == (gap > 0).sum()
        answer = truth.mode()[0]
        baseline = rows[hands, f"always {answer}"]
        assert int(baseline["hands"]) == 50
        assert float(baseline["accuracy"]) == pytest.approx((truth == answer).mean())


def test_the_stored_summary_is_used_only_while_it_is_current(study, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(study.folder, copy)
    document = read_summary(Study(copy))
    assert document is not None
    (hands, _) = document["sets"]
    assert hands["methods"][0]["accuracy"] == study.results("accuracy")["accuracy"][0]
    (copy / "summary.json").write_text(json.dumps({**document, "version": "0.0.1"}))
    assert read_summary(Study(copy)) is None
    (copy / "summary.json").write_text(json.dumps(document))
    (copy / "report.html").unlink()
    assert read_summary(Study(copy)) is None


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
    page = read_page(study)
    for absent in ("early-stop", "convergence", "pairs", "tests"):
        assert absent not in page.names
    assert "--early-stop" in page.text


def test_the_command_in_the_report_gives_the_same_study(study):
    methods = parse_methods(["ndde:population=10,out_of_range=wrap", "pso", "tree-search"])
    sets = tuple(
        replace(hands, certificates=number)
        for hands, number in zip(study.config.sets, (7, 9), strict=True)
    )
    config = replace(study.config, methods=methods, sets=sets, early_stop=True)
    words = [word.strip() for word in make_command(config).split("\\\n")]
    assert words[0] == "mjopt compare"
    assert parse_methods(words[1:4]) == methods
    assert words[4:] == [
        "--hands one-type",
        "--hands two-type-60",
        "-o DIR",
        "--runs 3",
        "--seed 1",
        "--tiles m0",
        "--early-stop",
        "--certificates 9",
        "# and in Python sample=20, curves=2",
    ]


@without_packages("matplotlib")
def test_missing_extra_is_a_one_line_error(study):
    with pytest.raises(ImportError, match=r"is not installed: pip install 'mjopt\[experiments\]'"):
        write_report(study)
