"""Collections: several datasets, each in a subfolder, such as the paper's three sets."""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Unpack

from mjopt._internal.files import atomic_write
from mjopt._internal.progress import ignore
from mjopt.datasets.builder import build
from mjopt.datasets.card import CARD, collection_card
from mjopt.datasets.licence import licence_lines, licence_text, write_licence
from mjopt.datasets.manifest import MANIFEST, read_manifest, read_object
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.planner import PlanOptions, make_plan
from mjopt.datasets.recipes.registry import PAPER_SETS
from mjopt.datasets.shard import BuildReport
from mjopt.errors import FileError

PAPER = "paper"
"""Name of the collection of the paper's three sets."""

Plans = list[tuple[str, DatasetPlan]]


def paper_plans(**options: Unpack[PlanOptions]) -> Plans:
    """Plan the three data sets of Yan and Li (2023), each with the options of :func:`make_plan`.

    Examples
    --------
    >>> [(name, plan.num_rows) for name, plan in paper_plans(seed=1)]
    [('one-type', 118800), ('two-type', 100000), ('three-type', 100000)]
    """
    return [(text.partition(":")[0], make_plan(text, **options)) for text in PAPER_SETS]


def build_collection(
    plans: Plans,
    folder: Path,
    *,
    advance: Callable[[int], object] = ignore,
    executor: Executor | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    licence: str | None = None,
) -> list[BuildReport]:
    """Build datasets in subfolders of their names, then a card and a manifest that lists them.

    A folder that holds another dataset is a `FileError`. Other arguments and errors are those of
    :func:`build`.
    """
    manifest = folder / MANIFEST
    names = [name for name, _ in plans]
    if manifest.exists() and _listed(manifest) != names:
        raise FileError("holds another dataset", argument=str(folder), hint="choose another folder")
    reports = [
        build(
            plan,
            folder / name,
            executor=executor,
            jobs=jobs,
            scheduler=scheduler,
            licence=licence,
            advance=advance,
        )
        for name, plan in plans
    ]
    rows = {name: sum(read_manifest(folder / name)["rows"].values()) for name in names}
    write_licence(folder, None if licence is None else licence_text(licence))
    atomic_write(folder / CARD, collection_card(plans, rows, licence_lines(folder)))
    atomic_write(manifest, json.dumps({"datasets": names}, indent=1) + "\n")
    return reports


def datasets_in(folder: Path) -> Sequence[Path]:
    """Return the folder itself if it is a dataset, or those that a collection lists.

    A folder without any is a `FileError`.
    """
    path = folder / MANIFEST
    listed = _listed(path) if path.is_file() else None
    if listed is not None:
        return [folder / name for name in listed]
    read_manifest(folder)
    return [folder]


def _listed(path: Path) -> list[str] | None:
    """Return the names in the manifest of a collection; None for another manifest."""
    names = read_object(path).get("datasets")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    for name in names:
        if Path(name).name != name or name in ("", ".", ".."):
            raise FileError(f"{name!r} is not the name of a folder in it", argument=str(path))
    return names
