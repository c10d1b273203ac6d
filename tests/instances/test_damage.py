"""Damaged or incomplete instance sets and runs are refused, never used silently."""

import gzip
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from helpers.checksums import reseal

from mjopt.cli.main import execute
from mjopt.errors import ArgumentError, FileError, MjoptError
from mjopt.instances import build_instances, read_index, solve_instances
from mjopt.instances import solve as solve_module
from mjopt.instances.external import read_command


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(folder, tmp_path / "set")


def solve_all(folder: Path, output: Path) -> None:
    command = read_command("echo=echo o 0 {opb}")
    solve_instances(folder, output, solvers=(), commands=[command], jobs=1)


def edit_index(folder: Path, change: Callable[[pd.DataFrame], pd.DataFrame | None]) -> None:
    frame = pd.read_parquet(folder / "index.parquet")
    changed = change(frame)
    (frame if changed is None else changed).to_parquet(folder / "index.parquet", index=False)


def put(column: str, value: object, row: int = 0) -> Callable[[pd.DataFrame], None]:
    def change(frame: pd.DataFrame) -> None:
        is_number = pd.api.types.is_numeric_dtype(frame[column])
        frame[column] = frame[column].astype(object)
        frame.loc[:, column] = value if is_number else frame[column].mask(frame.index == row, value)

    return change


def raised(column: str, model: str) -> Callable[[pd.DataFrame], None]:
    def change(frame: pd.DataFrame) -> None:
        frame.loc[frame["model"].eq(model).idxmax(), column] += 1

    return change


def both_raised(frame: pd.DataFrame) -> None:
    for column in ("optimum", "deficiency"):
        frame.loc[frame["certificate"].eq(frame["certificate"][0]), column] += 1
    frame.loc[frame["model"].eq("predecomposition").idxmax(), "optimum"] -= 1


