"""A choice of at most five pieces cut from a hand, and what it costs to complete."""

from dataclasses import dataclass

from mjopt._internal.validation import expect
from mjopt.errors import HandError
from mjopt.hands.blocks import Block, Shape, usage
from mjopt.hands.coerce import as_hand
from mjopt.hands.hand import MAX_CALLED, Hand


@dataclass(frozen=True, slots=True)
class Predecomposition:
    """At most five melds, pairs and pchows that together fit in a hand.

    Parameters
    ----------
    hand
        The hand they are cut from.
    pieces
        The pieces, in any order; with k melds called, at most ``5 - k``.

    Raises
    ------
    HandError
        If there are too many pieces, or they use a tile the hand lacks.

    Examples
    --------
    >>> from mjopt.hands.blocks import chow, pchow
    >>> hand = Hand.parse("123m456m789m12399p")
    >>> Predecomposition(hand, (chow(0), chow(3), chow(6), pchow(9, gap=1))).cost()
    2
    """

    hand: Hand
    pieces: tuple[Block, ...]

    def __post_init__(self) -> None:
        """Refuse pieces that the hand cannot supply together."""
        object.__setattr__(self, "hand", as_hand(self.hand))
        for piece in self.pieces:
            expect(piece, Block, "pieces")
        if len(self.pieces) > self.hand.melds_needed + 1:
            raise HandError(
                f"{len(self.pieces)} pieces, expected at most {self.hand.melds_needed + 1}"
            )
        for kind, (used, held) in enumerate(
            zip(usage(list(self.pieces), self.hand.tiles.num_kinds), self.hand.counts, strict=True)
        ):
            if used > held:
                name = self.hand.tiles.names[kind]
                raise HandError(f"pieces use {used} of {name}, the hand holds {held}")

    def cost(self, *, special_case_1: bool = True, special_case_2: bool = True) -> int:
        """Return the paper's cost: Eq. 8 with its two special cases.

        With m melds (called ones included), n pmelds and p = 1 if there is a pair,
        Eq. 8 is ``9 - 2m - n``, and one more if ``m + n = 5`` and ``p = 0``.

        Parameters
        ----------
        special_case_1
            One more if ``m + n = 5`` and two pairs are of the same kind: all four
            copies are held, so one of them can only ever be the eye.
        special_case_2
            Cost 2, not 1, if ``m = 4, n = 0`` and every tile left over is the
            fourth copy of a pong: no tile is left that can start an eye. (The
            paper names the two tiles left over of a 14-tile hand.)

        Returns
        -------
        int
            Tile changes. It is **not** always enough: see docs/formulations.md on three kongs.
        """
        num_melds = self.hand.called + sum(piece.is_meld for piece in self.pieces)
        pairs = [piece.kinds[0] for piece in self.pieces if piece.shape is Shape.EYE]
        num_pmelds = len(self.pieces) + self.hand.called - num_melds
        cost = 2 * MAX_CALLED + 1 - 2 * num_melds - num_pmelds
        if num_melds + num_pmelds == MAX_CALLED + 1:
            cost += not pairs
            cost += special_case_1 and len(set(pairs)) < len(pairs)
        elif special_case_2 and num_melds == MAX_CALLED and not num_pmelds:
            cost += self._no_eye_can_start()
        return cost

    def _no_eye_can_start(self) -> bool:
        used = usage(list(self.pieces), self.hand.tiles.num_kinds)
        pongs = {piece.kinds[0] for piece in self.pieces if piece.shape is Shape.PONG}
        left = [
            kind for kind, held in enumerate(self.hand.counts) for _ in range(held - used[kind])
        ]
        return all(kind in pongs for kind in left)
