"""The battles of the sources, with the figures that were published.

GMJBG's tables come twice: with the agents as the text of the source has them, and with
the variant nearest to its tables (see ``mjopt.game.tile_weights``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mjopt.errors import GameError
from mjopt.tournaments.plan import Plan

NDDE: Final = "deficiency:method=ndde,population=20,generations=50"
TREE: Final = "deficiency:method=tree-search"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A published battle.

    Parameters
    ----------
    name
        As on the command line.
    source
        Where it was published.
    plan
        The battle. The source of GMJBG's tables played a million games; ours are 100,000.
    wins, own_draws
        Published shares of games by entrant, in percent; empty if there are none.
    drawn
        Published share of drawn games, in percent.
    score
        Published score of the first agent over all games. (Whole points do not sum to
        1.173: the source does not say what it was scaled with.)
    """

    name: str
    source: str
    plan: Plan
    wins: tuple[float, ...] = ()
    own_draws: tuple[float, ...] = ()
    drawn: float | None = None
    score: float | None = None


def _gmjbg(name: str, levels: str, **published: Any) -> Iterator[Preset]:
    """Yield a table of GMJBG with each variant of the weights."""
    for ending, option in (("", ""), ("-nearest", ":variant=nearest")):
        agents = tuple(f"{level}{option}" for level in levels.split())
        plan = Plan(agents=agents, rules="gmjbg", games=100_000, rounds=1)
        yield Preset(name=f"{name}{ending}", plan=plan, **published)


_ALL: Final = (
    *_gmjbg(
        "gmjbg-table-1",
        "l1 l3 l1 l2",
        source="The Genius of Mahjong Boys and Girls (2017), table 4",
        wins=(9.6, 24.0, 9.7, 18.7),
        own_draws=(2.3, 4.7, 2.3, 4.6),
        drawn=37.0,
    ),
    *_gmjbg(
        "gmjbg-table-2",
        "l1 l2 l1 l2",
        source="The Genius of Mahjong Boys and Girls (2017), table 5",
        wins=(9.4, 18.1, 9.3, 18.0),
        own_draws=(2.2, 4.3, 2.2, 4.3),
        drawn=45.0,
    ),
    Preset(
        name="section-4.3",
        source="Yan and Li (2023), section 4.3",
        plan=Plan(agents=(NDDE, TREE) * 2, rules="m0", games=1_000, rounds=2),
        score=1.173,
    ),
)

PRESETS: Final[dict[str, Preset]] = {preset.name: preset for preset in _ALL}
"""The published battles by name."""


def get_preset(name: str) -> Preset:
    """Return a published battle by its name.

    Examples
    --------
    >>> get_preset("gmjbg-table-1").plan.agents
    ('l1', 'l3', 'l1', 'l2')
    >>> get_preset("table-1")
    Traceback (most recent call last):
    mjopt.errors.GameError: unknown preset 'table-1', expected one of gmjbg-table-1, ...
    """
    if name not in PRESETS:
        raise GameError(f"unknown preset {name!r}, expected one of {', '.join(PRESETS)}")
    return PRESETS[name]
