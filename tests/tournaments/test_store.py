"""A battle that was stopped goes on: at any byte, with any number of processes."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from mjopt._internal.journal import Journal
from mjopt.errors import FileError
from mjopt.game.record import read_record
from mjopt.game.replay import replay
from mjopt.tournaments import Plan, fight
from mjopt.tournaments.playing import play_parts
from mjopt.tournaments.report import battle_report
from mjopt.tournaments.rows import ROW, ROW_WITH_MULTIPLIERS
from mjopt.tournaments.store import HEAD, JOURNAL, open_store
from mjopt.tournaments.summary import multipliers_by_name

AGENTS = ("random", "l1", "first", "l1")
PLAN = Plan(agents=AGENTS, rules="m0", seed=6, games=10, rounds=2)


def parts():
    return list(play_parts(PLAN, records=True))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The battle fought in one go: its rows and records."""
    folder = tmp_path_factory.mktemp("whole")
    battle = fight(PLAN, folder=folder / "out", records=folder / "games.txt")
    return battle.rows, (folder / "games.txt").read_bytes(), (folder / "out" / "games.npy")


def test_a_finished_folder_holds_rows_their_digest_and_plan_only(whole):
    rows, _, path = whole
    assert sorted(p.name for p in path.parent.iterdir() if p.name != ".lock") == [
        "SHA256SUMS",
        "games.npy",
        "made-by.json",
        "plan.json",
    ]
    assert (np.load(path) == rows).all()
    assert len(rows) == PLAN.num_played


@pytest.mark.parametrize("tear", [0, 1, ROW.itemsize, ROW.itemsize + 7, 100])
def test_goes_on_from_a_torn_file(tmp_path, whole, tear):
    rows, records, path = whole
    out = tmp_path / "out"
    with open_store(out, PLAN, records=True) as store:
        for part in parts()[:2]:
            store.append(part)
    torn = out / JOURNAL
    os.truncate(torn, torn.stat().st_size - tear)
    begun = []
    battle = fight(PLAN, folder=out, records=tmp_path / "games.txt", advance=begun.append)
    assert (battle.rows == rows).all()
    assert (tmp_path / "games.txt").read_bytes() == records
    assert (out / "games.npy").read_bytes() == path.read_bytes()
    done = begun[0]
    assert done == 16 if not tear else 0 < done < 16


def test_faults_of_games_that_are_played_again_are_not_told_twice(tmp_path):
    plan = Plan(agents=("process:no-such-program", "l1", "l1", "l1"), rules="m0", games=6, rounds=1)
    expected = fight(plan).faults
    assert len(expected) == 6
    out = tmp_path / "out"
    with open_store(out, plan) as store:
        for part in play_parts(plan):
            store.append(part)
    os.truncate(out / JOURNAL, (out / JOURNAL).stat().st_size - 5)
    begun = []
    battle = fight(plan, folder=out, advance=begun.append)
    assert begun[0] == 4
    assert battle.faults == expected
    assert (out / "faults.txt").read_text().count("cannot start no-such-program") == 6
    assert fight(plan, folder=out).faults == expected


def test_more_games_go_on_from_a_finished_battle(tmp_path, whole):
    rows, _, path = whole
    out = tmp_path / "out"
    fewer = Plan(agents=AGENTS, rules="m0", seed=6, games=4, rounds=2)
    fight(fewer, folder=out)
    begun = []
    battle = fight(PLAN, folder=out, advance=begun.append)
    assert begun[0] == 8
    assert (battle.rows == rows).all()
    assert (out / "games.npy").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("wants_records", [False, True])
def test_fewer_games_lose_none(tmp_path, whole, wants_records):
    rows, records, path = whole
    out, written = tmp_path / "out", tmp_path / "games.txt"
    fight(PLAN, folder=out)
    fewer = Plan(agents=AGENTS, rules="m0", seed=6, games=4, rounds=2)
    battle = fight(fewer, folder=out, records=written if wants_records else None)
    assert battle.plan == PLAN
    assert (battle.rows == rows).all()
    assert (out / "games.npy").read_bytes() == path.read_bytes()
    assert not wants_records or written.read_bytes() == records


def test_fewer_games_lose_none_of_a_battle_that_was_stopped(tmp_path, whole):
    rows, _, _ = whole
    out = tmp_path / "out"
    with open_store(out, PLAN) as store:
        for part in parts()[:2]:
            store.append(part)
    battle = fight(Plan(agents=AGENTS, rules="m0", seed=6, games=2, rounds=2), folder=out)
    assert battle.plan.games == 8
    assert (np.load(out / "games.npy") == rows[:16]).all()


