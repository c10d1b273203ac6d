"""Helpers of the dataset tests."""

import hashlib
from pathlib import Path


def everything(folder: Path) -> dict[str, str]:
    """Return the digest of every file in a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
