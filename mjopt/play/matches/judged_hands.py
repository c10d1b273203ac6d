"""Hands of a person judged by the chance to win that its discards lost."""

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Final, NamedTuple

from mjopt.play.review.api import Review, read_named, review_games
from mjopt.play.review.chance import ChanceJudge
from mjopt.play.review.chance_evaluation import judge_of, with_chances
from mjopt.play.review.export import documents

MAX_OPEN: Final = 100  # hands that are being judged, or were last shown


class LostChance(NamedTuple):
    """The chance to win that discards lost, without folding and those of unknown loss.

    Examples
    --------
    >>> LostChance(4, 0.06).per_discard
    0.015
    """

    discards: int = 0
    lost: float = 0.0

    @property
    def per_discard(self) -> float:
        """The mean; 0 without discards."""
        return self.lost / self.discards if self.discards else 0.0


class OpenHand(NamedTuple):
    """A finished hand that is being judged."""

    review: Review
    judge: ChanceJudge

    @property
    def is_judged(self) -> bool:
        """Whether all its decisions are judged."""
        return not self.judge.tasks()

    @property
    def lost(self) -> LostChance:
        """The loss of the discards judged so far."""
        rows = documents(with_chances(self.review.judged, self.judge.chances))
        known = [row["lost"] for row in rows if not row["folds"]]
        costs = [lost for lost in known if lost is not None]
        return LostChance(len(costs), sum(costs))


class JudgedHands:
    """Finished hands by record and seat. Once a hand is judged, its loss is kept for good.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, shuffle_wall, start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["you", "a", "b", "c"], seed=1, game=0)
    >>> hands = JudgedHands()
    >>> hand = hands.open(line, 0)
    >>> hand.is_judged, hands.lost(line, 0)
    (False, None)
    """

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[str, int], OpenHand] = OrderedDict()
        self._lost: dict[tuple[str, int], LostChance] = {}
        self._lock = Lock()

    def open(self, line: str, seat: int) -> OpenHand | None:
        """Return a hand with its judge; None if it cannot be reviewed: a player broke the rules."""
        with self._lock:
            hand = self._open.get((line, seat))
        if hand is None:
            games = list(read_named("", line.encode()))
            review = review_games(games, seat=seat, has_positions=True)
            if review.refused or review.collected is None:
                return None
            hand = OpenHand(review, judge_of(review.collected, seat))
        with self._lock:
            hand = self._open.setdefault((line, seat), hand)
            self._open.move_to_end((line, seat))
            while len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)
        return hand

    def lost(self, line: str, seat: int) -> LostChance | None:
        """Return what a hand lost; None until it is judged."""
        key = line, seat
        with self._lock:
            hand = self._open.get(key)
        if key not in self._lost and hand is not None and hand.is_judged:
            self._lost[key] = hand.lost
        return self._lost.get(key)


def by_opponent(hands: Iterable[tuple[tuple[str, ...], LostChance]]) -> dict[str, LostChance]:
    """Return the sums over the hands of each player of a record, the person included.

    A hand has its players by seat, and what the person lost in it.

    Examples
    --------
    >>> hands = [(("you", "a", "a", "b"), LostChance(2, 0.5)), (("you", "b"), LostChance(1, 0.1))]
    >>> by_opponent(hands)["a"], by_opponent(hands)["you"].discards
    (LostChance(discards=2, lost=0.5), 3)
    """
    sums: dict[str, LostChance] = {}
    for names, lost in hands:
        for name in dict.fromkeys(names):
            before = sums.get(name, LostChance())
            sums[name] = LostChance(before.discards + lost.discards, before.lost + lost.lost)
    return sums
