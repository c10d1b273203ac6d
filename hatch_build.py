"""Metadata hook of the build: the project's addresses and its description."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https://)[^)]*\)\n\n?", flags=re.MULTILINE)
RELATIVE_LINK = re.compile(r"\[([^\]]*)\]\((?!https://)[^)]*\)")


def description(readme: str) -> str:
    """Return a README without relative links and pictures: a package index has no such files."""
    return RELATIVE_LINK.sub(r"\1", PICTURE.sub("", readme))


class ProjectMetadata(MetadataHookInterface):
    """Add the project's addresses and its description.

    The addresses are those of the articles, and of the repository once its address is set.
    """

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add both to the metadata of the project."""
        urls = dict(self.config["articles"])
        if repository := self.config["repository"].rstrip("/"):
            urls["Source"] = repository
            urls["Issues"] = f"{repository}/issues"
            urls["Changelog"] = f"{repository}/blob/main/CHANGELOG.md"
        metadata["urls"] = urls
        text = description(Path(self.root, "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
