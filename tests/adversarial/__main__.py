"""Run the attacks for a time, or repeat one case: `make attack`, described in docs/attack.md."""

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path

from adversarial.attack import Attack, Outcome, Worker, serve
from adversarial.everything import ATTACKS
from adversarial.journal import Journal

import mjopt
from mjopt._internal.report import make_table
from mjopt.cli.output import print_tables
from mjopt.cli.progress import Bar

SHOWN = 3  # failures of one kind that are printed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m adversarial", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="shared by the attacks")
    parser.add_argument("--seed", type=int, default=None, help="one is drawn otherwise")
    parser.add_argument("--attack", action="append", choices=ATTACKS, help="these only")
    parser.add_argument("--case", type=int, default=None, help="one case alone")
    parser.add_argument("--kind", help="cases of one kind only")
    parser.add_argument("--journal", default=".attack.journal", help="what is done so far")
    parser.add_argument("--list", action="store_true", help="name the attacks and their kinds")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    chosen = [ATTACKS[name] for name in given.attack or ATTACKS]
    if given.worker:
        serve(ATTACKS)
    elif given.list:
        for attack in chosen:
            print(f"{attack.name}: {attack.about}", *attack.kinds, sep="\n    ")
    elif given.case is not None:
        return repeat(chosen[0], given.seed or 0, given.case)
    else:
        path = Path(given.journal)
        seed = kept_seed(path) if given.seed is None else given.seed
        return attack_all(chosen, seed, given.minutes * 60, path, given.kind)
    return 0


def kept_seed(path: Path) -> int:
    """Return the seed of the run that was interrupted, or draw one."""
    try:
        return int(path.with_suffix(".seed").read_text())
    except (OSError, ValueError):
        return random.SystemRandom().randrange(10**6)


def repeat(attack: Attack, seed: int, case: int) -> int:
    with Worker() as worker:
        found = worker.run(attack, seed, case)
    said = found.fault or (f"skipped: {found.skipped}" if found.skipped else "held")
    print(f"{attack.name}, case {case}, {found.kind}: {said}")
    return 1 if found.fault else 0


def attack_all(
    attacks: list[Attack], seed: int, budget: float, path: Path, kind: str | None
) -> int:
    """Divide the time among the attacks; the one with the least time so far is next."""
    print(f"seed {seed}")
    path.with_suffix(".seed").write_text(f"{seed}\n")
    settings = [mjopt.__version__, seed, kind, {a.name: list(a.kinds) for a in attacks}]
    spent, cases = Counter({a.name: 0.0 for a in attacks}), Counter[str]()
    found: list[Outcome] = []

    def count(outcome: Outcome) -> None:
        spent[outcome.attack] += outcome.seconds
        cases[outcome.attack] = outcome.case + 1
        found.append(outcome)

    with (
        Journal(path, settings) as journal,
        Bar("attacking", budget, unit="s", resumes=True) as bar,
        Worker() as worker,
    ):
        for record in journal:
            count(Outcome(*json.loads(record)))
        bar.advance(sum(spent.values()))
        if found:
            bar.say(f"going on after {len(found)} cases")
        by_name = {attack.name: attack for attack in attacks}
        while sum(spent.values()) < budget:
            attack = by_name[min(spent, key=lambda name: spent[name])]
            case = cases[attack.name]
            while kind is not None and attack.kind(case) != kind:
                case += 1
            outcome = worker.run(attack, seed, case)
            journal.append(json.dumps(outcome).encode())
            count(outcome)
            bar.advance(outcome.seconds)
            if outcome.fault:
                bar.say(f"{outcome.attack}, case {case}, {outcome.kind}: {outcome.fault}")
    report(attacks, found, seed)
    journal.discard()
    path.with_suffix(".seed").unlink()
    return 1 if any(outcome.fault for outcome in found) else 0


def report(attacks: list[Attack], found: list[Outcome], seed: int) -> None:
    """Print the skipped cases, the failures with the command that repeats each, and the table."""
    for what in dict.fromkeys((o.attack, o.kind, o.skipped) for o in found if o.skipped):
        print("skipped: {}, {}: {}".format(*what))
    failed = Counter[tuple[str, str]]()
    for outcome in found:
        failed[outcome.attack, outcome.kind] += bool(outcome.fault)
        if outcome.fault and failed[outcome.attack, outcome.kind] <= SHOWN:
            repeating = f"--attack '{outcome.attack}' --seed {seed} --case {outcome.case}"
            print(f"{outcome.attack}, {outcome.kind}: {outcome.fault}\n    {repeating}")
    rows = []
    for attack in attacks:
        mine = [outcome for outcome in found if outcome.attack == attack.name]
        made = sum(not outcome.skipped for outcome in mine)
        faults = sum(bool(outcome.fault) for outcome in mine)
        seconds = sum(outcome.seconds for outcome in mine)
        kinds = len({outcome.kind for outcome in mine})
        rows.append((attack.name, kinds, made, len(mine) - made, faults, seconds))
    columns = (
        "attack | kinds:count | cases:count | skipped:count | failures:count | seconds:number:0"
    )
    print_tables([make_table("attack", f"seed {seed}", columns, rows)])
    if any(failed.values()):
        print("repeat one: PYTHONPATH=tests python -m adversarial, and the words behind it")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
