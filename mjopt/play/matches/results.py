"""Results of a person over finished hands, in total and by opponent."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from mjopt.play.game.moves import Action
from mjopt.play.game.record import Record
from mjopt.play.game.rules import SEATS
from mjopt.play.riichi.record import RiichiRecord


@dataclass(slots=True)
class HandResults:
    """Counts over hands.

    Of an opponent only its own hands count: ``lost`` are those that it won, and ``dealt_in`` those
    that it won with a tile of the person.
    """

    hands: int = 0
    wins: int = 0
    own_draws: int = 0
    lost: int = 0  # hands that another player won
    dealt_in: int = 0  # hands that another player won with a tile of the person
    drawn: int = 0
    points: int = 0

    def share(self, number: int) -> float:
        """Return a number of hands in percent of all."""
        return 100 * number / self.hands if self.hands else 0.0


@dataclass(slots=True)
class PersonalResults:
    """The results of a person.

    Examples
    --------
    >>> from mjopt.play.game import M0_RULES, legal_moves, read_record, shuffle_wall
    >>> from mjopt.play.game import start, step, write_record
    >>> state = start(M0_RULES, shuffle_wall(1, 0, M0_RULES.tiles))
    >>> while not state.is_over:
    ...     state = step(state, legal_moves(state)[-1])
    >>> line = write_record(state, names=["you", "a", "a", "b"], seed=1, game=0)
    >>> results = personal_results([read_record(line)], "you")
    >>> results.total.hands, results.total.drawn, sorted(results.by_opponent)
    (1, 1, ['a', 'b'])
    """

    total: HandResults = field(default_factory=HandResults)  # over all hands
    # Over the hands with an opponent of that name.
    by_opponent: dict[str, HandResults] = field(default_factory=dict)


def personal_results(records: Iterable[Record | RiichiRecord], name: str) -> PersonalResults:
    """Return the results of the seats with a name; hands without it do not count."""
    results = PersonalResults()
    for record in records:
        for seat in (seat for seat in SEATS if record.names[seat] == name):
            _add(results.total, record, seat, {*SEATS} - {seat})
            opponents = Counter(record.names) - Counter([name])
            for opponent in opponents:
                seats = {at for at in SEATS if record.names[at] == opponent} - {seat}
                _add(results.by_opponent.setdefault(opponent, HandResults()), record, seat, seats)
    return results


def _add(results: HandResults, record: Record | RiichiRecord, seat: int, others: set[int]) -> None:
    """Add a hand of a seat, in which only the wins of some other seats count."""
    wins = [event for event in record.events if event.action is Action.WIN]
    own = [event for event in wins if event.seat == seat]
    lost = [event for event in wins if event.seat in others]
    results.hands += 1
    results.wins += bool(own)
    results.own_draws += any(event.other == seat for event in own)
    results.lost += bool(lost)
    results.dealt_in += any(event.other == seat for event in lost)
    results.drawn += not wins and not record.fault
    results.points += record.scores[seat]
