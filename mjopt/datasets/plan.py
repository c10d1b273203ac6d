"""The plan of a dataset: everything that its rows depend on."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from mjopt._internal.sanitize import short_repr, shorten
from mjopt.datasets.labels.base import DatasetColumn, Label, position_columns
from mjopt.datasets.labels.registry import get_labels
from mjopt.datasets.recipes.base import BLOCK_ROWS, Deal, HandRecipe
from mjopt.datasets.recipes.registry import RECIPES, is_from_file, read_recipe
from mjopt.datasets.row_filter import Filter
from mjopt.datasets.splits import Splits
from mjopt.errors import CertificateError, FileError
from mjopt.hands.rules.document import rules_digest, rules_document
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import TILE_SETS
from mjopt.proofs.native_forms import read_rules

FORMAT: Final = "mjopt-dataset"
SCHEMA_VERSION: Final = 1
FILE_FORMAT: Final = "parquet"


@dataclass(frozen=True, kw_only=True)
class DatasetPlan:
    """The plan of a dataset, made and validated by :func:`make_plan`.

    Parameters
    ----------
    recipe, tiles, size, called
        The hands, as for :func:`mjopt.datasets.read_recipe`; the tile set by its short name.
    seed
        Seed of recipes that draw.
    identity
        Data that the hands depend on besides the recipe's text, such as the digest of a file.
    num_rows
        Number of hands.
    num_shards
        Number of parts, each with a file per split.
    labels
        Names of the labels.
    engine
        Methods that compute the labels, with versions.
    splits
        Names and shares.
    text
        Whether there is a column with the hands as mpsz text.
    checked
        Random rows of each shard whose labels are recomputed with a second method.
    version
        Version of the package.
    where, where_code
        Name of the filter of the hands, ``FILE.py:FUNCTION``, and the digest of its code; empty
        without one. Rows keep the number that the hand has in the recipe.
    rules
        The rule set, if it is not hands of 14 tiles without further rules.
    trusted
        The labels and the recipe that the user has named, which can load a plug-in or read a file;
        a plan that was read from a folder has none.
    own_labels
        Labels that are not built in; those of a plan that was read from a folder compute nothing.
    own_recipe
        The recipe, if it is not built in; None in a plan that was read from a folder.
    own_filter
        The filter; None in a plan that was read from a folder.

    Examples
    --------
    >>> from mjopt.datasets import make_plan
    >>> plan = make_plan("deals:100", seed=1)
    >>> plan.num_rows, plan.labels, [column.name for column in plan.columns()]
    (100, ('deficiency',), ['row', 'hand', 'text', 'deficiency', 'engine'])
    >>> make_plan("deals:100", rules="taiwan").deal.num_tiles
    17
    """

    recipe: str
    tiles: str
    size: int
    called: int
    seed: int
    identity: tuple[tuple[str, object], ...]
    num_rows: int
    num_shards: int
    labels: tuple[str, ...]
    engine: str
    splits: Splits
    text: bool
    checked: int
    version: str
    where: str = ""
    where_code: str = ""
    rules: RuleSet | None = None
    trusted: tuple[str, ...] = field(default=(), repr=False, compare=False)
    own_labels: tuple[Label, ...] = field(default=(), repr=False, compare=False)
    own_recipe: HandRecipe | None = field(default=None, repr=False, compare=False)
    own_filter: Filter | None = field(default=None, repr=False, compare=False)

    @property
    def deal(self) -> Deal:
        """Tile set and size of the hands."""
        tiles = TILE_SETS[self.tiles] if self.rules is None else self.rules.tiles
        return Deal(tiles=tiles, size=self.size, called=self.called, rules=self.rules)

    @property
    def hand_recipe(self) -> HandRecipe:
        """The recipe; FileError if its hands have changed since the plan was made."""
        recipe = self.own_recipe
        if recipe is None:
            if self.needs_recipe and self.recipe not in self.trusted:
                raise FileError(
                    f"recipe {shorten(self.recipe)}: of a stored dataset, only a recipe that you "
                    "name yourself is loaded or read"
                )
            identity = repr(self.identity)  # a file may have changed since it was last read
            digest = "" if self.rules is None else rules_digest(self.rules)
            recipe = _read(self.recipe, self.deal, identity, digest)
        if tuple(sorted(recipe.identity.items())) != self.identity:
            raise FileError(f"recipe {self.recipe}: its hands have changed since the build began")
        return recipe

    @property
    def needs_recipe(self) -> bool:
        """Whether the hands come from a file or a user's code, which the dataset only names."""
        return self.recipe.partition(":")[0] not in RECIPES or is_from_file(self.recipe)

    def label_list(self) -> tuple[Label, ...]:
        """Return the labels."""
        return get_labels(self.labels, self.deal, trusted=self.trusted, own=self.own_labels)

    def columns(self) -> tuple[DatasetColumn, ...]:
        """Return every column, in order."""
        columns = [
            DatasetColumn("row", "int64", "number of the hand in the recipe"),
            DatasetColumn("hand", "hand", "copies held per kind"),
        ]
        if self.text:
            columns.append(DatasetColumn("text", "string", "the hand in mpsz notation"))
        if self.has_positions:
            columns += position_columns(self.deal.tiles)
        columns += (
            column for label in self.label_list() for column in label.typed_columns(self.deal)
        )
        if self.is_weighted:
            meaning = "weight of the hand in statistics of uniform deals"
            columns.append(DatasetColumn("weight", "float64", meaning))
        columns.append(
            DatasetColumn("engine", "string", "methods that computed the labels, with versions")
        )
        return tuple(columns)

    @property
    def is_weighted(self) -> bool:
        """Whether hands have different weights in statistics of deals."""
        return self.recipe.startswith("stratified:")

    @property
    def has_positions(self) -> bool:
        """Whether each hand has a position: what its player sees, and what an opponent shows."""
        return self.recipe.startswith("positions:")

    def shard_rows(self, shard: int) -> tuple[int, int]:
        """Return the first row of a shard, and the first row after it.

        Shards consist of whole blocks of the recipe, if there are enough blocks.
        """
        blocks = -(-self.num_rows // BLOCK_ROWS)
        units, size = (blocks, BLOCK_ROWS) if self.num_shards <= blocks else (self.num_rows, 1)
        edges = [units * s // self.num_shards * size for s in (shard, shard + 1)]
        return edges[0], min(edges[1], self.num_rows)

    def file_name(self, split: str, shard: int) -> str:
        """Return the name of a file in the folder ``data``."""
        return f"{split}-{shard:05d}-of-{self.num_shards:05d}.{FILE_FORMAT}"

    def to_document(self) -> dict[str, object]:
        """Return the plan as JSON data."""
        # The frozen record holds tuples in place of lists and dictionaries.
        fields = {key: kind(getattr(self, name)) for key, (name, kind) in _FIELDS.items()}
        head = {"format": FORMAT, "schema_version": SCHEMA_VERSION, "mjopt": self.version}
        own = {label.name: label.columns_document for label in self.own_labels}
        where = {"where": self.where, "where_code": self.where_code}
        return {
            **head,
            **fields,
            "file_format": FILE_FORMAT,
            **({"own_labels": own} if own else {}),
            **(where if self.where else {}),
            **({} if self.rules is None else {"rules": rules_document(self.rules)}),
        }

    @classmethod
    def from_document(cls, document: object, where: str) -> "DatasetPlan":
        """Read a plan from JSON data.

        Raises
        ------
        FileError
            If the data are not a plan, or of another version or file format.
        """
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise FileError(f"{where}: not the plan of a dataset by mjopt")
        if document.get("schema_version") != SCHEMA_VERSION:
            raise FileError(
                f"{where}: schema version {document.get('schema_version')}",
                expected=str(SCHEMA_VERSION),
            )
        for key, (_, kind) in _FIELDS.items():
            if type(document.get(key)) is not kind:
                raise FileError(
                    f"{where}: {key} {short_repr(document.get(key))}", expected=kind.__name__
                )
        rules = _stored_rules(document, where)
        if (
            document["tiles"] not in TILE_SETS
            if rules is None
            else document["tiles"] != rules.tiles.key
        ):
            raise FileError(f"{where}: unknown tiles {short_repr(document['tiles'])}")
        if document.get("file_format") != FILE_FORMAT:
            raise FileError(
                f"{where}: file_format {short_repr(document.get('file_format'))}",
                expected=repr(FILE_FORMAT),
            )
        if not document["splits"] or document["rows"] < 1 or document["shards"] < 1:
            raise FileError(f"{where}: a plan without rows, shards or splits")
        try:
            own = document.get("own_labels", {}).items()
            own_labels = tuple(Label.from_columns(name, columns) for name, columns in own)
        except (AttributeError, TypeError):
            raise FileError(f"{where}: own_labels", expected="columns by label") from None
        for key in ("where", "where_code"):
            if not isinstance(document.get(key, ""), str):
                raise FileError(f"{where}: {key} {short_repr(document[key])}", expected="str")
        values = {name: document[key] for key, (name, _) in _FIELDS.items()}
        values["identity"] = tuple(sorted(values["identity"].items()))
        values["splits"] = tuple(values["splits"].items())
        values["labels"] = tuple(values["labels"])
        return cls(
            **values,
            where=document.get("where", ""),
            where_code=document.get("where_code", ""),
            rules=rules,
            own_labels=own_labels,
        )


def _stored_rules(document: dict[str, Any], where: str) -> RuleSet | None:
    """Return the rule set that a plan defines; no file is read."""
    if "rules" not in document:
        return None
    try:
        return read_rules(document["rules"])
    except CertificateError as error:
        raise FileError(f"{where}: {error}") from None


_FIELDS: Final[dict[str, tuple[str, type]]] = {
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
    "checked_per_shard": ("checked", int),
    "mjopt": ("version", str),
}
"""Keys of the JSON document, with the name and the type of each field."""


@lru_cache(maxsize=4)
def _read(recipe: str, deal: Deal, _identity: str, _digest: str) -> HandRecipe:
    return read_recipe(
        recipe, tiles=deal.tiles, size=deal.size, called=deal.called, rules=deal.rules
    )
