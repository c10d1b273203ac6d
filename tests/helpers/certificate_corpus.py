"""Valid certificates, and corrupted certificates with the expected reason of refusal.

`python tests/helpers/certificate_corpus.py` rewrites tests/data/certificates.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mjopt import FULL, Certificate, Hand, certify
from mjopt.analysis.formats import to_opb, to_vipr
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.proofs.native_check import digest

FOLDER = Path(__file__).parents[1] / "data" / "certificates"
Document = dict[str, Any]

# A card of two lines with jokers in pairs and threes.
CARD = """name = "card"
size = 6
[tiles]
suits = "mp"
jokers = 1
without = "56789m56789p"
[jokers]
kinds = "1j"
least = 2
[[form]]
name = "steps"
fixed = "1a22a333a"
[[form]]
name = "melds"
melds = 1
chows = false
fixed = "123b"
kinds = "1234a"
"""

RULES = parse_rules(CARD)

# Hands with stored certificates in every format.
HANDS: dict[str, Callable[[], Certificate]] = {
    "14 tiles": lambda: certify(Hand.parse("1112345678999m1p")),
    "13 tiles": lambda: certify(Hand.parse("1112223334444z", tiles=FULL)),
    "win": lambda: certify(Hand.parse("11122233344455s")),
    "called": lambda: certify(Hand.parse("11223m", melds=["111p", "789s", "3333s"])),
    "called, not named": lambda: certify(Hand.parse("1278m", called=3)),
    "unreachable": lambda: certify(Hand.parse("1278m", called=3), unseen=[0] * 27),
    "limited": lambda: certify(Hand.parse("1278m", called=3), unseen=[2] * 2 + [0] * 23 + [2] * 2),
    "partial": lambda: certify(Hand.parse("5s", called=2, partial=True)),
    "red": lambda: certify(Hand.parse("40m", called=4)),
    "seven pairs": lambda: certify(Hand.parse("1122334455667m8p"), forms=("seven_pairs",)),
    "thirteen orphans": lambda: certify(
        Hand.parse("19m19p199s122334z5m", tiles=FULL), forms=("thirteen_orphans",)
    ),
    "no pairs": lambda: certify(Hand.parse("11m", called=4), forms=("seven_pairs",)),
    "five melds": lambda: certify(Hand.parse("1278m", called=4, rules="taiwan")),
    "one suit": lambda: certify(
        Hand.parse("1278m", melds=["111z", "789m", "2222z"], rules="half-flush")
    ),
    "no suit": lambda: certify(
        Hand.parse("1278m", melds=["111p", "789m", "2222z"], rules="half-flush")
    ),
    "knitted": lambda: certify(
        Hand.parse("19m19p19s1234567z", tiles=FULL), forms="mcr.honours_and_knitted"
    ),
    "own card": lambda: certify(Hand.parse("1123m1j", rules=RULES), forms=RULES.forms[:1]),
    "own card without jokers": lambda: certify(
        Hand.parse("1123m2p", rules=RULES), forms=RULES.forms[:1], unseen="11m1p"
    ),
}


def small() -> Document:
    """A small certificate, the hand `1278m` with three melds called: chow 789m, eye 11m."""
    return certify(Hand.parse("1278m", called=3)).to_document()


def pairs() -> Document:
    """A certificate over two forms."""
    forms = ("standard", "seven_pairs")
    return certify(Hand.parse("1122334455667m8p"), forms=forms).to_document()


def signed(document: Document) -> Document:
    """Return a document with the correct digest of its query."""
    document["digest"] = digest(document)
    return document


def _set(*path: Any, to: Any, sign: bool = False, of: Callable[[], Document] = small) -> Any:
    """Return a factory of a certificate with one changed value."""

    def make() -> Document:
        document = copy.deepcopy(of())
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to(place[path[-1]]) if callable(to) else to
        return signed(document) if sign else document

    return make


def _drop(*path: Any) -> Callable[[], Document]:
    def make() -> Document:
        document = copy.deepcopy(small())
        place: Any = document
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]
        return document

    return make


POTENTIALS = ("bounds", "standard", "potentials")


def _raised() -> Document:
    """Raise the value and the target's distance by discarding a needed tile."""
    document = small()
    document["deficiency"] += 1
    potentials = document["bounds"]["standard"]["potentials"]
    potentials[0] += 1
    return document


