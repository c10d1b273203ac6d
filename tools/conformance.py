"""Choose the hands of the conformance suite: `python -m tools.conformance [RULES...]`.

Each wrong engine of `tests/audits/wrong_engines.py` must disagree with at least ten hands, or with
five where so few are found. A few hundred chosen hands do that; hands of all kinds follow, evenly
spread. `--measure` compares the suite with random deals of the same number.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from mjopt._internal.files import sha256_of
from mjopt.audits.conformance import HANDS, VERSION, read_hands, suite_files
from mjopt.hands.hand import Hand
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.rules.template import Template
from mjopt.hands.tiles import COPIES
from tests.audits.right_engine import Counts, Engine
from tests.audits.wrong_engines import Wrong, wrong_engines

FOLDER: Final = Path(__file__).parents[1] / "conformance"
NUMBER: Final = 2000  # hands of a suite
LEAST: Final = 5  # hands that find each fault
WANTED: Final = 10  # hands that find each fault, if so many candidates do
POOL: Final = 2000  # candidates judged by all wrong engines
MORE: Final = 5000  # further candidates for faults that too few of the first find
ENOUGH: Final = 25  # candidates that find a fault
SEED: Final = 58
SEEDS: Final = 20  # random samples of `--measure`

Dealt = tuple[Counts, int]  # copies per kind, and called melds
Rng = random.Random


class Dealer:
    """Deals random hands of a rule set of many kinds."""

    def __init__(self, rules: RuleSet, seed: int | str) -> None:
        self.rules, self.rng = rules, random.Random(f"{rules.name} {seed}")
        self.engine = Engine(rules)

    def deal(self, kinds: Sequence[int], called: int, size: int | None = None) -> Dealt | None:
        """Deal a hand from all tiles of some kinds."""
        wall = [kind for kind in kinds for _ in range(COPIES)]
        size = self.size(called) if size is None else size
        if len(wall) < size:
            return None
        held = Counter(self.rng.sample(wall, size))
        return tuple(held[kind] for kind in range(self.rules.tiles.num_kinds)), called

    def size(self, called: int) -> int:
        """Return the tiles of a hand before or after its draw."""
        return self.rules.size - 3 * called - self.rng.randrange(2)

    def called(self) -> int:
        """Return a number of called melds, half of the time none."""
        most = self.rules.most_called
        return self.rng.randint(1, most) if self.rng.random() < 0.5 else 0

    def random_deal(self) -> Dealt | None:
        """Deal any hand, all deals of its size equally likely."""
        return self.deal(range(self.rules.tiles.num_kinds), self.called())

    def few_kinds(self) -> Dealt | None:
        """Deal a hand of few kinds, many of them held three or four times."""
        kinds = range(self.rules.tiles.num_kinds)
        return self.deal(self.rng.sample(kinds, self.rng.randint(5, 12)), self.called())

    def one_suit(self) -> Dealt | None:
        """Deal a hand of one suit and a few other tiles."""
        part = self.rng.choice(self.rules.tiles.slices)
        kinds = {*range(part.start, part.stop)}
        kinds |= {*self.rng.sample(range(self.rules.tiles.num_kinds), self.rng.randrange(4))}
        return self.deal(sorted(kinds), self.called())

    def near_a_win(self) -> Dealt | None:
        """Build a win of a random form and exchange a few tiles."""
        forms = self.rules.forms if self.rng.random() < 0.5 else self.rules.forms[:1]
        template = self.rng.choice(self.rng.choice(forms).templates)
        called = min(self.called(), template.melds or self.rules.most_called)
        parts = self.parts(template, called)
        if not parts:  # of suits that the template leaves out
            return None
        held = [0] * self.rules.tiles.num_kinds
        for kind in parts:
            held[kind] += 1
        size = self.size(called)
        for _ in range(self.rng.choice((0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5))):
            self.remove(held)
            self.add(held)
        while sum(held) > size:
            self.remove(held)
        while sum(held) < size:
            self.add(held)
        return (tuple(held), called) if max(held) <= COPIES else None

    def remove(self, held: list[int]) -> None:
        """Remove a kind's tile."""
        held[self.rng.choice([kind for kind, copies in enumerate(held) if copies])] -= 1

    def add(self, held: list[int]) -> None:
        """Add a tile: one beside the hand's, one of its own, or any."""
        kinds = range(len(held))
        near = [k for k in kinds if any(held[max(0, k - 1) : k + 2])]
        own = [k for k in kinds if held[k]]
        free = [k for k in self.rng.choice((near, own, kinds)) if held[k] < COPIES]
        if free:
            held[self.rng.choice(free)] += 1

    def parts(self, template: Template, called: int) -> list[int]:
        """Return the tiles of a win without the called melds."""
        rng = self.rng
        if template.pairs:
            kinds = rng.choices if rng.random() < 0.3 else rng.sample
            return [kind for kind in kinds(template.kinds, k=template.pairs) for _ in "ab"]
        if template.distinct:
            kinds = rng.sample(template.of, template.distinct)
            return kinds + kinds[: template.doubled]
        tiles = [kind for kind, copies in enumerate(template.fixed) for _ in range(copies)]
        melds, eyes = [], []
        parts = range(len(self.rules.tiles.suits))
        for suit in rng.sample(parts, rng.choice((1, 2, len(parts)))):
            start = self.rules.tiles.slices[suit].start
            known = self.engine.blocks_of(template, suit)
            for blocks, some in zip((melds, eyes), known, strict=True):
                blocks += [tuple(start + place for place in block) for block in some]
        if rng.random() < 0.5 and len(melds) > 8:  # blocks that share their tiles
            low = min(rng.choice(melds))
            width = rng.randint(3, 5)
            near = [block for block in melds if set(block) <= {*range(low, low + width)}]
            melds = rng.sample(near, min(len(near), rng.randint(2, 5)))
        need, is_doubled = template.melds - called, rng.random() < 0.25
        found = tiles
        for _ in range(100):
            if is_doubled:  # such as 112233m445566p, which can be seven pairs too
                runs = [block for block in melds if len(set(block)) == 3]
                blocks = (need * rng.sample(runs, min(2, len(runs))))[:need]
            else:
                blocks = rng.choices(melds, k=need) if melds else []
            blocks += rng.choices(eyes, k=template.eyes) if eyes else []
            found = tiles + [kind for block in blocks for kind in block]
            if found and max(Counter(found).values()) <= COPIES:
                break
        return found

    def candidates(self) -> Iterator[Dealt]:
        """Yield different hands of all kinds."""
        ways: tuple[Callable[[], Dealt | None], ...] = (
            *(self.random_deal, self.few_kinds, self.one_suit),
            *(self.near_a_win,) * 5,
        )
        seen = set()
        while True:
            hand = self.rng.choice(ways)()
            if hand and hand not in seen:
                seen.add(hand)
                yield hand


