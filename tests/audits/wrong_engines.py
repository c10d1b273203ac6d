"""Engines with one fault each, of the kinds that engines for Mahjong have.

The docstring of a class is the cause. Together they are the power test of the conformance suite:
each must disagree with some hands of the suite.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from math import comb, factorial, prod
from typing import Any, ClassVar

from mjopt.hands.rules.rule_file import get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES, FULL, SANMA, Suit, places_in_full
from tests.audits.right_engine import FAR, Block, Counts, Engine, Kinds, SuitBlocks, Vector

Reach = tuple[Counts, ...]


class Wrong(Engine):
    """An engine with a fault."""

    name: ClassVar[str]
    rules_with: ClassVar = ""  # the part of the rules that the fault is about

    def __init_subclass__(cls) -> None:
        cls.name = re.sub("(?<!^)(?=[A-Z])", " ", cls.__name__).lower()

    def has_splits(self, template: Template, counts: Counts, called: int) -> bool:
        """Return whether a hand can be split into the parts of a template."""
        if not self.allows(template, called):
            return False
        return any(True for _ in self.splits(template, counts, called))

    @classmethod
    def applies(cls, rules: RuleSet) -> bool:
        """Return whether rules have the part that the fault is about."""
        parts = parts_of(rules)
        return all(part in parts for part in cls.rules_with.split())


@lru_cache
def parts_of(rules: RuleSet) -> frozenset[str]:
    """Return the parts that faults are about."""
    templates = [template for form in rules.forms for template in form.templates]
    kinds = {kind for template in templates for kind in (*template.kinds, *template.of)}
    held = {
        "honours": any(rules.tiles.names[kind][1] == "z" for kind in kinds),
        "last": max(kinds) == rules.tiles.num_kinds - 1,
        "missing": rules.tiles == SANMA,
        "several": len(templates) > 1,
        "all": all(len(t.kinds) == rules.tiles.num_kinds for t in templates if t.melds),
        "pairs": any(template.pairs for template in templates),
        "different": any(t.pairs and not t.has_equal_pairs for t in templates),
        "equal": any(template.has_equal_pairs for template in templates),
        "orphans": any(template.doubled for template in templates),
        "knitted": any(any(template.fixed) for template in templates),
        "far": rules.name in ("taiwan", "half-flush", "full-flush"),  # more than 6 from ready
    }
    return frozenset(name for name, is_held in held.items() if is_held)


# Copies of a tile.


class FifthCopy(Wrong):
    """Counts on a fifth copy of a tile, whose four copies are in the hand."""

    limit = 7

    def costs(self, blocks: SuitBlocks, held: Counts, reach: Counts) -> Vector:
        return super().costs(blocks, held, tuple(7 for _ in reach))


class WaitsForAFifthCopy(Wrong):
    """Names a tile as useful of which the hand holds all four copies."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        if not hasattr(self, "loose"):
            self.loose = FifthCopy(self.rules)
        held = [kind for kind, copies in enumerate(counts) if copies == COPIES]
        now = self.loose.distance(counts, called, reach)
        more = {
            kind
            for kind in held
            if now == self.distance(counts, called, reach)
            and self.loose.distance(self.plus(counts, kind), called, reach) < now
        }
        return super().useful_within(counts, called, reach) | more

    def plus(self, counts: Counts, kind: int) -> Counts:
        return (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])


class QuadsAreFull(Wrong):
    """Names every tile of which four are held as useful, if a neighbour is."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        useful = super().useful_within(counts, called, reach)
        return useful | {
            k for k, held in enumerate(counts) if held == COPIES and {k - 1, k + 1} & useful
        }


# Runs and triplets.


class HonoursAsRuns(Wrong):
    """Takes consecutive honours for runs."""

    rules_with = "honours"

    def chows(self, suit: Suit) -> list[Block]:
        if suit.letter == "z":
            return [(place, place + 1, place + 2) for place in range(len(suit.ranks) - 2)]
        return super().chows(suit)


class WindsAsRuns(Wrong):
    """Takes three consecutive winds for a run."""

    rules_with = "honours"

    def chows(self, suit: Suit) -> list[Block]:
        return [(0, 1, 2), (1, 2, 3)] if suit.letter == "z" else super().chows(suit)


class DragonsAsARun(Wrong):
    """Takes the three dragons for a run."""

    rules_with = "honours"

    def chows(self, suit: Suit) -> list[Block]:
        return [(4, 5, 6)] if suit.letter == "z" else super().chows(suit)


class NineIsBesideOne(Wrong):
    """Lets runs go around the end of a suit: 8-9-1 and 9-1-2."""

    extra: ClassVar = [(7, 8, 0), (8, 0, 1)]

    def chows(self, suit: Suit) -> list[Block]:
        return super().chows(suit) + (self.extra if len(suit.ranks) == 9 else [])


class RunEightNineOne(NineIsBesideOne):
    """Takes 8-9-1 for a run."""

    extra: ClassVar = [(7, 8, 0)]


class RunNineOneTwo(NineIsBesideOne):
    """Takes 9-1-2 for a run."""

    extra: ClassVar = [(8, 0, 1)]


class RunsInStepsOfTwo(NineIsBesideOne):
    """Takes 1-3-5 and the like for runs."""

    extra: ClassVar = [(r, r + 2, r + 4) for r in range(5)]


class KnittedRuns(NineIsBesideOne):
    """Takes 1-4-7, 2-5-8 and 3-6-9 of one suit for runs."""

    extra: ClassVar = [(r, r + 3, r + 6) for r in range(3)]


class PairWithNeighbourAsRun(NineIsBesideOne):
    """Takes 1-1-2 for a run, since it compares differences of at most one."""

    extra: ClassVar = [(r, r, r + 1) for r in range(8)]


class RunsAcrossSuits(Wrong):
    """Lets runs go from one suit into the next, since tiles are numbered in one row."""

    rules_with = "all"

    def across(self) -> Iterator[Block]:
        for suit, one in zip(self.suits[1:], self.slices[1:], strict=True):
            if len(suit.ranks) > 1:
                start = one.start
                yield from ((start - 2, start - 1, start), (start - 1, start, start + 1))

    def templates(self) -> list[Template]:
        known = super().templates()
        plain = next(template for template in known if template.melds and not any(template.fixed))
        more = []
        for run in self.across():
            fixed = tuple(run.count(kind) for kind in range(self.rules.tiles.num_kinds))
            more.append(replace(plain, fixed=fixed, melds=plain.melds - 1))
        return known + more


class NoRunSevenEightNine(Wrong):
    """Leaves out the last run of a suit."""

    def chows(self, suit: Suit) -> list[Block]:
        return super().chows(suit)[:-1]


class NoRunOneTwoThree(Wrong):
    """Leaves out the first run of a suit."""

    def chows(self, suit: Suit) -> list[Block]:
        return super().chows(suit)[1:]


class NoTripletsOfHonours(Wrong):
    """Leaves out triplets of honours."""

    rules_with = "honours"

    def pongs(self, suit: Suit) -> list[Block]:
        return [] if suit.letter == "z" else super().pongs(suit)


class NoEyeOfHonours(Wrong):
    """Leaves out the eye of honours."""

    rules_with = "honours"

    def eyes(self, suit: Suit) -> list[Block]:
        return [] if suit.letter == "z" else super().eyes(suit)


class NoTripletOfTheLastTile(Wrong):
    """Leaves out the triplet of the last kind: a loop ends one too early."""

    rules_with = "last"

    def pongs(self, suit: Suit) -> list[Block]:
        return super().pongs(suit)[: -1 if suit == self.suits[-1] else None]


class NoEyeOfTheLastTile(Wrong):
    """Leaves out the eye of the last kind: a loop ends one too early."""

    rules_with = "last"

    def eyes(self, suit: Suit) -> list[Block]:
        return super().eyes(suit)[: -1 if suit == self.suits[-1] else None]


class NoEyeOfTheFirstTile(Wrong):
    """Leaves out the eye of the first kind: a loop begins one too late."""

    def eyes(self, suit: Suit) -> list[Block]:
        return super().eyes(suit)[1 if suit == self.suits[0] else 0 :]


class NoTripletsOfNines(Wrong):
    """Leaves out triplets of the last rank of a suit."""

    def pongs(self, suit: Suit) -> list[Block]:
        return super().pongs(suit)[: -1 if suit.has_chows else None]


class NoEyesOfNines(Wrong):
    """Leaves out eyes of the last rank of a suit."""

    def eyes(self, suit: Suit) -> list[Block]:
        return super().eyes(suit)[: -1 if suit.has_chows else None]


class EyeOfOuterTilesOnly(Wrong):
    """Finds the eye only among terminals and honours."""

    def eyes(self, suit: Suit) -> list[Block]:
        eyes = super().eyes(suit)
        return [eyes[0], eyes[-1]] if suit.has_chows else eyes


class IdenticalRunsOnce(Wrong):
    """Uses each run at most once."""

    def meld_sets(self, melds: list[Block], number: int) -> Iterator[tuple[Block, ...]]:
        return combinations(melds, number)


class TripletExcludesRuns(Wrong):
    """Uses no tile of a triplet's kind in a run."""

    def fits(self, used: list[int], melds: tuple[Block, ...], eye: Block) -> bool:
        tripled = {block[0] for block in melds if len(set(block)) == 1}
        in_runs = {place for block in melds if len(set(block)) > 1 for place in block}
        return super().fits(used, melds, eye) and not tripled & in_runs