def _other_target() -> Document:
    """Replace the target by a complete hand farther away than claimed."""
    document = small()
    used = [0] * 18 + [3] + [0] * 7 + [2]
    document["target"] |= {
        "blocks": [["pong", [18, 18, 18]], ["eye", [26, 26]]],
        "counts": used,
        "draws": used,
        "discards": document["held"],
    }
    return document


# name -> (document, words of the reason)
REFUSED: dict[str, tuple[Callable[[], Document], str]] = {
    "bound raised": (_set("deficiency", to=3), "below the bound 3"),
    "bound and start raised": (_raised, "arc 0 of kind 0: potential 3"),
    "bound lowered": (_set("deficiency", to=1), "target: 2 tiles away, not 1"),
    "potential of the start lowered": (_set(*POTENTIALS, 0, to=1), "start is 1"),
    "potential inside raised": (_set(*POTENTIALS, 9, to=lambda p: p + 9), "potential"),
    "sign flipped": (_set(*POTENTIALS, to=lambda ps: [-p for p in ps]), "start is -2"),
    "potential of the end": (_set(*POTENTIALS, -1, to=1), "end is 1, expected 0"),
    "potential dropped": (_set(*POTENTIALS, to=lambda ps: ps[:-1]), "one per node"),
    "potential added": (_set(*POTENTIALS, to=lambda ps: [*ps, 0]), "one per node"),
    "potential is a boolean": (_set(*POTENTIALS, -1, to=False), "not whole numbers"),
    "potential is a float": (_set(*POTENTIALS, -1, to=0.0), "not whole numbers"),
    "potential is huge": (_set(*POTENTIALS, 3, to=-(10**30)), "not whole numbers"),
    "potential beyond a byte": (_set(*POTENTIALS, 3, to=-129), "not whole numbers"),
    "potential is text": (_set(*POTENTIALS, 3, to="1"), "not whole numbers"),
    "potential is NaN": (_set(*POTENTIALS, 3, to=float("nan")), "NaN, expected a finite number"),
    "potentials are an object": (_set(*POTENTIALS, to={}), "does not prove"),
    "no potentials": (_set(*POTENTIALS, to=[]), "0 potentials"),
    "two kinds of evidence": (
        _set("bounds", "standard", to=lambda b: {**b, "cut": [0]}),
        "one kind of evidence",
    ),
    "a cut that open arcs leave": (_set("bounds", "standard", to={"cut": [0]}), "leaves the cut"),
    "a cut that holds the end": (
        _set("bounds", "standard", to=lambda b: {"cut": [*range(len(b["potentials"]))]}),
        "holds the end",
    ),
    "a cut without the start": (_set("bounds", "standard", to={"cut": [1]}), "hold the start"),
    "a cut with a node twice": (_set("bounds", "standard", to={"cut": [0, 0]}), "a node twice"),
    "a cut of no nodes": (_set("bounds", "standard", to={"cut": [10**20]}), "not nodes"),
    "a cut of booleans": (_set("bounds", "standard", to={"cut": [False]}), "not nodes"),
    "called unreachable": (_set("deficiency", to=None), "does not prove the deficiency None"),
    "evidence of another form": (
        _set("bounds", "standard", to={"least": 2}),
        "'least' does not prove",
    ),
    "bounds for another form": (
        _set("bounds", to=lambda b: {"seven_pairs": b["standard"]}),
        "'standard' is missing",
    ),
    "bounds for one form more": (
        _set("bounds", to=lambda b: {**b, "seven_pairs": {"least": None}}),
        "unknown 'seven_pairs'",
    ),
    "a form's least raised": (
        _set("bounds", "seven_pairs", to={"least": 2}, of=pairs),
        "least is 1, not 2",
    ),
    "a form's least is a boolean": (
        _set("bounds", "seven_pairs", to={"least": True}, of=pairs),
        "does not prove",
    ),
    "value above a form's least": (
        _set("deficiency", to=2, of=pairs),
        "below the bound 2",
    ),
    "a hand of five copies": (_set("held", 0, to=5, sign=True), "numbers in 0..4"),
    "a fifth copy unseen": (_set("unseen", 0, to=4, sign=True), "more copies"),
    "a fifth copy in the target": (
        _set(
            "target",
            "blocks",
            to=[["pong", [0, 0, 0]], ["eye", [0, 0]]],
        ),
        "5 copies of 1m",
    ),
    "decomposition is not the target": (
        _set("target", "blocks", 1, to=["pong", [4, 4, 4]]),
        "not the tiles of target.blocks",
    ),
    "a meld short": (_set("target", "blocks", to=lambda b: b[:-1]), "are not standard"),
    "a meld too many": (
        _set("target", "blocks", to=lambda b: [*b, ["pong", [9, 9, 9]]]),
        "are not standard",
    ),
    "a chow over the end of a suit": (
        _set("target", "blocks", 0, to=["chow", [8, 9, 10]]),
        "is not a 'chow'",
    ),
    "a chow with a gap": (_set("target", "blocks", 0, to=["chow", [0, 1, 3]]), "not a 'chow'"),
    "a shape unknown": (_set("target", "blocks", 0, to=["kong", [0] * 4]), "not a 'kong'"),
    "a block of no kind": (_set("target", "blocks", 0, to=["pong", [27] * 3]), "do not exist"),
    "a block that is none": (_set("target", "blocks", 0, to="chow"), "expected [shape, [kinds]]"),
    "target farther than claimed": (_other_target, "target: 5 tiles away, not 2"),
    "draws changed": (_set("target", "draws", 3, to=1), "target.draws"),
    "discards changed": (_set("target", "discards", 3, to=1), "target.discards"),
    "target of another form": (
        _set("target", "form", to="seven_pairs"),
        "expected one of standard",
    ),
    "target of a form asked for": (
        _set("target", "form", to="seven_pairs", of=pairs),
        "are not seven_pairs",
    ),
    "no target": (_set("target", to=None), "target: None, expected an object"),
    "target part unknown": (_set("target", to=lambda t: {**t, "note": ""}), "unknown 'note'"),
    "unseen lowered": (_set("unseen", 8, to=0), "digest: does not match"),
    "unseen lowered and signed": (_set("unseen", 8, to=0, sign=True), "but 0 can arrive"),
    "called lowered": (_set("called", to=2), "digest: does not match"),
    "called lowered and signed": (_set("called", to=2, sign=True), "one per node"),
    "called beyond four": (_set("called", to=5), "called: 5, expected 0..4"),
    "called is a boolean": (_set("called", to=True), "called: True"),
    "melds fewer than called": (_set("melds", to=["111p"], sign=True), "1 named, but 3 called"),
    "melds that take unseen tiles": (
        _set("melds", to=["111p", "222p", "333p"], sign=True),
        "more copies",
    ),
    "a meld that is none": (_set("melds", to=["12p", "1p", "1z"]), "is not a meld"),
    "hand text of another hand": (_set("hand", to="1279m"), "is not the tiles of held"),
    "hand text in another order": (_set("hand", to="2178m"), "is not the tiles of held"),
    "hand text is no text": (_set("hand", to=None), "is not the tiles of held"),
    "held changed": (_set("held", to=[1] * 4 + [0] * 23), "more copies"),
    "held lowered": (_set("held", 0, to=0), "is not the tiles of held"),
    "held and text changed": (
        lambda: {**small(), "held": [1] * 4 + [0] * 23, "hand": "1234m"},
        "more copies",
    ),
    "too many tiles": (
        lambda: {**small(), "held": [4, 2] + [0] * 25, "unseen": [0] * 27, "hand": "111122m"},
        "6 tiles, expected at most 5",
    ),
    "digest swapped": (_set("digest", to="0" * 64), "digest: does not match"),
    "digest of another hand": (
        _set("digest", to=lambda _: pairs()["digest"]),
        "digest: does not match",
    ),
    "form unknown": (_set("forms", to=["knitted"]), "unknown form 'knitted'"),
    "form twice": (_set("forms", to=["standard"] * 2), "standard is given twice"),
    "no form": (_set("forms", to=[]), "expected at least one"),
    "form is a list": (_set("forms", to=[["standard"]]), "unknown form ['standard']"),
    "format unknown": (_set("format", to="certificate"), "format: 'certificate'"),
    "version of the future": (_set("version", to=2), "version: 2"),
    "version is a boolean": (_set("version", to=True), "version: True"),
    "version is a float": (_set("version", to=1.0), "version: 1.0"),
    "deficiency is a boolean": (_set("deficiency", to=True), "deficiency: True"),
    "deficiency is a float": (_set("deficiency", to=2.0), "deficiency: 2.0"),
    "deficiency is huge": (_set("deficiency", to=10**400), "deficiency: 1000000"),
    "deficiency is negative": (_set("deficiency", to=-1), "deficiency: -1"),
    "claim is not text": (_set("claim", "solver", to=None), "claim: expected text"),
    "claim lacks its solver": (_drop("claim", "solver"), "claim: 'solver' is missing"),
    "field missing": (_drop("unseen"), "certificate: 'unseen' is missing"),
    "field unknown": (lambda: {**small(), "note": ""}, "certificate: unknown 'note'"),
    "tile set of another name": (_set("tiles", "name", to="FULL"), "has other suits"),
    "honours with chows": (
        _set("tiles", "suits", 0, "has_chows", to=False),
        "has other suits",
    ),
    "ranks are booleans": (
        _set("tiles", "suits", 0, "ranks", 0, to=True),
        "whole numbers in ranks",
    ),
    "ranks descend": (_set("tiles", "suits", 0, "ranks", to=[2, 1]), "ranks must ascend"),
    "a suit twice": (_set("tiles", "suits", 1, "letter", to="m"), "letters must differ"),
    "no suits": (_set("tiles", "suits", to=[]), "tiles"),
}


