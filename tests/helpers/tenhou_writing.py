"""Write events as Tenhou XML: tiles as ids, each call packed into one number."""

from mjopt.play.game.moves import Action
from mjopt.play.review.tenhou_xml import DRAW_REASONS, NO_REDS, THREE_PLAYERS

_TYPES = {why: text for text, why in DRAW_REASONS.items()}


class Numbers:
    """The tile ids in each seat's hand, without red fives."""

    def __init__(self, seats):
        self.free = {kind: [4 * kind + copy for copy in range(4)] for kind in range(34)}
        self.held = [[] for _ in range(seats)]

    def take(self, tile):
        """Return the id of a copy outside all hands."""
        return self.free[tile].pop()

    def give(self, seat, tile, *, last=-1):
        """Return the copy that a seat lays down; the drawn copy only if it has no other."""
        some = [number for number in self.held[seat] if number // 4 == tile]
        chosen = min(some, key=lambda number: number == last)
        self.held[seat].remove(chosen)
        return chosen


def packed(event, called, own, seats):
    """Return the packed number of a call."""
    giver = (event.other - event.seat) % seats
    every = sorted([*own, called])
    first, place = every[0] // 4, every.index(called)
    if event.action is Action.CHOW:
        copies = sum((n % 4) << shift for n, shift in zip(every, (3, 5, 7), strict=True))
        return giver | 4 | copies | ((first // 9 * 7 + first % 9) * 3 + place) << 10
    if event.action is Action.PONG:
        return giver | 8 | (6 - sum(n % 4 for n in every)) << 5 | (first * 3 + place) << 9
    return giver | called << 8


def written(*deals, seats=4):
    """Return a document of one or several rounds."""
    kind = 1 | NO_REDS | (THREE_PLAYERS if seats == 3 else 0)
    text = "".join(told(deal, seats) for deal in deals)
    return f'<mjloggm ver="2.3"><GO type="{kind}"/>{text}</mjloggm>'


def told(deal, seats):
    """Return the elements of one round."""
    numbers = Numbers(seats)
    for seat, hand in enumerate(deal.hands):
        numbers.held[seat] = [numbers.take(tile) for tile in hand]
    hands = " ".join(
        f'hai{seat}="{",".join(map(str, hand))}"' for seat, hand in enumerate(numbers.held)
    )
    dora = 0 if deal.dora < 0 else numbers.take(deal.dora)
    start = f"{4 * deal.wind + deal.number - 1},{deal.honba},{deal.sticks},1,1,{dora}"
    points = deal.points if any(deal.points) else (100,) * 4
    ten = ",".join(str(one // 100) for one in points)
    text = f'<INIT seed="{start}" ten="{ten}" oya="{deal.dealer}" {hands}/>'
    score = f'sc="{",".join("0" * 8)}"'
    drawn = lies = -1
    for event in deal.events:
        seat, action = event.seat, event.action
        if action is Action.DRAW:
            drawn = numbers.take(event.tile)
            numbers.held[seat].append(drawn)
            text += f"<{'TUVW'[seat]}{drawn}/>"
        elif action is Action.DISCARD:
            if event.is_drawn:
                numbers.held[seat].remove(drawn)
                lies = drawn
            else:
                lies = numbers.give(seat, event.tile, last=drawn)
            text += f"<{'DEFG'[seat]}{lies}/>"
        elif action in (Action.READY, Action.READY_STANDS):
            text += f'<REACH who="{seat}" step="{1 if action is Action.READY else 2}"/>'
        elif action in (Action.CHOW, Action.PONG, Action.KONG):
            own = [numbers.give(seat, tile) for tile in event.tiles]
            text += f'<N who="{seat}" m="{packed(event, lies, own, seats)}" />'
        elif action is Action.CLOSED_KONG:
            own = [numbers.give(seat, tile) for tile in event.tiles]
            text += f'<N who="{seat}" m="{min(own) << 8}" />'
        elif action is Action.ADDED_KONG:
            lies = numbers.give(seat, event.tile)
            text += f'<N who="{seat}" m="{16 | lies % 4 << 5 | (lies // 4 * 3) << 9}" />'
        elif action is Action.NORTH:
            lies = numbers.give(seat, event.tile)
            text += f'<N who="{seat}" m="{32 | lies << 8}" />'
        elif action is Action.WIN:
            tile = drawn if event.other == seat else lies
            text += f'<AGARI who="{seat}" fromWho="{event.other}" machi="{tile}" {score}/>'
        elif action is Action.DORA:
            text += f'<DORA hai="{numbers.take(event.tile)}"/>'
        else:
            kind = _TYPES.get(deal.draw_reason, "")
            text += f"<RYUUKYOKU {score}" + (f' type="{kind}"' if kind else "") + "/>"
    return text
