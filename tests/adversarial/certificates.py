"""Mutated certificates: every accepted claim must be true according to the tables."""

import copy
import json
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from adversarial.attack import Attack, Judge, damaged, one_line
from helpers.certificate_corpus import HANDS, signed
from helpers.proof_checkers import verify_opb, verify_vipr
from helpers.support import deal
from helpers.surroundings import environment

import mjopt
from mjopt import FULL, M0, Certificate
from mjopt.analysis.formats import PROOF_VERSIONS, to_opb, to_vipr, verify_files
from mjopt.analysis.formats.proof_header import read_header
from mjopt.analysis.formats.verification_result import certificate_result
from mjopt.errors import CertificateError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import UNREACHABLE

WEIRD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 5, 127, 128, -129, 2**31, 2**63, 2**64, -(10**40), 0.0, 1.5,
    1e308, "", "1", "standard", "0m", "\ud800", "٣", "\0", [], {}, [[]], [0], [0] * 27, [0] * 34,
    ["m"], {"least": 0}, {"cut": [0]}, {"potentials": []},
)  # fmt: skip
WORDS = (
    "0", "1", "-1", "2", "5", "1.5", "1e3", "9" * 700, "٣", "null", "true", "NaN", "{", "}", "[",
    "]", ",", ":", '"', "standard", "potentials", "cut", "least", "\x00", "\r", "\x85", "\u2028",
)  # fmt: skip


@cache
def certificates() -> tuple[Certificate, ...]:
    """Return the corpus and some certificates of random hands with few unseen tiles."""
    rng = random.Random(13)
    found = [make() for make in HANDS.values()]
    for number in range(12):
        called = number % 5
        hand = deal(rng, rng.choice([M0, FULL]), size=13 + number % 2 - 3 * called, called=called)
        unseen = [rng.randint(0, 2) for _ in hand.counts] if number % 3 == 0 else None
        forms = ("standard", "seven_pairs") if number % 4 == 0 else ("standard",)
        found.append(mjopt.certify(hand, unseen=unseen, forms=forms))
    return tuple(found)


@cache
def texts(kind: str) -> tuple[tuple[str, ...], ...]:
    """The certificates in one format: a text each, or instance and proof."""
    if kind == "native":
        return tuple((certificate.to_json(),) for certificate in certificates())
    single = [one for one in certificates() if len(one.forms) == 1 and one.hand.called]
    if kind == "VIPR":
        return tuple((to_vipr(certificate),) for certificate in single)
    return tuple(to_opb(certificate) for certificate in single)


# Changes of text and of JSON values


def change_text(text: str, other: str, rng: random.Random) -> str:
    """Change a few words, lines or bytes of a text; ``other`` is of another certificate."""
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        how = rng.randrange(8)
        lines, at = text.split("\n"), rng.randrange(len(text) + 1)
        if how == 0:
            text = damaged(text.encode("utf-8", "replace"), rng)[1].decode("utf-8", "replace")
        elif how == 1:  # insert a line of the other text, duplicate, delete or exchange lines
            one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
            rest = other.split("\n")
            new = [rng.choice(rest)], [lines[one]] * 2, [], [lines[two]], [lines[one], lines[two]]
            lines[one : one + 1] = rng.choice(new)
            text = "\n".join(lines)
        elif how in (2, 3, 4):  # words
            line = rng.randrange(len(lines))
            words = lines[line].split(" ")
            word = rng.randrange(len(words))
            words[word] = rng.choice([*WORDS, rng.choice(words), rng.choice(other.split() or [""])])
            lines[line] = " ".join(words)
            text = "\n".join(lines)
        elif how == 5:
            text = (
                text[:at] + rng.choice(["0", "-", " ", "\n", '"', "[" * 5000, ",", "9"]) + text[at:]
            )
        elif how == 6:
            text = text[:at] + text[at + rng.randint(1, 3) :]
        else:
            text = text[:at] + other[rng.randrange(len(other)) :]
    return text