def test_fewer_games_lose_none_where_records_were_being_made(tmp_path, whole):
    """Killed as it played finished games again for their records: the rows still stand."""
    rows, _, path = whole
    out = tmp_path / "out"
    fight(PLAN, folder=out)
    with open_store(out, PLAN, records=True) as store:
        store.append(parts()[0])
    battle = fight(Plan(agents=AGENTS, rules="m0", seed=6, games=2, rounds=2), folder=out)
    assert (battle.rows == rows).all()
    assert (out / "games.npy").read_bytes() == path.read_bytes()


def test_a_name_of_two_lines_does_not_break_its_own_battle(tmp_path):
    plan = Plan(
        agents=("process:'no-such\nprogram'", "l1", "l1", "l1"), rules="m0", games=2, rounds=1
    )
    first = fight(plan, folder=tmp_path)
    assert len(first.faults) == 2
    assert "no-such\\x0aprogram" in first.faults[0]
    assert fight(plan, folder=tmp_path).faults == first.faults


def other_rows(change):
    rows = np.zeros(4, ROW)
    rows["game"], rows["round"] = [0, 0, 1, 1], [0, 1, 0, 1]
    return change(rows)


def with_field(name, value):
    def change(rows):
        rows[name] = value
        return rows

    return change


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: np.arange(len(rows)),
        lambda rows: rows[:3],
        lambda rows: rows[::-1].copy(),
        lambda rows: rows.reshape(2, 2),
        with_field("game", 7),
        with_field("ending", 200),
        with_field("fault", 200),
        with_field("payer", 4),
    ],
)
def test_rows_of_something_else_are_refused(tmp_path, change):
    with open_store(tmp_path, PLAN):
        pass
    np.save(tmp_path / "games.npy", other_rows(change))
    before = (tmp_path / "games.npy").read_bytes()
    with pytest.raises(FileError, match=r"games\.npy: not the rows of this battle"):
        fight(PLAN, folder=tmp_path)
    assert (tmp_path / "games.npy").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("plan.json", b"[]", "not the plan of a battle, expected an object"),
        ("plan.json", b"[" * 100_000, "not JSON"),
        ("plan.json", b"", "not JSON"),
        ("plan.json", b"\xff\xfe{", "not UTF-8 text at byte 0"),
        ("games.npy", b"", "not a .npy array"),
        ("games.npy", b"PK\3\4", "not a .npy array"),
        ("faults.txt", b"\xff", "not the faults of this battle"),
        ("faults.txt", b"one\ttwo", "not the faults of this battle"),
    ],
)
def test_damaged_files_are_named(tmp_path, name, content, expected):
    fight(PLAN, folder=tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=expected) as found:
        fight(PLAN, folder=tmp_path)
    assert str(tmp_path / name) in str(found.value)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("name", ["games.npy", "faults.txt", "SHA256SUMS"])
def test_one_bit_is_enough(tmp_path, name):
    """Rows that could be, and are not those that were written, are not gone on with."""
    fight(PLAN, folder=tmp_path)
    path = tmp_path / name
    content = bytearray(path.read_bytes() if path.exists() else b"0\tlost its temper\n")
    score = len(content) - ROW.itemsize + ROW.fields["scores"][1]
    content[score if name == "games.npy" else 0] ^= name != "faults.txt"
    path.write_bytes(content)
    with pytest.raises(FileError, match="not the bytes that were written") as found:
        fight(PLAN, folder=tmp_path)
    assert "remove games.npy to begin anew" in str(found.value)
    assert path.read_bytes() == content
    (tmp_path / "games.npy").unlink()
    fight(PLAN, folder=tmp_path)
    assert (tmp_path / "SHA256SUMS").read_text().split()[1::2] == ["games.npy"]


def test_rows_cut_short_are_refused(tmp_path):
    fight(PLAN, folder=tmp_path)
    path = tmp_path / "games.npy"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FileError, match=r"games\.npy: not a \.npy array"):
        fight(PLAN, folder=tmp_path)


def test_records_are_made_for_games_that_had_none(tmp_path, whole):
    rows, records, _ = whole
    out = tmp_path / "out"
    fight(PLAN, folder=out)
    battle = fight(PLAN, folder=out, records=tmp_path / "games.txt")
    assert (battle.rows == rows).all()
    assert (tmp_path / "games.txt").read_bytes() == records


