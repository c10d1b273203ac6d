"""Commands cut into words: by the platform's rule."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjopt._internal.command_words import command_words

WORDS = st.lists(st.text(st.sampled_from('a \\"\t.'), max_size=8), min_size=1, max_size=4)


@given(WORDS)
def test_on_windows_as_its_programs_read_what_python_hands_them(words: list[str]) -> None:
    assert list(command_words(subprocess.list2cmdline(words), windows=True)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"C:\bots\my.exe -x", (r"C:\bots\my.exe", "-x")),
        (r'"C:\my bots\p.py" a"b c"d', (r"C:\my bots\p.py", "ab cd")),
        (r"'a b'", ("'a", "b'")),  # no quotes there
        ("  ", ()),
    ],
)
def test_paths_of_windows(text: str, words: tuple[str, ...]) -> None:
    assert command_words(text, windows=True) == words


def test_elsewhere_as_in_a_shell() -> None:
    assert command_words(r"a\ b 'c d'", windows=False) == ("a b", "c d")


@pytest.mark.parametrize("windows", [True, False])
def test_a_quotation_must_end(windows: bool) -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        command_words('a "b', windows=windows)
