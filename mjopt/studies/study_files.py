"""The files of a study: columns, units and the merged files of a complete study.

A complete study is a folder with these files:

* ``study.json``: the configuration
* ``hands/SET.parquet``: the hands of a set with their deficiencies
* ``hands/SET.certificates.csv``: the CPU time of each certificate
* ``rows.parquet``: one row for each hand, method and run
* ``curves.parquet``: the best value for each generation, for a few hands
* ``units.csv``: one line for each run of a method on a set, with its CPU time
* ``blocks.csv``: the CPU time of blocks of hands of one deficiency

While a study runs, ``units/`` is a store of finished runs; they are merged at the end.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from mjopt._internal.arrays import Array
from mjopt._internal.files import atomic_path, atomic_write
from mjopt._internal.optional_deps import need
from mjopt._internal.unit_store import StoredUnit, UnitStore
from mjopt.errors import FileError
from mjopt.studies.config import FORMAT, HandSet, StudyConfig, Unit

if TYPE_CHECKING:
    import pyarrow as pa

Columns = dict[str, Array]
Parts = Iterable[Mapping[str, Array | str | bool | int]]

CONFIG: Final = "study.json"
UNITS: Final = "units.csv"
BLOCKS: Final = "blocks.csv"

HANDS: Final = {
    "hand": "int32",  # number in the set, from 0
    "text": "string",  # mpsz
    "deficiency": "int8",  # true value; every tile that the hand does not hold is unseen
    "num_elements": "int16",  # of S, the paper's NS
    "num_kongs": "int8",  # kinds held four times
    "num_types": "int8",  # suits present
    "certified": "bool",  # whether the value has a checked certificate
}
ROWS: Final = {
    "hand": "int32",
    "value": "int8",  # the best cost found
    "evaluations": "int32",  # in total
    "generations": "int32",  # completed; 0 is the initial population
    "hit_evaluations": "int32",  # until the value was at most the deficiency; -1 if never
    "hit_generation": "int32",
    "stopped": "int8",  # code of mjopt.heuristics.stopping.StopReason
}
CURVES: Final = {
    "hand": "int32",
    "generation": "int32",  # 0 is the initial population
    "best": "int8",  # the best cost so far
}
SCHEMAS: Final = {"rows": ROWS, "sample": ROWS, "timing": {}, "curves": CURVES}
"""Columns of the rows of each kind of unit."""

FILES: Final = {"rows": "rows.parquet", "sample": "rows.parquet", "curves": "curves.parquet"}
"""File that holds the rows of each kind of unit in a complete study."""

ADDRESS: Final = {"hand_set": "string", "method": "string", "early_stop": "bool", "run": "int16"}
"""Columns before the rows of every unit in a merged file."""


class TimedBlock(NamedTuple):
    """Hands of one deficiency whose searches were timed together."""

    deficiency: int
    hands: int
    seconds: float  # CPU time of all of them


class UnitRecord(NamedTuple):
    """A line of ``units.csv``, and the blocks of the unit."""

    unit: Unit
    hands: int
    seconds: float  # CPU time of all its searches, on one thread
    blocks: tuple[TimedBlock, ...] = ()  # none for the curves


# Parquet ------------------------------------------------------------------------------


def write_parquet(
    path: Path,
    schema: Mapping[str, str],
    parts: Parts,
    *,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write columns as one Parquet file, atomically; each part is a row group.

    The same columns give the same bytes. ``schema`` has their names and Arrow types, and
    ``metadata`` texts to store in it; a part has for each column an array, or one value for all its
    rows. A file that cannot be written is a `FileError`.
    """
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        _write_table(file, schema, parts, metadata or {})


def _write_table(
    target: BinaryIO, schema: Mapping[str, str], parts: Parts, metadata: Mapping[str, str]
) -> None:
    need("pyarrow", extra="experiments")
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = pa.schema(
        [pa.field(name, pa.type_for_alias(kind), nullable=False) for name, kind in schema.items()],
        metadata=dict(metadata),
    )
    with pq.ParquetWriter(
        target,
        arrow,
        compression="zstd",
        use_dictionary=[name for name in schema if name != "hand"],
        # Hand numbers increase by one, so delta encoding takes almost no space.
        column_encoding={"hand": "DELTA_BINARY_PACKED"} if "hand" in schema else None,
        write_page_checksum=True,
    ) as writer:
        for part in parts:
            length = max(len(v) for v in part.values() if isinstance(v, np.ndarray))
            columns = [
                pa.array(part[field.name], field.type)
                if isinstance(part[field.name], np.ndarray)
                else pa.repeat(pa.scalar(part[field.name], field.type), length)
                for field in arrow
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=arrow), row_group_size=1 << 20)


