"""`mjopt solitaire`."""

from pathlib import Path


def test_ranks_rules_and_resumes(mjopt, tmp_path: Path) -> None:
    ask = ("solitaire", "useful", "deficiency", "-n", "300", "--draws", "9", "-j", "1")
    ran = mjopt(*ask, "-o", str(tmp_path / "out"))
    assert "Deals won alone, of 300" in ran.out
    assert ran.out.index("useful") < ran.out.index("deficiency")
    assert "no ceiling of all plays" in ran.err
    document = mjopt(*ask, "-o", str(tmp_path / "out"), "--json").json
    assert [row["rule"] for row in document["rules"]] == ["useful", "deficiency"]
    assert document == mjopt(*ask, "--json").json
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"ranking.csv", "summary.json"}
