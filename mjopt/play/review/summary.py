"""Sums and shares of evaluated discards by seat, turn and deficiency."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.tables import Row, Table
from mjopt.chances.danger.prior import DEFAULT_PRIOR
from mjopt.hands.tiles import FULL, M0, TileSet
from mjopt.play.game.agents.greedy import break_tie
from mjopt.play.game.events import KIND_OF
from mjopt.play.game.moves import Action
from mjopt.play.review.evaluate import CHANCE, DEFICIENCY, DRAWS, Discards, Evaluation
from mjopt.play.review.riichi_wins import WinBasis

SHARES: Final = {
    "best kept": "kept",
    "moves away": "away",
    "copies given up": "given",
    "mean rank": "rank",
    "as deficiency": "as_deficiency",
}
"""Column of the tables and name of the sum that it shows a share of."""
LAST_TURN: Final = 24  # includes later turns
MOST_AWAY: Final = 8

NOT_SAID: Final = "Yaku, points and danger are ignored: 'moves away' may be folding."
BESIDE_DANGER: Final = (
    "Yaku and points are ignored. Danger against players in riichi, a share under "
    f"{DEFAULT_PRIOR}, stands beside the chance to win and is not mixed into it."
)
"""In its place where decisions are judged by the chance to win."""
YARDSTICKS: Final = {
    DEFICIENCY: "Best: least deficiency, then most useful copies; chances to win may differ.",
    DRAWS: "Best: least deficiency, then most useful copies; expected draws may differ.",
    CHANCE: "Lost: chance to win with the own draws that were left, against the best option.",
}
"""A line about each measure."""
WINS_JUDGED: Final = "A win passed up may be declared; in riichi it has a yaku and is not furiten."
WINS_NOT_JUDGED: Final = (
    "Wins passed up are complete and not furiten, yaku not judged: pip install 'mjopt[play]'."
)

NAMES: Final = (
    "discards",  # without those after a ready declaration
    "kept",  # rank 1: least deficiency, then most useful copies
    "away",  # the deficiency rose
    "given",  # useful copies given up if the deficiency did not rise
    "rank",  # sum of the ranks
    "as_deficiency",  # equal to the discard of the agent `deficiency`
    "with_draws",  # discards with known expected draws
    "as_draws",  # discards with the least expected draws
    "with_chance",  # discards whose loss of chance is known
    "lost",  # chance lost by them, in hundredths of a percent
)


@dataclass(slots=True)
class ReviewSummary:
    """Sums over evaluated discards; summaries can be added."""

    # games, rounds, refused: number of games and rounds read, and of refused games
    games: int = 0
    rounds: int = 0
    refused: int = 0
    rounds_refused: int = 0  # rounds of the games read that cannot be read or replayed to their end
    # Discards after a ready declaration; excluded from all sums, because they are forced
    declared: int = 0
    # calls, calls_nearer: chows, pongs and kongs, and those that reduced the deficiency
    calls: int = 0
    calls_nearer: int = 0
    # passed, passed_nearer: number of missed opportunities for a chow, pong or kong, and of those
    # in which some call would have reduced the deficiency
    passed: int = 0
    passed_nearer: int = 0
    # wins_passed, wins_not_judged: number of missed wins, and of those whose yaku are not judged
    wins_passed: int = 0
    wins_not_judged: int = 0
    # Sums of ``NAMES`` by seat, by turn and by least deficiency: dicts from number to list
    by: dict[str, dict[int, list[int]]] = field(
        default_factory=lambda: {"seat": {}, "turn": {}, "deficiency": {}}
    )

    def add(self, judged: Evaluation) -> None:
        """Add evaluated games."""
        discards = judged.discards
        self.games += len(judged.games)
        self.rounds += sum(len(game.rounds) for game in judged.games)
        self.declared += int(discards.declared.sum())
        made = [call for call in judged.calls if call.made]
        self.calls += len(made)
        self.calls_nearer += sum(call.is_nearer for call in made)
        passed = [
            call for call in judged.calls if not call.made and call.called.action is not Action.WIN
        ]
        wins = [call.win for call in judged.calls if call.win is not None]
        self.wins_passed += len(wins) - wins.count(WinBasis.NO_YAKU)
        self.wins_not_judged += wins.count(WinBasis.NOT_JUDGED)
        chances = {(call.game, call.deal, call.event, call.seat, call.is_nearer) for call in passed}
        self.passed += len({chance[:-1] for chance in chances})
        self.passed_nearer += sum(is_nearer for *_, is_nearer in chances)
        chosen = discards.where(~discards.declared)
        if not len(chosen):
            return
        sums = _contributions(chosen)
        groups = {
            "seat": chosen.seat,
            "turn": np.minimum(chosen.turn, LAST_TURN),
            "deficiency": np.minimum(chosen.before, MOST_AWAY),
        }
        for name, numbers in groups.items():
            for number in np.unique(numbers).tolist():
                more = sums[numbers == number].sum(axis=0).tolist()
                self._add(name, number, more)

    def _add(self, name: str, number: int, more: Sequence[int]) -> None:
        before = self.by[name].get(number, [0] * len(NAMES))
        self.by[name][number] = [a + b for a, b in zip(before, more, strict=True)]

    @property
    def calls_told(self) -> str:
        """A summary of all calls in one line."""
        text = f"{self.calls} call{'s' * (self.calls != 1)}"
        text += f", {self.calls_nearer} of them nearer to a win; "
        text += f"{self.passed} passed up, {self.passed_nearer} nearer"
        wins = f"; {self.wins_passed} win{'s' * (self.wins_passed != 1)} passed up"
        return text + wins * bool(self.wins_passed)

    @property
    def wins_told(self) -> str:
        """A sentence about the wins passed up; empty if there are none."""
        if not self.wins_passed:
            return ""
        return WINS_NOT_JUDGED if self.wins_not_judged else WINS_JUDGED

    def join(self, other: "ReviewSummary") -> None:
        """Add the sums of other games."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name, sums in other.by.items():
            for number, more in sums.items():
                self._add(name, number, more)

    @property
    def total(self) -> dict[str, int]:
        """The sums over all seats, by name."""
        sums = self.by["seat"].values()
        return {name: sum(row[column] for row in sums) for column, name in enumerate(NAMES)}

    def to_document(self) -> dict[str, object]:
        """Return a JSON-compatible dictionary with the sums, from which shares can be computed."""
        counts = {name: getattr(self, name) for name in COUNTS}
        groups = {
            f"by_{name}": {
                str(number): dict(zip(NAMES, sums, strict=True))
                for number, sums in sorted(self.by[name].items())
            }
            for name in self.by
        }
        return {**counts, "total": self.total, **groups}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "ReviewSummary":
        """Return the summary of a document."""
        summary = cls(**{name: document[name] for name in COUNTS})
        for group in summary.by:
            for number, sums in document[f"by_{group}"].items():
                summary.by[group][int(number)] = [sums[name] for name in NAMES]
        return summary

    def table(self, group: str, names: Sequence[str] = ()) -> Table:
        """Return a table of shares by ``seat``, ``turn`` or ``deficiency``, with optional names."""
        rows: list[Row] = []
        for number, sums in sorted(self.by[group].items()):
            values = dict(zip(NAMES, sums, strict=True))
            label = str(number)
            if group == "seat" and names:
                label = f"{number} {names[number]}"
            elif number == {"turn": LAST_TURN, "deficiency": MOST_AWAY}.get(group):
                label += "+"
            shares: dict[str, float | None] = {
                column: values[name] / values["discards"] for column, name in SHARES.items()
            }
            if self.total["with_draws"]:
                draws = values["as_draws"] / values["with_draws"] if values["with_draws"] else None
                shares |= {"as draws": draws}
            if self.total["with_chance"]:
                count = 100 * values["with_chance"]
                shares |= {"points lost": values["lost"] / count if count else None}
            rows.append({group: label, "discards": values["discards"], **shares})
        return Table(
            name=f"by-{group}",
            title=f"Discards by {group}",
            rows=rows,
            formats={
                **dict.fromkeys(("best kept", "moves away", "as deficiency", "as draws"), ".1%"),
                **dict.fromkeys(("copies given up", "mean rank", "points lost"), ".2f"),
            },
            optional=("as draws", "points lost", "as deficiency", "mean rank"),
        )