class EyeExcludesRuns(Wrong):
    """Uses no tile of the eye's kind in a run."""

    def fits(self, used: list[int], melds: tuple[Block, ...], eye: Block) -> bool:
        in_melds = {place for block in melds for place in block}
        return super().fits(used, melds, eye) and not in_melds & set(eye)


class TwoMeldsInASuit(Wrong):
    """Searches no deeper than two melds in one suit."""

    def fits(self, used: list[int], melds: tuple[Block, ...], eye: Block) -> bool:
        return super().fits(used, melds, eye) and len(melds) <= 2


class ThreeMeldsInASuit(Wrong):
    """Searches no deeper than three melds in one suit."""

    def fits(self, used: list[int], melds: tuple[Block, ...], eye: Block) -> bool:
        return super().fits(used, melds, eye) and len(melds) <= 3


class RunsAndTripletsApart(Wrong):
    """Makes either runs or triplets out of a suit, never both."""

    def fits(self, used: list[int], melds: tuple[Block, ...], eye: Block) -> bool:
        return super().fits(used, melds, eye) and len({len(set(block)) for block in melds}) < 2


class EyeInASuitOfItsOwn(Wrong):
    """Looks for the eye only in a suit that has no more than two melds."""

    def fits(self, used: list[int], melds: tuple[Block, ...], eye: Block) -> bool:
        return super().fits(used, melds, eye) and (not eye or len(melds) <= 2)


class LastKindIgnored(Wrong):
    """Overlooks the last kind: a loop ends one too early."""

    rules_with = "last"

    def group_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Any:
        if suit == len(self.suits) - 1:
            held = (*held[:-1], 0)
        return super().group_feature(template, suit, held, reach)


class FirstKindIgnored(Wrong):
    """Overlooks the first kind: a loop begins one too late."""

    def group_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Any:
        if suit == 0:
            held = (0, *held[1:])
        return super().group_feature(template, suit, held, reach)


class FourthCopyIgnored(Wrong):
    """Reads the fourth copy of a tile as no tile."""

    def group_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Any:
        return super().group_feature(template, suit, tuple(min(n, 3) for n in held), reach)


class EyeAndMeldsInOneSuitOnly(Wrong):
    """Adds the least values of the suits, as if melds and eye of one suit were free to choose."""

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        value = super().groups_missing(template, parts, need)
        without = super().groups_missing(replace(template, eyes=0), parts, need)
        best = min(part[template.eyes] for part in parts)
        return min(value, without + best)


class EyeForgotten(Wrong):
    """Asks for melds alone, without an eye."""

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        return super().groups_missing(replace(template, eyes=0), parts, need)


class OneMeldTooFew(Wrong):
    """Asks for one meld too few if two or more are missing."""

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        return super().groups_missing(template, parts, need - (need == template.melds))


class MissingTilesExist(Wrong):
    """Lets three players draw 2m to 8m, which they play without."""

    rules_with = "missing"

    def __init__(self, rules: RuleSet, base: Any = None) -> None:
        super().__init__(rules, base)
        self.four = Engine(get_rules("riichi"))
        self.full_places = places_in_full(rules.tiles)

    def widen(self, counts: Counts) -> Counts:
        wide = [0] * FULL.num_kinds
        for place, copies in zip(self.full_places, counts, strict=True):
            wide[place] = copies
        return tuple(wide)

    def distance(self, counts: Counts, called: int, reach: Reach) -> int:
        return self.four.deficiency(self.widen(counts), called)

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        found = self.four.useful(self.widen(counts), called)
        return frozenset(
            self.full_places.index(kind) if kind in self.full_places else 100 + kind
            for kind in found
        )

    def copies_of(self, kinds: Kinds, counts: Counts, unseen: Counts) -> int:
        return sum(COPIES if kind >= 100 else unseen[kind] for kind in kinds)


