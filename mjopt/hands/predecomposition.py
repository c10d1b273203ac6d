"""The paper's problem: candidate blocks, predecompositions and their cost."""

from dataclasses import dataclass

from mjopt._internal.validation import expect_all
from mjopt.errors import HandError
from mjopt.hands.blocks import Block, Shape, chow, eye, pchow, pong, usage
from mjopt.hands.coerce import HandLike, as_hand
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.tiles import COPIES


def candidates(hand: HandLike) -> tuple[Block, ...]:
    """List the set S of a hand: its melds and pmelds.

    Each element is listed once. A pchow that cannot be completed, because the hand holds
    all four copies of the missing tiles, is left out.

    Parameters
    ----------
    hand
        The hand, as for :func:`mjopt.certify`.

    Returns
    -------
    tuple of Block
        By shape (pchows, pairs, chows, pongs), then by kind.

    References
    ----------
    .. [1] Yan and Li (2023), Mathematics 11, 2135, section 3.1, cases 1 to 5
       ("more than two" and "more than three" read as "at least").

    Examples
    --------
    >>> from mjopt import Hand
    >>> hand = Hand.parse("B1B2B3B3B3B3B4B8C4C5C9D6D7D8", notation="paper")
    >>> [block.text(hand.tiles) for block in candidates(hand)]
    ['45m', '67p', '68p', '78p', '13s', '23s', '34s', '33s', '678p', '123s', '234s', '333s']
    """
    hand = as_hand(hand)
    counts, starts = hand.counts, set(hand.tiles.chow_starts)

    def can_arrive(kind: int) -> bool:
        return counts[kind] < COPIES

    pchows: list[Block] = []
    pairs: list[Block] = []
    chows: list[Block] = []
    pongs: list[Block] = []
    for kind, held in enumerate(counts):
        if not held:
            continue
        # Cases 1 and 2: a completing neighbour exists exactly where a chow does.
        below = kind - 1 in starts and can_arrive(kind - 1)
        above = kind in starts and can_arrive(kind + 2)
        if (kind in starts or kind - 1 in starts) and counts[kind + 1] and (below or above):
            pchows.append(pchow(kind, gap=1))
        if kind in starts and counts[kind + 2] and can_arrive(kind + 1):
            pchows.append(pchow(kind, gap=2))
        if kind in starts and counts[kind + 1] and counts[kind + 2]:
            chows.append(chow(kind))
        if held >= 2:
            pairs.append(eye(kind))
        if held >= 3:
            pongs.append(pong(kind))
    return (*pchows, *pairs, *chows, *pongs)


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
        """Validate that the hand can supply the pieces together."""
        object.__setattr__(self, "hand", as_hand(self.hand))
        expect_all(self.pieces, Block, "pieces")
        if len(self.pieces) > self.hand.melds_needed + 1:
            raise HandError(
                f"{len(self.pieces)} pieces", expected=f"at most {self.hand.melds_needed + 1}"
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
            copies are held, so only one pair can be the eye.
        special_case_2
            Cost 2, not 1, if ``m = 4, n = 0`` and every unused tile is the fourth
            copy of a pong: no tile can start an eye. (The paper names the two
            unused tiles of a 14-tile hand.)

        Returns
        -------
        int
            Tile changes. It is **not** always enough: see docs/results/paper-cost.md.
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
        unused = [kind for kind, held in enumerate(self.hand.counts) if held > used[kind]]
        return all(kind in pongs for kind in unused)
