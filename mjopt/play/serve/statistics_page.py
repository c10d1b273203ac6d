"""The page `/statistics`: the results of a person, in total and by opponent, and its rating."""

from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mjopt.errors import FileError
from mjopt.play.game.record import Record, read_record
from mjopt.play.matches.judged_hands import by_opponent
from mjopt.play.matches.match_session import YOU, MatchSession
from mjopt.play.matches.match_store import Matches
from mjopt.play.matches.rating import RatingHistory, rate
from mjopt.play.matches.results import PersonalResults, personal_results
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.game_library import lines_with
from mjopt.play.serve.language import gettext
from mjopt.play.serve.review_jobs import ReviewJobs
from mjopt.play.serve.step_view import player_words

MOST_JUDGED: Final = 20  # hands, the last ones, whose discards are judged for the page


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""
    jobs = ReviewJobs(site.advice)

    async def statistics(request: Request) -> Response:
        owner = browser_of(request)
        hands = await site.run(hands_of, site.matches, owner)
        for line, seat in reversed(hands[:MOST_JUDGED]):  # the last one asked for is the first
            if site.judged.lost(line, seat) is None:
                hand = await site.run(site.judged.open, line, seat)
                if hand is not None:
                    jobs.ask(hand.judge)
        return await site.run(show, owner, hands)

    def show(owner: str, hands: list[tuple[str, int]]) -> Response:
        lines = [line for line, _ in hands] + lines_with(site.settings.games, YOU)
        results = results_of(tuple(lines))
        judged = [
            (read_record(line).names, lost)
            for line, seat in hands
            if (lost := site.judged.lost(line, seat)) is not None
        ]
        opponents = results.by_opponent.items()
        return site.page(
            "statistics.html",
            here="/statistics",
            title=gettext("Statistics"),
            own=results.total,
            opponents=sorted(opponents, key=lambda pair: -pair[1].hands),
            lost=by_opponent(judged),
            num_judged=len(judged),
            you=YOU,
            rating=rating_of(site.matches, owner),
            player_words=player_words,
            is_stored=site.matches.folder is not None,
        )

    return [Route("/statistics", statistics, name="statistics")]


def hands_of(matches: Matches, owner: str) -> list[tuple[str, int]]:
    """Return the finished hands of a browser as records, each with its seat, the last first."""
    sessions = _whole_matches(matches, owner)
    return [(line, each.seat) for each in sessions for line in reversed(each.match.lines)]


def _whole_matches(matches: Matches, owner: str) -> list[MatchSession]:
    """Return a browser's matches, the last played first, without hands begun at a position."""
    sessions = [one.session for one in matches.of(owner)[0]]
    return [session for session in sessions if not session.setting.position]


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
    played = [session.match for session in reversed(_whole_matches(matches, owner))]
    return rate([[*zip(m.names, m.standing, strict=True)] for m in played if m.is_over], YOU)
