"""Partition: decide whether a hand is complete by covering every tile once with its parts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

from mjopt.hands.blocks import Block, Shape, joker
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.formulation import Formulation, Goal, uses
from mjopt.models.parts import Part, part_rows, template_parts
from mjopt.models.program import Program, Row
from mjopt.models.union import union

Decompositions = Sequence[Sequence[Block]]


class Partition(Formulation):
    """Set partition over the physical tiles.

    One 0/1 variable per way to pick a chow, a pong, an eye or another part of a template from the
    tiles of the hand; every tile is covered exactly once, and there are as many parts as the
    template asks for. The program is feasible if and only if the hand is complete. A pick may
    leave tiles of a part to jokers; all jokers are used.

    Copies of a kind are interchangeable, so a decomposition has many symmetric points.
    :meth:`build` therefore excludes *decompositions*, not points: variable
    ``level_b_k`` is 1 if block b is used at least k times, and at most four
    of the five levels of an excluded decomposition may be 1.

    References
    ----------
    .. [1] "Judging the finish of mahjong by combinatorial optimization", a
       set-partition model for PuLP.

    Examples
    --------
    >>> program = Partition().build(Hand.parse("11123456789999m"))
    >>> program.num_variables, len(program.rows)
    (26, 16)
    """

    name = "partition"
    goal = Goal.WIN

    def build(
        self,
        hand: Hand,
        unseen: tuple[int, ...] | None = None,
        *,
        exclude: Decompositions = (),
    ) -> Program:
        """Write the program of a hand, without some decompositions."""
        query = HandQuery(hand, self.form, unseen)
        return self.write_form(query, query.forms[0], exclude=exclude)

    def write_form(
        self, query: HandQuery, form: WinningForm, *, exclude: Decompositions = ()
    ) -> Program:
        """Write the program of a query for one form, without some decompositions."""
        templates = query.templates(form)
        programs = [self.write_template(query, part, exclude=exclude) for part in templates]
        return union(programs, f"{self.name}_{query.hand.to_text() or 'empty'}")

    def write_template(
        self, query: HandQuery, template: Template, *, exclude: Decompositions = ()
    ) -> Program:
        """Write the program of one template of a query, without some decompositions."""
        self.require_unlimited(query)
        hand = query.hand
        counts = template.natural(hand.counts)
        jokers = template.held_jokers(hand.counts)
        tiles = [kind for kind, held in enumerate(counts) for _ in range(held)]
        places: list[list[int]] = [[] for _ in counts]
        for place, kind in enumerate(tiles):
            places[kind].append(place)
        parts = template_parts(template, hand.tiles, hand.called)
        picks = [
            pick
            for part in sorted(parts, key=_place_of_part)
            for pick in _picks(part, places, jokers)
        ]
        cover: list[list[tuple[int, int]]] = [[] for _ in tiles]
        for variable, pick in enumerate(picks):
            for place in pick.places:
                cover[place].append((variable, 1))
        rows = part_rows(template, hand.tiles, hand.called, [pick.part for pick in picks])
        rows.sort(key=lambda row: row[0] != "eye")
        rows += [
            (f"tile_{place}_{hand.tiles.names[tiles[place]]}", 1, 1, terms)
            for place, terms in enumerate(cover)
        ]
        if template.jokers:
            rows += _joker_rows(template, hand.tiles, jokers, picks)
        names = [pick.name for pick in picks]
        most = [natural + jokers for natural in counts]
        _add_levels(exclude, [pick.part.block for pick in picks], rows, names, hand.tiles, most)
        return self.program(
            hand,
            objective=(0,) * len(names),
            upper=(1,) * len(names),
            rows=rows,
            names=names,
            pieces=[
                (pick.part.block, *[joker(kind, copies) for kind, copies in pick.replaced])
                for pick in picks
            ],
        )


class _Pick(NamedTuple):
    """A part made of the tiles in some places, and of jokers for copies of some kinds."""

    part: Part
    places: tuple[int, ...]
    replaced: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """A name such as ``eye_0_1_11m``."""
        sort, _, text = self.part.name.partition("_")
        return "_".join([sort, *map(str, self.places), text])


_SORTS: Final = ("eye", "pong", "chow", "single", "double", "pair", "fixed")


def _place_of_part(part: Part) -> tuple[int, int]:
    return part.block.kinds[0], _SORTS.index(part.name.partition("_")[0])


def _picks(part: Part, places: list[list[int]], jokers: int) -> Iterator[_Pick]:
    """Yield every way to pick a part."""
    kinds = part.block.kinds
    if part.block.shape is not Shape.CHOW:
        kind, size = kinds[0], len(kinds)
        for number in range(min(jokers, part.eligible, size) + 1):
            replaced = ((kind, number),) if number else ()
            for chosen in combinations(places[kind], size - number):
                yield _Pick(part, chosen, replaced)
        return
    may_leave = [None] if jokers and part.eligible else []
    for choice in product(*[places[kind] + may_leave for kind in kinds]):
        left = tuple([(k, 1) for k, place in zip(kinds, choice, strict=True) if place is None])
        if len(left) <= jokers:
            yield _Pick(part, tuple([place for place in choice if place is not None]), left)


def _joker_rows(
    template: Template, tiles: TileSet, jokers: int, picks: Sequence[_Pick]
) -> list[Row]:
    """Return the rows that use every joker once and limit the copies of a kind."""
    used = [
        (v, sum(copies for _, copies in pick.replaced))
        for v, pick in enumerate(picks)
        if pick.replaced
    ]
    rows: list[Row] = [("jokers", jokers, jokers, used)]
    if not template.has_fifth:
        for kind, name in enumerate(tiles.names):
            terms = uses([pick.part.block for pick in picks], kind)
            rows.append((f"copies_{name}", None, COPIES, terms))
    return rows


def _add_levels(
    exclude: Decompositions,
    picked: list[Block],
    rows: list[Row],
    names: list[str],
    tiles: TileSet,
    held: Sequence[int],
) -> None:
    """Append the rows and the names of the variables that exclude decompositions.

    ``held`` are the copies of each kind that parts can hold, jokers included. The parts of a
    decomposition decide for which tiles jokers stand.
    """
    if not exclude:
        return
    places: dict[Block, list[tuple[int, int]]] = {}
    for variable, block in enumerate(picked):
        places.setdefault(block, []).append((variable, 1))
    level: dict[tuple[Block, int], int] = {}
    first = len(names)
    for block, terms in places.items():
        most = min(held[kind] // block.kinds.count(kind) for kind in block.kinds)
        text = f"{block.shape}_{block.text(tiles)}"
        for k in range(1, most + 1):
            level[block, k] = first + len(level)
            names.append(f"level_{text}_{k}")
            if k > 1:
                steps = [(level[block, k - 1], 1), (level[block, k], -1)]
                rows.append((f"ladder_{text}_{k}", 0, None, steps))
        ladder = [(level[block, k], -1) for k in range(1, most + 1)]
        rows.append((f"count_{text}", 0, 0, [*terms, *ladder]))
    for number, known in enumerate(exclude):
        parts = [block for block in known if block.shape is not Shape.JOKER]
        terms = [
            (level[block, k], 1)
            for block, times in Counter(parts).items()
            for k in range(1, times + 1)
            if (block, k) in level
        ]
        rows.append((f"not_known_{number}", None, len(parts) - 1, terms))
