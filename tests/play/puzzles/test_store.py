"""Records of players in files: restarts, damaged files, and files of others."""

import os
from datetime import date

import pytest
from helpers.surroundings import disk_full_after

from mjopt.errors import FileError
from mjopt.play.puzzles.record import PuzzleAnswer
from mjopt.play.puzzles.store import SUFFIX, PlayerRecords

ANN, BEN = "a" * 22, "b" * 22
DAY = date(2026, 11, 26)


def answering(puzzle, time=0.0, *, is_right=True):
    """Return the change of a record by an answer."""
    answer = PuzzleAnswer(puzzle=puzzle, tile="1m", is_right=is_right, time=time)
    return lambda record: record.with_answer(answer)


def test_record_and_rating_survive_a_restart(tmp_path):
    records = PlayerRecords(tmp_path)
    for time, is_right in enumerate((True, False, True)):
        records.update(ANN, answering(f"p{time}", time, is_right=is_right))
    records.update(ANN, lambda record: record.with_daily(DAY, ("1m",)))
    again = PlayerRecords(tmp_path)

    assert again.look(ANN) == records.look(ANN)
    assert again.ratings().player(ANN) == pytest.approx(records.ratings().player(ANN))
    assert [path.name for path in tmp_path.iterdir()] == [f"{ANN}{SUFFIX}"]


def test_records_are_kept_in_memory_without_a_folder():
    records = PlayerRecords()
    records.update(ANN, answering("p"))

    assert len(records.look(ANN).answers) == 1
    assert records.look(BEN).answers == ()


def test_answers_of_others_rate_a_puzzle_after_a_restart(tmp_path):
    records = PlayerRecords(tmp_path)
    records.update(ANN, answering("p", 1.0))
    records.update(BEN, answering("p", 2.0, is_right=False))
    again = PlayerRecords(tmp_path)

    assert again.ratings().puzzle("p") == pytest.approx(records.ratings().puzzle("p"))
    assert again.ratings().player(ANN).mean > again.ratings().player(BEN).mean


def test_change_by_another_server_is_seen(tmp_path):
    first, second = PlayerRecords(tmp_path), PlayerRecords(tmp_path)
    first.update(ANN, answering("p", 1.0))
    second.update(ANN, answering("q", 2.0))

    assert [answer.puzzle for answer in first.look(ANN).answers] == ["p", "q"]
    assert first.ratings().player(ANN) == pytest.approx(second.ratings().player(ANN))


@pytest.mark.parametrize("content", ["", "{}", "my notes", '{"version": 9}', "[" * 9_999])
def test_file_that_is_no_record_is_named_and_stays(tmp_path, content):
    path = tmp_path / f"{ANN}{SUFFIX}"
    path.write_text(content)
    records = PlayerRecords(tmp_path)

    with pytest.raises(FileError, match=path.name) as refused:
        records.update(ANN, answering("p"))
    assert "\n" not in str(refused.value)
    assert str(tmp_path) not in str(refused.value)
    assert path.read_text() == content
    records.update(BEN, answering("p"))  # nobody else is affected
    assert len(records.look(BEN).answers) == 1


def test_fifo_is_refused(tmp_path):
    os.mkfifo(tmp_path / f"{ANN}{SUFFIX}")

    with pytest.raises(FileError, match="not a regular file"):
        PlayerRecords(tmp_path).look(ANN)


def test_failed_write_changes_nothing(tmp_path, monkeypatch):
    records = PlayerRecords(tmp_path)
    records.update(ANN, answering("p"))
    before, rating = records.look(ANN), records.ratings().player(ANN)
    with disk_full_after(0), pytest.raises(FileError):
        records.update(ANN, answering("q"))

    assert records.look(ANN) == before
    assert records.ratings().player(ANN) == rating


def test_discards_of_other_players_are_found(tmp_path):
    records = PlayerRecords(tmp_path)
    records.update(ANN, lambda record: record.with_daily(DAY, ("1m",)))
    records.update(BEN, lambda record: record.with_daily(DAY, ("2m", "3m")))
    (tmp_path / f"{'c' * 22}{SUFFIX}").write_text("damaged")
    again = PlayerRecords(tmp_path)

    assert again.played_by_others(ANN, DAY) == [("2m", "3m")]
    assert again.played_by_others("", date(2026, 11, 25)) == []