def judge(
    rules: RuleSet, hands: Sequence[Dealt], faults: Iterable[type[Wrong]], enough: int = ENOUGH
) -> dict[str, np.ndarray]:
    """Return for each fault which hands find it, up to the one after which enough do."""
    base = Engine(rules)
    right = [base.answers(*hand) for hand in hands]
    found = {fault.name: np.zeros(len(hands), np.bool_) for fault in faults}
    for fault in faults:
        engine, row = fault(rules, base), found[fault.name]
        for place, (hand, answers) in enumerate(zip(hands, right, strict=True)):
            row[place] = engine.first_error(answers, *hand) is not None
            if row[place] and row.sum() == enough:
                break
    return found


def cover(found: dict[str, np.ndarray], wanted: int) -> list[int]:
    """Return few hands such that each fault is found by as many as wanted, if there are."""
    matrix = np.array(list(found.values()))
    missing = np.minimum(matrix.sum(axis=1), wanted)
    chosen: list[int] = []
    while missing.any():
        gain = matrix[missing > 0].sum(axis=0)
        gain[chosen] = 0
        chosen.append(int(gain.argmax()))
        missing -= matrix[:, chosen[-1]] & (missing > 0)
    return chosen


def choose(rules: RuleSet) -> tuple[list[Dealt], int]:
    """Return the hands of the suite, and how many of them find all faults."""
    faults = wrong_engines(rules)
    candidates = Dealer(rules, SEED).candidates()
    hands = list(islice(candidates, POOL))
    found = judge(rules, hands, faults)
    rare = [fault for fault in faults if found[fault.name].sum() < WANTED]
    others = list(islice(candidates, MORE)) if rare else []
    of_others = judge(rules, others, rare)
    finds = [place for place in range(len(others)) if any(row[place] for row in of_others.values())]
    added = [others[place] for place in finds]
    of_added = judge(rules, added, faults)
    hands += added
    found = {name: np.concatenate([row, of_added[name]]) for name, row in found.items()}
    for name, row in found.items():
        if row.sum() < LEAST:
            print(f"{rules.name}: {name} is found by {row.sum()} hands")
    chosen = cover(found, WANTED)
    return [hands[place] for place in chosen + fill(rules, hands, chosen)], len(chosen)


