"""The pictures of the tiles."""


def sprite() -> str:
    """Return all pictures as one SVG file of symbols."""
    return '<svg xmlns="http://www.w3.org/2000/svg"></svg>'
