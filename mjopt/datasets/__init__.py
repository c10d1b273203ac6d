"""Labelled datasets that anyone can check and build again."""

from mjopt.datasets.building import build
from mjopt.datasets.check import CheckReport, check_dataset
from mjopt.datasets.describe import Description, describe_dataset
from mjopt.datasets.labels.registry import LABELS
from mjopt.datasets.plan import DatasetPlan, make_plan
from mjopt.datasets.reading import sample_rows
from mjopt.datasets.shard import BuildReport

__all__ = [
    "LABELS",
    "BuildReport",
    "CheckReport",
    "DatasetPlan",
    "Description",
    "build",
    "check_dataset",
    "describe_dataset",
    "make_plan",
    "sample_rows",
]
