"""The one bar: who sees it, and what Ctrl-C says."""

from contextlib import suppress
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import pytest
from rich.progress import Progress

from mjopt._internal.compiling import heard_by, uncompiled
from mjopt._internal.jit import inner, kernel
from mjopt._internal.signals import STOPPED
from mjopt.cli import progress
from mjopt.cli.progress import Bar, KernelBar, StudyBar, awaited, waiting


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # by which stderr passes for a terminal


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_it_shows_how_far_the_work_is(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("certifying", 3, unit="hands") as bar:
        assert list(bar.each("abc")) == ["a", "b", "c"]
        bar.say("a line")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert all(word in shown.err for word in ("certifying", "3/3", "hands", "to go", "a line"))


@pytest.mark.usefixtures("terminal")
def test_quiet_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with StudyBar(jobs=2, quiet=True) as bar:
        bar.say("a line")
        bar.begin(1000)
        bar.advance(10)
    assert capsys.readouterr() == ("", "")


def test_elsewhere_only_lines_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with StudyBar(jobs=2, quiet=False) as bar:
        bar.begin(1000)
        bar.advance(10)
    assert capsys.readouterr() == ("", "about 8 min of searches on 2 processes (by a pilot)\n")


@pytest.mark.parametrize(
    ("resumes", "told"),
    [
        (True, "mjopt: interrupted; the same command goes on from there\n"),
        (False, "mjopt: interrupted\n"),
        (None, ""),
    ],
)
@pytest.mark.parametrize("stop", STOPPED)
def test_ctrl_c_and_sigterm(
    stop: type[BaseException],
    resumes: bool | None,
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(stop), Bar("games", 3, resumes=resumes):
        raise stop
    assert capsys.readouterr().err == told


@pytest.mark.usefixtures("terminal")
def test_work_that_is_mostly_short_is_shown_when_it_is_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = Event()
    start = Progress.start

    def told(self: Progress) -> None:
        start(self)
        begun.set()

    monkeypatch.setattr(Progress, "start", told)
    monkeypatch.setattr(progress, "SOON", 0.0)
    with suppress(KeyboardInterrupt), waiting("counting"):
        assert begun.wait(60)
        raise KeyboardInterrupt
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "counting" in shown.err
    assert shown.err.endswith("\x1b[2K")  # and is taken away
    monkeypatch.setattr(progress, "SOON", 600.0)
    assert list(awaited("checking", "abc")) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")


def compile_slowly(bar: KernelBar, monkeypatch: pytest.MonkeyPatch, *, kept: bool = True) -> None:
    """Tell of two kernels of four functions; every look at the clock is a second later."""
    seconds = iter(range(100))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    for _ in range(2):
        bar.begin(4, kept)
        for _ in range(3):
            bar.advance()
        bar.end()


def test_compiling_is_told_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_slowly(KernelBar(), monkeypatch)
    line = "mjopt: compiling kernels, once for this machine: about 10 s, more if others follow\n"
    assert capsys.readouterr() == ("", line)


def test_where_kernels_cannot_be_kept_that_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_slowly(KernelBar(), monkeypatch, kept=False)
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "in every run" in told
    assert "NUMBA_CACHE_DIR=FOLDER" in told


def test_what_several_kernels_take_is_told_before(capsys: pytest.CaptureFixture[str]) -> None:
    bar = KernelBar()
    bar.foretell(5, True, 2)  # within a second
    assert capsys.readouterr() == ("", "")
    for _ in range(2):
        bar.foretell(100, True, 2)
    line = "mjopt: compiling kernels, once for this machine: about 5 s\n"
    assert capsys.readouterr() == ("", line)
    KernelBar(quiet=True).foretell(100, True, 2)
    assert capsys.readouterr() == ("", "")


def test_a_kernel_among_several_is_a_part_of_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter(range(100))
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    bar = KernelBar()
    bar.begin(10, True)
    bar.begin(4, True)
    bar.advance()  # the first of ten, after a second
    bar.end()
    assert "about 26 s, more" in capsys.readouterr().err
    bar.end()


def test_what_is_compiled_at_once_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    bar = KernelBar()
    bar.begin(1, True)
    bar.advance()
    bar.end()
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("quiet", [False, True])
def test_a_bar_shows_what_is_compiled(
    quiet: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_slowly(KernelBar(quiet=quiet), monkeypatch)
    err = capsys.readouterr().err
    assert (err == "") if quiet else ("4/4" in err and "functions" in err)


def test_kernels_tell_what_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # Beside the test it would be found compiled the next time.
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    heard: list[Any] = []

    class Ear:
        def foretell(self, *told: int) -> None:
            heard.append(told)

        def begin(self, number: int, kept: bool) -> None:
            heard.append((number, kept))

        def advance(self, number: int = 1) -> None:
            heard.append("part" * number)

        def end(self) -> None:
            heard.append("end")

    @inner
    def doubled(number: int) -> int:
        return 2 * number

    monkeypatch.setitem(globals(), "doubled", doubled)
    compiled: Any = kernel(twice_doubled)
    with heard_by(Ear()):
        found = uncompiled(lambda: compiled(3))
        assert found is not None
        assert (found.number, heard) == (2, [])
        assert compiled(3) == 12
        assert compiled(4) == 16
        assert uncompiled(lambda: compiled(5)) is None
    assert heard == [(2, ANY), "part", "end"]


def twice_doubled(number: int) -> int:
    return doubled(doubled(number))  # type: ignore[name-defined] # noqa: F821 - by the test
