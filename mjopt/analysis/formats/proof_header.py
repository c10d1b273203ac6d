"""The first comment of a VIPR or OPB file: the hand that its program belongs to."""

import json
from dataclasses import replace
from typing import Final

from mjopt.analysis.certificate import rules_of_forms
from mjopt.errors import CertificateError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.query import HandQuery
from mjopt.hands.rules.classic_forms import FORMS, HAND_SIZE, is_classic
from mjopt.hands.rules.document import definitions, tiles_document
from mjopt.hands.rules.rule_file import LARGEST
from mjopt.models.blockwise import Blockwise
from mjopt.models.network import Network
from mjopt.models.program import Program
from mjopt.proofs.limits import LIMITS, Limits
from mjopt.proofs.native_check import read_native
from mjopt.proofs.native_forms import read_forms
from mjopt.proofs.native_schema import counts, exact, quoted, tile_set, whole

_MARK: Final = "mjopt "
_KEYS: Final = frozenset({"hand", "tiles", "called", "melds", "unseen", "form"})
_DEFINED_KEYS: Final = _KEYS | {"size", "definitions"}
_FILE_NAMES: Final = (
    *(("pairs", "seven"), ("distinct_", "orphan_")),
    *(("doubled", "one_pair"), ("double_", "pair_")),
)
"""Names of rows and variables in the formulation and in the files, whose names never change."""


def build_program(query: HandQuery) -> Program:
    """Build the integer program whose optimum answers a query about one winning form.

    The standard form uses the network, which has the same arcs for every hand of a tile set:
    the hand shows only in the costs and bounds. An arc that takes more copies than can be
    had is bounded by 0. A form of a rule set uses the union of the networks of its templates. In
    seven pairs and thirteen orphans a variable is a kind, alone or as a pair.
    """
    [form] = query.forms
    if form.is_plain or not is_classic((form,)):
        return Network().write_form(query, form)
    [template] = form.templates
    program = Blockwise().write_template(query, template)
    rows = replace(program.rows, names=_file_names(program.rows.names))
    return replace(program, names=_file_names(program.names), rows=rows)


def _file_names(names: tuple[str, ...]) -> tuple[str, ...]:
    for ours, theirs in _FILE_NAMES:
        names = tuple([name.replace(ours, theirs) for name in names])
    return names


def write_header(query: HandQuery) -> str:
    """Write a query about one winning form as a line, without the comment sign.

    Examples
    --------
    >>> query = HandQuery(Hand.parse("1m", called=4))
    >>> read_header("% " + write_header(query), "%") == query
    True
    """
    hand = query.hand
    data: dict[str, object] = {
        "hand": hand.to_text(),
        "tiles": tiles_document(hand.tiles),
        "called": hand.called,
        "melds": [meld.text(hand.tiles) for meld in hand.melds],
        "unseen": query.unseen,
        "form": query.forms[0].name,
    }
    if not query.is_classic:
        data |= {"size": hand.size, "definitions": definitions(query.forms)}
    return _MARK + json.dumps(data, separators=(",", ":"))


def read_header(text: str, sign: str, limits: Limits = LIMITS) -> HandQuery:
    """Return the query that the comments on top of a file describe.

    ``sign`` begins a comment line: ``%`` in VIPR, ``*`` in OPB. `CertificateError` is raised if no
    comment was written by :func:`write_header`, or it names no possible hand.
    """
    for line in text.split("\n"):
        if not line.startswith(sign):
            break
        comment = line[len(sign) :].strip()
        if comment.startswith(_MARK + "{"):
            return _parse(comment.removeprefix(_MARK), limits)
    raise CertificateError("no comment on top names the hand", expected=f"{sign} mjopt {{...}}")


def _parse(text: str, limits: Limits) -> HandQuery:
    data = read_native(text, limits)
    exact(data, _DEFINED_KEYS if "definitions" in data else _KEYS, "comment")
    tiles = tile_set(data["tiles"])
    unseen = counts(data["unseen"], tiles.num_kinds, "unseen")
    size = whole(data.get("size", HAND_SIZE), 1, LARGEST, "size")
    called = whole(data["called"], 0, size // 3, "called")
    text, melds, form = data["hand"], data["melds"], data["form"]
    if not isinstance(text, str) or not isinstance(form, str):
        raise CertificateError("hand or form is not text", argument="comment")
    if not isinstance(melds, list) or not all(isinstance(meld, str) for meld in melds):
        raise CertificateError("melds are not text", argument="comment")
    if "definitions" not in data and form not in FORMS:
        raise CertificateError(
            f"unknown form {quoted(form)}", argument="comment", expected=tuple(FORMS)
        )
    forms = read_forms([form], data.get("definitions", {}), tiles, size)
    try:
        rules = rules_of_forms(forms)
        hand = Hand.parse(text, tiles=tiles, called=called, melds=melds, partial=True, rules=rules)
        query = HandQuery(hand, forms, unseen, general=True)
    except MjoptError as error:
        raise CertificateError(str(error), argument="comment") from None
    if query.unseen != unseen:
        raise CertificateError("more tiles unseen than the hand leaves", argument="comment")
    return query
