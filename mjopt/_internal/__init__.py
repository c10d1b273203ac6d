"""Utilities that do not depend on Mahjong: files, workers, registries, kernels, reports."""
