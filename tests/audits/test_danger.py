"""The audit of deal-in rates."""

import csv
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import nan
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mjopt
from mjopt.audits.answer_columns import read_columns
from mjopt.audits.answer_file import AnswerFile
from mjopt.audits.comparison import Audit, compare
from mjopt.audits.danger_readings import hands_of_both_forms, rate_readings
from mjopt.audits.discard_rates import ReadyQuery, ready_hands, uniform_rate
from mjopt.audits.findings import Disagreement
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.files.hand_file import HandFile
from mjopt.hands.rules.read_forms import read_forms
from mjopt.hands.rules.winning_form import templates_of
from mjopt.hands.tiles import FULL, M0

HAND = "1112345678999m1p"
UNSEEN = "222333344p777s"
BARRED = "1s3p"
FORMS = read_forms("all", M0)
Rows = list[Mapping[str, object]]


def rates(barred: str = BARRED, prior: str = "uniform") -> list[Fraction]:
    unseen = mjopt.Hand.parse(UNSEEN, partial=True).counts
    position = mjopt.Position(hand=mjopt.Hand.parse(HAND), wall=tuple(unseen), calls=(), draws=0)
    found = mjopt.danger(position, mjopt.Opponent(called=3, passed=barred), prior=prior)
    shares = [row.share for row in found.kinds]
    assert None not in shares
    return [share for share in shares if share is not None]


def audited(path: Path, columns: list[str]) -> tuple[list[Disagreement], Audit]:
    kind = path.suffix.removeprefix(".")
    hands = HandFile(path=path, format=kind, tiles=M0)
    file = AnswerFile.open(hands, read_columns(columns))
    with Audit(file.columns, tiles=M0, forms=FORMS) as audit:
        compare(file.blocks(), audit)
        return [*audit.wrong()], audit


@pytest.fixture
def check(tmp_path: Path) -> Callable[[list[object]], tuple[list[Disagreement], Audit]]:
    """Return a function that audits rates, one for each kind of tile, in a CSV file."""

    def check_rates(given: list[object]) -> tuple[list[Disagreement], Audit]:
        path = tmp_path / "rates.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            names = ("hand", "unseen", "cannot_win_on", "opponent_called", "discard", "rate")
            writer.writerow(names)
            for name, rate in zip(M0.names, given, strict=True):
                writer.writerow([HAND, UNSEEN, BARRED, 3, name, rate])
        return audited(path, ["rate=danger"])

    return check_rates


Check = Callable[[list[object]], tuple[list[Disagreement], Audit]]


def test_right_rates_have_no_fault(check: Check) -> None:
    for places in (2, 4, 9):
        wrong, audit = check([f"{float(rate):.{places}f}" for rate in rates()])
        assert wrong == []
        assert audit.num_hands == audit.columns["rate"].num_compared == 27


def test_what_must_be_zero_is_zero(check: Check) -> None:
    given: list[object] = [f"{float(rate):.4f}" for rate in rates()]
    assert (given[M0.names.index("3p")], given[0]) == ("0.0000", "0.0000")
    given[M0.names.index("3p")] = given[0] = "0.0001"
    wrong, _ = check(given)
    found = [(row.text, row.kind, row.exact) for row in wrong]
    assert found == [
        (f"{HAND} 1m", "proved safe, not 0", 0),
        (f"{HAND} 3p", "safe by rule, not 0", 0),
    ]


def test_wrong_digit_is_found(check: Check) -> None:
    place = M0.names.index("2p")
    for error, kind in ((Fraction(1, 1000), "too high"), (Fraction(-1, 1000), "too low")):
        given = rates()
        given[place] += error
        [row], _ = check([f"{float(rate):.4f}" for rate in given])
        assert (row.kind, row.text) == (kind, f"{HAND} 2p")
        assert row.given is not None
        assert (row.given - row.exact) / 10**9 == pytest.approx(float(error), abs=1e-4)


def test_zero_is_no_rounded_share(check: Check) -> None:
    wrong, _ = check(["0"] * 27)
    assert {row.kind for row in wrong} == {"too low"}


@pytest.mark.parametrize(
    ("cause", "given"),
    [
        ("percent in place of share", [f"{100 * float(r):.1f}" for r in rates()]),
        ("under riichi-2022 in place of uniform", [float(r) for r in rates(prior="riichi-2022")]),
        ("ignores furiten", [f"{float(r):.4f}" for r in rates("")]),
        (
            "ignores furiten, except that discards are safe",
            [
                0.0 if name in ("1s", "3p") else float(rate)
                for name, rate in zip(M0.names, rates(""), strict=True)
            ],
        ),
        (
            "counts copies unseen only",
            [n / 12 for n in mjopt.Hand.parse(UNSEEN, partial=True).counts],
        ),
    ],
)
def test_cause_is_named(check: Check, cause: str, given: list[object]) -> None:
    wrong, audit = check(given)
    assert wrong
    assert audit.columns["rate"].causes == {cause: len(wrong)}


