"""Plan a dataset: from what a user asks for to what its bytes depend on."""

from typing import Final

from mjopt import __version__
from mjopt.datasets.labels.registry import engines, get_labels
from mjopt.datasets.plan import FORMATS, DatasetPlan
from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.datasets.recipes.read import read_recipe
from mjopt.datasets.splits import read_splits
from mjopt.errors import RecipeError
from mjopt.hands.tiles import M0, TILE_SETS, TileSet

SHARD_BLOCKS: Final = 8  # about a million rows, ten megabytes
MOST_SHARDS: Final = 1024  # unless asked for more
MOST_DIGITS: Final = 99_999  # shards that five digits can name


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
    if tiles.key not in TILE_SETS:
        raise RecipeError(f"{tiles.name}: expected one of {', '.join(TILE_SETS)}")
    if file_format not in FORMATS:
        raise RecipeError(f"format {file_format!r}: expected one of {', '.join(FORMATS)}")
    if seed < 0 or check < 0:
        what = f"seed {seed}" if seed < 0 else f"check {check}"
        raise RecipeError(f"{what}, expected 0 or more")
    found = read_recipe(recipe, tiles=tiles, size=size, called=called)
    if not found.num_hands:
        raise RecipeError(f"recipe {recipe!r}: no hands")
    blocks = -(-found.num_hands // BLOCK_ROWS)
    if shards is None:
        shards = min(-(-blocks // SHARD_BLOCKS), MOST_SHARDS)
    if not 1 <= shards <= min(found.num_hands, MOST_DIGITS):
        most = min(found.num_hands, MOST_DIGITS)
        raise RecipeError(f"{shards} shards, expected 1..{most} for {found.num_hands} rows")
    chosen = get_labels(labels, found.deal)
    return DatasetPlan(
        recipe=found.name,
        tiles=tiles.key,
        size=size,
        called=called,
        seed=seed,
        identity=tuple(sorted(found.identity().items())),
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
