"""Rank rules for discards by the deals that they win alone, beside the ceiling of all plays."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.executor import open_executor
from mjopt._internal.files import atomic_write, lock_folder, sha256_of
from mjopt._internal.progress import ignore
from mjopt._internal.sanitize import short_repr
from mjopt._internal.tables import SHARE, Row, Table, Value
from mjopt._internal.unit_store import UnitStore, claim_run
from mjopt._internal.validation import whole
from mjopt.audits.export import write_summary
from mjopt.chances.ceiling.table import MAX_DRAWS, find_table
from mjopt.errors import ArgumentError
from mjopt.hands.tiles import M0, TileSet, as_tiles
from mjopt.play.solitaire.ceiling_play import (
    CHUNK,
    Counts,
    PlayedDeals,
    Rule,
    deal_walls,
    play_decks,
)
from mjopt.play.solitaire.discard_rules import RULES, DiscardRule, read_rules
from mjopt.statistics import Interval, bootstrap_mean, wilson

MAX_DEALS: Final = 1_000_000_000
SLICE: Final = 500
"""Deals of a task. It divides CHUNK, so that a task needs the walls of one chunk."""

FLUSH_SECONDS: Final = 5.0
"""Minimum seconds between two writes of a rule's deals."""

CONFIG: Final = "solitaire.json"
DEALS: Final = "deals"
HAND_SIZE: Final = 14

