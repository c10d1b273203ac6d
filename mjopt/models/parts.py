"""The blocks that can be parts of a template, and the rows that count them."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mjopt.hands.blocks import Block, chow, eye, pong, single
from mjopt.hands.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.program import Row


class Part(NamedTuple):
    """A block that can be a part of a template; fixed tiles are not among them.

    Parameters
    ----------
    block
        The block.
    name
        A name for variables, such as ``chow_123m``.
    rows
        The rows that count it, some of ``melds``, ``eye``, ``distinct``, ``doubled``, ``pairs``.
    most
        Most times that a hand can have it.
    takes_jokers
        Whether jokers may stand for its tiles.
    """

    block: Block
    name: str
    rows: tuple[str, ...]
    most: int
    takes_jokers: bool

    @property
    def copies(self) -> tuple[tuple[int, int], ...]:
        """The kinds of its tiles, each with its copies."""
        kinds = self.block.kinds
        return tuple([(kind, kinds.count(kind)) for kind in dict.fromkeys(kinds)])


def most_copies(template: Template) -> int:
    """Return the most copies of a kind in a hand, jokers in their place included."""
    return COPIES + (COPIES * len(template.jokers) if template.has_fifth else 0)


@lru_cache(maxsize=256)
def template_parts(template: Template, tiles: TileSet, called: int) -> tuple[Part, ...]:
    """List the blocks that can be parts: chows, pongs, eyes, singles, doubled ones, pairs.

    Examples
    --------
    >>> from mjopt.hands.rule_set import standard_template
    >>> from mjopt.hands.tiles import M0
    >>> parts = template_parts(standard_template(M0), M0, 0)
    >>> len(parts), parts[0].name, parts[-1].rows
    (75, 'chow_123m', ('eye',))
    """
    return tuple(_parts(template, tiles, called))


def _parts(template: Template, tiles: TileSet, called: int) -> Iterator[Part]:
    limit, kinds, parts = most_copies(template), template.kinds, template.joker_parts
    melds = template.melds - called
    if template.melds and template.has_chows:
        for start in tiles.chow_starts:
            if {start, start + 1, start + 2} <= set(kinds):
                name = f"chow_{chow(start).text(tiles)}"
                yield Part(chow(start), name, ("melds",), min(limit, melds), "melds" in parts)
    if template.melds and template.has_pongs:
        for kind in kinds:
            name = f"pong_{pong(kind).text(tiles)}"
            yield Part(pong(kind), name, ("melds",), limit // 3, "melds" in parts)
    if template.eyes:
        for kind in kinds:
            name, most = f"eye_{eye(kind).text(tiles)}", min(limit // 2, template.eyes)
            yield Part(eye(kind), name, ("eye",), most, "eyes" in parts)
    if template.distinct:
        for kind in template.of:
            name = f"single_{tiles.names[kind]}"
            yield Part(single(kind), name, ("distinct",), 1, "distinct" in parts)
    if template.doubled:
        for kind in template.of:
            name, rows = f"double_{tiles.names[kind]}", ("distinct", "doubled")
            yield Part(eye(kind), name, rows, 1, "distinct" in parts)
    if template.pairs:
        most = min(limit // 2, template.pairs) if template.has_equal_pairs else 1
        for kind in kinds:
            name = f"pair_{tiles.names[kind]}"
            yield Part(eye(kind), name, ("pairs",), most, "pairs" in parts)


def part_rows(
    template: Template, tiles: TileSet, called: int, parts: Sequence[Part]
) -> list[Row]:
    """Return the rows that ask for the melds, eyes, distinct kinds and pairs of a template.

    Parameters
    ----------
    template, tiles, called
        The template, its tile set, and the number of called melds.
    parts
        The part that one unit of each variable is.
    """
    counted: dict[str, list[tuple[int, int]]] = {}
    by_kind: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for variable, part in enumerate(parts):
        for row in part.rows:
            counted.setdefault(row, []).append((variable, 1))
        row = part.rows[0]
        if row == "distinct" or (row == "pairs" and not template.has_equal_pairs):
            by_kind.setdefault((row, part.block.kinds[0]), []).append((variable, 1))
    rows: list[Row] = []

    def ask(row: str, number: int) -> None:
        rows.append((row, number, number, counted.get(row, [])))

    def once(row: str, kinds: tuple[int, ...], least: int | None) -> None:
        for kind in kinds:
            terms = by_kind.get((row, kind), [])
            if least or len(terms) > 1:
                rows.append((f"{row}_{tiles.names[kind]}", least, 1, terms))

    if template.melds:
        ask("melds", template.melds - called)
    if template.eyes:
        ask("eye", template.eyes)
    if template.distinct:
        takes_all = template.distinct == len(template.of)
        once("distinct", template.of, 1 if takes_all else None)
        if not takes_all:
            ask("distinct", template.distinct)
    if template.doubled:
        ask("doubled", template.doubled)
    if template.pairs:
        once("pairs", template.kinds, None)
        ask("pairs", template.pairs)
    return rows
