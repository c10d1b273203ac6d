"""Valid inputs of every kind, created once per process and copied into each scratch folder."""

import atexit
import pickle
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from adversarial.attack import run_here
from helpers.made_study import make_study
from helpers.support import deal

from mjopt import M0
from mjopt.play import learning

HANDS = "123m456p1122789s\n1112345678999m1p\n11122233344455s\n222267m7777p3333s\n"
VALUES = "id,hand,deficiency\n1,1111m123p112233s,1\n2,1133557799m1133p,0\n3,11122233344455s,0\n"
TILES = ["?", "n", *(f"{rank}{suit}" for suit in "zspm" for rank in range(9, 0, -1))]
TYPED = "\n".join(TILES * 60).encode()  # a hand with a discard

TEXT_FILES = {
    "hands.txt": HANDS,
    "hands.csv": "id,hand\n" + "".join(f"a,{hand}\n" for hand in HANDS.split()),
    "values.csv": VALUES,
}
MADE = {
    "hand.json": "certify 1112345678999m1p -o hand.json",
    "hand.vipr": "certify 12m --called 4 -o hand.vipr",
    "hand.opb": "certify 12m --called 4 -o hand.opb",
    "many.jsonl": "certify --hands hands.txt -o many.jsonl -j 1",
    "proof.json": "tables certify -o proof.json",
    "t.ceiling": "ceiling build --called 4 --draws 3 --all-layers -o t.ceiling",
    "records.txt": "battle l1 l2 l1 random -n 3 -j 1 --records records.txt",
    "dataset": "dataset build deals:40 -o dataset --shards 2 -j 1 --splits a=1,b=1 "
    "--labels deficiency,win",
    "instances": "instances build --number 7 -o instances -j 1",
    "battle": "battle l1 l2 l1 random -n 2 -j 1 -o battle",
    "league": "league l1 l2 random -n 4 -j 1 -o league",
}
"""What commands make, with the command."""


@cache
def made(name: str) -> Path:
    """Return a valid file or folder, created on first use."""
    folder = Path(tempfile.mkdtemp(prefix="attack-materials-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / name
    rng = random.Random(7)
    if name in MADE:
        import os

        before = os.getcwd()
        os.chdir(folder)
        try:
            Path("hands.txt").write_text(HANDS)
            ran = run_here(MADE[name].split())
        finally:
            os.chdir(before)
        assert ran.status == 0, ran.err
    elif name == "study":
        make_study(
            path, methods=("ndde-20-50", "tree-search"), sets=("one-type",), hands=20, runs=2
        )
    elif name == "taught.npz":
        shutil.copy2(Path(learning.__file__).parent / "trained" / name, path)
    elif name == "hands.npy":
        np.save(path, np.array([deal(rng, M0).counts for _ in range(20)], np.uint8))
    elif name == "pickled.npy":
        np.save(path, np.array([Marker()], object), allow_pickle=True)
    elif name == "hands.parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"hand": HANDS.split()}), path)
    else:
        path.write_text(TEXT_FILES[name])
    return path


MARKER = "a pickle ran here"


class Marker:
    """A pickle that writes a file when it is loaded."""

    def __reduce__(self) -> tuple[object, ...]:
        return (open, (MARKER, "w"))


def pickled() -> bytes:
    return pickle.dumps(Marker())


def bring(name: str, folder: Path) -> Path:
    """Copy a valid file or folder, with a file that belongs to it, into a scratch folder."""
    source, path = made(name), folder / name
    if source.is_dir():
        shutil.copytree(source, path)
    else:
        shutil.copy2(source, path)
        if name == "hand.opb":
            shutil.copy2(source.with_suffix(".pbp"), path.with_suffix(".pbp"))
    return path
