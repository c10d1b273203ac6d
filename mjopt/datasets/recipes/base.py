"""The interface of recipes: a number of hands, and any block of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mjopt._internal.sanitize import short_repr, shorten
from mjopt._internal.user_module import UserCode, is_builtin
from mjopt._internal.validation import as_whole, expect
from mjopt.errors import ArgumentError
from mjopt.hands.hand import MAX_CALLED, Hand
from mjopt.hands.rules.classic_forms import HAND_SIZE
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.tiles import TileSet

BLOCK_ROWS: Final = 122_880
"""Hands drawn from one random stream, and rows of a Parquet row group."""

MAX_ARRAY_ROWS: Final = 1 << 31
"""Largest number of hands in one array."""

STREAMS: Final = {"deals": 1, "types": 2, "distinct": 3, "kongs": 4, "stratified": 5}
"""Random stream of each kind of recipe; these numbers must never change."""

Counts = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """Tile set and size of hands.

    Parameters
    ----------
    tiles
        The tile set.
    size
        Tiles of a hand with nothing called: 13 before the draw, 14 after; other rules have other
        sizes.
    called
        Melds on the table; a hand then holds three tiles fewer for each.
    rules
        The rule set, if it is not hands of 14 tiles without further rules; its tiles are those
        of the deal.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> Deal(tiles=M0, size=13, called=2).num_tiles
    7
    """

    tiles: TileSet
    size: int = 14
    called: int = 0
    rules: RuleSet | None = None

    def __post_init__(self) -> None:
        """Validate the sizes."""
        if self.rules is not None:
            expect(self.rules, RuleSet, "rules")
            if self.rules.tiles != self.tiles:
                raise ArgumentError(
                    f"{self.tiles.name}, but the rules {self.rules.name} are about "
                    f"{self.rules.tiles.name}"
                )
        full = self.complete
        if as_whole(self.size) not in (full - 1, full):
            raise ArgumentError(
                f"hands of {short_repr(self.size)} tiles", expected=f"{full - 1} or {full}"
            )
        most = MAX_CALLED if self.rules is None else self.rules.most_called
        if as_whole(self.called) not in range(most + 1):
            raise ArgumentError(f"{short_repr(self.called)} called melds", expected=f"0..{most}")

    @property
    def complete(self) -> int:
        """Tiles of a complete hand; ``size`` is that, or one fewer."""
        return HAND_SIZE if self.rules is None else self.rules.size

    @property
    def num_tiles(self) -> int:
        """Concealed tiles of each hand."""
        return self.size - 3 * self.called

    def hand(self, counts: Sequence[int]) -> Hand:
        """Return a hand of this deal, given its copies per kind."""
        return Hand.from_counts(counts, tiles=self.tiles, called=self.called, rules=self.rules)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PositionColumns:
    """What the players of some hands see, and what one opponent of each shows."""

    unseen: Counts  # copies of each kind that the player does not see, shape (N, K)
    # Kinds that the opponent cannot win on, because he discarded them or let them pass: a bit for
    # each kind, shape (N,).
    cannot_win_on: npt.NDArray[np.unsignedinteger]
    # The tiles of his melds as text, such as ``1111m,777z``; empty if there are none or they are
    # not known. Shape (N,).
    opponent_melds: npt.NDArray[np.object_]
    opponent_called: npt.NDArray[np.int8]  # the number of his melds, shape (N,)

    def take(self, rows: slice | npt.NDArray[np.integer]) -> "PositionColumns":
        """Return some of the rows."""
        return PositionColumns(**{name: array[rows] for name, array in self.columns().items()})

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays by column."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True, kw_only=True)
class HandRecipe:
    """Numbered hands: the same seed gives the same hands, in whatever order blocks are read.

    Parameters
    ----------
    name
        The recipe as text; :func:`read_recipe` reads it back.
    deal
        Tile set and size.
    num_hands
        Number of hands.
    find
        Returns the hands in a range of numbers within a block, given the random generator of that
        block.
    stream
        One of `STREAMS`; 0 if nothing is random.
    weigh
        Returns the weights of those hands in statistics of deals; None if all are 1.
    identity
        Data that the hands depend on besides name and seed, as JSON.
    positions
        What the player of each hand sees, and what an opponent shows; None if only hands are
        known. Of the recipe ``positions:PATH`` alone.

    Examples
    --------
    >>> from mjopt.datasets import read_recipe
    >>> recipe = read_recipe("two-type:1000")
    >>> recipe.name, recipe.num_hands, recipe.counts(seed=7).shape
    ('two-type:1000', 1000, (1000, 27))
    """

    name: str
    deal: Deal
    num_hands: int
    find: "Callable[[int, int, np.random.Generator], Counts]"
    stream: int = 0
    weigh: "Callable[[int, int], npt.NDArray[np.float64]] | None" = None
    identity: dict[str, object] = field(default_factory=dict)
    positions: PositionColumns | None = None

    def block(self, number: int, *, seed: int = 0) -> "Counts":
        """Return the hands of a block, shape (N, K), N at most `BLOCK_ROWS`."""
        start, stop = self._limits(number)
        with UserCode(self.find, f"recipe {shorten(self.name)} fails", ArgumentError):
            hands = self.find(start, stop, block_rng(seed, self.stream, number))
        return hands if is_builtin(self.find) else self._checked(hands, stop - start)

    def _checked(self, hands: object, number: int) -> "Counts":
        """Return the hands of a user's function; ArgumentError if they are none of the deal."""
        shape = (number, self.deal.tiles.num_kinds)
        full = self.deal.num_tiles + self.deal.complete - self.deal.size
        if not (isinstance(hands, np.ndarray) and hands.dtype.kind in "iu"):
            found = short_repr(hands)
        elif hands.shape != shape:
            found = f"an array of shape {hands.shape}"
        elif ((hands < 0) | (hands > 4)).any():
            found = "copies outside 0..4"
        elif wrong := {*hands.sum(axis=1, dtype=np.int64).tolist()} - {full, full - 1}:
            found = f"a hand of {min(wrong)} tiles"
        else:
            return hands.astype(np.uint8, copy=False)
        raise ArgumentError(
            f"find returns {found}",
            argument="recipe",
            value=shorten(self.name),
            expected=f"hands of {full} or {full - 1} tiles, whole numbers of shape {shape}",
        )

    def counts(self, *, seed: int = 0) -> "Counts":
        """Return all hands, shape (N, K)."""
        if self.num_hands > MAX_ARRAY_ROWS:
            raise ArgumentError(f"{self.name}: {self.num_hands} hands, too many for one array")
        blocks = range(-(-self.num_hands // BLOCK_ROWS))
        none = np.zeros((0, self.deal.tiles.num_kinds), np.uint8)
        return np.concatenate([none, *(self.block(number, seed=seed) for number in blocks)])

    def weights(self, number: int) -> "npt.NDArray[np.float64] | None":
        """Return the weights of a block in statistics of deals, shape (N,); None if all are 1."""
        if self.weigh is None:
            return None
        with UserCode(self.weigh, f"recipe {shorten(self.name)} fails", ArgumentError):
            return np.asarray(self.weigh(*self._limits(number)), np.float64)

    def _limits(self, number: int) -> tuple[int, int]:
        """Return the first hand of a block, and the first hand after it."""
        start = number * BLOCK_ROWS
        if not 0 <= start < max(self.num_hands, 1):
            raise ArgumentError(
                f"block {number} of {self.num_hands} hands", expected=f"0..{self.num_hands}"
            )
        return start, min(start + BLOCK_ROWS, self.num_hands)


def block_rng(seed: int, stream: int, number: int) -> np.random.Generator:
    """Return the generator of one block of a dataset; ``stream`` is one of `STREAMS`.

    Examples
    --------
    >>> one, again, other = (block_rng(7, 1, n).integers(1000) for n in (0, 0, 1))
    >>> one == again, one == other
    (np.True_, np.False_)
    """
    if seed < 0:
        raise ArgumentError(argument="seed", value=str(seed), expected="0 or more")
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(stream, number)))
