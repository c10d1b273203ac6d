"""Commands that write a file with `-o` or `--records` replace it atomically."""

import os
from pathlib import Path

import pytest

HAND = "1112345678999m1p"
BATTLE = ("battle", "l1", "l1", "l1", "l1", "-n", "1", "--rounds", "1", "-q", "-j", "1")
WRITERS = {
    "certify": ("certify", HAND, "-o"),
    "export": ("export", HAND, "-o"),
    "battle": (*BATTLE, "--records"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_output_file_is_complete_and_alone(mjopt, tmp_path: Path, name: str) -> None:
    path = tmp_path / "output.lp"
    path.write_text("old")
    assert mjopt(*WRITERS[name], str(path)).status == 0
    assert path.stat().st_size > 3
    assert os.listdir(tmp_path) == ["output.lp"]


def test_records_may_stand_in_the_folder_of_their_battle(mjopt, tmp_path: Path) -> None:
    words = (*BATTLE, "-o", str(tmp_path), "--records", str(tmp_path / "games.txt"))
    assert mjopt(*words).status == 0
    assert len((tmp_path / "games.txt").read_text().splitlines()) == 1
