"""The folder of a dataset: its plan, its data files, and the manifest that lists them."""

import json
import os
from pathlib import Path
from typing import Any, Final

from mjopt._internal.files import (
    atomic_write,
    make_folder,
    remove_stale_temp,
    sha256_of,
    visible_names,
)
from mjopt._internal.sanitize import shorten
from mjopt._internal.strict_json import read_json_file
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import DatasetError, FileError

DATA: Final = "data"
MANIFEST: Final = "manifest.json"
PLAN: Final = ".plan.json"
"""File with the plan while the dataset is built; the manifest replaces it."""

Record = dict[str, Any]
"""The entry of a shard in the manifest: its rows and files."""


def prepare_folder(folder: Path, plan: DatasetPlan) -> bool:
    """Prepare a folder for a plan; return whether it holds the complete dataset.

    If files of a complete dataset are missing, the build continues with their shards.

    Raises
    ------
    DatasetError
        If the folder holds something else, a dataset of another plan, or a modified file.
    """
    if (folder / MANIFEST).exists():
        manifest = read_manifest(folder)
        _check_same_plan(folder, manifest["plan"], plan)
        if manifest.get("rows") != rows_by_split(plan, manifest["shards"]):
            raise DatasetError(f"{folder / MANIFEST}: its rows are not the sum of its shards")
        files = [file for record in manifest["shards"] for file in record["files"]]
        is_whole = [_is_whole(folder, file) for file in files]
        if all(is_whole):
            _remove_stale_temp(folder)
            (folder / PLAN).unlink(missing_ok=True)  # a build was killed after the last write
            return True
        _write_json(folder / PLAN, plan.to_document())
        (folder / MANIFEST).unlink()
    elif (folder / PLAN).exists():
        _check_same_plan(folder, read_object(folder / PLAN), plan)
    else:
        if others := visible_names(folder):
            raise DatasetError(
                f"{folder}: holds {others[0]} and no dataset; expected an empty or a new folder"
            )
        _write_json(folder / PLAN, plan.to_document())
    make_folder(folder / DATA)
    _remove_stale_temp(folder)
    return False


def _remove_stale_temp(folder: Path) -> None:
    for written in (folder, folder / DATA):
        remove_stale_temp(written)


def write_manifest(folder: Path, plan: DatasetPlan, records: list[Record]) -> dict[str, Any]:
    """Write the manifest of a finished build, and return it.

    Raises
    ------
    DatasetError
        If the data folder holds other files.
    """
    remove_stale_temp(folder / DATA)  # of workers that were killed on other machines
    for path in unexpected_files(folder, records):
        raise DatasetError(f"{path}: not a file of this dataset; remove it")
    manifest = {
        "plan": plan.to_document(),
        "rows": rows_by_split(plan, records),
        "shards": records,
    }
    _write_json(folder / MANIFEST, manifest)
    (folder / PLAN).unlink()
    return manifest


def _write_json(path: Path, document: Any) -> None:
    atomic_write(path, json.dumps(document, indent=1) + "\n")


def is_built(folder: Path, plan: DatasetPlan, shard: int) -> bool:
    """Return whether all files of a shard exist."""
    return all((folder / DATA / plan.file_name(split, shard)).exists() for split, _ in plan.splits)


def shard_record(folder: Path, plan: DatasetPlan, shard: int) -> Record:
    """Return the manifest entry of a shard, from its files.

    Raises
    ------
    DatasetError
        If a file cannot be read or holds another number of rows.
    """
    from pyarrow import parquet

    start, stop = plan.shard_rows(shard)
    files, num_rows = [], 0
    for split, _ in plan.splits:
        path = folder / DATA / plan.file_name(split, shard)
        try:
            rows = parquet.read_metadata(path).num_rows
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise DatasetError(f"{path}: cannot be read ({reason}); remove it") from None
        num_rows += rows
        size, digest = path.stat().st_size, sha256_of(path)
        name = f"{DATA}/{path.name}"
        files.append({"name": name, "split": split, "rows": rows, "bytes": size, "sha256": digest})
    if num_rows != stop - start:
        raise DatasetError(
            f"{folder}: shard {shard} has {num_rows} rows, expected {stop - start}; "
            "remove its files"
        )
    return {
        "shard": shard,
        "first_row": start,
        "rows": num_rows,
        "checked": plan.num_checked(shard),
        "files": files,
    }


