"""Studies made up for tests: every file of a real one, rows drawn instead of searched."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mjopt.studies.plan import Plan, PlannedMethod, PlannedSet
from mjopt.studies.row_files import CURVES, HANDS, ROWS, TIMES, write_columns
from mjopt.studies.study import PLAN, Study, sample_of


def make_study(
    folder: Path,
    *,
    methods: Sequence[str] = ("ndde-20-50", "pso-20-50", "tree-search"),
    sets: Sequence[str] = ("one-type", "two-type-60"),
    hands: int = 60,
    runs: int = 4,
    early_stop: bool = False,
    sample: int = 20,
    curves: int = 3,
    budget: int = 1040,
    generations: int = 51,
    undershoot: float = 0.02,
    seed: int = 1,
) -> Study:
    """Write a study whose k-th method finds the truth with a chance of 0.95 - 0.15 k.

    A method named ``tree...`` draws nothing and is always right. Some values lie below
    the deficiency, as the paper's cost can.
    """
    planned = tuple(
        PlannedMethod(
            label=label,
            name=label.split("-")[0],
            parameters={} if label.startswith("tree") else {"population": 20, "generations": 50},
            is_random=not label.startswith("tree"),
            stream=label.split("-")[0],
        )
        for label in methods
    )
    plan = Plan(
        methods=planned,
        sets=tuple(PlannedSet(name=s, recipe=s, seed=0, num_hands=hands) for s in sets),
        runs=runs,
        seed=seed,
        early_stop=early_stop,
        sample=sample,
        curves=curves,
        version="0.1.0",
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PLAN).write_text(plan.to_json())
    study = Study(folder)
    for number, name in enumerate(sets):
        rng = np.random.default_rng([seed, number])
        truth = rng.integers(0, 6, hands)
        _write(
            study.path("hands", name),
            HANDS,
            {
                "hand": np.arange(hands, dtype=np.int32),
                "text": np.array([f"{1 + i % 9}m" for i in range(hands)], dtype=object),
                "deficiency": truth.astype(np.int8),
                "num_elements": rng.integers(0, 30, hands).astype(np.int16),
                "num_kongs": rng.integers(0, 4, hands).astype(np.int8),
                "num_types": np.full(hands, number + 1, np.int8),
                "certified": np.ones(hands, dtype=np.bool_),
            },
        )
        for place, method in enumerate(planned):
            chance = 0.95 - 0.15 * place if method.is_random else 1.0
            below = undershoot if method.is_random else 0.0

            def rows(
                which: np.ndarray, stop: bool, chance=chance, below=below, rng=rng, truth=truth
            ):
                size = len(which)
                hit = rng.random(size) < chance
                value = truth[which] + np.where(hit, 0, rng.integers(1, 3, size))
                value -= (rng.random(size) < below) & hit & (value > 0)
                at = rng.integers(0, generations, size)
                spent = 20 + 20 * at
                return {
                    "hand": which.astype(np.int32),
                    "value": value.astype(np.int8),
                    "evaluations": np.where(hit & stop, spent, budget).astype(np.int32),
                    "generations": np.where(hit & stop, at, generations).astype(np.int32),
                    "hit_evaluations": np.where(hit, spent, -1).astype(np.int32),
                    "hit_generation": np.where(hit, at, -1).astype(np.int32),
                    "stopped": np.where(hit & stop, 3, 0).astype(np.int8),
                }

            def times(size: int, stop: bool, rng=rng, place=place):
                blocks = [(0, size // 2), (size // 2, size - size // 2)]
                per_hand = (1e-4 if stop else 5e-4) * (1 + place)
                return {
                    "first_hand": np.array([first for first, _ in blocks], dtype=np.int32),
                    "hands": np.array([length for _, length in blocks], dtype=np.int32),
                    "stop_at_target": np.full(2, stop),
                    "seconds": np.array(
                        [length * per_hand * rng.uniform(0.9, 1.1) for _, length in blocks]
                    ),
                }

            everyone, stops = np.arange(hands), plan.stops_early(method)
            for run in range(plan.num_runs(method)):
                path = study.path("rows", name, method.label, run)
                _write(path, ROWS, rows(everyone, stops))
                _write(study.path("times", name, method.label, run), TIMES, times(hands, stops))
            if sample:
                some = sample_of(hands, sample)
                for run in range(plan.num_runs(method), plan.num_timed(method)):
                    path = study.path("times", name, method.label, run)
                    _write(path, TIMES, times(len(some), stops))
                path = study.path("sample", name, method.label)
                _write(path, ROWS, rows(some, not stops))
                path = study.path("sample times", name, method.label)
                _write(path, TIMES, times(len(some), not stops))
            if curves:
                length = generations + 1 if method.is_random else 1
                shape = (plan.num_runs(method), min(curves, hands), length)
                runs_, hands_, at_ = (index.ravel() for index in np.indices(shape))
                drops = rng.integers(0, 2, shape) * (np.arange(length) < 4)
                best = 9 - np.cumsum(drops, axis=2)
                _write(
                    study.path("curves", name, method.label),
                    CURVES,
                    {
                        "run": runs_.astype(np.int16),
                        "hand": hands_.astype(np.int32),
                        "generation": at_.astype(np.int32),
                        "best": best.ravel().astype(np.int8),
                    },
                )
    return study


def _write(path: Path, schema: dict[str, str], columns: dict[str, np.ndarray]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_columns(path, schema, columns)
