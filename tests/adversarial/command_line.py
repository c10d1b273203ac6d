"""Every command with invalid words: one line, a documented status, no leftovers."""

import random
from functools import cache
from pathlib import Path

from adversarial.attack import (
    Attack,
    Judge,
    Skipped,
    left_lying,
    run_here,
    says_unreadable,
    told,
    unruly,
)
from adversarial.materials import MADE, TEXT_FILES, TYPED, bring

from mjopt.cli.main import HELP, load_command

# One quick use of each command; names of materials are copied into the folder.
USES = """
deficiency 123m456p1122789s 1112345678999m1p --json
deficiency 4569m13445788p2s4z --tiles 136 --model network --solver highs
deficiency 1278m --called 3 --unseen 234m --forms standard,seven_pairs
win 11122m444p567s --meld 123p
discards 4569m13445788p2s4z --tiles 136
targets 222267m7777p3333s --limit 3
shanten 123456m789p1146s1z 1122m3344p5566s77z --forms riichi --json
deficiency 147m258p369s1122z --rules mcr --json
discards 12358s --rules taiwan --called 4
win 147m258p369s11222z --forms mcr.knitted_straight
discards 11122233344455s
draws 113399s --called 2 --partial --wall 1223s2z --tiles 136
advise 1122m44p5678s --meld 123p --offered 4p --seen 5s --draws 3 --json
danger 1122m44p5678s --seen 5s --opponent "melds=123p discards=1z ready=yes" --json
danger "11m123p called=3" --opponent called=4 --opponent passed=9m --prior uniform
export 11m --called 4 --model network --solver cbc -o out.mps
label hands.txt -o out.csv --check 1
label hands.csv --model blockwise -o out.jsonl
audit values.csv -o found
audit values.csv --column deficiency=shanten --forms riichi
audit hands.csv --column hand=skip --json
audit-engine mahjong --hands deals:9 -o out --seed 1
audit-engine xiangting --ask deficiency --hands hands.txt
audit-engine --command cat --ask useful --hands hands.txt --timeout 5
audit-engine --command echo --protocol json --hands deals:3 --timeout 2
census --tiles 136 --size 13
census --rules sichuan --types 2
ceiling build --called 4 --draws 3 -o out.ceiling
ceiling check t.ceiling --sample 3
ceiling describe t.ceiling -o out.svg
instances build -o made --number 7
instances solve made -o runs --solver cbc --model completion
certify 1112345678999m1p -o out.opb
certify --hands hands.txt -o out.jsonl
verify hand.json hand.vipr hand.opb
explain 1m --called 4 --unseen 234m
tables verify proof.json
search 11123456789999m --seed 1 --method pso:population=4,generations=2,repair=random
compare tree-search --hands two-type:2 --runs 1 -o out
reproduce table0 -o out --seed 1
dataset build deals:9 -o out --shards 2 --seed 1 --labels deficiency,win --check 1
dataset build deals:9 -o out --rules half-flush --labels deficiency:half-flush --size 13
dataset check dataset --sample 1
dataset card dataset
dataset describe dataset --json
dataset sample dataset -n 2
dataset positions records.txt -o out.parquet
battle l1 l3 random first -n 1 --rules m0 --records out.txt --seed 1
mjai l3 --seed 1 --calls never
league l1 l2 -n 4 --seed 1
solitaire useful deficiency -n 4 --draws 3 --seed 1 -o out
play l1 random first --seed 3 --records out.txt
replay records.txt --show 1
win-chance 1123m --called 3 --draws 3 -o play.json
review records.txt --seat 1 --by draws -o judged.csv
train imitation --from deficiency --preset tiny -o out --set normal_games=2 --set decay_steps=1
train perfect --preset tiny -o out --set games=2 --set steps=2 --set versions=1 --seed 1
train normal --from nowhere --preset tiny -o out
models --json
forms --json
warm --jobs 1
methods --json
agents --json
""".strip().splitlines()