Edit = Callable[[str], str]


def _line(start: str, edit: Edit) -> Edit:
    """Edit the only line with this start."""

    def change(text: str) -> str:
        lines = text.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith(start))
        lines[at] = edit(lines[at])
        return "\n".join(lines)

    return change


def _swap(old: str, new: str) -> Edit:
    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new, 1)

    return change


def _without_last_pair(line: str) -> str:
    """Drop the last multiplier of a `lin` line, and decrease its count."""
    words = line.split()
    at = words.index("lin") + 1
    words[at] = str(int(words[at]) - 1)
    return " ".join(words[:-4] + words[-2:])


def _first_flipped(line: str) -> str:
    words = line.split()
    at = words.index("lin") + 3
    words[at] = str(-int(words[at]))
    return " ".join(words)


def _first_twice(line: str) -> str:
    words = line.split()
    at = words.index("lin") + 2
    words[at + 2] = words[at]
    return " ".join(words)


def _first_out_of_range(line: str) -> str:
    words = line.split()
    words[words.index("lin") + 2] = "9999"
    return " ".join(words)


def _path_shorter(line: str) -> str:
    """Remove the last arc of the path."""
    words = line.split()
    return " ".join([words[0], str(int(words[1]) - 1), *words[2:-2]])


# Edits of the VIPR file of the hand `12m`, four melds called, and the words of the reason.
REFUSED_VIPR: dict[str, tuple[Edit, str]] = {
    "bound raised": (
        lambda t: _line("bound", _swap("G 1", "G 2"))(_swap("range 1 1", "range 2 2")(t)),
        "the solution reaches 1, not 2",
    ),
    "bound alone raised": (_line("bound", _swap("G 1", "G 2")), "the bound is 2, the claim 1"),
    "claim without its upper end": (_swap("range 1 1", "range 1 inf"), "expected 1"),
    "multiplier dropped": (_line("bound", _without_last_pair), "the left side is not"),
    "sign flipped": (_line("bound", _first_flipped), "has the wrong sign"),
    "multiplier twice": (_line("bound", _first_twice), "is given twice"),
    "index out of range": (_line("bound", _first_out_of_range), "is out of range"),
    "path shorter": (_line("point", _path_shorter), "breaks row"),
    "another hand on top": (_swap('"hand":"12m"', '"hand":"13m"'), "more tiles unseen"),
    "other unseen tiles on top": (_swap('"unseen":[3,3', '"unseen":[3,0'), "not that of the hand"),
    "a fifth copy on top": (_swap('"unseen":[3,3', '"unseen":[4,3'), "more tiles unseen"),
    "another form on top": (_swap('"form":"standard"', '"form":"seven_pairs"'), "not that of"),
    "no form on top": (_swap('"form":"standard"', '"form":"all"'), "unknown form 'all'"),
    "a broken comment": (_swap("}]", "]"), "not JSON"),
    "no comment": (lambda t: t.partition("\n")[2], "no comment on top"),
    "a row changed": (_swap("flow_1m_m4e0_00 E 1", "flow_1m_m4e0_00 E 0"), "not that of the hand"),
    "infeasibility claimed": (_swap("RTP range 1 1", "RTP infeas"), "expected 0, found '1'"),
    "another reason": (_line("bound", _swap("lin", "rnd")), "expected lin"),
    "truncated": (lambda t: t[: t.index("DER") + 60], "the text ends too early"),
    "text after the end": (lambda t: t + "bound\n", "after the end"),
}

