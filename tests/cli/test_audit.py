"""The command audit."""

import csv
import json
import os
from pathlib import Path

import pytest
from cli.conftest import Call
from helpers.support import AWKWARD

from mjopt import M0, Certificate, Hand
from mjopt._internal.files import lock_folder

WRONG = """id,hand,deficiency
1,1111m123p112233s,1
2,1133557799m1133p,0
3,11122233344455s,0
4,11111m,2
5,1112345678999m1p,x
6,1112345678999m1p,4
"""


RIICHI = "standard, seven_pairs, thirteen_orphans"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "values.csv"
    path.write_text(WRONG)
    return path


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def awkward(path: Path, less: int = 0) -> str:
    lines = [f"{known.hand.to_text()},{known.deficiency - less}" for known in AWKWARD]
    path.write_text("\n".join(["hand,deficiency", *lines]))
    return str(path)


def test_correct_values_have_status_0(mjopt: Call, tmp_path: Path) -> None:
    path = awkward(tmp_path / "v.csv")
    ran = mjopt("audit", path, "--tiles", "136")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"{path}: 12 hands of FULL, 0 rows wrong (deficiency over standard)\n"


def test_constant_offset_is_detected(mjopt: Call, tmp_path: Path) -> None:
    path = awkward(tmp_path / "v.csv", less=1)
    ran = mjopt("audit", path, "--tiles", "136", "--json")
    assert ran.status == 1
    [column] = ran.json["columns"]
    assert column["shift"] == -1
    assert column["causes"] == {"off by one: shanten given as deficiency": 12}
    words = ("--column", "deficiency=shanten")
    assert mjopt("audit", path, "--tiles", "136", *words).status == 0


def test_wrong_values_are_printed_with_their_cause(mjopt: Call, wrong: Path) -> None:
    ran = mjopt("audit", str(wrong))
    assert ran.status == 1
    assert "5 hands of M0, 4 rows wrong (deficiency over standard)" in ran.out
    assert "1  ignores the four-copy limit" in ran.out
    assert "line 6: 1112345678999m1p: deficiency x, right is 1" in ran.out
    assert "line 5: 11111m: '1' at character 5: a fifth 1m, expected at most 4" in ran.out


