"""Audits: compare the values of other programs, the paper and common advice with exact ones."""
