"""Study runs: rows do not depend on workers, interruptions, extensions or resumption."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers.own_method import write_method
from helpers.waits import OLD

from mjopt._internal.files import lock_folder
from mjopt._internal.progress import NoProgress
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.tiles import M0
from mjopt.heuristics import run_batch
from mjopt.heuristics.stopping import StopReason
from mjopt.studies import chunk, runner
from mjopt.studies.chunk import Chunk, ChunkResult, run_chunk
from mjopt.studies.config import StudyConfig
from mjopt.studies.instances import read_hand_set
from mjopt.studies.method import parse_methods
from mjopt.studies.runner import run_study
from mjopt.studies.study import Study
from mjopt.studies.study_files import read_certificate_seconds

GA = "ga:population=4,generations=1"
PSO = "pso:population=4,generations=1"


def configure(
    methods: tuple[str, ...] = ("ndde:generations=5", "ga:generations=4"),
    hands: tuple[str, ...] = ("one-type@90", "two-type:60"),
    **more: object,
) -> StudyConfig:
    return StudyConfig(
        methods=parse_methods(methods),
        sets=tuple(read_hand_set(text, seed=4, certificates=9) for text in hands),
        **{"runs": 2, "seed": 11, "sample": 20, "curves": 3, **more},  # type: ignore[arg-type]
    )


def raw_bytes(folder: Path) -> dict[str, bytes]:
    """Return every file of raw rows; the CPU times in ``*.csv`` vary."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return run_study(configure(), tmp_path_factory.mktemp("study") / "one")


