"""Run the attacks for a time, or repeat one case: `make attack` (docs/about/robustness.md)."""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from adversarial.attack import Attack, Outcome, Worker, serve
from adversarial.everything import ATTACKS

import mjopt
from mjopt._internal.tables import Table
from mjopt.cli.output import print_tables
from mjopt.cli.progress import Bar

SHOWN = 3  # failures of one kind that are printed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m adversarial", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="time shared by the attacks")
    parser.add_argument("--seed", type=int, default=None, help="random by default")
    parser.add_argument("--attack", action="append", choices=ATTACKS, help="only these")
    parser.add_argument("--case", type=int, default=None, help="run this case only")
    parser.add_argument("--kind", help="run cases of this kind only")
    parser.add_argument("--journal", default=".attack.journal", help="file of finished cases")
    parser.add_argument("--list", action="store_true", help="list the attacks and their kinds")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    attacks = [ATTACKS[name] for name in options.attack or ATTACKS]
    if options.worker:
        serve(ATTACKS)
    elif options.list:
        for attack in attacks:
            print(f"{attack.name}: {attack.about}", *attack.kinds, sep="\n    ")
    elif options.case is not None:
        return repeat(attacks[0], options.seed or 0, options.case)
    else:
        path = Path(options.journal)
        return attack_all(attacks, options.seed, options.minutes * 60, path, options.kind)
    return 0


def repeat(attack: Attack, seed: int, case: int) -> int:
    with Worker() as worker:
        outcome = worker.run(attack, seed, case)
    verdict = outcome.fault or (f"skipped: {outcome.skipped}" if outcome.skipped else "passed")
    print(f"{attack.name}, case {case}, {outcome.kind}: {verdict}")
    return 1 if outcome.fault else 0


def read_journal(path: Path) -> list[Any]:
    """Return the lines of a journal, except a last one that a kill truncated."""
    text = path.read_text() if path.exists() else ""
    return [json.loads(line) for line in text.rpartition("\n")[0].splitlines()]


def attack_all(
    attacks: list[Attack], seed: int | None, budget: float, path: Path, kind: str | None
) -> int:
    """Divide the time among the attacks; the one with the least time so far is next.

    The journal holds the seed and the settings in its first line and then one finished case a line.
    """
    settings = [mjopt.__version__, kind, {attack.name: list(attack.kinds) for attack in attacks}]
    stored, *finished = read_journal(path) or [None]
    if seed is None:
        seed = stored[0] if stored else random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    spent, cases = Counter({a.name: 0.0 for a in attacks}), Counter[str]()
    outcomes: list[Outcome] = []

    def count(outcome: Outcome) -> None:
        spent[outcome.attack] += outcome.seconds
        cases[outcome.attack] = outcome.case + 1
        outcomes.append(outcome)

    with (
        path.open("w") as journal,
        Bar("attacking", budget, unit="s", resumes=True) as bar,
        Worker() as worker,
    ):
        print(json.dumps([seed, settings]), file=journal, flush=True)
        for outcome in finished if stored == [seed, settings] else ():
            print(json.dumps(outcome), file=journal, flush=True)
            count(Outcome(*outcome))
        bar.advance(sum(spent.values()))
        if outcomes:
            bar.say(f"resuming after {len(outcomes)} cases")
        by_name = {attack.name: attack for attack in attacks}
        while sum(spent.values()) < budget:
            attack = by_name[min(spent, key=lambda name: spent[name])]
            case = cases[attack.name]
            while kind is not None and attack.kind(case) != kind:
                case += 1
            outcome = worker.run(attack, seed, case)
            print(json.dumps(outcome), file=journal, flush=True)
            count(outcome)
            bar.advance(outcome.seconds)
            if outcome.fault:
                bar.say(f"{outcome.attack}, case {case}, {outcome.kind}: {outcome.fault}")
    report(attacks, outcomes, seed)
    path.unlink()
    return 1 if any(outcome.fault for outcome in outcomes) else 0


def report(attacks: list[Attack], outcomes: list[Outcome], seed: int) -> None:
    """Print the skipped cases, the failures with the command that repeats each, and the table."""
    for skipped in dict.fromkeys((o.attack, o.kind, o.skipped) for o in outcomes if o.skipped):
        print("skipped: {}, {}: {}".format(*skipped))
    failed = Counter[tuple[str, str]]()
    for outcome in outcomes:
        failed[outcome.attack, outcome.kind] += bool(outcome.fault)
        if outcome.fault and failed[outcome.attack, outcome.kind] <= SHOWN:
            options = f"--attack '{outcome.attack}' --seed {seed} --case {outcome.case}"
            print(f"{outcome.attack}, {outcome.kind}: {outcome.fault}\n    {options}")
    rows = []
    for attack in attacks:
        cases = [outcome for outcome in outcomes if outcome.attack == attack.name]
        num_skipped = sum(bool(outcome.skipped) for outcome in cases)
        num_faults = sum(bool(outcome.fault) for outcome in cases)
        seconds = sum(outcome.seconds for outcome in cases)
        num_kinds = len({outcome.kind for outcome in cases})
        num_run = len(cases) - num_skipped
        rows.append(
            {
                "attack": attack.name,
                "kinds": num_kinds,
                "cases": num_run,
                "skipped": num_skipped,
                "failures": num_faults,
                "seconds": seconds,
            }
        )
    formats = {"seconds": ",.0f"}
    print_tables([Table(name="attack", title=f"seed {seed}", rows=rows, formats=formats)])
    if any(failed.values()):
        print("repeat a case: PYTHONPATH=tests python -m adversarial and the options below it")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
