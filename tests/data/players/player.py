"""A player behind the message interface: the first word says how it behaves.

Any language would do; this one needs nothing but its standard library.
"""

import json
import sys
import time


def answer_of(behaviour, message):
    if behaviour == "error":
        return {"Code": 500, "Err_msg": "illegal", "Action_type": "", "Action_content": ""}
    if behaviour == "cheat":
        return {"Code": 100, "Err_msg": "", "Action_type": "Hu", "Action_content": "5M"}
    word, _, tiles = message["Legal"][-1].partition(",")
    return {"Code": 100, "Err_msg": "", "Action_type": word, "Action_content": tiles}


def main(behaviour="last"):
    for number, line in enumerate(sys.stdin, start=1):
        if behaviour == "late" and number == 3:
            time.sleep(30)
        if behaviour == "dead" and number == 3:
            sys.exit(7)
        if behaviour == "babble":
            print("hello", flush=True)
            continue
        answer = json.dumps(answer_of(behaviour, json.loads(line)))
        for _ in range(2 if behaviour == "twice" else 1):
            print(answer, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
