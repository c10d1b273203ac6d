"""Whole games and real logs beside riichienv: every action is legal there."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from helpers.mjai_events import messages_for
from helpers.waits import LONG

from mjopt.play.mjai import Player
from mjopt.play.review.detect_format import read_games

riichienv = pytest.importorskip("riichienv")

LOGS = Path(__file__).parents[2] / "data" / "logs"
FILES = ["mjai/game-02.jsonl", "tenhou-mjlog/game-01.mjlog", "tenhou-mjlog/game-15.mjlog"]
AGENTS = [
    ("random", {"calls": "free"}),
    ("deficiency:calls=wider", {"calls": "free"}),
    ("l3", {}),
    ("first", {"calls": "free", "riichi": False}),
]
EAST_ONLY = "4p-red-east"
APART = 1000  # seeds: deal i of seed s is deal 0 of seed s + i


class Program:
    """An agent behind `mjopt mjai`."""

    def __init__(self, *words):
        command = [sys.executable, "-m", "mjopt", "mjai", *words]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def react(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(LONG)


def play(players, seed, mode=EAST_ONLY):
    """Play a whole game; return the number of answers of each type, and the final points."""
    env = riichienv.RiichiEnv(game_mode=mode, seed=seed)
    observations, answers = env.reset(), Counter()
    while not env.done():
        actions = {}
        for seat, seen in observations.items():
            answer = players[seat].react(f"[{','.join(seen.new_events())}]")
            actions[seat] = seen.select_action_from_mjai(json.dumps(answer))
            assert actions[seat] is not None, (seed, seat, answer)
            answers[answer["type"]] += 1
        observations = env.step(actions)
    return answers, env.scores()


@pytest.mark.parametrize("shift", range(3))
def test_whole_games_without_an_illegal_action(shift):
    """Random agents call, make kongs and pass wins, so that furiten occurs."""
    seed = APART * shift
    players = [Player(agent, seed=seed, **options) for agent, options in AGENTS]
    answers, points = play(players[shift:] + players[:shift], seed)
    assert {"dahai", "none", "chi", "pon", "hora"} <= set(answers)
    assert sum(points) <= 100_000


def test_whole_game_through_pipes():
    program = Program("l3", "--calls", "free")
    others = [Player("deficiency"), Player("l1"), Player("deficiency")]
    answers, _ = play([others[0], program, *others[1:]], 3 * APART)
    assert answers["reach"]
    assert answers["hora"]
    assert program.close() == 0


@pytest.mark.parametrize("file", FILES)
def test_real_logs_event_by_event(file):
    """The answers do not steer the log; each is legal where it is given."""
    answers = Counter()
    [(_, game)] = read_games((LOGS / file).read_bytes())
    for seat, (agent, options) in enumerate(AGENTS):
        player, env = Player(agent, **options), riichienv.RiichiEnv(game_mode="4p-red-half")
        for message in messages_for(game, seat):
            answer = player.react(message)
            seen = env.observe_event({k: v for k, v in message.items() if k != "id"}, seat)
            # riichienv offers no robbed kong here, and takes a kong for a decision of its own.
            if message["type"] == "kakan":
                continue
            legal = (
                [json.loads(act.to_mjai())["type"] for act in seen.legal_actions()] if seen else []
            )
            if answer["type"] != "none":
                assert seen.select_action_from_mjai(json.dumps(answer)), (message, answer, legal)
            else:
                assert not legal or "none" in legal, message
            answers[answer["type"]] += 1
    assert answers["dahai"] > 30
