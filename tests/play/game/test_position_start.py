"""Games that begin at a position: the hand, melds, rivers and draws are those of the position."""

import numpy as np
import pytest

from mjopt.chances.advice.position import Position
from mjopt.errors import GameError
from mjopt.hands.blocks import Shape, chow, kong, pong, usage
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import COPIES, FULL, M0, TileSet
from mjopt.play.game import legal_moves, replay, step
from mjopt.play.game.moves import Action
from mjopt.play.game.position_start import OWN_SEAT, PositionStart
from mjopt.play.game.record import write_record
from mjopt.play.game.state import State

STANDARD = ("standard",)


def start_of(text: str) -> PositionStart:
    """Return the start at a position in text."""
    return PositionStart(Position.parse(text))


def own_draws(state: State) -> int:
    """Return the number of tiles that the player draws if everyone only discards."""
    before = state.table.draws_of(OWN_SEAT)
    while not state.is_over:
        moves = [m for m in legal_moves(state) if m.action in (Action.DISCARD, Action.PASS)]
        state = step(state, moves[-1])
    assert replay(write_record(state, names=["a", "b", "c", "d"])).outcome == state.outcome
    return state.table.draws_of(OWN_SEAT) - before


@pytest.mark.parametrize("draws", [1, 4, 17])
def test_draws_left_set_the_length_of_the_wall(draws):
    full = start_of(f"445m34677p2346s55z seen=123m77z draws={draws}")
    waiting = start_of(f"445m34677p2346s5z seen=123m77z draws={draws}")
    rng = np.random.default_rng(1)

    assert own_draws(full.deal(rng)) == draws
    assert own_draws(waiting.deal(rng)) == draws - 1  # the first one has been drawn


def test_offered_tile_can_be_called_or_passed():
    start = start_of("2378m345p6688s11z seen=99s draws=6 offered=4m")
    state = start.deal(np.random.default_rng(1))

    assert [move.action.name for move in legal_moves(state)] == ["CHOW", "PASS"]
    assert state.table.tile == FULL.names.index("4m")
    assert own_draws(state) == 6


@pytest.mark.parametrize(("calls", "left"), [("", 5), (" calls=234m:6", 6)])
def test_draws_after_a_call_are_those_of_the_position(calls, left):
    start = start_of(f"2378m345p6688s11z draws=6 offered=4m{calls}")
    state = start.deal(np.random.default_rng(1))

    assert own_draws(step(state, legal_moves(state)[0])) == left


def test_melds_and_rivers_are_those_of_the_position():
    start = start_of("23m67p44s1z melds=345m,777z seen=1122334455667s draws=5")
    state = start.deal(np.random.default_rng(1))
    river = [kind for river in state.table.rivers for kind in river]

    assert [meld.block.text(FULL) for meld in state.table.melds[OWN_SEAT]] == ["345m", "777z"]
    assert "".join(FULL.names[kind][0] for kind in sorted(river)) == "1122334455667"
    assert start.num_random == 0


def test_room_for_melds_is_made_by_random_discards():
    start = start_of("23m67p44s1z melds=345m,777z draws=6")
    state = start.deal(np.random.default_rng(1))

    assert start.num_random == sum(map(len, state.table.rivers)) > 0


def test_others_and_the_wall_are_random():
    start = start_of("445m34677p2346s55z draws=6")
    first, again, other = (start.deal(np.random.default_rng(seed)) for seed in (1, 1, 2))

    assert first == again
    assert first.hands[OWN_SEAT] == other.hands[OWN_SEAT]
    assert first.hands[1] != other.hands[1]
    assert first.undrawn != other.undrawn


def random_start(tiles: TileSet, rng: np.random.Generator) -> PositionStart:
    """Return a random position, whether or not a game can lead there."""
    left, melds = [COPIES] * tiles.num_kinds, []
    for _ in range(rng.integers(5)):
        kind = int(rng.integers(tiles.num_kinds))
        meld = (pong, kong, chow)[rng.integers(3)](kind)
        used = usage([meld], tiles.num_kinds) if max(meld.kinds) < tiles.num_kinds else ()
        is_chow = meld.shape is Shape.CHOW
        fits = used and all(a <= b for a, b in zip(used, left, strict=True))
        if fits and (not is_chow or kind in tiles.chow_starts):
            left = [b - a for a, b in zip(used, left, strict=True)]
            melds.append(meld)
    pool = rng.permutation(np.repeat(np.arange(tiles.num_kinds), left))
    num_held = 14 - 3 * len(melds) - int(rng.integers(2))
    counts = np.bincount(pool[:num_held], minlength=tiles.num_kinds)
    seen = pool[num_held : num_held + rng.integers(40)]
    wall = np.array(left) - counts - np.bincount(seen, minlength=tiles.num_kinds)
    hand = Hand.from_counts(counts.tolist(), tiles=tiles, melds=melds)
    called = np.flatnonzero((counts > 1) & (wall > 0)).tolist()
    offered = called[0] if called and not hand.is_full and rng.random() < 0.6 else None
    if offered is not None:
        wall[offered] -= 1
    draws = int(rng.integers(1, 9))
    wall = tuple(wall.tolist())
    position = Position(hand=hand, wall=wall, draws=draws, forms=STANDARD, offered=offered)
    return PositionStart(position)


@pytest.mark.parametrize("tiles", [FULL, M0], ids=["136", "108"])
def test_random_positions_are_reached(tiles):
    rng, num_reached = np.random.default_rng(45), 0
    while num_reached < 40:
        try:
            start = random_start(tiles, rng)
        except GameError:  # too few tiles are left for three other hands
            continue
        state, position, hand = start.deal(rng), start.position, start.position.hand
        num_reached += 1

        assert state.to_move == OWN_SEAT
        assert [meld.block for meld in state.table.melds[OWN_SEAT]] == [*hand.melds]
        has_drawn = not hand.is_full and position.offered is None
        assert has_drawn or state.hands[OWN_SEAT] == hand.counts
        rivers = [kind for river in state.table.rivers for kind in river]
        if not start.num_random:
            thrown = [rivers.count(kind) for kind in range(tiles.num_kinds)]
            thrown[position.offered or 0] -= position.offered is not None
            assert tuple(thrown) == position.seen
        assert own_draws(state) == position.draws - has_drawn


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("445m34677p2346s55z draws=0", "no draw is left"),
        ("445m34677p2346s55z seen=1122334455667799s", "too few tiles for three other hands"),
        ("445m34677p2346s5z draws=6 offered=1z", "1z cannot be called or won"),
        ("23m67p44s1z called=2 draws=6", "tiles of the called melds are not known"),
        ("19m19p19s1234567z1z tiles=sanma draws=6", "no rules with the tiles"),
    ],
)
def test_impossible_positions_are_refused(text, message):
    with pytest.raises(GameError, match=message):
        start_of(text).deal(np.random.default_rng(1))
