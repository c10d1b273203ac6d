"""A kernel for templates without tables, and for limited unseen tiles: a dynamic program."""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mjopt._internal.jit import kernel
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.tables.standard._kernels import Bytes, Integers, Labels
from mjopt.tables.suits.template_cost import suit_uses

# The shortest path of docs/reference/winning-forms.md ("Programs and proofs") for any template:
#
#     f_{k+1}(o', p + a) = min over uses of f_k(o, p) + max(0, used - held_k - jokers used)
#
# where o are the open chows of one and two kinds back, p the numbers of parts so far, and a use
# adds the parts a. All p are places of one array of bytes: the numbers of parts are the digits of a
# place, so adding parts is a constant distance. The innermost loop then adds a number to an array
# and takes a minimum, which compiles to vector instructions without a test; numbers beyond the
# maximum are discarded after each kind.

BYTE = np.uint8

FAR: Final = 100  # infeasible; with the most that one kind can miss still a byte
_LANES: Final = 32  # bytes of a vector


class DynamicProgram(NamedTuple):
    """The dynamic program of a template: the uses of each kind, and the parts they add.

    The numbers of parts, of jokers too, are the digits of one number. Every digit has room for the
    most that one use can add, so that sums never carry; ``is_beyond`` marks numbers with a digit
    above its maximum.
    """

    begins: Integers  # for each kind: the first of its uses; one entry more than kinds
    uses: Integers  # chows that begin, what the parts add, copies, eligible copies
    is_beyond: NDArray[np.bool_]
    joker: int  # what a joker adds; 0 if there are none
    wanted: int  # the number of a complete hand, without jokers
    most_jokers: int
    most_chows: int  # that begin with one kind
    limit: int  # of copies of a kind, with jokers
    jokers_for_melds: bool
    is_joker: NDArray[np.bool_]  # by kind


@lru_cache(maxsize=256)
def program(template: Template, tiles: TileSet, called: int) -> DynamicProgram:
    """Return the dynamic program of a template."""
    jokers = template.most_jokers
    kinds = suit_uses(template, tiles, 0, tiles.num_kinds, jokers)
    limit = COPIES + jokers * template.has_fifth
    uses = [use for some in kinds for use in some]
    added = np.array([[use.parts >> 7 * place & 0x7F for place in range(5)] for use in uses])
    most = np.array(
        (
            template.melds - called,
            template.eyes,
            template.distinct,
            template.doubled,
            template.pairs,
        )
    )
    # A digit has room for its maximum plus one use. So a sum never carries into the next digit
    # before `is_beyond` removes it.
    room = np.append(most + np.minimum(added.max(axis=0), most), jokers + min(jokers, limit)) + 1
    places = np.append(1, np.cumprod(room[:-1]))
    kept = (added <= most).all(axis=1)
    rows = [
        (use.chows, int(digits @ places[:5]), use.copies, use.eligible)
        for use, digits in zip(uses, added, strict=True)
    ]
    numbers = np.concatenate([[0], np.cumsum([len(some) for some in kinds])])
    begins = np.concatenate([[0], np.cumsum(kept)])[numbers]
    size = -(-int(room.prod()) // _LANES) * _LANES
    digits = np.arange(size)[:, None] // places % room
    is_beyond = (digits > np.append(most, jokers)).any(axis=1)
    is_beyond[int(room.prod()) :] = True
    return DynamicProgram(
        begins,
        np.array(rows, np.int64)[kept],
        is_beyond,
        int(places[5]) if jokers else 0,
        int(most @ places[:5]),
        jokers,
        max(use.chows for use in uses),
        limit,
        "melds" in template.joker_parts,
        np.isin(np.arange(tiles.num_kinds), template.jokers),
    )


@kernel
def update_minimum(  # noqa: PLR0912 - one loop over the rows
    rows: Bytes, unseen: Bytes, step: int, plan: DynamicProgram, out: Labels
) -> None:
    """Replace each label by the deficiency of a template if that is less.

    The dynamic program of `part_costs`; the costs for all numbers of parts
    are one array, which the inner loop adds to and compares.

    ``rows`` holds one number for each kind of a hand; ``unseen``, the copies that can still arrive,
    those of hand i from ``i * step`` on.
    """
    width, size = plan.is_joker.size, plan.is_beyond.size
    most = plan.most_chows + 1
    # The rows have room for the largest step, so that all inner loops have the same length.
    best = np.empty((most * most, 2 * size + plan.most_jokers * plan.joker), np.uint8)
    after = np.empty_like(best)
    for row in range(out.size):
        held_jokers = jokers = 0
        for kind in range(width):
            if plan.is_joker[kind]:
                held_jokers += rows[row * width + kind]
                jokers += rows[row * width + kind] + unseen[row * step + kind]
        jokers = min(jokers, plan.most_jokers)
        # best[two_back * most + one_back, p]: all at most FAR, so that a sum with the tiles that
        # one kind misses stays within a byte.
        best[:] = FAR
        best[0, 0] = 0
        for kind in range(width):
            held, natural = 0, 0
            if not plan.is_joker[kind]:
                held = int(rows[row * width + kind])
                natural = min(4, held + int(unseen[row * step + kind]))
            after[:] = FAR
            for opened in range(most * most):
                least = BYTE(FAR)
                for part in range(size):
                    least = min(least, best[opened, part])
                if least == FAR:
                    continue
                one_back, carried = opened % most, opened // most + opened % most
                for use in range(plan.begins[kind], plan.begins[kind + 1]):
                    chows, used = plan.uses[use, 0], carried + plan.uses[use, 2]
                    fewest = max(0, used - natural)
                    if used > plan.limit or fewest > jokers:
                        continue
                    able = plan.uses[use, 3] + carried * plan.jokers_for_melds
                    target = one_back * most + chows
                    for stands in range(fewest, min(jokers, able, max(0, used - held)) + 1):
                        missing = BYTE(max(0, used - held - stands))
                        shift = plan.uses[use, 1] + stands * plan.joker
                        for part in range(size):  # vectorised
                            cost = BYTE(best[opened, part] + missing)
                            after[target, part + shift] = min(after[target, part + shift], cost)
            for opened in range(most * most):
                for part in range(size):
                    far = BYTE(FAR * plan.is_beyond[part])
                    after[opened, part] = min(BYTE(FAR), max(after[opened, part], far))
            best, after = after, best
        # Jokers beyond those held are drawn as well.
        for stands in range(jokers + 1):
            found = best[0, plan.wanted + stands * plan.joker] + max(0, stands - held_jokers)
            if found < FAR:
                out[row] = min(out[row], found)
