"""Convert events to the tenhou.net/6 format: one list per seat, without the global order."""

from mjopt.play.game.events import KIND_OF, RED
from mjopt.play.game.moves import Action


def code(tile):
    """Return a tile's code."""
    if tile >= RED:
        return 51 + tile - RED
    return 10 * (tile // 9 + 1) + tile % 9 + 1


def _call(event, seats):
    giver = (event.other - event.seat) % seats
    place = {seats - 1: 0, 2: 1, 1: 2 if event.action is not Action.KONG else 3}[giver]
    if seats == 4 and giver == 3:
        place = 0
    letter = {Action.CHOW: "c", Action.PONG: "p", Action.KONG: "m"}[event.action]
    codes = [f"{code(tile):02}" for tile in event.tiles]
    codes.insert(place, f"{letter}{code(event.tile):02}")
    return "".join(codes)


def unwoven(deal, seats=4):
    """Return a round as a list of tenhou.net/6."""
    taken, thrown = [[] for _ in range(seats)], [[] for _ in range(seats)]
    result, declares = ["流局", [0] * seats], False
    indicators = [] if deal.dora < 0 else [code(deal.dora)]
    for event in deal.events:
        seat, action = event.seat, event.action
        if action is Action.DRAW:
            taken[seat].append(code(event.tile))
        elif action is Action.READY:
            declares = True
        elif action is Action.DISCARD:
            entry = 60 if event.is_drawn else code(event.tile)
            thrown[seat].append(f"r{entry}" if declares else entry)
            declares = False
        elif action in (Action.CHOW, Action.PONG, Action.KONG):
            taken[seat].append(_call(event, seats))
            if action is Action.KONG:
                thrown[seat].append(0)
        elif action is Action.CLOSED_KONG:
            codes = [f"{code(tile):02}" for tile in event.tiles]
            thrown[seat].append("".join([*codes[:3], "a", codes[3]]))
        elif action is Action.NORTH:
            thrown[seat].append(f"f{code(event.tile)}")
        elif action is Action.ADDED_KONG:
            plain = f"{code(KIND_OF[event.tile]):02}"
            thrown[seat].append(f"k{code(event.tile):02}" + plain * 3)
        elif action is Action.DORA:
            indicators.append(code(event.tile))
        elif action is Action.WIN:
            if result[0] == "流局":
                result = ["和了"]
            result += [[0] * seats, [seat, event.other]]
    number = 4 * deal.wind + deal.dealer
    document = [[number, deal.honba, deal.sticks], list(deal.points), indicators, []]
    for seat in range(seats):
        document += [[code(tile) for tile in deal.hands[seat]], taken[seat], thrown[seat]]
    return [*document, result]
