"""The folder of a dataset: its plan, its data files, and the manifest that lists them."""

import json
import os
from pathlib import Path
from typing import Final, NotRequired, TypedDict, TypeGuard

from mjopt._internal.files import atomic_write, make_folder, remove_stale_temp
from mjopt._internal.strict_json import read_json_file
from mjopt._internal.unit_store import SUFFIX, UnitStore, are_whole, check_same_run, claim_run
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import FileError

DATA: Final = "data"
MANIFEST: Final = "manifest.json"
PLAN: Final = ".plan.json"
"""File with the plan while the dataset is built; the manifest replaces it."""

UNITS: Final = "units"
"""Folder with the record of each finished shard while the dataset is built."""


class FileEntry(TypedDict):
    """The entry of a data file in the manifest."""

    name: str
    split: str
    rows: int
    bytes: int
    sha256: str


class ShardRecord(TypedDict):
    """The entry of a shard in the manifest: its rows and files."""

    shard: int
    first_row: int
    rows: int
    checked: NotRequired[int]
    files: list[FileEntry]


class Manifest(TypedDict):
    """The manifest of a complete dataset."""

    plan: dict[str, object]
    rows: dict[str, int]
    shards: list[ShardRecord]


def prepare_folder(folder: Path, plan: DatasetPlan) -> UnitStore | None:
    """Prepare a folder for a plan; return its finished shards, or None if nothing is missing.

    If files of a complete dataset are missing, the build continues with their shards. A folder that
    holds something else, a dataset of another plan, a modified file or a damaged manifest is a
    `FileError`.
    """
    document = plan.to_document()
    store = UnitStore(folder / UNITS, document)
    if (folder / MANIFEST).exists():
        manifest = read_manifest(folder)
        check_same_run(folder, manifest["plan"], document, what="dataset")
        if manifest["rows"] != rows_by_split(plan, manifest["shards"]):
            raise FileError(f"{folder / MANIFEST}: its rows are not the sum of its shards")
        for number, record in enumerate(manifest["shards"]):
            start, stop = plan.shard_rows(number)
            found = record["shard"], record["first_row"], record["rows"]
            if found != (number, start, stop - start):
                raise FileError(
                    f"{folder / MANIFEST}: shard {number} does not have the rows of the plan"
                )
        whole = [
            record
            for record in manifest["shards"]
            if are_whole(folder, {file["name"]: file["sha256"] for file in record["files"]})
        ]
        if len(whole) == len(manifest["shards"]):
            _remove_stale_temp(folder)
            _finish(folder, store)
            return None
        atomic_write(folder / PLAN, json.dumps(document))
        for record in whole:
            write_record(store, record)
        (folder / MANIFEST).unlink()
    claim_run(folder, PLAN, document, what="dataset")
    make_folder(folder / DATA)
    return store


def unit_key(shard: int) -> str:
    """Return the key of a finished shard."""
    return f"{shard:05d}"


def write_record(store: UnitStore, record: ShardRecord) -> None:
    """Store the manifest entry of a shard, whose files are complete."""
    files = [store.folder.parent / file["name"] for file in record["files"]]
    store.write(unit_key(record["shard"]), record, files=files)


def read_record(store: UnitStore, shard: int) -> ShardRecord:
    """Return the stored manifest entry of a shard."""
    key = unit_key(shard)
    if not _is_record(record := store.read(key).facts):
        raise FileError(f"{store.folder / key}{SUFFIX}: not the record of a shard")
    return record


def write_manifest(
    folder: Path, plan: DatasetPlan, store: UnitStore, records: list[ShardRecord]
) -> None:
    """Write the manifest of a finished build; `FileError` if the data folder holds other files."""
    _remove_stale_temp(folder)  # of workers that were killed on other machines
    for path in unexpected_files(folder, records):
        raise FileError("not a file of this dataset", argument=str(path), hint="remove it")
    manifest: Manifest = {
        "plan": plan.to_document(),
        "rows": rows_by_split(plan, records),
        "shards": records,
    }
    atomic_write(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    _finish(folder, store)


def _remove_stale_temp(folder: Path) -> None:
    for written in (folder, folder / DATA):
        remove_stale_temp(written)


def _finish(folder: Path, store: UnitStore) -> None:
    """Remove what a complete dataset does not need."""
    store.finish()
    (folder / PLAN).unlink(missing_ok=True)


def rows_by_split(plan: DatasetPlan, records: list[ShardRecord]) -> dict[str, int]:
    """Return the number of rows of each split, from the records of the shards."""
    files = [file for record in records for file in record["files"]]
    return {
        split: sum(file["rows"] for file in files if file["split"] == split)
        for split, _ in plan.splits
    }


def read_object(path: Path) -> dict[str, object]:
    """Return the JSON object in a file of a dataset; `FileError` if there is none."""
    try:
        document = read_json_file(path)
    except OSError as error:
        raise FileError(f"cannot be read ({error.strerror or error})", argument=str(path)) from None
    if not isinstance(document, dict):
        raise FileError("not a JSON object", argument=str(path))
    return document


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a complete dataset; `FileError` if it is missing or damaged."""
    path = folder / MANIFEST
    if not os.path.exists(path):  # a Path raises an error for a long text
        is_unfinished = os.path.exists(folder / PLAN)
        raise FileError(
            "an unfinished dataset" if is_unfinished else "no dataset",
            argument=str(folder),
            expected=f"one with {MANIFEST}",
            hint="build it to the end" if is_unfinished else "",
        )
    manifest = read_object(path)
    if isinstance(datasets := manifest.get("datasets"), list):
        names = ", ".join(map(str, datasets))
        raise FileError("holds several datasets", argument=str(folder), hint=f"name one of {names}")
    plan, rows, shards = (manifest.get(key) for key in ("plan", "rows", "shards"))
    if not isinstance(plan, dict) or not isinstance(shards, list):
        raise FileError("not the manifest of a dataset by mjopt", argument=str(path))
    for number, record in enumerate(shards):
        if not _is_record(record):
            raise FileError(f"shard {number} is not the record of a shard", argument=str(path))
    return {"plan": plan, "rows": rows if isinstance(rows, dict) else {}, "shards": shards}


def _is_record(record: object) -> TypeGuard[ShardRecord]:
    """Return whether a value has the fields of a shard's record."""
    if not isinstance(record, dict) or not isinstance(record.get("files"), list):
        return False
    numbers = [record.get(key) for key in ("shard", "first_row", "rows")]
    has_numbers = all(type(number) is int for number in [*numbers, record.get("checked", 0)])
    return has_numbers and all(
        isinstance(file, dict)
        and all(isinstance(file.get(key), str) for key in ("name", "split", "sha256"))
        and all(isinstance(file.get(key), int) for key in ("rows", "bytes"))
        and file["name"] == f"{DATA}/{Path(file['name']).name}"
        for file in record["files"]
    )


def unexpected_files(folder: Path, records: list[ShardRecord]) -> list[Path]:
    """Return the files in the data folder that no record lists."""
    listed = {file["name"] for record in records for file in record["files"]}
    paths = sorted((folder / DATA).iterdir()) if (folder / DATA).is_dir() else []
    return [path for path in paths if f"{DATA}/{path.name}" not in listed]
