"""Files of hands in which one value is absent: its row is named and is no hand."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from adversarial.attack import Attack, Judge, Skipped, run_here, unruly

from mjopt import FULL, Hand

Row = dict[str, Any]
GONE = object()  # no key at all
NAN = float("nan")


def random_row(rng: random.Random, layout: str) -> Row:
    """Return a random hand as text, copies, names or columns, with called melds and a value."""
    called = rng.randrange(4)
    tiles = rng.sample(range(FULL.num_tiles), 14 - 3 * called)
    counts = np.bincount([tile // 4 for tile in tiles], minlength=FULL.num_kinds).tolist()
    hand = Hand.from_counts(counts, called=called)
    cells: dict[str, Any] = {
        "text": hand.to_text(),
        "copies": counts,
        "floats": [float(copies) for copies in counts],
        "names": [FULL.names[tile // 4] for tile in tiles],
    }
    held = dict(zip(FULL.names, counts, strict=True)) if layout == "columns" else {}
    return {**(held or {"hand": cells[layout]}), "called": called, "deficiency": 99}


def spoil(row: Row, rng: random.Random, absences: list[Any]) -> None:
    """Take one number, name or cell out of a row."""
    key = rng.choice([name for name in row if name != "deficiency"])
    absent = rng.choice(absences)
    if isinstance(row[key], list) and (absent is NAN or rng.random() < 0.8):
        row[key] = list(row[key])
        row[key][rng.randrange(len(row[key]))] = None if absent is GONE else absent
    elif absent is GONE:
        del row[key]
    else:
        row[key] = absent


def write_csv(path: Path, rows: list[Row]) -> None:
    lines = [rows[0].keys(), *(row.values() for row in rows)]
    path.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))


def write_jsonl(path: Path, rows: list[Row]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_parquet(path: Path, rows: list[Row]) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise Skipped("PyArrow is not installed") from None
    parquet.write_table(pa.table({key: [row[key] for row in rows] for key in rows[0]}), path)


Writer = Callable[[Path, list[Row]], None]
FORMS: dict[str, tuple[Writer, int, list[Any]]] = {
    "csv": (write_csv, 2, ["", " ", "nan", "null"]),
    "jsonl": (write_jsonl, 1, [None, GONE]),
    "parquet": (write_parquet, 0, [None]),
}
"""How each format is written, the number of its first row, and its kinds of absence."""

LAYOUTS = {
    "csv": ("text", "columns"),
    "jsonl": ("text", "copies", "floats", "names", "columns"),
    "parquet": ("text", "copies", "floats", "names", "columns"),
}


def absence(form: str, layout: str) -> Judge:
    write, first, absences = FORMS[form]

    def case(rng: random.Random, folder: Path) -> str | None:
        rows = [random_row(rng, layout) for _ in range(rng.randint(2, 5))]
        place = rng.randrange(1, len(rows))
        nan = [NAN] if (form, layout) == ("parquet", "floats") else []
        spoil(rows[place], rng, absences + nan)
        path = folder / f"hands.{form}"
        write(path, rows)
        unit = "row" if form == "parquet" else "line"
        name = f"{unit} {first + place}: "
        ran = run_here(["label", path.name])
        if ran.status != 2 or name not in ran.err:
            return f"label: status {ran.status}, {name}not named: {ran.err} {ran.out}"
        fault = unruly(ran)
        ran = run_here(["audit", path.name, "--json"])
        document = json.loads(ran.out)
        lines = [row["line"] for row in document["first_not_hands"]]
        if lines != [first + place] or document["wrong"] != len(rows) - 1:
            return f"audit: not hands in {lines}, {document['wrong']} of {len(rows) - 1} judged"
        return fault

    return case


def not_a_number(rng: random.Random, folder: Path) -> str | None:
    """A number of an array that is NaN."""
    held = list(random_row(rng, "columns").values())[: FULL.num_kinds]
    counts = np.array([held] * 3, np.float64)
    counts[rng.randrange(1, 3), rng.randrange(FULL.num_kinds)] = NAN
    np.save(folder / "hands.npy", counts)
    ran = run_here(["label", "hands.npy"])
    return unruly(ran) or (None if ran.status == 2 else f"status {ran.status}: {ran.out}")


KINDS: dict[str, Judge] = {
    f"{layout} in {form}": absence(form, layout) for form in FORMS for layout in LAYOUTS[form]
} | {"NaN in npy": not_a_number}
ATTACK = Attack("absent values", "files of hands in which one value is absent", KINDS)
