"""Measure the danger of discards on real games, and fit the weights of its prior."""
