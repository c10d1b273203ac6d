"""The index of an instance set: a row for every program."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Final

from mjopt._internal.files import as_path, atomic_write
from mjopt._internal.optional_deps import need
from mjopt._internal.sanitize import short_repr
from mjopt._internal.unit_store import Facts
from mjopt._internal.validation import expect, pick, whole
from mjopt.errors import ArgumentError, FileError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import DEFAULT_FORM
from mjopt.hands.tiles import TILE_SETS
from mjopt.instances.checksums import read_checked, read_checksums
from mjopt.instances.hands import GROUPS
from mjopt.models.program import Program
from mjopt.models.registry import FORMULATIONS, get_formulation

INDEX: Final = "index.parquet"
CSV: Final = "index.csv"

COST_MODEL: Final = "predecomposition"
"""The article's program, with an optimum of its own."""

_HAND_NAME: Final = re.compile(rf"({'|'.join(GROUPS)})-\d{{3,5}}")


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
        Files in the folder, named after the program or the hand; ``opb`` is empty if a variable
        may exceed 1.
    mps_sha256, opb_sha256
        SHA-256 of the uncompressed programs; ``opb_sha256`` is empty without OPB.

    Raises
    ------
    ArgumentError, TileError, HandError
        If the formulation or the tile set is unknown, the hand or ``unseen`` is invalid, a file
        has another name, or the optimum is not the deficiency.
    TypeError
        If a value has another type.

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
    mps_sha256: str
    opb_sha256: str

    def __post_init__(self) -> None:
        """Validate all fields."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is str:
                expect(value, str, field.name)
            elif value is not None or field.type is int:
                object.__setattr__(self, field.name, whole(value, field.name))
        pick(self.model, FORMULATIONS, "model", ArgumentError)
        pick(self.tiles, TILE_SETS, "tile set", ArgumentError)
        if self.unseen and not (self.unseen.isascii() and self.unseen.isdecimal()):
            raise ArgumentError(
                argument="unseen", value=short_repr(self.unseen), expected="a digit for each kind"
            )
        self.query  # noqa: B018 - raises an error unless the hand is valid
        self._check_names()
        if self.model != COST_MODEL and self.optimum != self.deficiency:
            raise ArgumentError(
                argument="optimum",
                value=str(self.optimum),
                expected=f"{self.deficiency}, the deficiency",
            )

    def _check_names(self) -> None:
        """Refuse names that are not made of the group and the model, such as ``../mine``."""
        hand_name = self.name.removesuffix(f".{self.model}")
        named = _HAND_NAME.fullmatch(hand_name)
        if self.name == hand_name or named is None or named[1] != self.group:
            raise ArgumentError(
                argument="name",
                value=short_repr(self.name),
                expected="GROUP-NUMBER.MODEL",
            )
        for argument, expected in file_names(hand_name, self.model).items():
            value = getattr(self, argument)
            if value != expected and not (argument == "opb" and not value):
                raise ArgumentError(argument=argument, value=short_repr(value), expected=expected)

    @property
    def files(self) -> tuple[str, ...]:
        """Its files in the folder."""
        return tuple(filter(None, (self.mps, self.opb, self.solution, self.certificate)))

    @cached_property
    def query(self) -> HandQuery:
        """The query about the hand in the standard form."""
        hand = Hand.parse(self.hand, tiles=TILE_SETS[self.tiles], called=self.called)
        unseen = tuple(map(int, self.unseen)) if self.unseen else None
        return HandQuery(hand, DEFAULT_FORM, unseen)

    def program(self) -> Program:
        """Build the program of the files again."""
        return get_formulation(self.model).write(self.query)


def file_names(hand_name: str, model: str) -> dict[str, str]:
    """Return the names of the files of a program, by field of `Instance`.

    Examples
    --------
    >>> file_names("called-001", "network")["opb"]
    'programs/called-001.network.opb.gz'
    """
    name = f"{hand_name}.{model}"
    return {
        "mps": f"programs/{name}.mps.gz",
        "opb": f"programs/{name}.opb.gz",
        "solution": f"solutions/{name}.sol",
        "certificate": f"certificates/{hand_name}.json",
    }


def write_index(folder: Path, instances: list[Instance]) -> None:
    """Write the index as Parquet and CSV."""
    import pandas as pd

    frame = pd.DataFrame([asdict(instance) for instance in instances])
    for column in ("deficiency", "optimum"):
        frame[column] = frame[column].astype("Int64")
    atomic_write(folder / CSV, frame.to_csv(index=False))
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
        If there is no index, or it is not as it was written.

    Examples
    --------
    >>> read_index("no/such/folder")
    Traceback (most recent call last):
    mjopt.errors.FileError: no/such/folder: no instance set, index.parquet is missing
    """
    need("pyarrow", "pandas", extra="experiments")
    where = as_path(folder, "folder", utf8=True)
    path = where / INDEX
    if not path.is_file():
        raise FileError(f"{where}: no instance set, {INDEX} is missing")
    checksums = read_checksums(where)
    content = read_checked(where, INDEX, checksums)
    instances = []
    for number, row in enumerate(_read_rows(content, path)):
        try:
            instances.append(Instance(**row))
        except (MjoptError, TypeError) as error:
            raise FileError(str(error), argument=str(path), position=number, unit="row") from None
    _check_complete(path, instances, checksums)
    return instances


def _read_rows(content: bytes, path: Path) -> list[Facts]:
    import pandas as pd

    names = [field.name for field in fields(Instance)]
    try:
        frame = pd.read_parquet(BytesIO(content), columns=names).astype(object)
        rows: list[Facts] = frame.where(frame.notna(), None).to_dict("records")
    except Exception as error:  # various errors of the reader
        raise FileError(f"damaged: {type(error).__name__}", argument=str(path)) from None
    return rows


def _check_complete(path: Path, instances: list[Instance], checksums: Mapping[str, str]) -> None:
    """Refuse an index that does not name the files of the set, each program once."""
    if not instances:
        raise FileError("no rows", argument=str(path))
    names = {instance.name for instance in instances}
    if len(names) < len(instances):
        raise FileError("a program occurs twice", argument=str(path))
    files = {name for instance in instances for name in instance.files}
    if other := sorted(files ^ (checksums.keys() - {INDEX, CSV})):
        raise FileError(
            f"{other[0]} is {'not in the list' if other[0] in files else 'missing'}",
            argument=str(path),
            expected="the files in SHA256SUMS",
        )
