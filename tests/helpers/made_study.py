"""Studies with random rows, written without a search."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from mjopt.studies.config import HandSet, StudyConfig
from mjopt.studies.method import Method
from mjopt.studies.study import Study
from mjopt.studies.study_files import (
    CONFIG,
    HANDS,
    Columns,
    TimedBlock,
    UnitRecord,
    merge_units,
    unit_store,
    write_certificate_seconds,
    write_parquet,
    write_unit,
)


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
    certificates: int | None = None,
    seed: int = 1,
    parameters: Mapping[str, dict[str, int]] | None = None,
) -> Study:
    """Write a study whose k-th method is right with probability 0.95 - 0.15 k.

    A method named ``tree...`` is deterministic and always right. Some values are below the
    deficiency, as the paper's cost can be. ``parameters`` are those of methods by label.
    """
    given = parameters or {}
    proved = hands if certificates is None else certificates
    config = StudyConfig(
        methods=tuple(
            Method(
                label=label,
                name=label.split("-")[0],
                parameters=given.get(label, {"population": 20, "generations": 50})
                if not label.startswith("tree")
                else {},
                is_random=not label.startswith("tree"),
                stream=label.split("-")[0],
            )
            for label in methods
        ),
        sets=tuple(
            HandSet(name=s, recipe=s, seed=0, num_hands=hands, certificates=proved) for s in sets
        ),
        runs=runs,
        seed=seed,
        early_stop=early_stop,
        sample=sample,
        curves=curves,
        version="0.1.0",
    )
    (folder / "hands").mkdir(parents=True)
    (folder / CONFIG).write_text(config.to_json())
    truths = {}
    for number, name in enumerate(sets):
        rng = np.random.default_rng([seed, number])
        truths[name] = rng.integers(0, 6, hands)
        columns = {
            "hand": np.arange(hands, dtype=np.int32),
            "text": np.array([f"{1 + i % 9}m" for i in range(hands)], dtype=object),
            "deficiency": truths[name].astype(np.int8),
            "num_elements": rng.integers(0, 30, hands).astype(np.int16),
            "num_kongs": rng.integers(0, 4, hands).astype(np.int8),
            "num_types": np.full(hands, number + 1, np.int8),
            "certified": np.ones(hands, dtype=np.bool_),
        }
        write_parquet(folder / "hands" / f"{name}.parquet", HANDS, [columns])
        seconds = np.where(np.arange(hands) < proved, rng.uniform(4e-4, 6e-4, hands), np.nan)
        write_certificate_seconds(folder, name, seconds)
    for number, unit in enumerate(config.units()):
        rng = np.random.default_rng([seed, 7, number])
        which, place = config.hand_numbers(unit), methods.index(unit.method)
        is_random = config.method(unit.method).is_random
        columns = {"hand": which[:0]}
        if unit.kind in ("rows", "sample"):
            columns = _rows(
                rng,
                which,
                truths[unit.hand_set],
                stop=unit.early_stop,
                chance=0.95 - 0.15 * place if is_random else 1.0,
                undershoot=undershoot if is_random else 0.0,
                budget=budget,
                generations=generations,
            )
        elif unit.kind == "curves":
            length = generations + 1 if is_random else 1
            drops = rng.integers(0, 2, (len(which), length)) * (np.arange(length) < 4)
            hand, generation = (index.ravel() for index in np.indices(drops.shape))
            columns = {
                "hand": which[hand],
                "generation": generation.astype(np.int32),
                "best": (9 - np.cumsum(drops, axis=1)).ravel().astype(np.int8),
            }
        per_hand = (1e-4 if unit.early_stop else 5e-4) * (1 + place) * rng.uniform(0.9, 1.1)
        values, numbers = np.unique(truths[unit.hand_set][which], return_counts=True)
        blocks = tuple(
            TimedBlock(value, number, number * per_hand)
            for value, number in zip(values.tolist(), numbers.tolist(), strict=True)
        )
        record = UnitRecord(unit, len(which), len(which) * per_hand, blocks)
        write_unit(unit_store(folder), record, columns)
    merge_units(folder, config)
    return Study(folder)


def _rows(
    rng: np.random.Generator,
    which: np.ndarray,
    truth: np.ndarray,
    *,
    stop: bool,
    chance: float,
    undershoot: float,
    budget: int,
    generations: int,
) -> Columns:
    size = len(which)
    hit = rng.random(size) < chance
    value = truth[which] + np.where(hit, 0, rng.integers(1, 3, size))
    value -= (rng.random(size) < undershoot) & hit & (value > 0)
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
