"""Results of battles: one row for every game and round."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.optional_deps import need
from mjopt.play.game.play import GameResult
from mjopt.play.game.rules import GMJBG, GameRules, Multipliers
from mjopt.play.game.state import Ending
from mjopt.play.tournaments.config import BattleConfig

if TYPE_CHECKING:
    import pandas as pd

ENDINGS: Final = tuple(Ending)
FAULTS: Final = ("", "crash", "illegal", "slow", "table")

ROW: Final = np.dtype(
    [
        ("game", "<u8"),
        ("round", "u1"),
        ("dealer", "u1"),
        ("ending", "u1"),  # index into ENDINGS
        ("fault", "u1"),  # index into FAULTS; the payer committed it, no payer if the table failed
        ("winners", "u1"),  # one bit a seat
        ("payer", "i1"),
        ("kind", "i1"),
        ("turn", "<i2"),
        ("calls", "<i2", (4,)),
        ("scores", "<i4", (4,)),
    ]
)
"""One game in one round; arrays run over seats, not entrants."""

ROW_WITH_MULTIPLIERS: Final = np.dtype([*ROW.descr, ("multipliers", "<i2", (4,))])
"""The same for rules with multipliers: that of each winner, 0 for all other seats."""

Rows = NDArray[np.void]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True, eq=False)
class Battle:
    """The result of a battle.

    Parameters
    ----------
    config
        Its configuration.
    rows
        One row a game and round, with the fields of :data:`ROW`.
    names
        The names of the four entrants.
    faults
        Broken games, one line each.

    Examples
    --------
    >>> import mjopt
    >>> result = mjopt.play.battle(["l1", "random", "l1", "random"], seed=1, games=4)
    >>> len(result.rows), result.names, result.faults
    (16, ('l1', 'random', 'l1', 'random'), [])
    """

    config: BattleConfig
    rows: "Rows" = field(repr=False)
    names: tuple[str, ...]
    faults: list[str] = field(default_factory=list)

    def to_frame(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame; arrays over seats become four columns each.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        need("pandas", extra="experiments")
        import pandas as pd

        columns = {}
        for name in self.rows.dtype.names or ():
            values = self.rows[name]
            if values.ndim == 1:
                columns[name] = values
            else:
                columns |= {f"{name}_{seat}": values[:, seat] for seat in range(4)}
        frame = pd.DataFrame(columns)
        frame["ending"] = pd.Categorical.from_codes(frame["ending"], [e.value for e in ENDINGS])
        frame["fault"] = pd.Categorical.from_codes(frame["fault"], FAULTS)
        return frame


def row_type(rules: GameRules) -> np.dtype[np.void]:
    """Return the fields of a row for some rules."""
    return ROW if rules.multipliers == Multipliers() else ROW_WITH_MULTIPLIERS


def empty_rows(number: int, rules: GameRules = GMJBG) -> Rows:
    """Return rows of zeros."""
    return np.zeros(number, row_type(rules))


def fill_row(row: np.void, game: int, round_: int, result: GameResult) -> None:
    """Write the result of a game into a row."""
    outcome = result.outcome
    row["game"], row["round"], row["dealer"] = game, round_, result.dealer
    row["ending"] = ENDINGS.index(outcome.ending)
    row["fault"] = FAULTS.index(result.fault.reason) if result.fault else 0
    row["winners"] = sum(1 << seat for seat in outcome.winners)
    row["payer"], row["kind"] = outcome.payer, outcome.kind
    row["turn"] = result.turn
    row["calls"], row["scores"] = result.calls, outcome.scores
    if "multipliers" in (row.dtype.names or ()):
        for seat, multiplier in zip(outcome.winners, outcome.multipliers, strict=True):
            row["multipliers"][seat] = multiplier


def by_entrant(config: BattleConfig, values: NDArray[Scalar]) -> NDArray[Scalar]:
    """Reorder values by seat, ``(games * rounds, 4)``, to ``(games, rounds, entrants)``."""
    seats = (np.arange(4) + np.arange(config.rounds)[:, None]) % 4  # (rounds, entrant)
    shaped = values.reshape(-1, config.rounds, 4)
    return np.take_along_axis(shaped, seats[None].repeat(len(shaped), axis=0), axis=2)
