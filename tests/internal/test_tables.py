"""Tables as text, Markdown, CSV, LaTeX and HTML."""

import csv
import io
import math
import re
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt._internal.report_page import Section, render_report, table_html
from mjopt._internal.tables import EMPTY, Table, format_value, make_rows

ROWS = [
    {"method": "ndde_20|50", "hands": 118_800, "accuracy": 0.93325, "gap": -0.012, "time": 150.0},
    {"method": "tree", "hands": None, "accuracy": 1.0, "gap": 0.0, "time": math.inf},
]
TABLE = Table(
    name="example",
    title="Accuracy & 100 % of <it>",
    rows=ROWS,
    formats={"accuracy": ".3%", "gap": "+.2f"},
    notes=("A note with 5 % & more_than_one $ign.",),
)


def test_values_as_text():
    assert TABLE.shown_rows() == [
        ["ndde_20|50", "118,800", "93.325%", "-0.01", "150"],
        ["tree", EMPTY, "100.000%", "+0.00", "∞"],
    ]
    assert [TABLE.is_text(column) for column in TABLE.columns] == [True, *[False] * 4]


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (0.9999999, ".2%", ">99.99%"),  # 100 is reserved for exact values
        (0.9999, ".0%", ">99%"),
        (1.0, ".2%", "100.00%"),
        (-math.inf, "", "-∞"),
        (12345.678, "", "12,346"),
        (0.000021345678, "", "2.1346e-05"),
        (True, "", "yes"),
        (0.25, lambda share: f"{share:.1f} of all", "0.2 of all"),
        ("as it is", ".2%", "as it is"),
    ],
)
def test_format_value(value, spec, text):
    assert format_value(value, spec) == text


def test_markdown():
    lines = TABLE.to_markdown().splitlines()
    assert lines[0] == r"### Accuracy & 100 % of \<it\>"
    assert re.fullmatch(r"\|:-+\|(-+:\|){4}", lines[3])
    assert lines[4].startswith(r"| ndde\_20\|50 |")
    # Every row has the same number of unescaped bars as the header.
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines[2:6]} == {6}


def test_csv_is_not_rounded():
    head, first, tree = list(csv.reader(io.StringIO(TABLE.to_csv())))
    assert head == ["method", "hands", "accuracy", "gap", "time"]
    assert first == ["ndde_20|50", "118800", "0.93325", "-0.012", "150.0"]
    assert tree == ["tree", "", "1.0", "0.0", "inf"]


def test_latex():
    text = TABLE.to_latex()
    assert r"\caption{Accuracy \& 100 \% of \textless{}it\textgreater{}}" in text
    assert r"\begin{tabular}{lrrrr}" in text
    assert r"ndde\_20\textbar{}50 & 118,800 & 93.325\% & -0.01" in text
    assert r"A note with 5 \% \& more\_than\_one \$ign." in text
    assert r"$\infty$" in text
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")


@pytest.mark.parametrize(
    ("title", "caption"),
    [
        ("Table 1: accuracy in percent", "Accuracy in percent"),
        ("Figure 12: mean best value", "Mean best value"),
        ("Accuracy over runs", "Accuracy over runs"),
        ("Table tennis: a game", "Table tennis: a game"),
    ],
)
def test_latex_numbers_its_captions_itself(title, caption):
    table = Table(name="t", title=title, rows=[{"a": 1}])
    assert rf"\caption{{{caption}}}" in table.to_latex()
    assert table.to_markdown().startswith(f"### {title}")


def test_latex_without_notes_has_none():
    assert "minipage" not in Table(name="t", title="T", rows=[{"a": 1}]).to_latex()


def test_wide_latex_tables_are_scaled_and_long_texts_broken():
    table = Table(name="t", title="T", rows=[{"a": "word " * 20, "b": 1, "c": "short"}])
    text = table.to_latex()
    assert r"\begin{tabular}{p{0.5\linewidth}rl}" in text
    assert text.count("{") == text.count("}")
    assert r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%" in text


@settings(max_examples=30)
@given(st.text(st.characters(categories=("L", "P", "S", "N")), min_size=1, max_size=30))
def test_latex_escapes_every_sign(text):
    table = Table(name="t", title="T", rows=[{"a": text}], notes=(text,))
    bare = re.sub(r"\\[&%$#_{}]|\\[a-z]+(\{\})?", "", table.to_latex().replace(r"$\infty$", ""))
    assert not set("~^$#_|<") & set(bare.replace("{!}", ""))


def test_rows_of_a_dataframe():
    frame = pd.DataFrame({"n": [1, 2], "p": [0.5, None], "is_best": [True, False]})
    rows = make_rows(frame)
    assert rows == [{"n": 1, "p": 0.5, "is_best": True}, {"n": 2, "p": None, "is_best": False}]
    assert [type(value) for value in rows[0].values()] == [int, float, bool]


@settings(max_examples=40)
@given(st.text(max_size=30))
def test_html_escapes_every_text(text):
    table = Table(name="t", title=text, rows=[{text: text}], notes=(text,))
    tags = set(re.findall(r"</?([a-z]+)", table_html(table)))
    assert tags <= {"div", "table", "thead", "tr", "th", "wbr", "tbody", "td"}


def test_html_headings_break_between_words_only():
    table = Table(name="t", title="T", rows=[{"hands_low <": 1, "ndde-20-50": 2}])
    html = table_html(table)
    assert '<th class="num">hands_<wbr>low &lt;</th>' in html
    assert '<th class="num">ndde\u201120\u201150</th>' in html


def test_html_of_numbers():
    assert '<td class="num">93.325%</td>' in table_html(TABLE)


def test_a_page_escapes_text_and_leaves_empty_sections_out():
    empty = Table(name="empty", title="Empty", rows=[])
    long = Table(name="long", title="Long", rows=[{"n": n} for n in range(30)])
    sections = [Section(TABLE), Section(empty), Section(long)]
    page = render_report("<T>", sections, lead=["a < b"], closing=["b < c"], command="mjopt <it>")
    assert "<p>a &lt; b</p>" in page
    assert "<p>b &lt; c</p>" in page
    assert "<pre>mjopt &lt;it&gt;</pre>" in page
    assert '<a href="#example">Accuracy &amp; 100 % of &lt;it&gt;</a>' in page
    assert "Empty" not in page
    assert "<summary>30 rows</summary>" in page


def test_a_table_needs_no_optional_package():
    code = (
        "import sys; import mjopt._internal.report_page; "
        "print(sorted({'pandas', 'scipy', 'matplotlib', 'jinja2'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
