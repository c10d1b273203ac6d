"""Judge rules of thumb on many deals; the rows of a dataset store the verdicts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt.datasets.collection import build_collection
from mjopt.datasets.labels.win_chance import ADVICE, RIGHT, RIGHT_FOR_ALL, WRONG, WRONG_FOR_ALL
from mjopt.datasets.plan import DatasetPlan, make_plan
from mjopt.datasets.reader import OpenDataset
from mjopt.datasets.recipes import read_recipe
from mjopt.errors import RecipeError
from mjopt.hands.tiles import M0, TileSet
from mjopt.studies.statistics import Interval, wilson

ROWS: Final = "rows"
DEFICIENCY: Final = "deficiency"
# A kill loses at most one shard: seconds for most hands, one or two minutes for distant ones.
SHARD_ROWS: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAdvice:
    """Proven verdicts on a rule of thumb, for one deficiency and one number of draws.

    Parameters
    ----------
    advice
        ``useful`` (most useful tiles) or ``draws`` (fewest expected draws).
    deficiency, draws
        The deficiency of the hands, and the number of draws to come.
    hands
        Number of hands judged.
    wrong, right
        Number of hands with advice proven wrong, or best, among the plays of the class.
    wrong_for_all, right_for_all
        Number of these hands with a verdict that holds among all ways to play.
    losses
        Lower bounds on the loss of wrong advice, for the largest number of draws; else empty.
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

    def to_document(self) -> dict[str, Any]:
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
    """

    plans: tuple[DatasetPlan, ...]
    draws: int
    waste: int
    judged: tuple[JudgedAdvice, ...]

    @property
    def num_wrong(self) -> int:
        """The number of wrong verdicts over all hands, rules and numbers of draws."""
        return sum(row.wrong for row in self.judged)

    def at(self, draws: int) -> list[JudgedAdvice]:
        """Return the verdicts for one number of draws."""
        return [row for row in self.judged if row.draws == draws]

    def to_document(self) -> dict[str, Any]:
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
            "advice": [row.to_document() for row in self.judged],
        }


def audit_advice(
    recipes: str | Sequence[str],
    folder: Path | str,
    *,
    draws: int = 18,
    waste: int = 1,
    seed: int = 0,
    tiles: TileSet | str = M0,
    jobs: int = 1,
    scheduler: str | None = None,
    begin: Callable[[int], object] = lambda _: None,
    advance: Callable[[int], object] = lambda _: None,
) -> AdviceAudit:
    """Judge common advice on many deals, or resume an interrupted audit.

    There are two rules. The first discards for the least deficiency and then for the most
    useful tiles. The second discards for the fewest expected draws. For 1, 2, ... draws, a
    rule is **proven wrong** on a hand if another discard wins more often than any discard
    that the rule names can.

    Parameters
    ----------
    recipes
        The deals; see :func:`mjopt.datasets.recipes.read_recipe`.
    folder
        The output folder; its folder ``rows`` gets a dataset for each recipe.
    draws, waste
        The largest number of draws, and the waste that the class of plays allows; see
        :func:`mjopt.optimal_play`.
    seed, tiles
        As for :func:`mjopt.datasets.make_plan`.
    jobs, scheduler
        Workers, as for :func:`mjopt.datasets.builder`; the rows do not depend on them.
    begin, advance
        Called with the total number of deals, and with the number done since the last call.

    Raises
    ------
    RecipeError
        If a recipe is unknown, or a deal is too far from a win for this waste.
    DatasetError
        If the folder has other content or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     audit = audit_advice("stratified:4:1=1", name, draws=2)
    >>> [(row.advice, row.hands, row.right_for_all) for row in audit.at(1)]
    [('useful', 4, 4), ('draws', 4, 4)]
    """
    names = [recipes] if isinstance(recipes, str) else [*recipes]
    if not names:
        raise RecipeError("no recipes of deals")
    label = f"advice:{draws}:waste={waste}"
    options: dict[str, Any] = {"seed": seed, "tiles": tiles}
    labels = (DEFICIENCY, label)
    plans = [
        (f"hands-{number}", make_plan(name, labels=labels, shards=_shards(name, tiles), **options))
        for number, name in enumerate(names, 1)
    ]
    begin(sum(plan.num_rows for _, plan in plans))
    rows = Path(folder) / ROWS
    rows.mkdir(parents=True, exist_ok=True)
    build_collection(plans, rows, advance=advance, jobs=jobs, scheduler=scheduler)
    datasets = [OpenDataset.find(rows / name) for name, _ in plans]
    return AdviceAudit(
        plans=tuple(plan for _, plan in plans),
        draws=draws,
        waste=waste,
        judged=tuple(_judged(datasets, draws)),
    )


def _shards(recipe: str, tiles: TileSet | str) -> int:
    """Return the number of shards of a recipe's dataset."""
    return max(1, -(-read_recipe(recipe, tiles=tiles).num_hands // SHARD_ROWS))


def _judged(datasets: Iterable[OpenDataset], draws: int) -> Iterator[JudgedAdvice]:
    """Yield the counts of verdicts, without complete hands, which need no advice."""
    names = [DEFICIENCY]
    for advice in ADVICE:
        names += [f"{advice}_within_{n}" for n in range(1, draws + 1)]
        names.append(f"{advice}_loss_within_{draws}")
    parts: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
    for data in datasets:
        for record in data.manifest["shards"]:
            for values in data.read(record, data.splits[0], names):
                for name, cells in values.items():
                    parts[name].append(cells)
    columns = {name: np.concatenate(cells) for name, cells in parts.items()}
    for advice in ADVICE:
        for deficiency in np.unique(columns[DEFICIENCY]).tolist():
            if not deficiency:
                continue
            which = columns[DEFICIENCY] == deficiency
            losses = columns[f"{advice}_loss_within_{draws}"][which]
            for n in range(1, draws + 1):
                verdicts = columns[f"{advice}_within_{n}"][which]
                yield JudgedAdvice(
                    advice=advice,
                    deficiency=deficiency,
                    draws=n,
                    hands=len(verdicts),
                    wrong=int((verdicts <= WRONG).sum()),
                    right=int((verdicts >= RIGHT).sum()),
                    wrong_for_all=int((verdicts == WRONG_FOR_ALL).sum()),
                    right_for_all=int((verdicts == RIGHT_FOR_ALL).sum()),
                    losses=tuple(losses[losses > 0].tolist()) if n == draws else (),
                )
