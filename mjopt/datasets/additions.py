"""Add labels, rows or splits to a complete dataset.

The larger dataset is built in a hidden folder of the dataset, where the labels that exist are taken
over, and then replaces it. It has the same files as one that is built at once.
"""

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from mjopt._internal.files import atomic_write, make_folder, sha256_of
from mjopt._internal.unit_store import are_whole, check_same_run
from mjopt.datasets.card import CARD
from mjopt.datasets.labels.registry import engines
from mjopt.datasets.manifest import DATA, MANIFEST, PLAN, read_manifest, read_object
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.reader import OpenDataset
from mjopt.errors import FileError

NEXT: Final = ".next"
"""Folder of the larger dataset while it is built."""

_REPLACED: Final = "replaced"
"""Folder in it for the manifest of the dataset that is being replaced."""

_LENGTH = re.compile(r"([a-z-]+):(\d+)(:.*)?", re.DOTALL)
_GROWING: Final = ("deals", "distinct", "two-type", "three-type", "kongs")
"""Recipes whose longer forms begin with the hands of the shorter ones."""


def is_addition(old: DatasetPlan, new: DatasetPlan) -> bool:
    """Return whether a plan adds labels, rows, splits or the text to another, and changes no value.

    Examples
    --------
    >>> from mjopt.datasets import make_plan
    >>> plan = make_plan("deals:100", seed=1)
    >>> is_addition(plan, make_plan("deals:200", seed=1, labels=("deficiency", "win")))
    True
    >>> [is_addition(plan, make_plan("deals:200", seed=seed)) for seed in (1, 2)]
    [True, False]
    """
    return (
        new.to_document() != old.to_document() and _beside_additions(old, new) == old.to_document()
    )


def _beside_additions(old: DatasetPlan, new: DatasetPlan) -> dict[str, object]:
    """Return the document of a plan, with the old entries where it adds to the old ones."""
    added: list[str] = []
    if _is_longer(old, new):
        added += ("recipe", "recipe_identity", "rows")
    if dict(old.splits).keys() < dict(new.splits).keys():
        added.append("splits")
    if {*old.labels} < {*new.labels}:
        added += ("labels", "own_labels", *(["engine"] if _has_same_engines(old, new) else []))
    if new.text and not old.text:
        added.append("text")
    if added:
        added.append("shards")
        added += ["checked_per_shard"] * (new.checked > old.checked)
    before, after = old.to_document(), new.to_document()
    both = {key: before.get(key) if key in added else after.get(key) for key in {**before, **after}}
    return {key: value for key, value in both.items() if value is not None}


def _is_longer(old: DatasetPlan, new: DatasetPlan) -> bool:
    """Return whether a recipe has more hands and should begin with those of the other."""
    if new.num_rows <= old.num_rows:
        return False
    if old.recipe == new.recipe:
        return old.recipe.startswith("file:")  # the file has grown
    before, after = _LENGTH.fullmatch(old.recipe), _LENGTH.fullmatch(new.recipe)
    if before is None or after is None or before[1] not in _GROWING:
        return False
    return (before[1], before[3]) == (after[1], after[3])


def _has_same_engines(old: DatasetPlan, new: DatasetPlan) -> bool:
    """Return whether the labels of a dataset are those that the new plan would compute."""
    known = {label.name: label for label in new.label_list()}
    labels = [known[name] for name in old.labels if name in known]
    return engines(labels) == old.engine


def open_source(folder: Path, plan: DatasetPlan) -> OpenDataset | None:
    """Return the complete dataset in a folder if a plan adds to it, else None.

    A folder with another dataset, a missing or modified file, or another unfinished addition is a
    `FileError`.
    """
    if not (folder / MANIFEST).exists():
        return None
    manifest = read_manifest(folder)
    if manifest["plan"] == plan.to_document():
        return None
    data = OpenDataset.find(folder)
    check_same_run(
        folder, data.plan.to_document(), _beside_additions(data.plan, plan), what="dataset"
    )
    for record in manifest["shards"]:
        if not are_whole(folder, {file["name"]: file["sha256"] for file in record["files"]}):
            raise FileError(
                "files are missing",
                argument=str(folder),
                hint="the command that built it makes them again",
            )
    make_folder(folder / NEXT)
    unfinished = folder / NEXT / PLAN
    if unfinished.exists() and read_object(unfinished) != plan.to_document():
        raise FileError(
            "another addition is unfinished",
            argument=str(folder),
            hint=f"run its command again, or remove {folder / NEXT}",
        )
    return data


def finish_addition(folder: Path, plan: DatasetPlan) -> None:
    """Replace a dataset by the larger one that is complete in its folder.

    After an interruption the same call continues; until it ends, the folder counts as unfinished. A
    larger dataset of another plan is a `FileError`.
    """
    larger = folder / NEXT
    manifest = read_manifest(larger)
    check_same_run(folder, manifest["plan"], plan.to_document(), what="dataset")
    atomic_write(folder / PLAN, json.dumps(plan.to_document()))
    replaced = make_folder(larger / _REPLACED)
    if (folder / MANIFEST).exists():
        os.replace(folder / MANIFEST, replaced / MANIFEST)
    new = {file["name"] for record in manifest["shards"] for file in record["files"]}
    for record in read_manifest(replaced)["shards"]:
        for file in record["files"]:
            path = folder / file["name"]
            is_ours = path.is_file() and sha256_of(path) == file["sha256"]
            if is_ours and file["name"] not in new:
                path.unlink()
    make_folder(folder / DATA)
    for name in sorted({*new, CARD}):
        if (larger / name).exists():
            os.replace(larger / name, folder / name)
    os.replace(larger / MANIFEST, folder / MANIFEST)
    remove_leftovers(folder)


def is_complete_addition(folder: Path) -> bool:
    """Return whether a larger dataset is complete and has begun to replace the one in a folder."""
    return (folder / NEXT / MANIFEST).exists() and not (folder / MANIFEST).exists()


def remove_leftovers(folder: Path) -> None:
    """Remove what is left of the folder of a larger dataset that has replaced another."""
    larger = folder / NEXT
    if (larger / PLAN).exists() or (larger / MANIFEST).exists():
        return
    (larger / _REPLACED / MANIFEST).unlink(missing_ok=True)
    for empty in (larger / _REPLACED, larger / DATA, larger):
        with suppress(OSError):  # it holds something else
            empty.rmdir()
    (folder / PLAN).unlink(missing_ok=True)
