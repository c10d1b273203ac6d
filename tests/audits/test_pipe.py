"""Programs that answer lines: at once, late, never, too much, or not at all."""

import sys

import pytest
from helpers.waits import BRIEF, FOREVER, LONG

from mjopt.audits.pipe import exchange
from mjopt.errors import WorkerError

LINES = [["1m 0", "2m 0"], ["3m 0"], [], ["4m 0", "5m 0"]]
IMPORT = f"import sys, time\nFOREVER = {FOREVER}\n"


def answers(code: str, blocks: list[list[str]] = LINES, timeout: float = LONG) -> list[list[str]]:
    return list(exchange([sys.executable, "-c", IMPORT + code], blocks, timeout=timeout))


@pytest.mark.parametrize(
    "code",
    [
        "for line in sys.stdin: print(line.split()[0], flush=True)",
        "for line in sys.stdin.readlines(): print(line.split()[0])",
        "print(*[line.split()[0] for line in sys.stdin], sep='\\r\\n')",
        "print('\\n'.join(line.split()[0] for line in sys.stdin), end='')",
        "for line in sys.stdin: print(line.split()[0], flush=True)\ntime.sleep(FOREVER)",
    ],
)
def test_answers_may_come_at_once_or_at_the_end(code: str) -> None:
    timeout = BRIEF if "sleep" in code else LONG
    assert answers(code, timeout=timeout) == [["1m", "2m"], ["3m"], [], ["4m", "5m"]]


def test_no_side_waits_for_the_other() -> None:
    """More lines and more answers than pipes hold."""
    blocks = [[f"{number} {'x' * 50}" for number in range(2000)]] * 5
    code = "for line in sys.stdin: print(line.strip() * 3)"
    found = answers(code, blocks)
    assert [[line * 3 for line in block] for block in blocks] == found


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print(1)", "ended before it answered 2m 0"),
        ("1 / 0", "with status 1 before it answered 1m 0; its last message: ZeroDivisionError"),
        ("print(1)\nsys.exit(3)", "ended with status 3 before it answered 2m 0"),
        ("while True: print(1)", "answers more lines than hands, first '1'"),
        ("for line in sys.stdin: print(1)\nprint('more')", "more lines than hands, first 'more'"),
        ("while True: sys.stdout.write('x' * 9999)", "an answer of more than 65536 bytes to 1m 0"),
        ("for line in [*sys.stdin][1:]: print(1)", "ended before it answered 5m 0"),
    ],
)
def test_faulty_programs_are_named_with_the_line(code: str, message: str) -> None:
    with pytest.raises(WorkerError) as error:
        answers(code)
    assert message in str(error.value)


@pytest.mark.parametrize("code", ["time.sleep(FOREVER)", "sys.stdin.close()\ntime.sleep(FOREVER)"])
def test_silent_programs_are_stopped(code: str) -> None:
    with pytest.raises(WorkerError, match=f"no answer for {BRIEF} s to 1m 0"):
        answers(code, timeout=BRIEF)


def test_missing_programs_are_named() -> None:
    with pytest.raises(WorkerError, match="no-such-engine: No such file or directory"):
        list(exchange(["no-such-engine"], LINES))
