"""Whatever writes a file by `-o` or `--records` leaves what stood there what it was."""

import os
import stat
from pathlib import Path

import pytest

HAND = "1112345678999m1p"
BATTLE = ("battle", "l1", "l1", "l1", "l1", "-n", "1", "--rounds", "1", "-q", "-j", "1")
WRITERS = {
    "certify": ("certify", HAND, "-o"),
    "export": ("export", HAND, "-o"),
    "battle": (*BATTLE, "--records"),
}


@pytest.mark.skipif(os.name != "posix", reason="devices of POSIX")
@pytest.mark.parametrize("name", WRITERS)
def test_a_device_a_link_and_a_mode_stay(mjopt, tmp_path: Path, name: str) -> None:
    device, target, link = (tmp_path / name for name in ("device", "target.lp", "link.lp"))
    try:  # one of our own, never the machine's
        os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        device.write_bytes(b"")
    except OSError:
        os.mkfifo(device)
        os.open(device, os.O_RDWR)  # so that writing does not wait for a reader
    before = stat.S_IFMT(device.stat().st_mode)
    target.touch(0o600)
    link.symlink_to(target)
    for path in (link, *([] if name == "export" else [device])):  # by its ending
        assert mjopt(*WRITERS[name], str(path)).status == 0
    assert stat.S_IFMT(device.stat().st_mode) == before
    assert link.is_symlink()
    assert target.stat().st_size > 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert len(os.listdir(tmp_path)) == 3


def test_records_may_stand_in_the_folder_of_their_battle(mjopt, tmp_path: Path) -> None:
    words = (*BATTLE, "-o", str(tmp_path), "--records", str(tmp_path / "games.txt"))
    assert mjopt(*words).status == 0
    assert len((tmp_path / "games.txt").read_text().splitlines()) == 1
