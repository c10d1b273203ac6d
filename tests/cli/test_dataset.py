"""`mjopt dataset`, as a user runs it."""

from pathlib import Path

import pyarrow.parquet as pq
from cli.conftest import Call
from helpers.surroundings import without_packages

from mjopt.tables.suits.state_index import one_type_counts

GAME = Path(__file__).parents[1] / "data" / "logs" / "tenhou-mjlog" / "game-01.mjlog"


def test_build_check_describe_card_and_sample(mjopt: Call, tmp_path: Path) -> None:
    folder = str(tmp_path / "hands")
    words = ["deals:2000", "-o", folder, "--seed", "5", "--shards", "2", "-j", "1", "--check", "2"]
    ran = mjopt("dataset", "build", *words, "--labels", "deficiency,useful", "--splits", "a=3,b=1")
    assert ran.status == 0
    assert "deals:2000, seed 5: a 1,5" in ran.out
    assert "rows/s" in ran.out
    assert "4 random rows verified by a second method: all agree" in ran.out
    assert ran.err == ""
    ran = mjopt("dataset", "build", *words, "--labels", "deficiency,useful", "--splits", "a=3,b=1")
    assert "already complete; nothing to do" in ran.out

    ran = mjopt("dataset", "check", folder, "--sample", "3")
    assert (ran.status, ran.err) == (0, "")
    assert "sound; 2,000 rows counted, 4 files verified" in ran.out
    assert "6 rows proved again" in ran.out

    ran = mjopt("dataset", "describe", folder, "-o", str(tmp_path / "f.svg"))
    assert "chi-squared" in ran.out
    assert "always answering 3 is right on" in ran.out
    assert (tmp_path / "f.svg").read_text().startswith("<?xml")

    found = mjopt("dataset", "describe", folder, "--json").json
    assert found["rows"] == sum(row["rows"] for row in found["by_deficiency"]) == 2000
    assert found["chi_squared"]["p_value"] > 0.001
    assert found["labels"]["useful_tiles"]["greatest"] <= 27

    ran = mjopt("dataset", "card", folder)
    assert ran.out == (tmp_path / "hands/README.md").read_text()
    assert "Seed 5." in ran.out

    rows = mjopt("dataset", "sample", folder, "-n", "3", "--seed", "2", "--json").json
    assert rows["seed"] == 2
    assert {"row", "hand", "deficiency", "useful_tiles", "split"} <= set(rows["rows"][0])
    assert "useful_tiles" in mjopt("dataset", "sample", folder).out


def test_build_as_json(mjopt: Call, tmp_path: Path) -> None:
    ran = mjopt("dataset", "build", "kongs:50", "-o", str(tmp_path / "k"), "-j", "1", "--json")
    assert ran.json["rows"] == 50
    [built] = ran.json["datasets"]
    assert built["rows_by_split"] == {"train": 50}
    assert built["engine"].startswith("mjopt ")
    assert built["cpu_seconds"]["label"] >= 0
    ran = mjopt("dataset", "describe", str(tmp_path / "k"))
    assert "chi-squared" not in ran.out  # exact shares are unknown


def test_paper_sets_are_built_and_checked_together(mjopt: Call, tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    ran = mjopt("dataset", "build", "paper", "-o", str(folder), "-j", "1", "--seed", "1")
    assert ran.status == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "LICENSE",
        "README.md",
        "manifest.json",
        "one-type",
        "three-type",
        "two-type",
    ]
    ran = mjopt("dataset", "check", str(folder), "--json")
    assert ran.json["sound"]
    assert [d["rows"] for d in ran.json["datasets"]] == [len(one_type_counts()), 100_000, 100_000]
    ran = mjopt("dataset", "describe", str(folder))
    assert ran.out.count("chi-squared") == 2
    assert "equal to the exact counts" in ran.out
    assert mjopt("dataset", "describe", str(folder), "-o", "x.svg").status == 2
    assert "name one of one-type, two-type" in mjopt("dataset", "sample", str(folder)).err
    (folder / "manifest.json").write_text('{"datasets": ["../elsewhere"]}')
    assert "'../elsewhere' is not the name" in mjopt("dataset", "check", str(folder)).err


