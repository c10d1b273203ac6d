"""The licence of a dataset: its name in the card, and the file LICENSE."""

from pathlib import Path
from typing import Final

from mjopt._internal.files import as_path, atomic_write
from mjopt._internal.sanitize import short_repr
from mjopt._internal.validation import expect
from mjopt.errors import ArgumentError, FileError

LICENCE_FILE: Final = "LICENSE"
DEFAULT: Final = "MIT"

LICENCES: Final = {
    "MIT": "mit",
    "Apache-2.0": "apache-2.0",
    "BSD-3-Clause": "bsd-3-clause",
    "CC0-1.0": "cc0-1.0",
    "CC-BY-4.0": "cc-by-4.0",
    "CC-BY-SA-4.0": "cc-by-sa-4.0",
    "CC-BY-NC-4.0": "cc-by-nc-4.0",
    "CC-BY-NC-SA-4.0": "cc-by-nc-sa-4.0",
    "ODC-By-1.0": "odc-by",
    "ODbL-1.0": "odbl",
    "PDDL-1.0": "pddl",
}
"""Licences by their SPDX identifier, with their name on the Hugging Face Hub."""

MAX_TEXT: Final = 1 << 20  # bytes of a licence of the user


def licence_text(given: str) -> str:
    """Return the file ``LICENSE`` for an SPDX identifier (in any case), or the text in a file.

    If there is no such licence and no such file, `ArgumentError` is raised; if the file cannot be
    read, or is no text, `FileError`.

    Examples
    --------
    >>> print(licence_text("cc0-1.0"))
    SPDX-License-Identifier: CC0-1.0
    <BLANKLINE>
    The text of this licence: https://spdx.org/licenses/CC0-1.0.html
    <BLANKLINE>
    """
    expect(given, str, "licence")
    by_name = {name.lower(): name for name in LICENCES}
    if name := by_name.get(given.strip().lower()):
        link = f"https://spdx.org/licenses/{name}.html"
        text = f"{_MARK}{name}\n\nThe text of this licence: {link}\n"
        return _MIT if name == DEFAULT else text
    path = as_path(given, "licence")
    if not path.is_file():
        raise ArgumentError(
            argument="licence",
            value=short_repr(given),
            expected=(*LICENCES, "or a file with its text"),
        )
    text = _read_text(path)
    if not text.strip():
        raise FileError("not the text of a licence", argument=given)
    return text


def write_licence(folder: Path, text: str | None) -> bool:
    """Write the file ``LICENSE`` of a folder, and return whether it changes.

    Without a text, a file that exists stays, and a new one states the MIT licence.
    """
    path = folder / LICENCE_FILE
    exists = path.exists()
    if text is None and exists:
        return False
    text = text or _MIT
    if exists and _read_text(path) == text:
        return False
    atomic_write(path, text)
    return True


def licence_lines(folder: Path) -> list[str]:
    """Return the lines about the licence in the header of the card of a folder."""
    path = folder / LICENCE_FILE
    first = _read_text(path).partition("\n")[0] if path.is_file() else f"{_MARK}{DEFAULT}"
    name = LICENCES.get(first.removeprefix(_MARK).strip())
    if name is None:
        return ["license: other", "license_name: other", f"license_link: {LICENCE_FILE}"]
    return [f"license: {name}"]


def _read_text(path: Path) -> str:
    """Return the beginning of a text file; empty if it is too long or no text."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_TEXT + 1)
        return "" if len(content) > MAX_TEXT else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
    except OSError as error:
        raise FileError(str(error.strerror or error), argument=str(path)) from None


_MARK: Final = "SPDX-License-Identifier: "
_MIT: Final = """SPDX-License-Identifier: MIT

Copyright (c) the authors of this dataset

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or
substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
