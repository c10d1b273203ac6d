"""Hands: tiles, blocks and notations; rule sets and winning forms; files of hands."""