def test_output_uses_the_scale_of_the_file(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "v.tsv"
    path.write_text("hand\tshanten\n1112345678999m1p\t1\n11122233344455s\t-1\n")
    ran = mjopt("audit", str(path), "-o", str(tmp_path / "found"))
    assert ran.out.startswith(f"{path}: 2 hands of FULL, 1 rows wrong (shanten over {RIICHI})\n")
    assert "too high by one" in ran.out
    assert "line 2: 1112345678999m1p: shanten 1, right is 0" in ran.out
    [row] = read(tmp_path / "found" / "disagreements.csv")
    assert (row["written"], row["theirs"], row["true"], row["difference"]) == ("1", "1", "0", "1")
    document = mjopt("audit", str(path), "--json").json
    assert (document["columns"][0]["question"], document["tiles"]) == ("shanten", "136")
    assert [(each["theirs"], each["true"]) for each in document["first_wrong"]] == [(1, 0)]


@pytest.mark.parametrize("by", [",", ";", "\t"])
def test_tile_set_is_inferred_from_the_file(mjopt: Call, tmp_path: Path, by: str) -> None:
    path = tmp_path / "v.csv"
    rows = ["hand,deficiency", "1112345678999m1p,1", "123456m789p1146s1z,1"]
    path.write_text("\n".join(rows).replace(",", by))
    ran = mjopt("audit", str(path))
    assert (ran.status, ran.out) == (
        0,
        f"{path}: 2 hands of FULL, 0 rows wrong (deficiency over standard)\n",
    )
    told = mjopt("audit", str(path), "--tiles", "m0")
    assert told.status == 2
    assert told.err == "mjopt: 1 of 2 rows are not hands\n"
    assert "line 3: 123456m789p1146s1z: 'z' at character 18: not a suit of M0" in told.out
    assert told.out.endswith("it holds honours, expected tiles 136\n")


@pytest.mark.parametrize("kinds", [27, 34])
def test_shanten_counts_the_riichi_forms(mjopt: Call, tmp_path: Path, kinds: int) -> None:
    """As `mjopt shanten` does, also in files with columns of copies of 27 kinds."""
    path = tmp_path / "v.csv"
    path.write_text("hand,shanten\n1133557799m1133p,-1\n")
    if kinds == 27:
        counts = ",".join(map(str, Hand.parse("1133557799m1133p").counts))
        path.write_text(f"{','.join(M0.names)},shanten\n{counts},-1\n")
    ran = mjopt("audit", str(path))
    assert ran.out == f"{path}: 1 hands of FULL, 0 rows wrong (shanten over {RIICHI})\n"
    assert mjopt("audit", str(path), "--forms", "standard").status == 1
    assert mjopt("audit", str(path), "--column", "shanten=deficiency").status == 1
    refused = mjopt("audit", str(path), "--tiles", "m0")
    assert refused.err.startswith("mjopt: thirteen_orphans needs 13 terminals and honours, M0 has")


def test_built_dataset_is_read_back(mjopt: Call, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    words = ("--tiles", "136", "--seed", "3", "-j", "1")
    mjopt("dataset", "build", "deals:40", "-o", str(tmp_path / "hands"), *words)
    [path] = map(str, (tmp_path / "hands" / "data").iterdir())
    ran = mjopt("audit", path)
    assert ran.out == f"{path}: 40 hands of FULL, 0 rows wrong (deficiency over standard)\n"
    assert (ran.status, ran.err) == (0, "")
    ran = mjopt("label", path)
    assert ran.err == f"mjopt: {path} has a column deficiency; the new one is mjopt_deficiency\n"
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert [row["mjopt_deficiency"] for row in rows] == [row["deficiency"] for row in rows]
    assert [row["hand"] for row in rows] == [row["text"] for row in rows]


def test_folder_has_wrong_rows_and_certificates(mjopt: Call, wrong: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "found"
    document = mjopt("audit", str(wrong), "-o", str(folder), "--json").json
    assert document["columns"][0]["kinds"] == {
        "too low": 2,
        "too high": 1,
        "not a number": 1,
    }
    assert (document["rows"], document["not_hands"], document["wrong"]) == (6, 1, 4)
    rows = read(folder / "disagreements.csv")
    assert [(r["line"], r["true"], r["difference"], r["cause"]) for r in rows] == [
        ("2", "2", "-1", "ignores the four-copy limit"),
        ("3", "4", "-4", "mixed forms"),
        ("6", "1", "", ""),
        ("7", "1", "3", "too high by three"),
    ]
    proofs = (folder / "certificates.jsonl").read_text().splitlines()
    for row in rows:
        certificate = Certificate.from_json(proofs[int(row["certificate"]) - 1])
        assert certificate.hand == Hand.parse(row["hand"])
        assert certificate.deficiency == int(row["true"])
    assert [row["line"] for row in read(folder / "not_hands.csv")] == ["5"]
    kept = json.loads((folder / "summary.json").read_text())
    assert kept.items() <= document.items()
    assert len(list(folder.iterdir())) == 4


def test_standard_input_with_forms(mjopt: Call) -> None:
    text = "hand,shanten\n1133557799m1133p,-1\n11122233344455s,-1\n"
    assert mjopt("audit", "-", "--forms", "standard,seven_pairs", stdin=text).status == 0


def test_parquet_is_read(mjopt: Call, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    columns = {"hand": ["11m", "11123m", "11m"], "called": [4, 3, 4], "theirs": [0.0, 1.0, 2.0]}
    pq.write_table(arrow.table(columns), tmp_path / "v.parquet")
    words = ("--column", "theirs=deficiency", "--json")
    ran = mjopt("audit", str(tmp_path / "v.parquet"), *words)
    assert ran.status == 1
    assert [(row["line"], row["true"]) for row in ran.json["first_wrong"]] == [(1, 0), (2, 0)]


def test_file_as_folder_and_unknown_columns_are_refused(
    mjopt: Call, wrong: Path, tmp_path: Path
) -> None:
    ran = mjopt("audit", str(wrong), "-o", str(wrong))
    assert (ran.status, ran.err) == (2, f"mjopt: {wrong}: is a file, expected a folder\n")
    path = tmp_path / "none.csv"
    path.write_text("hand,value\n")
    ran = mjopt("audit", str(path))
    assert ran.err == (
        f"mjopt: --column: {path}: columns (hand, value), expected one named win, shanten, "
        "deficiency, useful, ukeire, discard or decompositions, or NAME=QUESTION\n"
    )
    ran = mjopt("audit", str(path), "--column", "value=x")
    assert ran.err.startswith("mjopt: --column value=x, expected value=QUESTION with win, ")


@pytest.mark.parametrize("column", ["deficiency", "useful"])
def test_second_writer_is_refused(mjopt: Call, tmp_path: Path, column: str) -> None:
    path, folder = tmp_path / "v.csv", tmp_path / "found"
    path.write_text(f"hand,{column}\n1112345678999m,1\n")
    with lock_folder(folder):
        ran = mjopt("audit", str(path), "-o", str(folder))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"mjopt: {folder}: another process is writing here now\n"
    assert os.listdir(folder) == []


def test_every_known_column_is_audited(mjopt: Call, tmp_path: Path) -> None:
    path, folder = tmp_path / "v.csv", tmp_path / "found"
    rows = [
        "hand,discard,shanten,useful,win,waits",
        "123m456p789s1122z5m,5m,0,1z2z,no,1m",
        "123m456p789s1122z5m,1m,0,3p,no,1m",
        "1112345678999m,-,0,123456789m,no,1m",
        "11111m,1m,1,,0,",
    ]
    path.write_text("\n".join(rows))
    ran = mjopt("audit", str(path), "-o", str(folder))
    assert ran.status == 1
    assert ran.out.startswith(
        f"{path}: 3 hands of FULL, 1 rows wrong (discard, shanten, useful, win over {RIICHI})\n"
    )
    assert ran.err == f"mjopt: {path}: column waits is not audited: --column waits=useful\n"
    assert "line 3: 123m456p789s1122z5m: discard 1m, right is 5m" in ran.out
    assert "line 3: 123m456p789s1122z5m: useful 3p, right is 1z 2z" in ran.out
    assert "1 rows are not hands; their answers are not compared" in ran.out
    first, second = read(folder / "disagreements.csv")
    assert (first["column"], first["theirs"], first["true"]) == ("discard", "1m", "5m")
    assert (second["kind"], second["certificate"]) == ("some missing, some useless", "1")
    assert [row["line"] for row in read(folder / "not_hands.csv")] == ["5"]
    assert mjopt("verify", str(folder / "certificates.jsonl")).status == 0
    words = ("--column", "waits=useful", "--column", "useful=skip", "--json")
    document = mjopt("audit", str(path), *words).json
    wrong = {column["column"]: column["wrong"] for column in document["columns"]}
    assert wrong == {"discard": 1, "shanten": 0, "win": 0, "waits": 3}
    assert document["first_wrong"][0]["kind"] == "raises the deficiency"


def test_useful_tiles_belong_to_the_forms_of_shanten(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    pairs = "1133557799m113p"
    path.write_text(f"hand,shanten,useful\n{pairs},0,3p\n")
    assert mjopt("audit", str(path)).status == 0
    path.write_text(f"hand,useful\n{pairs},3p\n")
    ran = mjopt("audit", str(path))
    assert "1 rows wrong (useful over standard)" in ran.out
    assert "1  mixed forms" in ran.out
    assert mjopt("audit", str(path), "--forms", "riichi").status == 0


def test_columns_of_melds_and_unseen_tiles(mjopt: Call, tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    rows = ["hand,melds,unseen,shanten,ukeire,useful", "123m456p78s11z,6666s,,0,4,9s"]
    path.write_text("\n".join([*rows, "123m456p78s11z,555z,9s1m,0,1,9s"]))
    ran = mjopt("audit", str(path))
    assert (ran.status, ran.err) == (0, "")
    path.write_text("\n".join([*rows, "123m456p78s11z,555z,9s1m,0,8,6s9s"]))
    ran = mjopt("audit", str(path))
    assert "1  ukeire: ignores the tiles seen elsewhere" in ran.out
    assert "1  useful: ignores the tiles seen elsewhere" in ran.out


@pytest.mark.parametrize("rules", ["taiwan", "mcr", "sichuan"])
def test_answers_of_a_rule_set(mjopt: Call, tmp_path: Path, rules: str) -> None:
    pytest.importorskip("pyarrow")
    words = ("--labels", "deficiency,useful", "--rules", rules, "-j", "1")
    mjopt("dataset", "build", "deals:5", "-o", str(tmp_path / "hands"), *words)
    [path] = map(str, (tmp_path / "hands" / "data").iterdir())
    ran = mjopt("audit", path, "--rules", rules, "--column", "useful_tiles=useful")
    assert ran.status == 0, ran.out + ran.err
    assert ", 0 rows wrong (deficiency, useful_tiles=useful over " in ran.out


def test_built_masks_are_read_back(mjopt: Call, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    words = ("--labels", "useful", "--tiles", "136", "-j", "1")
    mjopt("dataset", "build", "deals:9", "-o", str(tmp_path / "hands"), *words)
    [path] = map(str, (tmp_path / "hands" / "data").iterdir())
    ran = mjopt("audit", path, "--column", "useful_tiles=useful")
    assert ran.out == (
        f"{path}: 9 hands of FULL, 0 rows wrong (useful_tiles=useful over standard)\n"
    )


def test_a_review_is_not_called_wrong(mjopt: Call, tmp_path: Path) -> None:
    """Its discard is that of a player, and its deficiency is that after the discard."""
    path = tmp_path / "review.csv"
    header = "hand,called,discard,is_drawn,before,deficiency,copies,best,best_copies"
    path.write_text(f"{header}\n13599p46s5557z,1,4s,False,2,3,47,7z,12\n")
    ran = mjopt("audit", str(path))
    assert (ran.status, ran.out) == (2, "")
    assert "has columns discard and best, expected the one to audit" in ran.err
