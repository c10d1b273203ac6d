"""Plan a dataset from a recipe and options: validate them, and choose the number of shards."""

from pathlib import Path
from typing import Final, TypedDict

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.user_module import source_digest
from mjopt._internal.validation import as_whole, expect, expect_all, whole
from mjopt._version import __version__
from mjopt.datasets.labels.registry import engines, get_labels
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.datasets.recipes.registry import RECIPES, make_deal, read_recipe
from mjopt.datasets.row_filter import load_filter
from mjopt.datasets.splits import read_splits
from mjopt.errors import ArgumentError, CertificateError
from mjopt.hands.rules.document import rules_document
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import TILE_SETS, TileSet
from mjopt.proofs.native_forms import read_rules

SHARD_BLOCKS: Final = 8  # about a million rows, ten megabytes
DEFAULT_MAX_SHARDS: Final = 1024
MAX_SHARDS: Final = 99_999  # file names have five digits


class PlanOptions(TypedDict, total=False):
    """The options of :func:`make_plan`."""

    tiles: TileSet | str | None
    size: int | None
    called: int
    rules: RuleSet | str | Path | None
    seed: int
    shards: int | None
    labels: tuple[str, ...]
    splits: str
    text: bool
    check: int
    where: str


def make_plan(
    recipe: str,
    *,
    tiles: TileSet | str | None = None,
    size: int | None = None,
    called: int = 0,
    rules: RuleSet | str | Path | None = None,
    seed: int = 0,
    shards: int | None = None,
    labels: tuple[str, ...] = ("deficiency",),
    splits: str = "train",
    text: bool = True,
    check: int = 0,
    where: str = "",
) -> DatasetPlan:
    """Plan a dataset.

    Parameters
    ----------
    recipe
        The hands; see :func:`mjopt.datasets.read_recipe`.
    tiles, size, called, rules
        Tile set, tiles of a hand with nothing called, melds on the table, and rule set, as for
        :func:`mjopt.datasets.read_recipe`. The dataset holds the definition of the rules.
    seed
        Seed of recipes that draw.
    shards
        Number of parts; by default about a million rows each.
    labels
        Names of labels; see ``mjopt.datasets.LABELS``.
    splits
        Such as ``train=0.8,validation=0.1,test=0.1``, or weights such as ``train=8,test=2``.
        Equivalent hands fall into the same split.
    text
        Whether to add a column with the hands as mpsz text.
    check
        Random rows of each shard whose labels are recomputed with a second method.
    where
        Filter of the hands, ``FILE.py:FUNCTION``: given :class:`HandRows`, the function returns a
        boolean for each hand. Rows for which it is false are left out.

    Raises
    ------
    ArgumentError
        If an argument is invalid, or a label does not apply to these hands.

    Examples
    --------
    >>> plan = make_plan("deals:1000", seed=7, shards=2)
    >>> plan.num_rows, plan.shard_rows(1), plan.file_name("train", 1)
    (1000, (500, 1000), 'train-00001-of-00002.parquet')
    """
    expect(recipe, str, "recipe")
    expect(splits, str, "splits")
    expect(where, str, "where")
    labels = expect_all(labels, str, "labels")
    deal = make_deal(tiles=tiles, size=size, called=called, rules=rules)
    if deal.rules is not None:
        _check_rules(deal.rules)
    elif deal.tiles.key not in TILE_SETS:
        raise ArgumentError(deal.tiles.name, expected=tuple(TILE_SETS))
    for what, number in (("seed", seed), ("check", check)):
        if as_whole(number) is None or whole(number, what) < 0:
            raise ArgumentError(argument=what, value=short_repr(number), expected="0 or more")
    own_filter = load_filter(where) if where else None
    hands_recipe = read_recipe(
        recipe, tiles=deal.tiles, size=deal.size, called=called, rules=deal.rules
    )
    if not hands_recipe.num_hands:
        raise ArgumentError(f"recipe {short_repr(recipe)}: no hands")
    blocks = -(-hands_recipe.num_hands // BLOCK_ROWS)
    if shards is None:
        shards = min(-(-blocks // SHARD_BLOCKS), DEFAULT_MAX_SHARDS)
    most = min(hands_recipe.num_hands, MAX_SHARDS)
    if not 1 <= (as_whole(shards) or 0) <= most:
        raise ArgumentError(
            argument="shards",
            value=short_repr(shards),
            expected=f"1..{most} for {hands_recipe.num_hands} rows",
        )
    chosen = get_labels(labels, hands_recipe.deal, trusted=labels)
    for label in chosen:
        if label.needs_positions and hands_recipe.positions is None:
            raise ArgumentError(
                f"label {shorten(label.name)}: needs what is seen and an opponent",
                argument="recipe",
                value=short_repr(recipe),
                expected="positions:PATH",
            )
    names = tuple(label.name for label in chosen)
    return DatasetPlan(
        recipe=hands_recipe.name,
        tiles=deal.tiles.key,
        size=deal.size,
        called=called,
        rules=deal.rules,
        seed=seed,
        identity=tuple(sorted(hands_recipe.identity.items())),
        num_rows=hands_recipe.num_hands,
        num_shards=shards,
        labels=names,
        engine=engines(chosen),
        splits=read_splits(splits),
        text=text,
        checked=check,
        version=__version__,
        where=where,
        where_code=source_digest(where.rpartition(":")[0]) if where else "",
        trusted=(*names, hands_recipe.name),
        own_labels=tuple(label for label in chosen if label.name == label.plugin),
        own_recipe=None if recipe.strip().partition(":")[0] in RECIPES else hands_recipe,
        own_filter=own_filter,
    )


def _check_rules(rules: RuleSet) -> None:
    """Raise unless a plan with these rules can be read again."""
    try:
        read_rules(rules_document(rules))
    except CertificateError as error:
        raise ArgumentError(f"{error}, so that no dataset can hold them") from None
