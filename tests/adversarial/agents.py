"""Player programs that hang, flood, fork and cheat: the battle ends and leaves no process."""

import json
import random
import re
import sys
from pathlib import Path

from adversarial.attack import Attack, Judge, command, end, left_running, start, unruly
from helpers.waits import LONG

PLAYER = r"""
import json, os, signal, sys, time

how = sys.argv[1]
raw = sys.stdout.buffer

def legal(message, place=-1):
    word, _, tiles = message["Legal"][place].partition(",")
    return {"Code": 100, "Err_msg": "", "Action_type": word, "Action_content": tiles}

def child(seconds=600):
    if os.fork() == 0:
        time.sleep(seconds)
        os._exit(0)

if how == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
if how == "leaves at once":
    sys.exit(3)
if how == "floods unasked":
    while True:
        raw.write(b"x" * 65536)
if how == "floods stderr":
    for _ in range(2000):
        os.write(2, b"noise " * 1000)
for number, line in enumerate(sys.stdin):
    message = json.loads(line)
    answer = legal(message)
    late = number >= 2
    if how in ("hangs", "deaf") and late:
        time.sleep(600)
    if how == "forks" and number == 0:
        child()
    if how == "forks and leaves" and late:
        child()
        os._exit(5)
    if how == "forks and is killed" and late:
        child()
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "closes stdout" and late:
        os.close(1)
        time.sleep(600)
    if how == "closes stdin" and late:
        os.close(0)
        time.sleep(600)
    if how == "closes both" and late:
        os.close(0), os.close(1)
        child()
        time.sleep(600)
    if how == "floods" and late:
        while True:
            raw.write(b'{"Action_type": "Pass"}\n' * 1000)
    if how == "a line without end" and late:
        while True:
            raw.write(b"9" * 65536)
    if how == "stops" and late:
        os.kill(os.getpid(), signal.SIGSTOP)
    words = {
        "binary": bytes(range(256)) + b"\n",
        "illegal": json.dumps({**answer, "Action_type": "Hu", "Action_content": "5M"}).encode(),
        "a surrogate": b'{"Code": 100, "Action_type": "Discard", "Action_content": "\\ud800"}',
        "a surrogate in its words": b'{"Code": 500, "Err_msg": "\\udcff", "Action_type": ""}',
        "nested": b"[" * 100000,
        "a long number": b'{"Code": ' + b"9" * 5000 + b"}",
        "not a number": b'{"Code": NaN, "Action_type": NaN}',
        "wrong types": b'{"Code": [], "Err_msg": {}, "Action_type": [1], "Action_content": {}}',
        "no object": b"[1, 2]",
        "an empty line": b"",
        "escapes": b'{"Code": 500, "Err_msg": "\\u001b[2J\\n\\r[bold]", "Action_type": ""}',
        "NUL": b"\0\0\0",
    }.get(how) if late else None
    if how == "slowly" and late:
        for byte in json.dumps(answer).encode():
            raw.write(bytes([byte])), raw.flush(), time.sleep(0.2)
    elif words is None:
        words = json.dumps(answer).encode()
    raw.write((words or b"") + b"\n")
    raw.flush()
"""
FAULTS = {
    "hangs": "slow", "deaf": "slow", "forks": None, "forks and leaves": "crash slow",
    "forks and is killed": "crash slow", "closes stdout": "crash", "closes stdin": "slow crash",
    "closes both": "crash", "floods": "crash illegal", "floods unasked": "crash",
    "floods stderr": None, "a line without end": "crash slow", "leaves at once": "crash",
    "stops": "slow", "binary": "crash", "illegal": "illegal", "a surrogate": "crash",
    "a surrogate in its words": "crash", "nested": "crash", "a long number": "crash",
    "not a number": "crash", "wrong types": "crash", "no object": "crash", "an empty line": "crash",
    "escapes": "crash", "NUL": "crash", "slowly": "slow",
}  # fmt: skip
"""What each does, and how its games may end: None is a game like any other."""


def judge(how: str, expected: str | None) -> Judge:
    def case(rng: random.Random, folder: Path) -> str | None:
        (folder / "player.py").write_text(PLAYER)
        player = f"process:{sys.executable} player.py '{how}'"
        others = rng.choices(["first", "random", "l1"], k=3)
        seat = rng.randrange(4)
        agents = [*others[:seat], player, *others[seat:]]
        words = [
            "--quiet",
            "battle",
            *agents,
            "-n",
            "2",
            "--rounds",
            "1",
            "--rules",
            "m0",
            "-j",
            "1",
            "--json",
        ]
        limit = 1.5 if "slow" in (expected or "") else LONG  # the others answer at any load
        words += ["--time-limit", str(limit), "--seed", str(rng.randrange(99)), "-o", "out"]
        mark = f"{rng.getrandbits(64):x}"
        try:
            ran = end(start(command(*words), folder, ATTACK_MARK=mark), folder)
        finally:
            left = left_running(mark)
        fault = left or unruly(ran, (0, 1))  # 1: all games of an agent ended with its fault
        if fault or expected is None:
            return fault
        json.loads(ran.out)
        named = re.findall(r"agent (\d) \(process:.*?\): (\w+): \S", ran.err)
        if not named or {int(number) for number, _ in named} != {seat + 1}:
            return f"the agent of seat {seat + 1} is not named: {ran.err}"
        if not {reason for _, reason in named} <= set(expected.split()):
            return f"expected {expected}: {ran.err}"
        return None

    return case


KINDS = {how: judge(how, expected) for how, expected in FAULTS.items()}
ATTACK = Attack("agents", "player programs that do not do as they should", KINDS)