def rows_by_split(plan: DatasetPlan, records: list[Record]) -> dict[str, int]:
    """Return the number of rows of each split, from the records of the shards."""
    files = [file for record in records for file in record["files"]]
    return {
        split: sum(file["rows"] for file in files if file["split"] == split)
        for split, _ in plan.splits
    }


def _is_whole(folder: Path, file: dict[str, Any]) -> bool:
    """Return whether a file exists; raise if it was modified."""
    path: Path = folder / file["name"]
    if not path.is_file():
        return False
    if path.stat().st_size != file["bytes"] or sha256_of(path) != file["sha256"]:
        raise DatasetError(
            f"{path}: was modified (SHA-256 differs); remove it and run the same command again"
        )
    return True


def _check_same_plan(folder: Path, stored: dict[str, Any], plan: DatasetPlan) -> None:
    wanted = json.loads(json.dumps(plan.to_document()))
    for key, value in wanted.items():
        if stored.get(key) != value:
            both = (stored.get(key), value)
            old, new = (shorten(one if isinstance(one, str) else json.dumps(one)) for one in both)
            raise DatasetError(
                f"{folder}: holds a dataset with {key} {old}, not {new}; "
                "choose another folder, or remove this one"
            )


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file of a dataset.

    Raises
    ------
    DatasetError
        If the file cannot be read or holds no object.
    """
    try:
        document = read_json_file(path)
    except FileError as error:
        raise DatasetError(str(error)) from None
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not isinstance(document, dict):
        raise DatasetError(f"{path}: not a JSON object")
    return document


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a complete dataset.

    Raises
    ------
    DatasetError
        If there is no manifest, or it is damaged.
    """
    path = folder / MANIFEST
    if not os.path.exists(path):  # a Path raises an error for a long text
        state = (
            "an unfinished one: build it to the end" if os.path.exists(folder / PLAN) else "none"
        )
        raise DatasetError(f"{folder}: expected a dataset with {MANIFEST}, found {state}")
    manifest = read_object(path)
    if isinstance(manifest.get("datasets"), list):
        names = ", ".join(map(str, manifest["datasets"]))
        raise DatasetError(f"{folder}: holds several datasets; name one of {names}")
    if not isinstance(manifest.get("plan"), dict) or not isinstance(manifest.get("shards"), list):
        raise DatasetError(f"{path}: not the manifest of a dataset by mjopt")
    for number, record in enumerate(manifest["shards"]):
        if not _is_record(record):
            raise DatasetError(f"{path}: shard {number} is not the record of a shard")
    return manifest


def _is_record(record: Any) -> bool:
    """Return whether a value has the fields of a shard's record."""
    if not isinstance(record, dict) or not isinstance(record.get("files"), list):
        return False
    has_numbers = all(isinstance(record.get(key), int) for key in ("shard", "first_row", "rows"))
    return has_numbers and all(
        isinstance(file, dict)
        and all(isinstance(file.get(key), str) for key in ("name", "split", "sha256"))
        and all(isinstance(file.get(key), int) for key in ("rows", "bytes"))
        and file["name"] == f"{DATA}/{Path(file['name']).name}"
        for file in record["files"]
    )


def unexpected_files(folder: Path, records: list[Record]) -> list[Path]:
    """Return the files in the data folder that no record lists."""
    listed = {file["name"] for record in records for file in record["files"]}
    paths = sorted((folder / DATA).iterdir()) if (folder / DATA).is_dir() else []
    return [path for path in paths if f"{DATA}/{path.name}" not in listed]
