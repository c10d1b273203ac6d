"""The index of an instance set: a row for every program."""

import gzip
import zlib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final

from mjopt._internal.files import as_path, atomic_write
from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import short_repr
from mjopt._internal.unit_store import Facts
from mjopt._internal.validation import pick
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.tiles import TILE_SETS
from mjopt.models.program import Program
from mjopt.models.registry import FORMULATIONS, get_formulation

INDEX: Final = "index.parquet"


@dataclass(frozen=True, kw_only=True)
class Instance:
    """One program of the set.

    Parameters
    ----------
    name
        Name of the hand and the model, such as ``limited-007.network``.
    group, tiles, called
        As in :class:`mjopt.instances.InstanceHand`.
    hand
        The hand in mpsz notation.
    unseen
        Copies of each kind that can still arrive, as digits; empty if they are not limited.
    deficiency
        The certified deficiency of the hand; None if no win can be reached.
    model
        The formulation, one of ``mjopt.FORMULATIONS``: an index loads no other.
    variables, rows
        Size of the program.
    optimum
        The optimum; None if the program has no solution. For ``predecomposition`` the least cost
        of Eq. 8, on which two solvers agree; for the others the certified deficiency.
    mps, opb, solution, certificate
        Files in the folder; ``opb`` is empty if a variable may exceed 1.
    sha256
        SHA-256 of the uncompressed MPS file.

    Raises
    ------
    ArgumentError
        If the formulation or the tile set is unknown, or ``unseen`` is no row of digits.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mjopt.instances import build_instances
    >>> with TemporaryDirectory() as folder:
    ...     built = build_instances(folder, hands=7, seed=1)
    >>> instance = built.instances[0]
    >>> instance.model, instance.optimum, instance.deficiency
    ('completion', 0, 0)
    """

    name: str
    group: str
    hand: str
    tiles: str
    called: int
    unseen: str
    deficiency: int | None
    model: str
    variables: int
    rows: int
    optimum: int | None
    mps: str
    opb: str
    solution: str
    certificate: str
    sha256: str

    def __post_init__(self) -> None:
        """Validate the names."""
        pick(self.model, FORMULATIONS, "model", ArgumentError)
        pick(self.tiles, TILE_SETS, "tile set", ArgumentError)
        if self.unseen and not self.unseen.isdecimal():
            raise ArgumentError(
                argument="unseen", value=short_repr(self.unseen), expected="a digit for each kind"
            )

    def program(self) -> Program:
        """Build the program of the files again."""
        hand = Hand.parse(self.hand, tiles=TILE_SETS[self.tiles], called=self.called)
        unseen = tuple(map(int, self.unseen)) if self.unseen else None
        formulation = get_formulation(self.model)
        return formulation.write(HandQuery(hand, formulation.form, unseen))


def write_index(folder: Path, instances: list[Instance]) -> None:
    """Write the index as Parquet and CSV."""
    import pandas as pd

    frame = pd.DataFrame([asdict(instance) for instance in instances])
    for column in ("deficiency", "optimum"):
        frame[column] = frame[column].astype("Int64")
    atomic_write(folder / "index.csv", frame.to_csv(index=False))
    atomic_write(folder / INDEX, frame.to_parquet(None, index=False))


def read_index(folder: str | Path) -> list[Instance]:
    """Read the index of an instance set.

    Parameters
    ----------
    folder
        The folder that `mjopt instances build` wrote.

    Raises
    ------
    FileError
        If there is no index, or it is damaged.

    Examples
    --------
    >>> read_index("no/such/folder")
    Traceback (most recent call last):
    mjopt.errors.FileError: no/such/folder: no instance set, index.parquet is missing
    """
    need("pyarrow", "pandas", extra="experiments")
    import pandas as pd

    path = as_path(folder, "folder") / INDEX
    if not path.is_file():
        raise FileError(f"{path.parent}: no instance set, {INDEX} is missing")
    names = [field.name for field in fields(Instance)]
    try:
        frame = pd.read_parquet(path, columns=names).astype(object)
        rows: list[Facts] = frame.where(frame.notna(), None).to_dict("records")
        return [Instance(**row) for row in rows]
    except ArgumentError as error:
        raise FileError(str(error), argument=str(path)) from None
    except Exception as error:  # various errors of the reader
        raise FileError(f"damaged: {type(error).__name__}", argument=str(path)) from None


def read_mps(folder: Path, instance: Instance) -> str:
    """Return the text of an instance's MPS file.

    Raises
    ------
    FileError
        If the file is missing or damaged.
    """
    return read_gzip(folder / instance.mps)


def read_gzip(path: Path) -> str:
    """Return the text of a compressed file; FileError if it is missing or damaged."""
    try:
        return gzip.decompress(path.read_bytes()).decode()
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "damaged"
        raise FileError(reason, argument=str(path)) from None
