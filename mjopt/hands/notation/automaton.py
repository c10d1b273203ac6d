"""Finite automata that read the usual spellings of a notation fast.

An automaton takes one character at a time and yields a tile at some of them. It accepts no invalid
text, but not every valid one: other texts, and all mistakes, are left to the reader of the
notation, which is slower and names the position of a mistake. The same automaton reads one text in
Python and, as a table over bytes, many texts in a kernel.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from mjopt.hands.notation.base import Parsed, has_red_five
from mjopt.hands.tiles import COPIES

KIND_BITS: Final = 6
KIND: Final = (1 << KIND_BITS) - 1
RED: Final = 1 << KIND_BITS
TILE: Final = RED << 1
COPY_SHIFT: Final = KIND_BITS + 2
"""An emission is a kind, plus ``RED`` if it is a red five, plus ``TILE`` unless only the last tile
turns out to be red, plus one bit for the copy from ``COPY_SHIFT`` on if copies have numbers."""

SPACES: Final = " \t\r"
State = TypeVar("State", bound=Hashable)
Step = tuple[State, int]
"""The next state and an emission, 0 for none."""


@dataclass(frozen=True, slots=True, eq=False)
class TextAutomaton:
    """A finite automaton that reads tiles."""

    num_kinds: int
    # Per state: the next state and the emission by character; state 0 is the first.
    steps: Sequence[Mapping[str, Step[int]]]
    # Per state: the emission at the end of the text; None if it cannot end there.
    ends: Sequence[int | None]
    # From the last character to the first: a suit letter before its ranks.
    is_reversed: bool = False

    def read(self, text: str) -> Parsed | None:
        """Return the tiles of a text, or None if the automaton does not accept it."""
        counts, reds = [0] * self.num_kinds, [0] * self.num_kinds
        steps, state, copies = self.steps, 0, 0
        emissions = []
        try:
            for char in reversed(text) if self.is_reversed else text:
                state, emission = steps[state][char]
                if emission:
                    emissions.append(emission)
        except KeyError:
            return None
        last = self.ends[state]
        if last is None:
            return None
        for emission in [*emissions, last] if last else emissions:
            kind = emission & KIND
            if emission & TILE:
                counts[kind] += 1
            if emission & RED:
                reds[kind] += 1
            if emission >> COPY_SHIFT:
                bit = emission >> COPY_SHIFT << COPIES * kind
                if copies & bit:
                    return None
                copies |= bit
        return Parsed(tuple(counts), tuple(reds)) if max(counts) <= COPIES else None


def read_fast(automata: Iterable[TextAutomaton], text: str) -> Parsed | None:
    """Return the tiles of a text by the first automaton that accepts it, else None."""
    for automaton in automata:
        if parsed := automaton.read(text):
            return parsed
    return None


def build(
    names: Sequence[str],
    alphabet: Iterable[str],
    start: State,
    step: Callable[[State, str], Step[State] | None],
    end: Callable[[State], int | None],
    *,
    is_reversed: bool = False,
) -> TextAutomaton:
    """Build the automaton of the states that can be reached from the first one.

    ``step`` says what a character does in a state, ``end`` what the end of the text emits; both
    return None for texts left to the slow reader.
    """
    signs, numbers, order = list(alphabet), {start: 0}, [start]
    steps: list[dict[str, Step[int]]] = []
    for state in order:  # grows meanwhile
        row = {}
        for sign in signs:
            found = step(state, sign)
            if found is not None:
                after, emission = found
                if after not in numbers:
                    numbers[after] = len(order)
                    order.append(after)
                row[sign] = numbers[after], emission
        steps.append(row)
    return TextAutomaton(len(names), steps, [end(state) for state in order], is_reversed)


def tile_of(names: Sequence[str], name: str, *, is_red: bool = False, copy: int = -1) -> int:
    """Return the emission of a tile; 0 if there is no such tile, or it cannot be red."""
    if name not in names or (is_red and not has_red_five(name)):
        return 0
    emission = names.index(name) | TILE | (RED if is_red else 0)
    return emission | (1 << COPY_SHIFT + copy if copy >= 0 else 0)


def build_groups(
    names: Sequence[str], meanings: Mapping[str, str], *, is_reversed: bool
) -> TextAutomaton:
    """Build the automaton of a suit letter and its ranks, the letter being read first.

    A character means a rank (0 for a red five), a suit letter, a whole tile, a space, or a comma,
    which ends a group. ``is_reversed`` is for letters written after their ranks.
    """

    def step(state: tuple[str, bool], sign: str) -> Step[tuple[str, bool]] | None:
        (suit, lacks_ranks), meaning = state, meanings[sign]
        if meaning in SPACES:
            return state, 0
        if meaning.isdigit():
            rank, is_red = ("5", True) if meaning == "0" else (meaning, False)
            tile = tile_of(names, rank + suit, is_red=is_red)
            return ((suit, False), tile) if tile else None
        if lacks_ranks:
            return None
        if meaning == ",":
            return ("", False), 0
        if len(meaning) == 1:
            return (meaning, True), 0
        tile = tile_of(names, meaning)
        return (("", False), tile) if tile else None

    def end(state: tuple[str, bool]) -> int | None:
        return None if state[1] else 0

    return build(names, meanings, ("", False), step, end, is_reversed=is_reversed)


def build_symbols(
    names: Sequence[str],
    symbols: Mapping[str, str],
    ignored: str,
    *,
    needs_tile: bool = False,
) -> TextAutomaton:
    """Build the automaton of symbols of one length, which need no separator.

    ``symbols`` maps symbols to tiles; ``ignored`` characters may be between two. With
    ``needs_tile``, texts without any tile are left to the slow reader.
    """
    beginnings = {symbol[:size] for symbol in symbols for size in range(1, len(symbol))}

    def step(state: tuple[str, bool], sign: str) -> Step[tuple[str, bool]] | None:
        begun, lacks_tile = state
        if sign in ignored:
            return None if begun else (state, 0)
        symbol = begun + sign
        if symbol in symbols:
            tile = tile_of(names, symbols[symbol])
            return (("", False), tile) if tile else None
        return ((symbol, lacks_tile), 0) if symbol in beginnings else None

    def end(state: tuple[str, bool]) -> int | None:
        return None if any(state) else 0

    return build(names, {*"".join(symbols), *ignored}, ("", needs_tile), step, end)


def build_words(names: Sequence[str], words: Mapping[str, int], quote: str = "") -> TextAutomaton:
    """Build the automaton of separated words, in brackets or not; ``words`` has their emissions.

    ``quote`` is the character around a word in brackets.
    """
    listed = {f"{quote}{word}{quote}": emission for word, emission in words.items()}
    known = {"first": words, "bare": words, "list": listed, "closed": {}}
    beginnings = {word[:size] for word in [*words, *listed] for size in range(1, len(word) + 1)}

    def step(state: tuple[str, str], sign: str) -> Step[tuple[str, str]] | None:
        place, begun = state
        if sign in SPACES and not begun:
            return state, 0
        if place == "closed" or sign == "[":
            return (("list", ""), 0) if (*state, sign) == ("first", "", "[") else None
        place = "bare" if place == "first" else place
        if sign not in f"{SPACES},]":
            return ((place, begun + sign), 0) if begun + sign in beginnings else None
        emission = known[place].get(begun, 0)
        if (begun and not emission) or (sign == "]" and place != "list"):
            return None
        return ("closed" if sign == "]" else place, ""), emission

    def end(state: tuple[str, str]) -> int | None:
        place, begun = state
        if place == "list" or (begun and begun not in known[place]):
            return None
        return known[place][begun] if begun else 0

    alphabet = {*"".join(listed), *SPACES, *"[],"}
    return build(names, alphabet, ("first", ""), step, end)
