"""Plan a dataset: from what a user asks for to everything that its bytes depend on."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from mjopt import __version__
from mjopt._internal.validation import as_whole, expect, told
from mjopt.datasets.labels.base import DatasetColumn, Label
from mjopt.datasets.labels.registry import engines, get_labels
from mjopt.datasets.recipes.base import BLOCK_ROWS, Deal, HandRecipe
from mjopt.datasets.recipes.read import read_recipe
from mjopt.datasets.splits import Splits, read_splits
from mjopt.errors import DatasetError, RecipeError
from mjopt.hands.tiles import M0, TILE_SETS, TileSet

FORMAT: Final = "mjopt-dataset"
SCHEMA_VERSION: Final = 1
FORMATS: Final = ("parquet", "npz", "npy", "csv")
SHARD_BLOCKS: Final = 8  # about a million rows, ten megabytes
MOST_SHARDS: Final = 1024  # unless asked for more
MOST_DIGITS: Final = 99_999  # shards that five digits can name


@dataclass(frozen=True, kw_only=True)
class DatasetPlan:
    """A dataset before it is built.

    Make one with :func:`make_plan`, which checks that it can be.

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

    @property
    def hand_recipe(self) -> HandRecipe:
        """The recipe itself."""
        found = _read(self.recipe, self.tiles, self.size, self.called)
        if tuple(sorted(found.identity.items())) != self.identity:
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
        columns += (column for label in self.label_list() for column in label.columns(self.deal))
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
        units, size = (blocks, BLOCK_ROWS) if self.num_shards <= blocks else (self.num_rows, 1)
        edges = [units * s // self.num_shards * size for s in (shard, shard + 1)]
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
        # Frozen, a list is a tuple and a dictionary a tuple of pairs.
        plain = {key: kind(getattr(self, name)) for key, (name, kind) in _WRITTEN.items()}
        head = {"format": FORMAT, "schema_version": SCHEMA_VERSION, "mjopt": self.version}
        return {**head, **plain}

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
        for key, (_, kind) in _WRITTEN.items():
            if type(document.get(key)) is not kind:
                raise DatasetError(
                    f"{where}: {key} {document.get(key)!r}, expected {kind.__name__}"
                )
        if document["tiles"] not in TILE_SETS or document["file_format"] not in FORMATS:
            found = f"tiles {document['tiles']!r} or format {document['file_format']!r}"
            raise DatasetError(f"{where}: unknown {found}")
        if not document["splits"] or document["rows"] < 1 or document["shards"] < 1:
            raise DatasetError(f"{where}: a plan without rows, shards or splits")
        values = {name: document[key] for key, (name, _) in _WRITTEN.items()}
        values["identity"] = tuple(sorted(values["identity"].items()))
        values["splits"] = tuple(values["splits"].items())
        values["labels"] = tuple(values["labels"])
        return cls(**values)


_WRITTEN: Final[dict[str, tuple[str, type]]] = {
    "recipe": ("recipe", str),
    "recipe_identity": ("identity", dict),
    "tiles": ("tiles", str),
    "size": ("size", int),
    "called": ("called", int),
    "seed": ("seed", int),
    "rows": ("num_rows", int),
    "shards": ("num_shards", int),
    "labels": ("labels", list),
    "engine": ("engine", str),
    "splits": ("splits", dict),
    "text": ("text", bool),
    "file_format": ("file_format", str),
    "checked_per_shard": ("checked", int),
    "mjopt": ("version", str),
}
"""What a plan holds when it is written down: the key, the field, and the kind of value."""


@lru_cache(maxsize=4)
def _read(recipe: str, tiles: str, size: int, called: int) -> HandRecipe:
    return read_recipe(recipe, tiles=TILE_SETS[tiles], size=size, called=called)


def make_plan(
    recipe: str,
    *,
    tiles: TileSet = M0,
    size: int = 14,
    called: int = 0,
    seed: int = 0,
    shards: int | None = None,
    labels: tuple[str, ...] = ("deficiency",),
    splits: str = "train",
    text: bool = True,
    file_format: str = "parquet",
    check: int = 0,
) -> DatasetPlan:
    """Plan a dataset.

    Parameters
    ----------
    recipe
        The hands; see :func:`mjopt.datasets.recipes.read_recipe`.
    tiles, size, called
        Tile set, tiles of a hand with nothing called, and melds on the table.
    seed
        Seed of recipes that draw.
    shards
        In how many parts to write it; by default about a million rows each.
    labels
        Names of labels; see ``mjopt.datasets.LABELS``.
    splits
        Such as ``train=0.8,validation=0.1,test=0.1``; hands that are alike stay together.
    text
        Whether to write the hands as mpsz text too.
    file_format
        ``parquet``, ``npz``, ``npy`` or ``csv``.
    check
        Random rows of each shard to label again another way while it is built.

    Raises
    ------
    RecipeError
        If it cannot be built; the message says what was wrong.

    Examples
    --------
    >>> plan = make_plan("deals:1000", seed=7, shards=2)
    >>> plan.num_rows, plan.shard_rows(1), plan.file_name("train", 1)
    (1000, (500, 1000), 'train-00001-of-00002.parquet')
    """
    expect(recipe, str, "recipe")
    expect(splits, str, "splits")
    for label in labels:
        expect(label, str, "labels")
    if tiles.key not in TILE_SETS:
        raise RecipeError(f"{tiles.name}: expected one of {', '.join(TILE_SETS)}")
    if file_format not in FORMATS:
        raise RecipeError(f"format {file_format!r}: expected one of {', '.join(FORMATS)}")
    for what, number in (("seed", seed), ("check", check)):
        if (whole := as_whole(number)) is None or whole < 0:
            raise RecipeError(f"{what} {told(number)}, expected 0 or more")
    found = read_recipe(recipe, tiles=tiles, size=size, called=called)
    if not found.num_hands:
        raise RecipeError(f"recipe {recipe!r}: no hands")
    blocks = -(-found.num_hands // BLOCK_ROWS)
    if shards is None:
        shards = min(-(-blocks // SHARD_BLOCKS), MOST_SHARDS)
    most = min(found.num_hands, MOST_DIGITS)
    if not 1 <= (as_whole(shards) or 0) <= most:
        raise RecipeError(f"{told(shards)} shards, expected 1..{most} for {found.num_hands} rows")
    chosen = get_labels(labels, found.deal)
    return DatasetPlan(
        recipe=found.name,
        tiles=tiles.key,
        size=size,
        called=called,
        seed=seed,
        identity=tuple(sorted(found.identity.items())),
        num_rows=found.num_hands,
        num_shards=shards,
        labels=tuple(label.name for label in chosen),
        engine=engines(chosen),
        splits=read_splits(splits),
        text=text,
        file_format=file_format,
        checked=check,
        version=__version__,
    )
