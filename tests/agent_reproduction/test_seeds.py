"""Seeds side by side: what each makes, and what is told of it meanwhile."""

from dataclasses import replace

import pytest

pytest.importorskip("mjopt.learning.networks", exc_type=ImportError)

from mjopt.agent_reproduction.bench import Bench, Scale
from mjopt.agent_reproduction.seeds import Told, side_by_side
from mjopt.errors import LearningError
from mjopt.learning.config import PRESETS

SCALE = Scale((1,), (1,), decisions=6, seeds=2)


class Heard:
    def __init__(self):
        self.lines, self.total, self.done = [], 0.0, 0.0

    def begin(self, total, unit="", done=0):
        self.total, self.done = total, done

    def advance(self, number=1):
        self.done += number

    def say(self, text):
        self.lines.append(text)


def make(bench):
    bench.progress.say(f"{len(bench.held_out.decisions)} decisions")
    bench.progress.begin(5 + bench.seed)
    bench.progress.advance(5 + bench.seed)
    bench.progress.say("done")
    (bench.folder / f"made-{bench.seed}").write_text(f"{[*bench.seeds]}, {bench.jobs}")


def refuse(bench):
    raise LearningError(f"seed {bench.seed} cannot be trained")


def bench_in(folder):
    config = replace(PRESETS["tiny"], simulations=2)
    return Bench(config=config, scale=SCALE, folder=folder, seed=3, jobs=2, progress=Heard())


def test_each_seed_is_made_alone_and_all_that_it_tells_is_passed_on(tmp_path):
    bench = bench_in(tmp_path)
    side_by_side(bench, make)
    assert [(tmp_path / f"made-{seed}").read_text() for seed in (3, 4)] == ["[3], 1", "[4], 1"]
    number = len(bench.held_out.decisions)
    for seed in (3, 4):
        own = [line for line in bench.progress.lines if line.startswith(f"seed {seed}: ")]
        said = ["6 held-out decisions", f"{number} decisions", "done"]
        assert own == [f"seed {seed}: {one}" for one in said]
    assert (bench.progress.total, bench.progress.done) == (17, 17)
    assert not list(tmp_path.glob("seed-*"))


def test_what_a_seed_refuses_is_refused(tmp_path):
    with pytest.raises(LearningError, match="seed . cannot be trained"):
        side_by_side(bench_in(tmp_path), refuse)
    assert not list(tmp_path.glob("seed-*"))


def test_lines_are_read_once(tmp_path):
    told, heard = Told(tmp_path / "told.json"), Told(tmp_path / "told.json")
    assert heard.read() == []
    told.begin(4)
    told.say("one")
    assert (heard.read(), heard.read(), heard.total) == (["one"], [], 4)
    told.say("two")
    assert heard.read() == ["two"]
