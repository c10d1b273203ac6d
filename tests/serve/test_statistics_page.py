"""Statistics: the counts are those of the battles, kept, and told as they grow."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from threading import Event

import pytest
from helpers.watched_games import ORIGIN, browsing, record
from starlette.testclient import TestClient

from mjopt.errors import FileError, MjoptError
from mjopt.game.record import read_record
from mjopt.reports.statistics import wilson
from mjopt.serve import statistics_page
from mjopt.serve.background_jobs import MOST_KEPT, Job, Jobs
from mjopt.serve.counted_games import COUNTED, KEPT, MILLION, MORE, PART, Count, Counts
from mjopt.serve.game_library import OwnRecord, own_record
from mjopt.tournaments.battle import fight
from mjopt.tournaments.summary import summarise

NAME = "gmjbg-table-1"
DOCS = Path(__file__).parents[2] / "docs" / "game.md"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(statistics_page, "MORE", 600)
    return 600


def begin(client: TestClient, name: str = NAME):
    return client.post("/statistics/jobs", data={"table": name}, headers=ORIGIN)


def events_of(client: TestClient) -> list[tuple[str, dict]]:
    """Follow the job that the page tells of to its end, asking again as a browser does."""
    [address] = re.findall(r'data-events="([^"]*)"', client.get("/statistics").text)
    found = []
    while not found or found[-1][0] != "end":
        answer = client.get(address)
        assert answer.headers["content-type"].startswith("text/event-stream")
        retry, *blocks = answer.text.strip().split("\n\n")
        assert retry.startswith("retry: ")
        assert 1 <= len(blocks) <= statistics_page.LOOKS
        for block in blocks:
            lines = dict(line.split(": ", 1) for line in block.splitlines())
            found.append((lines.get("event", "message"), json.loads(lines["data"])))
    return found


# What is counted


def test_the_counts_are_those_of_the_battle() -> None:
    games = PART + 50
    job = Job("", games)
    counts = Counts(None)
    counts.play(NAME, job)
    count = counts.by_name[NAME]

    plan = replace(COUNTED[NAME].plan, seed=count.seed, games=games)
    summary = summarise(fight(plan))
    assert (count.games, count.drawn) == (summary.played, summary.drawn)
    assert count.wins == tuple(side.wins for side in summary.entrants)
    assert count.own_draws == tuple(side.own_draws for side in summary.entrants)
    assert not any(counts.by_name[name].games for name in COUNTED if name != NAME)


def test_what_was_played_is_kept_and_goes_on(tmp_path: Path) -> None:
    first = Counts(tmp_path)
    first.play(NAME, Job("", 40))
    first.play("gmjbg-table-2", Job("", 30))
    again = Counts(tmp_path)
    assert again.by_name[NAME] == first.by_name[NAME]
    again.play(NAME, Job("", 60))
    whole = Count(seed=first.by_name[NAME].seed).and_more(NAME, 100)
    assert Counts(tmp_path).by_name[NAME] == whole
    assert [path.name for path in tmp_path.iterdir()] == [KEPT]


@pytest.mark.parametrize(
    "change",
    [
        {"games": 3},
        {"wins": [1, 2, 3]},
        {"wins": [1, 2, 3, "4"]},
        {"drawn": -1},
        {"drawn": 2.5},
        {"colour": 1},
        {"own_draws": [9, 9, 9, 9]},
    ],
)
def test_damaged_counts_are_refused_in_words(tmp_path: Path, change: dict) -> None:
    good = asdict(Count(seed=1).and_more(NAME, 20))
    (tmp_path / KEPT).write_text(json.dumps({NAME: good | change}))
    with pytest.raises(FileError, match=f"{KEPT}: .*remove it to begin anew"):
        Counts(tmp_path)
    (tmp_path / KEPT).write_text("[]")
    with pytest.raises(FileError):
        Counts(tmp_path)


def test_the_million_games_are_those_of_the_docs() -> None:
    rows = re.findall(r"^\| (L1 L. L1 L2|the text|nearest)[^|]*\|(.*)\|$", DOCS.read_text(), re.M)
    assert len(rows) == 6
    names = iter(MILLION)
    for number, (_, cells) in enumerate(rows):
        numbers = [float(one) for one in re.findall(r"[\d.]+", cells)]
        told = (tuple(numbers[0:8:2]), tuple(numbers[1:8:2]), numbers[8])
        if number % 3:
            assert MILLION[next(names)] == told
        else:
            preset = COUNTED[f"gmjbg-table-{number // 3 + 1}"]
            assert (preset.wins, preset.own_draws, preset.drawn) == told


# The page


def test_the_page_shows_published_and_ours(few: int) -> None:
    with browsing() as client:
        page = client.get("/statistics").text
        for told in ("24.0 (4.7)", "18.1 (4.3)", "38.0 (10.6)", "51.6", "docs/game.md"):
            assert told in page
        assert page.count("<button") == 4
        assert page.count("0 played here") == 8  # each once more on its button


def test_games_are_played_told_of_and_shown(few: int, tmp_path: Path) -> None:
    with browsing(games=tmp_path) as client:
        assert (begin(client).status_code, begin(client).status_code) in {(303, 409), (303, 303)}
        while 'data-events="' in (page := client.get("/statistics").text):
            assert '<noscript><meta http-equiv="refresh"' in page
            assert "<button" not in page
            *news, (kind, end) = events_of(client)
            assert (kind, end) == ("end", {"done": few, "state": "done"})
            assert [name for name, _ in news] == ["message"] * len(news)
            done = [data["done"] for _, data in news]
            assert done == sorted(done)
        count = Counts(tmp_path).by_name[NAME]
        assert count.games in {few, 2 * few}
        low, high = wilson(count.wins[1], count.games)
        assert f"{100 * low:.1f} to {100 * high:.1f}" in page
        assert f"--preset {NAME} --seed {count.seed} --games {count.games}" in page


def test_what_cannot_be_played_is_refused(few: int) -> None:
    with browsing() as client:
        assert begin(client, "section-4.3").status_code == 400
        assert client.post("/statistics/jobs", headers=ORIGIN).status_code == 415
        assert client.post("/statistics/jobs", data={"a": "b"}, headers=ORIGIN).status_code == 400
        assert client.post("/statistics/jobs", data={"table": NAME}).status_code == 403
        assert client.get("/statistics/jobs/none/events").status_code == 404
        assert client.get("/statistics/jobs").status_code == 405


def test_one_job_at_a_time_and_none_after_the_server() -> None:
    begun, go_on = Event(), Event()

    def work(job: Job) -> None:
        begun.set()
        while not job.stop.wait(0.01) and not go_on.is_set():
            pass

    jobs = Jobs()
    first = jobs.begin("waiting", 1, work)
    assert first is jobs.running
    assert begun.wait(10)
    assert jobs.begin("another", 1, work) is None
    go_on.set()
    jobs.wait()
    assert (first.state, jobs.running) == ("done", None)
    go_on.clear()
    second = jobs.begin("another", 1, work)
    jobs.close()
    assert second.state == "stopped"


def test_the_server_stops_the_games_that_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statistics_page, "MORE", 10_000_000)
    with browsing(games=tmp_path) as client:
        assert begin(client).status_code == 303
        assert begin(client).status_code == 409
    count = Counts(tmp_path).by_name[NAME]
    assert 0 < count.games < 10_000_000  # what was played is kept


def test_a_failure_is_told_and_jobs_are_forgotten_in_time() -> None:
    jobs, kept = Jobs(), []
    for number in range(MOST_KEPT + 5):

        def work(job: Job, number=number) -> None:
            job.done = 1
            if not number:
                raise MjoptError("no room")

        kept.append(jobs.begin("one", 1, work))
        jobs.wait()
    assert [job.state for job in kept[:2]] == ["failed: no room", "done"]
    assert jobs.get(kept[0].id) is None
    assert sum(jobs.get(job.id) is job for job in kept) == MOST_KEPT
    assert len({job.id for job in kept}) == len(kept)


def test_games_that_cannot_be_kept_are_told_of(few: int, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    with browsing(games=folder) as client:
        folder.rmdir()
        assert begin(client).status_code == 303
        while 'data-events="' in client.get("/statistics").text:
            assert events_of(client)[-1][1]["state"].startswith("failed: ")
        page = client.get("/statistics").text
        assert "could not be played or kept" in page
        assert KEPT in page


def test_a_click_plays_ten_thousand_games() -> None:
    assert MORE == 10_000


# The person


def test_the_record_of_a_person_is_that_of_their_games(tmp_path: Path) -> None:
    lines = [record("gmjbg", game, "deficiency l3 deficiency l3") for game in range(8)]
    named = [re.sub(r"names=\S+", "names=you,l3,b,l2", line) for line in lines]
    (tmp_path / "mine.txt").write_text("\n".join([*named, "damaged", ""]))
    (tmp_path / "theirs.txt").write_text("\n".join(lines))
    found = own_record(tmp_path, "you")
    records = [read_record(line) for line in named]
    assert found == OwnRecord(
        hands=8,
        wins=sum("0H" in line.split("moves=")[1] for line in named),
        own_draws=sum("0H" in line.split("moves=")[1] and "end=own-draw" in line for line in named),
        drawn=sum(told.ending == "wall empty" for told in records),
        points=sum(told.scores[0] for told in records),
    )
    assert found.wins
    with browsing(games=tmp_path) as client:
        assert f"8 hands: {found.wins} won" in client.get("/statistics").text
    with browsing() as client:
        assert "No finished hand is kept" in client.get("/statistics").text
