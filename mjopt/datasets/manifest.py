"""The folder of a dataset: one plan, its files, and what is done already."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

from mjopt._internal.folder import LOCK, file_digest, replace_whole, write_whole
from mjopt._internal.strict_json import read_json_file
from mjopt._internal.validation import told
from mjopt.datasets.plan import DatasetPlan
from mjopt.errors import DatasetError, FileError

DATA: Final = "data"
BUILD: Final = ".build"
MANIFEST: Final = "manifest.json"
PLAN: Final = "plan.json"


class DataFile:
    """A file of a dataset: written forward only, and hashed on the way.

    Parameters
    ----------
    name
        Its name in the folder ``data``.
    file
        Where the bytes go.
    """

    closed = False

    def __init__(self, name: str, file: BinaryIO) -> None:
        self._name, self._file = name, file
        self._hash = hashlib.sha256()
        self._size = 0

    def write(self, content: bytes | memoryview) -> int:
        """Write some bytes."""
        view = memoryview(content).cast("B")
        self._file.write(view)
        self._hash.update(view)
        self._size += len(view)
        return len(view)

    def tell(self) -> int:
        """Return how many bytes there are."""
        return self._size

    def flush(self) -> None:
        """Hand over what is buffered."""
        self._file.flush()

    def close(self) -> None:
        """Leave closing to whoever opened the file."""

    def to_document(self, split: str, rows: int) -> dict[str, Any]:
        """Return what the manifest says of the file."""
        return {
            "name": f"{DATA}/{self._name}",
            "split": split,
            "rows": rows,
            "bytes": self._size,
            "sha256": self._hash.hexdigest(),
        }


def scratch(folder: Path) -> Path:
    """Return where files are written before they are put in place, and a kill leaves them."""
    return folder / BUILD / "tmp"


@contextmanager
def placed(folder: Path, name: str) -> Iterator[DataFile]:
    """Write a file of a dataset; it is in its place, whole, only if all goes well.

    Two processes may write the same file at once (a worker taken for dead may live on):
    the bytes are the same.
    """
    with replace_whole(folder / DATA / name, within=scratch(folder)) as file:
        yield DataFile(name, file)


def record_path(folder: Path, shard: int) -> Path:
    """Return the file that says a shard is done.

    One for each shard, by whoever made it, and no journal of the build: a shard that a
    worker ends while the build is being stopped stays done, and two that make the same
    one write the same file.
    """
    return folder / BUILD / f"shard-{shard:05d}.json"


def check_plan(folder: Path, plan: DatasetPlan) -> bool:
    """Prepare a folder for a plan; return whether the dataset is already complete.

    Raises
    ------
    DatasetError
        If the folder holds something else, or a dataset of another plan.
    """
    if (folder / MANIFEST).exists():
        manifest = read_manifest(folder)
        _same_plan(folder, manifest["plan"], plan)
        if manifest.get("rows") != rows_by_split(plan, manifest["shards"]):
            raise DatasetError(f"{folder / MANIFEST}: its rows are not those of its shards")
        if all(
            _is_whole(folder, file) for record in manifest["shards"] for file in record["files"]
        ):
            shutil.rmtree(folder / BUILD, ignore_errors=True)  # killed between the last two steps
            return True
        _reopen(folder, manifest)
    begun = folder / BUILD / PLAN
    if begun.exists():
        _same_plan(folder, read_object(begun), plan)
        shutil.rmtree(scratch(folder), ignore_errors=True)
    else:
        found = sorted(path.name for path in folder.iterdir() if path.name not in (LOCK, BUILD))
        if found:
            raise DatasetError(
                f"{folder}: holds {found[0]} and no dataset; expected an empty or a new folder"
            )
    # The plan comes before anything that would make the folder look like another's.
    (folder / BUILD).mkdir(exist_ok=True)
    write_whole(begun, json.dumps(plan.to_document(), indent=1).encode())
    for part in (scratch(folder), folder / DATA):
        part.mkdir(exist_ok=True)
    return False


def rows_by_split(plan: DatasetPlan, records: list[dict[str, Any]]) -> dict[str, int]:
    """Return how many rows each split has, by the records of the shards."""
    return {
        split: sum(
            max((f["rows"] for f in record["files"] if f["split"] == split), default=0)
            for record in records
        )
        for split, _ in plan.splits
    }


def _is_whole(folder: Path, file: dict[str, Any]) -> bool:
    """Return whether a file is there with the bytes that were written.

    Raises
    ------
    DatasetError
        If it is there with others: something else has changed it.
    """
    path: Path = folder / file["name"]
    if not path.is_file():
        return False
    if path.stat().st_size != file["bytes"] or file_digest(path) != file["sha256"]:
        raise DatasetError(
            f"{path}: not the bytes that were written (SHA-256 differs); "
            "remove it and run the same command again"
        )
    return True


def _reopen(folder: Path, manifest: dict[str, Any]) -> None:
    """Take a dataset that has lost files for one that is being built: they are made again."""
    (folder / BUILD).mkdir(exist_ok=True)
    write_whole(folder / BUILD / PLAN, json.dumps(manifest["plan"], indent=1).encode())
    for record in manifest["shards"]:
        write_whole(record_path(folder, record["shard"]), json.dumps(record).encode())
    (folder / MANIFEST).unlink()


def _same_plan(folder: Path, found: dict[str, Any], plan: DatasetPlan) -> None:
    wanted = json.loads(json.dumps(plan.to_document()))
    for key, value in wanted.items():
        if found.get(key) != value:
            both = (found.get(key), value)
            holds, asked = (told(one if isinstance(one, str) else json.dumps(one)) for one in both)
            raise DatasetError(
                f"{folder}: holds a dataset with {key} {holds}, not {asked}; "
                "choose another folder, or remove this one"
            )


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file of a dataset.

    Raises
    ------
    DatasetError
        If there is none.
    """
    try:
        found = read_json_file(path)
    except FileError as error:
        raise DatasetError(str(error)) from None
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not isinstance(found, dict):
        raise DatasetError(f"{path}: not a JSON object")
    return found


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a complete dataset.

    Raises
    ------
    DatasetError
        If there is none, or it is not one.
    """
    path = folder / MANIFEST
    if not path.exists():
        state = "unfinished dataset: build it to the end" if (folder / BUILD).exists() else "none"
        raise DatasetError(f"{folder}: expected a dataset with {MANIFEST}, found {state}")
    found = read_object(path)
    if isinstance(found.get("datasets"), list):
        names = ", ".join(map(str, found["datasets"]))
        raise DatasetError(f"{folder}: holds several datasets; name one of {names}")
    if not isinstance(found.get("plan"), dict) or not isinstance(found.get("shards"), list):
        raise DatasetError(f"{path}: not the manifest of a dataset by mjopt")
    for number, record in enumerate(found["shards"]):
        if not _is_record(record):
            raise DatasetError(f"{path}: shard {number} is not the record of a shard")
    return found


def _is_record(record: Any) -> bool:
    """Return whether something has the parts of a shard's record."""
    if not isinstance(record, dict) or not isinstance(record.get("files"), list):
        return False
    numbers = all(isinstance(record.get(key), int) for key in ("shard", "first_row", "rows"))
    return numbers and all(
        isinstance(file, dict)
        and all(isinstance(file.get(key), str) for key in ("name", "split", "sha256"))
        and all(isinstance(file.get(key), int) for key in ("rows", "bytes"))
        and file["name"] == f"{DATA}/{Path(file['name']).name}"
        for file in record["files"]
    )


def finished_shards(folder: Path, plan: DatasetPlan) -> dict[int, dict[str, Any]]:
    """Return the records of the shards that are done, by number.

    A shard whose files are gone is made again. One whose files are not what was
    written is an error: something else has changed them.
    """
    done = {}
    for shard in range(plan.num_shards):
        path = record_path(folder, shard)
        if not path.exists():
            continue
        record = read_object(path)
        if not _is_record(record):
            raise DatasetError(f"{path}: not the record of a shard; remove it")
        if all(_is_whole(folder, file) for file in record["files"]):
            done[shard] = record
    return done


def strangers(folder: Path, records: list[dict[str, Any]]) -> list[Path]:
    """Return the files beside those of the shards."""
    named = {file["name"] for record in records for file in record["files"]}
    found = sorted((folder / DATA).iterdir()) if (folder / DATA).is_dir() else []
    return [path for path in found if f"{DATA}/{path.name}" not in named]
