"""Hands: tile sets, blocks, notations, winning forms and files of hands."""
