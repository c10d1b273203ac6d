"""Progress bars, and messages on interruption."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event
from typing import Any

import pytest
from cli.conftest import Call
from helpers.surroundings import environment
from helpers.waits import LONG
from rich.progress import Progress

from mjopt._internal.jit import note_is_hidden
from mjopt._internal.signals import STOPPED
from mjopt.cli import progress
from mjopt.cli.progress import Bar, waiting
from mjopt.cli.stdio import IS_QUIET


@pytest.fixture
def terminal() -> Iterator[None]:
    with environment(FORCE_COLOR="1"):  # rich then treats stderr as a terminal
        yield


@pytest.mark.usefixtures("terminal")
def test_bar_on_a_terminal_shows_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("certifying", 3, unit="hands") as bar:
        assert list(bar.each("abc")) == ["a", "b", "c"]
        bar.say("a line")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert all(word in shown.err for word in ("certifying", "3/3", "hands", "to go", "a line"))


@pytest.mark.usefixtures("terminal")
def test_quiet_before_any_command_shows_no_progress(mjopt: Call) -> None:
    words = ("solitaire", "useful", "-n", "1", "--draws", "1", "-j", "1")
    assert "playing" in mjopt(*words).err
    for option in ("--quiet", "-q"):
        assert "playing" not in mjopt(option, *words).err


def test_option_of_the_program_after_a_command_is_explained(mjopt: Call) -> None:
    for words in (("census",), ("dataset", "build", "deals:3", "-o", "made")):
        ran = mjopt(*words, "--quiet")
        name = " ".join(words[:2])
        expected = f"mjopt: --quiet goes before the command: mjopt --quiet {name} ...\n"
        assert ran == (2, "", expected)


def test_without_a_terminal_only_lines_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with Bar("searching") as bar:
        bar.begin(1000)
        bar.say("about 7 min")
        bar.advance(10)
    assert capsys.readouterr() == ("", "about 7 min\n")


class Clock:
    """A clock that only waiting advances; stands for the clock, the event and the thread."""

    def __init__(self, until: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.until, self.waited = 0.0, until, list[float]()
        monkeypatch.delenv(progress.SETTING)
        monkeypatch.setattr(progress, "monotonic", lambda: self.now)
        monkeypatch.setattr(progress, "Event", lambda: self)
        monkeypatch.setattr(progress, "Thread", self.thread)

    def thread(self, target: Callable[..., None], args: tuple[Any, ...], daemon: bool) -> "Clock":
        assert daemon
        self.run = lambda: target(*args, lambda: self.now)
        return self

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        self.waited.append(self.now)
        return self.now > self.until

    def start(self) -> None:
        """Run later, in `join`."""

    def set(self) -> None:
        """Do nothing."""

    def join(self) -> None:
        self.run()


def test_lines_without_a_terminal_come_at_fixed_moments(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(200, monkeypatch)
    with Bar("labelling", 5000, unit="rows", done=1000) as bar:
        bar.advance(600)
    assert clock.waited == [1, 10, 30, 60, 120, 180, 240]
    assert capsys.readouterr().err.splitlines() == [
        "labelling: 1,600 of 5,000 rows, 600/s, 1 s elapsed",
        "labelling: 1,600 of 5,000 rows, 60/s, 10 s elapsed",
        "labelling: 1,600 of 5,000 rows, 20/s, 30 s elapsed",
        "labelling: 1,600 of 5,000 rows, 10/s, 60 s elapsed",
        "labelling: 1,600 of 5,000 rows, 5/s, 2 min elapsed",
        "labelling: 1,600 of 5,000 rows, 3.3/s, 3 min elapsed",
    ]
    with waiting("counting"):
        clock.until = clock.now + 10
    assert capsys.readouterr().err.splitlines() == [
        "counting: 1 s elapsed",
        "counting: 10 s elapsed",
    ]


def test_quiet_prints_no_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(200, monkeypatch)
    token = IS_QUIET.set(True)
    try:
        with Bar("labelling", 5), waiting("counting"):
            pass
    finally:
        IS_QUIET.reset(token)
    assert (clock.waited, capsys.readouterr()) == ([], ("", ""))


def test_short_work_prints_no_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(0.9, monkeypatch)
    with Bar("labelling", 5) as bar:
        bar.advance(5)
    assert (clock.waited, capsys.readouterr()) == ([1], ("", ""))


@pytest.mark.parametrize(
    ("resumes", "message"),
    [
        (True, "mjopt: interrupted; the same command resumes\n"),
        (False, "mjopt: interrupted\n"),
        (None, ""),
    ],
)
@pytest.mark.parametrize("stop", STOPPED)
def test_interruption_says_whether_the_work_resumes(
    stop: type[BaseException],
    resumes: bool | None,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(stop), Bar("games", 3, resumes=resumes):
        raise stop
    assert capsys.readouterr().err == message


@pytest.mark.usefixtures("terminal")
def test_long_work_shows_an_indeterminate_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = Event()
    start = Progress.start

    def start_and_note(self: Progress) -> None:
        start(self)
        started.set()

    monkeypatch.setattr(Progress, "start", start_and_note)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    with suppress(KeyboardInterrupt), waiting("counting"):
        assert started.wait(LONG)
        raise KeyboardInterrupt
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "counting" in shown.err
    assert shown.err.endswith("\x1b[2K")  # the bar is erased


@pytest.mark.usefixtures("terminal")
def test_short_work_shows_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting("checking"):
        pass
    assert capsys.readouterr() == ("", "")


def test_quiet_compiles_without_a_message(mjopt: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden: list[bool] = []
    monkeypatch.setattr(
        "mjopt.cli.methods.show_parameters", lambda *_, **__: hidden.append(note_is_hidden())
    )
    for words in (["methods"], ["--quiet", "methods"], ["methods"]):
        assert mjopt(*words).status == 0
    assert hidden == [False, True, False]
