"""Nothing that a stored file names is imported: a folder or file from others runs no code."""

import json
from pathlib import Path

from helpers.made_study import make_study

from mjopt.cli.main import execute


def test_rebuilding_a_report_imports_no_class(tmp_path: Path, capfd) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'marker')!r}, 'w')\n")
    path = make_study(tmp_path / "study").folder / "study.json"
    document = json.loads(path.read_text())
    for method in document["methods"]:
        method["name"] = f"{tmp_path}/evil.py:Evil"
    path.write_text(json.dumps(document))
    assert execute(["compare", "--rebuild", str(path.parent)]) == 0
    assert not (tmp_path / "marker").exists()
