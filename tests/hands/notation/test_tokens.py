import pytest

from mjopt.errors import NotationError
from mjopt.hands.notation.base import is_list, split_list


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        (" ", []),
        ("[]", []),
        ("a b", [("a", 0), ("b", 2)]),
        ("a,b , c", [("a", 0), ("b", 2), ("c", 6)]),
        (" [a,\nb] ", [("a", 2), ("b", 5)]),
    ],
)
def test_text_is_split_into_tokens(text, found):
    assert split_list(text) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "'[' at character 1: never closed, expected ] at the end"),
        (" [1, 2", "'[' at character 2: never closed, expected ] at the end"),
        ("1 ] ", "']' at character 3: never opened, expected [ at the start"),
    ],
)
def test_unbalanced_bracket_is_refused(text, message):
    with pytest.raises(NotationError) as refused:
        split_list(text)
    assert str(refused.value) == message


def test_list_starts_with_a_bracket():
    assert is_list("\n[")
    assert not is_list("\N{NO-BREAK SPACE}[")