@pytest.fixture
def without_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search each hand as rarely as possible: its time matters little to the test."""
    monkeypatch.setattr(runner, "PILOT_SECONDS", 0.0)
    monkeypatch.setattr(chunk, "BLOCK_SECONDS", 0.0)


def test_a_complete_study_has_few_files(finished: Study) -> None:
    assert sorted(p.name for p in finished.folder.rglob("*") if p.is_file()) == [
        "blocks.csv",
        "curves.parquet",
        "one-type-90.certificates.csv",
        "one-type-90.parquet",
        "rows.parquet",
        "study.json",
        "two-type-60.certificates.csv",
        "two-type-60.parquet",
        "units.csv",
    ]


def test_two_workers_write_the_same_bytes(
    finished: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "MIN_SECONDS", 0.0)
    monkeypatch.setattr(runner, "MAX_CHUNK", 40)
    other = run_study(configure(), tmp_path / "two", jobs=2)
    assert raw_bytes(other.folder) == raw_bytes(finished.folder)
    assert other.is_complete


def test_rows_equal_direct_runs_of_the_heuristic(finished: Study) -> None:
    config = finished.config
    method, hands = config.methods[0], config.sets[0]
    counts = read_hand_set("one-type@90", seed=4).counts
    truth = finished.hands(hands.name)["deficiency"].to_numpy()
    batch = run_batch(
        method.make(),
        counts[40:50],
        seed=config.seed,
        method=f"{hands.name}/{method.stream}",
        hand_numbers=np.arange(40, 50),
        run=1,
        targets=truth[40:50],
        tiles=M0,
    )
    rows = finished.rows(hands.name, method.label, run=1)
    for name in ("value", "evaluations", "hit_evaluations", "hit_generation", "stopped"):
        assert rows[name].to_numpy()[40:50].tolist() == getattr(batch, name).tolist()


def test_sample_is_the_same_search_stopped_early(finished: Study) -> None:
    for name in finished.sets:
        for label in finished.methods:
            whole = finished.rows(name, label, run=0).set_index("hand")
            some = finished.sample_rows(name, label).set_index("hand")
            assert len(some) == 20
            same = whole.loc[some.index]
            assert (some["hit_evaluations"] == same["hit_evaluations"]).all()
            hit = some["hit_evaluations"] >= 0
            assert (some["evaluations"][hit] == some["hit_evaluations"][hit]).all()
            assert (some["stopped"][hit] == StopReason.REACHED).sum() > 0
            assert (some["value"][~hit] == same["value"][~hit]).all()


def test_curves_end_at_the_value(finished: Study) -> None:
    for name in finished.sets:
        for label in finished.methods:
            best = finished.curves(name, label).groupby(["run", "hand"])["best"]
            assert (best.diff().dropna() <= 0).all()
            rows = finished.rows(name, label).set_index(["run", "hand"])
            assert (best.last() == rows.loc[best.last().index, "value"]).all()
            assert len(best) == 2 * 3


def test_smaller_budget_is_a_prefix_of_a_larger_one(tmp_path: Path) -> None:
    methods = ("ndde:generations=4", "ndde:generations=30")
    config = configure(methods, ("one-type@200",), runs=1, early_stop=True, sample=0, curves=0)
    study = run_study(config, tmp_path / "s")
    few, many = (study.rows("one-type-200", label) for label in study.methods)
    in_time = (many["hit_generation"] >= 0) & (many["hit_generation"] <= 5)
    assert 0 < in_time.sum() < 200
    assert ((few["hit_generation"] >= 0) == in_time).all()
    columns = ["value", "hit_evaluations", "hit_generation"]
    assert (few[columns][in_time] == many[columns][in_time]).all(axis=None)


def test_a_complete_study_is_not_written_again(finished: Study) -> None:
    files = [path for path in finished.folder.rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, OLD)
    run_study(configure(), finished.folder)
    assert {path.stat().st_mtime for path in files} == {OLD[1]}


def test_each_certificate_is_timed(finished: Study) -> None:
    for hands in finished.sets:
        frame = finished.hands(hands)
        seconds = read_certificate_seconds(finished.folder, finished.config.hand_set(hands))
        assert ((seconds > 0) == frame["certified"]).all()
        assert (seconds > 0).sum() == 9


def test_missing_times_of_certificates_are_named_and_measured_again(tmp_path: Path) -> None:
    before, _ = small_study(tmp_path / "s")
    before_bytes = raw_bytes(before.folder)
    [path] = before.folder.glob("hands/*.csv")
    assert len(before.results("time-to-proof")) == 1
    content = path.read_text()
    path.unlink()
    with pytest.raises(FileError, match=r"certificates\.csv: no such file; run the study again"):
        Study(before.folder).results("time-to-proof")
    again, _ = small_study(tmp_path / "s")
    assert len(again.results("time-to-proof")) == 1
    assert raw_bytes(again.folder) == before_bytes
    for damaged in ("hand,seconds\n0\n", content.replace("seconds", "minutes")):
        path.write_text(damaged)
        with pytest.raises(FileError, match=r"certificates\.csv: damaged; delete it"):
            Study(again.folder).results("time-to-proof")
    for place, digit in enumerate(content):
        if digit.isdecimal():
            path.write_text(content[:place] + str(9 - int(digit)) + content[place + 1 :])
            with pytest.raises(FileError, match=r"certificates\.csv: damaged; delete it"):
                read_certificate_seconds(again.folder, again.config.sets[0])
    for shorter in ("", "hand,seconds\n", content[: content.rindex("\n", 0, -1) + 1]):
        path.write_text(shorter)
        with pytest.raises(FileError, match=r"\d certificates, expected 6; delete it"):
            Study(again.folder).results("time-to-proof")


def test_another_study_is_refused_with_the_difference(finished: Study) -> None:
    config = configure()
    with pytest.raises(FileError, match="holds another study .*seed: 11 there, 12 here"):
        run_study(replace(config, seed=12), finished.folder)
    with pytest.raises(FileError, match="sample: 20 there, 21 here"):
        run_study(replace(config, sample=21), finished.folder)
    other = replace(config, sets=(replace(config.sets[0], certificates=8), config.sets[1]))
    with pytest.raises(FileError, match="certificates of one-type-90: 9 there, 8 here"):
        run_study(other, finished.folder)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(FileError, match=r"holds letters.txt and no study, expected an empty"):
        run_study(configure(), tmp_path)
    with pytest.raises(FileError, match="is a file, expected a folder"):
        run_study(configure(), tmp_path / "letters.txt")
    with pytest.raises(ArgumentError, match="jobs 0, expected at least 1"):
        run_study(configure(), tmp_path / "new", jobs=0)


def test_a_folder_of_an_older_layout_is_refused(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text('{"format": 1}')
    with pytest.raises(FileError, match=r"study\.json: format 1, expected 2"):
        run_study(configure(), tmp_path)


def test_a_damaged_unit_is_one_line(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    class Stop(NoProgress):
        def advance(self, *_: object) -> None:
            if list((tmp_path / "s" / "units").glob("*.unit")):
                raise StoppedError

    config = configure((GA,), ("deals:6",))
    with pytest.raises(StoppedError):
        run_study(config, tmp_path / "s", progress=Stop())
    [path, *_] = (tmp_path / "s" / "units").glob("*.unit")
    path.write_bytes(b"")
    with pytest.raises(FileError, match=f"^{path}: not as it was written"):
        run_study(config, tmp_path / "s")
    path.unlink()
    study = run_study(config, tmp_path / "s")
    assert raw_bytes(study.folder) == raw_bytes(run_study(config, tmp_path / "t").folder)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with lock_folder(tmp_path), pytest.raises(FileError, match="is writing here now"):
        run_study(configure(), tmp_path)


@pytest.mark.usefixtures("without_repeats")
def test_deleted_rows_are_computed_again(finished: Study, tmp_path: Path) -> None:
    study = Study(shutil.copytree(finished.folder, tmp_path / "s"))
    path = study.folder / "rows.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(FileError, match=r"rows\.parquet: damaged .*delete it and run"):
        study.rows("two-type-60", "ga-20-4")
    path.unlink()
    assert not study.is_complete
    run_study(configure(), study.folder)
    assert raw_bytes(study.folder) == raw_bytes(finished.folder)


# Extended and changed studies ---------------------------------------------------------


class Messages(NoProgress):
    """Keeps messages, except those about certificates."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: object, /) -> None:
        if "certified" not in str(text):
            self.lines.append(str(text))


