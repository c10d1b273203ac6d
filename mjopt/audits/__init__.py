"""Audits: other people's values, and the paper's, held against the truth."""
