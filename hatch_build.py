"""Metadata hook of the build: the project's addresses, from one setting in pyproject.toml."""

from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProjectUrls(MetadataHookInterface):
    """Set ``[project.urls]`` to the articles, and to the repository once its address is set."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses to the metadata of the project."""
        urls = dict(self.config["articles"])
        if repository := self.config["repository"].rstrip("/"):
            urls["Source"] = repository
            urls["Issues"] = f"{repository}/issues"
            urls["Changelog"] = f"{repository}/blob/main/CHANGELOG.md"
        metadata["urls"] = urls
