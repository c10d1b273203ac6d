"""Discards reviewed a second: a whole review, and the same judgements by other packages.

The judged values of a discard are the deficiency after each discard of the hand, and the unseen
copies of the tiles that reduce it further.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.play import review
from mjopt.play.review.evaluate import Discards
from paired import Comparison, Side, installed, measure

GAME = Path(__file__).parents[1] / "tests" / "data" / "logs" / "mjai" / "game-02.jsonl"
COPIES_OF_GAME = 20

Wait = Callable[[list[int], list[int]], tuple[int, int]]
"""Map a hand without its discard, and the unseen copies, to deficiency and useful copies."""

Value = tuple[int, int, int]
"""A kind to discard, the deficiency after it, and the useful copies."""


def by_calls(deficiency: Callable[[list[int]], int]) -> Wait:
    """Return a function that tries every unseen kind."""

    def judge(hand: list[int], unseen: list[int]) -> tuple[int, int]:
        before, copies = deficiency(hand), 0
        for kind, left in enumerate(unseen):
            if left:
                hand[kind] += 1
                copies += left * (deficiency(hand) < before)
                hand[kind] -= 1
        return before, copies

    return judge


def mahjong_wait() -> Wait:
    find = import_module("mahjong.shanten").Shanten().calculate_shanten
    return by_calls(lambda hand: find(hand) + 1)


def riichienv_wait() -> Wait:
    find = import_module("riichienv").calculate_shanten
    ids = [[4 * kind + copy for copy in range(4)] for kind in range(34)]
    return by_calls(
        lambda hand: find([i for kind, n in enumerate(hand) for i in ids[kind][:n]]) + 1
    )


def xiangting_wait() -> Wait:
    package = import_module("xiangting")
    find, four = package.calculate_necessary_tiles, package.PlayerCount.FOUR

    def judge(hand: list[int], unseen: list[int]) -> tuple[int, int]:
        before, useful = find(hand, four)
        return before, sum(left for kind, left in enumerate(unseen) if useful >> kind & 1)

    return judge


def judge_discards(hand: list[int], unseen: list[int], wait: Wait) -> list[Value]:
    """Return the values of all discards of a hand."""
    values = []
    for kind, held in enumerate(hand):
        if held:
            hand[kind] -= 1
            values.append((kind, *wait(hand, unseen)))
            hand[kind] += 1
    return values


def riichienv_hands() -> Iterator[list[int]]:
    """Replay the game with riichienv, and yield the hand at every discard."""
    package = import_module("riichienv")
    for deal in package.MjaiReplay.from_jsonl(str(GAME)).take_kyokus():
        for _, observation, action in deal.steps():
            if action.action_type == package.ActionType.DISCARD:
                hand = [0] * 34
                for tile in observation.hand:
                    hand[tile // 4] += 1
                yield hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """Another package.

    Parameters
    ----------
    wait
        Makes its function for a hand without the discard.
    discards
        How many discards it judges in a round; None for all of the game.
    replays
        Whether it also reads and replays the game.
    note
        For the table.
    """

    wait: Callable[[], Wait]
    discards: int | None
    replays: bool
    note: str


PEERS = {
    "xiangting": Peer(
        wait=xiangting_wait,
        discards=None,
        replays=False,
        note="hands given; one call a discard finds both values",
    ),
    "riichienv": Peer(
        wait=riichienv_wait,
        discards=None,
        replays=True,
        note="reads and replays the game itself; a call for each tile tried",
    ),
    "mahjong": Peer(
        wait=mahjong_wait,
        discards=12,
        replays=False,
        note="hands given; a call for each tile tried",
    ),
}


def expected(found: Discards, number: int | None) -> list[list[Value]]:
    """Return the values of our review."""
    rows = zip(found.left[:number].tolist(), found.left_copies[:number].tolist(), strict=True)
    return [
        [(kind, least, more[kind]) for kind, least in enumerate(left) if least != UNREACHABLE]
        for left, more in rows
    ]


def peer_side(
    title: str, peer: Peer, hands: Sequence[list[int]], unseen: Sequence[list[int]]
) -> Side:
    """Return the side of a package."""
    wait = peer.wait()

    def run(_: int) -> list[list[Value]]:
        given = islice(riichienv_hands(), len(hands)) if peer.replays else hands
        return [judge_discards(*pair, wait) for pair in zip(given, unseen, strict=True)]

    return Side(name=title, run=run, units=len(hands), note=peer.note)


@pytest.mark.claim
def test_reviews(benchmark: BenchmarkFixture, quick: bool) -> None:
    found = review(GAME).judged.discards
    copies = 2 if quick else COPIES_OF_GAME
    sides = [
        Side(
            name="mjopt.play.review, many games",
            run=lambda _: review([GAME] * copies),
            units=copies * len(found),
            note=f"reads, replays, judges discards and calls; {copies} copies of the game",
        ),
        Side(
            name="mjopt.play.review, one game",
            run=lambda _: review(GAME),
            units=len(found),
            note="the same for one game",
        ),
    ]
    present, absent = installed(PEERS)
    for name, title in present.items():
        number = 4 if quick else PEERS[name].discards
        hands, unseen = found.hand[:number].tolist(), found.unseen[:number].tolist()
        side = peer_side(title, PEERS[name], hands, unseen)
        assert side.run(0) == expected(found, number), name
        sides.append(side)
    figures = {"discards": len(found), "deals": int(np.unique(found.deal).size)}
    compared = Comparison(
        claim="reviews",
        unit="discard",
        sides=sides,
        base=sides[0].name,
        absent=absent,
        figures=figures,
    )
    measure(benchmark, compared, rounds=2 if quick else 15)
