"""The page `/statistics`: the results of a person, in total and by opponent, and its rating."""

from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mjopt.errors import FileError
from mjopt.play.game.record import Record, read_record
from mjopt.play.matches.rating import RatingHistory, rate
from mjopt.play.matches.results import PersonalResults, personal_results
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.game_library import lines_with
from mjopt.play.serve.language import gettext
from mjopt.play.serve.match_session import YOU
from mjopt.play.serve.match_store import Matches
from mjopt.play.serve.step_view import player_words


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    def show(request: Request) -> Response:
        owner = browser_of(request)
        lines = [line for one in site.matches.of(owner)[0] for line in one.session.match.lines]
        lines += lines_with(site.settings.games, YOU)
        results = results_of(tuple(lines))
        opponents = results.by_opponent.items()
        return site.page(
            "statistics.html",
            here="/statistics",
            title=gettext("Statistics"),
            own=results.total,
            opponents=sorted(opponents, key=lambda pair: -pair[1].hands),
            rating=rating_of(site.matches, owner),
            player_words=player_words,
            is_stored=site.matches.folder is not None,
        )

    return [Route("/statistics", site.endpoint(show), name="statistics")]


@lru_cache(maxsize=64)
def results_of(lines: tuple[str, ...]) -> PersonalResults:
    """Return the results of the person over records; invalid lines do not count."""
    return personal_results(filter(None, map(_read, lines)), YOU)


def _read(line: str) -> Record | None:
    try:
        return read_record(line)
    except FileError:
        return None


def rating_of(matches: Matches, owner: str) -> RatingHistory:
    """Return the rating of a browser's person after each of its finished matches."""
    played = [one.session.match for one in reversed(matches.of(owner)[0])]
    return rate([[*zip(m.names, m.standing, strict=True)] for m in played if m.is_over], YOU)
