"""Mutated win-chance certificates: every accepted claim must be true by brute force."""

import copy
import gzip
import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

from adversarial.attack import Attack, damaged
from adversarial.certificates import change_json, judged
from reference_implementations.win_chance import ONE, World, certificate, chance, tiny_worlds

from mjopt import Hand, optimal_play
from mjopt.analysis.formats import verify_files
from mjopt.errors import CertificateError
from mjopt.proofs.win_chance_check import VerifiedWinChance, verify_win_chance

Document = dict[str, Any]
AMOUNTS = (1, 2, 1000, ONE // 1000, ONE // 10)


@cache
def made(number: int = 24, draws: int = 4) -> tuple[Document, ...]:
    """Return certificates of tiny walls; every third one has a random policy."""
    rng = random.Random(7)
    return tuple(
        certificate(world, rng.choice if at % 3 == 0 else None, weigh=digit_of(rng, at % 2))
        for at, world in enumerate(islice(tiny_worlds(rng, draws), number))
    )


def digit_of(rng: random.Random, is_drawn: int) -> Callable[[], int] | None:
    """Return the source of the weights of version 2, or None for version 1."""
    return partial(rng.randrange, 10) if is_drawn else None


def tables(document: Document) -> list[Any]:
    """Return all lists with one entry per state, except the states."""
    found = [document["policy"], document.get("weights")]
    for name in ("upper", "lower"):
        numbers = document[name]
        found += numbers.values() if isinstance(numbers, dict) else [numbers]
    return [table for table in found if isinstance(table, list)]


cached_chance = cache(chance)


def false_claim(accepted: VerifiedWinChance) -> str | None:
    """Return a false statement of an accepted certificate, or None."""
    file = accepted.file
    if sum(file.wall) > 9 or sum(file.hand) not in (4, 5, 7, 8):
        return None  # too large for brute force
    world = World(file.hand, file.called, file.wall, file.draws, file.waste)
    for claim in file.claims:
        best = cached_chance(world, claim.discard, in_class=False)
        if claim.lower is not None and Fraction(claim.lower, ONE) > best:
            return f"{claim} of {world}: at most {float(best)}"
        if claim.upper is not None:
            is_any = accepted.is_unconditional
            best = best if is_any else cached_chance(world, claim.discard, in_class=True)
            if Fraction(claim.upper, ONE) < best:
                return f"{claim} of {world}: at least {float(best)}"
    return None


def fault(document: Document) -> str | None:
    """Return a false statement of an accepted certificate or a fault of its refusal, or None."""
    return judged(lambda: false_claim(verify_win_chance(json.dumps(document))))


def mutant(rng: random.Random, documents: tuple[Document, ...]) -> Document:
    """Change a certificate one or more times, in a chosen place or anywhere."""
    document = copy.deepcopy(rng.choice(documents))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if rng.random() < 0.2:
            document = change_json(document, rng)
            continue
        with suppress(LookupError, TypeError, ValueError, AttributeError):
            rng.choice(CHANGES)(document, rng)  # an earlier change may make this one impossible
    if rng.random() < 0.2:
        with suppress(LookupError, TypeError, ValueError, AttributeError):
            greedy(document, rng)
    return document


def claim_more(document: Document, rng: random.Random) -> None:
    claim = rng.choice(document["claims"])
    name, sign = rng.choice((("lower", 1), ("upper", -1)))
    claim[name] += sign * rng.choice(AMOUNTS)


def bound_more(document: Document, rng: random.Random) -> None:
    at = rng.randrange(len(document["states"]))
    left = rng.randrange(document["draws"] + 1)
    how = rng.randrange(3)
    upper = document["upper"]
    is_guided = isinstance(upper, dict)
    if how == 0:
        (upper["a"] if is_guided else upper)[at][left] -= rng.choice(AMOUNTS)
    elif how == 1:
        document["lower"]["a"][at][left] += rng.choice(AMOUNTS)
    else:
        is_charge = is_guided and rng.random() < 0.5
        losses = (upper if is_charge else document["lower"])["b"][at][left]
        kind = rng.choice([*losses, "0", "3"])
        losses[kind] = losses.get(kind, 0) - rng.choice(AMOUNTS) * (-1 if is_charge else 1)
        if rng.random() < 0.3:
            del losses[kind]


def claim_and_bound_more(document: Document, rng: random.Random) -> None:
    """Raise a claim and the numbers of its state together, without support."""
    claim = rng.choice(document["claims"])
    by = rng.choice(AMOUNTS)
    if rng.random() < 0.5:
        upper = document["upper"]
        claim["upper"] -= by
        (upper["a"] if isinstance(upper, dict) else upper)[claim["state"]][-1] -= by
    else:
        claim["lower"] += by
        document["lower"]["a"][claim["state"]][-1] += by


def other_move(document: Document, rng: random.Random) -> None:
    moves = rng.choice(rng.choice(document["policy"]))
    how = rng.randrange(4)
    if how == 0:
        del moves[rng.randrange(len(moves))]
    elif how == 1:
        moves.append([rng.randrange(6), -1, -1])
    elif how == 2:
        kinds, states = range(6), range(len(document["states"]))
        moves.append([rng.choice(kinds), rng.choice(kinds), rng.choice(states)])
    else:
        move = rng.choice(moves)
        move[rng.randrange(3)] = rng.choice((-1, 0, 1, 2, 3, len(document["states"]) - 1))


def same_moves(document: Document, rng: random.Random) -> None:
    row = rng.choice(document["policy"])
    row[rng.randrange(len(row))] = "same"


def without_state(document: Document, rng: random.Random) -> None:
    """Remove a state with every move to it, and renumber the others."""
    gone = rng.randrange(len(document["states"]))
    del document["states"][gone]
    for table in tables(document):
        del table[gone]
    for row in document["policy"]:
        for t, moves in enumerate(row):
            row[t] = [[*m[:2], m[2] - (m[2] > gone)] for m in moves if m[2] != gone]
    document["claims"] = [
        {**one, "state": one["state"] - (one["state"] > gone)}
        for one in document["claims"]
        if one["state"] != gone
    ]


def about_else(document: Document, rng: random.Random) -> None:
    """Claim the same numbers for another hand, wall, class or number of draws."""
    name = rng.choice(("wall", "wall", "hand", "draws", "waste", "deficiency", "called", "scale"))
    if name in ("wall", "hand"):
        counts = document[name]
        for by in rng.choice(((1,), (-1,), (1, -1))):
            counts[rng.randrange(7)] += by
    else:
        document[name] += rng.choice((-1, 1))
    if name == "draws":
        numbers = [table for table in tables(document) if table is not document.get("weights")]
        for row in (row for table in numbers for row in table):
            if document["draws"] < len(row):
                del row[rng.choice((0, -1))]
            else:
                row.insert(rng.randrange(len(row) + 1), row[-1])


def left_out(document: Document, rng: random.Random) -> None:
    """Omit numbers that the checker can derive, and change the claims."""
    document[rng.choice(("upper", "lower"))] = rng.choice(("recomputed", "recomputed", None))


def other_weights(document: Document, rng: random.Random) -> None:
    """Change the weights, which are arbitrary, and with them the numbers or the claims."""
    document["weights"] = [
        "".join(rng.choice("0123456789") for _ in row) for row in document["weights"]
    ]
    if rng.random() < 0.5:
        left_out(document, rng)


def other_version(document: Document, rng: random.Random) -> None:
    """Exchange versions 1 and 2."""
    if document["version"] == 1:
        document["weights"] = [rng.choice("0123456789") * len(s) for s in document["states"]]
        document["upper"] = "recomputed"
    else:
        del document["weights"]
        document["upper"] = rng.choice((document["upper"]["a"], "recomputed"))
    document["version"] = 3 - document["version"]


def other_claim(document: Document, rng: random.Random) -> None:
    one, two = rng.choice(document["claims"]), rng.choice(document["claims"])
    name = rng.choice(("state", "discard", "lower", "upper"))
    one[name], two[name] = two[name], one[name]


def other_class(document: Document, rng: random.Random) -> None:
    """Claim another waste for the same hands."""
    by = rng.choice((-1, 1))
    document["deficiency"] += by
    document["waste"] -= by


def greedy(document: Document, rng: random.Random) -> None:
    """Claim exactly the values that the checker's messages say it accepts."""
    document["upper"] = document["lower"] = "recomputed"
    for claim in document["claims"]:
        claim["lower"], claim["upper"] = ONE, 0
    for _ in range(2 * len(document["claims"])):
        try:
            verify_win_chance(json.dumps(document))
        except CertificateError as error:
            found = re.fullmatch(r"claims\[(\d+)\].(lower|upper): .* bound (-?\d+)", str(error))
            if found is None:
                return
            number, name, bound = found.groups()
            document["claims"][int(number)][name] = min(ONE, max(0, int(bound)))


def greedy_of_any_policy(document: Document, rng: random.Random) -> None:
    """Combine random moves, then claim everything that the checker accepts for them."""
    states = range(len(document["states"]))
    for at in rng.sample(states, min(len(states), 3)):
        drawn, move = rng.randrange(6), [-1, -1]
        if rng.random() < 0.5:
            move = [rng.randrange(6), rng.choice(states)]
        for t, moves in enumerate(document["policy"][at]):
            kept = [one for one in moves if one[0] != drawn]
            document["policy"][at][t] = [*kept, [drawn, *move]]
    greedy(document, rng)


def twice(document: Document, rng: random.Random) -> None:
    at = rng.randrange(len(document["states"]))
    document["states"].append(document["states"][at])
    for table in tables(document):
        table.append(copy.deepcopy(table[at]))


CHANGES: tuple[Callable[[Document, random.Random], None], ...] = (
    claim_more, bound_more, bound_more, claim_and_bound_more, other_move, other_move, same_moves,
    without_state, about_else, about_else, left_out, left_out, other_claim, twice, other_class,
    greedy, greedy_of_any_policy, other_weights, other_version,
)  # fmt: skip


@cache
def forged(number: int = 24, draws: int = 4) -> tuple[Document, ...]:
    """Return consistent numbers that omit a part of the losses or of the start."""
    rng, worlds = random.Random(9), tiny_worlds(random.Random(8), draws)
    return tuple(
        certificate(world, hidden=rng.choice((0.1, 0.5, 1, 1)), weigh=digit_of(rng, at % 4 // 2))
        if at % 2
        else certificate(world, rng.choice, given=rng.choice((1, 1 << 30, ONE // 3)))
        for at, world in enumerate(islice(worlds, number))
    )


def mutants(rng: random.Random, folder: Path) -> str | None:
    return fault(mutant(rng, made() + forged()))


def packed(rng: random.Random, folder: Path) -> str | None:
    """Change bytes before or after compression."""
    text = json.dumps(rng.choice(made())).encode()
    path = folder / "play.json.gz"
    is_before = rng.random() < 0.5
    content = gzip.compress(damaged(text, rng)[1] if is_before else text)
    path.write_bytes(content if is_before else damaged(content, rng)[1])
    [result] = verify_files([path])
    return None if len(result.message.splitlines()) == 1 else f"not one line: {result.message!r}"


def written(rng: random.Random, folder: Path) -> str | None:
    """The checker accepts what the package itself writes."""
    world = next(tiny_worlds(rng, draws=7))
    hand = Hand.from_counts(world.hand, called=world.called)
    play = optimal_play(hand, wall=world.wall, draws=world.draws, waste=world.waste)
    numbers = rng.random() < 0.5
    try:
        return false_claim(verify_win_chance(json.dumps(play.to_certificate(with_numbers=numbers))))
    except CertificateError as error:
        return f"refused our own certificate of {world}: {error}"


ATTACK = Attack(
    "play",
    "certificates of play and their mutants",
    {"mutants": mutants, "packed": packed, "written": written},
)
