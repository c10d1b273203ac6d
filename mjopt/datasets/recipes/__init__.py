"""Recipes: reproducible sets of hands by name and seed."""

from mjopt.datasets.recipes.base import BLOCK_ROWS, Deal, HandRecipe
from mjopt.datasets.recipes.registry import PAPER_SETS, RECIPES, read_recipe

__all__ = ["BLOCK_ROWS", "PAPER_SETS", "RECIPES", "Deal", "HandRecipe", "read_recipe"]
