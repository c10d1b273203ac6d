"""Files that commands write, read by every command that reads files of that ending."""

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.conftest import Call

LOG = Path(__file__).parents[1] / "data" / "logs" / "tenhou-mjlog" / "game-15.mjlog"
HANDS = "123m456p789s1122z\n147m258p369s1234z\n11122233344455m\n"
CALLED = "hand,called\n11123m,3\n11m,4\n123m456p789s1122z,0\n"
VALUES = "hand,deficiency\n123m456p789s1122z,1\n147m258p369s1234z,3\n123m,2\n"
USEFUL = "hand,useful,discard\n1112345678999m,12m,\n123m456p789s1122z1m,2z,1m\n"
QUADS = "hand,shanten\n1111m123p112233s1z,5\n11122233344455m,-1\n"

WRITERS = {
    "label csv": "label hands.txt -o out.csv",
    "label json": "label hands.txt -o out.jsonl",
    "label npy": "label hands.txt -o out.npy",
    "label called": "label called.csv -o out.jsonl",
    "label model": "label hands.txt --model blockwise -j 1 -o out.csv",
    "label copies": "label copies.csv -o out.jsonl",
    "audit": "audit values.csv -o out -j 1",
    "audit shanten": "audit quads.csv -o out -j 1",
    "audit useful": "audit useful.csv -o out -j 1",
    "audit engine": "audit-engine --command 'sed s/.*/1/' --ask win --forms standard "
    "--hands hands.txt -o out -j 1",
    "certify": "certify 123m456p789s1122z -o out.json",
    "certify vipr": "certify 123m456p789s1122z -o out.vipr",
    "certify lines": "certify --hands hands.txt -o out.jsonl -j 1",
    "certify folder": "certify --hands hands.txt -o out -j 1",
    "review csv": "review game.mjlog -o out.csv",
    "review json": "review game.mjlog -o out.jsonl",
    "review parquet": "review game.mjlog -o out.parquet",
    "review folder": "review game.mjlog -o out -j 1",
    "dataset": "dataset build deals:9 -o out -j 1 --labels deficiency,useful",
    "dataset called": "dataset build deals:9 --called 1 --tiles 136 -o out -j 1",
    "records": "battle l1 l2 l1 random -n 1 -j 1 --records out.txt",
    "battle": "battle random random random random -n 1 -j 1 -o out",
    "solitaire": "solitaire deficiency -n 10 --draws 3 -j 1 -o out",
    "compare": "compare tree-search --hands two-type:3 --runs 1 -j 1 -o out",
    "instances": "instances build --number 7 -j 1 -o out",
    "win chance": "win-chance 1123m --called 3 --draws 1 -o out.json",
}
"""Commands that write files, one of each form."""

READERS = {
    ".txt": ("label", "certify --hands", "review"),
    ".csv": ("label", "audit", "certify --hands"),
    ".jsonl": ("label", "audit", "certify --hands", "verify", "review"),
    ".parquet": ("label", "audit", "certify --hands"),
    ".npy": ("label", "certify --hands"),
    ".json": ("verify", "review"),
    ".vipr": ("verify",),
}
"""Commands that read files of each ending."""

OF_HANDS = ("label", "certify --hands")
READ = {
    "label csv": (*OF_HANDS, "audit"),
    "label json": (*OF_HANDS, "audit"),
    "label called": (*OF_HANDS, "audit"),
    "label model": (*OF_HANDS, "audit"),
    "label copies": (*OF_HANDS, "audit"),
    "audit": ("verify",),
    "audit shanten": (*OF_HANDS, "verify"),
    "audit useful": (*OF_HANDS, "verify"),
    "audit engine": (*OF_HANDS, "verify"),
    "certify": ("verify",),
    "certify lines": ("verify", "label"),
    "certify folder": ("verify",),
    "review csv": OF_HANDS,
    "review json": OF_HANDS,
    "review parquet": OF_HANDS,
    "review folder": OF_HANDS,
    "dataset": (*OF_HANDS, "audit"),
    "dataset called": (*OF_HANDS, "audit"),
    "records": ("review",),
    "instances": (),
    "win chance": ("verify",),
}
"""Commands that read at least one file of a writer."""


REFUSED = {"audit": 1, "review": 1, "verify": 3}
"""Exit status of those that read several things, if they refuse one."""

SLOW = ("battle", "solitaire", "compare", "win chance")


@pytest.fixture(autouse=True)
def _small_files(monkeypatch: pytest.MonkeyPatch, short_reports: None, tmp_path: Path) -> None:
    monkeypatch.setattr("mjopt.instances.build.MODELS", ("blockwise",))
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "hands.txt": HANDS,
        "called.csv": CALLED,
        "values.csv": VALUES,
        "quads.csv": QUADS,
        "useful.csv": USEFUL,
        "copies.csv": ",".join(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10))
        + "\n"
        + ",".join(["2"] * 7 + ["0"] * 20)
        + "\n",
    }.items():
        Path(name).write_text(text)
    shutil.copy(LOG, "game.mjlog")


def written_files() -> Iterator[Path]:
    """Yield the first file of each ending in each folder of the output."""
    seen = set()
    for path in [*Path().glob("out.*"), *sorted(Path("out").rglob("*"))]:
        kind = path.parent, path.name.partition("-")[0], path.suffix
        if path.is_file() and kind not in seen:
            seen.add(kind)
            yield path


@pytest.mark.parametrize(
    "writer",
    [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in WRITERS],
)
def test_written_file_is_read_or_refused_in_one_line(mjopt: Call, writer: str) -> None:
    ran = mjopt(*shlex.split(WRITERS[writer]))
    assert ran.status in (0, 1), ran.err
    read = set()
    for path in written_files():
        for reader in READERS.get(path.suffix, ()):
            ran = mjopt(*reader.split(), str(path))
            what = f"{reader} {path}: {ran.err}{ran.out}"
            if ran.status == 0:
                read.add(reader)
                continue
            assert ran.status == REFUSED.get(reader, 2) or ran.status == 2, what
            lines = ran.out if reader == "verify" else ran.err
            assert len(lines.strip().splitlines()) == 1, what
    assert read >= set(READ.get(writer, ())), writer
