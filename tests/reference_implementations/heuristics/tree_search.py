"""Plain recursive version of the tree search, which copies hands and counts nodes.

It visits the same nodes in the same order as the kernel, but computes the cost of a leaf
differently: can all slots be filled with 0 draws, with 1, with 2, ...?
"""

from collections import Counter
from dataclasses import dataclass, field

from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.hands.tiles import TileSet
from mjopt.heuristics._tree_moves import CHOW, DROP, EYE, GAP, NEAR, ORDERS, PAIR, PONG

Piece = tuple[int, int]  # branch, kind
SLOTS = (PAIR, NEAR, GAP)


@dataclass
class PlainTreeSearch:
    """A single search of a hand."""

    tiles: TileSet
    counts: tuple[int, ...]
    unseen: tuple[int, ...]
    slots: int
    order: str = "melds-first"
    prune: bool = True
    depth_limit: int = 100
    best: int = UNREACHABLE
    nodes: int = 0
    pieces: list[Piece] = field(default_factory=list)

    def run(self) -> "PlainTreeSearch":
        self.starts = set(self.tiles.chow_starts)
        self.in_meld, self.useful = self._what_tiles_are_good_for()
        self.runs = self._runs()
        self._visit(dict(enumerate(self.counts)), [], 0, -1, 0)
        return self

    def _visit(
        self, held: dict[int, int], path: list[Piece], levels: int, at: int, before: int
    ) -> None:
        """Visit a node; ``at`` and ``before`` are the index and kind of its branch."""
        self.nodes += 1
        melds = sum(branch in (PONG, CHOW) for branch, _ in path)
        twos = [(branch, kind) for branch, kind in path if branch in SLOTS]
        has_eye = any(branch == EYE for branch, _ in path)
        free = self.slots - melds - len(twos)
        a = min((kind for kind in held if held[kind]), default=None)
        if a is None or (free == 0 and has_eye) or levels >= self.depth_limit:
            self._judge(path, twos, free, has_eye)
            return
        if path or levels:
            bound = self._bound(held, a, len(twos), free, has_eye)
            if self.prune and bound >= self.best:
                return
        for place, branch in enumerate(ORDERS[self.order]):
            if a == before and place < at and branch != DROP:
                continue
            after = self._after(branch, a, held, free, has_eye)
            if after is None:
                continue
            step = held[a] if branch == DROP else 1
            cut = path if branch == DROP else [*path, (branch, a)]
            self._visit(after, cut, levels + step, place, a)

    def _after(
        self, branch: int, a: int, held: dict[int, int], free: int, has_eye: bool
    ) -> dict[int, int] | None:
        """Return the tiles held after a branch, or None if it is impossible."""
        if branch == DROP:
            return held | {a: 0}
        used = {
            PONG: (a, a, a),
            CHOW: (a, a + 1, a + 2),
            EYE: (a, a),
            PAIR: (a, a),
            NEAR: (a, a + 1),
            GAP: (a, a + 2),
        }[branch]
        if (has_eye if branch == EYE else free == 0) or (branch == CHOW and a not in self.starts):
            return None
        if branch in SLOTS and not any(self.unseen[t] for t in self._completing(branch, a)):
            return None
        after = Counter(held)
        after.subtract(used)
        return None if min(after.values()) < 0 else dict(after)

    def _completing(self, branch: int, a: int) -> list[int]:
        if branch == PAIR:
            return [a]
        if branch == GAP:
            return [a + 1] if a in self.starts else []
        return [a - 1] * (a - 1 in self.starts) + [a + 2] * (a in self.starts)

    # A leaf.

    def _judge(self, path: list[Piece], twos: list[Piece], free: int, has_eye: bool) -> None:
        left = Counter(dict(enumerate(self.counts)))
        for branch, a in path:
            left.subtract(
                {PONG: (a, a, a), CHOW: (a, a + 1, a + 2), NEAR: (a, a + 1), GAP: (a, a + 2)}.get(
                    branch, (a, a)
                )
            )
        if len(twos) + 2 * free + (not has_eye) >= self.best:
            return
        cost = self._completion(twos, free, has_eye, left)
        if cost < self.best:
            self.best, self.pieces = cost, list(path)

    def _completion(self, twos: list[Piece], free: int, has_eye: bool, left: Counter[int]) -> int:
        """Return the minimal number of draws if it is below the best so far: try 0, 1, 2, ..."""
        kinds = range(len(self.counts))
        chows = [(a, a + 1, a + 2) for a in sorted(self.starts)]
        pongs = [(a, a, a) for a in kinds]
        slots = [[((), (t,)) for t in self._completing(*two)] for two in twos]
        slots += [_fillings(chows + pongs)] * free
        slots += [] if has_eye else [_fillings([(a, a) for a in kinds])]
        for draws in range(self.best):
            if _can_fill(slots, draws, left, Counter(dict(enumerate(self.unseen)))):
                return draws
        return UNREACHABLE

    # The bound: the best possible use of the remaining tiles.

    def _what_tiles_are_good_for(self) -> tuple[set[int], set[int]]:
        held = {kind for kind, number in enumerate(self.counts) if number}
        whole = {a for a in held if self.counts[a] >= 3}
        useful = {a for a in held if self.counts[a] >= 2}
        for a in self.starts:
            chow = {a, a + 1, a + 2}
            if chow <= held:
                whole |= chow
            if len(chow & held) >= 2:
                useful |= chow & held
        return whole, useful

    def _runs(self) -> list[set[int]]:
        """Split the kinds where no meld or pmeld of the hand crosses."""
        held = {kind for kind, number in enumerate(self.counts) if number}
        runs: list[set[int]] = [set()]
        for kind in range(len(self.counts)):
            runs[-1].add(kind)
            crossing = any(
                len({t for t in chow if t <= kind} & held) >= 1
                and len({t for t in chow if t > kind} & held) >= 1
                for chow in ({a, a + 1, a + 2} for a in self.starts)
            )
            if not crossing:
                runs.append(set())
        return runs

    def _bound(self, held: dict[int, int], a: int, twos: int, free: int, has_eye: bool) -> int:
        melds = sum(sum(held[t] for t in run & self.in_meld if t >= a) // 3 for run in self.runs)
        useful = sum(held[t] for t in self.useful if t >= a)
        best_melds = min(free, melds)
        pairs = min(free - best_melds + (not has_eye), (useful - 3 * best_melds) // 2)
        return twos + 2 * (free - best_melds) + (not has_eye) - pairs


Filling = tuple[tuple[int, ...], tuple[int, ...]]  # spare tiles used, tiles drawn


def _fillings(blocks: list[tuple[int, ...]]) -> list[Filling]:
    """Return the ways to fill an empty slot: draw all tiles, or all but one spare tile."""
    singles = [
        ((block[i],), block[:i] + block[i + 1 :]) for block in blocks for i in range(len(block))
    ]
    return [*dict.fromkeys(singles), *(((), block) for block in blocks)]


def _can_fill(
    slots: list[list[Filling]], draws: int, left: Counter[int], unseen: Counter[int]
) -> bool:
    if not slots:
        return True
    least = sum(min(len(drawn) for _, drawn in slot) for slot in slots[1:] if slot)
    for kept, drawn in slots[0]:
        fits = Counter(kept) <= left and Counter(drawn) <= unseen
        if (
            fits
            and len(drawn) + least <= draws
            and _can_fill(
                slots[1:], draws - len(drawn), left - Counter(kept), unseen - Counter(drawn)
            )
        ):
            return True
    return False