@pytest.mark.parametrize(
    "change",
    [{"seed": 7}, {"rounds": 1}, {"agents": ("l1",) * 4}, {"rules": "jj"}, {"dealer": "first"}],
)
def test_another_battle_is_refused_its_folder(tmp_path, change):
    out = tmp_path / "out"
    with open_store(out, PLAN):
        pass
    settings = {"agents": AGENTS, "rules": "m0", "seed": 6, "games": 10, "rounds": 2} | change
    with (
        pytest.raises(FileError, match=f"holds another battle \\({next(iter(change))} differ"),
        open_store(out, Plan(**settings)),
    ):
        pass


def test_folders_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="is a file"), open_store(tmp_path / "file", PLAN):
        pass
    with pytest.raises(FileError, match="does not exist"), open_store(tmp_path / "a" / "b", PLAN):
        pass
    (tmp_path / "plan.json").write_text("{")
    with pytest.raises(FileError, match="not JSON"), open_store(tmp_path, PLAN):
        pass


def test_two_writers_of_one_folder(tmp_path):
    with (
        open_store(tmp_path, PLAN),
        pytest.raises(FileError, match="is writing"),
        open_store(tmp_path, PLAN),
    ):
        pass


def test_a_killed_battle_goes_on_to_the_same_bytes(tmp_path):
    """SIGKILL in the middle, processes and all; then with another number of them."""
    plan = Plan(agents=("deficiency", "l1", "first", "l1"), rules="m0", seed=1, games=60, rounds=2)
    expected = fight(plan, folder=tmp_path / "whole", records=tmp_path / "whole.txt")
    out, records = tmp_path / "out", tmp_path / "out.txt"
    words = ["battle", *plan.agents, "--rules", "m0", "--seed", "1", "-n", "60", "--rounds", "2"]
    words += ["-o", str(out), "--records", str(records), "-j", "2", "--quiet"]
    process = subprocess.Popen(
        [sys.executable, "-m", "mjopt", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    part = out / JOURNAL
    deadline = time.monotonic() + 120
    while not (part.exists() and part.stat().st_size > 100) and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert part.exists()
    assert not records.exists()
    begun = []
    battle = fight(plan, folder=out, records=records, jobs=1, advance=begun.append)
    assert begun[0] > 0
    assert (battle.rows == expected.rows).all()
    assert records.read_bytes() == (tmp_path / "whole.txt").read_bytes()
    assert (out / "games.npy").read_bytes() == (tmp_path / "whole" / "games.npy").read_bytes()


def test_rows_keep_multipliers_where_the_rules_have_them(tmp_path):
    """Six points a win, eight for all pongs and so on, twice that if declared; seats lose them."""
    plan = Plan(agents=("l3", "first", "l2", "l1"), rules="jj", seed=3, games=6)
    battle = fight(plan, folder=tmp_path / "jj", records=tmp_path / "games.txt")
    assert battle.rows.dtype == ROW_WITH_MULTIPLIERS
    assert (np.load(tmp_path / "jj" / "games.npy") == battle.rows).all()
    lines = (tmp_path / "games.txt").read_text().splitlines()
    for row, line in zip(battle.rows, lines, strict=True):
        outcome = replay(read_record(line)).outcome
        kept = [int(row["multipliers"][seat]) for seat in outcome.winners]
        assert kept == list(outcome.multipliers)
        assert (row["multipliers"] > 0).sum() == len(outcome.winners)
    won = sum(sum(wins.values()) for wins in multipliers_by_name(battle).values())
    assert won == (battle.rows["multipliers"] > 0).sum() > 0
    table = {one.name: one for one in battle_report(battle).tables}["multipliers"]
    published = {row[0]: row[2] for row in table.rows}
    assert [published[value] for value in (6, 12, 24, 48)] == [0.883, 0.089, 0.019, 0.007]
    shares = [sum(row[3 + place] or 0 for row in table.rows) for place in range(4)]
    assert all(share in (0, pytest.approx(1)) for share in shares)
    more = fight(replace(plan, games=8), folder=tmp_path / "jj")
    assert (more.rows[: len(battle.rows)] == battle.rows).all()


def test_rows_of_before_there_were_multipliers_are_made_again(tmp_path):
    plan = Plan(agents=("l1",) * 4, rules="jj", games=4)
    with Journal(tmp_path / JOURNAL, plan.settings()) as kept:
        kept.append(HEAD.pack(4, 0) + np.zeros(4, ROW).tobytes())
    with open_store(tmp_path, plan) as store:
        assert store.done == 0
