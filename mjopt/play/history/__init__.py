"""Finished hands and matches of a person: results, rating, and the end of a hand."""
