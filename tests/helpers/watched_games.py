"""Recorded games and a client, for tests of the pages that show games."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from helpers.browsing import VISITOR
from starlette.testclient import TestClient

from mjopt.play.game import agent_stream, get_game_rules, run_game, shuffle_wall
from mjopt.play.game.agents.registry import read_agent
from mjopt.play.serve.app import make_app
from mjopt.play.serve.app_context import Settings
from mjopt.play.serve.browser_cookie import COOKIE

ORIGIN = {"origin": "http://localhost"}


@contextmanager
def browsing(**settings: Path) -> Iterator[TestClient]:
    """Yield a client of a site with these folders."""
    app, cookies = make_app(Settings(**settings)), {COOKIE: VISITOR}
    with TestClient(
        app, base_url="http://localhost", follow_redirects=False, cookies=cookies
    ) as client:
        yield client


@cache
def record(rules: str, game: int, agents: str = "random deficiency random l3") -> str:
    """Return the record of one game."""
    rule_set = get_game_rules(rules)
    return run_game(
        [read_agent(text) for text in agents.split()],
        shuffle_wall(15, game, rule_set.tiles),
        rules=rule_set,
        rngs=[agent_stream(15, game, seat) for seat in range(4)],
        dealer=game % 4,
        seed=15,
        game=game,
    ).line


def links(text: str, pattern: str) -> list[str]:
    """Return the URLs on a page that match a pattern, in order."""
    return [found.replace("&amp;", "&") for found in re.findall(f'href="({pattern})"', text)]


def tiles_on(html: str) -> Counter[str]:
    """Count the tile images by name."""
    return Counter(re.findall(r'<use href="[^"#]*#([0-9][mpsz]|back)"', html))
