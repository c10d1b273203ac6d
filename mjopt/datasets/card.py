"""The dataset card: a README for people and the Hugging Face library."""

import json
import shlex
from typing import Final

from mjopt._internal.sanitize import MESSAGE, shorten
from mjopt.datasets.labels.base import PER_KIND
from mjopt.datasets.labels.registry import BUILTIN
from mjopt.datasets.manifest import DATA
from mjopt.datasets.plan import DatasetPlan
from mjopt.datasets.recipes.registry import RECIPES
from mjopt.hands.rules.document import rules_digest
from mjopt.hands.rules.rule_file import RULE_SETS
from mjopt.hands.symmetry import find_symmetry

CARD: Final = "README.md"
NO_TEXT: Final = "-text"
"""The word in ``--labels`` that leaves out the column with the hands as text."""

# Size categories from a thousand on, in factors of ten.
_SIZES: Final = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")


def _size_category(rows: int) -> str:
    """Return the size category of the Hugging Face Hub.

    Examples
    --------
    >>> _size_category(118_800), _size_category(10**12)
    ('100K<n<1M', 'n>1T')
    """
    at = next((i for i in range(len(_SIZES)) if rows < 10 ** (i + 3)), None)
    if at is None:
        return f"n>{_SIZES[-1]}"
    return f"{_SIZES[at - 1]}<n<{_SIZES[at]}" if at else f"n<{_SIZES[0]}"


def _header(
    plans: list[tuple[str, str, DatasetPlan]], num_rows: int, licence: list[str]
) -> list[str]:
    """Return the YAML header: configurations as (name, folder, plan)."""
    lines = [
        "---",
        "pretty_name: " + json.dumps("Mahjong hands: " + ", ".join(p.recipe for _, _, p in plans)),
        *licence,
        "task_categories:",
        "- tabular-classification",
        "tags:",
        "- mahjong",
        "- combinatorial-optimization",
        "size_categories:",
        f"- {_size_category(num_rows)}",
    ]
    lines.append("configs:")
    for number, (name, folder, plan) in enumerate(plans):
        lines += [f"- config_name: {name}"]
        lines += ["  default: true"] if len(plans) > 1 and number == 0 else []
        lines += ["  data_files:"]
        for split, _ in plan.splits:
            path = f"{folder}{DATA}/{split}-*.parquet"
            lines += [f"  - split: {split}", f"    path: {json.dumps(path)}"]
    return [*lines, "---"]


def card_text(plan: DatasetPlan, rows: dict[str, int], licence: list[str]) -> str:
    """Return the card of a dataset.

    ``rows`` has the number of rows of each split; ``licence`` the lines of the header about it.
    """
    deal, num_rows = plan.deal, sum(rows.values())
    described = RECIPES.get(plan.recipe.partition(":")[0], f"{plan.recipe}: hands of a user's code")
    word, _, rest = described.partition(": ")
    melds = f", {plan.called} melds called" if plan.called else ""
    lines = [
        *_header([("default", "", plan)], num_rows, licence),
        "",
        f"# Mahjong hands: `{plan.recipe}`",
        "",
        f"{num_rows:,} hands of {deal.num_tiles} tiles from {deal.tiles.name} "
        f"({deal.tiles.num_tiles} tiles{melds}), with labels that can be checked.",
        "",
        f"- Recipe `{word}`: {rest}. Seed {plan.seed}.",
        *_rules_lines(plan),
        f"- Labels by `{plan.engine}`.",
        *_making(plan),
    ]
    if plan.where:
        lines.append(
            f"- Only hands that the filter `{plan.where}` keeps, of {plan.num_rows:,}; `row` is "
            "the number of the hand before the filter."
        )
    if plan.checked:
        lines.append(
            f"- {plan.checked} random rows of each of {plan.num_shards} shards were labelled "
            "again by a second method during the build; deficiencies were certified."
        )
    if len(plan.splits) > 1:
        same = "suits in any order, each suit or its mirror, honours in any order"
        if plan.rules is not None:
            same = find_symmetry(plan.rules).describe(deal.tiles)
        lines.append(
            f"- Splits are by canonical hand ({same}): equivalent hands never lie in two splits."
        )
    if plan.is_weighted:
        lines.append(
            "- Hands are drawn by deficiency; statistics weighted by `weight` are those of "
            "uniform deals."
        )
    lines += ["", "| split | rows |", "|---|---:|"]
    lines += [f"| {split} | {number:,} |" for split, number in rows.items()]
    lines += ["", "| column | type | meaning |", "|---|---|---|"]
    for column in plan.columns():
        entry = PER_KIND.get(column.kind)
        kind = f"{entry}[{deal.tiles.num_kinds}]" if entry else column.kind
        lines.append(f"| `{column.name}` | {kind} | {column.meaning} |")
    lines += ["", f"Kinds in order: {' '.join(deal.tiles.names)}.", "", _reading(plan)]
    return "\n".join(lines) + "\n"


