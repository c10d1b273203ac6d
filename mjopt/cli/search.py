"""`mjopt search`: run one heuristic on one hand and compare it with the exact value."""

import secrets
from dataclasses import fields
from itertools import pairwise
from typing import Annotated

import numpy as np
from typer import BadParameter, Option

from mjopt.analysis.deficiency import deficiency
from mjopt.cli.options import HandText, Json
from mjopt.cli.output import as_text, print_json, value_text
from mjopt.cli.progress import waiting
from mjopt.cli.readers import WholeHandReader
from mjopt.hands.rules.classic_forms import UNREACHABLE
from mjopt.heuristics import NEVER, Result, read_method
from mjopt.heuristics.registry import cut_method
from mjopt.heuristics.runner import search
from mjopt.studies.search_beside_bound import Round, certified_search


def command(
    hand: HandText,
    *,
    method: Annotated[
        str,
        Option(
            help="A heuristic, such as ndde or ndde:population=50 (see mjopt methods), or "
            "FILE.py:CLASS."
        ),
    ] = "ndde",
    certify: Annotated[
        bool,
        Option(
            "--certify", help="Also raise a certified lower bound; stop when the cost meets it."
        ),
    ] = False,
    seed: Annotated[
        int | None, Option(help="Seed of the search. [default: random, and printed]")
    ] = None,
    reader: WholeHandReader,
    json: Json = False,
) -> None:
    """Search a hand with one heuristic: best cost, its progress, and the exact answer.

    Example: `mjopt search 11123456789999m --method ndde:repair=random --seed 1`
    """
    read = reader.hand(hand)
    _, heuristic = read_method(method)
    name = cut_method(method)[0] or heuristic.name
    if seed is None:
        seed = secrets.randbelow(2**32)
    if seed < 0:
        raise BadParameter(f"--seed {seed}: expected at least 0")
    rng = np.random.default_rng(seed)
    rounds: tuple[Round, ...] = ()
    with waiting("searching"):
        if certify:
            found = certified_search(heuristic, read, rng=rng, stop=NEVER)
            result, rounds, exact = found.result, found.rounds, found.certificate.deficiency
        else:
            exact = deficiency(read)
            result = search(heuristic, read, rng=rng, stop=NEVER, target=exact)
    parameters = {f.name: getattr(heuristic, f.name) for f in fields(heuristic)}  # type: ignore[arg-type]
    pieces = [piece.text(read.tiles) for piece in result.predecomposition.pieces]
    if json:
        print_json(
            {
                "hand": read.to_text(reader.notation),
                "method": name,
                "parameters": parameters,
                "seed": seed,
                "value": result.value,
                "predecomposition": pieces,
                "evaluations": result.evaluations,
                "generations": result.generations,
                "history": list(result.history),
                "stopped": result.stopped.name.lower(),
                "hit_evaluations": result.hit_evaluations,
                "hit_generation": result.hit_generation,
                "deficiency": _or_null(exact),
                **({"rounds": [_round_document(r) for r in rounds]} if certify else {}),
            }
        )
        return
    population_text = "".join(
        f", {key} {parameters[key]}" for key in ("population", "generations") if key in parameters
    )
    print(f"{as_text(read, reader.notation)}: {name}{population_text}, seed {seed}")
    print(f"best cost         {result.value}")
    print(f"predecomposition  {' '.join(pieces) or '-'}")
    print(f"history           {_history_text(result.history)}")
    print(f"evaluations       {result.evaluations} in {result.generations} generations")
    print(f"stopped           {result.stopped.words}")
    for number, best, bound in rounds:
        print(f"round {number:<11} cost {best}, proved at least {value_text(bound)}")
    source = "certified" if certify else "by the tables"
    print(f"deficiency        {value_text(exact)} {source}: {_compare_with(result, exact)}")


def _round_document(r: Round) -> dict[str, int | None]:
    return {"round": r.number, "cost": r.best, "at_least": _or_null(r.bound)}


def _or_null(value: int) -> int | None:
    return None if value == UNREACHABLE else value


def _history_text(history: tuple[int, ...]) -> str:
    """Format the generations in which the best cost decreased."""
    steps = [f"{history[0]}"]
    steps += [
        f"{now} (generation {g})"
        for g, (before, now) in enumerate(pairwise(history), start=1)
        if now < before
    ]
    return " -> ".join(steps)


def _compare_with(result: Result, exact: int) -> str:
    if exact == UNREACHABLE:
        return "the unseen tiles do not complete it; the search ignores that"
    if result.hit_evaluations is None:
        return f"not reached, {result.value - exact} above"
    where = f"reached at evaluation {result.hit_evaluations}"
    if result.value < exact:
        return f"{where}; Eq. 8 gives {exact - result.value} too few here"
    return where
