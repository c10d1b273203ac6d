"""User classes: loading, change detection and pickling by value for workers."""

import pickle
import subprocess
import sys
from pathlib import Path

import cloudpickle
import pytest

from mjopt._internal.executor import open_executor
from mjopt._internal.user_module import code_version, describe_failure, load_class, source_digest
from mjopt.errors import FileError

USER_FILE = """
from dataclasses import dataclass
import beside
from kit.tool import double

@dataclass
class One:
    factor: int = 1

    def value(self, number=1):
        return double(number) * self.factor * beside.NUMBER
"""


@pytest.fixture(autouse=True)
def folder(in_tmp_path: Path, tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(USER_FILE)
    (tmp_path / "beside.py").write_text("NUMBER = 1\n")
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "__init__.py").write_text("")
    (tmp_path / "kit" / "tool.py").write_text(
        "from . import part\ndef double(x): return part.TWO * x"
    )
    (tmp_path / "kit" / "part.py").write_text("TWO = 2\n")
    return tmp_path


def value(spec: str = "own.py:One") -> int:
    return int(load_class(spec)().value())


def test_edited_module_beside_the_file_is_loaded_again(folder: Path) -> None:
    assert load_class("own.py:One") is load_class("own.py:One")
    assert value() == 2
    (folder / "beside.py").write_text("NUMBER = 2\n")  # within the same second
    assert value() == 4
    assert not list(folder.rglob("__pycache__"))


def test_two_folders_may_have_modules_of_one_name(folder: Path) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "own.py").write_text(
        "from beside import NUMBER\nclass One:\n    value = lambda self: NUMBER\n"
    )
    (folder / "other" / "beside.py").write_text("NUMBER = 5\n")
    assert (value(), value("other/own.py:One"), value()) == (2, 5, 2)


def test_another_process_needs_no_file(folder: Path) -> None:
    """Nor does it need the modules beside the file, in either import style."""
    payload = cloudpickle.dumps(load_class("own.py:One")(factor=3))
    for name in ("own.py", "beside.py", "kit/__init__.py", "kit/tool.py", "kit/part.py"):
        (folder / name).unlink()
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).value(7))"
    ran = subprocess.run(
        [sys.executable, "-c", code], input=payload, capture_output=True, check=True
    )
    assert ran.stdout.split() == [b"42"]


def test_workers_return_objects_of_the_class() -> None:
    kind = load_class("own.py:One")
    with open_executor(2) as workers:
        made = list(workers.map(kind, [1, 2]))
    assert [type(one) for one in made] == [kind, kind]
    assert made == [kind(1), kind(2)]


def test_digest_covers_exactly_the_imported_modules(folder: Path) -> None:
    digests = {source_digest("own.py")}
    (folder / "unrelated.py").write_text("x = 1")
    digests.add(source_digest("own.py"))
    assert len(digests) == 1
    for name in ("own.py", "beside.py", "kit/part.py"):
        with (folder / name).open("a") as file:
            file.write("# changed\n")
        digests.add(source_digest("own.py"))
    assert len(digests) == 4


def test_version_of_code(folder: Path) -> None:
    kind = load_class("own.py:One")
    assert code_version(kind) == f"sha256:{source_digest('own.py')}"
    assert code_version(type("Typed", (), {"__module__": "no_such_module"})) == "unknown"


def test_line_of_an_error_in_the_file(folder: Path) -> None:
    (folder / "own.py").write_text("class One:\n    def value(self):\n        return 1 // 0\n")
    one = pickle.loads(cloudpickle.dumps(load_class("own.py:One")()))
    with pytest.raises(ZeroDivisionError) as caught:
        one.value()
    expected = "ZeroDivisionError: integer division or modulo by zero (line 3)"
    assert describe_failure(caught.value) == expected
    assert describe_failure(ValueError()) == "ValueError"


@pytest.mark.parametrize(
    ("text", "spec", "message"),
    [
        ("class One:\n  x =", "own.py:One", r"^own.py line 2: invalid syntax"),
        ("x = 1\n1 // 0", "own.py:One", r"^own.py line 2: fails: ZeroDivisionError: "),
        ("import sys\nsys.exit(3)", "own.py:One", r"^own.py line 2: fails: SystemExit: 3"),
        (
            "import beside\nOne = 3",
            "own.py:One",
            r"^own.py has no class 'One', expected a class def",
        ),
        ("class Two: ...", "own.py:One", r"^own.py has no class 'One', expected one of Two"),
        ("", "none.py:One", r"^none.py: no such file"),
    ],
)
def test_refused_in_one_line(folder: Path, text: str, spec: str, message: str) -> None:
    (folder / "own.py").write_text(text)
    with pytest.raises(FileError, match=message):
        load_class(spec)