def change_json(document: Any, rng: random.Random) -> Any:
    """Change one value anywhere in a JSON document."""
    document = copy.deepcopy(document)
    place, steps = document, rng.randint(1, 4)
    while isinstance(place, dict | list) and place:
        key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
        steps -= 1
        if steps <= 0 or not isinstance(place[key], dict | list) or not place[key]:
            how, old = rng.randrange(6), place[key]
            if how == 0:
                del place[key]
            elif how < 3 and isinstance(old, int):
                place[key] = old + rng.choice([-1, 1])
            elif how == 3 and isinstance(place, list):
                place.insert(key, old)
            elif how == 4 and isinstance(place, list):
                other = rng.randrange(len(place))
                place[key], place[other] = place[other], old
            else:
                place[key] = rng.choice(WEIRD)
            break
        place = place[key]
    return document


def changed_native(rng: random.Random) -> str:
    """Change a document one or more times, and often update its digest, which changes the query."""
    if rng.random() < 0.3:
        (text,), (other,) = rng.choices(texts("native"), k=2)
        return change_text(text, other, rng)
    document = json.loads(rng.choice(texts("native"))[0])
    if rng.random() < 0.3:  # evidence of one certificate with the query of another
        other = json.loads(rng.choice(texts("native"))[0])
        for name in rng.sample(sorted(document.keys() & other.keys()), rng.randint(1, 4)):
            document[name] = other[name]
    for _ in range(rng.choice([1, 1, 2, 3])):
        document = change_json(document, rng)
    if rng.random() < 0.7:
        with suppress(Exception):  # keep the query valid
            document = signed(document)
    return json.dumps(document)


CLAIMS = {
    "VIPR": (
        "RTP range -inf inf", "RTP range 0 14", "RTP range -inf 99", "RTP range 1 inf",
        "RTP range 2/2 1", "RTP range 0x1 1", "RTP infeas", "RTP range 0 0", "RTP range 5 5", "%",
        "% RTP", "RTP", "SOL 0", "SOL 1", "DER 0", "DER 2", "cut L 0 OBJ { sol } -1",
        "no G 1 0 { asm } -1", "sol 0",
    ),
    "OPB": (
        "conclusion NONE", "conclusion SAT", "conclusion UNSAT", "conclusion BOUNDS 0 14",
        "conclusion BOUNDS 0 INF", "conclusion BOUNDS INF : @lb INF", "conclusion BOUNDS 1 : @lb 1",
        "conclusion BOUNDS 5 : @lb 5", "c -1", "c 1", "o", "o x1", "a >= 1", "@lb a >= 1", "*", "%",
        "end pseudo-Boolean proof", "output NONE", "obju new", "pol 1", "@lb pol 1", "; a >= 1",
    ),
}  # fmt: skip
"""Lines that claim or assume something."""


def changed_claim(kind: str, rng: random.Random) -> tuple[str, ...]:
    """Change the lines of a proof that make its claim; its program stays."""
    certificate = rng.choice([one for one in certificates() if len(one.forms) == 1])
    if kind == "VIPR":
        start, mark, proof = to_vipr(certificate).partition("RTP")
        stop, proof = "", mark + proof
    else:
        version = rng.choice(PROOF_VERSIONS)
        start, proof = to_opb(certificate, version=version)
        stop = " ;" * (version == "3.0")
    lines = proof.split("\n")
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(lines))
        new = rng.choice(CLAIMS[kind]) + stop
        how = rng.randrange(5)
        if how == 0:  # instead of a line, often of one that begins alike
            same = [i for i, line in enumerate(lines) if line[:4] == new[:4]]
            lines[rng.choice(same or [at])] = new
        elif how == 1:
            lines.insert(at, new)
        elif how == 2:
            lines[at] = rng.choice([f"{lines[at]} {new}", f"{new} {lines[at]}", lines[at].upper()])
        elif how == 3:
            del lines[at : at + rng.randint(1, 2)]
            lines = lines or [""]
        else:
            lines[at] = change_text(lines[at] or new, new, rng)
    proof = "\n".join(lines)
    return (start + proof,) if kind == "VIPR" else (start, proof)


# Judging


def truth(query: HandQuery) -> int:
    return mjopt.deficiency(query.hand, forms=query.forms, unseen=query.unseen)


def false_native(text: str) -> str | None:
    certificate = Certificate.from_json(text)
    query = HandQuery(certificate.hand, certificate.forms, certificate.unseen, general=True)
    if certificate.deficiency != truth(query):
        return f"accepted {certificate.deficiency}, true {truth(query)}: {text}"
    certificate_result((), certificate)
    return None


