"""Analysis: all that the package answers about one hand, asked once and remembered."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from threading import Event
from typing import Any, Final

from mjopt.answers.certificate import Certificate
from mjopt.answers.certifying import certify
from mjopt.answers.discard import Discard, discards
from mjopt.answers.draws.calls import CallDraws, judge_calls
from mjopt.answers.draws.expect import expected_draws
from mjopt.answers.draws.ranking import DiscardDraws, rank_discards
from mjopt.answers.draws.waiting import Draws, check_wall
from mjopt.answers.explanation import Explanation, explain
from mjopt.answers.formats import to_opb, to_vipr
from mjopt.answers.target_hands import targets
from mjopt.answers.useful import UsefulTiles, useful_tiles
from mjopt.answers.values import decompositions, deficiency, winning_forms
from mjopt.errors import CertificateError, HandError, MjoptError, TileError
from mjopt.hands.blocks import Block
from mjopt.hands.forms import RIICHI, STANDARD, check_forms, needs_honours
from mjopt.hands.hand import Hand
from mjopt.hands.notation import get_notation, read_tiles
from mjopt.hands.question import Question
from mjopt.hands.tiles import COPIES, FULL, TileSet, as_tiles
from mjopt.runtime.jit import no_plain_way
from mjopt.runtime.plain import one_line

KEPT: Final = 256
"""Analyses remembered, some 100 kB each."""

MOST_TARGETS: Final = 6
"""Nearest complete hands that are listed; they are counted all."""

MOST_CHARACTERS: Final = 1000
"""Of one field: all 136 tiles fit in any notation."""

Counts = tuple[int, ...]

is_warm: Final = Event()
"""Set once :func:`warm` has ended: from then on no answer waits for a kernel."""


class FieldError(MjoptError):
    """What is wrong with one field of the form, in one line."""

    def __init__(self, field: str, message: str) -> None:
        said = re.sub(
            r'\b(say|or) (notation|called|tiles)="?(\w+)"?',
            lambda found: f"{'choose' if found[1] == 'say' else 'or'} {found[2]} {found[3]}",
            one_line(message),
        )
        super().__init__(said)
        self.field = field


@contextmanager
def of_field(name: str) -> Iterator[None]:
    """Say of an error which field it is about."""
    try:
        yield
    except MjoptError as error:
        raise FieldError(name, str(error)) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A question as it was written, field by field; an empty field leaves it to the others."""

    hand: str = ""
    notation: str = "mpsz"  # of all tiles but the last
    melds: str = ""  # apart by blanks, or by semicolons where a meld holds blanks
    called: str = ""
    unseen: str = ""
    wall: str = ""
    tiles: str = ""
    forms: str = STANDARD  # apart by commas
    call: str = ""  # what another player discards, such as 3m

    def read(self) -> "Asked":
        """Return what is meant; refuse by the name of the field.

        Examples
        --------
        >>> Written(hand="1112345678999m1p").read().question.hand.num_tiles
        14
        >>> Written(hand="12x").read()
        Traceback (most recent call last):
        mjopt.serve.analysis.FieldError: 'x' at character 3: not a suit of FULL, ...
        """
        self._check_length()
        with of_field("notation"):
            get_notation(self.notation)
        with of_field("forms"):
            tiles = FULL if needs_honours(check_forms(self.forms, FULL)) else None
        with of_field("tiles"):
            tiles = as_tiles(self.tiles) if self.tiles else tiles
        melds = [
            text.strip() for text in re.split(r";" if ";" in self.melds else r"\s", self.melds)
        ]
        melds = [text for text in melds if text]
        if tiles is None:
            with suppress(MjoptError):  # they are read again, and then it is told which is wrong
                tiles = read_tiles([self.hand, *melds, self.unseen, self.wall], self.notation)[0]
                tiles = max(tiles, read_tiles([self.call])[0], key=lambda each: each.num_kinds)
        how: dict[str, Any] = {"tiles": tiles, "notation": self.notation, "partial": True}
        with of_field("melds"):
            Hand.parse("", melds=melds, **how)
        called = self.called.strip() or None
        how |= {
            "melds": melds,
            "called": int(called) if called in ("0", "1", "2", "3", "4") else called,
        }
        with of_field("called"):
            Hand.parse("", **how)
        with of_field("hand"):
            hand = Hand.parse(self.hand, **how)
        with of_field("forms"):
            check_forms(self.forms, hand.tiles)
        unseen = self._counts("unseen", self.notation, hand.tiles)
        wall = self._counts("wall", self.notation, hand.tiles)
        call = self._counts("call", "mpsz", hand.tiles)
        question = Question(hand, self.forms, unseen)
        with of_field("wall"):
            wall = None if wall is None else check_wall(hand, wall)
        with of_field("call"):
            if call is not None and sum(call) != 1:
                raise TileError(f"{sum(call)} tiles, expected one")
        return Asked(question, wall, None if call is None else call.index(1))

    def _check_length(self) -> None:
        for field in self.__slots__:
            size = len(getattr(self, field))
            if size > MOST_CHARACTERS:
                raise FieldError(field, f"{size} characters, expected at most {MOST_CHARACTERS}")

    def _counts(self, field: str, notation: str, tiles: TileSet) -> Counts | None:
        text = getattr(self, field)
        if not text.strip():
            return None
        with of_field(field):
            return read_tiles([text], notation, tiles)[1][0].counts

    def changed(self, *, add: str = "", remove: str = "") -> "Written":
        """Return the same with tiles added, written as mpsz, or one taken out, or the ``last``.

        Examples
        --------
        >>> Written(hand="E 1m", notation="mjai").changed(add="0m").hand
        '1m 5mr E'
        >>> Written(hand="123m1z").changed(remove="last").hand
        '123m'
        """
        self._check_length()
        with of_field("hand"):
            notation = get_notation(self.notation)
            held, more = notation.parse(self.hand, FULL), get_notation("mpsz").parse(add, FULL)
            counts = [have + new for have, new in zip(held.counts, more.counts, strict=True)]
            red = [have + new for have, new in zip(held.red, more.red, strict=True)]
            names = named_tiles(tuple(counts), tuple(red), FULL)
            if remove == "last" and names:
                remove = names[-1]
            if remove not in names:
                remove = remove.replace("5", "0")  # the last five may be a red one
            if remove in names:
                kind = FULL.names.index(remove.replace("0", "5"))
                counts[kind] -= 1
                red[kind] -= remove[0] == "0"
            for kind, number in enumerate(counts):
                if number > COPIES:
                    raise HandError(f"a fifth {FULL.names[kind]}, expected at most {COPIES}")
            return replace(self, hand=notation.write(tuple(counts), tuple(red), FULL))


