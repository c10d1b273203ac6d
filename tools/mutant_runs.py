"""Run tests on mutants, each in a fork: a failing test, or a crash, kills the mutant.

pytest collects the tests once. For a mutant inside of a function, a fork of that process exchanges
the function's code; for another one, a fork of the process before imports the mutated module.
"""

import ast
import atexit
import gc
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from math import inf
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from mjopt._internal.kernel_cache import open_cache
from tests.helpers.cost_plugin import MEASURED
from tools.mutations import Mutant, mutated

MEMORY = 12 << 30  # bytes of address space of a mutant
BROKEN = 99  # the status of a fork that did not come to an end of its own
HANG = 900  # seconds of a fork until it counts as one without end, on a busy machine


class BrokenRunError(Exception):
    """The tests could not be run."""


@dataclass(frozen=True, slots=True)
class MutantRun:
    """The tests that ran on a mutant, in this order, and those of them that failed."""

    ran: list[str]
    failed: list[str]  # a word in place of a test if the mutant could not be imported
    has_ended: (
        bool  # False for a crash or a test without end: the last test, which counts as failed
    )


@cache
def scratch() -> Path:
    """Return a folder for all forks, removed at the end."""
    folder, owner = Path(tempfile.mkdtemp(prefix="mjopt-mutants-")), os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))
    return folder


def in_fork(work: Callable[[], Any], *, seconds: float | None = None) -> Any:
    """Return the result of a function that runs in a fork, or None if it crashes.

    With a time limit, the fork prints nothing.
    """
    result = scratch() / f"{os.getpid()}.json"
    result.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        status = BROKEN
        try:
            os.setsid()
            if seconds is not None:
                null = os.open(os.devnull, os.O_RDWR)
                for number in (0, 1, 2):
                    os.dup2(null, number)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            result.write_text(json.dumps(work()))
            status = 0
        except BaseException as error:
            with suppress(BaseException):
                result.write_text(f"{type(error).__name__}: {error}")
        os._exit(status)
    deadline = time.monotonic() + (inf if seconds is None else seconds)
    while not (ended := os.waitpid(child, os.WNOHANG))[0] and time.monotonic() < deadline:
        time.sleep(0.005)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # processes that the tests began
    _, code = ended if ended[0] else os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(code) == BROKEN:
        raise BrokenRunError(result.read_text() if result.exists() else "no reason is known")
    return json.loads(result.read_text()) if result.exists() else None


def module_name(path: Path) -> str:
    """Return the name that a module is imported by."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imported_names(path: Path) -> set[str]:
    """Return the dotted names of the modules that a file imports from, and of what it imports."""
    nodes = [n for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    return names | {str(node.module) for node in nodes}


def _scratch_kernels() -> str:
    """Copy the cache of machine code, by links, so that the code of mutants is not kept in it.

    The code of a mutant has another name than that of the original, since names depend on content.
    """
    folder, cached = scratch() / "kernel-cache", open_cache().folder
    shutil.rmtree(folder, ignore_errors=True)
    if cached is not None:
        shutil.copytree(cached, folder / cached.name, copy_function=os.link)
    return str(folder)


def _words(path: Path) -> set[str]:
    """Return the words of a file's name and of its folders below the room."""
    names = path.with_suffix("").parts[1:]
    return {word for name in names for word in name.split("_")} - {"", "test", "kernels"}


class _Loader(SourceFileLoader):
    """Load a module from a syntax tree; the file is for tracebacks only."""

    def __init__(self, name: str, mutant: Mutant) -> None:
        super().__init__(name, str(mutant.path.resolve()))
        self.tree = mutated(mutant)

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        return compile(self.tree, self.path, "exec")


class _Finder(MetaPathFinder):
    """Find one module, mutated."""

    def __init__(self, mutant: Mutant) -> None:
        self.loader = _Loader(module_name(mutant.path), mutant)

    def find_spec(self, fullname: str, *_: Any) -> ModuleSpec | None:
        if fullname != self.loader.name:
            return None
        return spec_from_file_location(fullname, self.loader.path, loader=self.loader)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def is_slow(item: Any) -> bool:
    """Return whether `make test` leaves out a test."""
    return item.get_closest_marker("slow") is not None