def small_study(folder: Path, *methods: str, hands: str = "deals:6", **more: int):
    """Run a small study; return it, its messages, and the number of new runs."""
    settings = {"runs": 2, "seed": 1, "sample": 3, "curves": 2, **more}
    config = configure(methods or (GA,), tuple(hands.split()), **settings)
    before = set(Study(folder).missing()) if (folder / "study.json").exists() else set()
    assert before == set()
    messages = Messages()
    return run_study(config, folder, progress=messages), messages.lines


@pytest.mark.usefixtures("without_repeats")
def test_methods_runs_and_hands_can_be_added_and_omitted(tmp_path: Path) -> None:
    """The rows equal those of the full study, and existing rows are not recomputed."""
    changes: tuple[dict[str, object], ...] = (
        {},
        {"methods": (GA, PSO)},
        {"methods": (PSO, GA)},
        {"runs": 3},
        {"hands": "deals:6 one-type@5"},
        {"hands": "one-type@5"},
    )
    for change in changes:
        methods = change.pop("methods", (GA,))
        study, lines = small_study(tmp_path / "s", *methods, **change)
        assert lines == []
        assert study.is_complete
    everything = {"hands": "deals:6 one-type@5", "runs": 3}
    extended, _ = small_study(tmp_path / "s", GA, PSO, **everything)
    fresh, _ = small_study(tmp_path / "all", GA, PSO, **everything)
    assert raw_bytes(extended.folder) == raw_bytes(fresh.folder)
    fewer, _ = small_study(tmp_path / "s")
    [label] = fewer.methods
    assert fewer.curves("deals-6", label)["run"].max() == 1
    assert len(fewer.rows("deals-6", label)) == 12


class Work(NoProgress):
    """Adds up the work that is announced and done."""

    done = 0.0

    def advance(self, number: float = 1, /) -> None:
        self.done += number

    def set_total(self, total: float, /) -> None:
        self.total = total


def test_estimate_is_corrected_to_the_measured_seconds(tmp_path: Path) -> None:
    work = Work()
    config = configure((GA,), ("deals:6",), runs=2, seed=1, sample=3, curves=2)
    run_study(config, tmp_path / "s", progress=work)
    assert work.total == pytest.approx(work.done)


