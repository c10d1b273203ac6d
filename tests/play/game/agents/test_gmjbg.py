"""L1, L2 and L3 on hands computed by hand from the weights of the 2017 report."""

from helpers.game_tables import RNG, moves, view

from mjopt.play.game import GMJBG, PASS, Action, Move
from mjopt.play.game.agents import L1, L2, L3
from mjopt.play.game.tile_weights import VARIANTS, WeightVariant

NAMES = GMJBG.tiles.names


def choose(agent, seen):
    return agent.choose(seen, moves(seen), rng=RNG)


def discard(name):
    return Move(Action.DISCARD, NAMES.index(name))


def test_discards_the_first_tile_of_least_weight():
    """1m, 9m, west and north weigh 0; 1m is the first."""
    seen = view(GMJBG, "19m455p33467s1134z")
    for agent in (L1(), L2(), L3()):
        assert choose(agent, seen) == discard("1m")


def test_neighbour_two_ranks_away_adds_one():
    """1m weighs 0 + 1 (3m), 3m 2 + 1 + 1 (1m, 5m), and 9p 0."""
    seen = view(GMJBG, "1357m9p334466788s")
    assert choose(L1(), seen) == discard("9p")


def test_lock_keeps_a_chow_that_weights_would_break():
    """9m weighs 0 + 2 + 1 = 3 and so do 2p and 2s (1 + 2); 7p, 7s and white weigh 4.

    The first tile of least weight is 9m; with 789m locked it is 2p.
    """
    seen = view(GMJBG, "789m2277p2277s555z")
    assert choose(L1(), seen) == discard("9m")
    assert choose(L2(), seen) == choose(L3(), seen) == discard("2p")


def test_wins_if_possible():
    seen = view(GMJBG, "123m456p789s11122z")
    for agent in (L1(), L2(), L3()):
        assert choose(agent, seen).action is Action.WIN
    claim = view(GMJBG, "123m456p789s1112z", tile="2z")
    for agent in (L1(), L2(), L3()):
        assert choose(agent, claim) == Move(Action.WIN, NAMES.index("2z"))


def test_only_l3_calls_and_no_level_makes_kongs():
    claim = view(GMJBG, "1199m258p258s112z", tile="1z")
    assert Move(Action.PONG, 27) in moves(claim)
    assert choose(L1(), claim) == choose(L2(), claim) == PASS
    # The pair of east weighs 2 + 2, which the pong removes from the total.
    assert choose(L3(), claim) == Move(Action.PONG, 27)
    kong = view(GMJBG, "1119m258p258s112z", tile="1m")
    assert Move(Action.KONG, 0) in moves(kong)
    assert choose(L3(), kong).action is not Action.KONG
    own = view(GMJBG, "1111m258p258s1123z")
    assert Move(Action.CLOSED_KONG, 0) in moves(own)
    assert choose(L3(), own).action is Action.DISCARD


def test_name_contains_the_variant():
    assert L1().name == "l1"
    assert L3(VARIANTS["nearest"]).name == "l3-nearest"
    assert L1(WeightVariant(locked_chows=4)).name == "l1-custom"
    assert L1() == L1() != L2()