def named_tiles(counts: Counts, red: Counts, tiles: TileSet) -> list[str]:
    """Return the name of every tile, in order; a red five is ``0m``, and stands before the others.

    Examples
    --------
    >>> named_tiles((2, 0, 0, 0, 2) + (0,) * 29, (0, 0, 0, 0, 1) + (0,) * 29, FULL)
    ['1m', '1m', '0m', '5m']
    """
    names: list[str] = []
    for name, held, reds in zip(tiles.names, counts, red or (0,) * len(counts), strict=True):
        names += [f"0{name[1]}"] * reds + [name] * (held - reds)
    return names


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was understood."""

    question: Question
    own_wall: Counts | None = None  # else all that can still arrive
    call: int | None = None  # the kind that another player discards

    @property
    def wall(self) -> Counts:
        """Copies of each kind in the wall."""
        return self.question.unseen if self.own_wall is None else self.own_wall

    def analysis(self) -> "Analysis":
        """Return what the package answers."""
        return _analysed(self.question, self.wall)

    def calls(self) -> tuple[CallDraws, ...]:
        """Judge every answer to what another player discards; refuse a hand that has drawn."""
        if self.call is None:
            return ()
        wall = list(self.wall)
        every = self.question.hand.unseen[self.call]
        if self.own_wall is None and every and wall[self.call] == every:
            wall[self.call] -= 1  # it was unseen until now
        with of_field("call"):
            return _judged(self.question, tuple(wall), self.call)


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """All answers about one hand; what asks for a drawn tile, or for none, may be missing."""

    certificate: Certificate
    explanation: Explanation
    wins: tuple[str, ...]  # the forms as which it is complete
    decompositions: tuple[tuple[Block, ...], ...]
    throws: tuple[tuple[DiscardDraws, Discard], ...]  # by expected draws
    useful: UsefulTiles | None
    draws: Draws | None
    num_targets: int
    targets: tuple[Counts, ...]  # the first of them


@lru_cache(maxsize=KEPT)
def _analysed(asked: Question, wall: Counts) -> Analysis:
    hand, forms, unseen = asked.hand, asked.forms, asked.unseen
    certificate = certify(hand, forms=forms, unseen=unseen)
    value = deficiency(hand, forms=forms, unseen=unseen)
    if value != certificate.deficiency:
        raise CertificateError(
            f"the tables say {value}, the proof {certificate.deficiency}: please report"
        )
    wins = tuple(winning_forms(hand, forms))
    near = targets(hand, forms=forms, unseen=unseen)
    throws: list[tuple[DiscardDraws, Discard]] = []
    if hand.is_full:
        left = {after.kind: after for after in discards(hand, forms=forms, unseen=unseen)}
        throws = [(row, left[row.kind]) for row in rank_discards(hand, wall=wall, forms=forms)]
    return Analysis(
        certificate=certificate,
        explanation=explain(certificate),
        wins=wins,
        decompositions=tuple(decompositions(hand)) if STANDARD in wins else (),
        throws=tuple(throws),
        useful=None if hand.is_full else useful_tiles(hand, unseen=unseen, forms=forms),
        draws=None if hand.is_full else expected_draws(hand, wall=wall, forms=forms),
        num_targets=near.number,
        targets=tuple(islice(near, MOST_TARGETS)),
    )


@lru_cache(maxsize=KEPT)
def _judged(asked: Question, wall: Counts, kind: int) -> tuple[CallDraws, ...]:
    return tuple(judge_calls(asked.hand, kind, wall=wall, forms=asked.forms))


@lru_cache(maxsize=8)
def certificate_files(certificate: Certificate, format: str) -> dict[str, str]:
    """Return the files of a certificate by their endings: ``opb`` is two, with its proof."""
    if format == "json":
        return {"json": certificate.to_json() + "\n"}
    if format == "vipr":
        return {"vipr": to_vipr(certificate)}
    return dict(zip(("opb", "pbp"), to_opb(certificate), strict=True))


def warm() -> None:
    """Ask everything once, so that nobody waits for what a first answer loads and compiles."""
    try:
        with no_plain_way():
            for hand in ("11122233344455s", "147m258p369s12345z"):
                for forms in (STANDARD, ",".join(RIICHI)):
                    Written(hand=hand, forms=forms).read().analysis()
            Written(hand="2378m345p6688s11z", call="4m").read().calls()
    finally:
        is_warm.set()
