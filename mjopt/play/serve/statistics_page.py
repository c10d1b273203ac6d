"""The page `/statistics`: the results of a person, in total and by opponent, and its rating."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from mjopt.play.matches.game_library import lines_with
from mjopt.play.matches.judged_hands import by_opponent
from mjopt.play.matches.match_session import YOU
from mjopt.play.matches.own_matches import own_hands, own_rating, own_results
from mjopt.play.riichi.record import read_line
from mjopt.play.serve.app_context import Site
from mjopt.play.serve.browser_cookie import browser_of
from mjopt.play.serve.language import gettext
from mjopt.play.serve.step_view import player_words

MOST_JUDGED: Final = 20  # hands, the last ones, whose discards are judged for the page


def routes(site: Site) -> list[BaseRoute]:
    """Return the routes of the page."""

    async def statistics(request: Request) -> Response:
        owner = browser_of(request)
        hands = await site.run(own_hands, site.matches, owner)
        for line, seat in reversed(hands[:MOST_JUDGED]):  # the last one asked for is the first
            if site.judged.lost(line, seat) is None:
                hand = await site.run(site.judged.open, line, seat)
                if hand is not None:
                    site.jobs.ask(hand.judge)
        return await site.run(show, owner, hands)

    def show(owner: str, hands: list[tuple[str, int]]) -> Response:
        lines = [line for line, _ in hands] + lines_with(site.settings.games, YOU)
        results = own_results(tuple(lines))
        judged = [
            (read_line(line).names, lost)
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
            rating=own_rating(site.matches, owner),
            player_words=player_words,
            is_stored=site.matches.folder is not None,
        )

    return [Route("/statistics", statistics, name="statistics")]
