"""Signals end a process soon, whatever it is doing, and its resources are released."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from helpers.waits import BRIEF, FOREVER, LONG, MOMENT

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="POSIX signals")


def run(code: str, folder: Path, grace: float = LONG) -> tuple[int, str, str]:
    """Run code in a process that handles signals; ``send`` sends it one, ``work`` takes long."""
    program = f"""
import os, signal, sys, threading, time
BRIEF, FOREVER, LONG, MOMENT = {BRIEF}, {FOREVER:.0f}, {LONG}, {MOMENT}
from mjopt._internal import signals
from mjopt._internal.files import temporary_folder
def send(name):
    os.kill(os.getpid(), getattr(signal, name))
def work():
    time.sleep(FOREVER)
signals.handle_signals({grace})
"""
    ran = subprocess.run(
        [sys.executable, "-c", program + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder)},
        timeout=LONG,
    )
    return ran.returncode, ran.stdout, ran.stderr


STATUSES = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}


@pytest.mark.parametrize(("name", "status"), STATUSES.items())
def test_signal_releases_resources(name: str, status: int, tmp_path: Path) -> None:
    code = f"""
    try:
        with temporary_folder("x"):
            send({name!r})
    except signals.STOPPED as stop:
        sys.exit(signals.exit_status(stop))
    """
    assert run(code, tmp_path) == (status, "", "")
    assert not list(tmp_path.iterdir())


def test_discarded_exception_is_raised_again(tmp_path: Path) -> None:
    code = """
    try:
        try:
            send("SIGTERM")
        except BaseException:
            pass
        work()
    except signals.Terminated:
        print("again")
    """
    assert run(code, tmp_path) == (0, "again\n", "")


def test_exception_is_not_repeated_during_the_release(tmp_path: Path) -> None:
    code = """
    try:
        try:
            send("SIGTERM")
        finally:
            time.sleep(MOMENT)
            print("released")
    except signals.Terminated:
        print("once")
    """
    assert run(code, tmp_path) == (0, "released\nonce\n", "")


def test_during_an_import_the_process_ends_or_waits_for_the_end_of_the_import(
    tmp_path: Path,
) -> None:
    (tmp_path / "library.py").write_text(
        "import os, signal\n"
        "try:\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    import json\n"
        "except BaseException:\n"
        "    print('raised')\n"
    )
    code = """
    sys.path.insert(0, "")
    try:
        with temporary_folder("x"):
            import library
            work()
    except signals.Terminated:
        print("later")
    """
    assert run(code, tmp_path) == (0, "later\n", "")
    code = """
    sys.path.insert(0, "")
    import library
    print("imported")
    """
    assert run(code, tmp_path) == (143, "", "")


def test_compiled_code_is_ended_after_the_grace_period(tmp_path: Path) -> None:
    """The handler cannot run while the main thread is in a call of C code."""
    code = """
    import ctypes
    wait = ctypes.CDLL(None).sleep  # releases the interpreter lock, as kernels do
    def receive():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals.ENDING)
        time.sleep(BRIEF)  # the call has begun, unless the machine is busy
        send("SIGTERM")
    with temporary_folder("x"):
        signal.pthread_sigmask(signal.SIG_BLOCK, signals.ENDING)
        threading.Thread(target=receive, daemon=True).start()
        try:
            wait(FOREVER)
        except signals.Terminated:  # the call had not begun
            wait(FOREVER)
    """
    assert run(code, tmp_path, grace=BRIEF) == (143, "", "")
    assert not list(tmp_path.iterdir())


def test_second_signal_ends_the_process_at_once(tmp_path: Path) -> None:
    code = """
    kept = []
    with temporary_folder("x"):
        try:
            send("SIGTERM")
        except signals.Terminated as stop:
            kept.append(stop)  # the process counts as ending
        signals._SAME_SECONDS = -1.0
        send("SIGINT")
        work()
    """
    assert run(code, tmp_path) == (143, "", "")
    assert not list(tmp_path.iterdir())


def test_signal_sent_twice_by_timeout_counts_once(tmp_path: Path) -> None:
    code = """
    signals._SAME_SECONDS = LONG
    try:
        try:
            send("SIGTERM")
        finally:
            send("SIGTERM")
            time.sleep(MOMENT)
            print("released")
    except signals.Terminated:
        print("once")
    """
    assert run(code, tmp_path) == (0, "released\nonce\n", "")


def test_ignored_signals_stay_ignored() -> None:
    program = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    program += "from mjopt._internal import signals; signals.handle_signals()\n"
    program += "os.kill(os.getpid(), signal.SIGHUP); print('alive')"
    words = [sys.executable, "-c", program]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == ("alive\n", "")


def test_signal_for_a_forked_child_does_not_stop_its_parent(tmp_path: Path) -> None:
    code = """
    child = os.fork()
    if not child:
        work()
    os.kill(child, signal.SIGTERM)
    print(os.waitpid(child, 0)[1])
    time.sleep(MOMENT)
    """
    assert run(code, tmp_path, grace=BRIEF) == (0, f"{signal.SIGTERM:d}\n", "")


def test_command_that_is_ended_says_whether_it_resumes(tmp_path: Path) -> None:
    code = """
    from mjopt.cli.progress import Bar
    kept = []
    with Bar("games", 3, resumes=True):
        try:
            send("SIGTERM")
        except signals.Terminated as stop:
            kept.append(stop)
        work()
    """
    expected = (143, "", "mjopt: interrupted; the same command resumes\n")
    assert run(code, tmp_path, grace=BRIEF) == expected
