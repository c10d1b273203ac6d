"""Audits: compare the values of other programs with exact ones."""