def read_parquet(
    path: Path, schema: Mapping[str, str], filters: Sequence[tuple[str, str, object]] = ()
) -> tuple[Columns, dict[str, str]]:
    """Read columns of a Parquet file, and the texts stored in its schema.

    Columns are arrays (text as objects); ``schema`` has the names and Arrow types that they must
    have, and ``filters`` conditions on them, such as ``("method", "==", "ndde-20-50")``. A file
    that is missing, damaged or has other columns is a `FileError`.
    """
    need("pyarrow", extra="experiments")
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise FileError("no such file", argument=str(path), hint="run the study again to make it")
    try:
        stored = pq.read_schema(path)
        wanted = {name: pa.type_for_alias(kind) for name, kind in schema.items()}
        if any(
            name not in stored.names or stored.field(name).type != wanted[name] for name in wanted
        ):
            raise FileError(
                f"columns ({', '.join(stored.names)})",
                argument=str(path),
                expected=", ".join(schema),
            )
        table = pq.read_table(
            path,
            columns=list(schema),
            filters=list(filters) or None,
            page_checksum_verification=True,
        )
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FileError(
            f"damaged ({reason})", argument=str(path), hint="delete it and run the study again"
        ) from None
    texts = {k.decode(): v.decode() for k, v in (stored.metadata or {}).items()}
    return _to_columns(table, schema), texts


def _to_columns(table: "pa.Table", schema: Mapping[str, str]) -> Columns:
    return {
        name: np.array(table.column(name).to_pylist(), object)
        if kind == "string"
        else table.column(name).to_numpy()
        for name, kind in schema.items()
    }


# The folder ---------------------------------------------------------------------------


def unit_store(folder: Path) -> UnitStore:
    """Return the store of the finished units of a study that is not complete, by their keys."""
    return UnitStore(folder / "units", {"format": FORMAT, "schemas": SCHEMAS})


def write_unit(store: UnitStore, record: UnitRecord, columns: Columns) -> None:
    """Store a finished unit."""
    content = io.BytesIO()
    if schema := SCHEMAS[record.unit.kind]:
        _write_table(content, schema, [columns], {})
    facts = {"hands": record.hands, "seconds": record.seconds, "blocks": record.blocks}
    store.write(record.unit.key, facts, content.getbuffer())


def _rows_of(stored: StoredUnit, schema: Mapping[str, str]) -> Columns:
    import pyarrow as pa
    import pyarrow.parquet as pq

    return _to_columns(pq.read_table(pa.BufferReader(stored.content)), schema)


def certificates_path(folder: Path, hands: str) -> Path:
    """Return the file with the CPU times of the certificates of a hand set."""
    return folder / "hands" / f"{hands}.certificates.csv"


def write_certificate_seconds(folder: Path, hands: str, seconds: npt.NDArray[np.float64]) -> None:
    """Write the CPU seconds of each certificate, NaN without one, shape ``(N,)``."""
    certified = np.flatnonzero(~np.isnan(seconds)).tolist()
    rows = [f"{hand},{float(seconds[hand])!r}" for hand in certified]
    lines = [f"{row},{_crc(row)}\n" for row in rows]
    atomic_write(certificates_path(folder, hands), "".join(["hand,seconds,crc32\n", *lines]))


def _crc(row: str) -> str:
    """Return the CRC-32 of a row, which detects a changed digit."""
    return f"{crc32(row.encode()):08x}"


def read_certificate_seconds(folder: Path, hands: HandSet) -> npt.NDArray[np.float64]:
    """Read the CPU seconds of each certificate of a set, NaN without one, shape ``(N,)``.

    A file that is missing or damaged, or lacks certificates, is a `FileError`.
    """
    path = certificates_path(folder, hands.name)
    seconds = np.full(hands.num_hands, np.nan)
    hint = "run the study again to certify its hands"
    if not path.is_file():
        raise FileError("no such file", argument=str(path), hint=hint)
    try:
        for line in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))):
            seconds[int(line["hand"])] = float(line["seconds"])
            if line["crc32"] != _crc(f"{line['hand']},{line['seconds']}"):
                raise ValueError(line)
    except (KeyError, TypeError, ValueError, IndexError):
        raise FileError("damaged", argument=str(path), hint=f"delete it and {hint}") from None
    if (found := int(np.isfinite(seconds).sum())) != hands.certificates:
        raise FileError(
            f"{found} certificates",
            argument=str(path),
            expected=str(hands.certificates),
            hint=f"delete it and {hint}",
        )
    return seconds


