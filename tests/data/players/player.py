"""A player behind the message interface: the first word says how it behaves.

Any language would do; this one needs nothing but its standard library.
"""

import json
import signal
import subprocess
import sys
import time

ERRORS = {"surrogate": "\ud800\x1b[2J\n", "talkative": "very " * 200_000}


def answer_of(behaviour, message):
    if behaviour in ERRORS:
        return {"Err_msg": ERRORS[behaviour]}
    if behaviour == "error":
        return {"Code": 500, "Err_msg": "illegal", "Action_type": "", "Action_content": ""}
    if behaviour == "cheat":
        return {"Code": 100, "Err_msg": "", "Action_type": "Hu", "Action_content": "5M"}
    word, _, tiles = message["Legal"][-1].partition(",")
    return {"Code": 100, "Err_msg": "", "Action_type": word, "Action_content": tiles}


def write_forever(text):
    while True:
        sys.stdout.buffer.write(text)


def main(behaviour="last", mark=""):
    if behaviour in ("helper", "stray helper", "stubborn"):
        # It holds our output open, longer than any test waits.
        wait = [sys.executable, "-c", "import time; time.sleep(600)", mark]
        subprocess.Popen(wait, start_new_session=behaviour == "stray helper")
    if behaviour == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if behaviour == "flood":
        write_forever(b"{}\n" * 10_000)
    if behaviour in ("endless", "binary"):
        sys.stdin.readline()  # not before the request, which would be another fault
        write_forever(b"5m" * 10_000 if behaviour == "endless" else b"\xff\x00\n")
    for number, line in enumerate(sys.stdin, start=1):
        if behaviour == "late" and number == 3:
            time.sleep(600)
        if behaviour == "dead" and number == 3:
            sys.exit(7)
        if behaviour == "babble":
            print("hello", flush=True)
            continue
        if behaviour == "torn":
            print('{"Action_type": "Hu", "Action_type": "Pass"}', flush=True)
            continue
        if behaviour in ("client", "eager client"):
            with open(mark, "a") as told:
                told.write(line)
            if behaviour == "client" and json.loads(line)["Seat"] != json.loads(line)["You"]:
                continue
        message = json.loads(line)
        answer = json.dumps(answer_of(behaviour, {**message, "Legal": message["Legal"] or [","]}))
        for _ in range(2 if behaviour == "twice" else 1):
            print(answer, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
