"""Check native certificates from the rules alone: no solver, no table, no search."""

import hashlib
import json
import re
from functools import lru_cache

from mjopt._internal.strict_json import read_json
from mjopt._internal.validation import expect
from mjopt.errors import CertificateError
from mjopt.hands.rules.classic_forms import is_classic, names_of
from mjopt.hands.rules.rule_file import LARGEST
from mjopt.hands.rules.template import Template
from mjopt.hands.rules.winning_form import WinningForm
from mjopt.hands.tiles import COPIES, TileSet
from mjopt.proofs.bounds import check_cut, check_potentials, orphans_bound, pairs_bound
from mjopt.proofs.graph import proof_graph, standard_graph
from mjopt.proofs.limits import LIMITS, Limits, StepCounter
from mjopt.proofs.native_forms import CLASSIC_SIZE, joker_supply, read_forms, templates_beside
from mjopt.proofs.native_schema import (
    Counts,
    Document,
    Query,
    counts,
    exact,
    melds,
    quoted,
    tile_set,
    whole,
)
from mjopt.proofs.native_target import check_target, orphans_of

# The claim "deficiency d" is two theorems about one hand. Upper bound: the target is a complete
# hand, d of whose tiles the hand lacks (`native_target`). Lower bound: for every form that counts,
# and every template of it, no complete hand lacks fewer (`bounds`). The format is
# docs/reference/certificates.md.
#
# Everything that a person or a program may read in an accepted file is checked, or the file is
# refused: an unknown key could hold a claim that is not checked, and a missing form or template
# could be the nearest one. All numbers are whole, in ranges that are tested first, so no sum is
# rounded or wraps around.

FORMAT = "mjopt certificate"
VERSION = 1
DEFINED_VERSION = 2
"""The version of certificates that define winning forms."""

_KEYS = frozenset({
    "format", "version", "tiles", "hand", "held", "unseen", "called", "melds", "forms",
    "deficiency", "target", "bounds", "claim", "digest",
})  # fmt: skip
_DEFINED_KEYS = _KEYS | {"size", "definitions"}
_CLAIM_KEYS = frozenset({"model", "solver", "version", "termination"})


_RED_HONOUR = re.compile("0[0-9]*z")


def digest(document: Document) -> str:
    """Return the SHA-256 of the query of a certificate.

    The digest covers the canonical JSON (sorted keys, no blanks) of the fields tiles, held,
    unseen, called, melds and forms, which must be valid; if forms are defined, also that of the
    size and of the SHA-256 of each definition.
    """
    definitions = document.get("definitions", {})
    return _digest(
        tile_set(document["tiles"]),
        tuple(document["held"]),
        tuple(document["unseen"]),
        document["called"],
        tuple(document["melds"]),
        tuple(document["forms"]),
        document.get("size", CLASSIC_SIZE),
        tuple([definitions[form]["sha256"] for form in document["forms"] if form in definitions]),
    )


@lru_cache(maxsize=4096)  # certify and its checks need the same hand
def _digest(
    tiles: TileSet,
    held: Counts,
    unseen: Counts,
    called: int,
    melds: tuple[str, ...],
    forms: tuple[str, ...],
    size: int,
    definitions: tuple[str, ...],
) -> str:
    suits = [
        {"letter": s.letter, "name": s.name, "ranks": s.ranks, "has_chows": s.has_chows}
        for s in tiles.suits
    ]
    subject = {
        "tiles": {"name": tiles.name, "suits": suits},
        "held": held,
        "unseen": unseen,
        "called": called,
        "melds": melds,
        "forms": forms,
    }
    if definitions:  # version 2
        subject |= {"size": size, "definitions": definitions}
    text = json.dumps(subject, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=4096)
def plain_text(tiles: TileSet, held: Counts) -> str:
    """Write tiles suit by suit, ranks ascending, no red fives.

    Examples
    --------
    >>> from mjopt.hands.tiles import M0
    >>> plain_text(M0, (2, 0, 0, 0, 1) + (0,) * 21 + (4,))
    '115m9999s'
    """
    parts: list[str] = []
    for suit, part in zip(tiles.suits, tiles.slices, strict=True):
        ranks = "".join([str(r) * n for r, n in zip(suit.ranks, held[part], strict=True) if n])
        parts += [ranks, suit.letter] if ranks else []
    return "".join(parts)