def read_records(folder: Path) -> dict[str, UnitRecord]:
    """Read ``units.csv``: the merged units by key, in the order of their rows."""
    path = folder / UNITS
    if not path.is_file() or not (folder / BLOCKS).is_file():
        return {}
    records, blocks = {}, _read_blocks(folder)
    try:
        for line in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))):
            unit = Unit(
                kind=line["kind"],
                hand_set=line["hand_set"],
                method=line["method"],
                run=int(line["run"]),
                early_stop=line["early_stop"] == "True",
                key=line["key"],
            )
            counts = int(line["hands"]), float(line["seconds"])
            records[unit.key] = UnitRecord(unit, *counts, tuple(blocks.get(unit.key, ())))
            if unit.kind not in SCHEMAS:
                raise ValueError(unit.kind)
    except (KeyError, TypeError, ValueError):
        raise FileError(
            "damaged", argument=str(path), hint="delete it to compute every row again"
        ) from None
    if any((folder / FILES.get(r.unit.kind, UNITS)).is_file() is False for r in records.values()):
        return {}  # a merged file was deleted
    return records


def _read_blocks(folder: Path) -> dict[str, list[TimedBlock]]:
    """Read ``blocks.csv``: the blocks by the key of their unit."""
    path, found = folder / BLOCKS, dict[str, list[TimedBlock]]()
    try:
        for line in csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))):
            block = TimedBlock(int(line["deficiency"]), int(line["hands"]), float(line["seconds"]))
            if not (block.hands > 0 <= block.seconds < inf):
                raise ValueError(line)
            found.setdefault(line["key"], []).append(block)
    except (KeyError, TypeError, ValueError):
        raise FileError(
            "damaged", argument=str(path), hint="delete it to compute every row again"
        ) from None
    return found


def merge_units(folder: Path, config: StudyConfig) -> None:
    """Merge the finished units into the files of a complete study.

    Units of the configuration come first, in its order. Existing rows outside the
    configuration follow, unless it has other rows for the same method, hands and run.
    """
    records, store, merged = read_records(folder), unit_store(folder), []
    for unit in config.units():
        if stored := store.get(unit.key):
            facts = stored.facts
            blocks = tuple(TimedBlock(*block) for block in facts["blocks"])
            merged.append(UnitRecord(unit, facts["hands"], facts["seconds"], blocks))
        elif unit.key in records:
            merged.append(records[unit.key])
    taken = {record.unit[:-1] for record in merged}
    merged += [record for record in records.values() if record.unit[:-1] not in taken]
    for name in dict.fromkeys(FILES.values()):
        units = [record.unit for record in merged if FILES.get(record.unit.kind) == name]
        if units:
            schema = ADDRESS | SCHEMAS[units[0].kind]
            parts = (_address(unit) | _unit_rows(folder, store, unit) for unit in units)
            write_parquet(folder / name, schema, parts)
    block_rows = ((record.unit.key, *block) for record in merged for block in record.blocks)
    _write_csv(folder / BLOCKS, ["key", *TimedBlock._fields], block_rows)
    unit_rows = ((*unit, hands, repr(seconds)) for unit, hands, seconds, _ in merged)
    _write_csv(folder / UNITS, [*Unit._fields, "hands", "seconds"], unit_rows)
    store.finish()


def _write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    atomic_write(path, text.getvalue())


def _address(unit: Unit) -> dict[str, str | bool | int]:
    return {name: getattr(unit, name) for name in ADDRESS}


def _unit_rows(folder: Path, store: UnitStore, unit: Unit) -> Columns:
    """Return the rows of a finished unit, merged or not."""
    if stored := store.get(unit.key):
        return _rows_of(stored, SCHEMAS[unit.kind])
    filters = [(name, "==", value) for name, value in _address(unit).items()]
    return read_parquet(folder / FILES[unit.kind], SCHEMAS[unit.kind], filters)[0]
