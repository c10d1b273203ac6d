"""Useful tiles of many hands and one wall: those that bring the win a tile nearer."""

from collections.abc import Sequence

import numpy as np

from mjopt.answers.useful import useful_of
from mjopt.hands.hand import Hand
from mjopt.hands.tiles import FULL, M0
from mjopt.tables.batch import label_limited

Useful = tuple[tuple[int, int], ...]


def useful_copies(
    hands: Sequence[Hand], wall: tuple[int, ...], forms: tuple[str, ...]
) -> list[tuple[int, Useful]]:
    """Return the deficiency of every hand, and its useful kinds with the copies in the wall.

    Parameters
    ----------
    hands
        Hands before their draw, of one tile set and as many called melds.
    wall
        Copies of each kind in the wall.
    forms
        The winning forms.

    Examples
    --------
    >>> hand = Hand.parse("1112345678999m")
    >>> [(deficiency, useful)] = useful_copies([hand], hand.unseen, ("standard",))
    >>> deficiency, useful[:3]
    (1, ((0, 1), (1, 3), (2, 3)))
    """
    tiles, called = hands[0].tiles, hands[0].called
    if tiles not in (M0, FULL):  # a tile set of the user's own has no tables
        found = useful_of(list(hands), [wall] * len(hands), forms)
        return [(useful.deficiency, useful.copies) for useful in found]
    held = np.array([hand.counts for hand in hands], np.uint8)
    left = np.array(wall, np.uint8)
    kinds = np.flatnonzero(left)
    drawn = np.eye(tiles.num_kinds, dtype=np.uint8)[kinds]
    rows = np.concatenate([held, (held[:, None] + drawn).reshape(-1, tiles.num_kinds)])
    walls = np.concatenate([np.tile(left, (len(held), 1)), np.tile(left - drawn, (len(held), 1))])
    labels = label_limited(rows, walls, called=called, forms=forms, partial=True)
    before = labels[: len(held)]
    after = labels[len(held) :].reshape(len(held), len(kinds))
    return [
        (
            int(deficiency),
            tuple((int(kind), wall[kind]) for kind in kinds[line < deficiency]),
        )
        for deficiency, line in zip(before, after, strict=True)
    ]
