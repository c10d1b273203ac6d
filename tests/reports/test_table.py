"""Tables as Markdown, CSV, LaTeX and HTML."""

import csv
import io
import math
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt.errors import FileError, StudyError
from mjopt.reports.table import MINUS, NOTHING, Field, Table, fields, written
from mjopt.reports.table_formats import (
    WRITERS,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
    write_table,
)

TABLE = Table(
    name="example",
    title="Accuracy & 100 % of <it>",
    columns=(
        Field("method"),
        Field("hands", "count"),
        Field("accuracy", "percent", 3),
        Field("difference", "points", 2),
        Field("p", "p"),
        Field("time", "micros", 1),
        Field("evaluations", "number", 0),
        Field("gap", "signed", 1),
    ),
    rows=(
        ("ndde_20|50", 118_800, 0.93325, -0.012, 0.00001, 0.000150, 1040.4, -1.0),
        ("tree", None, 1.0, 0.0, 1.0, None, math.inf, 0.0),
    ),
    notes=("A note with 5 % & more_than_one $ign.",),
    groups=1,
)


def test_written_cells():
    assert TABLE.written_rows() == [
        [
            "ndde_20|50",
            "118\u202f800",
            "93.325",
            f"{MINUS}1.20",
            "<0.0001",
            "150.0",
            "1\u202f040",
            f"{MINUS}1.0",
        ],
        ["tree", NOTHING, "100.000", "0.00", "1.0000", NOTHING, "∞", "0.0"],
    ]


@pytest.mark.parametrize(
    ("cell", "column", "text"),
    [
        (0.9999999, Field("c", "percent", 2), ">99.99"),  # nearly all is not all
        (1.0, Field("c", "percent", 2), "100.00"),
        (-0.0000001, Field("c", "points", 2), "0.00"),  # a zero has no sign
        (0.0001, Field("c", "p"), "0.0001"),
        (-math.inf, Field("c", "number"), f"{MINUS}∞"),
        (-1234, Field("c", "count"), f"{MINUS}1\u202f234"),
        (12345.678, Field("c", "number", 1), "12\u202f345.7"),
        ("as it is", Field("c"), "as it is"),
    ],
)
def test_written(cell, column, text):
    assert written(cell, column) == text


def test_markdown():
    lines = to_markdown(TABLE).splitlines()
    assert lines[0] == r"### Accuracy & 100 % of \<it\>"
    assert lines[3] == "|---|---:|---:|---:|---:|---:|---:|---:|"
    assert lines[4].startswith(r"| ndde\_20\|50 | 118")
    # Every row has as many unescaped bars as the head.
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:6]} == {9}


def test_csv_reads_back_unrounded():
    head, one, tree = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert head[:4] == ["method", "hands", "accuracy (%)", "difference (points)"]
    assert head[5] == "time (µs)"
    assert one == ["ndde_20|50", "118800", "93.325", "-1.2", "1e-05", "150", "1040.4", "-1"]
    assert tree == ["tree", "", "100", "0", "1", "", "inf", "0"]


def test_latex():
    text = to_latex(TABLE)
    assert r"\caption{Accuracy \& 100 \% of \textless{}it\textgreater{}}" in text
    assert r"\begin{tabular}{lrrrrrrr}" in text
    assert r"ndde\_20\textbar{}50 & 118\,800 & 93.325 & $-$1.20 & \textless{}0.0001" in text
    assert r"$\infty$" in text
    assert r"more\_than\_one \$ign" in text
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    assert r"\addlinespace" in text  # between the two groups


@given(st.text(st.characters(codec="ascii", categories=("P", "S", "L", "N")), max_size=40))
def test_latex_leaves_no_sign_that_means_something(text):
    table = Table(name="t", title="T", columns=(Field("c"),), rows=((text,),))
    (row,) = re.findall(r"\\midrule\n(.*) \\\\\n\\bottomrule", to_latex(table))
    bare = re.sub(r"\\[a-z]+\{\}|\\[&%$#_{}]", "", row)
    assert not set(bare) & set("\\&%$#_{}~^")


@given(st.text(max_size=30))
def test_html_escapes_every_text(text):
    table = Table(name="t", title=text, columns=(Field(text),), rows=((text,),), notes=(text,))
    tags = set(re.findall(r"</?([a-z]+)", to_html(table)))
    assert tags <= {"div", "table", "caption", "thead", "tr", "th", "tbody", "td", "p", "span"}


def test_html_marks_groups_and_numbers():
    text = to_html(TABLE, reading="How to read it.")
    assert text.count('class="opens"') == 1
    assert '<td class="num">93.325</td>' in text
    assert text.index("How to read it.") < text.index("A note with")


def test_files_are_the_same_bytes_every_time(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        write_table(tmp_path / folder, TABLE)
    for ending in WRITERS:
        first, second = (tmp_path / f / f"example.{ending}" for f in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()
        assert b"\r" not in first.read_bytes()


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        write_table(tmp_path / "none", TABLE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": ((1,),)}, "row 0: 1 cells, expected 2"),
        ({"rows": (("a", "b"),)}, "column n: 'b', expected count"),
        ({"rows": ((1, 2),)}, "column m: 1, expected text"),
        ({"rows": (("a", math.nan),)}, "column n: nan"),
        ({"name": "Not a name"}, "small letters, digits"),
    ],
)
def test_a_table_refuses_what_does_not_fit(change, message):
    good = {"name": "t", "title": "T", "columns": (Field("m"), Field("n", "count")), "rows": ()}
    assert Table(**good).written_rows() == []
    with pytest.raises(StudyError, match=message):
        Table(**{**good, **change})


def test_columns_from_text():
    assert fields("set", "hands:count", "t, all:micros:1", "sd:percent:4:points") == (
        Field("set"),
        Field("hands", "count"),
        Field("t, all", "micros", 1),
        Field("sd", "percent", 4, unit="points"),
    )
    with pytest.raises(StudyError, match="form 'euro'"):
        fields("price:euro")


def test_a_column_refuses_an_unknown_form():
    with pytest.raises(StudyError, match="form 'euro'"):
        Field("c", "euro")  # type: ignore[arg-type]


def test_tables_need_no_extra():
    """Tables can be written where pandas, SciPy and matplotlib are not installed."""
    code = (
        "import sys; import mjopt.reports.table, mjopt.studies.accuracy; "
        "print(sorted({'pandas', 'scipy', 'matplotlib', 'pyarrow'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
