"""The exchange in the docs equals a replayed game."""

import json
import re

from mjopt.play.game import GMJBG, agent_stream, run_game, shuffle_wall
from mjopt.play.game.agents import L1, L3
from mjopt.play.game.agents.json_protocol import message_of, read_answer
from tools.readme import CHECKOUT

DOCS = CHECKOUT / "docs" / "reference"
LINES = (DOCS / "exchange.jsonl").read_text(encoding="utf-8").splitlines()
SEED, GAME, SEAT = 2017, 22, 1


class Reader:
    """Checks each request against the recorded one and gives the recorded answer."""

    name = "reader"

    def __init__(self):
        self.remaining = list(LINES)
        self.l3 = L3()

    def choose(self, view, moves, *, rng):
        assert json.dumps(message_of(view, moves)) == self.remaining.pop(0)
        move = read_answer(json.loads(self.remaining.pop(0)), moves, view.tiles)
        assert move == self.l3.choose(view, moves, rng=rng)  # as the page says
        return move


def test_recorded_requests_and_answers_are_those_of_the_game():
    reader = Reader()
    result = run_game(
        [L1(), reader, L1(), L1()],
        shuffle_wall(SEED, GAME, GMJBG.tiles),
        rules=GMJBG,
        rngs=[agent_stream(SEED, GAME, seat) for seat in range(4)],
    )
    assert result.fault is None
    assert result.outcome.winners == (SEAT,)
    assert reader.remaining == []


def test_page_quotes_recorded_pairs():
    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", text, flags=re.DOTALL)
    assert blocks
    for block in blocks:
        quoted = block.splitlines()
        place = LINES.index(quoted[0])
        assert place % 2 == 0
        assert quoted == LINES[place : place + len(quoted)]