def _rules_lines(plan: DatasetPlan) -> list[str]:
    """Return the lines about the rule set, which the dataset holds."""
    rules = plan.rules
    if rules is None:
        return []
    return [
        f"- Rules `{rules.name}` ({shorten(rules.title, MESSAGE)}), with the winning forms "
        f"{', '.join(f'`{form}`' for form in rules.forms)}: `manifest.json` holds their "
        f"definition, SHA-256 `{rules_digest(rules)}` without the title."
    ]


def _making(plan: DatasetPlan) -> list[str]:
    """Return the commands that make and check the dataset, and the files that they need."""
    words = ["mjopt", "dataset", "build", plan.recipe, "-o", "FOLDER", *_options(plan)]
    code = [plan.recipe] * plan.needs_recipe
    code += [label.name for label in plan.label_list() if label.plugin]
    code += [plan.where] * bool(plan.where)
    options = (word for name in code for word in ("--code", name))
    check = shlex.join(["mjopt", "dataset", "check", "FOLDER", *options])
    # Also labels that were registered in Python, which no command finds.
    outside = [*code, *(name for name in plan.labels if ":" not in name and name not in BUILTIN)]
    if outside:
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(outside))
        again = f"with the same {names}, which the dataset does not hold, it makes the same bytes"
    else:
        again = "the same command makes the same bytes"
    if _rules_file(plan):
        again += f", if `{_rules_file(plan)}` defines the rules"
    return [
        f"- Made by `{shlex.join(words)}`; {again}.",
        f"- `{check}` counts the rows again, verifies every digest, and proves the labels of a "
        "sample.",
    ]


def _rules_file(plan: DatasetPlan) -> str:
    """Return a name for the file of the rules; empty for those that ship with mjopt."""
    if plan.rules is None or plan.rules.name.partition(".")[0] in RULE_SETS:
        return ""
    return f"{plan.rules.name}.toml"


def _options(plan: DatasetPlan) -> list[str]:
    """Return the options of `mjopt dataset build` for this plan."""
    words = [f"--seed {plan.seed}", f"--shards {plan.num_shards}"]
    if plan.rules is not None:
        words.append(f"--rules {_rules_file(plan) or plan.rules.name}")
    else:
        words += [f"--tiles {plan.tiles}"] * (plan.tiles != "m0")
    words += [f"--size {plan.size}"] * (plan.size != plan.deal.complete)
    words += [f"--called {plan.called}"] * (plan.called > 0)
    if len(plan.splits) > 1 or plan.splits[0][0] != "train":
        words.append("--splits " + ",".join(f"{name}={share!r}" for name, share in plan.splits))
    words += [f"--check {plan.checked}"] * (plan.checked > 0)
    words = [word for text in words for word in text.split(" ")]
    labels = ["--labels", ",".join([*plan.labels, *([] if plan.text else [NO_TEXT])])]
    return [*words[:4], *labels, *words[4:], *(["--where", plan.where] if plan.where else [])]


def _reading(plan: DatasetPlan) -> str:
    """Return examples of code that reads the dataset."""
    query = "from 'FOLDER/data/*.parquet' limit 10"
    if "deficiency" in plan.labels:
        query = "select deficiency, count(*) from 'FOLDER/data/*.parquet' group by 1"
    return f"""```python
import datasets, duckdb, mjopt.datasets, polars

mjopt.datasets.to_numpy("FOLDER")["hand"]
mjopt.datasets.to_pandas("FOLDER")
datasets.load_dataset("FOLDER")
duckdb.sql("{query}")
polars.scan_parquet("FOLDER/data/*.parquet")
```"""


def collection_card(
    plans: list[tuple[str, DatasetPlan]], rows: dict[str, int], licence: list[str]
) -> str:
    """Return the card of a collection, where each dataset is a configuration.

    ``rows`` has the number of rows of each; ``licence`` the lines of the header about it.
    """
    configurations = [(name, f"{name}/", plan) for name, plan in plans]
    lines = [
        *_header(configurations, sum(rows.values()), licence),
        "",
        "# Mahjong hands: " + ", ".join(name for name, _ in plans),
        "",
        "| configuration | recipe | rows | labels |",
        "|---|---|---:|---|",
        *(
            f"| `{name}` | `{plan.recipe}`, seed {plan.seed} | {rows[name]:,} "
            f"| {', '.join(plan.labels)} |"
            for name, plan in plans
        ),
        "",
        "Each folder is a dataset of its own, with a card, a manifest and `mjopt dataset check`.",
    ]
    return "\n".join(lines) + "\n"
