"""Templates: the parts that one shape of a winning hand asks for."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from mjopt.hands.blocks import Block, Shape, chow, eye, fixed, joker, pong, single
from mjopt.hands.tiles import COPIES, TileSet

Counts = tuple[int, ...]
Kinds = tuple[int, ...]

JOKER_PARTS: Final = ("fixed", "melds", "eyes", "distinct", "pairs")
"""The parts for whose tiles jokers may stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """The parts of a winning hand; their tiles add up to the hand.

    Examples
    --------
    >>> standard = Template(fixed=(0,) * 27, melds=4, eyes=1, kinds=tuple(range(27)))
    >>> standard.num_tiles
    14
    """

    fixed: Counts  # copies of each kind that every such hand holds, shape (K,)
    melds: int = 0
    eyes: int = 0
    has_chows: bool = True  # whether a chow is a meld
    has_pongs: bool = True  # whether a pong is a meld
    kinds: Kinds = ()  # of melds, eyes and pairs, ascending
    distinct: int = 0  # different kinds out of ``of``, one tile each
    doubled: int = 0  # how many of those kinds are held twice
    of: Kinds = ()  # the kinds of ``distinct``, ascending
    pairs: int = 0
    has_equal_pairs: bool = False  # whether four tiles of a kind count as two pairs
    jokers: Kinds = ()  # the kinds whose tiles are jokers
    # Parts other than ``fixed`` where jokers may stand, some of ``JOKER_PARTS``.
    joker_parts: tuple[str, ...] = ()
    # Copies in ``fixed`` for which jokers may stand, (K,); empty without jokers.
    joker_fixed: Counts = ()
    has_fifth: bool = False  # whether jokers may stand for more copies of a kind than exist

    @property
    def num_tiles(self) -> int:
        """Number of tiles in the complete hand."""
        groups = 3 * self.melds + 2 * self.eyes + 2 * self.pairs
        return sum(self.fixed) + groups + self.distinct + self.doubled

    @property
    def most_jokers(self) -> int:
        """Most tiles for which jokers can stand, however many jokers there are."""
        sizes = {
            "melds": 3 * self.melds,
            "eyes": 2 * self.eyes,
            "distinct": self.distinct + self.doubled,
            "pairs": 2 * self.pairs,
        }
        most = sum(self.joker_fixed) + sum(sizes[part] for part in self.joker_parts)
        return min(most, COPIES * len(self.jokers))

    @property
    def is_plain(self) -> bool:
        """Whether it is four melds and an eye of any kinds, and nothing else."""
        nothing = (0,) * len(self.fixed)
        return self == Template(fixed=nothing, melds=4, eyes=1, kinds=tuple(range(len(nothing))))

    @property
    def is_pairs(self) -> bool:
        """Whether it is seven pairs of different kinds, any of the tile set, and nothing else."""
        nothing = (0,) * len(self.fixed)
        return self == Template(fixed=nothing, pairs=7, kinds=tuple(range(len(nothing))))

    @property
    def is_singles(self) -> bool:
        """Whether it is each of thirteen kinds, one of them twice, and nothing else."""
        nothing = (0,) * len(self.fixed)
        singles = Template(fixed=nothing, distinct=13, doubled=1, of=self.of)
        return self == singles and len(self.of) == self.distinct

    def held_jokers(self, counts: Counts) -> int:
        """Return the number of jokers among the copies per kind."""
        return sum([counts[kind] for kind in self.jokers])

    def natural(self, counts: Counts) -> Counts:
        """Return the copies per kind without the jokers."""
        if not self.jokers:
            return counts
        return tuple([0 if k in self.jokers else held for k, held in enumerate(counts)])

    def allows(self, meld: Block) -> bool:
        """Return whether a called meld can be one of the melds.

        Examples
        --------
        >>> pongs = Template(fixed=(0,) * 34, melds=4, eyes=1, has_chows=False, kinds=(0, 1, 2))
        >>> pongs.allows(chow(0)), pongs.allows(pong(2)), pongs.allows(pong(3))
        (False, True, False)
        """
        is_allowed = self.has_chows if meld.shape is Shape.CHOW else self.has_pongs
        return is_allowed and all(kind in self.kinds for kind in meld.kinds)


