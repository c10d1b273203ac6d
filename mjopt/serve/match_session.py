"""A person at a table with three agents: a match, the hand on the table, whose decision it is."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, Final

from mjopt.errors import FileError, GameError, MjoptError
from mjopt.game.agents.registry import agents_at_hand, check_agents, read_agent
from mjopt.game.engine import forfeit, legal_moves, start, step
from mjopt.game.match import Match
from mjopt.game.moves import NO_KIND, PASS, Action, Move
from mjopt.game.observation import View, view_of
from mjopt.game.play import Fault, decide
from mjopt.game.public_state import Event, Phase
from mjopt.game.record import kind_of, to_numbers, write_record
from mjopt.game.rules import NUM_SEATS, RULE_SETS, SEATS, get_rules
from mjopt.game.state import State
from mjopt.game.wall import agent_stream, shuffle_wall
from mjopt.hands.tiles import TileSet

WORDS: Final[dict[str, str]] = {
    "l1": "L1, elementary: throws the tile of least weight",
    "l2": "L2, intermediate: keeps a whole chow out of the weighing",
    "l3": "L3, advanced: also calls chow and pong",
    "deficiency": "deficiency: the hand nearest to a win",
    "draws": "expected draws: the fewest draws to wait for",
    "win-chance": "win-chance: the most proven chance to win by its draws",
    "random": "random: any move",
    "first": "first: the first move that is legal",
    "normal:taught": "normal: a network taught by the agent deficiency",
    "deficiency:method=ndde": "deficiency by NDDE, a heuristic",
    "deficiency:method=pso": "deficiency by PSO, a heuristic",
    "deficiency:method=ga": "deficiency by GA, a heuristic",
    "deficiency:method=tlbo": "deficiency by TLBO, a heuristic",
    "deficiency:method=tree-search": "deficiency by the tree search",
}
"""What is said of who may be asked to play, by the text that names it."""

METHODS: Final = tuple(text for text in WORDS if ":method=" in text)

SECONDS: Final = (5, 15, None)  # what a decision may be given; None is as long as one likes
YOU: Final = "you"
_PER_HAND: Final = 1000  # more decisions than a hand has
_LETTERS: Final = 3  # of a move in a file: the action's letter and two digits


@cache
def players() -> dict[str, str]:
    """Return who may be asked to play, in words: our own agents, never a file or program.

    Of one that does not play every rule set the words say which it does.
    """
    found = {}
    for text in (*agents_at_hand(), *METHODS):
        able = [name for name in RULE_SETS if plays(text, name)]
        only = "" if len(able) == len(RULE_SETS) else f" ({', '.join(able)} alone)"
        found[text] = WORDS.get(text, text) + only
    return found


def plays(text: str, rules: str) -> bool:
    """Return whether an agent plays a rule set."""
    try:
        check_agents([text], rules=get_rules(rules))
    except MjoptError:
        return False
    return True


Deal = Callable[[int, int, TileSet], tuple[int, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a person chooses before a match.

    Examples
    --------
    >>> Setting(players=("l1", "bot.py:Bot", "l3"))
    Traceback (most recent call last):
    mjopt.errors.GameError: player 'bot.py:Bot', expected one of l1, l2, ...
    """

    rules: str = "gmjbg"  # A rule set by name
    players: tuple[str, ...] = ("l1", "l2", "l3")  # the three others by seat, of :func:`players`
    seat: int = 0  # the person's chair; seat 0 deals first
    seconds: int | None = 5  # for a decision, of :data:`SECONDS`
    hints: str = ""  # the agent whose advice is shown, of :func:`players`, or nothing
    # Whether an own draw that wins does so when time runs out, as in the source; or the tile goes.
    wins_by_itself: bool = True

    def __post_init__(self) -> None:
        """Refuse what cannot be chosen."""
        get_rules(self.rules)
        if len(self.players) != NUM_SEATS - 1 or self.seat not in SEATS:
            raise GameError(f"{len(self.players)} players, seat {self.seat}: three beside you")
        for text in (*self.players, *[self.hints] * bool(self.hints)):
            if text not in players():
                raise GameError(f"player {text[:40]!r}, expected one of {', '.join(players())}")
            if not plays(text, self.rules):
                raise GameError(f"player {text} does not play the rules {self.rules}")
        if self.seconds not in SECONDS or isinstance(self.seconds, bool):
            raise GameError(f"{self.seconds} seconds, expected 5, 15 or none")

    def new_match(self) -> Match:
        """Return the match with no hand played; every hand will have a seed of its own."""
        names = [read_agent(text).name for text in self.players]
        names.insert(self.seat, YOU)
        return Match(rules=get_rules(self.rules), names=tuple(names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A match in play. The agents have moved: the person is asked, or the hand has ended.

    Each hand has a seed of its own, which its record tells when it has ended: what the hands
    to come will be does not follow from it, and yet every hand can be checked at once.
    """

    setting: Setting  # what was chosen
    match: Match  # the match; with the hand on the table as soon as that has ended
    seed: int | None  # of the hand on the table; None where the wall is not shuffled
    state: State  # the hand on the table
    # all that was answered in it, passes too, in order: with the seed, all that is kept
    moves: tuple[Move, ...] = ()
    own: int = 0  # how many of them the person has made
    seen: int = 0  # events that there were when the person made the last of them
    fault: str = ""  # how an agent broke the game, if one did

    @property
    def seat(self) -> int:
        """The person's chair."""
        return self.setting.seat

    @property
    def hand_number(self) -> int:
        """The number of the hand on the table, from 1."""
        return len(self.match.lines) + (not self.state.is_over)

    @property
    def number(self) -> int:
        """The number of the decision that is due. It tells nothing of what others were asked."""
        return self.hand_number * _PER_HAND + self.own

    @property
    def view(self) -> View:
        """What the person sees."""
        return view_of(self.state, self.seat)

    @property
    def options(self) -> tuple[Move, ...]:
        """What the person may do; nothing when the hand has ended."""
        return legal_moves(self.state)

    @property
    def news(self) -> tuple[Event, ...]:
        """What everyone saw since the person's last decision, its own move first; no draws."""
        events = self.state.table.events[self.seen :]
        return tuple(event for event in events if event.action is not Action.DRAW)

    @property
    def points(self) -> tuple[int, ...]:
        """The standing before the hand on the table."""
        outcome = self.state.outcome
        scores = outcome.scores if outcome else (0,) * NUM_SEATS
        return tuple(a - b for a, b in zip(self.match.standing, scores, strict=True))

    def default(self) -> Move:
        """Return what happens when time runs out: the drawn tile goes, an offer passes.

        After a call there is no drawn tile: the rightmost goes, the last of the hand.
        """
        if self.view.phase in (Phase.CLAIM, Phase.ROB):
            return PASS
        if self.options[0].action is Action.WIN and self.setting.wins_by_itself:
            return self.options[0]
        if self.view.drawn != NO_KIND:
            return Move(Action.DISCARD, self.view.drawn)
        return [move for move in self.options if move.action is Action.DISCARD][-1]

    def to_document(self) -> dict[str, Any]:
        """Return all that must be kept, as plain data."""
        tiles = self.match.rules.tiles
        lines = self.match.lines[:-1] if self.state.is_over else self.match.lines
        moves = (
            m.action.value + ("00" if m.kind == NO_KIND else to_numbers((m.kind,), tiles))
            for m in self.moves
        )
        return {
            "version": 1,
            "setting": asdict(self.setting),
            "lines": list(lines),
            "seed": self.seed,
            "moves": "".join(moves),
            "fault": self.fault,
        }


def begin(setting: Setting, seed: int | None, deal: Deal = shuffle_wall) -> Sitting:
    """Deal the first hand of a match, and let the agents move until the person is asked.

    Examples
    --------
    >>> sitting = begin(Setting(rules="m0"), 1)
    >>> sitting.number, len(sitting.options) > 9
    (1000, True)
    >>> play(sitting, sitting.default()).number
    1001
    """
    return _with_agents(_dealt(setting, setting.new_match(), seed, deal))


def next_hand(sitting: Sitting, seed: int | None, deal: Deal = shuffle_wall) -> Sitting:
    """Deal the next hand of a match."""
    if not sitting.state.is_over or sitting.match.is_over:
        raise GameError("no hand is to be dealt now")
    return _with_agents(_dealt(sitting.setting, sitting.match, seed, deal))


def play(sitting: Sitting, move: Move) -> Sitting:
    """Let the person move, and then the agents until the person is asked again."""
    return _with_agents(_played(sitting, move))


def _dealt(setting: Setting, match: Match, seed: int | None, deal: Deal) -> Sitting:
    wall = deal(seed or 0, match.next_game, match.rules.tiles)
    state = start(match.rules, wall, dealer=match.dealer)
    return Sitting(setting=setting, match=match, seed=seed, state=state)


def _with_agents(sitting: Sitting) -> Sitting:
    """Let the agents move. What they draw by chance depends on the seed and the table alone."""
    players = [read_agent(text) for text in sitting.setting.players]
    while (seat := sitting.state.to_move) is not None and seat != sitting.seat:
        agent = players[seat - (seat > sitting.seat)]
        events = len(sitting.state.table.events)
        rng = agent_stream(sitting.seed or 0, sitting.match.next_game, seat, run=events + 1)
        answer = decide(agent, sitting.state, seat, rng)
        if isinstance(answer, Fault):
            sitting = replace(sitting, fault=f"{answer.reason}: {answer.text}")
            answer = Move(Action.FAULT)
        sitting = _played(sitting, answer)
    return sitting


def _played(sitting: Sitting, move: Move) -> Sitting:
    """Return the sitting after one answer; the match has the hand when it has ended."""
    before, seat = sitting.state, sitting.state.to_move
    if move.action is Action.FAULT and seat is not None and seat != sitting.seat:
        state = forfeit(before, seat)
    else:
        state = step(before, move)
    match = sitting.match
    if state.is_over:
        line = write_record(
            state, seed=sitting.seed, game=match.next_game, names=match.names, fault=sitting.fault
        )
        match = match.with_hand(line)
    is_own = seat == sitting.seat
    return replace(
        sitting,
        match=match,
        state=state,
        moves=(*sitting.moves, move),
        own=sitting.own + is_own,
        seen=len(before.table.events) if is_own else sitting.seen,
    )


def read_sitting(document: Any, deal: Deal = shuffle_wall) -> Sitting:
    """Return the sitting of which :meth:`Sitting.to_document` made plain data.

    No agent is asked: what it answered is played again.

    Examples
    --------
    >>> sitting = begin(Setting(rules="m0"), 1)
    >>> read_sitting(sitting.to_document()) == sitting
    True
    >>> read_sitting({"version": 1})
    Traceback (most recent call last):
    mjopt.errors.FileError: not a match: 'setting'
    """
    try:
        if document["version"] != 1:
            raise FileError(f"version {document['version']!r}, expected 1")
        chosen = document["setting"]
        setting = Setting(**{**chosen, "players": tuple(chosen["players"])})
        match = replace(setting.new_match(), lines=tuple(document["lines"]))
        if match.is_over:
            raise FileError("a hand after the end of the match")
        sitting = _dealt(setting, match, document["seed"], deal)
        sitting = replace(sitting, fault=str(document["fault"]))
        text, tiles = document["moves"], match.rules.tiles
        for at in range(0, len(text), _LETTERS):
            letter, tile = text[at], text[at + 1 : at + _LETTERS]
            kind = NO_KIND if tile == "00" else kind_of(tile, tiles)
            sitting = _played(sitting, Move(Action(letter), kind))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise FileError(f"not a match: {error}") from None
    if sitting.state.to_move not in (None, sitting.seat):
        raise FileError(f"not a match: it stops at the move of seat {sitting.state.to_move}")
    return sitting
