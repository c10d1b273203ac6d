"""Suits and honours: states, their numbers, and the costs of a template in them."""
