"""Simulate three-player rounds independently of mjopt's readers and rules."""

import random

from mjopt.play.game.events import Event
from mjopt.play.game.log import LogRound
from mjopt.play.game.moves import Action
from mjopt.play.game.state import Ending
from mjopt.tables.lookup import label_one

KINDS = (0, 8, *range(9, 34))  # no 2 to 8 of characters
NORTH, DEAD = 30, 14


class Table:
    """Three hands, a wall and the list of events."""

    def __init__(self, rng, dealer):
        self.rng, self.turn = rng, dealer
        self.wall = [kind for kind in KINDS for _ in range(4)]
        rng.shuffle(self.wall)
        self.hands = [[self.wall.pop() for _ in range(13)] for _ in range(3)]
        self.dealt = tuple(tuple(sorted(hand)) for hand in self.hands)
        self.dora = self.wall.pop()
        self.live = len(self.wall) + 1 - DEAD
        self.melds = [[] for _ in range(3)]
        self.ready = [False] * 3
        self.events, self.owed, self.kongs = [], False, 0

    def add(self, seat, action, tile=-1, **more):
        self.events.append(Event(seat, action, tile, **more))

    def away(self, seat, more=()):
        counts = [0] * 34
        for tile in [*self.hands[seat], *more]:
            counts[tile] += 1
        return label_one(counts, sum(action is not Action.NORTH for action, _ in self.melds[seat]))

    def may(self, share):
        return self.rng.random() < share

    def indicate(self):
        if self.owed:
            self.add(-1, Action.DORA, self.wall.pop(0))
        self.owed = False

    def is_robbed(self, tile):
        """Let the others win on a tile; return whether one does."""
        seats = [(self.turn + i) % 3 for i in (1, 2)]
        for seat in (seat for seat in seats if not self.away(seat, [tile])):
            self.add(seat, Action.WIN, tile, other=self.turn)
        return self.events[-1].action is Action.WIN

    def lay(self, seat, action, tile, gone, /, **more):
        for held in gone:
            self.hands[seat].remove(held)
        self.melds[seat].append((action, tile))
        self.add(seat, action, tile, **more)

    def own_meld(self, drawn):
        """Set a north aside or declare a kong if possible; return the tiles laid down, or None."""
        seat, hand = self.turn, self.hands[self.turn]
        if not self.live or (self.ready[seat] and drawn != NORTH):
            return None
        if NORTH in hand and self.may(0.7):
            self.lay(seat, Action.NORTH, NORTH, [NORTH])
            self.indicate()
            return NORTH
        if self.kongs == 4 or self.ready[seat]:
            return None
        for kind in sorted(set(hand)):
            if hand.count(kind) == 4:
                self.kongs += 1
                self.lay(seat, Action.CLOSED_KONG, kind, [kind] * 4, tiles=(kind,) * 4)
                self.indicate()
                self.owed = True
                self.indicate()
                return -1
            if (Action.PONG, kind) in self.melds[seat]:
                self.kongs += 1
                self.melds[seat].remove((Action.PONG, kind))
                self.lay(seat, Action.ADDED_KONG, kind, [kind])
                self.indicate()
                self.owed = True
                return kind
        return None

    def throw(self, drawn):
        """Discard a tile of minimal deficiency, or sometimes a random tile."""
        seat, hand = self.turn, self.hands[self.turn]
        left = {}
        for kind in set(hand):
            hand.remove(kind)
            left[kind] = self.away(seat)
            hand.append(kind)
        best = [kind for kind in sorted(left) if left[kind] == min(left.values())]
        tile = drawn if self.ready[seat] else self.rng.choice(best if self.may(0.9) else hand)
        is_open = any(
            action not in (Action.NORTH, Action.CLOSED_KONG) for action, _ in self.melds[seat]
        )
        declares = not is_open and not self.ready[seat] and drawn >= 0 and left[tile] == 1
        if declares:
            self.add(seat, Action.READY)
        self.indicate()
        hand.remove(tile)
        self.add(seat, Action.DISCARD, tile, is_drawn=tile == drawn)
        if self.is_robbed(tile):
            return None
        if declares:
            self.ready[seat] = True
            self.add(seat, Action.READY_STANDS)
        return tile

    def call(self, tile):
        """Let a seat with a pair call the discard; return the kind of call, or None."""
        for seat in ((self.turn + 1) % 3, (self.turn + 2) % 3):
            held = self.hands[seat].count(tile)
            if held < 2 or self.ready[seat] or not self.live or not self.may(0.6):
                continue
            action = Action.KONG if held == 3 and self.kongs < 4 else Action.PONG
            own = (tile,) * (3 if action is Action.KONG else 2)
            self.lay(seat, action, tile, own, other=self.turn, tiles=own)
            self.turn = seat
            self.kongs += action is Action.KONG
            if action is Action.KONG:
                self.indicate()
                self.owed = True
            return action
        return None

    def play(self):
        """Play until a seat wins or the wall is empty; return the reason of a draw."""
        draws = True
        while True:
            drawn = -1
            if draws:
                if not self.live:
                    self.add(-1, Action.DRAWN_GAME)
                    return Ending.WALL_EMPTY
                self.live -= 1
                drawn = self.wall.pop()
                self.hands[self.turn].append(drawn)
                self.add(self.turn, Action.DRAW, drawn)
                if not self.away(self.turn):
                    self.add(self.turn, Action.WIN, drawn, other=self.turn)
                    return None
                laid = self.own_meld(drawn)
                if laid is not None:
                    if laid >= 0 and self.is_robbed(laid):
                        return None
                    continue
            tile = self.throw(drawn)
            if tile is None:
                return None
            action = self.call(tile)
            draws = action is not Action.PONG
            if action is None:
                self.turn = (self.turn + 1) % 3


def east_only(seed):
    """Return the three rounds of an east-only game."""
    points, rounds = [35000] * 3, []
    for dealer in range(3):
        table = Table(random.Random(f"{seed} {dealer}"), dealer)
        why = table.play()
        rounds.append(
            LogRound(
                wind=0,
                number=dealer + 1,
                dealer=dealer,
                points=tuple(points),
                dora=table.dora,
                hands=table.dealt,
                events=tuple(table.events),
                draw_reason=why,
                change=(0, 0, 0),
            )
        )
        for event in table.events:
            points[event.seat] -= 1000 * (event.action is Action.READY_STANDS)
    return rounds