def test_lists_of_all_kinds(tmp_path: Path) -> None:
    """Those of a dataset: NaN is no answer, and where no hand is ready there is none."""
    right: list[float] = [float(rate) for rate in rates()]
    row = {
        "hand": [*mjopt.Hand.parse(HAND).counts],
        "unseen": [*mjopt.Hand.parse(UNSEEN, partial=True).counts],
        "cannot_win_on": 1 << M0.names.index("1s") | 1 << M0.names.index("3p"),
        "num_melds": 3,
        "opponent_melds": "",
    }
    rows = [
        row | {"rate": right},
        row | {"rate": [nan, *right[1:26], 0.5], "cannot_win_on": row["cannot_win_on"]},
        row | {"rate": [nan] * 27, "unseen": [0] * 27},
        row | {"rate": right[:5]},
    ]
    path = tmp_path / "rates.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    wrong, audit = audited(path, ["rate=danger"])
    found = audit.columns["rate"]
    assert found.num_skipped == 1 + 27
    assert [(row.line, row.kind) for row in wrong[:1]] == [(1, "proved safe, not 0")]
    assert [row.kind for row in wrong[1:]] == ["not a rate"] * 27
    assert audit.num_not_hands == 0


def test_two_forms_are_counted_apart() -> None:
    """Against the counts of each form alone, and the figures of a public counter."""
    readings = dict(rate_readings(4, has_two_forms=True))
    forms = [read_forms(name, FULL) for name in ("standard", "seven_pairs", "thirteen_orphans")]
    every = tuple(template for form in forms for template in templates_of(form))
    for barred in (frozenset[int](), frozenset({1, 12, 30})):
        whole = ReadyQuery(every, FULL, (4,) * 34, 0, (0,) * 34, barred)
        alone = [ready_hands(whole._replace(templates=templates_of(form))) for form in forms]
        for kind in (0, 5, 33):
            ready = sum(sum(hands.by_wait) for hands in alone)
            winning = sum(each[kind] for hands in alone for each in hands.by_kind)
            twice = readings["counts hands of both forms twice"](whole, kind)
            assert twice == Fraction(winning, ready)
    whole = whole._replace(barred=frozenset())
    total = sum(ready_hands(whole).by_wait)
    off = uniform_rate(whole, 0) - readings["takes hands of both forms off by the wrong kind"](
        whole, 0
    )
    assert off == Fraction((1121 - 631) * 6**6 * 4, total)
    assert len(hands_of_both_forms(FULL)[0]) == 32_676


def test_furiten_of_each_form_alone() -> None:
    readings = dict(rate_readings(4, has_two_forms=True))
    keeps = readings["keeps hands of both forms under furiten"]
    every = templates_of(FORMS)
    left = mjopt.Hand.parse("1122334455667m", partial=True).counts  # waits on 1m, 4m, 7m
    whole = ReadyQuery(every, M0, tuple(left), 0, (0,) * 27, frozenset({0}))
    assert [uniform_rate(whole, kind) for kind in (0, 3, 6)] == [0, None, None]
    assert [keeps(whole, kind) for kind in (0, 3, 6)] == [0, 0, 1]


def test_columns_of_discards_are_audited_alone(tmp_path: Path) -> None:
    path = tmp_path / "rates.csv"
    path.write_text(f"hand,deficiency,danger\n{HAND},1,0\n")
    hands = HandFile(path=path, format="csv", tiles=M0)
    assert AnswerFile.open(hands).columns == {"deficiency": "deficiency"}
    assert AnswerFile.open(hands).similar == {"danger": "danger"}
    with pytest.raises(FileError, match="no column cannot_win_on, expected the kinds that the op"):
        AnswerFile.open(hands, {"danger": "danger"})
    with pytest.raises(FileError, match="column deficiency asks about hands, and others about dis"):
        AnswerFile.open(hands, {"danger": "danger", "deficiency": "deficiency"})
    with pytest.raises(ArgumentError, match="decompositions, danger or skip"):
        read_columns(["danger=x"])


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (("1x", 3, "1m"), "cannot_win_on '1x', expected tiles"),
        (("[27]", 3, "1m"), "cannot_win_on [27], expected kinds 0..26"),
        (("1s", 9, "1m"), "9 called melds"),
        (("1s", 3, "12m"), "discard '12m', expected one kind of tile"),
        (("1s", 3, ""), "discard '', expected one kind of tile"),
    ],
)
def test_row_that_is_no_position_is_named(
    tmp_path: Path, cells: tuple[object, ...], reason: str
) -> None:
    path = tmp_path / "rates.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("hand", "cannot_win_on", "num_melds", "discard", "danger"))
        writer.writerow((HAND, *cells, 0))
    _, audit = audited(path, ["danger"])
    assert audit.num_not_hands == 1
    with Audit({"danger": "danger"}, tiles=M0, forms=FORMS) as audit:
        file = AnswerFile.open(HandFile(path=path, format="csv", tiles=M0), {"danger": "danger"})
        [(_, _, found)] = compare(file.blocks(), audit).not_hands()
    assert reason in found
