"""Rows of counts: input, validation, and state numbers by vector instructions."""
