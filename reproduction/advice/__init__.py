"""Measure how often bounds on optimal play prove common advice wrong."""
