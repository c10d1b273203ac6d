"""Labelled datasets that can be checked and reproduced."""

from mjopt._internal.lazy_import import load_later

# Loaded on first use.
_HOMES = {
    "LABELS": "mjopt.datasets.labels.registry",
    "BuildReport": "mjopt.datasets.shard",
    "CheckReport": "mjopt.datasets.check",
    "DatasetColumn": "mjopt.datasets.labels.base",
    "DatasetPlan": "mjopt.datasets.plan",
    "Deal": "mjopt.datasets.recipes.base",
    "Description": "mjopt.datasets.describe",
    "HandRecipe": "mjopt.datasets.recipes.base",
    "HandRows": "mjopt.datasets.labels.base",
    "Label": "mjopt.datasets.labels.base",
    "build": "mjopt.datasets.builder",
    "check_dataset": "mjopt.datasets.check",
    "describe_dataset": "mjopt.datasets.describe",
    "make_plan": "mjopt.datasets.planner",
    "read_recipe": "mjopt.datasets.recipes.registry",
    "sample_rows": "mjopt.datasets.reader",
    "to_numpy": "mjopt.datasets.reader",
    "to_pandas": "mjopt.datasets.reader",
}

__all__ = [*_HOMES]  # noqa: PLE0604 - names alone
__getattr__ = load_later(__name__, _HOMES)
