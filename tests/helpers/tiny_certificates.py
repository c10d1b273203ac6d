"""Certificates of win chances in small worlds, with single values changed."""

import copy
import json
from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import numpy as np
from reference_implementations.win_chance import World, certificate

from mjopt import TileSet
from mjopt.errors import CertificateError
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.proofs import Limits, verify_win_chance
from mjopt.proofs.limits import StepCounter
from mjopt.proofs.win_chance_file import WinChanceFile
from mjopt.proofs.win_chance_forms import FormDistances
from mjopt.proofs.win_chance_states import States

Document = dict[str, Any]
Path = tuple[Any, ...]
NONE = (0,) * 21
DOTS, REST = (0,) * 9, (0,) * 12  # before and after the first six of them
WORLDS = {
    "four tiles": World((1, 0, 0, 1, 0, 2, *NONE), 3, (2, 1, 1, 1, 1, 2, *NONE), 3, 0),
    "five tiles": World(
        (*DOTS, 1, 1, 2, 1, 0, 0, *REST), 3, (*DOTS, 1, 1, 0, 1, 1, 2, *REST), 3, 1
    ),
    # The largest numbers of copies of the last kinds, of which the keys of hands are made.
    "honours": World((0,) * 32 + (4, 4), 2, (0,) * 27 + (1, 0, 0, 0, 2, 0, 0), 2, 0),
    # Its first hand draws the second kind first.
    "one tile": World((1, *(0,) * 26), 4, (0, 2, 1, *(0,) * 24), 3, 1),
    "only wins": World((1, *(0,) * 26), 4, (2, *(0,) * 26), 2, 0),
    "two called": World((2, 1, 0, 1, *(0,) * 14, 3, *(0,) * 8), 2, (1, 1, 2, 1, *(0,) * 23), 2, 1),
}


@cache
def made(name: str, version: int) -> Document:
    weights = iter("3141592653589793238462643383279502884197" * 100)
    return certificate(WORLDS[name], weigh=(lambda: int(next(weights))) if version == 2 else None)


EACH = [(name, version) for name in WORLDS for version in (1, 2)]


def changed(document: Document, path: Path, value: Any) -> Document:
    """Return a copy with one value changed; a function gets the old value."""
    other = copy.deepcopy(document)
    place = reduce(lambda inner, key: inner[key], path[:-1], other)
    place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    return other


def message(document: Document, read: Callable[..., Any] = verify_win_chance, **limits: int) -> str:
    """Return why a certificate is refused, or an empty text."""
    try:
        read(json.dumps(document), Limits(**limits))
    except CertificateError as error:
        return str(error)
    return ""


def standard_forms(tiles: TileSet, called: int, limit: int = 0) -> FormDistances:
    """Return the standard form for the checker, with its limit."""
    counter = StepCounter(Limits(), "win chance")
    return FormDistances([[standard_template(tiles)]], (limit,), tiles, called, counter)


def states_of(file: WinChanceFile) -> States:
    """Return the states of a certificate."""
    counter = StepCounter(Limits(), "win chance")
    forms = FormDistances(file.templates, file.limits, file.tiles, file.called, counter)
    return States(file.states, np.array(file.hand), np.array(file.wall), file.size - 1, forms)
