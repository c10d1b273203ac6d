"""Writers by format."""

from mjopt.datasets.writers.arrays import CsvWriter, NpyWriter, NpzWriter
from mjopt.datasets.writers.base import Columns, Writer
from mjopt.datasets.writers.parquet import ParquetWriter

__all__ = ["WRITERS", "Columns", "Writer"]

WRITERS: dict[str, type[Writer]] = {
    "parquet": ParquetWriter,
    "npz": NpzWriter,
    "npy": NpyWriter,
    "csv": CsvWriter,
}
"""A writer for each format."""
