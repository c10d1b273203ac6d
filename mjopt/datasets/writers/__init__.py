"""Writers by format."""

from mjopt.datasets.writers.arrays import NpyWriter, NpzWriter
from mjopt.datasets.writers.base import Columns, Writer
from mjopt.datasets.writers.parquet import ParquetWriter
from mjopt.datasets.writers.text import CsvWriter

__all__ = ["WRITERS", "Columns", "Writer"]

WRITERS: dict[str, type[Writer]] = {
    "parquet": ParquetWriter,
    "npz": NpzWriter,
    "npy": NpyWriter,
    "csv": CsvWriter,
}
"""A writer for each format."""
