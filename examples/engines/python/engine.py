"""An engine that answers each line of its standard input, a hand, with a line.

mjopt audit-engine --command "python engine.py" --ask win,shanten,useful,ukeire \
    --hands deals:1000 --tiles 136
"""

import sys
from functools import cache

# Tables have the least numbers of missing tiles: for 0..4 melds, then for as many and an eye.
FAR = 99
EYE = 5  # places from a table's entry to the one with an eye more
NO_TILES = [0, *[FAR] * 9]
BLOCKS = ((0, 0), (2, EYE), (3, 1))  # tiles of a kind, and places: nothing, an eye, a triplet
STEPS = [[n for n in range(10 - s) if n % EYE + s % EYE < EYE] for s in range(10)]
SUITS = {"m": (0, 9), "p": (9, 18), "s": (18, 27), "z": (27, 34)}
NAMES = [f"{n + 1}{suit}" for suit, (start, end) in SUITS.items() for n in range(end - start)]
ORPHANS = [0, 8, 9, 17, 18, *range(26, 34)]


def add(least, table, step, missing):
    """Lower the numbers of a table by those of another, more places on."""
    for place in STEPS[step]:
        least[place + step] = min(least[place + step], table[place] + missing)


@cache
def costs(suit, has_runs, before=0, earlier=0):
    """Return the table of a suit, the copies of its ranks.

    The first rank also gives a tile to each run that began one rank `before` or two `earlier`.
    """
    if not suit:
        return NO_TILES
    least = [FAR] * 10
    for runs in range(3 if has_runs and len(suit) > 2 else 1):  # three are three triplets
        rest = costs(suit[1:], has_runs, runs, before)
        for tiles, step in BLOCKS:
            copies = before + earlier + runs + tiles
            if copies <= 4:  # a complete hand has no fifth copy
                add(least, rest, runs + step, max(0, copies - suit[0]))
    return least


def standard(counts, called):
    """Return the number of missing tiles of melds and an eye."""
    total = NO_TILES
    for name, (start, end) in SUITS.items():
        least = [FAR] * 10
        for step, missing in enumerate(costs(tuple(counts[start:end]), name != "z")):
            add(least, total, step, missing)
        total = least
    return total[4 - called + EYE]


def deficiency(counts, called):
    """Return the number of missing tiles: 0 for a complete hand, the shanten number plus one."""
    least = standard(counts, called)
    if called:
        return least
    held = [copies for copies in counts if copies]  # four of a kind is one pair
    pairs = 14 - min(len(held), 7) - sum(copies > 1 for copies in held)
    ends = [counts[place] for place in ORPHANS if counts[place]]
    orphans = 14 - len(ends) - any(copies > 1 for copies in ends)
    return min(least, pairs, orphans)


def answer(line):
    """Return the answers about a hand: win, shanten, useful tiles, their copies."""
    hand, called = line.split()
    counts, ranks = [0] * 34, ""
    for letter in hand:
        if letter.isdigit():
            ranks += letter
            continue
        for rank in ranks:
            counts[NAMES.index(rank + letter)] += 1
        ranks = ""
    missing = deficiency(counts, int(called))
    useful = []
    for place in range(34):  # also right after the draw: an exchange draws one of these
        counts[place] += 1
        if deficiency(counts, int(called)) < missing:
            useful.append(place)
        counts[place] -= 1
    tiles = "".join(NAMES[place] for place in useful)
    copies = sum(4 - counts[place] for place in useful)
    return f"{int(missing == 0)}\t{missing - 1}\t{tiles}\t{copies}"


for line in sys.stdin:
    print(answer(line))
