"""The forms of the Chinese official rules, beside PyMahjongGB if it is installed."""

import sys
from types import ModuleType

import numpy as np
import pytest

import mjopt
from mjopt.audits.packages.adapters import get_peer, mcr_answers
from mjopt.hands.tiles import FULL

FORMS = tuple(form for (form,) in get_peer("PyMahjongGB").choices)


def test_tiles_and_waits_are_translated(monkeypatch):
    """A stub that knows one hand stands for the package."""
    known = ("W1", "W4", "W7", "B2", "B5", "B8", "T3", "T6", "T9", "F1", "F1", "J3", "J3")

    def judge(hand: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        assert hand == known
        return 0, ("F1", "J3")

    package = ModuleType("MahjongGB")
    package.KnittedStraightShanten = judge  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "MahjongGB", package)
    text = "147m258p369s1155z"

    counts = mjopt.Hand.parse(text).counts
    assert mcr_answers(package, "mcr.knitted_straight")(counts) == (0, frozenset({27, 31}))
    find = get_peer("PyMahjongGB").finder(("mcr.knitted_straight",))
    assert find(counts) == 1 == mjopt.deficiency(text, forms="mcr.knitted_straight")


def near_hands(form: str, number: int, rng: np.random.Generator) -> np.ndarray:
    """Draw hands of 13 tiles: half of all tiles, half of a template and some others."""
    templates = mjopt.get_rules("mcr").forms[FORMS.index(form)].templates
    wall = np.repeat(np.arange(34), 4)
    rows = np.zeros((number, 34), np.uint8)
    for row in rows:
        template = templates[rng.integers(len(templates))]
        kinds = [kind for kind, copies in enumerate(template.fixed) for _ in range(copies)]
        kinds += rng.permutation(template.of)[: template.distinct].tolist()
        kept = kinds[: rng.integers(len(kinds) + 1)] if rng.random() < 0.5 else []
        left = wall.tolist()
        for kind in kept[:13]:
            left.remove(kind)
        np.add.at(row, [*kept[:13], *rng.permutation(left)[: 13 - len(kept[:13])]], 1)
    return rows


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_values_and_useful_tiles_of_100_000_hands(form):
    package = pytest.importorskip("MahjongGB")
    answer = mcr_answers(package, form)
    rows = near_hands(form, 100_000, np.random.default_rng(46))
    known = mjopt.get_rules("mcr").forms[FORMS.index(form)]
    ours = mjopt.useful_tiles_many(rows, tiles=FULL, forms=[known])

    wrong = 0
    for row, deficiency, useful in zip(rows, ours.deficiency, ours.useful, strict=True):
        shanten, waits = answer(row.tolist())
        waits = frozenset(kind for kind in waits if row[kind] < 4)
        wrong += (shanten + 1, waits) != (deficiency, frozenset(np.flatnonzero(useful).tolist()))
    assert wrong == 0