def fill(rules: RuleSet, hands: list[Dealt], chosen: list[int]) -> list[int]:
    """Return further hands up to ``NUMBER``, evenly from all sizes, called melds and values."""
    engine, groups = Engine(rules), defaultdict(list)
    for place in sorted(set(range(len(hands))) - set(chosen)):
        counts, called = hands[place]
        is_full = sum(counts) == engine.full_size(called)
        groups[called, is_full, engine.deficiency(counts, called)].append(place)
    turns = chain.from_iterable(zip_all(groups[key] for key in sorted(groups)))
    return list(islice(turns, max(0, NUMBER - len(chosen))))


def zip_all(rows: Iterable[list[int]]) -> Iterator[list[int]]:
    """Yield the first of each row, then the second of each that has one, and so on."""
    known = list(rows)
    for place in range(max(map(len, known))):
        yield [row[place] for row in known if place < len(row)]


def write(rules: RuleSet, hands: Iterable[Dealt]) -> None:
    """Write the hands into the package, one in a line, with the number of called melds."""
    lines = []
    for counts, called in hands:
        hand = Hand.from_counts(counts, called=called, rules=rules)
        lines.append(f"{hand.to_text()} {called}" if called else hand.to_text())
    HANDS.mkdir(exist_ok=True)
    (HANDS / f"{rules.name}.txt").write_text("\n".join(lines) + "\n")


def publish() -> None:
    """Write the answers for all hands of the package into the folder of the repository."""
    FOLDER.mkdir(exist_ok=True)
    files = {name: data for rules in RULE_SETS for name, data in suite_files(rules).items()}
    sums = "".join(f"{sha256_of(data)}  {name}\n" for name, data in files.items())
    for name, data in {**files, "SHA256SUMS": sums.encode(), "VERSION": b"%d\n" % VERSION}.items():
        (FOLDER / name).write_bytes(data)


def finds(
    rules: RuleSet, hands: Sequence[Dealt], faults: Iterable[type[Wrong]]
) -> dict[str, list[int]]:
    """Return the places of the first ``LEAST`` hands that find each fault."""
    found = judge(rules, hands, faults, enough=LEAST)
    return {name: np.flatnonzero(row).tolist() for name, row in found.items()}


def suite(rules: RuleSet) -> list[Dealt]:
    """Return the hands of the suite."""
    return [(hand.counts, hand.called) for hand in read_hands(rules.name)]


def measure(rules: RuleSet, seeds: int = SEEDS) -> dict[str, Any]:
    """Compare the suite with random deals, half of them after the draw, half with called melds."""
    faults, hands = wrong_engines(rules), suite(rules)
    of_suite = finds(rules, hands, faults)
    samples = []
    for seed in range(seeds):
        dealer = Dealer(rules, f"sample {seed}")
        deals = [dealer.random_deal() for _ in range(NUMBER)]
        samples.append(finds(rules, [deal for deal in deals if deal], faults))
        print(f"sample {seed}: {number_found(samples[-1])} found", flush=True)
    needed = {}
    for fault in faults:
        stream = [NUMBER * n + place for n, one in enumerate(samples) for place in one[fault.name]]
        needed[fault.name] = stream[LEAST - 1] + 1 if len(stream) >= LEAST else None
    return {
        "rules": rules.name,
        "hands": len(hands),
        "faults": len(faults),
        "found_by_the_suite": number_found(of_suite),
        "last_hand_needed": max(places[-1] + 1 for places in of_suite.values()),
        "found_by_random_samples": [number_found(sample) for sample in samples],
        "random_hands_needed": dict(sorted(needed.items(), key=lambda item: item[1] or 10**9)),
    }


def number_found(found: dict[str, list[int]]) -> int:
    """Return how many faults are found by at least ``LEAST`` hands."""
    return sum(len(places) >= LEAST for places in found.values())


def main() -> None:
    """Choose and write the hands, or measure them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", default=RULE_SETS)
    parser.add_argument("--measure", action="store_true", help="compare with random deals")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="random samples to compare with")
    given = parser.parse_args()
    for name in given.rules:
        rules = get_rules(name)
        if given.measure:
            print(json.dumps(measure(rules, given.seeds), indent=1))
            continue
        hands, number = choose(rules)
        write(rules, hands)
        print(f"{name}: {len(hands)} hands, of which {number} find all faults", flush=True)
    if not given.measure:
        publish()


if __name__ == "__main__":
    main()
