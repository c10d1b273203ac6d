"""Matches of a person: results, rating, the end of a hand, and what agents would do."""
