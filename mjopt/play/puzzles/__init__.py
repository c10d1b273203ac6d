"""Puzzles and the daily hand, with the record of each player."""