def test_estimate_leaves_out_the_cost_of_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pilot of few hands of a compiled method would measure the call."""

    def run_with_fixed_times(chunk: Chunk) -> ChunkResult:
        seconds = 0.001 + 0.0001 * len(chunk.numbers)
        return run_chunk(chunk)._replace(seconds=seconds, elapsed=seconds)

    class FirstEstimate(Work):
        def begin(self, total: float, /, unit: str = "", done: int = 0) -> None:
            super().begin(total, unit, done)
            self.first = total

    work = FirstEstimate()
    monkeypatch.setattr(runner, "run_chunk", run_with_fixed_times)
    config = configure(("tree-search",), ("deals:3000",), runs=1, sample=0, curves=0)
    run_study(config, tmp_path / "s", progress=work)
    assert work.first == pytest.approx(work.done, rel=0.1)


def test_pilot_of_a_slow_method_is_one_hand_of_each_deficiency(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []

    def run_slowly(chunk: Chunk) -> ChunkResult:
        sizes.append(len(chunk.numbers))
        seconds = float(len(chunk.numbers))
        return run_chunk(chunk)._replace(seconds=seconds, elapsed=seconds)

    class PilotSizes(Work):
        lines = ""

        def say(self, text: object, /) -> None:
            self.lines += f"{text}\n"

        def begin(self, *_: object, **__: object) -> None:
            self.pilots = tuple(sizes)

    work = PilotSizes()
    monkeypatch.setattr(runner, "run_chunk", run_slowly)
    config = configure(("tree-search",), ("deals:90",), runs=1, sample=0, curves=0)
    study = run_study(config, tmp_path / "s", progress=work)
    deficiencies = study.hands("deals-90")["deficiency"].nunique()
    assert work.pilots == (1,) * deficiencies
    assert len(work.lines.splitlines()) == 1  # the hand set: no duration before it is measured


@pytest.mark.usefixtures("without_repeats")
def test_rows_that_exist_are_not_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_study(tmp_path / "s")
    searched: list[str] = []
    monkeypatch.setattr(
        runner, "run_chunk", lambda chunk: searched.append(chunk.label) or run_chunk(chunk)
    )
    small_study(tmp_path / "s", GA, PSO)
    small_study(tmp_path / "s", PSO)
    small_study(tmp_path / "s", GA)
    assert set(searched) == {"pso-4-1"}


@pytest.mark.usefixtures("without_repeats")
def test_other_hands_with_the_name_of_a_stored_set_are_refused(tmp_path: Path) -> None:
    small_study(tmp_path / "s")
    small_study(tmp_path / "s", hands="one-type@5")  # deals-6 is stored but not configured
    config = configure((GA,), ("deals:6",), runs=2, seed=1, sample=3, curves=2)
    other = replace(config, sets=(read_hand_set("deals:6", seed=5, certificates=0),))
    with pytest.raises(FileError, match="holds another hand set deals-6"):
        run_study(other, tmp_path / "s")


@pytest.mark.usefixtures("in_tmp_path", "without_repeats")
def test_only_the_edited_method_is_recomputed(tmp_path: Path) -> None:
    write_method(tmp_path)
    study, lines = small_study(tmp_path / "s", GA, "sa.py:SA:tries=5")
    assert lines == []
    ga, own = (study.rows("deals-6", label) for label in study.methods)
    assert small_study(tmp_path / "s", GA, "./sa.py:SA:tries=5")[1] == []
    write_method(tmp_path, ("range(self.tries)", "range(self.tries + 1)"))
    edited, lines = small_study(tmp_path / "s", GA, "sa.py:SA:tries=5")
    assert lines == ["sa-2-tries-5: its code has changed: its rows are recomputed"]
    assert edited.is_complete
    assert edited.rows("deals-6", "ga-4-1").equals(ga)
    rows = edited.rows("deals-6", "sa-2-tries-5")
    assert (rows["evaluations"] == own["evaluations"] + 2).all()
    write_method(tmp_path)
    back, _ = small_study(tmp_path / "s", GA, "sa.py:SA:tries=5")
    assert back.rows("deals-6", "sa-2-tries-5").equals(own)


@pytest.mark.usefixtures("in_tmp_path")
def test_an_error_in_a_users_class_names_the_line(tmp_path: Path) -> None:
    write_method(tmp_path, ("problem, rng = state", "problem, rng = 1 / 0"))
    with pytest.raises(ArgumentError, match=r"method sa-2, run 0: .*ZeroDivisionError.*line 22"):
        small_study(tmp_path / "s", GA, "sa.py:SA")


@pytest.mark.usefixtures("in_tmp_path")
def test_workers_run_a_users_class_and_the_module_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_method(
        tmp_path,
        ("rng.uniform(*problem.bounds)", "pick(rng, problem)"),
        ("import ClassVar", "import ClassVar\n\nfrom beside import pick"),
    )
    beside = tmp_path / "beside.py"
    beside.write_text("def pick(rng, problem): return rng.uniform(*problem.bounds)")
    config = configure(("sa.py:SA",), ("deals:6",), sample=0, curves=0)
    one = run_study(config, tmp_path / "one")
    monkeypatch.setattr(runner, "MIN_SECONDS", 0.0)
    two = run_study(config, tmp_path / "two", jobs=2)
    assert raw_bytes(one.folder) == raw_bytes(two.folder)
    beside.write_text("def pick(rng, problem): return problem.bounds[0]")
    messages = Messages()
    config = configure(("sa.py:SA",), ("deals:6",), sample=0, curves=0)
    run_study(config, tmp_path / "two", progress=messages)
    assert [line.partition(":")[0] for line in messages.lines] == ["sa-2"]


@pytest.mark.usefixtures("without_repeats")
@pytest.mark.parametrize(
    ("method", "message"),
    [
        (PSO, "mine: ga is now pso: its rows are recomputed"),
        (GA.replace("generations=1", "generations=2"), "mine: generations was 1, is 2: its rows"),
    ],
)
def test_other_parameters_with_a_stored_label_are_recomputed(
    tmp_path: Path, method: str, message: str
) -> None:
    small_study(tmp_path / "s", "mine=" + GA)
    _, [line] = small_study(tmp_path / "s", "mine=" + method)
    assert line.startswith(message)


def test_blocks_hold_every_hand_of_every_run(finished: Study) -> None:
    for hands in finished.sets:
        truth = finished.hands(hands)["deficiency"].value_counts().to_dict()
        for method in finished.methods:
            blocks = finished.blocks(hands, method)
            assert (blocks["seconds"] > 0).all()
            main = blocks[~blocks["early_stop"]].groupby("deficiency")["hands"].sum().to_dict()
            assert main == {value: 2 * number for value, number in truth.items()}  # two runs
            sample = blocks[blocks["early_stop"]]
            assert sample["hands"].sum() == 20
            seconds = finished.times(hands, method)["seconds"].sum()
            assert blocks["seconds"].sum() == pytest.approx(seconds)


@pytest.mark.parametrize("name", ["blocks.csv", "units.csv"])
def test_a_study_without_its_times_is_not_complete_and_runs_again(
    name: str, tmp_path: Path
) -> None:
    small = configure((GA,), ("deals:30",), runs=1, sample=0, curves=0)
    run_study(small, tmp_path)
    rows = (tmp_path / "rows.parquet").read_bytes()
    (tmp_path / name).unlink()
    with pytest.raises(FileError, match=r"units\.csv: no time of ga.* on deals"):
        Study(tmp_path).results("by-deficiency")
    assert not Study(tmp_path).is_complete
    again = run_study(small, tmp_path)
    assert (tmp_path / "rows.parquet").read_bytes() == rows
    assert again.results("by-deficiency")["evaluations"].notna().all()


def test_damaged_blocks_are_refused(tmp_path: Path) -> None:
    config = configure((GA,), ("deals:10",), runs=1, sample=0, curves=0)
    study = run_study(config, tmp_path)
    for damage in ("key,deficiency,hands,seconds\na,1,0,1.0\n", "key,hands\na,1\n"):
        (tmp_path / "blocks.csv").write_text(damage)
        with pytest.raises(FileError, match=r"blocks\.csv.*damaged"):
            study.results("by-deficiency")
