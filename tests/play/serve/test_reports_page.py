"""Reports: files of the folder are listed and shown in a sandbox."""

import json
from pathlib import Path

import pytest
from helpers.watched_games import browsing, links

from mjopt.play.serve import reports_page
from mjopt.play.serve.reports_page import reports_in

REPORT = "<!DOCTYPE html><html><head><style>p {}</style></head><body><p>All of it</p></body></html>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("reports")
    documents = {
        "battles/levels/battle": {"settings": {"agents": ["l1", "l3", "l1", "l2"]}},
        "study/study": {"format": 1, "methods": [{"label": "ndde-20-50"}, {"label": "<pso>"}]},
        "league/league": {"members": [{"name": "draws"}]},
    }
    for name, document in documents.items():
        path = root / f"{name}.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(document))
        (path.parent / "report.html").write_text(REPORT)
    (root / "unfinished").mkdir()
    (root / "unfinished" / "study.json").write_text("{}")
    return root


def test_finished_reports_are_listed(folder: Path) -> None:
    with browsing(reports=folder) as client:
        page = client.get("/reports").text
    assert len(links(page, r"/reports/\w+/")) == 3
    assert "battles/levels" in page
    assert "Beginner, Advanced, Beginner, Intermediate" in page
    assert "ndde-20-50, &lt;pso&gt;" in page
    for kind in (
        "games of computer players",
        "league of computer players",
        "comparison of methods",
    ):
        assert page.count(f"<td>{kind}</td>") == 1
    assert ">Planner</td>" in page
    assert "unfinished" not in page


def test_report_is_shown_in_a_sandbox(folder: Path) -> None:
    with browsing(reports=folder) as client:
        answers = [
            client.get(link) for link in links(client.get("/reports").text, r"/reports/\w+/")
        ]
    assert {answer.text for answer in answers} == {REPORT}
    for answer in answers:
        policy = answer.headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "style-src 'unsafe-inline'", "sandbox"} <= set(policy)
        assert not any("script" in rule for rule in policy)


def test_addresses_cannot_escape_the_folder(folder: Path, tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for place in (outside, inside):
        place.mkdir()
    (outside / "report.html").write_text(REPORT)
    with browsing(reports=outside) as client:
        [link] = links(client.get("/reports").text, r"/reports/\w+/")
    (inside / "report.html").symlink_to(outside / "report.html")
    (inside / "folder").symlink_to(outside)
    with browsing(reports=inside) as client:
        assert "No finished study" in client.get("/reports").text
        for address in (
            link,
            "/reports/%2e%2e/",
            "/reports/..%2foutside/",
            "/reports/report.html/",
        ):
            assert client.get(address).status_code == 404


def test_page_without_a_folder_explains_the_option() -> None:
    with browsing() as client:
        assert "--reports DIR" in client.get("/reports").text


def test_a_report_that_vanishes_is_not_found(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "report.html").write_text(REPORT)
    listed = reports_in(tmp_path)
    (tmp_path / "report.html").unlink()
    monkeypatch.setattr(reports_page, "reports_in", lambda _: listed)
    with browsing(reports=tmp_path) as client:
        answer = client.get(f"/reports/{next(iter(listed))}/")
    assert answer.status_code == 404
    assert "no longer exists" in answer.text
