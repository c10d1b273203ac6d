"""What tests of datasets share."""

import hashlib
from pathlib import Path


def everything(folder: Path) -> dict[str, str]:
    """Return every file of a folder with its digest."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
