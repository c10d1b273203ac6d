"""Tables as text, Markdown, CSV, LaTeX and HTML."""

import csv
import io
import math
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt._internal.report import (
    EMPTY,
    MINUS,
    Column,
    Section,
    format_cell,
    make_table,
    parse_columns,
    render_report,
    table_html,
)
from mjopt.errors import StudyError

TABLE = make_table(
    "example",
    "Accuracy & 100 % of <it>",
    "method | hands:count | accuracy:percent:3 | difference:points | p:p | time:micros:1 | "
    "evaluations:number:0 | gap:signed:1",
    [
        ("ndde_20|50", 118_800, 0.93325, -0.012, 0.00001, 0.000150, 1040.4, -1.0),
        ("tree", None, 1.0, 0.0, 1.0, None, math.inf, 0.0),
    ],
    "A note with 5 % & more_than_one $ign.",
    caption="How to read it.",
)


def test_cells_as_text():
    assert TABLE.shown_rows() == [
        [
            *("ndde_20|50", "118\u202f800", "93.325", f"{MINUS}1.20", "<0.0001"),
            *("150.0", "1\u202f040", f"{MINUS}1.0"),
        ],
        ["tree", EMPTY, "100.000", "0.00", "1.0000", EMPTY, "∞", "0.0"],
    ]


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (0.9999999, Column("c", "percent", 2), ">99.99"),  # 100 is reserved for exact values
        (1.0, Column("c", "percent", 2), "100.00"),
        (-0.0000001, Column("c", "points", 2), "0.00"),  # a zero has no sign
        (0.0001, Column("c", "p"), "0.0001"),
        (-math.inf, Column("c", "number"), f"{MINUS}∞"),
        (-1234, Column("c", "count"), f"{MINUS}1\u202f234"),
        (12345.678, Column("c", "number", 1), "12\u202f345.7"),
        ("as it is", Column("c"), "as it is"),
    ],
)
def test_format_cell(cell, column, text):
    assert format_cell(cell, column) == text


def test_markdown():
    lines = TABLE.to_markdown().splitlines()
    assert lines[0] == r"### Accuracy & 100 % of \<it\>"
    assert re.fullmatch(r"\|:-+\|(-+:\|){7}", lines[3])
    assert lines[4].startswith(r"| ndde\_20\|50 |")
    # Every row has the same number of unescaped bars as the header.
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:6]} == {9}


def test_csv_is_not_rounded():
    head, first, tree = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert head[:4] == ["method", "hands", "accuracy (%)", "difference (points)"]
    assert head[5] == "time (µs)"
    assert first == ["ndde_20|50", "118800", "93.325", "-1.2", "1e-05", "150", "1040.4", "-1"]
    assert tree == ["tree", "", "100", "0", "1", "", "inf", "0"]


def test_latex():
    text = TABLE.to_latex()
    assert r"\caption{Accuracy \& 100 \% of \textless{}it\textgreater{}}" in text
    assert r"\begin{tabular}{lrrrrrrr}" in text
    assert r"ndde\_20\textbar{}50 & 118\,800 & 93.325 & $-$1.20 & \textless{}0.0001" in text
    assert r"$\infty$" in text
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")


@settings(deadline=None, max_examples=40)
@given(st.text(max_size=30))
def test_html_escapes_every_text(text):
    table = make_table("t", text, [Column(text)], [(text,)], text, caption=text)
    tags = set(re.findall(r"</?([a-z]+)", table_html(table)))
    assert tags <= {"div", "table", "caption", "thead", "tr", "th", "tbody", "td", "p"}


def test_html_of_numbers_captions_and_notes():
    text = table_html(TABLE)
    assert '<td class="num">93.325</td>' in text
    assert text.index("How to read it.") < text.index("A note with")


def test_a_page_escapes_text_and_leaves_empty_sections_out():
    sections = [Section("s", "<H>", [TABLE]), Section("empty", "Empty", [])]
    page = render_report("<T>", ["a < b", ["<item>"]], sections)
    assert "<p>a &lt; b</p>" in page
    assert "<li>&lt;item&gt;</li>" in page
    assert "&lt;H&gt;" in page
    assert "Empty" not in page


@pytest.mark.parametrize(
    ("columns", "rows", "message"),
    [
        ("m | n:count", [("a",)], "row 0: 1 cells, expected 2"),
        ("m | n:count", [("a", "b")], "column n: 'b', expected count"),
        ("m | n:count", [(1, 2)], "column m: 1, expected text"),
        ("m | n:count", [("a", math.nan)], "column n: nan"),
    ],
)
def test_rows_that_do_not_fit_are_refused(columns, rows, message):
    with pytest.raises(StudyError, match=message):
        make_table("t", "T", columns, rows)


def test_names_and_forms_are_validated():
    with pytest.raises(StudyError, match="small letters, digits"):
        make_table("Not a name", "T", "m", [])
    with pytest.raises(StudyError, match="form 'euro'"):
        parse_columns("price:euro")


def test_columns_from_text():
    assert parse_columns("set", "hands:count", "t, all:micros:1", "sd:percent:4:points") == (
        Column("set"),
        Column("hands", "count"),
        Column("t, all", "micros", 1),
        Column("sd", "percent", 4, unit="points"),
    )


def test_a_table_needs_no_optional_package():
    code = (
        "import sys; import mjopt._internal.report; "
        "print(sorted({'pandas', 'scipy', 'matplotlib', 'jinja2'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