def read_native(text: str, limits: Limits = LIMITS) -> Document:
    """Parse a JSON object strictly: no duplicate keys, no NaN, a limited size.

    Raises
    ------
    CertificateError
        If the text is not such an object, or exceeds the limit.

    Examples
    --------
    >>> read_native('{"called": 0, "called": 1}')
    Traceback (most recent call last):
    mjopt.errors.CertificateError: not JSON: 'called' is given twice
    """
    expect(text, str, "text")
    expect(limits, Limits, "limits")
    limits.check("bytes", len(text), "JSON")
    try:
        document = read_json(text)
    except ValueError as error:
        raise CertificateError(f"not JSON: {error}") from None
    if not isinstance(document, dict):
        raise CertificateError(quoted(document), expected="an object")
    return document


def check_native(document: Document, limits: Limits = LIMITS) -> None:
    """Accept a certificate, or raise an error with the reason. Nothing is repaired.

    The graph is built from the tile set and the hand, without the claim. Both sides are needed: a
    target at the claimed distance, and for every form a proof that no complete hand is nearer.

    Parameters
    ----------
    document
        The certificate as read from JSON.
    limits
        Limits on the work.

    Raises
    ------
    CertificateError
        With the field and its defect.

    Examples
    --------
    >>> import json
    >>> import mjopt
    >>> document = json.loads(mjopt.certify("1112345678999m1p").to_json())
    >>> check_native(document)  # accepted
    >>> document["deficiency"] = 2
    >>> check_native(document)
    Traceback (most recent call last):
    mjopt.errors.CertificateError: potential of the start is 1, below the bound 2
    """
    is_defined = isinstance(document, dict) and "definitions" in document
    exact(document, _DEFINED_KEYS if is_defined else _KEYS, "certificate")
    if document["format"] != FORMAT:
        raise CertificateError(quoted(document["format"]), argument="format", expected=repr(FORMAT))
    version = DEFINED_VERSION if is_defined else VERSION
    whole(document["version"], version, version, "version")
    query = _query(document)
    # The digest ties a certificate to its query: a line copied next to another hand is found.
    if document["digest"] != _digest(*query[:5], names_of(query.forms), *query[6:]):
        raise CertificateError("does not match the hand", argument="digest")
    deficiency = document["deficiency"]
    if deficiency is not None:
        whole(deficiency, 0, query.size, "deficiency")
    # Exactly one proof for each form: the deficiency is the least over all of them.
    bounds = exact(document["bounds"], frozenset(names_of(query.forms)), "bounds")
    counter = StepCounter(limits, "certificate")
    for form in query.forms:
        if is_classic((form,)):
            _check_bound(form, bounds[form.name], query, deficiency)
        else:
            _check_templates(form, bounds[form.name], query, deficiency, counter)
    target = document["target"]
    if deficiency is not None:
        check_target(target, query, deficiency)
    elif target is not None:
        raise CertificateError("a target, but the deficiency says unreachable", argument="target")
    claim = exact(document["claim"], _CLAIM_KEYS, "claim")
    if not all(isinstance(words, str) for words in claim.values()):
        raise CertificateError(argument="claim", expected="text in every field")


