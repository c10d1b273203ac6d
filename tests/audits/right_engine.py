"""A small, slow engine that shares no code with mjopt's tables, models and searches.

The deficiency is the least number of tiles that a hand lacks over all sets of blocks that a winning
form asks for. Within a suit these sets are listed, and each is compared with the tiles of the suit.
Over the suits the least sums are joined. A wrong engine (`wrong_engines.py`) changes one method.

Copies are numbers in unary, seven bits for each kind of a suit: then the tiles of ``blocks`` that
``held`` lacks are the bits of ``blocks & ~held``.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import Suit

COPIES = 4
WIDTH = 7  # bits for each kind
FAR = 99  # exceeds every deficiency

Counts = tuple[int, ...]
Kinds = frozenset[int]
Block = tuple[int, ...]
Vector = tuple[int, ...]  # at 2 * melds + eyes: tiles missing in one or several suits

QUESTIONS = ("win", "shanten", "deficiency", "decompositions", "useful", "ukeire", "discard")
"""The cheap questions first."""


class SuitBlocks(NamedTuple):
    """The sets of blocks of one suit in unary; those of each number of melds and eyes together."""

    codes: np.ndarray
    starts: list[int]


class Engine:
    """Answers questions about a hand: its copies per kind, and the number of called melds."""

    OF_BLOCKS: ClassVar = (
        *("templates", "limit", "chows", "pongs", "eyes", "meld_sets", "fits", "lists", "costs"),
    )
    OF_SUITS: ClassVar = ("group_feature", "pair_feature", "single_feature")
    OF_HANDS: ClassVar = (
        *("allows", "measure", "least", "missing"),
        *("groups_missing", "pairs_missing", "singles_missing"),
    )
    OF_ANSWERS: ClassVar = {  # besides those for all answers
        "win": ("win", "deficiency"),
        "shanten": ("shanten", "deficiency"),
        "deficiency": ("deficiency",),
        "decompositions": (
            *("decompositions", "splits", "split_groups", "number_of", "win", "deficiency"),
        ),
        "useful": ("useful", "useful_within", "draws"),
        "ukeire": ("ukeire", "useful", "useful_within", "draws", "copies_of"),
        "discard": (
            *("discard", "unseen_after_discard", "nearest", "score", "choose", "win"),
            *("deficiency", "useful_within", "draws", "copies_of"),
        ),
    }
    limit = COPIES  # copies of a kind in the blocks of a hand

    def __init__(self, rules: RuleSet, base: Self | None = None) -> None:
        """Share what ``base``, the right engine, has computed by the same methods."""
        self.rules, self.suits = rules, rules.tiles.suits
        self.slices = list(rules.tiles.slices)
        self.places = [
            (suit, place) for suit, one in enumerate(self.suits) for place in range(len(one.ranks))
        ]
        self.all_reach = tuple((COPIES,) * (part.stop - part.start) for part in self.slices)
        self.forms = self.templates()
        self._tables: dict[Any, SuitBlocks] = {}
        self._of_template: dict[tuple[int, int], SuitBlocks] = {}
        self._costs: dict[Any, Any] = {}
        self._ids: dict[Any, int] = {}
        self._features: list[Any] = []
        self._id_of_feature: dict[Any, int] = {}
        self._values: dict[Any, int] = {}
        for methods, memos in (
            (self.OF_BLOCKS, ("_tables", "_costs")),
            (self.OF_SUITS, ("_ids", "_features", "_id_of_feature")),
            (self.OF_HANDS, ("_values",)),
        ):
            kind = type(base)
            if any(getattr(type(self), name) is not getattr(kind, name, None) for name in methods):
                break
            for name in memos:
                setattr(self, name, getattr(base, name))
        of_all = (
            *self.OF_BLOCKS,
            *self.OF_SUITS,
            *self.OF_HANDS,
            "distance",
            "_distance",
            "answer",
        )
        self.doubtful = [
            question
            for question, methods in self.OF_ANSWERS.items()
            if any(
                getattr(type(self), name) is not getattr(Engine, name) for name in of_all + methods
            )
        ]
        self._useful: dict[tuple[Counts, int], Kinds] = {}

    # The rules.

    def templates(self) -> list[Template]:
        """Return the shapes of a winning hand."""
        return [template for form in self.rules.forms for template in form.templates]

    def allows(self, template: Template, called: int) -> bool:
        """Return whether a hand with called melds can have a shape."""
        return called <= template.melds

    def full_size(self, called: int) -> int:
        """Return the number of tiles after the draw."""
        return self.rules.size - 3 * called

    # One suit: the sets of blocks, and the tiles that they lack.

    def chows(self, suit: Suit) -> list[Block]:
        """Return the runs of a suit, as places in it."""
        ranks = suit.ranks
        return [
            (place, place + 1, place + 2)
            for place in range(len(ranks) - 2)
            if suit.has_chows and ranks[place + 2] == ranks[place] + 2
        ]

    def pongs(self, suit: Suit) -> list[Block]:
        """Return the triplets of a suit."""
        return [(place,) * 3 for place in range(len(suit.ranks))]

    def eyes(self, suit: Suit) -> list[Block]:
        """Return the pairs of a suit that can be the eye."""
        return [(place,) * 2 for place in range(len(suit.ranks))]

    def meld_sets(self, melds: list[Block], number: int) -> Iterator[tuple[Block, ...]]:
        """Return the sets of some melds; a meld may be there several times."""
        return combinations_with_replacement(melds, number)

    def blocks_of(self, template: Template, suit: int) -> tuple[list[Block], list[Block]]:
        """Return the melds and the eyes of a suit that a template allows."""
        one, start = self.suits[suit], self.slices[suit].start
        melds = [
            *(self.chows(one) if template.has_chows else ()),
            *(self.pongs(one) if template.has_pongs else ()),
        ]
        kinds = set(template.kinds)
        return tuple(
            [block for block in blocks if {start + place for place in block} <= kinds]
            for blocks in (melds, self.eyes(one))
        )

    def suit_blocks(self, template: Template, suit: int) -> SuitBlocks:
        """Return the sets of at most all melds and an eye of a suit, with its fixed tiles."""
        place = (id(template), suit)  # the templates are those of self.forms
        if place not in self._of_template:
            melds, eyes = self.blocks_of(template, suit)
            fixed = template.fixed[self.slices[suit]]
            key = (fixed, tuple(melds), tuple(eyes), template.melds)
            if key not in self._tables:
                self._tables[key] = self.lists(fixed, melds, eyes, template.melds)
            self._of_template[place] = self._tables[key]
        return self._of_template[place]

    def lists(self, fixed: Counts, melds: list[Block], eyes: list[Block], most: int) -> SuitBlocks:
        """List the sets of blocks, those of each number of melds without and with an eye."""
        codes, starts = [], []
        for number in range(most + 1):
            for heads in ([()], eyes):
                starts.append(len(codes))
                codes.append((1 << WIDTH * len(fixed)) - 1)  # more than a hand can hold
                found = set()
                for some in self.meld_sets(melds, number):
                    for head in heads:
                        used = list(fixed)
                        for block in (*some, head):
                            for place in block:
                                used[place] += 1
                        if self.fits(used, some, head):
                            found.add(unary(tuple(used)))
                codes += found
        return SuitBlocks(np.array(codes, np.uint64), starts)

    def fits(self, used: list[int], melds: tuple[Block, ...], eye: Block) -> bool:
        """Return whether blocks are possible, given the copies of each kind that they use."""
        return max(used) <= self.limit

    def group_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Any:
        """Return the least number of missing tiles for each number of melds and eyes."""
        blocks = self.suit_blocks(template, suit)
        key = (id(blocks), held, reach)
        if key not in self._costs:
            self._costs[key] = self.costs(blocks, held, reach)
        return self._costs[key]

    def costs(self, blocks: SuitBlocks, held: Counts, reach: Counts) -> Vector:
        """Compare the tiles of a suit with every set of blocks."""
        missing = np.bitwise_count(blocks.codes & ~np.uint64(unary(held)))
        if min(reach) < self.limit:
            missing[(blocks.codes & ~np.uint64(unary(reach))) != 0] = FAR
        return tuple(np.minimum.reduceat(missing, blocks.starts).tolist())

    def pair_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        """Return the number of pairs that lack no tile, one tile, two tiles."""
        lacking = [0, 0, 0]
        start = self.slices[suit].start
        for place in range(len(held)):
            if start + place in template.kinds:
                for least in (2, 4) if template.has_equal_pairs else (2,):
                    if reach[place] >= least:
                        lacking[min(2, max(0, least - held[place]))] += 1
        return tuple(lacking)

    def single_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        """Return numbers of kinds out of a list: held, possible, held twice, possible twice."""
        places = [self.places[kind][1] for kind in template.of if self.places[kind][0] == suit]
        return (
            sum(held[p] > 0 for p in places),
            sum(reach[p] > 0 for p in places),
            sum(held[p] > 1 for p in places),
            sum(reach[p] > 1 for p in places),
        )

    # All suits.

    def _id(self, suit: int, held: Counts, reach: Counts) -> int:
        """Return the number of what is known about a suit, the same for equal knowledge."""
        key = (suit, held, reach)
        found = self._ids.get(key)
        if found is None:
            feature = tuple(
                (
                    self.pair_feature
                    if template.pairs
                    else self.single_feature
                    if template.distinct
                    else self.group_feature
                )(template, suit, held, reach)
                for template in self.forms
            )
            found = self._id_of_feature.setdefault(feature, len(self._features))
            if found == len(self._features):
                self._features.append(feature)
            self._ids[key] = found
        return found

    def _distance(self, ids: tuple[int, ...], called: int) -> int:
        key = (ids, called)
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = self.measure([self._features[i] for i in ids], called)
        return found

    def measure(self, features: Sequence[Any], called: int) -> int:
        """Return the deficiency from what is known about each suit."""
        return self.least(
            [
                self.missing(template, parts, called) if self.allows(template, called) else FAR
                for template, parts in zip(self.forms, zip(*features, strict=True), strict=True)
            ]
        )

    def least(self, values: list[int]) -> int:
        """Return the deficiency from those of all templates."""
        return min(values)

    def missing(self, template: Template, parts: Sequence[Any], called: int) -> int:
        """Return the deficiency for one template."""
        if template.pairs:
            return self.pairs_missing(template, add(parts))
        if template.distinct:
            return self.singles_missing(template, add(parts))
        return self.groups_missing(template, parts, template.melds - called)

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        """Return the missing tiles of melds and an eye."""
        whole = parts[0]
        for part in parts[1:]:
            whole = join(whole, part)
        return whole[2 * need + template.eyes]

    def pairs_missing(self, template: Template, lacking: Counts) -> int:
        """Return the missing tiles of pairs."""
        total, wanted = 0, template.pairs
        for price, number in enumerate(lacking):
            total += price * min(number, wanted)
            wanted -= min(number, wanted)
        return FAR if wanted else total

    def singles_missing(self, template: Template, numbers: Counts) -> int:
        """Return the missing tiles of different kinds, one of which may be a pair."""
        held, possible, twice, possible_twice = numbers
        if possible < template.distinct or (template.doubled and not possible_twice):
            return FAR
        return max(0, template.distinct - held) + (template.doubled if not twice else 0)

    # Questions.

    def split(self, counts: Counts) -> tuple[Counts, ...]:
        """Return the copies of each suit."""
        return tuple([counts[part] for part in self.slices])

    def reach(self, held: tuple[Counts, ...], unseen: tuple[Counts, ...]) -> tuple[Counts, ...]:
        """Return the copies per kind that a hand holds or can draw."""
        return tuple(tuple(map(int.__add__, *both)) for both in zip(held, unseen, strict=True))

    def unseen(self, counts: Counts) -> Counts:
        """Return the copies of each kind that can still arrive."""
        return tuple([COPIES - held for held in counts])

    def deficiency(self, counts: Counts, called: int) -> int:
        """Return the number of tile changes to a win."""
        return self.distance(counts, called, self.all_reach)

    def distance(self, counts: Counts, called: int, reach: tuple[Counts, ...]) -> int:
        """Return the number of tile changes, given the most copies of each kind."""
        held = self.split(counts)
        return self._distance(tuple(map(self._id, range(len(held)), held, reach)), called)

    def shanten(self, counts: Counts, called: int) -> int:
        """Return one less than the deficiency."""
        return self.deficiency(counts, called) - 1

    def win(self, counts: Counts, called: int) -> bool:
        """Return whether a hand is complete; before the draw none is."""
        return sum(counts) == self.full_size(called) and self.deficiency(counts, called) == 0

    def draws(self, counts: Counts, reach: tuple[Counts, ...]) -> Iterable[int]:
        """Return the kinds that are tried as draws."""
        limits = [most for part in reach for most in part]
        return [kind for kind, held in enumerate(counts) if held < limits[kind]]

    def useful_within(self, counts: Counts, called: int, reach: tuple[Counts, ...]) -> Kinds:
        """Return the kinds that lower the deficiency when they are drawn."""
        held = self.split(counts)
        ids = list(map(self._id, range(len(held)), held, reach))
        now = self._distance(tuple(ids), called)
        useful = []
        for kind in self.draws(counts, reach):
            suit, place = self.places[kind]
            part = held[suit]
            before = ids[suit]
            after = (*part[:place], part[place] + 1, *part[place + 1 :])
            ids[suit] = self._id(suit, after, reach[suit])
            if self._distance(tuple(ids), called) < now:
                useful.append(kind)
            ids[suit] = before
        return frozenset(useful)

    def useful(self, counts: Counts, called: int) -> Kinds:
        """Return the tiles whose draw lowers the deficiency."""
        return self.useful_within(counts, called, self.all_reach)

    def copies_of(self, kinds: Kinds, counts: Counts, unseen: Counts) -> int:
        """Return the number of tiles of some kinds that can arrive."""
        return sum([unseen[kind] for kind in kinds])

    def ukeire(self, counts: Counts, called: int) -> int:
        """Return the number of copies of the useful tiles."""
        useful = self.answer("useful", counts, called)
        return self.copies_of(useful, counts, self.unseen(counts))

    def discard(self, counts: Counts, called: int) -> Kinds:
        """Return the equally good discards of a hand that has drawn and not won."""
        if sum(counts) < self.full_size(called) or self.win(counts, called):
            return frozenset()
        after = {
            kind: (*counts[:kind], held - 1, *counts[kind + 1 :])
            for kind, held in enumerate(counts)
            if held
        }
        unseen = self.unseen_after_discard(counts)
        reach = {
            kind: self.reach(self.split(rest), self.split(unseen)) for kind, rest in after.items()
        }
        distances = {kind: self.distance(rest, called, reach[kind]) for kind, rest in after.items()}
        scores = {
            kind: self.score(after[kind], called, reach[kind], unseen)
            for kind in self.nearest(distances)
        }
        return self.choose(scores, counts)

    def unseen_after_discard(self, counts: Counts) -> Counts:
        """Return the copies that can arrive after a discard, which does not return."""
        return self.unseen(counts)

    def nearest(self, distances: dict[int, int]) -> list[int]:
        """Return the discards of least deficiency."""
        least = min(distances.values())
        return [kind for kind, value in distances.items() if value == least]

    def score(
        self, counts: Counts, called: int, reach: tuple[Counts, ...], unseen: Counts
    ) -> float:
        """Return how good the hand after a discard is: its number of useful tiles."""
        return self.copies_of(self.useful_within(counts, called, reach), counts, unseen)

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        """Return the best of the nearest discards."""
        best = max(scores.values())
        return frozenset(kind for kind, value in scores.items() if value == best)

    def decompositions(self, counts: Counts, called: int) -> int:
        """Return the number of ways to split a complete hand."""
        if not self.win(counts, called):
            return 0
        return self.number_of(
            [
                split
                for template in self.forms
                if self.allows(template, called)
                for split in self.splits(template, counts, called)
            ]
        )

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        """Return the number of different splits."""
        return len({tuple(sorted(split)) for split in splits})

    def splits(
        self, template: Template, counts: Counts, called: int
    ) -> Iterator[tuple[Block, ...]]:
        """Yield the ways to split a hand into the parts of a template."""
        rest = [held - used for held, used in zip(counts, template.fixed, strict=True)]
        own = tuple((kind,) for kind, used in enumerate(template.fixed) if used)
        if template.pairs:
            sizes = (2, 4) if template.has_equal_pairs else (2,)
            held = [kind for kind in template.kinds if counts[kind]]
            is_full = sum(counts[kind] for kind in held) == 2 * template.pairs == sum(counts)
            if is_full and all(counts[kind] in sizes for kind in held):
                yield tuple((kind, kind) for kind in held for _ in range(counts[kind] // 2))
        elif template.distinct:
            held = [counts[kind] for kind in template.of if counts[kind]]
            is_full = sum(held) == template.distinct + template.doubled == sum(counts)
            if is_full and len(held) == template.distinct and max(held) <= 1 + template.doubled:
                yield tuple((kind,) * counts[kind] for kind in template.of if counts[kind])
        elif min(rest) >= 0:
            blocks: dict[int, list[Block]] = {}
            for suit, part in enumerate(self.slices):
                melds, eyes = self.blocks_of(template, suit)
                for block in (*eyes, *melds):
                    kinds = tuple(part.start + place for place in block)
                    blocks.setdefault(min(kinds), []).append(kinds)
            for found in self.split_groups(rest, blocks, template.melds - called, template.eyes):
                yield own + found

    def split_groups(
        self, rest: list[int], blocks: dict[int, list[Block]], melds: int, eyes: int
    ) -> Iterator[tuple[Block, ...]]:
        """Yield the ways to split tiles into melds and an eye; the lowest tile goes first."""
        lowest = next((kind for kind, held in enumerate(rest) if held), None)
        if lowest is None:
            if not melds and not eyes:
                yield ()
            return
        for block in blocks.get(lowest, ()):
            after = list(rest)
            for kind in block:
                after[kind] -= 1
            left = (melds, eyes - 1) if len(block) == 2 else (melds - 1, eyes)
            if min(after) >= 0 and min(left) >= 0:
                for found in self.split_groups(after, blocks, *left):
                    yield block, *found

    # Comparison.

    def answer(self, question: str, counts: Counts, called: int) -> Any:
        """Return the answer to one of ``QUESTIONS``; useful tiles are needed twice."""
        if question != "useful":
            return getattr(self, question)(counts, called)
        key = (counts, called)
        if key not in self._useful:
            self._useful[key] = self.useful(counts, called)
        return self._useful[key]

    def answers(self, counts: Counts, called: int) -> dict[str, Any]:
        """Return the answers to all questions."""
        return {question: self.answer(question, counts, called) for question in QUESTIONS}

    def first_error(self, right: dict[str, Any], counts: Counts, called: int) -> str | None:
        """Return the first question with a wrong answer, given the right ones; None if none is.

        An answer that no changed method gives is right.
        """
        for question in self.doubtful:
            given = self.answer(question, counts, called)
            if not is_right(question, given, right[question]):
                return question
        return None


def is_right(question: str, given: Any, right: Any) -> bool:
    """Return whether an answer is right; one of several equally good discards is enough."""
    if question == "discard" and right:
        return bool(given) and given <= right
    return question == "discard" or given == right


@lru_cache(maxsize=1 << 18)
def unary(counts: Counts) -> int:
    """Return copies per kind as a number, ``WIDTH`` bits for each kind."""
    code = 0
    for place, copies in enumerate(counts):
        code |= ((1 << copies) - 1) << WIDTH * place
    return code


@lru_cache(maxsize=1 << 16)
def join(first: Vector, second: Vector) -> Vector:
    """Return the least sums of two suits for each number of melds and eyes."""
    whole = [FAR] * len(first)
    for one, left in enumerate(first):
        for other, right in enumerate(second):
            both = one + other
            if both < len(whole) and not one & other & 1:  # one eye at most
                whole[both] = min(whole[both], left + right)
    return tuple(whole)


def add(parts: Sequence[Counts]) -> Counts:
    """Return the sums of some numbers over all suits."""
    return tuple(map(sum, zip(*parts, strict=True)))
