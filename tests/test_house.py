"""The ceilings of the package: lines are counted as they read, and each limit can be passed."""

import tomllib
from pathlib import Path

from tools.house import CEILINGS, ROOT, Lines, compare, count_lines, room_of

SOURCE = '''"""A module.

With two paragraphs.
"""

# Why it is so.
NUMBER = 1  # a trailing comment


def text() -> str:
    """Return a text."""
    # Why again.
    return """of
two lines"""
'''


def test_docstrings_comments_and_code_are_told_apart() -> None:
    assert count_lines(SOURCE) == Lines(code=4, docstring=5, comment=2, total=14)


def test_a_room_is_a_package_or_its_folder_in_the_three_large_ones() -> None:
    files = ("errors.py", "tables/lookup.py", "datasets/labels/base.py", "play/game/log.py")
    files += ("play/game/agents/base.py", "hands/tiles.py", "hands/rules/template.py")
    rooms = [".", "tables", "datasets", "play/game", "play/game", "hands", "hands/rules"]
    assert [room_of(Path(file)) for file in files] == rooms


def test_each_limit_can_be_passed() -> None:
    measured = {
        "most": {"options": 11.0},
        "most_code_lines": {"tables": 100.0, "attic": 1.0},
        "least_comments": {"tables": 3.9},
    }
    limits = {
        "most": {"options": 10.0},
        "most_code_lines": {"tables": 100.0},
        "least_comments": {"tables": 4.0, "gone": 4.0},
    }
    passed = {name for name, _, _, is_kept in compare(measured, limits) if not is_kept}
    names = ("options", "tables", "gone", "attic")
    sections = ("most", "least_comments", "least_comments", "most_code_lines")
    assert passed == {f"{section} {name}" for section, name in zip(sections, names, strict=True)}


def test_limits_are_about_rooms_that_exist() -> None:
    limits = tomllib.loads(CEILINGS.read_text(encoding="utf-8"))
    rooms = limits["most_code_lines"].keys() | limits["least_comments"].keys()
    assert [room for room in rooms if not (ROOT / "mjopt" / room).is_dir()] == []
