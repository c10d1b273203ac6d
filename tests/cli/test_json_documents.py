"""The documents of ``--json`` have exactly the keys and types of docs/reference/json.md."""

import json
import random
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.plain_reports import simplify_reports
from helpers.short_log import THREE_PLAYERS
from reference_implementations.win_chance import certificate, tiny_worlds

import mjopt.cli.tables as tables_module
import mjopt.cli.train as train_module
import mjopt.cli.warm as warm_module
from mjopt.analysis.table_proof import FIELDS, FORMAT, table_counts
from mjopt.cli.main import HELP, execute, load_command
from mjopt.play.learning.training import TrainingResult
from mjopt.studies.reproduction.run import SCALES, Scale
from mjopt.tables.standard.table_file import load_tables

WINNING, WAITING, DRAWN, HONOURS = (
    "11122233344455s",
    "1112345678999m1p",
    "123m456p1122789s",
    "4569m13445788p2s4z",
)
SEVENTEEN, KNITTED = "123456789m123p12358s", "147m258p369s11222z"
L = "ndde:population=6,generations=5"
CASES: dict[str, tuple[str, ...]] = {
    "deficiency": (
        f"{DRAWN}",
        f"{DRAWN} {WAITING} --unseen 1m",
        f"{HONOURS} --tiles 136 --forms standard,seven_pairs,thirteen_orphans",
        f"{DRAWN} --model network",
        f"{DRAWN} --model partition",
        f"{DRAWN} --model predecomposition",
        f"{DRAWN} --model network --forms standard,seven_pairs",
        f"{SEVENTEEN} --rules taiwan",
        f"{SEVENTEEN} --rules taiwan --model network",
        "1111m --called 3 --unseen 2m",
    ),
    "forms": ("",),
    "win": (WINNING, DRAWN, f"{KNITTED} --rules mcr"),
    "discards": (
        DRAWN,
        "1112m --called 3",
        "11123m --called 3",
        f"{HONOURS} --tiles 136",
    ),
    "targets": (
        f"{HONOURS} --tiles 136 --limit 2",
        "1111m --called 3 --unseen 2m",
        f"{SEVENTEEN} --rules taiwan",
    ),
    "draws": (
        "12m --called 4",
        "1m --called 4",
        "1m --called 4 --wall 2m",
        "12m --called 4 --wall 3m",
    ),
    "advise": (
        "'11m12p melds=123s,456s,789s draws=3' --offered 3p",
        "'1m called=4 draws=0'",
        "2479m1368p159s127z",
    ),
    "danger": (
        "'11m123p called=3' --opponent 'discards=9m ready=yes'",
        "'1m called=4' --opponent 'melds=222z,333z,444z,555z' --opponent called=3 --prior uniform",
        "11m123456789p123s --rules full-flush --opponent melds=111z",
    ),
    "win-chance": (
        "12m --called 4 --draws 3",
        "1m --called 4 --draws 3 --waste 1",
        "11m --called 4",
    ),
    "audit": ("values.csv", "answers.jsonl"),
    "audit-engine": (
        "xiangting --hands hands.txt",
        "--command 'sed s/.*/x/' --ask win --hands hands.txt",
        "engine.py:find --hands ready.txt",
    ),
    "census": ("--types 1", "--rules sanma --size 13"),
    "ceiling build": ("--called 4 --draws 3 --all-layers -o t.ceiling",) * 2,
    "ceiling check": ("t.ceiling --sample 3", "t.ceiling --sample 3 --quick", "hands.txt"),
    "ceiling describe": ("t.ceiling -o t.svg",),
    "instances build": ("-o instances --number 7 --seed 2 -j 1",),
    "instances solve": ("instances -o runs --solver cbc --model completion",),
    "certify": (
        DRAWN,
        f"{DRAWN} -o hand.json",
        f"{HONOURS} --tiles 136 -o hand.vipr",
        f"{DRAWN} -o hand.opb",
        "1111m --called 3 --unseen 2m",
    ),
    "verify": (
        "hand.json",
        "hand.json hand.vipr hand.opb nothing.json",
        "play.json",
    ),
    "explain": (DRAWN, f"{WAITING} --unseen 1m", f"{SEVENTEEN} --rules taiwan"),
    "tables certify": ("", "-o proof.json"),
    "tables verify": ("proof.json", "hand.json"),
    "search": (
        f"{DRAWN} --seed 1 --method ndde:generations=3",
        f"{DRAWN} --method tree-search",
        f"{DRAWN} --seed 1 --certify",
    ),
    "compare": (
        f"{L} tree-search --hands two-type:6 --runs 2 -j 1 -o study",
        f"{L} --hands two-type:6 --runs 1 -j 1 -o alone",
    ),
    "reproduce": ("table7 -j 1",),
    "dataset build": ("deals:30 -o set -j 1 --labels deficiency,useful,certificate --check 1",),
    "dataset check": ("set",),
    "dataset describe": ("set",),
    "dataset sample": ("set -n 2",),
    "battle": (
        "l1 l2 l1 l3 -n 20 -j 1",
        "l1 l2 first random -n 1 --rules jj -j 1 --records games.txt",
        "gmjbg-table-1 -n 20 -j 1",
        "section-4.3 -n 1 -j 1",
    ),
    "league": ("l1 l2 l3 -n 20 -j 1",),
    "solitaire": ("useful deficiency -n 20 -j 1",),
    "replay": ("games.txt", "values.csv"),
    "review": (
        "games.txt --by draws -j 1",
        "three.json --by chance -j 1",
        "values.csv games.txt -o judged -j 1",
        "games.txt games.txt -j 1",
    ),
    "train": (
        "perfect --preset tiny -o learned",
        "normal --from learned --preset tiny -o learned",
        "imitation --preset tiny -o learned",
    ),
    "models": ("",),
    "shanten": (HONOURS, f"{DRAWN} {WAITING} --unseen 1m", "1111m --called 3 --forms standard"),
    "methods": ("",),
    "agents": ("",),
    "warm": ("",),
}
AFTER = {
    "ceiling check": "ceiling build",
    "ceiling describe": "ceiling build",
    "instances solve": "instances build",
    "verify": "certify",
    "tables verify": "tables certify",
    "dataset check": "dataset build",
    "dataset describe": "dataset build",
    "dataset sample": "dataset build",
    "replay": "battle",
    "review": "battle",
}
"""Commands that read what another wrote."""
FILES = {
    "values.csv": "hand,deficiency\n1111m123p112233s,1\n11122233344455s,7\n11111m,2\n"
    "1112345678999m1p,x\n",
    "answers.csv": f"hand,win,useful,discard\n{WAITING},0,1m,-\n{DRAWN},yes,1m,5r\n",
    "hands.txt": f"{HONOURS}\n{WINNING}\n",
    "ready.txt": f"{WAITING}\n",
    "engine.py": "def find(hand):\n    return {'win': True, 'discard': '1m', 'ukeire': None}\n",
    "answers.jsonl": f'{{"hand": "{WAITING}", "win": true, "useful": "9s", "discard": null}}\n'
    f'{{"hand": "{HONOURS}", "win": false, "useful": null, "discard": "7z"}}\n',
    "three.json": THREE_PLAYERS,
    "play.json": json.dumps(certificate(next(tiny_worlds(random.Random(3))))),
}


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command by its words."""
    for name in HELP:
        loaded = load_command(name)
        if subs := getattr(loaded, "commands", None):
            yield from ((f"{name} {sub}", command) for sub, command in subs.items())
        else:
            yield name, loaded


def has_json(command: Any) -> bool:
    return any("--json" in parameter.opts for parameter in command.params)


PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
SECTIONS = {
    name: text
    for names, text in re.findall(r"^## mjopt (.+)\n((?:(?!## ).*\n?)*)", PAGE, re.MULTILINE)
    for name in names.split(", ")
}
TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "object": (dict,),
    "array": (list,),
}

Keys = dict[str, tuple[str, bool]]
"""Type and whether it is optional, by path of the key."""


def tables_of(name: str) -> list[Keys]:
    """Return the alternative tables of keys of a command."""
    tables: list[Keys] = []
    for text in SECTIONS[name].split("\nOr:\n"):
        rows = re.findall(r"^\| `([^`?]+)(\??)` \| (.*?) \|", text, re.MULTILINE)
        keys = {path: (kind, bool(mark)) for path, mark, kind in rows}
        for path, (kind, _) in [*keys.items()]:
            if kind.startswith("as "):  # the same keys as another object or the first table
                del keys[path]
                is_first = kind == "as the first table"
                source, prefix = (tables[0], "") if is_first else (keys, kind[4:-1] + ".")
                for other, row in [*source.items()]:
                    if other.startswith(prefix):
                        keys[f"{path}.{other.removeprefix(prefix)}"] = row
        tables.append(keys)
    return tables


def faults(name: str, document: Any) -> list[str]:
    """Return the differences of a document from the table that fits best."""
    if isinstance(document, list):
        assert "Or a list of such objects." in SECTIONS[name]
        return [fault for part in document for fault in faults(name, part)]
    return min((list(differences(document, "", keys)) for keys in tables_of(name)), key=len)


def differences(value: Any, path: str, keys: Keys) -> Iterator[str]:
    if isinstance(value, list):
        for element in value:
            yield from differences(element, f"{path}[]", keys)
    if not isinstance(value, dict):
        return
    prefix = f"{path}." if path else ""
    listed = {key for key in keys if re.fullmatch(re.escape(prefix) + r"[^.\[{]+", key)}
    for key, inner in value.items():
        inside = f"{prefix}{key}"
        if inside in keys:
            if not has_type(inner, keys[inside][0]):
                yield f"{inside}: {inner!r:.100}, expected {keys[inside][0]}"
            yield from differences(inner, inside, keys)
        elif listed and "format" not in listed:  # certificates have their own page
            yield f"{inside}: not listed"
        else:
            yield from differences(inner, f"{path}{{}}", keys)
    for key in sorted(listed):
        if not keys[key][1] and key.removeprefix(prefix) not in value:
            yield f"{key}: missing"


def has_type(value: Any, kind: str) -> bool:
    if kind.startswith('"'):
        return bool(value == kind.strip('"'))
    names = re.sub(r" of .*?(?= or null|,|$)", "", kind).partition(",")[0].split(" or ")
    if isinstance(value, bool):
        return "boolean" in names
    return isinstance(value, tuple(t for name in names for t in TYPES[name]))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return one folder for all cases, because some read the output of others."""
    folder = tmp_path_factory.mktemp("documents")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    recounted = table_counts(load_tables())
    proof = {"format": FORMAT, "mjopt": "0.1.0", "seconds": 4.5, **recounted}
    tiny = Scale(
        hands={"one": "one-type@4", "two": "two-type:4", "three": "three-type:4"},
        runs=2,
        sample=2,
        timed=2,
    )
    trained = TrainingResult(
        weights=folder / "weights.npz",
        report=folder / "report.html",
        steps=40,
        seconds=2.5,
        last={"loss": 4.5, "gate": None},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setitem(SCALES, "quick", tiny)
        patch.setattr(warm_module, "EXAMPLES", {"none": lambda: None})
        patch.setattr("mjopt.instances.build.MODELS", ("completion",))
        simplify_reports(patch)
        patch.setattr(train_module, "train", lambda *_, **__: trained)
        patch.setattr(
            tables_module, "certify_tables", lambda: {name: proof[name] for name in FIELDS}
        )
        yield folder


@pytest.mark.parametrize("name", CASES)
def test_documents_have_the_listed_keys(
    name: str, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if (before := AFTER.get(name)) and not (marker := place / f"{before}.done").exists():
        for words in CASES[before]:
            execute([*before.split(), *words.split()])
        marker.touch()  # the other case may run in another process
        capfd.readouterr()
    for words in CASES[name]:
        execute([*name.split(), *shlex.split(words), "--json"])
        ran = capfd.readouterr()
        assert ran.out, f"{name} {words}: {ran.err}"
        assert faults(name, json.loads(ran.out)) == [], words
    (place / f"{name}.done").touch()


def test_every_command_with_json_is_documented_and_tested() -> None:
    """A new command needs a section in docs/reference/json.md, and arguments in CASES."""
    names = {name for name, command in commands() if has_json(command)}
    assert names == set(SECTIONS)
    assert names - CASES.keys() == set()


def test_other_keys_and_types_are_found() -> None:
    row = {"hand": "1m", "win": False, "forms": [], "decompositions": []}
    assert faults("win", row) == []
    assert faults("win", row | {"more": 1}) == ["more: not listed"]
    assert faults("win", row | {"win": 1}) == ["win: 1, expected boolean"]
    del row["forms"]
    assert faults("win", row) == ["forms: missing"]
