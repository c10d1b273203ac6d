"""Studies, datasets, instance sets, battles and leagues with damaged files: named, or not used."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from adversarial.attack import Attack, Judge, damaged, left_lying, run_here, unruly
from adversarial.materials import MADE, bring
from helpers.dataset_folders import everything

Spoil = Callable[[Path, Path, random.Random], str]
"""Spoils one file of a folder, perhaps with the help of another; says how."""


def torn(path: Path, other: Path, rng: random.Random) -> str:
    how, content = damaged(path.read_bytes(), rng)
    path.write_bytes(content)
    return how


def swapped(path: Path, other: Path, rng: random.Random) -> str:
    content = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(content)
    return f"swapped with {other.name}"


def gone(path: Path, other: Path, rng: random.Random) -> str:
    path.unlink()
    return "gone"


def a_folder(path: Path, other: Path, rng: random.Random) -> str:
    path.unlink()
    path.mkdir()
    return "a folder"


def linked(path: Path, other: Path, rng: random.Random) -> str:
    path.unlink()
    path.symlink_to("nowhere")
    return "a link to nothing"


def foreign(path: Path, other: Path, rng: random.Random) -> str:
    name = rng.choice(["notes.txt", f"{path.stem}-2{path.suffix}", ".hidden", "lost+found/a"])
    (path.parent / name).parent.mkdir(exist_ok=True)
    (path.parent / name).write_bytes(rng.choice([b"", path.read_bytes()]))
    return f"beside it {name}"


def settings(path: Path, other: Path, rng: random.Random) -> str:
    """Change one number or word in a settings file."""
    if path.suffix != ".json":
        return torn(path, other, rng)
    from adversarial.certificates import change_json

    path.write_text(json.dumps(change_json(json.loads(path.read_text()), rng)))
    return "one field changed"


SPOILS: dict[str, Spoil] = {
    "damaged": torn, "swapped": swapped, "gone": gone, "a folder": a_folder, "linked": linked,
    "foreign": foreign, "settings": settings,
}  # fmt: skip
INSTANCE_FILES = (
    "index.parquet", "index.csv", "SHA256SUMS", "set.json", "programs", "solutions", "certificates",
)  # fmt: skip
# The commands run on a damaged folder, and the files that determine the outcome.
USES = {
    "dataset check": (
        "dataset",
        "dataset check dataset --sample 9 --json",
        ("data", "manifest.json"),
    ),
    "dataset describe": ("dataset", "dataset describe dataset --json", ("data", "manifest.json")),
    "dataset build": ("dataset", MADE["dataset"], ("data", "manifest.json")),
    "battle": ("battle", MADE["battle"], ("games.npz", "battle.json")),
    "league": ("league", MADE["league"], ("games.npz", "battle.json")),
    "instances build": ("instances", MADE["instances"], INSTANCE_FILES),
    "instances solve": (
        "instances",
        "instances solve instances -o runs --solver cbc --model completion -j 1 --json",
        INSTANCE_FILES,
    ),
    "study": (
        "study",
        "compare -o study --json",
        ("study.json", "units.csv", "rows.parquet", "curves.parquet", "hands"),
    ),
}


def judge(use: str, spoil: str) -> Judge:
    material, line, inputs = USES[use]

    def case(rng: random.Random, folder: Path) -> str | None:
        store = bring(material, folder)
        files = [path for path in sorted(store.rglob("*")) if path.is_file()]
        read = [path for path in files if {*inputs} & {*path.relative_to(store).parts}]
        path = rng.choice(read if rng.random() < 0.8 else files)
        other = rng.choice(read)
        good = everything(store)
        expected = said(use, folder)
        shutil.rmtree(store)
        bring(material, folder)
        json_before = json.loads(path.read_text()) if path.suffix == ".json" else None
        how = SPOILS[spoil](path, other, rng)
        if spoil != "settings":
            json_before = None
        told = f"{path.relative_to(folder)} {how}: "
        try:
            ran = run_here(line.split())
        except Exception as error:
            return f"{told}a traceback: {type(error).__name__}: {error}"
        if fault := unruly(ran):
            return told + fault
        if ran.status:
            said_where = ran.err + ran.out
            named = any(p.name in said_where or p.stem in said_where for p in (path, other))
            named = named or material in said_where
            return None if named else f"{told}not named: {said_where[-200:]}"
        if (fault := left_lying(store, also=(".hidden",))) is not None:
            return told + fault
        if use in ("battle", "league", "dataset build", "instances build"):  # repaired, or not used
            now = everything(store)
            judging = [name for name in good if {*inputs} & {*Path(name).parts}]
            other_now = [name for name in judging if now.get(name) != good[name]]
            if json_before is not None and json.loads(path.read_text()) == json_before:
                same = str(path.relative_to(store))  # 1.0 and 1 are equal
                other_now = [name for name in other_now if name != same]
            told_so = "complete" if "complete" in ran.out + ran.err else "accepted"
            return f"{told}{told_so}, and {other_now} differ" if other_now else None
        if expected is not None and ran.out != expected and spoil != "foreign":
            return f"{told}used, and the result is another"
        return None

    return case


_said: dict[str, str] = {}


def said(use: str, folder: Path) -> str | None:
    """Return the output of a command for a valid folder; None if it may differ."""
    if use not in ("study", "dataset describe"):
        return None
    if use not in _said:
        ran = run_here(USES[use][1].split())
        assert ran.status == 0, ran.err
        _said[use] = ran.out
    return _said[use]


KINDS = {f"{use}, {spoil}": judge(use, spoil) for use in USES for spoil in SPOILS}
ATTACK = Attack("stores", "damaged studies, datasets, instance sets, battles and leagues", KINDS)