class TemplateProgress(NamedTuple):
    """The parts made by the kinds before one, and the chows that need copies of it.

    The order of the fields decides the order of the nodes of the network.
    """

    melds: int = 0
    eyes: int = 0
    distinct: int = 0
    doubled: int = 0
    pairs: int = 0
    jokers: int = 0
    one_back: int = 0
    two_back: int = 0

    def is_complete(self, template: Template) -> bool:
        """Return whether the parts are those of the template."""
        made = self[:5]
        wanted = (template.melds, template.eyes, template.distinct, template.doubled)
        return made == (*wanted, template.pairs) and not (self.one_back or self.two_back)


class KindOption(NamedTuple):
    """One use of a kind, besides the chows that began before it.

    ``copies`` are those that it takes, and ``eligible`` those for which jokers may stand. The
    other fields count the parts that begin with it.
    """

    copies: int
    eligible: int
    chows: int
    pongs: int
    eyes: int
    distinct: int
    doubled: int
    pairs: int
    blocks: tuple[Block, ...]


@lru_cache(maxsize=1 << 12)
def kind_options(template: Template, tiles: TileSet, kind: int) -> tuple[KindOption, ...]:
    """Return the uses of a kind, in the order of the arcs of the network."""
    return tuple(_kind_options(template, tiles, kind))


def _kind_options(template: Template, tiles: TileSet, kind: int) -> Iterator[KindOption]:
    inside = kind in template.kinds
    begins = template.has_chows and {kind, kind + 1, kind + 2} <= set(template.kinds)
    begins = begins and kind in tiles.chow_starts
    limit = COPIES if not template.has_fifth else COPIES + COPIES * len(template.jokers)
    most_pongs = min(template.melds, limit // 3) if inside and template.has_pongs else 0
    most_eyes = min(template.eyes, limit // 2) if inside else 0
    most_pairs = min(template.pairs, limit // 2 if template.has_equal_pairs else 1) if inside else 0
    parts = template.joker_parts
    own = template.fixed[kind]
    own_eligible = template.joker_fixed[kind] if template.joker_fixed else 0
    for chows in range(min(template.melds, limit) + 1 if begins else 1):
        for pongs in range(most_pongs + 1):
            for eyes in range(most_eyes + 1):
                for distinct in range(min(template.distinct, 1) + 1 if kind in template.of else 1):
                    for doubled in range(min(template.doubled, distinct) + 1):
                        for pairs in range(most_pairs + 1):
                            groups = chows + 3 * pongs
                            copies = own + groups + 2 * eyes + distinct + doubled + 2 * pairs
                            if copies > limit:
                                continue
                            eligible = own_eligible
                            eligible += groups * ("melds" in parts) + 2 * eyes * ("eyes" in parts)
                            eligible += (distinct + doubled) * ("distinct" in parts)
                            eligible += 2 * pairs * ("pairs" in parts)
                            blocks = (
                                *(fixed(kind, own),) * (own > 0),
                                *(chow(kind),) * chows,
                                *(pong(kind),) * pongs,
                                *(eye(kind),) * (eyes + doubled + pairs),
                                *(single(kind),) * (distinct - doubled),
                            )
                            yield KindOption(
                                copies=copies,
                                eligible=eligible,
                                chows=chows,
                                pongs=pongs,
                                eyes=eyes,
                                distinct=distinct,
                                doubled=doubled,
                                pairs=pairs,
                                blocks=blocks,
                            )


def advance(
    template: Template, state: TemplateProgress, option: KindOption, jokers: int = 0
) -> TemplateProgress | None:
    """Return the state after a use of a kind with some jokers; None if the use is impossible."""
    carried = state.one_back + state.two_back
    if carried and "melds" not in template.joker_parts:
        most_jokers = option.eligible
    else:
        most_jokers = option.eligible + carried
    limit = COPIES if not template.has_fifth else COPIES + jokers
    after = TemplateProgress(
        melds=state.melds + option.chows + option.pongs,
        eyes=state.eyes + option.eyes,
        distinct=state.distinct + option.distinct,
        doubled=state.doubled + option.doubled,
        pairs=state.pairs + option.pairs,
        jokers=state.jokers + jokers,
        one_back=option.chows,
        two_back=state.one_back,
    )
    is_possible = (
        carried + option.copies <= limit
        and jokers <= most_jokers
        and after.melds <= template.melds
        and after.eyes <= template.eyes
        and after.distinct <= template.distinct
        and after.doubled <= template.doubled
        and after.pairs <= template.pairs
    )
    return after if is_possible else None


def joker_blocks(kind: int, jokers: int) -> tuple[Block, ...]:
    """Return the block that says for how many tiles of a kind jokers stand; none for 0."""
    return (joker(kind, jokers),) if jokers else ()
