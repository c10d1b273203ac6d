"""Some rows of a dataset, picked at random."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mjopt.datasets.folder import read_manifest
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.reading import read_columns
from mjopt.errors import DatasetError
from mjopt.hands.hand import Hand


def sample_rows(
    folder: Path | str, number: int, *, rng: np.random.Generator, split: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield random rows, all equally likely and none twice, in the order they stand.

    Parameters
    ----------
    folder
        The dataset.
    number
        How many rows; all of them if there are fewer.
    rng
        Source of randomness.
    split
        Only from this split.

    Raises
    ------
    DatasetError
        If there is no dataset, or no such split.
    """
    where = Path(folder)
    manifest = read_manifest(where)
    plan = DatasetPlan.from_document(manifest["plan"], str(where))
    names = [name for name, _ in plan.splits]
    if split is not None and split not in names:
        raise DatasetError(f"split {split!r}, expected one of {', '.join(names)}")
    if number < 1:
        raise DatasetError(f"{number} rows, expected 1 or more")
    parts: list[tuple[str, list[str], int]] = []
    for name in names if split is None else [split]:
        for record in manifest["shards"]:
            files = [file for file in record["files"] if file["split"] == name]
            parts.append((name, [file["name"] for file in files], files[0]["rows"]))
    edges = np.cumsum([0, *(rows for _, _, rows in parts)])
    total = int(edges[-1])
    picked = np.sort(rng.choice(total, size=min(number, total), replace=False))
    columns = [column.name for column in plan.columns()]
    for (name, files, rows), first in zip(parts, edges.tolist(), strict=False):
        inside = picked[(picked >= first) & (picked < first + rows)] - first
        if not len(inside):
            continue
        begun = 0
        for values in read_columns(plan, where, files, columns):
            size = len(values["row"])
            for place in inside[(inside >= begun) & (inside < begun + size)] - begun:
                yield {"split": name, **_plain(plan, {n: v[place] for n, v in values.items()})}
            begun += size


def _plain(plan: DatasetPlan, values: dict[str, Any]) -> dict[str, Any]:
    """Return plain values: the hand as text, a set of kinds by name."""
    kinds = {column.name: column.kind for column in plan.columns()}
    names = plan.deal.tiles.names
    row: dict[str, Any] = {}
    for name, value in values.items():
        if name == "text":
            continue
        if name == "hand":
            hand = Hand.from_counts(value.tolist(), tiles=plan.deal.tiles, called=plan.called)
            row[name] = hand.to_text()
        elif kinds[name].startswith("uint"):
            row[name] = [kind for k, kind in enumerate(names) if int(value) >> k & 1]
        else:
            row[name] = value.item() if hasattr(value, "item") else value
    return row
