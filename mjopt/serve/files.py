"""The files that pages load: style, scripts, pictures of the tiles."""

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from mjopt.serve.tile_sprite import sprite

TYPES: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "webp": "image/webp",
}
KEPT: Final = "public, max-age=31536000, immutable"
"""For what has a digest in its address: another content is another address."""

PICTURES: Final = "tiles.svg"
"""Its address is short, since it stands at every tile; kept for a day all the same."""


class Files:
    """All files of the site, read once: what is asked for is looked up, never a path.

    Examples
    --------
    >>> Files().address("style.css")  # doctest: +ELLIPSIS
    '/static/style.css?v=...'
    """

    def __init__(self) -> None:
        self._contents = {PICTURES: sprite().encode(), **dict(_stored())}
        self._digests = {
            name: hashlib.sha256(content).hexdigest()[:12]
            for name, content in self._contents.items()
        }

    def address(self, name: str) -> str:
        """Return the address of a file, good for as long as its content is the same."""
        return f"/static/{name}?v={self._digests[name]}"

    async def send(self, request: Request) -> Response:
        """Send a file, or say that it is still the one that was sent."""
        name = request.path_params["name"]
        content = self._contents.get(name)
        if content is None:
            return Response(f"there is no file {name}\n", 404, media_type="text/plain")
        digest = self._digests[name]
        kept = "public, max-age=86400" if name == PICTURES else "no-cache"
        if request.query_params.get("v") == digest:
            kept = KEPT
        headers = {"etag": f'"{digest}"', "cache-control": kept}
        # A proxy, or our own compression, may have marked the tag as a weak one.
        if f'"{digest}"' in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        media_type = TYPES[name.rpartition(".")[2]]
        return Response(content, headers=headers, media_type=media_type)


def _stored() -> Iterator[tuple[str, bytes]]:
    for file in files("mjopt.serve").joinpath("static").iterdir():
        if file.name.rpartition(".")[2] in TYPES:
            yield file.name, file.read_bytes()
