"""Texts of pages: the pictures of tiles in sentences become their notation again."""

import re

PICTURES = re.compile(r'(?:<svg class="tile said"[^>]*>.*?#\w\w"/></svg>)+')
NAME = re.compile(r'#(\w)(\w)"/></svg>')


def in_notation(page: str) -> str:
    """Return the HTML of a page with the pictures in its sentences as text, such as ``234m``."""

    def written(found: re.Match[str]) -> str:
        tiles = NAME.findall(found[0])
        return "".join(rank for rank, _ in tiles) + tiles[0][1]

    return PICTURES.sub(written, page)