TEXTS = (
    "", " ", "-", "--", "---", "-1", "0", "1", "2", "7", "99", "1.5", "1e3", "1e400", "nan", "inf",
    "-inf", "٣", "0x10", "1_000", str(10**30), str(-(10**30)), "x", "ü", "🀇", "\udcff", "\n",
    "a\nb", "%s", "{}", "[bold]", "[/]", "$HOME", "~", "*", "../nowhere/out.csv", "/dev/null",
    ".", "..", "/", "a" * 300, "no-such-file", "hands.txt", "in.xls", "m0", "136", "M0", "mpsz",
    "paper", "11111m", "123m", "1z", "0m", "123m456p789s1122s", "standard", "standard,standard",
    "seven_pairs", "thirteen_orphans", "json", "vipr", "network", "cbc", "deals:3", "deals:-1",
    "deals:nan", "file:", "file:nowhere", "kongs:2:9", "l1", "l9", "l1:", "l1:x=1", "process:",
    "process:'", "process:no-such-program", "deficiency:method=x", "deficiency:time=1", "ndde:",
    "一二三萬東", "１ｍ", "m123", "W1 W2", "123M,4p", "full", "riichi", "kokushi", "all",
    "ndde:population=0", "ndde:population=x", "a=1,b=-1", "a=1,a=1", "train=0.5", "all,all",
)  # fmt: skip
OF_OPTION = {
    "--command": ("cat", "sed s/.*/1/", "false", "yes", "sleep 9", "'", "", " ", "no-such x",
                  "head", "sh -c 'head -1'", "sh -c 'kill $$'", "printf 1", "hands.txt",
                  "process:cat"),
    "--ask": ("win", "win,useful", "win,win", "win,", ",", "shanten;win", "WIN", "none"),
    "--protocol": ("text", "json", "JSON", "xml", "mpsz"),
    "--timeout": ("nan", "0", "-1", "inf", "1e-9", "0.5", "86401", "1e400", "1s"),
    "--column": ("deficiency", "deficiency=shanten", "deficiency=skip", "=win", "=", "hand=win",
                 "no=win", "deficiency=none", "deficiency=win=win", "1=useful"),
}  # fmt: skip
"""Values that an option half of the time has, besides those of all options."""

FEW = {"--jobs", "-j"}  # options whose large values take long
LONG = {"--again", "--preset", "--scheduler", "--help"}  # long work, or a port in use


@cache
def options(name: str) -> tuple[tuple[str, bool], ...]:
    """Return the options of a command, and whether each is a flag."""
    first, *rest = name.split()
    found = load_command(first)
    for word in rest:
        found = getattr(found, "commands", {word: found})[word]
    every = [(name, getattr(param, "is_flag", False)) for param in found.params
             for name in param.opts]  # fmt: skip
    return tuple(option for option in every if option[0].startswith("-") and option[0] not in LONG)


def value(option: str, rng: random.Random) -> str:
    if option in OF_OPTION and rng.random() < 0.5:
        return rng.choice(OF_OPTION[option])
    return rng.choice(("0", "-1", "x", "", "nan", "1.5") if option in FEW else TEXTS)


def spoilt(name: str, words: list[str], rng: random.Random) -> list[str]:
    """Replace, drop, repeat, exchange or add some words of a command."""
    head = len(name.split())
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        at = rng.randrange(head, len(words)) if len(words) > head else head
        how = rng.randrange(6)
        if how < 2 and len(words) > head:
            words[at] = value(words[at - 1], rng)
        elif how == 2:
            del words[at : at + 1]
        elif how == 3:
            words[at:at] = words[at : at + 1]
        elif how == 4 and options(name):
            option, is_flag = rng.choice(options(name))
            words += [option] if is_flag else [option, value(option, rng)]
        else:
            words.insert(at, rng.choice(TEXTS))
    if name == "ceiling build":
        words += ["--called", "4", "--draws", "3"]  # other tables take minutes and gigabytes
    if name == "instances build":
        words += ["--number", "7"]  # the whole set takes minutes
    has_jobs = any(option == "--jobs" for option, _ in options(name))
    if has_jobs and not FEW & set(words):
        words += ["--jobs", "1"]  # starting workers in every case would take an hour
    return words


def judge(name: str, uses: list[list[str]]) -> Judge:
    def case(rng: random.Random, folder: Path) -> str | None:
        words = spoilt(name, list(rng.choice(uses)), rng)
        if name == "review" and "/" in words:
            raise Skipped("it would read every file of this machine")
        for word in set(words):
            if word in MADE or word in TEXT_FILES:
                bring(word, folder)
        before = {path.name for path in folder.iterdir()}
        try:
            ran = run_here(["--quiet", *words], TYPED)
        except Exception as error:
            return f"{words}: a traceback: {type(error).__name__}: {error}"
        fault = unruly(ran) or left_lying(folder)
        if ran.status == 2 and len(lines := told(ran)) != 1 and not says_unreadable(ran):
            fault = fault or f"{len(lines)} lines: {lines}"
        for path in folder.iterdir():
            if path.name not in before:
                asked = bool({"", "."} & {*words}) or any(path.stem in word for word in words)
                if not asked or (ran.status == 2 and path.is_file()):
                    fault = fault or f"status {ran.status}, left behind: {path.name}"
        return f"{words}: {fault}" if fault else None

    return case


GROUPS = ("ceiling", "dataset", "instances", "tables", "train")


def uses_by_command() -> dict[str, list[list[str]]]:
    uses: dict[str, list[list[str]]] = {}
    for line in USES:
        words = line.split()
        name = " ".join(words[: 2 if words[0] in GROUPS else 1])
        uses.setdefault(name, []).append(words)
    return uses


def kinds() -> dict[str, Judge]:
    uses = uses_by_command()
    # New commands are included; `serve` does not end, and tests/play/serve attacks it.
    assert {name.split()[0] for name in uses} == set(HELP) - {"serve"}
    return {name: judge(name, found) for name, found in uses.items()}


ATTACK = Attack("command line", "every command with random bad words", kinds())
