"""What a dataset is to be: everything that its bytes depend on."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from mjopt.datasets.labels.base import DatasetColumn, Label
from mjopt.datasets.labels.registry import get_labels, label_columns
from mjopt.datasets.recipes.base import BLOCK_ROWS, Deal, HandRecipe
from mjopt.datasets.recipes.read import read_recipe
from mjopt.datasets.splits import Splits
from mjopt.errors import DatasetError
from mjopt.hands.tiles import TILE_SETS

FORMAT: Final = "mjopt-dataset"
SCHEMA_VERSION: Final = 1
FORMATS: Final = ("parquet", "npz", "npy", "csv")


@dataclass(frozen=True, kw_only=True)
class DatasetPlan:
    """A dataset before it is built.

    Make one with :func:`mjopt.datasets.make_plan`, which checks that it can be.

    Parameters
    ----------
    recipe, tiles, size, called
        The hands.
    seed
        The seed they are drawn with.
    identity
        What the recipe depends on beside its text, such as the digest of a file.
    num_rows
        How many hands there are.
    num_shards
        In how many parts they are written.
    labels
        Names of the labels.
    engine
        What makes them, with versions.
    splits
        Names and shares.
    text
        Whether the hands are written as mpsz text too.
    file_format
        ``parquet``, ``npz``, ``npy`` or ``csv``.
    checked
        How many random rows of each shard are labelled again another way.
    version
        The version of the package.
    """

    recipe: str
    tiles: str
    size: int
    called: int
    seed: int
    identity: tuple[tuple[str, Any], ...]
    num_rows: int
    num_shards: int
    labels: tuple[str, ...]
    engine: str
    splits: Splits
    text: bool
    file_format: str
    checked: int
    version: str

    @property
    def deal(self) -> Deal:
        """What a hand is."""
        return Deal(tiles=TILE_SETS[self.tiles], size=self.size, called=self.called)

    @cached_property
    def hand_recipe(self) -> HandRecipe:
        """The recipe itself."""
        found = _read(self.recipe, self.tiles, self.size, self.called)
        if tuple(sorted(found.identity().items())) != self.identity:
            raise DatasetError(
                f"recipe {self.recipe}: its hands have changed since the build began"
            )
        return found

    def label_list(self) -> tuple[Label, ...]:
        """Return the labels themselves."""
        return get_labels(self.labels, self.deal)

    def columns(self) -> tuple[DatasetColumn, ...]:
        """Return every column, in order."""
        columns = [
            DatasetColumn("row", "int64", "number of the hand in the recipe"),
            DatasetColumn("hand", "hand", "copies held per kind"),
        ]
        if self.text:
            columns.append(DatasetColumn("text", "string", "the hand in mpsz notation"))
        columns += label_columns(self.label_list(), self.deal)
        if self.is_weighted:
            meaning = "what the hand counts for in statistics of uniform deals"
            columns.append(DatasetColumn("weight", "float64", meaning))
        columns.append(DatasetColumn("engine", "string", "what made the labels, with versions"))
        return tuple(columns)

    @property
    def is_weighted(self) -> bool:
        """Whether hands count differently in statistics of deals."""
        return self.recipe.startswith("stratified:")

    def shard_rows(self, shard: int) -> tuple[int, int]:
        """Return the first row of a shard, and the first after it.

        Shards end where blocks of the recipe do, if there are enough of those.
        """
        blocks = -(-self.num_rows // BLOCK_ROWS)
        if self.num_shards > blocks:
            edges = [self.num_rows * s // self.num_shards for s in (shard, shard + 1)]
        else:
            edges = [blocks * s // self.num_shards * BLOCK_ROWS for s in (shard, shard + 1)]
        return edges[0], min(edges[1], self.num_rows)

    def file_name(self, split: str, shard: int, column: str | None = None) -> str:
        """Return the name of a file in the folder ``data``."""
        middle = f".{column}" if column else ""
        return f"{split}-{shard:05d}-of-{self.num_shards:05d}{middle}.{self.file_format}"

    def file_names(self, split: str, shard: int) -> list[str]:
        """Return the names of all files of a split of a shard."""
        if self.file_format == "npy":
            return [self.file_name(split, shard, column.name) for column in self.columns()]
        return [self.file_name(split, shard)]

    def to_document(self) -> dict[str, Any]:
        """Return the plan as plain data."""
        return {
            "format": FORMAT,
            "schema_version": SCHEMA_VERSION,
            "mjopt": self.version,
            "recipe": self.recipe,
            "recipe_identity": dict(self.identity),
            "tiles": self.tiles,
            "size": self.size,
            "called": self.called,
            "seed": self.seed,
            "rows": self.num_rows,
            "shards": self.num_shards,
            "labels": list(self.labels),
            "engine": self.engine,
            "splits": dict(self.splits),
            "text": self.text,
            "file_format": self.file_format,
            "checked_per_shard": self.checked,
        }

    @classmethod
    def from_document(cls, document: dict[str, Any], where: str) -> "DatasetPlan":
        """Read a plan.

        Raises
        ------
        DatasetError
            If it is none, or of another version of the format.
        """
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise DatasetError(f"{where}: not the plan of a dataset by mjopt")
        if document.get("schema_version") != SCHEMA_VERSION:
            raise DatasetError(
                f"{where}: schema version {document.get('schema_version')}, "
                f"expected {SCHEMA_VERSION}"
            )
        for key, kind in _KINDS.items():
            if not isinstance(document.get(key), kind) or isinstance(document[key], bool) != (
                kind is bool
            ):
                raise DatasetError(
                    f"{where}: {key} {document.get(key)!r}, expected {kind.__name__}"
                )
        if document["tiles"] not in TILE_SETS or document["file_format"] not in FORMATS:
            found = f"tiles {document['tiles']!r} or format {document['file_format']!r}"
            raise DatasetError(f"{where}: unknown {found}")
        if not document["splits"] or document["rows"] < 1 or document["shards"] < 1:
            raise DatasetError(f"{where}: a plan without rows, shards or splits")
        return cls(
            recipe=document["recipe"],
            tiles=document["tiles"],
            size=document["size"],
            called=document["called"],
            seed=document["seed"],
            identity=_frozen(document["recipe_identity"]),
            num_rows=document["rows"],
            num_shards=document["shards"],
            labels=tuple(document["labels"]),
            engine=document["engine"],
            splits=tuple(document["splits"].items()),
            text=document["text"],
            file_format=document["file_format"],
            checked=document["checked_per_shard"],
            version=document["mjopt"],
        )


_KINDS: Final[dict[str, type]] = {
    "recipe": str,
    "recipe_identity": dict,
    "tiles": str,
    "size": int,
    "called": int,
    "seed": int,
    "rows": int,
    "shards": int,
    "labels": list,
    "engine": str,
    "splits": dict,
    "text": bool,
    "file_format": str,
    "checked_per_shard": int,
    "mjopt": str,
}
"""What a plan holds when it is written down."""


def _frozen(identity: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(identity.items()))


@lru_cache(maxsize=4)
def _read(recipe: str, tiles: str, size: int, called: int) -> HandRecipe:
    return read_recipe(recipe, tiles=TILE_SETS[tiles], size=size, called=called)
