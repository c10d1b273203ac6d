"""A bot that speaks mjai: the first word says how it behaves, the second is its seat or a log.

It discards every drawn tile and needs nothing but the standard library.
"""

import json
import sys
import time


def answer_of(behaviour, events, seat):
    last = events[-1]
    if last.get("actor") == seat and last["type"] in ("tsumo", "reach"):
        drawn = last.get("pai") or answer_of.drawn
        answer_of.drawn = drawn
        if behaviour == "reach" and last["type"] == "tsumo" and not answer_of.has_declared:
            answer_of.has_declared = True
            return {"type": "reach", "actor": seat}
        if behaviour in ANSWERS:
            return ANSWERS[behaviour]
        return {"type": "dahai", "actor": seat, "pai": drawn, "tsumogiri": True}
    return {"type": "none"}


answer_of.drawn, answer_of.has_declared = "", False
ANSWERS = {
    "pass": {"type": "none"},
    "other": {"type": "dahai", "actor": 9, "pai": "1m", "tsumogiri": False},
    "list": [{"type": "none"}],
    "untyped": {"actor": 0},
    "win": {"type": "hora", "actor": 0, "target": 0, "pai": "1m"},
    "draw": {"type": "ryukyoku"},
    "unknown": {"type": "dance\u001b[2J"},
    "unheld": {"type": "dahai", "actor": 0, "pai": "5pr", "tsumogiri": False},
    "tile": {"type": "dahai", "actor": 0, "pai": "0p", "tsumogiri": False},
    "kong": {"type": "ankan", "actor": 0, "consumed": []},
}


def main(behaviour="drawn", mark=""):
    seat = None
    for line in sys.stdin:
        if mark.endswith(".log"):
            with open(mark, "a") as log:
                log.write(line)
        events = json.loads(line)
        events = events if isinstance(events, list) else [events]
        for event in events:
            if event["type"] == "start_game":
                seat, answer_of.has_declared = event["id"], False
                if mark.isdigit() and int(mark) != seat:
                    sys.exit(f"seat {mark}, not {seat}")
        if behaviour == "babble":
            print("hello", flush=True)
        elif behaviour == "late" and events[-1]["type"] == "tsumo":
            time.sleep(600)
        elif behaviour == "dead" and events[-1]["type"] == "tsumo":
            sys.exit(7)
        else:
            print(json.dumps(answer_of(behaviour, events, seat)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
