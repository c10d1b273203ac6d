"""The description in the metadata: the README without pictures and relative links."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https://)[^)]*\)\n\n?", flags=re.MULTILINE)
RELATIVE_LINK = re.compile(r"\[([^\]]*)\]\((?!https://)[^)]*\)")


def description(readme: str) -> str:
    """Return a README whose relative links are plain text: a package index has no such files."""
    return RELATIVE_LINK.sub(r"\1", PICTURE.sub("", readme))


class ReadmeMetadataHook(MetadataHookInterface):
    """Adds the readme to the metadata of wheel and sdist."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme."""
        text = description(Path(self.root, "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