def test_damaged_dataset_has_status_1(mjopt: Call, tmp_path: Path) -> None:
    folder = tmp_path / "hands"
    mjopt("dataset", "build", "deals:100", "-o", str(folder), "-j", "1")
    path = folder / "data/train-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    ran = mjopt("dataset", "check", str(folder))
    assert ran.status == 1
    assert "1 fault(s)" in ran.out
    assert "train-00000-of-00001.parquet" in ran.out
    assert not mjopt("dataset", "check", str(folder), "--json").json["sound"]


def test_another_recipe_in_the_folder_is_refused(mjopt: Call, tmp_path: Path) -> None:
    mjopt("dataset", "build", "deals:50", "-o", str(tmp_path), "-j", "1")
    for recipe in ("deals:40", "distinct:60"):
        ran = mjopt("dataset", "build", recipe, "-o", str(tmp_path), "-j", "1")
        assert ran.status == 2
        assert f"holds another dataset (recipe deals:50, not {recipe}; ...)" in ran.err
    before = (tmp_path / "manifest.json").read_text()
    assert mjopt("dataset", "build", "paper", "-o", str(tmp_path)).status == 2
    assert (tmp_path / "manifest.json").read_text() == before


@without_packages("pyarrow")
def test_missing_pyarrow_is_named(mjopt: Call, tmp_path: Path) -> None:
    folder = str(tmp_path / "x")
    ran = mjopt("dataset", "build", "deals:5", "-o", folder, "-j", "1")
    assert ran.status == 2
    assert ran.err == "mjopt: pyarrow is not installed: pip install 'mjopt[datasets]'\n"
    assert not (tmp_path / "x").exists()


def test_conformance_suite_is_written(mjopt: Call, tmp_path: Path) -> None:
    ran = mjopt("dataset", "build", "conformance:basic", "-o", str(tmp_path / "suite"), "-j", "1")
    assert ran.status == 0
    assert "2,000 hands of basic, each with a certificate" in ran.out
    written = {path.name for path in (tmp_path / "suite").iterdir()}
    parts = ("basic.csv", "basic.jsonl", "basic.certificates.jsonl")
    assert written == {*parts, "SHA256SUMS", "VERSION"}
    ran = mjopt("verify", str(tmp_path / "suite" / parts[-1]))
    assert (ran.status, "2000 certificates" in ran.out) == (0, True)


def test_conformance_suite_of_unknown_rules_is_refused(mjopt: Call, tmp_path: Path) -> None:
    ran = mjopt("dataset", "build", "conformance:tokyo", "-o", str(tmp_path))
    assert ran.status == 2
    assert "rules 'tokyo': unknown, expected one of riichi, basic, sanma" in ran.err
    ran = mjopt("dataset", "build", "conformance:riichi", "-o", str(tmp_path), "--called", "2")
    assert ran.status == 2
    assert "--called does not go with conformance:riichi" in ran.err


def test_logs_without_riichi_or_games_are_one_line(tmp_path: Path, mjopt: Call) -> None:
    out = str(tmp_path / "p.parquet")
    (tmp_path / "no.txt").write_text("no log")
    ran = mjopt("dataset", "positions", str(tmp_path / "no.txt"), "-o", out)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "no log of a game" in ran.err
    ran = mjopt("dataset", "positions", str(tmp_path), "-o", out)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "0 games read, no discard of four players while exactly one opp" in ran.err
    ran = mjopt("dataset", "positions", str(tmp_path), "-o", str(tmp_path / "p.csv"))
    assert "p.csv, expected a .parquet file" in ran.err
    assert not Path(out).exists()


def test_command_reports_games_that_cannot_be_read(tmp_path: Path, mjopt: Call) -> None:
    out = tmp_path / "p.parquet"
    (tmp_path / "no.txt").write_text("no log")
    ran = mjopt("dataset", "positions", str(GAME), str(tmp_path / "no.txt"), "-o", str(out))
    assert ran.status == 1
    assert "no.txt, line 1: no log of a game" in ran.err
    assert "positions of 1 games" in ran.out
    assert pq.read_table(out).num_rows > 0
