"""The one bar: who sees it, and what Ctrl-C says."""

from contextlib import suppress
from threading import Event

import pytest
from rich.progress import Progress

from mjopt._internal.signals import STOPPED
from mjopt.cli import progress
from mjopt.cli.progress import Bar, StudyBar, awaited, waiting


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
    monkeypatch.setattr(progress, "DELAY", 0.0)
    with suppress(KeyboardInterrupt), waiting("counting"):
        assert begun.wait(60)
        raise KeyboardInterrupt
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "counting" in shown.err
    assert shown.err.endswith("\x1b[2K")  # and is taken away
    monkeypatch.setattr(progress, "DELAY", 600.0)
    assert list(awaited("checking", "abc")) == ["a", "b", "c"]
    assert capsys.readouterr() == ("", "")