COUNTS: Final = tuple(ReviewSummary.__dataclass_fields__)[:-1]


def _contributions(discards: Discards) -> NDArray[np.int64]:
    """Return the contribution of each discard to the sums, shape ``(N, len(NAMES))``."""
    kinds = np.array(KIND_OF)[discards.discard]
    keeps = ~discards.moves_away
    known = ~np.isnan(discards.draws)
    return np.column_stack(
        [
            np.ones(len(discards), np.int64),
            discards.rank == 1,
            discards.moves_away,
            np.where(keeps, discards.best_copies - discards.copies, 0),
            discards.rank,
            kinds == _agent_choices(discards),
            known,
            known & (discards.draws <= discards.best_draws * (1 + 1e-12)) & keeps,
            ~np.isnan(discards.lost),
            np.rint(np.nan_to_num(discards.lost) * 10_000).astype(np.int64),
        ]
    )


def _agent_choices(discards: Discards) -> NDArray[np.int64]:
    """Return the kind that the agent `deficiency` discards from each hand, shape ``(N,)``.

    The criteria are the least deficiency, the most useful copies, and the rule `outer`.
    """
    tiles = M0 if discards.hand.shape[1] == M0.num_kinds else FULL
    order = _outer_first(tiles)
    score = (discards.left.astype(np.int32) * 1000 - discards.left_copies)[:, order]
    chosen: NDArray[np.int64] = np.array(order)[score.argmin(axis=1)]
    return chosen


def _outer_first(tiles: TileSet) -> list[int]:
    """Return all kinds in the order of preference of `outer`."""
    remaining = list(range(tiles.num_kinds))
    order = []
    while remaining:
        order.append(break_tie(remaining, "outer", tiles=tiles, rng=0))
        remaining.remove(order[-1])
    return order


def summarise(
    judged: Iterable[Evaluation], *, refused: int = 0, rounds_refused: int = 0
) -> ReviewSummary:
    """Return the sums over evaluated games."""
    summary = ReviewSummary(refused=refused, rounds_refused=rounds_refused)
    for evaluation in judged:
        summary.add(evaluation)
    return summary
