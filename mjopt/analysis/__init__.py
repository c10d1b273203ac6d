"""Deficiency, certificates, explanations, useful tiles, discards and targets of hands."""