EDITS: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame | None], str]] = {
    "half of the rows": (lambda f: f[: len(f) // 2], "is missing, expected the files in SHA256S"),
    "no rows": (lambda f: f[:0], "index.parquet: no rows"),
    "a row twice": (lambda f: pd.concat([f, f[:1]]), "a program occurs twice"),
    "a column less": (lambda f: f.drop(columns="opb"), "damaged"),
    "optimum": (raised("optimum", "network"), r"row 2: optimum 1, expected 0, the deficiency"),
    "optimum and deficiency": (both_raised, "expected 0, as the certificate proves"),
    "optimum of Eq. 8": (raised("optimum", "predecomposition"), "expected the optimum in the ind"),
    "size": (raised("rows", "completion"), r"102 variables and 30 rows in the index, expected"),
    "another hand": (
        put("hand", "11122333888999m", 4),
        "is not what this version of mjopt writes for the hand",
    ),
    "another group": (put("group", "honours"), r"row 0: name 'one-type-001.completion', expected"),
    "another model": (put("model", "blockwise"), r"row 0: name '.*completion', expected GROUP-NUM"),
    "a file outside": (put("mps", "../../etc/passwd"), "mps '../../etc/passwd', expected programs"),
    "an absolute file": (put("opb", "/etc/passwd", 2), "row 2: opb '/etc/passwd', expected progr"),
    "another's file": (put("certificate", "certificates/called-001.json"), "row 0: certificate"),
    "no OPB": (put("opb", "", 2), "network.opb.gz is missing"),
    "a digest": (put("opb_sha256", "0", 2), "network.opb.gz: differs from its digest in the index"),
    "unknown tiles": (put("hand", "99x"), "row 0: 'x' at character 3: not a suit of M0"),
    "too few tiles": (put("hand", "999m"), "row 0: 3 tiles, expected 14 or 13"),
    "no hand": (put("hand", None), "row 0: hand: None, expected a str"),
    "an unknown tile set": (put("tiles", "m7"), "row 0: tile set 'm7': unknown"),
    "an unknown model": (put("model", "a.py:B"), "row 0: model 'a.py:B': unknown"),
    "text for a number": (put("called", "one"), "row 0: called: 'one', expected a whole number"),
    "a fraction": (lambda f: f.assign(called=f["called"] + 0.5), "row 0: called: 0.5, expected"),
    "too few unseen": (put("unseen", "12"), "row 0: unseen: 2 numbers, expected 27"),
    "no copies": (put("unseen", "9" * 27), "row 0: unseen"),
    "no digits": (put("unseen", "\x1b[31m"), r"row 0: unseen '\\x1b\[31m', expected a digit for"),
    "a long text": (put("name", "x" * 5000), r"row 0: name 'x+\.\.\.x+', expected GROUP-NUMBER.MO"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_changed_index_is_refused(copy: Path, tmp_path: Path, edit: str) -> None:
    change, message = EDITS[edit]
    edit_index(copy, change)
    with pytest.raises(FileError, match=r"index.parquet: not as it was written \(SHA-256"):
        read_index(copy)
    reseal(copy)
    with pytest.raises(FileError, match=message) as caught:
        solve_all(copy, tmp_path / "runs")
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 500


def swapped(folder: Path, field: str) -> None:
    """Give the first file the content of the next one."""
    names = [name for each in read_index(folder) if (name := getattr(each, field))]
    other = next(name for name in names if name != names[0])
    shutil.copy(folder / other, folder / names[0])


def bomb(folder: Path) -> None:
    path = folder / read_index(folder)[0].mps
    path.write_bytes(gzip.compress(bytes(65 << 20), 1))


def fifo(folder: Path) -> None:
    path = folder / read_index(folder)[0].mps
    path.unlink()
    os.mkfifo(path)


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "another MPS": (lambda f: swapped(f, "mps"), "completion.mps.gz: differs from its digest"),
    "another OPB": (lambda f: swapped(f, "opb"), "network.opb.gz: differs from its digest"),
    "another solution": (lambda f: swapped(f, "solution"), "completion.sol: variable .* unknown"),
    "another certificate": (lambda f: swapped(f, "certificate"), "001.json: not the certificate"),
    "a solution of another value": (
        lambda f: (f / read_index(f)[0].solution).write_text("=obj= 7\n"),
        "completion.sol: row .* outside",
    ),
    "no solution": (
        lambda f: (f / read_index(f)[0].solution).write_text("x y z\n1\n"),
        "completion.sol: not a solution",
    ),
    "a forged certificate": (
        lambda f: (f / read_index(f)[0].certificate).write_text("{}"),
        "001.json: refused: certificate",
    ),
    "no gzip": (lambda f: (f / read_index(f)[0].mps).write_bytes(b"no"), "mps.gz: damaged"),
    "a gzip bomb": (bomb, "mps.gz: more than 67,108,864 bytes unpacked"),
    "a FIFO": (fifo, "mps.gz: not a regular file"),
    "a missing file": (lambda f: (f / read_index(f)[0].mps).unlink(), "mps.gz: No such file"),
}


@pytest.mark.parametrize("damage", FILES)
def test_changed_files_are_refused(copy: Path, tmp_path: Path, damage: str) -> None:
    change, message = FILES[damage]
    checksums = (copy / "SHA256SUMS").read_text()
    change(copy)
    with pytest.raises(FileError, match=r"not as it was written|No such file|not a regular file"):
        solve_all(copy, tmp_path / "runs")
    if damage in ("a FIFO", "a missing file"):
        return
    reseal(copy)
    assert (copy / "SHA256SUMS").read_text() != checksums
    with pytest.raises(FileError, match=message):
        solve_all(copy, tmp_path / "runs")


@pytest.mark.parametrize("format", ["mps", "opb"])
def test_file_of_another_program_is_refused_whatever_the_digests(
    copy: Path, tmp_path: Path, format: str
) -> None:
    swapped(copy, format)
    index = read_index(copy)
    names = [each for each in index if getattr(each, format)]
    digest = f"{format}_sha256"
    row, first = index.index(names[0]), getattr(names[0], format)
    other = next(each for each in names if getattr(each, format) != first)
    edit_index(copy, put(digest, getattr(other, digest), row))
    reseal(copy)
    with pytest.raises(FileError, match=f"{format.upper()} is not what this version of mjopt wri"):
        solve_all(copy, tmp_path / "runs")


@pytest.mark.parametrize("text", ["", "no\n", "{digest}  ../outside\n", "{digest}  /etc/passwd\n"])
def test_damaged_checksums_are_refused(copy: Path, text: str) -> None:
    (copy / "SHA256SUMS").write_text(text.format(digest="0" * 64))
    with pytest.raises(FileError, match=r"SHA256SUMS line 1, expected|not as it was written"):
        read_index(copy)
    (copy / "SHA256SUMS").unlink()
    with pytest.raises(FileError, match="SHA256SUMS: No such file"):
        read_index(copy)


def test_build_refuses_changed_files_and_writes_missing_ones(copy: Path) -> None:
    name = read_index(copy)[0].opb or read_index(copy)[2].opb
    content = (copy / name).read_bytes()
    (copy / name).write_bytes(gzip.compress(b"* none\n"))
    with pytest.raises(FileError, match=r"network.opb.gz: was modified .* remove it and run the"):
        build_instances(copy, hands=7, seed=2, jobs=1)
    (copy / name).unlink()
    build_instances(copy, hands=7, seed=2, jobs=1)
    assert (copy / name).read_bytes() == content


def test_entry_made_by_hand_is_checked(folder: Path) -> None:
    from dataclasses import replace

    instance = read_index(folder)[0]
    assert replace(instance, called=0.0) == instance
    with pytest.raises(ArgumentError, match=r"mps 'a', expected programs/one-type-001"):
        replace(instance, mps="a")
    with pytest.raises(TypeError, match="variables: None, expected a whole number"):
        replace(instance, variables=None)


# Runs ---------------------------------------------------------------------------------------


@pytest.fixture
def unfinished(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of runs that were interrupted when all units were finished."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(solve_module, "_write_runs", stop)
        with pytest.raises(KeyboardInterrupt):
            solve_all(folder, tmp_path / "runs")
    return tmp_path / "runs"


def test_damaged_units_are_refused(folder: Path, unfinished: Path) -> None:
    first, second = sorted((unfinished / "units").iterdir())
    content = first.read_bytes()
    for damage in (b"[]", second.read_bytes(), content[:-9], b""):
        first.write_bytes(damage)
        with pytest.raises(FileError, match=r"00000\.unit: not as it was written"):
            solve_all(folder, unfinished)
        assert not (unfinished / "runs.csv").exists()
    first.unlink()
    solve_all(folder, unfinished)
    assert len(pd.read_csv(unfinished / "runs.csv")) == len(read_index(folder))


def test_changed_runs_are_refused(folder: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    solve_all(folder, runs)
    content = (runs / "runs.csv").read_text()
    lines = content.splitlines(keepends=True)
    solver = lines[1].split(",")[2]
    damages = {
        "".join(lines[: len(lines) // 2]): "not a run of each solver on each program",
        "": "not the runs of solvers",
        lines[0]: "not a run of each solver",
        content.replace(f",{solver},", ",other,"): "not a run of each solver",
        content.replace("verdict", "result"): "not the runs of solvers .'verdict'",
        content.replace("unsettled", "right"): "not the runs of solvers .'right' is not a valid",
        content.replace("0.0,", "zero,"): "not the runs of solvers .could not convert",
        content + "a,b,c,d,e,f,g,h,i\n": "not the runs of solvers",
    }
    for damaged, message in damages.items():
        (runs / "runs.csv").write_text(damaged)
        with pytest.raises(FileError, match=r"runs.csv: was modified"):
            solve_all(folder, runs)
        reseal(runs)
        with pytest.raises(FileError, match=message):
            solve_all(folder, runs)
        (runs / "runs.csv").write_text(content)
        reseal(runs)
    solve_all(folder, runs)
    (runs / "runs.csv").unlink()
    solve_all(folder, runs)
    assert len((runs / "runs.csv").read_text().splitlines()) == len(lines)


@pytest.mark.parametrize("name", ["1", "1e5", "NA", "nan", "True", "0x1"])
def test_names_of_commands_stay_text(folder: Path, tmp_path: Path, name: str) -> None:
    command = read_command(f"{name}=echo o 0 {{mps}}")
    runs = [
        solve_instances(folder, tmp_path, solvers=(), commands=[command], models=["completion"])
        for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert {run.solver for run in runs[0]} == {name}


# The command line -----------------------------------------------------------------------------


@pytest.mark.usefixtures("in_tmp_path")
def test_wrong_answers_end_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    optima = {each.optimum for each in read_index(folder) if each.model == "completion"}
    assert len(optima) > 1
    wrong = [
        "instances",
        "solve",
        str(folder),
        "--model",
        "completion",
        "--solver",
        "x=echo o 99 s OPTIMUM FOUND {mps}",
    ]
    assert execute([*wrong, "-o", "wrong"]) == 1
    assert execute([*wrong, "-o", "wrong", "--json"]) == 1
    failed = [*wrong[:-1], "x=echo {mps}"]
    assert execute([*failed, "-o", "failed"]) == 0
    capsys.readouterr()


def test_errors_are_short(folder: Path, tmp_path: Path) -> None:
    long = "x" * 5000
    calls = [
        lambda: read_command(long),
        lambda: read_command(f"{{mps}} '{long}"),
        lambda: read_command("{mps}", objective=f"({long}"),
        lambda: solve_instances(folder, tmp_path, models=[long]),
        lambda: solve_instances(folder, tmp_path, solvers=[long]),
        lambda: solve_instances(folder, tmp_path, models=[]),
    ]
    for call in calls:
        with pytest.raises(MjoptError) as caught:
            call()
        assert len(str(caught.value)) < 400, str(caught.value)
    command = read_command(f"x=/{long} {{mps}}")
    runs = solve_instances(folder, tmp_path, solvers=(), commands=[command], models=["completion"])
    assert all(len(run.problem) <= 300 for run in runs)