def judged(check: Callable[[], str | None]) -> str | None:
    """Return the false claim that was accepted or the fault of the refusal, or None."""
    try:
        return check()
    except CertificateError as error:
        lines = str(error).splitlines()
        return None if len(lines) == 1 else f"refused in {len(lines)} lines: {error}"


def native(rng: random.Random, folder: Path) -> str | None:
    return judged(lambda: false_native(changed_native(rng)))


def json_lines(rng: random.Random, folder: Path) -> str | None:
    """A file of several certificates is accepted if and only if each line is."""
    lines = [rng.choice(texts("native"))[0] for _ in range(rng.randint(2, 5))]
    lines[rng.randrange(len(lines))] = changed_native(rng)
    path = folder / "many.jsonl"
    path.write_text(rng.choice(["\n", "\n\n", "\r\n"]).join(lines), "utf-8", "surrogatepass")
    [result] = verify_files([path])
    if result.is_accepted:
        written = path.read_bytes().decode("utf-8", "surrogatepass").split("\n")
        kept = [line for line in written if line.strip()]
        number = result.to_document()["certificates"]
        if number != len(kept):
            return f"{number} accepted of {len(kept)}"
        return next(filter(None, map(false_native, kept)), None)
    return None if len(result.message.splitlines()) == 1 else f"refusal {result.message!r}"


def claims(kind: str) -> Judge:
    """Believe every proof: an accepted claim is one value, and no hand is nearer than claimed.

    Where the small checkers of the tests accept the proof, the claim is the deficiency.
    """
    suffixes, check = (
        ((".vipr",), verify_vipr) if kind == "VIPR" else ((".opb", ".pbp"), verify_opb)
    )

    def case(rng: random.Random, folder: Path) -> str | None:
        for program in ("viprchk", "veripb"):
            path = folder / program
            path.write_text("#!/bin/sh\necho believed\n")
            path.chmod(0o700)
        texts = changed_claim(kind, rng)
        paths = [folder / f"one{suffix}" for suffix in suffixes]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, "utf-8", "surrogatepass", newline="")
        with environment(PATH=folder):
            [result] = verify_files(paths)
        document = result.to_document()
        if len(result.message.splitlines()) != 1:
            return f"not one line: {result.message!r}"
        if result.is_accepted:
            query = read_header(texts[0], "%" if kind == "VIPR" else "*")
            least, value = truth(query), document["deficiency"]
            if document["lower"] != document["upper"] or (value is not None and value < least):
                return f"accepted {result.message}, true {least}"
            with suppress(CertificateError):
                proved, _ = check(*texts)
                if not value == proved == (None if least == UNREACHABLE else least):
                    return f"accepted {result.message}, proved {proved}, true {least}"
        return None

    return case


def any_file(rng: random.Random, folder: Path) -> str | None:
    """Bytes of any format under any name give one report of one line each."""
    found = rng.choice(texts(rng.choice(["native", "VIPR", "OPB"])))
    paths = []
    for ending, text in zip((".opb", ".pbp"), found, strict=False):
        paths.append(folder / f"one{rng.choice([ending, '.json', ''])}")
        paths[-1].write_bytes(damaged(text.encode(), rng)[1])
    for result in verify_files(paths):
        if len(result.message.splitlines()) != 1:
            return f"not one line: {result.message!r}"
    return None


def statement(rng: random.Random, folder: Path) -> str | None:
    """A claim for limited unseen tiles must not read as a claim for all unseen tiles."""
    hand = deal(rng, M0, size=4, called=3)
    certificate = mjopt.certify(hand, unseen=[rng.randint(0, 1) for _ in hand.counts])
    if certificate.unseen == hand.unseen:
        return None
    with_limit, without = (
        certificate_result((), replace(certificate, unseen=unseen)).message
        for unseen in (certificate.unseen, hand.unseen)
    )
    if with_limit == without:
        return f"{one_line(with_limit)!r} does not say that little is unseen"
    return None


KINDS: dict[str, Judge] = {
    "native": native,
    "JSON lines": json_lines,
    "claims of VIPR proofs": claims("VIPR"),
    "claims of VeriPB proofs": claims("OPB"),
    "any file": any_file,
    "statement": statement,
}
ATTACK = Attack("certificates", "mutants of certificates of every format", KINDS)
