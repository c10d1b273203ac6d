"""Deficiency, certificates, useful tiles, discards, targets, draws and win chances of hands."""
