"""A position: everything that one player knows when a decision is due."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from mjopt._internal.validation import expect, whole
from mjopt.chances.advice.calls import CallOption, after_call, forms_of, possible_melds
from mjopt.chances.advice.position_document import (
    NO,
    NONE,
    UNSAID,
    PositionDocument,
    errors_of,
    read_fields,
    read_words,
    split_words,
)
from mjopt.chances.draws.distribution import check_wall
from mjopt.errors import ArgumentError, HandError, TileError
from mjopt.hands.blocks import Block, Shape, barred_kinds
from mjopt.hands.coerce import HandLike, as_hand, as_kind
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation
from mjopt.hands.notation.readings import MPSZ
from mjopt.hands.rules.called_melds import most_melds
from mjopt.hands.rules.classic_forms import names_of
from mjopt.hands.rules.read_forms import FormsLike, read_forms
from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, FULL

DRAWS: Final = 18
"""Draws of a player where nothing is known: a quarter of the wall that four hands of 16 leave."""

ALL: Final = "all"

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Everything that one player knows when a decision is due.

    Parameters
    ----------
    hand
        The concealed tiles and the called melds, before or after the draw.
    wall
        Copies of each kind that the player sees nowhere, each in ``0..4``; by default all that
        the hand and the tile on offer leave. Tiles in other hands count as part of the wall.
    draws
        Own draws left if nothing is called, 0 or more; at most the size of the wall. by default
        18, or the size of the wall if that is smaller.
    forms
        The winning forms; by default those of the rules of the hand, and without rules all that
        the tile set and the melds allow.
    offered
        The kind that another player discards, by number or name; only before the draw.
    calls
        The melds that can be called: with the tile on offer, or a kong of the player's own tiles
        after the draw. By default all that the tiles allow; a chow or a pong then replaces the
        next draw, and a kong of own tiles adds one.
    swaps
        Whether swap calls are allowed: to discard the kind just called, or the other end of its
        chow, at once. A call that would leave no other discard is then no option. It concerns
        the tile on offer; without one it is True.
    barred
        Kinds that must not be discarded now, of a hand that has just called: it has neither a
        win nor a kong. They need not be held.

    Raises
    ------
    MjoptError
        If the parts contradict each other; the argument of the error is the field.

    Examples
    --------
    >>> position = Position.parse("2378m345p6688s11z draws=6 seen=11m offered=4m")
    >>> position.draws, sum(position.wall), [call.draws for call in position.calls]
    (6, 120, [5])
    >>> position.to_text()
    '2378m345p6688s11z seen=11m draws=6 offered=4m'
    """

    hand: Hand
    wall: Counts = ()
    draws: int = UNSAID
    forms: tuple[WinningForm, ...] = ()
    offered: int | None = None
    calls: tuple[CallOption, ...] | None = field(default=None)
    swaps: bool = True
    barred: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Validate all fields together."""

        def put(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        put("hand", as_hand(self.hand))
        tiles = self.hand.tiles
        size = self.hand.size - 1 - 3 * self.hand.called
        if self.hand.num_tiles not in (size, size + 1):
            raise HandError(
                f"{self.hand.num_tiles} tiles", argument="hand", expected=f"{size} or {size + 1}"
            )
        if not tiles.is_built_in and self.hand.rules is None:
            raise TileError(
                f"tile set {tiles.name}", argument="hand", expected="a built-in tile set"
            )
        put("forms", _forms(self.forms, self.hand))
        if self.offered is not None:
            with errors_of("offered"):
                put("offered", as_kind(self.offered, tiles))
            self._check_offered()
        expect(self.swaps, bool, "swaps")
        put("swaps", bool(self.swaps) or self.offered is None)
        put("barred", self._checked_barred())
        left = self._left()
        if isinstance(self.wall, tuple) and not self.wall:
            put("wall", left)
        else:
            put("wall", check_wall(self.hand, self.wall))
            for name, copies, most in zip(tiles.names, self.wall, left, strict=True):
                if copies > most:
                    raise TileError(
                        f"{copies} copies of {name}, but hand and offer leave {most}",
                        argument="wall",
                    )
        put("draws", self._checked_draws(self.draws, "draws", default=DRAWS))
        calls = self._possible_calls() if self.calls is None else tuple(self.calls)
        put("calls", calls)
        for call in calls:
            self._check_call(call)
        if len({call.meld for call in calls}) < len(calls):
            raise TileError("the same meld twice", argument="calls", expected="once")

    def _left(self) -> Counts:
        """Return the copies that neither the hand nor the offer shows."""
        return tuple(
            copies - (kind == self.offered) for kind, copies in enumerate(self.hand.unseen)
        )

    def _check_offered(self) -> None:
        name = self.hand.tiles.names[self.offered or 0]
        if self.hand.is_full:
            raise HandError(
                f"{name} on offer to a hand after its draw",
                argument="offered",
                expected=f"{self.hand.size - 1 - 3 * self.hand.called} tiles",
            )
        if not self.hand.unseen[self.offered or 0]:
            raise TileError(
                f"{name}: the hand shows all {COPIES} copies, nobody can have discarded one",
                argument="offered",
            )

    def _checked_barred(self) -> tuple[int, ...]:
        hand, tiles = self.hand, self.hand.tiles
        with errors_of("barred"):
            barred = tuple(sorted({as_kind(kind, tiles) for kind in self.barred}))
        if not barred:
            return ()
        shown = " ".join(tiles.names[kind] for kind in barred)
        if not (hand.is_full and hand.called):
            raise HandError(shown, argument="barred", expected="a hand that has just called a meld")
        possible = [
            barred_kinds(meld, kind, tiles) for meld in hand.melds for kind in {*meld.kinds}
        ]
        if hand.melds and not any({*barred} <= {*kinds} for kinds in possible):
            raise TileError(f"{shown}: no called meld bars this", argument="barred")
        if not any(held and kind not in barred for kind, held in enumerate(hand.counts)):
            raise HandError(
                f"{shown}: nothing else is held", argument="barred", expected="a possible discard"
            )
        return barred

    def _checked_draws(self, draws: int, argument: str, default: int | None = None) -> int:
        size = sum(self.wall)
        number = whole(draws, argument)
        if default is not None and number == UNSAID:
            return min(default, size)
        if not 0 <= number <= size:
            raise ArgumentError(
                f"{number} draws from a wall of {size} tiles",
                argument=argument,
                expected=f"0 to {size}",
            )
        return number

    def _possible_calls(self) -> tuple[CallOption, ...]:
        """Return all calls that the tiles allow."""
        hand = self.hand
        templates = (template for form in self.forms for template in form.templates)
        numbers = (part.melds + most_melds(part.fixed, hand.tiles) for part in templates)
        if self.barred or hand.called >= max(numbers):
            return ()  # the hand has just called, or the forms have no melds
        size = sum(self.wall)
        changes = {Shape.KONG: 1 if hand.is_full else 0}
        return tuple(
            CallOption(meld, max(0, min(size, self.draws + changes.get(meld.shape, -1))))
            for meld in possible_melds(hand, self.offered)
            if (size or meld.shape is not Shape.KONG) and self._leaves_discard(meld)
        )

    def _leaves_discard(self, meld: Block) -> bool:
        barred = self.barred_after(meld)
        after = after_call(self.hand, meld, self.offered).counts if barred else (1,)
        return any(held and kind not in barred for kind, held in enumerate(after))

    def _check_call(self, call: CallOption) -> None:
        expect(call, CallOption, "calls")
        expect(call.meld, Block, "calls")
        possible = [each.meld for each in self._possible_calls()]
        if call.meld not in possible:
            shown = [meld.text(self.hand.tiles) for meld in possible]
            raise TileError(
                f"{call.meld.text(self.hand.tiles)}: no call of this position",
                argument="calls",
                expected=", ".join(shown) or NONE,
            )
        number = self._checked_draws(call.draws, "calls")
        if number > self.draws + 1:  # a call brings at most one own draw forward
            raise ArgumentError(
                f"{number} draws after a call",
                argument="calls",
                expected=f"at most {self.draws + 1}, with {self.draws} without a call",
            )

    @property
    def seen(self) -> Counts:
        """Copies of each kind seen elsewhere: in discards and melds of other players."""
        return tuple(most - copies for most, copies in zip(self._left(), self.wall, strict=True))

    def after(self, call: CallOption) -> Hand:
        """Return the hand after a call, before its discard or the draw that replaces a kong."""
        return after_call(self.hand, call.meld, self.offered)

    def barred_after(self, meld: Block) -> tuple[int, ...]:
        """Return the kinds that must not be discarded right after a call.

        Examples
        --------
        >>> from mjopt.hands.blocks import chow
        >>> Position.parse("2378m345p6688s11z offered=4m swaps=no").barred_after(chow(1))
        (0, 3)
        """
        if self.swaps or self.offered is None:
            return ()
        return barred_kinds(meld, self.offered, self.hand.tiles)

    def to_fields(self) -> dict[str, str]:
        """Return the fields that are not default, as texts in mpsz notation.

        Examples
        --------
        >>> Position.parse("23m67p44s1z melds=345m,777z draws=4").to_fields()
        {'hand': '23m67p44s1z', 'melds': '345m,777z', 'draws': '4'}
        """
        hand, tiles = self.hand, self.hand.tiles
        default = Position(
            hand=hand,
            wall=self.wall,
            offered=self.offered,
            swaps=self.swaps,
            barred=self.barred,
        )
        fields = {"hand": hand.to_text()}
        if hand.rules is not None:
            fields["rules"] = hand.rules.name
        elif tiles is not FULL:
            fields["tiles"] = tiles.key
        if hand.melds:
            fields["melds"] = ",".join(meld.text(tiles) for meld in hand.melds)
        elif hand.called:
            fields["called"] = str(hand.called)
        if any(self.seen):
            fields["seen"] = get_notation(MPSZ).write(self.seen, (0,) * len(self.seen), tiles)
        if self.draws != default.draws:
            fields["draws"] = str(self.draws)
        if self.offered is not None:
            fields["offered"] = tiles.names[self.offered]
        if not self.swaps:
            fields["swaps"] = NO
        if self.barred:
            fields["barred"] = "".join(tiles.names[kind] for kind in self.barred)
        if self.calls != replace(default, draws=self.draws, calls=None).calls:
            calls = self.calls or ()
            fields["calls"] = (
                ",".join(f"{call.meld.text(tiles)}:{call.draws}" for call in calls) or NONE
            )
        if self.forms != default.forms:
            fields["forms"] = ",".join(names_of(self.forms))
        return fields

    def to_text(self) -> str:
        """Return the text form, which :meth:`parse` reads: the hand, then ``name=value``."""
        fields = self.to_fields()
        return " ".join([fields.pop("hand"), *(f"{name}={fields[name]}" for name in fields)])

    @classmethod
    def parse(
        cls, text: str, *, rules: RuleSet | str | Path | None = None, forms: FormsLike = None
    ) -> "Position":
        """Read the text form: the concealed tiles, and words ``name=value`` in any order.

        The names are ``tiles``, ``rules`` (the name of a rule set), ``melds`` (separated by
        commas), ``called`` (their number, if the melds are not known), ``seen``, ``draws``,
        ``offered``, ``swaps`` (``yes`` or ``no``), ``barred``, ``calls`` (each with its draws:
        ``234m:17``) and ``forms``.

        Parameters
        ----------
        text
            The position.
        rules, forms
            As for :meth:`mjopt.Hand.parse` and :func:`mjopt.deficiency`, in place of the words:
            also a file of rules, which a text cannot name.

        Raises
        ------
        MjoptError
            If a word is unknown or appears twice, or a value is wrong; the error names it.

        Examples
        --------
        >>> Position.parse("2378m345p6688s11z drawn=4")
        Traceback (most recent call last):
        mjopt.errors.ArgumentError: position: 'drawn', expected tiles, rules, melds, ...
        """
        known = None if rules is None else get_rules(rules)
        return cls.of_fields(split_words(text), rules=known, forms=forms)

    @classmethod
    def of_fields(
        cls,
        fields: Mapping[str, str],
        notation: str = "",
        *,
        rules: RuleSet | None = None,
        forms: FormsLike = None,
    ) -> "Position":
        """Read the fields of :meth:`to_fields`; missing and empty ones have their default.

        Parameters
        ----------
        fields
            Texts by name.
        notation
            The notation of the tiles; empty: any that reads them.
        rules, forms
            As for :meth:`parse`.
        """
        read = read_fields(fields, notation, rules=rules)
        return cls.of_document(read if forms is None else read._replace(forms=forms))

    @classmethod
    def of_document(cls, document: PositionDocument) -> "Position":
        """Return the position of fields that have been decoded."""
        return cls(
            hand=document.hand,
            wall=document.remaining_wall(),
            draws=document.draws,
            forms=document.forms,
            offered=document.offered,
            calls=document.calls,
            swaps=document.swaps,
            barred=document.barred,
        )


def _forms(forms: Sequence[str | WinningForm], hand: Hand) -> tuple[WinningForm, ...]:
    with errors_of("forms"):
        is_default = isinstance(forms, tuple) and not forms
        asked = (ALL if hand.rules is None else None) if is_default else forms
        chosen = read_forms(asked, hand.tiles, hand.size, rules=hand.rules)
    return forms_of(hand, chosen)


def as_position(given: Position | HandLike, words: Mapping[str, Any]) -> Position:
    """Return a position that is given alone, or that of a hand or a text and of words by name."""
    if not isinstance(given, Position):
        return Position.of_document(read_words(given, words))
    if said := [name for name, value in words.items() if value is not None]:
        raise ArgumentError(
            f"given together with a Position: {', '.join(said)}",
            argument=said[0],
            expected="a Position alone, or a hand and words",
        )
    return given