class Tests:
    """The pytest plugin that runs tests on mutants; ``kills`` counts those of each test.

    Parameters
    ----------
    paths
        The tests of each mutated module: files and folders.
    longest
        Leave out tests of more seconds.
    has_slow
        Run the slow tests too, after the others.
    further
        Once a test has failed, run further ones of that many seconds together.
    """

    def __init__(
        self,
        paths: dict[Path, list[str]],
        *,
        longest: float = inf,
        has_slow: bool = False,
        further: float = 0,
    ) -> None:
        self.paths, self.longest, self.has_slow, self.further = paths, longest, has_slow, further
        self.seconds: dict[str, float] = {}
        self.kills: dict[str, Counter[str]] = defaultdict(Counter)
        self.work: Callable[[list[Any]], Any] = lambda _: None
        self.finder: _Finder | None = None
        self.failed: list[str] = []
        self.journal = scratch() / "journal"  # of one mutant's tests; it outlasts a crash

    def collect(self, work: Callable[[list[Any]], Any]) -> Any:
        """Collect the tests and return the result of a function of them."""
        import pytest

        self.work, self.result = work, None
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(scratch() / "hypothesis")
        os.environ["MJOPT_HYPOTHESIS"] = "mutants"  # a profile in tests/conftest.py
        os.environ[MEASURED] = str(scratch())  # no test fails because it takes long
        chosen = "not browser" if self.has_slow else "not slow and not browser"
        options = ["-qs", "--tb=no", "-p", "_hypothesis_pytestplugin", "-m", chosen]
        paths = dict.fromkeys(path for some in self.paths.values() for path in some)
        pytest.main([*options, f"--basetemp={scratch() / 'tests'}", *paths], plugins=[self])
        return self.result

    def pytest_configure(self) -> None:
        """Come before the finder of pytest, which rewrites assertions."""
        if self.finder:
            sys.meta_path.remove(self.finder)
            sys.meta_path.insert(0, self.finder)

    def pytest_runtestloop(self, session: Any) -> bool:
        """Do the work of `collect` instead of running the tests once."""
        if session.testsfailed:  # while it was collected
            self.result = ["collection"]
        else:
            self.result = self.work(session.items)
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note the seconds and the failure of a test."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)
            self._note("failed", report.nodeid)

    def _note(self, word: str, test: str) -> None:
        with self.journal.open("a", encoding="utf-8") as file:
            print(word, test, file=file)

    def baseline(self, items: list[Any]) -> dict[str, float]:
        """Return the seconds of each test, without a mutant."""

        def run() -> tuple[list[str], dict[str, float]]:
            for item, after in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            return self.failed, self.seconds

        self.look_around()
        failed, seconds = in_fork(run, seconds=8 * HANG) or (["a crash"], {})
        if failed:
            raise BrokenRunError(f"without a mutant fail: {failed}")
        self.seconds = seconds
        return seconds

    def run(self, items: list[Any], mutant: Mutant) -> list[str]:
        """Run the tests of the mutated module until one fails, and further ones if requested.

        Quick tests come before slow ones. Those that killed mutants of the same function come
        first, then those of files whose name resembles the module's, then short ones; tests of
        more than a second come last.
        """
        seconds, kills = dict(self.seconds), self.kills[f"{mutant.path}:{mutant.function}"]
        places = [Path(path.split("::")[0]).resolve() for path in self.paths[mutant.path]]
        chosen = [
            item
            for item in items
            if seconds.get(item.nodeid, 1e9) <= self.longest
            and any(item.path.is_relative_to(place) for place in places)
        ]
        words = _words(mutant.path)

        def order(item: Any) -> tuple[float, ...]:
            test, took = item.nodeid, seconds[item.nodeid]
            resemblance = len(words & _words(Path(test.split("::")[0])))
            return is_slow(item), -kills[test], took > 1, -resemblance, took

        chosen.sort(key=order)
        left = self.further
        for item, after in zip(chosen, [*chosen[1:], None], strict=True):
            if self.failed:
                left -= seconds[item.nodeid]
                if left < 0:
                    break
            self._note("ran", item.nodeid)
            # The default action of this signal ends the process.
            signal.setitimer(signal.ITIMER_PROF, 10 + 10 * seconds[item.nodeid])
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        return self.failed

    def in_journal(self, work: Callable[[], Any]) -> MutantRun:
        """Run tests on a mutant in a fork."""
        self.journal.write_text("", "utf-8")
        failed = in_fork(work, seconds=HANG + 4 * sum(self.seconds.values()))
        lines = [line.split(" ", 1) for line in self.journal.read_text("utf-8").splitlines()]
        ran = [test for word, test in lines if word == "ran"]
        if failed is None:
            failed = [test for word, test in lines if word == "failed"] + (ran[-1:] or ["import"])
            return MutantRun(ran, [*dict.fromkeys(failed)], has_ended=False)
        return MutantRun(ran, [*dict.fromkeys(failed)], has_ended=True)

    def run_inside(self, items: list[Any], mutant: Mutant) -> MutantRun:
        """Run the tests with the code of one function exchanged."""
        path = str(mutant.path.resolve())
        new = {
            (code.co_qualname, code.co_firstlineno): code
            for code in _codes(compile(mutated(mutant), path, "exec"))
            if code.co_qualname == mutant.outermost
        }
        is_loaded = module_name(mutant.path) in sys.modules

        def work() -> list[str]:
            os.environ["NUMBA_CACHE_DIR"] = _scratch_kernels()
            if not is_loaded:
                sys.meta_path.insert(0, _Finder(mutant))
            for function in self.functions[path]:
                key = (function.__code__.co_qualname, function.__code__.co_firstlineno)
                function.__code__ = new.get(key, function.__code__)
            for cached in self.caches:
                cached.cache_clear()
            for kernel in self.kernels:
                kernel._compiled = None
            return self.run(items, mutant)

        return self.in_journal(work)

    def look_around(self) -> None:
        """Find the functions, caches and kernels that the collected tests have loaded."""
        gc.unfreeze()
        self.functions: dict[str, list[FunctionType]] = defaultdict(list)
        self.caches, self.kernels = [], []
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                self.functions[one.__code__.co_filename].append(one)
            elif isinstance(one, _lru_cache_wrapper) and one.__module__.startswith("mjopt"):
                self.caches.append(one)
            elif type(one).__name__ == "Kernel":
                self.kernels.append(one)
        gc.freeze()

    def run_outside(self, mutant: Mutant) -> MutantRun:
        """Import everything anew with a mutated module, and run the tests."""

        def work() -> Any:
            os.environ["NUMBA_CACHE_DIR"] = _scratch_kernels()
            for name in [name for name in sys.modules if name.split(".")[0] == "mjopt"]:
                del sys.modules[name]
            self.finder = _Finder(mutant)
            sys.meta_path.insert(0, self.finder)  # pytest imports some conftest.py files first
            return self.collect(lambda items: self.run(items, mutant))

        return self.in_journal(work)
