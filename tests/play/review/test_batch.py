"""Reviews of folders: resumable, and equal for any number of workers."""

import errno
import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from helpers.crash_states import crash_states
from helpers.tenhou_writing import written
from helpers.three_players import east_only
from helpers.waits import OLD

from mjopt.cli.main import execute
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.rules.classic_forms import RIICHI, names_of
from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
from mjopt.play.review import batch
from mjopt.play.review.api import files_in, read_source, review
from mjopt.play.review.batch import ReviewOptions, review_folder
from mjopt.play.review.summary import YARDSTICKS

SHORT = ("tenhou-json/game-15.jsonl", "tenhou-mjlog/game-15.mjlog")


@pytest.fixture
def some(logs, tmp_path, monkeypatch):
    """Return a folder of five games, in parts of two, and a file that is not a log."""
    return folder_of(sorted(logs.glob("*/game-*")), tmp_path, monkeypatch)


@pytest.fixture
def short(logs, tmp_path, monkeypatch):
    """Return such a folder whose games have two rounds each."""
    return folder_of([logs / SHORT[number % 2] for number in range(5)], tmp_path, monkeypatch)


def folder_of(paths, tmp_path, monkeypatch):
    monkeypatch.setattr(batch, "FILES_A_PART", 2)
    folder = tmp_path / "logs"
    folder.mkdir()
    for number, path in enumerate(paths):
        shutil.copy(path, folder / f"game-{number}{path.suffix}")
    (folder / "notes.txt").write_text("no game")
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_folder_is_judged_as_its_games_are(some, tmp_path):
    total, refused, flaws = review_folder(
        files_in(some), tmp_path / "out", ReviewOptions(form="jsonl")
    )
    whole = review(some)
    assert total.to_document() == whole.summary.to_document()
    assert [one["line"] for one in refused] == [1]
    rows = [
        json.loads(line)
        for path in (tmp_path / "out").glob("discards-*.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert len(rows) == len(whole.judged.discards)
    assert {row["game"].split("/")[-1] for row in rows} == {
        f"{path.name}:1" for path in some.glob("game-*")
    }
    document = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert (document["refusals"], document["flaws"]) == (refused, flaws)
    assert document["total"] == total.total


@pytest.mark.slow  # test_chance.py has a quick one
def test_two_workers_write_the_same_files(short, tmp_path):
    files, options = files_in(short), ReviewOptions(form="csv")
    for jobs in (1, 2):
        review_folder(files, tmp_path / f"by-{jobs}", options, jobs=jobs)
    assert contents(tmp_path / "by-1") == contents(tmp_path / "by-2")


def test_an_interrupted_run_resumes(short, tmp_path, monkeypatch):
    """The files equal those of one run, and finished parts are not judged again."""
    out, review_part = tmp_path / "out", batch.review_part
    work = partial(review_folder, files_in(short), out, ReviewOptions(form="csv"))
    states = crash_states(work, out, tmp_path / "copies")
    whole, reviewed = contents(out), []

    def counting(options, logs):
        reviewed.append(len(logs))
        return review_part(options, logs)

    monkeypatch.setattr(batch, "review_part", counting)
    for state in states:
        shutil.rmtree(out)
        state.rename(out)
        finished = len(list(out.glob("parts/*.unit")))
        reviewed.clear()
        work()
        assert len(reviewed) == 3 - finished
        assert contents(out) == whole
    assert len(states) > 9  # three parts with three files each


def test_a_modified_file_of_a_part_is_refused_and_stays(short, tmp_path):
    """A file that was changed by hand is neither counted nor removed."""
    out = tmp_path / "out"
    review_folder(files_in(short), out, ReviewOptions(form="csv"))
    path = next(out.glob("discards-*.csv"))
    path.write_text("mine")
    with pytest.raises(FileError, match=rf"^{path}: was modified"):
        review_folder(files_in(short), out, ReviewOptions(form="csv"))
    review_folder(files_in(short), out, ReviewOptions(form="jsonl"))
    assert [file for file in out.glob("*.csv") if file.name.startswith("discards")] == [path]
    assert path.read_text() == "mine"


def test_only_parts_with_changed_logs_are_judged_again(short, tmp_path):
    out = tmp_path / "out"
    review_folder(files_in(short), out, ReviewOptions(form="csv"))
    before = {*out.glob("discards-*")}
    for path in before:
        os.utime(path, OLD)
    with (short / "game-0.jsonl").open("a") as file:
        file.write("\n")
    review_folder(files_in(short), out, ReviewOptions(form="csv"))
    after = {*out.glob("discards-*")}
    assert len(after) == len(before) == 3
    assert len(before & after) == 2
    assert {path.stat().st_mtime for path in before & after} == {OLD[1]}


def test_parquet_holds_every_column(short, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    review_folder(files_in(short), tmp_path / "out", ReviewOptions())
    found = parquet.ParquetDataset(sorted((tmp_path / "out").glob("*.parquet"))).read()
    whole = review(short).judged.discards
    assert found.num_rows == len(whole)
    rows = zip(found["hand"].to_pylist(), found["after"].to_pylist(), strict=True)
    assert sorted(rows) == sorted(zip(whole.hand.tolist(), whole.deficiency.tolist(), strict=True))
    assert found.schema.field("before").metadata[b"meaning"]


def test_the_command_prints_one_game_and_counts_refusals(some, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert execute(["review", str(some), "-o", out, "--json", "-j", "1"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["games"] == 5
    game = str(some / "game-1.jsonl")
    assert execute(["review", game, "--seat", "1", "--away"]) == 0
    printed = capsys.readouterr().out
    assert "seat 1" in printed
    assert "seat 0" not in printed
    costly, ordered = (part.splitlines() for part in printed.split("In order:"))
    assert 0 < sum("moves away" in line for line in costly[3:]) <= 5
    assert all(line.startswith("         from ") for line in costly[4::2])
    lines = [line for line in ordered if " seat 1 " in line]
    assert all("moves away" in line or "passes up" in line for line in lines)
    assert {"moves away" in line for line in lines} == {False, True}
    found = review(game, seat=1)
    away = sum(call.moves_away if call.made else call.is_nearer for call in found.judged.calls)
    assert len(lines) == found.judged.discards.moves_away.sum() + away
    assert max(map(len, printed.split("1 game,")[0].splitlines())) <= 80
    assert execute(["review", game, "-o", str(tmp_path / "one.csv")]) == 0
    assert (tmp_path / "one.csv").read_text().startswith("game,round,turn,seat,hand")


def test_a_discard_better_by_expected_draws_is_said_to_be(some, capsys):
    game = some / "game-2.jsonl"
    assert execute(["review", str(game), "--by", "draws"]) == 0
    printed = capsys.readouterr().out
    assert YARDSTICKS["draws"] in printed
    better = review(game, by="draws").judged.discards.better_by_draws
    ordered = printed.split("In order:")[1]
    assert ordered.count("; by expected draws better than") == better.sum() > 0


REFUSED = {
    "review none": "none: no such file",
    "review LOG --seat 4": "seat 4, expected 0 to 3",
    "review LOG -o x.txt": "expected .html, .parquet, .csv, .jsonl, or a folder",
    "review BAD -o x.html": "bad.json, line 1: no 'log'",
    "review LOG --forms x": "x': unknown",
    "review LOG --scheduler tcp://h:1": "--scheduler goes with -o DIR",
}


@pytest.mark.parametrize("line", REFUSED)
def test_bad_input_is_one_line(line, some, capsys):
    (some / "bad.json").write_text('{"log": 3}')
    logs = {"LOG": some / "game-2.jsonl", "BAD": some / "bad.json"}
    words = [str(logs.get(word, word)) for word in line.split()]
    assert execute(words) == 2
    captured = capsys.readouterr()
    assert REFUSED[line] in captured.err
    assert captured.err.count("\n") == 1
    assert not captured.out


def test_one_bad_log_is_one_refused_row(short, tmp_path):
    (short / "bad.json").write_text('{"name": 5, "log": []}')
    (short / "secret.json").write_text("{}")
    (short / "secret.json").chmod(0)
    total, refused, _ = review_folder(files_in(short), tmp_path / "out", ReviewOptions(form="csv"))
    why = {row["source"].split("/")[-1]: row["why"] for row in refused}
    assert total.games == 5
    assert set(why) == {"bad.json", "notes.txt", "secret.json"}
    assert why["bad.json"].startswith("no round in the log; name 5, expected the names")


def test_forms_with_honours_refuse_the_games_without(short, tmp_path, capsys):
    """A log of a game without honours is one row; the other logs are judged."""
    state = start(M0_RULES, shuffle_wall(5, 0, M0_RULES.tiles))
    while not state.is_over:
        state = step(state, legal_moves(state)[-1])
    (short / "m0.jsonl").write_text(write_record(state, names=list("abcd"), seed=5, game=0))
    options = ReviewOptions(form="csv", forms=("standard", "thirteen-orphans"))
    total, refused, _ = review_folder(files_in(short), tmp_path / "out", options)
    why = "thirteen_orphans needs 13 terminals and honours, M0 has 6, expected tiles 136"
    assert total.games == 5
    assert [(Path(row["source"]).name, row["line"], row["why"]) for row in refused] == [
        ("m0.jsonl", 1, why),
        ("notes.txt", 1, refused[1]["why"]),
    ]
    reviewed = review(short, forms="riichi")
    assert len(reviewed.judged.games) == 5
    assert reviewed.refused[0].why == why
    assert execute(["review", str(short / "m0.jsonl"), "--forms", "riichi"]) == 1
    assert f"mjopt: {short}/m0.jsonl, line 1: {why}\n" in capsys.readouterr().err
    every = review(short, forms="all")  # of each tile set
    assert len(every.judged.games) == 6
    assert {*map(names_of, every.judged.forms)} == {("standard", "seven_pairs"), RIICHI}


def test_a_folder_that_cannot_be_listed_is_one_refused_row(short, tmp_path, monkeypatch):
    secret, scandir = short / "secret", os.scandir
    secret.mkdir()

    def forbidding(path):
        if not isinstance(path, int) and os.fspath(path) == str(secret):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(secret))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", forbidding)
    found = review(short)
    assert len(found.judged.games) == 5
    assert {refused.source.split("/")[-1]: refused.why for refused in found.refused} == {
        "notes.txt": found.refused[0].why,
        "secret": "a folder that cannot be listed",
    }
    total, refused, _ = review_folder(files_in(short), tmp_path / "out", ReviewOptions(form="csv"))
    assert (total.games, [Path(row["source"]).name for row in refused]) == (
        5,
        ["notes.txt", "secret"],
    )


def test_an_empty_file_is_not_opened(tmp_path, monkeypatch):
    """Some files of the system are empty, and opening them waits."""
    path = tmp_path / "empty"
    path.touch()
    monkeypatch.setattr(Path, "open", None)
    [(_, _, error)] = read_source(tmp_path, is_alone=True)
    assert str(error).startswith("no log of a game")


def test_long_and_impossible_names_are_one_line(logs, tmp_path, capsys):
    log = str(logs / "tenhou-mjlog" / "game-15.mjlog")
    page = tmp_path / ("n" * 235 + ".html")
    assert execute(["review", log, "-o", str(page)]) == 0
    assert page.stat().st_size > 1000
    capsys.readouterr()
    for name in ("n" * 5000, "n" * 240, "a\0b"):
        for options in ([], ["-o", str(tmp_path / "out")]):
            assert execute(["review", name, *options]) == 2
            [line] = capsys.readouterr().err.splitlines()
            assert "no such file" in line
            assert len(line) < 400


def test_a_file_without_end_is_one_refused_row(tmp_path):
    options = ReviewOptions(form="csv")
    total, refused, _ = review_folder([Path("/dev/zero")], tmp_path / "out", options)
    assert (total.games, total.refused) == (0, 1)
    assert [row["why"] for row in refused] == ["more than 64 MiB"]


def test_games_without_the_chosen_seat_do_not_stop_a_folder(tmp_path):
    (tmp_path / "three.xml").write_text(written(*east_only(2), seats=3))
    options = ReviewOptions(form="csv", seat=3)
    total, refused, _ = review_folder([tmp_path / "three.xml"], tmp_path / "out", options)
    assert (total.games, total.total["discards"], refused) == (1, 0, [])
    with pytest.raises(ArgumentError, match="seat 4, expected 0 to 3"):
        ReviewOptions(seat=4)
