"""The engine's points beside those of the package mahjong, on all wins of many games."""

from collections import Counter

import pytest

pytest.importorskip("jansou")
pytest.importorskip("mahjong")

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.meld import Meld

from mjopt.play.game import Action, agent_stream
from mjopt.play.game.agents import read_agent
from mjopt.play.game.events import CALLS, KIND_OF, KONGS, RED
from mjopt.play.game.mjai_messages import tile_of
from mjopt.play.riichi import RiichiTable, riichi_wall

AGENTS = ("deficiency", "l3", "deficiency", "random")
KINDS = {Action.CHOW: Meld.CHI, Action.PONG: Meld.PON, Action.ADDED_KONG: Meld.SHOUMINKAN}
POSITIONS = [
    {"wind": 0, "honba": 0, "sticks": 0},
    {"wind": 1, "honba": 2, "sticks": 1},
    {"wind": 0, "honba": 1, "sticks": 2},
]


class Numbers:
    """Numbers of tiles as the package has them: copy 0 of a five is the red one."""

    def __init__(self):
        self.used = Counter()

    def of(self, tiles):
        numbers = []
        for tile in tiles:
            kind = KIND_OF[tile]
            if tile >= RED:
                numbers.append(4 * kind)
                continue
            first = 1 if kind in (4, 13, 22) else 0
            numbers.append(4 * kind + first + self.used[kind])
            self.used[kind] += 1
        return numbers


def score(table, win, before):
    """Return what the package says of a win: han, fu, and what the payers pay."""
    seat, state, start = win["actor"], table.state, table.messages[0]
    is_own, numbers, melds = win["target"] == seat, Numbers(), []
    for meld in state.table.melds[seat]:
        opened = meld.action is not Action.CLOSED_KONG
        kind = KINDS.get(meld.action, Meld.KAN)
        melds.append(Meld(kind, tiles=sorted(numbers.of(meld.tiles)), opened=opened))
    [last] = {event.tile for event in table.news() if event.action is Action.WIN}
    held = state.tiles(seat)
    if is_own:
        held.remove(last)
    [number] = numbers.of([last])
    tiles = [*numbers.of(held), number, *(tile for meld in melds for tile in meld.tiles)]
    robbed = table.outcome.ending.value == "robbed kong"
    acts = [event for event in table.news() if event.action is not Action.WIN]
    acts = acts[:-1] if robbed else acts
    declared = [i for i, e in enumerate(acts) if e.seat == seat and e.action is Action.READY]
    calls = [i for i, e in enumerate(acts) if e.action in (*CALLS, *KONGS)]
    own = [i for i, e in enumerate(acts) if e.seat == seat and e.action is Action.DISCARD]
    is_first = bool(declared) and not any(i < declared[0] for i in (*own, *calls))
    is_last, on_kong = not before.table.live, before.table.on_replacement
    is_blessed = is_own and not (calls or own or declared)
    config = HandConfig(
        is_tsumo=is_own,
        is_riichi=bool(declared) and not is_first,
        is_daburu_riichi=is_first,
        is_ippatsu=bool(declared) and not any(i > declared[0] for i in (*own, *calls)),
        is_rinshan=is_own and on_kong,
        is_chankan=robbed,
        is_haitei=is_own and is_last and not on_kong,
        is_houtei=not is_own and is_last and not robbed,
        is_tenhou=is_blessed and seat == start["oya"],
        is_chiihou=is_blessed and seat != start["oya"],
        player_wind=27 + (seat - start["oya"]) % 4,
        round_wind=27 + "ESWN".index(start["bakaze"]),
        tsumi_number=start["honba"] * (seat == table.outcome.winners[0]),
        options=OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False),
    )
    below = [KIND_OF[tile_of(sign)] for sign in win["uradora_markers"]]
    found = HandCalculator().estimate_hand_value(
        tiles,
        number,
        melds=melds,
        dora_indicators=[4 * kind for kind in (*before.indicators, *below)],
        config=config,
    )
    assert found.error is None
    cost = found.cost
    paid = cost["main"] + cost["main_bonus"]
    if is_own:
        paid += 2 * (cost["additional"] + cost["additional_bonus"])
    return found.han, found.fu, paid


def check(game, agents):
    """Play a hand, compare its wins, and return their number."""
    start, dealer = POSITIONS[game % len(POSITIONS)], game % 4
    table = RiichiTable(riichi_wall(61, game), dealer=dealer, **start)
    rngs, before = [agent_stream(61, game, seat) for seat in range(4)], None
    while (seat := table.to_move) is not None:
        before = table.view(seat)
        table.play(agents[seat].choose(before, table.options(), rng=rngs[seat]))
    wins = [message for message in table.messages if message["type"] == "hora"]
    total = 0
    for win in wins:
        han, fu, paid = score(table, win, before)
        total += paid
        if win["fan"]:  # 0 of a yakuman
            assert (win["fan"], win["fu"]) == (han, fu), win
    if wins:
        stood = sum(message["type"] == "reach_accepted" for message in table.messages)
        gains = sum(wins[-1]["deltas"][win["actor"]] for win in wins)
        assert gains == total + 1000 * (start["sticks"] + stood), wins
    return len(wins)


def test_points_of_games():
    agents = [read_agent(name) for name in AGENTS]
    assert sum(check(game, agents) for game in range(200)) > 120


def test_points_of_a_few_hands():
    agents = [read_agent("l2")] * 4
    assert sum(check(game, agents) for game in range(200, 206)) > 0