class RunOneNineOne(RunsAcrossSuits):
    """Takes 1m, 9m and 1p for a run, since 2m to 8m are missing between them."""

    rules_with = "missing"

    def across(self) -> Iterator[Block]:
        yield (0, 1, 2)


class CharactersAsHonours(Wrong):
    """Treats 1m and 9m as if no pair of them could be the eye."""

    rules_with = "missing"

    def eyes(self, suit: Suit) -> list[Block]:
        return [] if len(suit.ranks) == 2 else super().eyes(suit)


# Seven pairs.


class QuadAsTwoPairs(Wrong):
    """Counts four of a kind as two of the seven pairs."""

    rules_with = "different"

    def templates(self) -> list[Template]:
        return [replace(t, has_equal_pairs=bool(t.pairs)) for t in super().templates()]


class QuadIsOnePair(Wrong):
    """Counts four of a kind as one of the seven pairs where two are meant."""

    rules_with = "equal"

    def templates(self) -> list[Template]:
        return [replace(t, has_equal_pairs=False) for t in super().templates()]


class QuadOfPairsComplete(Wrong):
    """Counts four of a kind as two of the seven pairs, but not for useful tiles."""

    rules_with = "different"

    def deficiency(self, counts: Counts, called: int) -> int:
        value = super().deficiency(counts, called)
        pairs = sum(held // 2 for held in counts)
        return value if called else min(value, 7 - min(7, pairs))


class PairsOfExactlyTwo(Wrong):
    """Counts a triplet as no pair of the seven."""

    rules_with = "pairs"

    def pair_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        held = tuple(1 if n == 3 else n for n in held)
        return super().pair_feature(template, suit, held, reach)


class PairsOfTwoNotFour(Wrong):
    """Counts four of a kind as no pair of the seven."""

    rules_with = "pairs"

    def pair_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        held = tuple(1 if n == 4 else n for n in held)
        return super().pair_feature(template, suit, held, reach)


class PairsOfFewKinds(Wrong):
    """Forgets that seven pairs need seven kinds."""

    rules_with = "different"

    def pairs_missing(self, template: Template, lacking: Counts) -> int:
        return template.pairs - min(template.pairs, lacking[0])


class PairsForgotten(Wrong):
    """Does not know seven pairs."""

    rules_with = "pairs"

    def pairs_missing(self, template: Template, lacking: Counts) -> int:
        return FAR


class PairsOnlyWhenReady(Wrong):
    """Looks at seven pairs only from six pairs on."""

    rules_with = "pairs"

    def pairs_missing(self, template: Template, lacking: Counts) -> int:
        value = super().pairs_missing(template, lacking)
        return value if value <= 1 else FAR


class PairsWithCalledMelds(Wrong):
    """Counts seven pairs although melds are called."""

    rules_with = "pairs"

    def allows(self, template: Template, called: int) -> bool:
        return bool(template.pairs) or super().allows(template, called)


class CalledMeldsArePairs(Wrong):
    """Counts each called meld as one of the seven pairs."""

    rules_with = "pairs"

    def allows(self, template: Template, called: int) -> bool:
        return bool(template.pairs) or super().allows(template, called)

    def missing(self, template: Template, parts: Sequence[Any], called: int) -> int:
        if template.pairs:
            template = replace(template, pairs=template.pairs - called)
        return super().missing(template, parts, called)


class PairsOneTooNear(Wrong):
    """Gives one too few for seven pairs that are not complete."""

    rules_with = "pairs"

    def pairs_missing(self, template: Template, lacking: Counts) -> int:
        value = super().pairs_missing(template, lacking)
        return value - (1 < value < FAR)


class PairsOneTooFar(Wrong):
    """Gives one too many for seven pairs that are not complete."""

    rules_with = "pairs"

    def pairs_missing(self, template: Template, lacking: Counts) -> int:
        value = super().pairs_missing(template, lacking)
        return value + (value > 0)


class TwoTilesForAPair(Wrong):
    """Counts two tiles for each missing pair, whether or not one of them is held."""

    rules_with = "pairs"

    def pairs_missing(self, template: Template, lacking: Counts) -> int:
        return 2 * (template.pairs - min(template.pairs, lacking[0]))


class PairsOfSuitsOnly(Wrong):
    """Counts no pairs of honours among the seven."""

    rules_with = "pairs honours"

    def pair_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        if self.suits[suit].letter == "z":
            return (0, 0, 0)
        return super().pair_feature(template, suit, held, reach)


class PairsNoWin(Wrong):
    """Does not call seven pairs a win, although it counts how far they are."""

    rules_with = "pairs"
    is_absent: ClassVar = staticmethod(lambda template: template.pairs)

    def win(self, counts: Counts, called: int) -> bool:
        if not super().win(counts, called):
            return False
        return any(
            self.has_splits(template, counts, called)
            for template in self.forms
            if not self.is_absent(template)
        )

    def decompositions(self, counts: Counts, called: int) -> int:
        return Engine.decompositions(self, counts, called) if self.win(counts, called) else 0


class PairsNoDecomposition(Wrong):
    """Does not count seven pairs among the decompositions."""

    rules_with = "pairs"

    def splits(self, template: Template, counts: Counts, called: int) -> Iterator[Any]:
        return iter(()) if template.pairs else super().splits(template, counts, called)


class PairsHideMelds(Wrong):
    """Counts one decomposition for seven pairs that are four melds and an eye too."""

    rules_with = "pairs"

    def decompositions(self, counts: Counts, called: int) -> int:
        number = super().decompositions(counts, called)
        return min(number, 1) if max(counts) == 2 and sum(counts) == 14 else number


# Thirteen orphans and other different kinds.


class OrphansForgotten(Wrong):
    """Does not know thirteen orphans."""

    rules_with = "orphans"

    def singles_missing(self, template: Template, numbers: Counts) -> int:
        return FAR if template.doubled else super().singles_missing(template, numbers)


class OrphansWithoutThePair(Wrong):
    """Does not count the pair that thirteen orphans already have."""

    rules_with = "orphans"

    def singles_missing(self, template: Template, numbers: Counts) -> int:
        held, possible, _, possible_twice = numbers
        value = super().singles_missing(template, (held, possible, 0, possible_twice))
        return value if held < template.distinct else super().singles_missing(template, numbers)


class OrphansNeedNoPair(Wrong):
    """Does not ask for the pair of thirteen orphans."""

    rules_with = "orphans"

    def singles_missing(self, template: Template, numbers: Counts) -> int:
        held, possible, _, possible_twice = numbers
        return super().singles_missing(template, (held, possible, 1, possible_twice))


class OrphansWithAnyPair(Wrong):
    """Takes a pair of any tile for that of thirteen orphans."""

    rules_with = "orphans"

    def single_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        known, possible, _, possible_twice = super().single_feature(template, suit, held, reach)
        return known, possible, sum(n > 1 for n in held), possible_twice


class OrphansWithEveryPair(Wrong):
    """Counts each pair of thirteen orphans, not one."""

    rules_with = "orphans"

    def singles_missing(self, template: Template, numbers: Counts) -> int:
        value = super().singles_missing(template, numbers)
        return value if value >= FAR else max(0, value - max(0, numbers[2] - 1))


class OrphansWithCalledMelds(Wrong):
    """Counts thirteen orphans although melds are called."""

    rules_with = "orphans"

    def allows(self, template: Template, called: int) -> bool:
        return bool(template.doubled) or super().allows(template, called)


class OrphansLackTheLastKind(Wrong):
    """Leaves the last honour out of the thirteen orphans."""

    rules_with = "orphans"
    left_out = -1

    def single_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        if template.doubled and self.places[template.of[self.left_out]][0] == suit:
            place = self.places[template.of[self.left_out]][1]
            held = (*held[:place], 0, *held[place + 1 :])
        return super().single_feature(template, suit, held, reach)


class OrphansLackTheFirstKind(OrphansLackTheLastKind):
    """Leaves the first terminal out of the thirteen orphans."""

    left_out = 0


class OrphansAsTiles(Wrong):
    """Counts all terminals and honours for thirteen orphans, not their kinds."""

    rules_with = "orphans"

    def single_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Counts:
        known, *more = super().single_feature(template, suit, held, reach)
        places = [self.places[kind][1] for kind in template.of if self.places[kind][0] == suit]
        return (sum(held[p] for p in places) if template.doubled else known, *more)


class ThirteenSidedWait(Wrong):
    """Sees only one wait of thirteen orphans that lack the pair."""

    rules_with = "orphans"

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        useful = super().useful_within(counts, called, reach)
        return frozenset({min(useful)}) if len(useful) == 13 and max(counts) == 1 else useful


class OrphansNeedTwelveForAPair(Wrong):
    """Takes only tiles still missing as useful for thirteen orphans, never the pair."""

    rules_with = "orphans"

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        useful = super().useful_within(counts, called, reach)
        orphans = next(t.of for t in self.forms if t.doubled)
        if called or sum(counts[k] > 0 for k in orphans) < 8:
            return useful
        return useful - {k for k in orphans if counts[k] == 1}


class OrphansNoWin(PairsNoWin):
    """Does not call thirteen orphans a win, although it counts how far they are."""

    rules_with = "orphans"
    is_absent: ClassVar = staticmethod(lambda template: template.doubled)


class KnittedForgotten(Wrong):
    """Does not know the hands of honours and knitted tiles."""

    rules_with = "knitted"

    def singles_missing(self, template: Template, numbers: Counts) -> int:
        return super().singles_missing(template, numbers) if template.doubled else FAR


class KnittedStraightForgotten(Wrong):
    """Does not know the knitted straight."""

    rules_with = "knitted"

    def templates(self) -> list[Template]:
        return [template for template in super().templates() if not any(template.fixed)]


class KnittedStraightInOneOrder(Wrong):
    """Knows the knitted straight for one order of the suits."""

    rules_with = "knitted"

    def templates(self) -> list[Template]:
        known = super().templates()
        return [t for t in known if not any(t.fixed)] + [t for t in known if any(t.fixed)][:1]


class KnittedInOneOrder(Wrong):
    """Knows honours and knitted tiles for one order of the suits."""

    rules_with = "knitted"

    def templates(self) -> list[Template]:
        known = super().templates()
        knitted = [t for t in known if t.distinct and not t.doubled]
        return [t for t in known if t not in knitted[1:]]


# Called melds, and hands before and after the draw.


class CalledMeldsNotCounted(Wrong):
    """Asks for all melds in the hand although some are called."""

    def missing(self, template: Template, parts: Sequence[Any], called: int) -> int:
        return super().missing(template, parts, 0)


class CalledMeldsCountedTwice(Wrong):
    """Subtracts called melds twice."""

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        called = template.melds - need
        return super().groups_missing(template, parts, max(0, need - called))


class OneCalledMeldNotCounted(Wrong):
    """Counts one called meld too few."""

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        return super().groups_missing(template, parts, need + (need < template.melds))


class FourCalledMeldsWin(Wrong):
    """Forgets the eye once all melds are called."""

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        return super().groups_missing(template, parts, need) if need else 0


class OnlyThreeCalledMelds(Wrong):
    """Counts at most three called melds."""

    def groups_missing(self, template: Template, parts: Sequence[Vector], need: int) -> int:
        return super().groups_missing(template, parts, max(need, template.melds - 3))


class CalledMeldsFromTheSize(Wrong):
    """Derives the called melds from the tiles as if each hand were one before the draw."""

    def _distance(self, ids: tuple[int, ...], called: int) -> int:
        return super()._distance(ids, self.derived)

    def _derive(self, counts: Counts, called: int) -> None:
        size = self.rules.size - 1
        self.derived = max(0, size - sum(counts)) // 3 if called else 0

    def distance(self, counts: Counts, called: int, reach: Reach) -> int:
        self._derive(counts, called)
        return super().distance(counts, called, reach)

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        self._derive(counts, called)
        return super().useful_within(counts, called, reach)


class BeforeTheDrawAsAfter(Wrong):
    """Gives the value after the best draw for a hand before its draw."""

    def deficiency(self, counts: Counts, called: int) -> int:
        value = super().deficiency(counts, called)
        return value - (sum(counts) < self.full_size(called) and value > 0)


class LastTileNotRead(Wrong):
    """Judges a hand after its draw without its last tile."""

    def deficiency(self, counts: Counts, called: int) -> int:
        if sum(counts) == self.full_size(called):
            last = max(kind for kind, held in enumerate(counts) if held)
            counts = (*counts[:last], counts[last] - 1, *counts[last + 1 :])
        return super().deficiency(counts, called)


class AnyTileDiscarded(Wrong):
    """Gives the value after a bad discard: that of the first tile."""

    def deficiency(self, counts: Counts, called: int) -> int:
        value = super().deficiency(counts, called)
        if sum(counts) == self.full_size(called) and value:
            first = next(kind for kind, held in enumerate(counts) if held)
            counts = (*counts[:first], counts[first] - 1, *counts[first + 1 :])
        return super().deficiency(counts, called)


class ReadyIsAWin(Wrong):
    """Calls a hand after its draw a win that is ready."""

    def win(self, counts: Counts, called: int) -> bool:
        is_full = sum(counts) == self.full_size(called)
        return is_full and self.deficiency(counts, called) <= 1


class WinBeforeTheDraw(Wrong):
    """Calls a hand before its draw a win that is ready."""

    def win(self, counts: Counts, called: int) -> bool:
        is_short = sum(counts) < self.full_size(called)
        return super().win(counts, called) or (is_short and self.deficiency(counts, called) == 1)


class WinIsShantenZero(Wrong):
    """Gives 0 as the shanten number of a win."""

    def shanten(self, counts: Counts, called: int) -> int:
        return max(0, super().shanten(counts, called))


class ShantenAsDeficiency(Wrong):
    """Gives the shanten number as the deficiency."""

    def answer(self, question: str, counts: Counts, called: int) -> Any:
        return super().answer("shanten" if question == "deficiency" else question, counts, called)


class AtMostSix(Wrong):
    """Never gives more than six as the shanten number."""

    rules_with = "far"

    def shanten(self, counts: Counts, called: int) -> int:
        return min(6, super().shanten(counts, called))


class FirstFormOnly(Wrong):
    """Takes the value of the first form that is at most ready, not the least one."""

    rules_with = "several"

    def least(self, values: list[int]) -> int:
        return next((value for value in values if value <= 1), min(values))


class LastFormWins(Wrong):
    """Prefers the second form where two forms differ by one."""

    rules_with = "several"

    def least(self, values: list[int]) -> int:
        first, second, *_ = values
        return second if second == first + 1 else min(values)


# Wins and decompositions.


class _GreedyWin(Wrong):
    """Finds a win by taking blocks from the lowest tile on, without going back."""

    order: ClassVar[tuple[int, ...]]  # sizes of the sets of kinds of the blocks to try first

    def win(self, counts: Counts, called: int) -> bool:
        if not super().win(counts, called):
            return False
        return any(
            not template.melds or any(template.fixed) or self.is_found(counts)
            for template in self.forms
            if self.has_splits(template, counts, called)
        )

    def is_found(self, counts: Counts) -> bool:
        return any(
            self.is_empty([n - 2 * (k == eye) for k, n in enumerate(counts)])
            for eye in self.eyes_tried(counts)
        )

    def eyes_tried(self, counts: Counts) -> list[int]:
        return [kind for kind, held in enumerate(counts) if held > 1]

    def is_empty(self, rest: list[int]) -> bool:
        runs = {
            part.start + run[0]
            for suit, part in zip(self.suits, self.slices, strict=True)
            for run in self.chows(suit)
        }
        for kinds in self.order:
            for kind in range(len(rest)):
                if kinds == 1 and rest[kind] > 2:
                    rest[kind] -= 3
                while kinds == 3 and kind in runs and min(rest[kind : kind + 3]) > 0:
                    for one in range(kind, kind + 3):
                        rest[one] -= 1
        return not any(rest)


class WinWithRunsFirst(_GreedyWin):
    """Takes all runs before the triplets when it looks for a win."""

    order = (3, 1)


class WinWithTripletsFirst(_GreedyWin):
    """Takes all triplets before the runs when it looks for a win."""

    order = (1, 3)


class WinWithTheFirstPair(_GreedyWin):
    """Tries only the lowest pair as the eye when it looks for a win."""

    def is_found(self, counts: Counts) -> bool:
        lowest = next(kind for kind, held in enumerate(counts) if held > 1)
        return any(
            (lowest, lowest) in split
            for called in range(self.rules.most_called + 1)
            if sum(counts) == self.full_size(called)
            for template in self.forms
            for split in self.splits(template, counts, called)
        )


class WinWithTheLastPair(WinWithTheFirstPair):
    """Tries only the highest pair as the eye when it looks for a win."""

    def is_found(self, counts: Counts) -> bool:
        highest = max(kind for kind, held in enumerate(counts) if held > 1)
        return any(
            (highest, highest) in split
            for called in range(self.rules.most_called + 1)
            if sum(counts) == self.full_size(called)
            for template in self.forms
            for split in self.splits(template, counts, called)
        )


class WinWithSoleTriplets(_GreedyWin):
    """Takes a tile held three times for a triplet, never for a run, when it looks for a win."""

    def is_found(self, counts: Counts) -> bool:
        tripled = {kind for kind, held in enumerate(counts) if held >= 3}
        return any(
            all((kind,) * 3 in split for kind in tripled)
            for called in range(self.rules.most_called + 1)
            if sum(counts) == self.full_size(called)
            for template in self.forms
            for split in self.splits(template, counts, called)
        )


class OneDecomposition(Wrong):
    """Ends at the first decomposition."""

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        return min(1, super().number_of(splits))


class TwoDecompositions(Wrong):
    """Finds at most two decompositions: with runs first, and with triplets first."""

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        return min(2, super().number_of(splits))


class DecompositionsWithOrder(Wrong):
    """Counts the orders of the blocks as different decompositions."""

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        return sum(
            factorial(len(split)) // prod(map(factorial, Counter(split).values()))
            for split in {tuple(sorted(split)) for split in splits}
        )


class TilesOfAKindDiffer(Wrong):
    """Counts a decomposition for each choice of equal tiles for the eye."""

    def decompositions(self, counts: Counts, called: int) -> int:
        self.counts = counts
        return super().decompositions(counts, called)

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        return sum(
            prod(comb(self.counts[block[0]], 2) for block in split if len(block) == 2)
            for split in {tuple(sorted(split)) for split in splits}
        )


class IdenticalBlocksOnce(Wrong):
    """Keeps a decomposition as a set of blocks, and those with a block twice only once."""

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        doubled = [split for split in splits if len(set(split)) < len(split)]
        number = super().number_of(splits)
        return number - max(0, super().number_of(doubled) - 1)


class OneEyeOfDecompositions(Wrong):
    """Counts the decompositions with one eye only."""

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        eyes = [min((b for b in split if len(b) == 2), default=()) for split in splits]
        return super().number_of(
            [split for split, eye in zip(splits, eyes, strict=True) if eye == min(eyes)]
        )


class AllRunsOrAllTriplets(Wrong):
    """Counts 111222333 only as three triplets, not as three runs."""

    def number_of(self, splits: list[tuple[Block, ...]]) -> int:
        kept = [split for split in splits if max(Counter(split).values()) < 3]
        return super().number_of(kept or splits)


class DecompositionsOfNoWin(Wrong):
    """Counts one decomposition of a hand that is not complete."""

    def decompositions(self, counts: Counts, called: int) -> int:
        return max(1, super().decompositions(counts, called))


# Useful tiles.


class OwnCopiesCounted(Wrong):
    """Counts four copies of each useful tile, also those in the hand."""

    def copies_of(self, kinds: Kinds, counts: Counts, unseen: Counts) -> int:
        return COPIES * len(kinds)


class KindsForCopies(Wrong):
    """Counts the kinds of useful tiles in place of their copies."""

    def copies_of(self, kinds: Kinds, counts: Counts, unseen: Counts) -> int:
        return len(kinds)


class OwnCopiesTwice(Wrong):
    """Subtracts the copies in the hand twice."""

    def ukeire(self, counts: Counts, called: int) -> int:
        return sum(max(0, COPIES - 2 * counts[kind]) for kind in self.useful(counts, called))


class OneCopyAlwaysSeen(Wrong):
    """Subtracts one copy of each kind of which the hand holds none."""

    def ukeire(self, counts: Counts, called: int) -> int:
        return sum(min(3, COPIES - counts[kind]) for kind in self.useful(counts, called))


class _OneForm(Wrong):
    """Judges useful tiles by some forms only."""

    rules_with = "pairs"

    def __init__(self, rules: RuleSet, base: Any = None) -> None:
        super().__init__(rules, base)
        self.parts = [Engine(replace(rules, forms=(form,))) for form in rules.forms]

    def allowed(self, called: int) -> list[Engine]:
        return [
            part
            for part in self.parts
            if any(self.allows(template, called) for template in part.forms)
        ]


class UsefulForAllForms(_OneForm):
    """Names the useful tiles of all forms, also of those that are farther."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        some = [part.useful_within(counts, called, reach) for part in self.allowed(called)]
        return frozenset().union(*some)


class UsefulForMeldsOnly(_OneForm):
    """Names the useful tiles of melds and an eye only."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        return self.parts[0].useful_within(counts, called, reach)


class UsefulForOneNearestForm(_OneForm):
    """Names the useful tiles of the first of two forms that are equally near."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        near = min(self.allowed(called), key=lambda part: part.distance(counts, called, reach))
        return near.useful_within(counts, called, reach)


class UsefulBesideTheHand(Wrong):
    """Tries only tiles at most two ranks from a tile of the hand."""

    def draws(self, counts: Counts, reach: Reach) -> list[int]:
        return [kind for kind in super().draws(counts, reach) if self.is_near(counts, kind, 2)]

    def is_near(self, counts: Counts, kind: int, most: int) -> bool:
        suit, place = self.places[kind]
        part = self.split(counts)[suit]
        if not self.suits[suit].has_chows:
            return part[place] > 0
        return any(part[max(0, place - most) : place + most + 1])


class UsefulNeighboursOnly(UsefulBesideTheHand):
    """Tries only tiles in the hand and their neighbours."""

    def draws(self, counts: Counts, reach: Reach) -> list[int]:
        return [kind for kind in Engine.draws(self, counts, reach) if self.is_near(counts, kind, 1)]


class UsefulWithoutHonours(Wrong):
    """Names no honours as useful."""

    rules_with = "honours"

    def draws(self, counts: Counts, reach: Reach) -> list[int]:
        known = super().draws(counts, reach)
        return [kind for kind in known if self.suits[self.places[kind][0]].letter != "z"]


class UsefulNotHeld(Wrong):
    """Names no tile of which the hand holds three as useful."""

    def draws(self, counts: Counts, reach: Reach) -> list[int]:
        return [kind for kind in super().draws(counts, reach) if counts[kind] != 3]


class UsefulForOneWin(Wrong):
    """Names the tiles of one nearest win only."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        needed: set[int] = set()
        useful = super().useful_within(counts, called, reach)
        while useful:
            kind = min(useful)
            needed.add(kind)
            counts = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
            useful = super().useful_within(counts, called, reach)
        return frozenset(needed)


class UsefulOfTheFirstSuit(Wrong):
    """Ends the search of useful tiles with the first suit in which one is found."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        useful = super().useful_within(counts, called, reach)
        first = min((self.places[kind][0] for kind in useful), default=0)
        return frozenset(kind for kind in useful if self.places[kind][0] == first)


class UsefulKeepsTheEye(Wrong):
    """Names no tile that makes the only pair of the hand a triplet."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        useful = super().useful_within(counts, called, reach)
        pairs = [kind for kind, held in enumerate(counts) if held == 2]
        return useful - set(pairs)


class UsefulPairOfLonelyTiles(Wrong):
    """Names no tile that only makes a pair of a lonely tile."""

    def useful_within(self, counts: Counts, called: int, reach: Reach) -> Kinds:
        useful = super().useful_within(counts, called, reach)
        return frozenset(kind for kind in useful if not self.is_lonely(counts, kind))

    def is_lonely(self, counts: Counts, kind: int) -> bool:
        suit, place = self.places[kind]
        part = self.split(counts)[suit]
        width = 2 if self.suits[suit].has_chows else 0
        return part[place] == sum(part[max(0, place - width) : place + width + 1]) == 1


# Discards.


class DrawnTileDiscarded(Wrong):
    """Always discards the last tile."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        return frozenset({max(kind for kind, held in enumerate(counts) if held)})


class FirstNearestDiscarded(Wrong):
    """Discards the first tile that keeps the deficiency, whatever is useful then."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        return frozenset({min(scores)})


class LastNearestDiscarded(Wrong):
    """Discards the last tile that keeps the deficiency, whatever is useful then."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        return frozenset({max(scores)})


class FewestUsefulLeft(Wrong):
    """Sorts the useful tiles left in the wrong direction."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        return super().choose({kind: -score for kind, score in scores.items()}, counts)


class MostKindsLeft(Wrong):
    """Compares discards by the kinds of useful tiles, not by their copies."""

    def score(self, counts: Counts, called: int, reach: Reach, unseen: Counts) -> float:
        return len(self.useful_within(counts, called, reach))


class UsefulBeforeDeficiency(Wrong):
    """Discards for the most useful tiles, however far the hand is then."""

    def nearest(self, distances: dict[int, int]) -> list[int]:
        return list(distances)


class HonoursDiscardedFirst(Wrong):
    """Discards a single honour first."""

    rules_with = "honours"

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        single = [
            kind
            for kind, held in enumerate(counts)
            if held == 1 and self.suits[self.places[kind][0]].letter == "z"
        ]
        return frozenset(single[:1]) or super().choose(scores, counts)


class PairsNeverDiscarded(Wrong):
    """Never discards a tile of a pair."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        some = {kind: score for kind, score in scores.items() if counts[kind] != 2}
        return super().choose(some or scores, counts)


class OuterTilesDiscardedFirst(Wrong):
    """Discards the outermost of the tiles that keep the deficiency."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        def distance(kind: int) -> float:
            suit, place = self.places[kind]
            middle = (len(self.suits[suit].ranks) - 1) / 2
            return abs(place - middle) if self.suits[suit].has_chows else FAR

        return frozenset({max(scores, key=distance)})


class DiscardsOfMeldsOnly(_OneForm):
    """Compares discards by four melds and an eye only."""

    def discard(self, counts: Counts, called: int) -> Kinds:
        if self.win(counts, called):
            return frozenset()
        return self.parts[0].discard(counts, called)


class AllNearestDiscards(Wrong):
    """Calls all discards that keep the deficiency equally good."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        return frozenset(scores)


class NoDiscardOfQuads(Wrong):
    """Never discards a tile of which the hand holds four."""

    def choose(self, scores: dict[int, float], counts: Counts) -> Kinds:
        some = {kind: score for kind, score in scores.items() if counts[kind] != COPIES}
        return super().choose(some or scores, counts)


# Counting melds and incomplete blocks, as most engines do.

Pattern = tuple[int, int, int]  # melds, incomplete blocks, 1 with an eye
Patterns = frozenset[Pattern]
NO_BLOCKS: Patterns = frozenset({(0, 0, 0)})


def formula(patterns: Patterns, need: int) -> int:
    """Return the missing tiles by the usual formula; at most as many blocks as melds count."""
    best = FAR
    for melds, others, eye in patterns:
        made = min(melds, need)
        best = min(best, 2 * need + 1 - 2 * made - min(others, need - made) - eye)
    return best


@lru_cache(maxsize=1 << 18)
def best_patterns(patterns: Patterns) -> Patterns:
    """Return the patterns that no other one exceeds."""
    return frozenset(
        one
        for one in patterns
        if not any(
            other != one and all(a >= b for a, b in zip(other, one, strict=True))
            for other in patterns
        )
    )


@lru_cache(maxsize=1 << 18)
def with_suit(first: Patterns, second: Patterns) -> Patterns:
    """Return the patterns of two suits together."""
    return best_patterns(
        frozenset((a + d, b + e, c + f) for a, b, c in first for d, e, f in second if c + f <= 1)
    )


Options = Iterator[tuple[Block, Pattern]]


class _CountsBlocks(Wrong):
    """Counts blocks. Its error is that of the count; four copies of a tile are respected.

    The value is the right one, and the difference between the wrong count and the right count.
    """

    rules_with = ""

    def __init__(self, rules: RuleSet, base: Any = None) -> None:
        super().__init__(rules, base)
        self._patterns: dict[Any, Patterns] = {}
        self._wrong: dict[Any, int] = {}

    def group_feature(self, template: Template, suit: int, held: Counts, reach: Counts) -> Any:
        vector = super().group_feature(template, suit, held, reach)
        if any(template.fixed):
            return vector, NO_BLOCKS, NO_BLOCKS
        if self.slices[suit].start not in template.kinds:
            held = (0,) * len(held)
        has_runs = bool(self.chows(self.suits[suit]))
        return vector, right_patterns(held, has_runs), self.patterns(held, has_runs)

    def groups_missing(self, template: Template, parts: Sequence[Any], need: int) -> int:
        exact = super().groups_missing(template, [part[0] for part in parts], need)
        if any(template.fixed):
            return exact
        right = wrong = NO_BLOCKS
        for _, of_right, of_wrong in parts:
            right, wrong = with_suit(right, of_right), self.together(wrong, of_wrong)
        return max(0, exact + self.formula(wrong, need) - formula(right, need))

    def together(self, first: Patterns, second: Patterns) -> Patterns:
        return with_suit(first, second)

    def formula(self, patterns: Patterns, need: int) -> int:
        return formula(patterns, need)

    def patterns(self, held: Counts, has_runs: bool) -> Patterns:
        key = (held, has_runs)
        if key not in self._patterns:
            self._patterns[key] = self.search(held, has_runs)
        return self._patterns[key]

    def search(self, held: Counts, has_runs: bool) -> Patterns:
        first = self.first(held)
        if first is None:
            return NO_BLOCKS
        found = set()
        for block, (melds, others, eye) in self.options(held, first, has_runs):
            rest = list(held)
            for place in block:
                rest[place] -= 1
            found |= {
                (m + melds, n + others, e + eye)
                for m, n, e in self.patterns(tuple(rest), has_runs)
                if e + eye <= 1
            }
        return self.keep(frozenset(found))

    def keep(self, patterns: Patterns) -> Patterns:
        return best_patterns(patterns)

    def first(self, held: Counts) -> int | None:
        return next((place for place, copies in enumerate(held) if copies), None)

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        return all_options(held, at, has_runs)


def all_options(held: Counts, at: int, has_runs: bool) -> Options:
    """Yield the blocks that can be taken with the lowest tile, and the tile alone."""
    one, two = (has_runs and at + n < len(held) and held[at + n] > 0 for n in (1, 2))
    if held[at] > 2:
        yield (at,) * 3, (1, 0, 0)
    if one and two:
        yield (at, at + 1, at + 2), (1, 0, 0)
    if held[at] > 1:
        yield (at, at), (0, 0, 1)
        yield (at, at), (0, 1, 0)
    if one:
        yield (at, at + 1), (0, 1, 0)
    if two:
        yield (at, at + 2), (0, 1, 0)
    yield (at,), (0, 0, 0)


@lru_cache(maxsize=1 << 20)
def right_patterns(held: Counts, has_runs: bool) -> Patterns:
    """Return the best patterns of a suit."""
    at = next((place for place, copies in enumerate(held) if copies), None)
    if at is None:
        return NO_BLOCKS
    found = set()
    for block, (melds, others, eye) in all_options(held, at, has_runs):
        rest = list(held)
        for place in block:
            rest[place] -= 1
        for m, n, e in right_patterns(tuple(rest), has_runs):
            if e + eye <= 1:
                found.add((m + melds, n + others, e + eye))
    return best_patterns(frozenset(found))


class TooManyBlocks(_CountsBlocks):
    """Counts all incomplete blocks, also more than there are melds to make."""

    def formula(self, patterns: Patterns, need: int) -> int:
        return min(2 * need + 1 - 2 * min(m, need) - n - e for m, n, e in patterns)


class EyeAmongFourBlocks(_CountsBlocks):
    """Counts at most four blocks with the eye."""

    def formula(self, patterns: Patterns, need: int) -> int:
        return min(
            2 * need + 1 - 2 * min(m, need) - min(n, max(0, need - min(m, need) - e)) - e
            for m, n, e in patterns
        )


class FiveBlocksWithoutAnEye(_CountsBlocks):
    """Counts five blocks without a pair as if one of them were the eye."""

    def formula(self, patterns: Patterns, need: int) -> int:
        return min(
            2 * need + 1 - 2 * min(m, need) - min(n, need - min(m, need) + (not e)) - e
            for m, n, e in patterns
        )


class TwoBlocksAtMost(_CountsBlocks):
    """Counts at most two incomplete blocks."""

    def formula(self, patterns: Patterns, need: int) -> int:
        return formula(frozenset((m, min(n, 2), e) for m, n, e in patterns), need)


class OnlyTheEyeAsPair(_CountsBlocks):
    """Counts a pair only as the eye, never as an incomplete triplet."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        for block, gain in all_options(held, at, has_runs):
            if block != (at, at) or gain[2]:
                yield block, gain


class PairCountedTwice(_CountsBlocks):
    """Counts the eye as an incomplete block too."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        for block, gain in all_options(held, at, has_runs):
            yield block, (0, 1, 1) if gain[2] else gain


class NoGaps(_CountsBlocks):
    """Overlooks incomplete runs with a gap, such as 1-3."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        return ((b, g) for b, g in all_options(held, at, has_runs) if b != (at, at + 2))


class NoEdges(_CountsBlocks):
    """Overlooks the incomplete runs 1-2 and 8-9."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        return ((b, g) for b, g in all_options(held, at, has_runs) if b not in ((0, 1), (7, 8)))


class NoNeighbours(_CountsBlocks):
    """Overlooks incomplete runs of neighbours, such as 4-5."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        return ((b, g) for b, g in all_options(held, at, has_runs) if b != (at, at + 1))


class MostMeldsInEachSuit(_CountsBlocks):
    """Takes the most melds of each suit first, then the most incomplete blocks."""

    def keep(self, patterns: Patterns) -> Patterns:
        return frozenset({max(patterns)})


class MostBlocksInEachSuit(_CountsBlocks):
    """Takes the most blocks of each suit, whether or not they are complete."""

    def keep(self, patterns: Patterns) -> Patterns:
        return frozenset({max(patterns, key=lambda p: (p[0] + p[1] + p[2], p))})


class RunsFirst(_CountsBlocks):
    """Takes every run before it looks at triplets and pairs."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        known = list(all_options(held, at, has_runs))
        runs = [(block, gain) for block, gain in known if len(set(block)) == 3]
        return iter(runs or known)


class TripletsFirst(_CountsBlocks):
    """Takes every triplet before it looks at runs and pairs."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        known = list(all_options(held, at, has_runs))
        triplets = [(block, gain) for block, gain in known if block == (at,) * 3]
        return iter(triplets or known)


class MeldsBeforeBlocks(_CountsBlocks):
    """Takes a meld with the lowest tile wherever there is one."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        known = list(all_options(held, at, has_runs))
        return iter([(block, gain) for block, gain in known if gain[0]] or known)


class PairFirst(_CountsBlocks):
    """Takes the first pair as the eye, whatever else it could be."""

    def patterns(self, held: Counts, has_runs: bool) -> Patterns:
        pair = next((place for place, copies in enumerate(held) if copies > 1), None)
        if pair is None:
            return right_patterns(held, has_runs)
        rest = right_patterns((*held[:pair], held[pair] - 2, *held[pair + 1 :]), has_runs)
        return best_patterns(frozenset((melds, others, 1) for melds, others, _ in rest))


class EyeOfTheFirstSuit(_CountsBlocks):
    """Takes the eye from the first suit that has a pair."""

    def together(self, first: Patterns, second: Patterns) -> Patterns:
        if any(eye for *_, eye in first):
            first = frozenset(pattern for pattern in first if pattern[2])
        return with_suit(first, second)


class NoTileLeftOut(_CountsBlocks):
    """Ends the search of a suit at a tile that fits no block."""

    def search(self, held: Counts, has_runs: bool) -> Patterns:
        first = self.first(held)
        if first is not None and [*self.options(held, first, has_runs)] == [((first,), (0, 0, 0))]:
            return NO_BLOCKS
        return super().search(held, has_runs)


class NeverLeftOut(_CountsBlocks):
    """Leaves a tile out only where it fits no block."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        known = list(all_options(held, at, has_runs))
        return iter(known[:-1] or known)


class TripletsNotSplit(_CountsBlocks):
    """Uses three of a kind only as a triplet."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        known = list(all_options(held, at, has_runs))
        return iter(known[:1] if held[at] == 3 else known)


class QuadAsTripletOnly(_CountsBlocks):
    """Uses four of a kind only as a triplet; the fourth tile is lost."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        return iter([((at,) * 4, (1, 0, 0))]) if held[at] == 4 else all_options(held, at, has_runs)


class QuadAsTwoPairsOfBlocks(_CountsBlocks):
    """Uses four of a kind as an eye and an incomplete triplet."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        if held[at] == 4:
            yield (at,) * 4, (1, 1, 0)
        yield from all_options(held, at, has_runs)


class RunsOfOneTileTwice(_CountsBlocks):
    """Uses the last tile of a run again for an incomplete block."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        for block, gain in all_options(held, at, has_runs):
            yield block, gain
            if len(set(block)) == 3:
                yield block[:2], gain


class NoRunsOfPairs(_CountsBlocks):
    """Takes a tile held twice for a pair, never for a run."""

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        known = list(all_options(held, at, has_runs))
        pairs = [(block, gain) for block, gain in known if block == (at, at)]
        return iter(pairs if held[at] == 2 else known)


class HonourPairsNotCounted(_CountsBlocks):
    """Counts no pairs of honours as incomplete blocks."""

    rules_with = "honours"

    def options(self, held: Counts, at: int, has_runs: bool) -> Options:
        for block, gain in all_options(held, at, has_runs):
            if has_runs or gain != (0, 1, 0):
                yield block, gain


class HighestTileFirst(_CountsBlocks):
    """Takes melds greedily from the highest tile on."""

    def search(self, held: Counts, has_runs: bool) -> Patterns:
        turned = held[::-1]
        first = self.first(turned)
        if first is None:
            return NO_BLOCKS
        known = list(all_options(turned, first, has_runs))
        found = set()
        for block, (melds, others, eye) in [o for o in known if o[1][0]][:1] or known:
            rest = list(turned)
            for place in block:
                rest[place] -= 1
            found |= {
                (m + melds, n + others, e + eye)
                for m, n, e in self.patterns(tuple(rest[::-1]), has_runs)
                if e + eye <= 1
            }
        return best_patterns(frozenset(found))


def wrong_engines(rules: RuleSet) -> list[type[Wrong]]:
    """Return the engines with faults that concern a rule set."""
    return [one for one in ALL if one.applies(rules)]


def _subclasses(kind: type[Wrong]) -> Iterator[type[Wrong]]:
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


ALL = sorted(
    {one for one in _subclasses(Wrong) if not one.__name__.startswith("_")},
    key=lambda one: one.name,
)
