"""Everything that plays: games, reviews, tournaments, solitaire, mjai, learning, the page."""

from typing import TYPE_CHECKING

from mjopt._internal.lazy_import import load_later

if TYPE_CHECKING:
    from mjopt.play import game, learning, mjai, riichi, solitaire, tournaments
    from mjopt.play.learning.environment import env
    from mjopt.play.review.api import Review, review
    from mjopt.play.tournaments.api import battle
    from mjopt.play.tournaments.league import league
else:
    # The first import of a package sets its name in the package above. That happens here, so that
    # a later import of a module of mjopt.play.review does not replace the function of this name.
    from mjopt.play import review

    del review

__all__ = [
    "Review",
    "battle",
    "env",
    "game",
    "league",
    "learning",
    "mjai",
    "review",
    "riichi",
    "solitaire",
    "tournaments",
]

# Loaded on first use.
_HOMES = {
    "Review": "mjopt.play.review.api",
    "battle": "mjopt.play.tournaments.api",
    "env": "mjopt.play.learning.environment",
    "game": "mjopt.play.game",
    "league": "mjopt.play.tournaments.league",
    "learning": "mjopt.play.learning",
    "mjai": "mjopt.play.mjai",
    "review": "mjopt.play.review.api",
    "riichi": "mjopt.play.riichi",
    "solitaire": "mjopt.play.solitaire",
    "tournaments": "mjopt.play.tournaments",
}

__getattr__ = load_later(__name__, _HOMES)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
