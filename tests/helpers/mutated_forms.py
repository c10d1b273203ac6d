"""Certificates of the forms of rule sets, changed at random, and whether they are true."""

import contextlib
import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from helpers.certificate_corpus import signed
from helpers.small_forms import literal_deficiency

from mjopt import UNREACHABLE, Certificate, Hand, RuleSet, certify, get_rules
from mjopt.errors import MjoptError
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import is_classic
from mjopt.hands.rules.rule_file import parse_rules
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.models.shortest_path import distances
from mjopt.proofs.native_check import plain_text
from mjopt.proofs.native_schema import meld_kinds, tile_set

Document = dict[str, Any]
Change = Callable[[Document, random.Random], None]
LAIZI = 'name = "laizi"\ntiles = "136"\n[jokers]\nkinds = "5z"\n[[form]]\nmelds = 4\neyes = 1\n'
_BROKEN = (MjoptError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors of code that expects a valid certificate."""


def large_rules() -> list[RuleSet]:
    """Return rule sets of 136 tiles: those that ship with mjopt, and one with jokers."""
    shipped = [get_rules(name) for name in ("taiwan", "mcr", "half-flush", "full-flush")]
    return [*shipped, parse_rules(LAIZI, "laizi.toml")]


def deal_certificate(rules: RuleSet, rng: random.Random) -> Document:
    """Return the certificate of a random hand of a rule set."""
    called = rng.choice([0, 0, 1]) if rules.most_called else 0
    deck = [kind for kind in range(rules.tiles.num_kinds) for _ in range(4)]
    rng.shuffle(deck)
    size = rules.size - 3 * called - rng.choice([0, 0, 1])
    share = rng.choice([0.15, 0.6, 1.0])
    held, unseen = [0] * rules.tiles.num_kinds, [0] * rules.tiles.num_kinds
    for kind in deck[:size]:
        held[kind] += 1
    for kind in deck[size:]:
        unseen[kind] += rng.random() < share
    hand = Hand.from_counts(held, called=called, rules=rules, partial=True)
    forms = [form for form in rules.forms if not is_classic((form,))]
    return certify(hand, forms=forms, unseen=unseen).to_document()


def templates(document: Document) -> list[Template]:
    """Return the templates that a certificate defines."""
    return [
        Template(**{k: tuple(v) if isinstance(v, list) else v for k, v in part.items()})
        for form in document["definitions"].values()
        for part in form["templates"]
    ]


def is_true(document: Document) -> bool:
    """Return whether the claim of an accepted certificate is true.

    Brute force tells it for small tile sets, a shortest path for others.
    """
    tiles = tile_set(document["tiles"])
    if tiles.num_kinds > 10:
        certificate = Certificate.from_json(json.dumps(document))
        query = HandQuery.of_checked(certificate.hand, certificate.forms, certificate.unseen)
        return min(distances(query).values()) == certificate.deficiency
    melds = [meld_kinds(text, tiles) for text in document["melds"]]
    query = document["held"], document["unseen"], document["called"], melds
    claimed = document["deficiency"]
    least = literal_deficiency(templates(document), tiles, *query)
    return least == (UNREACHABLE if claimed is None else claimed)


def resign(document: Document) -> None:
    """Make the texts and the checksums those of the other fields, as far as these are valid."""
    with contextlib.suppress(*_BROKEN):
        tiles = tile_set(document["tiles"])
        document["hand"] = plain_text(tiles, tuple(document["held"]))
        for name, form in document["definitions"].items():
            some = tuple(templates({"definitions": {name: form}}))
            form["sha256"] = WinningForm(name, tiles, some).digest
        signed(document)


def refit(document: Document) -> None:
    """Make the numbers of the target those of its blocks."""
    target = document["target"]
    with contextlib.suppress(*_BROKEN):
        part = document["definitions"][target["form"]]["templates"][target["template"]]
        used, stand_in = [0] * len(document["held"]), [0] * len(document["held"])
        for shape, kinds in target["blocks"]:
            for kind in kinds:
                (stand_in if shape == "joker" else used)[kind] += 1
        target["counts"] = list(used)
        taken = [copies - jokers for copies, jokers in zip(used, stand_in, strict=True)]
        missing = sum(stand_in)
        for counts in (document["held"], document["unseen"]):
            for kind in part["jokers"]:
                some = min(missing, counts[kind])
                taken[kind] += some
                missing -= some
        pairs = [*zip(taken, document["held"], strict=True)]
        target["draws"] = [max(0, copies - held) for copies, held in pairs]
        target["discards"] = [max(0, held - copies) for copies, held in pairs]
        document["deficiency"] = sum(target["draws"]) + missing


def _evidence(document: Document, rng: random.Random) -> Document | None:
    bounds = document["bounds"]
    parts = bounds[rng.choice(sorted(bounds))]["templates"]
    return parts[rng.randrange(len(parts))]


def _anywhere(document: Document, rng: random.Random) -> None:
    """Change one value anywhere."""
    field = rng.choice(["called", "held", "unseen", "target", "bounds", "definitions", "size"])
    place: Any = document
    key: Any = field
    while isinstance(place[key], dict | list) and place[key] and rng.random() < 0.9:
        place = place[key]
        key = rng.choice(sorted(place) if isinstance(place, dict) else range(len(place)))
    value = place[key]
    kind = rng.randrange(4)
    if kind == 0:
        place[key] = rng.choice([None, 0, 1, 2, True, -1, "", "eye", [], {}, 0.0, 10**30, [0] * 9])
    elif kind == 1 and isinstance(place, list):
        place.insert(key, copy.deepcopy(value))
    elif kind == 2:
        del place[key]
    elif type(value) is bool:
        place[key] = not value
    elif type(value) is int:
        place[key] = value + rng.choice([-2, -1, 1, 2])
    elif isinstance(value, list):
        rng.shuffle(value)


def _raise_bound(document: Document, rng: random.Random) -> None:
    """Raise the claim and the first potentials of every template."""
    document["deficiency"] = (document["deficiency"] or 0) + 1
    depth = rng.choice([1, 4, 20, 10**6])
    for form in document["bounds"].values():
        for part in form["templates"]:
            for node in range(min(depth, len((part or {}).get("potentials", [])) - 1)):
                part["potentials"][node] += 1


def _unreachable(document: Document, rng: random.Random) -> None:
    """Claim that no complete hand can be reached."""
    document["deficiency"] = document["target"] = None
    for form in document["bounds"].values():
        for number, part in enumerate(form["templates"]):
            if part is not None and "potentials" in part:
                last = len(part["potentials"]) - 1
                nodes = range(rng.choice([1, last // 2, last]))
                form["templates"][number] = {"cut": list(nodes)}


def _potential(document: Document, rng: random.Random) -> None:
    part = _evidence(document, rng)
    if part and part.get("potentials"):
        node = rng.randrange(len(part["potentials"]))
        part["potentials"][node] += rng.choice([-3, -1, 1, 3])


def _no_evidence(document: Document, rng: random.Random) -> None:
    bounds = document["bounds"]
    parts = bounds[rng.choice(sorted(bounds))]["templates"]
    parts[rng.randrange(len(parts))] = rng.choice([None, {"cut": [0]}, {"potentials": []}])


def _swapped(document: Document, rng: random.Random) -> None:
    bounds = document["bounds"]
    parts = bounds[rng.choice(sorted(bounds))]["templates"]
    rng.shuffle(parts)


def _tile(document: Document, rng: random.Random) -> None:
    """Move a copy between the hand, the unseen tiles and the others."""
    kind = rng.randrange(len(document["held"]))
    held, unseen = document["held"], document["unseen"]
    what = rng.randrange(4)
    if what == 0 and unseen[kind]:
        unseen[kind] -= 1
    elif what == 1 and held[kind] + unseen[kind] < 4:
        unseen[kind] += 1
    elif what == 2 and held[kind]:
        held[kind] -= 1
        unseen[kind] += rng.random() < 0.7
    else:
        other = rng.choice([k for k, copies in enumerate(held) if copies])
        held[kind] += 1
        unseen[kind] = max(0, unseen[kind] - 1)
        held[other] -= 1
        unseen[other] += rng.random() < 0.7


def _called(document: Document, rng: random.Random) -> None:
    document["called"] += rng.choice([-1, 1])
    document["melds"] = []


def _melds(document: Document, rng: random.Random) -> None:
    tiles = tile_set(document["tiles"])
    kind = rng.randrange(tiles.num_kinds)
    meld = f"{tiles.rank(kind)}" * 3 + tiles.letter(kind)
    document["melds"] = [rng.choice([meld, "123d"]) for _ in range(document["called"])]


def _definition(document: Document, rng: random.Random) -> None:
    """Change one field of a template."""
    forms = document["definitions"]
    part = rng.choice(forms[rng.choice(sorted(forms))]["templates"])
    key = rng.choice(sorted(part))
    value = part[key]
    if type(value) is bool:
        part[key] = not value
    elif type(value) is int:
        part[key] = max(0, value + rng.choice([-1, 1]))
        other = rng.choice(["melds", "eyes", "distinct", "pairs"])  # keep the size now and then
        part[other] = max(0, part[other] + rng.choice([-1, 0, 1]))
    elif value and rng.random() < 0.6:
        value.pop(rng.randrange(len(value)))
    elif key == "joker_parts":
        part[key] = rng.choice([[], ["melds"], ["eyes"], ["melds", "eyes"], ["distinct", "pairs"]])
    else:
        part[key] = sorted({*value, rng.randrange(len(document["held"]))})


def _fewer_templates(document: Document, rng: random.Random) -> None:
    forms = document["definitions"]
    name = rng.choice(sorted(forms))
    at = rng.randrange(len(forms[name]["templates"]))
    del forms[name]["templates"][at]
    if rng.random() < 0.7:
        del document["bounds"][name]["templates"][at]


def _fewer_forms(document: Document, rng: random.Random) -> None:
    name = rng.choice(document["forms"])
    document["forms"].remove(name)
    del document["definitions"][name]
    if rng.random() < 0.7:
        del document["bounds"][name]


def _block(document: Document, rng: random.Random) -> None:
    """Change, add or remove a block of the target."""
    blocks = (document["target"] or {}).get("blocks")
    if not blocks:
        return
    kind = rng.randrange(len(document["held"]))
    at = rng.randrange(len(blocks))
    what = rng.choice([0, 1, 2, 2, 2, 3, 4, 5])
    if what == 0:
        blocks[at] = [blocks[at][0], [kind] * len(blocks[at][1])]
    elif what == 1:
        del blocks[at]
    elif what == 2:
        draws = document["target"]["draws"]
        missing = [kind for kind, copies in enumerate(draws) if copies] or [kind]
        chosen = rng.choice([rng.choice(rng.choice(blocks)[1]), rng.choice(missing)])
        blocks.append(["joker", [chosen] * rng.choice([1, 1, 2])])
    elif what == 3:
        blocks[at][0] = rng.choice(["chow", "pong", "eye", "single", "fixed", "joker", "kong"])
    elif what == 4:
        document["target"]["template"] += rng.choice([-1, 1])
    else:
        shape = rng.choice([["eye", [kind] * 2], ["pong", [kind] * 3], ["single", [kind]]])
        blocks[at] = shape


def _whole(document: Document, rng: random.Random) -> None:
    document["size"] += rng.choice([-3, -1, 1, 3])


CHANGES: tuple[Change, ...] = (
    *(_anywhere, _anywhere, _raise_bound, _unreachable, _potential, _no_evidence, _swapped),
    *(_tile, _tile, _tile, _called, _melds, _definition, _definition, _fewer_templates),
    *(_fewer_forms, _block, _block, _block, _whole),
)


def mutant(base: Document, rng: random.Random) -> Document:
    """Return a certificate with one to three changes; mostly with numbers that fit again."""
    document = copy.deepcopy(base)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        with contextlib.suppress(*_BROKEN):
            rng.choice(CHANGES)(document, rng)  # an earlier change may leave nothing to change
    if rng.random() < 0.6 and document.get("target"):
        refit(document)
    if rng.random() < 0.9:
        resign(document)
    return document


def bases(number: int, rules: Sequence[RuleSet], seed: int) -> list[Document]:
    """Return certificates of rule sets in turn."""
    rng = random.Random(seed)
    return [deal_certificate(rules[i % len(rules)], rng) for i in range(number)]
