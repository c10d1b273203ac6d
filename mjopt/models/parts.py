"""The blocks that can be parts of a template, and the rows that count them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mjopt.hands.blocks import Block, chow, eye, fixed, pong, single
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.models.program import Row


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A block that can be a part of a template; equality is identity, for caches."""

    block: Block
    name: str  # for variables, such as ``chow_123m``
    # Those that count it: ``melds``, ``eye``, ``distinct``, ``doubled``, ``pairs``, or one of its
    # own for the fixed tiles of a kind.
    rows: tuple[str, ...]
    most: int  # most times that a hand can have it
    eligible: int  # tiles of each of its kinds for which jokers may stand

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
    """List the blocks that can be parts: groups, singles, doubled ones, pairs, fixed tiles.

    Examples
    --------
    >>> from mjopt.hands.rules.classic_forms import standard_template
    >>> from mjopt.hands.tiles import M0
    >>> parts = template_parts(standard_template(M0), M0, 0)
    >>> len(parts), parts[0].name, parts[-1].rows
    (75, 'chow_123m', ('eye',))
    """
    return (
        *_melds(template, tiles, called),
        *_eyes_and_pairs(template, tiles),
        *_singles(template, tiles),
        *_fixed(template, tiles),
    )


def _melds(template: Template, tiles: TileSet, called: int) -> Iterator[Part]:
    limit, has_jokers = most_copies(template), "melds" in template.joker_parts
    most = max(0, min(limit, template.melds - called))
    for start in tiles.chow_starts if template.melds and template.has_chows else ():
        if {start, start + 1, start + 2} <= set(template.kinds):
            block = chow(start)
            yield Part(block, f"chow_{block.text(tiles)}", ("melds",), most, int(has_jokers))
    for kind in template.kinds if template.melds and template.has_pongs else ():
        block = pong(kind)
        name, most = f"pong_{block.text(tiles)}", limit // 3
        yield Part(block, name, ("melds",), most, 3 * has_jokers)


def _eyes_and_pairs(template: Template, tiles: TileSet) -> Iterator[Part]:
    most = most_copies(template) // 2
    for kind in template.kinds if template.eyes else ():
        eligible = 2 * ("eyes" in template.joker_parts)
        name = f"eye_{eye(kind).text(tiles)}"
        yield Part(eye(kind), name, ("eye",), min(most, template.eyes), eligible)
    if not template.has_equal_pairs:
        most = 1
    for kind in template.kinds if template.pairs else ():
        eligible, name = 2 * ("pairs" in template.joker_parts), f"pair_{tiles.names[kind]}"
        yield Part(eye(kind), name, ("pairs",), min(most, template.pairs), eligible)


def _singles(template: Template, tiles: TileSet) -> Iterator[Part]:
    eligible = int("distinct" in template.joker_parts)
    for kind in template.of if template.distinct else ():
        yield Part(single(kind), f"single_{tiles.names[kind]}", ("distinct",), 1, eligible)
    for kind in template.of if template.doubled else ():
        rows = ("distinct", "doubled")
        yield Part(eye(kind), f"double_{tiles.names[kind]}", rows, 1, 2 * eligible)


def _fixed(template: Template, tiles: TileSet) -> Iterator[Part]:
    for kind, copies in enumerate(template.fixed):
        if copies:
            name = f"fixed_{tiles.names[kind]}"
            eligible = template.joker_fixed[kind] if template.joker_fixed else 0
            yield Part(fixed(kind, copies), name, (name,), 1, eligible)


def part_rows(template: Template, tiles: TileSet, called: int, parts: Sequence[Part]) -> list[Row]:
    """Return the rows that ask for a template's parts; ``parts`` has that of each variable."""
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
    for kind, copies in enumerate(template.fixed):
        if copies:
            ask(f"fixed_{tiles.names[kind]}", 1)
    return rows
