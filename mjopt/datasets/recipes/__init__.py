"""Recipes: reproducible sets of hands by name and seed."""

from mjopt.datasets.recipes.base import BLOCK_ROWS
from mjopt.datasets.recipes.registry import PAPER_SETS, RECIPES

__all__ = ["BLOCK_ROWS", "PAPER_SETS", "RECIPES"]