# Edits of the OPB instance and of the proof of the same hand.
REFUSED_OPB: dict[str, tuple[Edit, Edit, str]] = {
    "bound raised": (str, _swap("BOUNDS 1 : @lb 1", "BOUNDS 2 : @lb 2"), "reaches 1, not 2"),
    "upper end raised": (str, _swap("BOUNDS 1 : @lb 1", "BOUNDS 1 : @lb 2"), "bounds differ"),
    "upper end lowered": (str, _swap("BOUNDS 1 : @lb 1", "BOUNDS 0 : @lb 0"), "reaches 1, not 0"),
    "multiplier dropped": (str, _swap("@lb pol 1 3", "@lb pol 3 3"), "the left side is not"),
    "sign flipped": (str, _swap("@lb pol 1", "@lb pol 2"), "the left side is not"),
    "an arc less": (str, _line("conclusion", _swap(": x1 ", ": ~x1 ")), "breaks constraint"),
    "another hand on top": (_swap('"hand":"12m"', '"hand":"13m"'), str, "more tiles unseen"),
    "a row less": (_line("+1 x1 ", lambda line: f"* {line}"), str, "not that of the hand"),
    "a cost changed": (_line("min:", _swap("+1", "+2")), str, "not that of the hand"),
    "truncated": (str, lambda t: t[: len(t) // 2], "the last line does not end"),
    "an assumption": (str, _swap("@lb pol", "@lb a"), "expected '@lb pol '"),
    "a rule more": (str, _swap("output", "a 1 x1 >= 1 ;\noutput"), "expected 'output NONE'"),
}


def accepted() -> list[dict[str, Any]]:
    """Every hand in every format."""
    rows: list[dict[str, Any]] = []
    for name, make in HANDS.items():
        certificate = make()
        for kind, texts in (
            ("native", [certificate.to_json()]),
            ("VIPR", [to_vipr(certificate)]),
            ("VeriPB", [*to_opb(certificate)]),
        ):
            if sum(map(len, texts)) < 60_000:  # large proofs are written and checked in the tests
                value = certificate.to_document()["deficiency"]
                rows.append({"name": name, "format": kind, "value": value, "texts": texts})
    return rows


def refused() -> list[dict[str, Any]]:
    """Every corrupted certificate."""
    rows: list[dict[str, Any]] = [
        {"name": name, "format": "native", "reason": reason, "texts": [json.dumps(make())]}
        for name, (make, reason) in REFUSED.items()
    ]
    certificate = certify(Hand.parse("12m", called=4))
    text = to_vipr(certificate)
    for name, (edit, reason) in REFUSED_VIPR.items():
        rows.append({"name": name, "format": "VIPR", "reason": reason, "texts": [edit(text)]})
    instance, proof = to_opb(certificate)
    for name, (first, second, reason) in REFUSED_OPB.items():
        texts = [first(instance), second(proof)]
        rows.append({"name": name, "format": "VeriPB", "reason": reason, "texts": texts})
    return rows


def write() -> None:
    """Write the corpus as JSON lines."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, rows in (("accepted", accepted()), ("refused", refused())):
        lines = [json.dumps(row) for row in rows]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write()
