"""Judge rules of thumb on many deals; the rows of a dataset store the verdicts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.executor import Workers, open_executor
from mjopt._internal.files import as_path
from mjopt._internal.progress import ignore
from mjopt._internal.sanitize import short_repr
from mjopt._internal.tables import Value
from mjopt._internal.validation import expect_all, whole
from mjopt.chances.ceiling._kernels import STORED_ONE
from mjopt.chances.ceiling.table import BUILD_HINT, CeilingTable, TableKey, find_table
from mjopt.datasets.collection import build_collection
from mjopt.datasets.labels.win_chance import ADVICE, RIGHT, RIGHT_FOR_ALL, WRONG, WRONG_FOR_ALL
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.planner import make_plan
from mjopt.datasets.reader import OpenDataset
from mjopt.datasets.recipes.registry import read_recipe
from mjopt.errors import ArgumentError, FileError
from mjopt.hands.tiles import COPIES, M0, TileSet
from mjopt.play.solitaire.ceiling_play import Kinds, Rule, discard_values
from mjopt.play.solitaire.discard_rules import DiscardRule, read_rules
from mjopt.statistics import Interval, wilson

ROWS: Final = "rows"
HAND: Final = "hand"
DEFICIENCY: Final = "deficiency"
SLICE: Final = 250  # hands of a task
# A kill loses at most one shard: seconds for most hands, one or two minutes for distant ones.
SHARD_ROWS: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAdvice:
    """Proven verdicts on a rule of thumb, for one deficiency and one number of draws.

    Parameters
    ----------
    advice
        ``useful`` (most useful tiles), ``draws`` (fewest expected draws), or another rule.
    deficiency, draws
        The deficiency of the hands, and the number of draws to come.
    hands
        Number of hands judged.
    wrong, right
        Number of hands with advice proven wrong, or best, among the plays of the class or among
        all ways to play.
    wrong_for_all, right_for_all
        Number of these hands with a verdict that holds among all ways to play.
    losses
        Lower bounds on the loss of wrong advice, for the largest number of draws; else empty.
        They hold among the plays of the class, and for other rules among all ways to play.

    Examples
    --------
    >>> import tempfile
    >>> from advice.audit import audit_advice
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     audit = audit_advice("stratified:4:1=1", folder, draws=2)
    >>> row = audit.at(1)[0]
    >>> row.advice, row.hands, row.wrong
    ('useful', 4, 0)
    """

    advice: str
    deficiency: int
    draws: int
    hands: int
    wrong: int
    right: int
    wrong_for_all: int
    right_for_all: int
    losses: tuple[float, ...] = ()

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the share of hands with advice proven wrong."""
        return wilson(self.wrong, self.hands)

    def to_document(self) -> dict[str, Value]:
        """Return plain data, with the interval and the mean and largest loss."""
        document = asdict(self)
        losses = document.pop("losses")
        low, high = self.interval
        return {
            **document,
            "wrong_low": low,
            "wrong_high": high,
            "mean_loss": sum(losses) / len(losses) if losses else None,
            "most_lost": max(losses, default=None),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceAudit:
    """The result of an audit of advice.

    Parameters
    ----------
    plans
        The plans of the datasets: their deals and labels.
    draws, waste
        The largest number of draws, and the waste that the class of plays allows.
    judged
        The verdicts by advice, deficiency and number of draws.
    ceilings
        The names of the ceiling tables by number of draws; empty if none was used.

    Examples
    --------
    >>> import tempfile
    >>> from advice.audit import audit_advice
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     audit = audit_advice("stratified:4:1=1", folder, draws=2)
    >>> audit.draws, audit.rules
    (2, ('useful', 'draws'))
    """

    plans: tuple[DatasetPlan, ...]
    draws: int
    waste: int
    judged: tuple[JudgedAdvice, ...]
    ceilings: Mapping[int, str] = field(default_factory=dict)

    @property
    def num_wrong(self) -> int:
        """The number of wrong verdicts over all hands, rules and numbers of draws."""
        return sum(row.wrong for row in self.judged)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules judged."""
        return tuple(dict.fromkeys(row.advice for row in self.judged))

    def at(self, draws: int) -> list[JudgedAdvice]:
        """Return the verdicts for one number of draws."""
        return [row for row in self.judged if row.draws == draws]

    def to_document(self) -> dict[str, object]:
        """Return the audit as plain data."""
        first = self.plans[0]
        return {
            "recipes": [plan.recipe for plan in self.plans],
            "tiles": first.deal.tiles.name,
            "seed": first.seed,
            "engine": first.engine,
            "hands": sum(plan.num_rows for plan in self.plans),
            "draws": self.draws,
            "waste": self.waste,
            "ceilings": {str(draws): name for draws, name in self.ceilings.items()},
            "advice": [row.to_document() for row in self.judged],
        }


def audit_advice(
    recipes: str | Sequence[str],
    folder: Path | str,
    *,
    draws: int = 18,
    waste: int = 1,
    ceiling: bool = False,
    rules: Sequence[str] = (),
    seed: int = 0,
    tiles: TileSet | str = M0,
    jobs: int = 1,
    scheduler: str | None = None,
    begin: Callable[[int], object] = ignore,
    advance: Callable[[int], object] = ignore,
) -> AdviceAudit:
    """Judge common advice on many deals, or resume an interrupted audit.

    There are two rules. The first discards for the least deficiency and then for the most
    useful tiles. The second discards for the fewest expected draws. For 1, 2, ... draws, a
    rule is **proven wrong** on a hand if another discard wins more often than any discard
    that the rule names can: in the class of plays, and with ceiling tables for all ways to play.

    Parameters
    ----------
    recipes
        The deals; see :func:`mjopt.datasets.read_recipe`.
    folder
        The output folder; its folder ``rows`` gets a dataset for each recipe.
    draws, waste
        The largest number of draws, and the waste that the class of plays allows; see
        :func:`mjopt.optimal_play`.
    ceiling
        Also decide by the ceiling tables in the user's data folder. The rows do not depend on
        them, so they can be used later.
    rules
        More rules to judge by ceilings, for all ways to play only; see
        :func:`mjopt.play.solitaire.discard_rules.read_rule`.
    seed, tiles
        As for :func:`mjopt.datasets.make_plan`.
    jobs, scheduler
        Workers, as for :func:`mjopt.datasets.builder`; the rows do not depend on them.
    begin, advance
        Called with the total number of deals, once more for each of ``rules``, and with the number
        done since the last call.

    Raises
    ------
    ArgumentError
        If a recipe or a rule is unknown, a deal is too far from a win for this waste, or a rule
        fails.
    FileError
        If the folder has other content or cannot be written, no ceiling table has been built, or
        the file of a rule cannot be loaded.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     audit = audit_advice("stratified:4:1=1", name, draws=2)
    >>> [(row.advice, row.hands, row.right_for_all) for row in audit.at(1)]
    [('useful', 4, 4), ('draws', 4, 4)]
    """
    names = [recipes] if isinstance(recipes, str) else expect_all(recipes, str, "recipes")
    if not names:
        raise ArgumentError("no recipes of deals")
    label = f"advice:{short_repr(whole(draws, 'draws'))}:waste={short_repr(whole(waste, 'waste'))}"
    labels = (DEFICIENCY, label)
    plans = [
        (
            f"hands-{number}",
            make_plan(name, labels=labels, shards=_shards(name, tiles), seed=seed, tiles=tiles),
        )
        for number, name in enumerate(names, 1)
    ]
    deal = plans[0][1].deal
    tables = _find_tables(deal.tiles, draws) if ceiling else {}
    others = _read_rules(rules, deal.tiles, draws, has_tables=ceiling)
    num_rows = sum(plan.num_rows for _, plan in plans)
    begin((1 + len(others)) * num_rows)
    rows = as_path(folder, "folder") / ROWS
    rows.mkdir(parents=True, exist_ok=True)
    build_collection(plans, rows, advance=advance, jobs=jobs, scheduler=scheduler)
    hands = _read_hands([OpenDataset.find(rows / name) for name, _ in plans], draws)
    if others:
        advance(len(others) * (num_rows - len(hands.counts)))  # complete hands need no rule
    verdicts = _class_verdicts(hands, draws)
    if tables:
        with open_executor(jobs if others else 1, scheduler=scheduler) as workers:
            chosen = {
                rule.name: _ChosenDiscards(rule, hands.counts, workers, advance) for rule in others
            }
            _judge_by_ceilings(verdicts, hands, tables, chosen)
    return AdviceAudit(
        plans=tuple(plan for _, plan in plans),
        draws=draws,
        waste=waste,
        judged=tuple(_count(verdicts, hands.deficiency, draws)),
        ceilings={n: table.path.name for n, table in tables.items()},
    )


def _shards(recipe: str, tiles: TileSet | str) -> int:
    """Return the number of shards of a recipe's dataset."""
    return max(1, -(-read_recipe(recipe, tiles=tiles).num_hands // SHARD_ROWS))


def _find_tables(tiles: TileSet, draws: int) -> dict[int, CeilingTable]:
    """Return the closest ceiling table for each number of draws that has one."""
    found = {n: find_table(tiles, draws=n) for n in range(1, draws + 1)}
    tables = {n: table for n, table in found.items() if table is not None}
    if not tables:
        key = TableKey(tiles=tiles.key, draws=draws, all_layers=True)
        raise FileError(f"no ceiling table ({key.describe()})", hint=BUILD_HINT)
    return tables


def _read_rules(
    names: Sequence[str], tiles: TileSet, draws: int, *, has_tables: bool
) -> list[DiscardRule]:
    """Return the rules to judge besides the two of the rows."""
    for name in names:
        if name in ADVICE:
            raise ArgumentError(f"rule {name} is judged without being named")
    if names and not has_tables:
        raise ArgumentError(
            f"rule {short_repr(names[0])}: only ceilings judge it", expected="ceiling=True"
        )
    return read_rules(names, tiles=tiles, draws=draws)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hands:
    """The rows of all datasets, without complete hands, which need no advice."""

    counts: NDArray[np.uint8]
    deficiency: NDArray[np.int8]
    columns: dict[str, NDArray[Any]]


def _read_hands(datasets: Iterable[OpenDataset], draws: int) -> _Hands:
    names = [HAND, DEFICIENCY]
    for advice in ADVICE:
        names += [f"{advice}_within_{n}" for n in range(1, draws + 1)]
        names += [f"{advice}_loss_within_{draws}", f"{advice}_discards"]
    for n in range(1, draws + 1):
        names += [f"best_within_{n}", f"best_lower_within_{n}"]
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
    for data in datasets:
        for record in data.manifest["shards"]:
            for values in data.read(record, data.splits[0], names):
                for name, cells in values.items():
                    parts[name].append(cells)
    columns = {name: np.concatenate(cells) for name, cells in parts.items()}
    is_open = columns[DEFICIENCY] > 0
    columns = {name: cells[is_open] for name, cells in columns.items()}
    counts = columns.pop(HAND).astype(np.uint8)
    return _Hands(counts=counts, deficiency=columns.pop(DEFICIENCY), columns=columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdicts:
    """The verdicts on one rule: shape (N, draws), and the least loss at the last number."""

    of_draws: NDArray[np.int8]
    losses: NDArray[np.float64]


def _class_verdicts(hands: _Hands, draws: int) -> dict[str, _Verdicts]:
    """Return the verdicts stored in the rows."""
    return {
        advice: _Verdicts(
            of_draws=np.column_stack(
                [hands.columns[f"{advice}_within_{n}"] for n in range(1, draws + 1)]
            ),
            losses=hands.columns[f"{advice}_loss_within_{draws}"],
        )
        for advice in ADVICE
    }


class _ChosenDiscards:
    """The discards of a rule, computed once unless they depend on the number of draws."""

    def __init__(
        self,
        rule: DiscardRule,
        hands: NDArray[np.uint8],
        workers: Workers,
        advance: Callable[[int], object],
    ) -> None:
        self._rule, self._hands, self._workers, self._advance = rule, hands, workers, advance
        self._named: NDArray[np.bool_] | None = None

    def within(self, draws: int) -> NDArray[np.bool_]:
        """Return which kinds the rule names, shape (N, K)."""
        if self._named is None or self._rule.uses_draws:
            is_first = self._named is None
            self._named = np.zeros(self._hands.shape, np.bool_)
            parts = (
                self._hands[start : start + SLICE] for start in range(0, len(self._hands), SLICE)
            )
            begin = 0
            for kinds in self._workers.map(partial(_choose, self._rule.choose, draws), parts):
                self._named[np.arange(begin, begin + len(kinds)), kinds] = True
                begin += len(kinds)
                if is_first:
                    self._advance(len(kinds))
        return self._named


def _choose(rule: Rule, draws: int, hands: NDArray[np.uint8]) -> Kinds:
    """Apply a rule to hands whose other tiles are all in the wall."""
    return rule(hands, (COPIES - hands).astype(np.uint8), draws)


def _judge_by_ceilings(
    verdicts: dict[str, _Verdicts],
    hands: _Hands,
    tables: Mapping[int, CeilingTable],
    chosen: Mapping[str, _ChosenDiscards],
) -> None:
    """Decide for all ways to play where ceilings suffice.

    A rule is wrong if the best lower bound of a discard that it does not name exceeds the ceilings
    of all discards that it names, and right if it names that discard and no other has a ceiling
    above the bound.
    """
    rows, kinds = np.arange(len(hands.counts)), np.arange(hands.counts.shape[1], dtype=np.uint64)
    shape = verdicts[ADVICE[0]].of_draws.shape
    for name in chosen:
        verdicts[name] = _Verdicts(of_draws=np.zeros(shape, np.int8), losses=np.zeros(len(rows)))
    for n, table in tables.items():
        ceilings = discard_values(table, hands.counts, n)
        best = hands.columns[f"best_within_{n}"].astype(np.int64)
        lower = hands.columns[f"best_lower_within_{n}"] * (STORED_ONE * (1 - 2**-50))
        for name, judged in verdicts.items():
            if name in chosen:
                named = chosen[name].within(n)
            else:
                masks = hands.columns[f"{name}_discards"].astype(np.uint64)
                named = (masks[:, None] >> kinds & np.uint64(1)).astype(np.bool_)
            ours = np.where(named, ceilings, -1).max(axis=1)
            others = np.where(named, -1, ceilings).max(axis=1)
            names_best = named[rows, best]
            is_wrong = ~names_best & (lower > ours)
            judged.of_draws[is_wrong, n - 1] = WRONG_FOR_ALL
            judged.of_draws[names_best & (lower >= others), n - 1] = RIGHT_FOR_ALL
            if name in chosen and n == shape[1]:
                judged.losses[is_wrong] = (lower - ours)[is_wrong] / STORED_ONE


def _count(
    verdicts: Mapping[str, _Verdicts], deficiencies: NDArray[np.int8], draws: int
) -> Iterator[JudgedAdvice]:
    """Yield the counts of verdicts."""
    for advice, judged in verdicts.items():
        for deficiency in np.unique(deficiencies).tolist():
            which = deficiencies == deficiency
            losses = judged.losses[which]
            for n in range(1, draws + 1):
                found = judged.of_draws[which, n - 1]
                yield JudgedAdvice(
                    advice=advice,
                    deficiency=deficiency,
                    draws=n,
                    hands=len(found),
                    wrong=int((found <= WRONG).sum()),
                    right=int((found >= RIGHT).sum()),
                    wrong_for_all=int((found == WRONG_FOR_ALL).sum()),
                    right_for_all=int((found == RIGHT_FOR_ALL).sum()),
                    losses=tuple(losses[losses > 0].tolist()) if n == draws else (),
                )