Wins = NDArray[np.int8]
"""Number of draws after which each deal is won, or -1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRule(PlayedDeals):
    """The deals that a rule wins, and its place among others."""

    name: str
    # Share of deals that the best rule wins and this one does not, less the share of the reverse,
    # for the largest number of draws.
    behind: float
    # Its 95 % interval, by a bootstrap over deals; the same deals make it narrow.
    behind_interval: Interval

    def interval(self, draws: int) -> Interval:
        """Wilson's 95 % interval of the share."""
        return wilson(self.wins[draws], self.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRanking:
    """Rules ranked by the deals that they win, the best first."""

    tiles: str  # name of the tile set
    seed: int  # of the deals
    draws: int  # the largest number
    rules: tuple[RankedRule, ...]
    # For some numbers of draws, the mean ceiling over all deals: no way to play wins a greater
    # share. Empty without a ceiling table.
    ceilings: Mapping[int, float]

    @property
    def shown_draws(self) -> list[int]:
        """A third, two thirds and all of the draws."""
        return shown_draws(self.draws)

    def to_document(self) -> dict[str, object]:
        """Return the ranking as plain data."""
        return {
            "tiles": self.tiles,
            "seed": self.seed,
            "deals": self.rules[0].deals,
            "draws": self.draws,
            "ceilings": {str(draws): mean for draws, mean in self.ceilings.items()},
            "rules": [
                {
                    "rule": row.name,
                    "wins": list(row.wins),
                    "share": row.share(self.draws),
                    "interval": [*row.interval(self.draws)],
                    "behind": row.behind,
                    "behind_interval": [*row.behind_interval],
                }
                for row in self.rules
            ],
        }

    def to_table(self) -> Table:
        """Return the ranking as a table, the ceiling above the rules."""
        most = self.draws
        ceiling = self.ceilings.get(most)
        within = {f"within {draws}": draws for draws in self.shown_draws}
        others = ("low", "high", "below the ceiling", "behind the first", "from", "to")
        rows: list[Row] = []
        if self.ceilings:
            means: dict[str, Value] = {name: self.ceilings.get(n) for name, n in within.items()}
            rows.append({"rule": "no play wins more", **means, **dict.fromkeys(others)})
        for row in self.rules:
            below = None if ceiling is None else ceiling - row.share(most)
            behind = (row.behind, *row.behind_interval) if row.behind else (None,) * 3
            values = (*row.interval(most), below, *behind)
            shares = {name: row.share(draws) for name, draws in within.items()}
            rows.append({"rule": row.name, **shares, **dict(zip(others, values, strict=True))})
        return Table(
            name="ranking",
            title=f"Deals won alone, of {self.rules[0].deals:,}",
            rows=rows,
            formats=dict.fromkeys((*within, "low", "high"), SHARE)
            | dict.fromkeys(("below the ceiling", "behind the first", "from", "to"), "+.2%"),
            notes=(
                f"Low and high: Wilson's 95 % interval for {most} draws. Behind the first, from, "
                "to: the difference on the same deals, with its 95 % interval.",
            ),
            optional=("from | to", "low | high", "below the ceiling"),
        )


def shown_draws(draws: int) -> list[int]:
    """Return a third, two thirds and all of some draws.

    Examples
    --------
    >>> shown_draws(18), shown_draws(2)
    ([6, 12, 18], [1, 2])
    """
    return sorted({-(-draws * third // 3) for third in (1, 2, 3)})


def rank_rules(
    rules: Iterable[str],
    *,
    deals: int = 10_000,
    draws: int = 18,
    tiles: TileSet | str = M0,
    seed: int = 0,
    folder: Path | str | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    begin: Callable[[int], object] = ignore,
    advance: Callable[[int], object] = ignore,
) -> RuleRanking:
    """Play the same random deals alone with each rule, without calls.

    Parameters
    ----------
    rules
        A name or several; see :func:`mjopt.play.solitaire.discard_rules.read_rule`.
    deals
        Number of deals. With more deals, the first ones stay the same.
    draws
        Number of draws after the first discard.
    tiles, seed
        The tile set, and the seed of the deals.
    folder
        Keeps the deals that each rule has won. An interrupted ranking resumes there, and more
        deals and rules can be added later. The deals of a rule whose code or table has changed
        are played again.
    jobs, scheduler
        Workers, as for :func:`mjopt.datasets.builder`; the result does not depend on them.
    begin, advance
        Called with the total number of deals over all rules, and with the number done since the
        last call.

    Raises
    ------
    ArgumentError
        If a rule is unknown or named twice, fails, or discards a tile that the hand does not hold,
        or a number is out of range.
    FileError
        If a rule needs a ceiling table that has not been built, or the folder has deals of
        another seed, tile set or number of draws, or a user's rule cannot be loaded.

    Examples
    --------
    >>> ranking = rank_rules(["deficiency", "useful"], deals=500, draws=12)
    >>> [row.name for row in ranking.rules]
    ['useful', 'deficiency']
    """
    tiles = as_tiles(tiles)
    if not 1 <= whole(deals, "deals") <= MAX_DEALS:
        raise ArgumentError(argument="deals", value=short_repr(deals), expected=f"1..{MAX_DEALS}")
    if not 1 <= whole(draws, "draws") <= MAX_DRAWS:
        raise ArgumentError(argument="draws", value=short_repr(draws), expected=f"1..{MAX_DRAWS}")
    if whole(seed, "seed") < 0:
        raise ArgumentError(argument="seed", value=str(seed), expected="0 or more")
    chosen = read_rules([rules] if isinstance(rules, str) else rules, tiles=tiles, draws=draws)
    if not chosen:
        raise ArgumentError(
            "no rules", expected=f"one or more of {', '.join(RULES)}, FILE.py:FUNCTION"
        )
    config = {"tiles": tiles.key, "draws": draws, "seed": seed}
    place = None if folder is None else Path(folder)
    with nullcontext() if place is None else lock_folder(place):
        if place is not None:
            claim_run(place, CONFIG, config, what="ranking of rules")
        stores = [_RuleDeals(rule, config, place) for rule in chosen]
        begin(deals * len(stores))
        with open_executor(
            min(whole(jobs, "jobs"), -(-deals // SLICE)), scheduler=scheduler
        ) as workers:
            for store in stores:
                advance(min(len(store.wins), deals))
                play = partial(_play_slice, store.rule.choose, tiles, draws, seed)
                try:
                    for wins in workers.map(play, _slices(len(store.wins), deals)):
                        store.append(wins)
                        advance(len(wins))
                finally:
                    store.flush()
    wins_of = {store.rule.name: store.wins[:deals] for store in stores}
    return _rank(wins_of, tiles=tiles, seed=seed, draws=draws)


def _slices(done: int, deals: int) -> Iterator[tuple[int, int]]:
    """Yield the first deal and the end of each task."""
    while done < deals:
        stop = min((done // SLICE + 1) * SLICE, deals)
        yield done, stop
        done = stop


def _play_slice(rule: Rule, tiles: TileSet, draws: int, seed: int, ends: tuple[int, int]) -> Wins:
    """Play some deals of one chunk."""
    chunk, first = divmod(ends[0], CHUNK)
    decks = _deal(tiles, HAND_SIZE + draws, seed, chunk)
    return play_decks(rule, decks[first : first + ends[1] - ends[0]], tiles=tiles)


@lru_cache(maxsize=1)
def _deal(tiles: TileSet, length: int, seed: int, chunk: int) -> Counts:
    """Return the walls of a chunk, which several tasks need one after the other."""
    return deal_walls(tiles, CHUNK, length, (seed, chunk))


class _RuleDeals:
    """The deals that a rule has won, in memory and perhaps in a folder.

    Deals of another configuration of the ranking, or of another version of the rule, are played
    again.
    """

    def __init__(
        self, rule: DiscardRule, config: Mapping[str, object], folder: Path | None
    ) -> None:
        self.rule = rule
        self.wins: Wins = np.empty(0, np.int8)  # the result of each deal so far
        self._parts: list[Wins] = []
        self._store, self._last_write = None, monotonic()
        if folder is not None:
            self._store = UnitStore(folder / DEALS, [config, rule.name, rule.version])
            if unit := self._store.get(_key(rule.name)):
                self.wins = np.frombuffer(unit.content, np.int8)

    def append(self, wins: Wins) -> None:
        """Add the results of the next deals."""
        self._parts.append(wins)
        if monotonic() > self._last_write + FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write all deals."""
        if not self._parts:
            return
        self.wins = np.concatenate([self.wins, *self._parts])
        self._parts.clear()
        if self._store is not None:
            self._store.write(_key(self.rule.name), {"rule": self.rule.name}, self.wins.tobytes())
        self._last_write = monotonic()


def _key(name: str) -> str:
    """Return the key of a rule: its name if that is safe in a file name."""
    safe = re.sub("[^A-Za-z0-9._-]+", "-", name)
    return safe if safe == name else f"{safe[-100:]}-{sha256_of(name.encode())[:8]}"


def _rank(wins_of: Mapping[str, Wins], *, tiles: TileSet, seed: int, draws: int) -> RuleRanking:
    """Return the rules with the most wins first."""
    names = sorted(wins_of, key=lambda name: -int((wins_of[name] >= 0).sum()))
    best = wins_of[names[0]] >= 0
    rows = []
    for name in names:
        wins = wins_of[name]
        behind = best.astype(np.int8) - (wins >= 0)
        rows.append(
            RankedRule(
                name=name,
                deals=len(wins),
                wins=tuple(np.bincount(wins[wins >= 0], minlength=draws + 1).cumsum().tolist()),
                behind=float(behind.mean()),
                behind_interval=bootstrap_mean(behind, rng=seed),
            )
        )
    ceilings = {}
    for number in shown_draws(draws):
        if (table := find_table(tiles, draws=number)) is not None:
            ceilings[number] = table.means[number]
    return RuleRanking(
        tiles=tiles.name, seed=seed, draws=draws, rules=tuple(rows), ceilings=ceilings
    )


def write_ranking(ranking: RuleRanking, folder: Path) -> None:
    """Write ``ranking.csv`` and ``summary.json``."""
    atomic_write(folder / "ranking.csv", ranking.to_table().to_csv())
    write_summary(folder, ranking.to_document())