def _query(document: Document) -> Query:
    """Return the query of a certificate; raise if no such hand can exist."""
    tiles = tile_set(document["tiles"])
    size = CLASSIC_SIZE
    if "size" in document:
        size = whole(document["size"], 1, LARGEST, "size")
    held = counts(document["held"], tiles.num_kinds, "held")
    unseen = counts(document["unseen"], tiles.num_kinds, "unseen")
    called = whole(document["called"], 0, size // 3, "called")
    in_melds = melds(document["melds"], tiles, called)
    # With a fifth copy, a hand could be proved nearer than any real one is.
    if any(h + u + m > COPIES for h, u, m in zip(held, unseen, in_melds, strict=True)):
        raise CertificateError("more copies held, called and unseen than exist", argument="unseen")
    # More tiles than a hand has would miss fewer of any complete hand.
    if sum(held) > size - 3 * called:
        raise CertificateError(
            f"{sum(held)} tiles", argument="held", expected=f"at most {size - 3 * called}"
        )
    text, expected = document["hand"], plain_text(tiles, held)
    # The text is informative only: 0 is a red five, which honours do not have.
    if (
        not isinstance(text, str)
        or text.replace("0", "5") != expected
        or _RED_HONOUR.search(text) is not None
    ):
        raise CertificateError(
            f"{quoted(text)} is not the tiles of held, {expected!r}", argument="hand"
        )
    forms = read_forms(document["forms"], document.get("definitions", {}), tiles, size)
    if "definitions" in document and not document["definitions"]:
        raise CertificateError(
            "empty", argument="definitions", expected=f"a form, or no such key in version {VERSION}"
        )
    digests = tuple([form.digest for form in forms if not is_classic((form,))])
    return Query(tiles, held, unseen, called, tuple(document["melds"]), forms, size, digests)


def _check_bound(form: WinningForm, evidence: object, query: Query, deficiency: int | None) -> None:
    """Raise unless the evidence proves that a classic form is ``deficiency`` or more away."""
    kind, values = _evidence(evidence, f"bounds.{form}")
    tiles, held, called, reach = query.tiles, query.held, query.called, query.reach
    if form.is_plain and isinstance(values, list):
        if kind == "cut":
            # A cut rules the form out, which is more than any bound: it also serves where another
            # form has the deficiency.
            check_cut(standard_graph(tiles, called), reach, values)
            return
        if kind == "potentials" and deficiency is not None:
            check_potentials(standard_graph(tiles, called), held, reach, values, deficiency)
            return
    elif not form.is_plain and kind == "least" and (values is None or type(values) is int):
        if form.is_pairs:
            least = pairs_bound(held, reach, called)
        else:
            least = orphans_bound(held, reach, called, orphans_of(tiles))
        if least != values:
            raise CertificateError(f"bounds.{form}: least is {least}, not {quoted(values)}")
        if least is not None and (deficiency is None or least < deficiency):
            raise CertificateError(f"bounds.{form}: {least} is below the deficiency {deficiency}")
        return
    raise CertificateError(
        f"bounds.{form}: {quoted(kind)} does not prove the deficiency {deficiency}"
    )


def _evidence(evidence: object, where: str) -> tuple[object, object]:
    """Return the kind of evidence and its numbers."""
    if not isinstance(evidence, dict) or len(evidence) != 1:
        raise CertificateError(where, expected="one kind of evidence")
    [(kind, values)] = evidence.items()
    return kind, values


def _check_templates(
    form: WinningForm,
    evidence: object,
    query: Query,
    deficiency: int | None,
    counter: StepCounter,
) -> None:
    """Raise unless the evidence proves that every template is ``deficiency`` or more away."""
    where = f"bounds.{form}"
    kind, parts = _evidence(evidence, where)
    if kind != "templates" or not isinstance(parts, list):
        raise CertificateError(where, expected="evidence for templates")
    tiles, called, melds = query.tiles, query.called, query.meld_kinds
    # Each template that is left, or None for one that the called melds rule out.
    allowed: list[tuple[int, Template | None]] = []
    for number, template in enumerate(form.templates):
        some = templates_beside(template, called, melds, tiles)
        allowed += [(number, part) for part in some or (None,)]
    if len(parts) != len(allowed):
        raise CertificateError(
            f"evidence for {len(parts)} templates", argument=where, expected=f"{len(allowed)}"
        )
    for (number, left), part in zip(allowed, parts, strict=True):
        try:
            _check_template(left, part, query, deficiency, counter)
        except CertificateError as error:
            if error.limit:
                raise
            raise CertificateError(f"template {number}: {error}", argument=where) from None


def _check_template(
    template: Template | None,
    evidence: object,
    query: Query,
    deficiency: int | None,
    counter: StepCounter,
) -> None:
    if template is None:
        if evidence is not None:
            raise CertificateError(
                f"{quoted(evidence)}, but the called melds leave no such hand", expected="null"
            )
        return
    kind, values = _evidence(evidence, "evidence")
    if not isinstance(values, list) or kind not in ("cut", "potentials"):
        raise CertificateError(
            quoted(evidence), argument="evidence", expected="a list named potentials or cut"
        )
    held, num_held = joker_supply(template, query.held)
    reach, num_reached = joker_supply(template, query.reach)
    graph = proof_graph(template, query.tiles, query.called)
    counter.spend(graph.steps)
    if kind == "cut":
        check_cut(graph, reach, values, (num_held, num_reached))
    elif deficiency is None:
        # Potentials bound the length of paths from below; they never show that there is none.
        raise CertificateError("potentials do not prove that it is unreachable")
    else:
        check_potentials(graph, held, reach, values, deficiency, (num_held, num_reached))
