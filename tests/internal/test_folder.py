"""One writer a folder, and a killed one leaves nothing to clean up."""

import subprocess
import sys
from pathlib import Path

import pytest

from mjopt._internal.folder import hold_folder
from mjopt.errors import FileError

HOLD = """
import sys, time
from pathlib import Path
from mjopt._internal.folder import hold_folder
with hold_folder(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(FileError, match=f"process {other.pid} is writing here now"),
            hold_folder(tmp_path),
        ):
            pytest.fail("two writers")
        other.kill()
        other.wait()
    with hold_folder(tmp_path):
        pass


def test_held_again_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), hold_folder(tmp_path):
        raise ZeroDivisionError
    with hold_folder(tmp_path):
        pass
