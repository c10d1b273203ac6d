"""Files of one's own: read anew when asked for, and sent along with work as they were read."""

from pathlib import Path

import pytest

from mjopt._internal import user_module
from mjopt._internal.source_code import bare_code, code_digest, code_files, digest_of
from mjopt._internal.user_module import find_class, with_own_files

OWN = "from beside import NUMBER\n\nclass One:\n    number = NUMBER\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(user_module, "_known", {})
    monkeypatch.setattr(user_module, "_loaded", {})
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "beside.py").write_text("NUMBER = 1\n")
    return tmp_path


def number(path="own.py", **how):
    return find_class(path, "One", error=ValueError, **how).number


def test_an_edit_within_the_same_second_is_seen_and_a_run_that_has_begun_sees_none(folder):
    assert number() == 1
    (folder / "beside.py").write_text("NUMBER = 2\n")
    assert number(fresh=False) == 1
    assert number() == 2
    assert not list(folder.rglob("__pycache__"))


def test_workers_need_no_file(folder, monkeypatch):
    """Elsewhere the work finds what was read here: also what the file imports, and no newer one."""
    assert number() == 1
    work = with_own_files(number)
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    monkeypatch.setattr(user_module, "_known", {})
    monkeypatch.setattr(user_module, "_loaded", {})
    with pytest.raises(ValueError, match=r"own.py: no such file"):
        number()
    assert work("own.py") == 1
    (folder / "elsewhere" / "own.py").write_text("class One:\n    number = 7\n")
    assert (work("own.py"), number()) == (1, 7)


def test_two_folders_may_have_files_of_one_name(folder):
    (folder / "other").mkdir()
    (folder / "other" / "own.py").write_text(OWN)
    (folder / "other" / "beside.py").write_text("NUMBER = 5\n")
    assert (number(), number("other/own.py"), number()) == (1, 5, 1)


def test_what_belongs_to_a_file(folder):
    (folder / "kit").mkdir()
    (folder / "kit" / "__init__.py").write_text("")
    (folder / "kit" / "tool.py").write_text("from . import part\nimport json, numpy\n")
    (folder / "kit" / "part.py").write_text("")
    (folder / "own.py").write_text("def f():\n    from kit.tool import X\n    import os, beside\n")
    found = code_files(folder / "own.py", folder, folder)
    assert set(found) == {"own.py", "beside.py", "kit/tool.py", "kit/part.py"}


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("x = 1", "# why\n\nx = 1  # one\n", True),
        ("def f():\n    '''Say.'''\n    return 1", "def f():\n    return 1", True),
        ("def f(): 'x'", "def g(): 'x'", False),
        ("def f(): 'x'; g()", "def f(): 'x'; h()", False),
        ("x = '''a\n\nb'''", "x = '''a\nb'''", False),
        ("x = 'a # b'", "x = 'a # c'", False),
        ("if x:\n    y", "if x:\n        y", False),
        ("x = ", "x =  ", False),  # no code: byte by byte
    ],
)
def test_comments_and_docstrings_change_nothing_and_code_does(one, other, is_same):
    found = digest_of({"a.py": one.encode()}) == digest_of({"a.py": other.encode()})
    assert found == is_same, bare_code(one.encode())


def test_code_of_classes_and_of_what_is_not_to_be_had(folder):
    one = find_class("own.py", "One", error=ValueError)
    typed_in = type("Typed", (), {"__module__": "no_such_module"})
    assert code_digest([typed_in]) is None
    before = code_digest([one])
    (folder / "beside.py").write_text("NUMBER = 2\n")
    assert code_digest([one]) == before  # of what was read
    assert code_digest([find_class("own.py", "One", error=ValueError)]) != before
    assert code_digest([Path]) == code_digest([])  # the standard library does not count
