"""The native checker refuses every certificate that is wrong."""

import contextlib
import json
import random

import pytest
from helpers.certificate_corpus import FOLDER, HANDS, REFUSED, signed, small
from hypothesis import given, settings
from hypothesis import strategies as st

from mjopt import TILE_SETS, UNREACHABLE, Certificate, Hand, certify
from mjopt.errors import CertificateError, HandError
from mjopt.hands.rules.classic_forms import standard_template
from mjopt.hands.tiles import Suit, TileSet
from mjopt.models import brute_force
from mjopt.models.network import network_graph
from mjopt.proofs import check_native, read_native
from mjopt.proofs.graph import standard_graph

STORED = [json.loads(line) for line in (FOLDER / "refused.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", REFUSED)
def test_corrupted_certificate_is_refused_with_the_reason(name):
    make, reason = REFUSED[name]

    with pytest.raises(CertificateError) as caught:
        Certificate.from_json(json.dumps(make()))

    assert reason in str(caught.value)


def test_stored_certificates_stay_refused():
    rows = [row for row in STORED if row["format"] == "native"]
    assert len(rows) == len(REFUSED)
    for row in rows:
        with pytest.raises(CertificateError) as caught:
            Certificate.from_json(row["texts"][0])
        assert row["reason"] in str(caught.value), row["name"]


def test_stored_certificates_stay_accepted():
    rows = [json.loads(line) for line in (FOLDER / "accepted.jsonl").read_text().splitlines()]
    for row in rows:
        if row["format"] == "native":
            document = Certificate.from_json(row["texts"][0]).to_document()
            assert document["deficiency"] == row["value"]
    assert {row["name"] for row in rows if row["format"] == "native"} == set(HANDS)


@pytest.mark.parametrize("tiles", TILE_SETS.values(), ids=lambda tiles: tiles.name)
@pytest.mark.parametrize("called", range(5))
def test_proof_graph_equals_the_network_graph(tiles, called):
    """Two independent builders give the same nodes, arcs and order."""
    ours, theirs = (
        standard_graph(tiles, called),
        network_graph(standard_template(tiles), tiles, called),
    )

    assert ours.num_nodes == len(theirs.nodes)
    assert ours.tails.tolist() == [arc.tail for arc in theirs.arcs]
    assert ours.heads.tolist() == [arc.head for arc in theirs.arcs]
    assert ours.uses.tolist() == [arc.use for arc in theirs.arcs]
    assert ours.kinds.tolist() == [theirs.nodes[arc.tail].layer for arc in theirs.arcs]


@pytest.mark.parametrize("cut", [0, 1, 7, 400, -2])
def test_truncated_text_is_refused(cut):
    text = json.dumps(small())
    with pytest.raises(CertificateError, match="not JSON"):
        Certificate.from_json(text[:cut])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "NaN",
        "1e999",
        "9" * 5000,
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"format": "mjopt certificate", "format": "mjopt certificate"}',
        '"\\ud800"',
        "\ufeff{}",
    ],
)
def test_other_text_is_refused(text):
    with pytest.raises(CertificateError):
        Certificate.from_json(text)


def test_nested_duplicate_key_is_refused():
    text = (
        json.dumps(small())
        .replace('"pong"', '"pong"')
        .replace('"bounds": {', '"bounds": {"standard": {"cut": []}, ')
    )
    with pytest.raises(CertificateError, match="'standard' is given twice"):
        Certificate.from_json(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=8,
)
LIKELY = st.one_of(
    JSON,
    st.integers(-2, 15),
    st.sampled_from([[], {}, "standard", "cut", "1m", [0] * 27, [4] * 27, True, None, 0.0]),
)


@settings(max_examples=60)
@given(JSON)
def test_any_json_value_is_refused(value):
    with pytest.raises(CertificateError):
        Certificate.from_json(json.dumps(value))


def is_true(document):
    """Return whether a certificate's value is correct, by enumeration of complete hands."""
    suits = tuple(
        Suit(s["letter"], s["name"], tuple(s["ranks"]), s["has_chows"])
        for s in document["tiles"]["suits"]
    )
    hand = Hand.from_counts(
        document["held"],
        tiles=TileSet(document["tiles"]["name"], suits),
        called=document["called"],
        partial=True,
    )
    values = []
    for form in document["forms"]:
        try:
            values.append(brute_force.deficiency(hand, unseen=document["unseen"], forms=(form,)))
        except HandError:  # the tile set lacks this form
            values.append(UNREACHABLE)
    claimed = document["deficiency"]
    return min(values) == (UNREACHABLE if claimed is None else claimed)


BASES = [small(), *(HANDS[name]().to_document() for name in ("unreachable", "limited", "called"))]


def value_paths(value, path=()):
    """Return the paths to all values inside a document."""
    yield path
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else items
    for key, inner in items:
        yield from value_paths(inner, (*path, key))


@st.composite
def mutants(draw):
    """Draw a certificate with one value changed, removed or duplicated; perhaps signed again."""
    base = json.loads(json.dumps(draw(st.sampled_from(BASES))))
    field = draw(st.sampled_from(sorted(base)))
    inner = list(value_paths(base[field]))
    path = (field, *inner[draw(st.integers(0, len(inner) - 1))])
    place = base
    for step in path[:-1]:
        place = place[step]
    old = place[path[-1]]
    change = draw(st.sampled_from(["value", "step", "drop", "double"]))
    if change == "drop":
        del place[path[-1]]
    elif change == "double" and isinstance(place, list):
        place.insert(path[-1], old)
    elif change == "step" and type(old) is int:
        place[path[-1]] = old + draw(st.sampled_from([-1, 1, 3]))
    else:
        place[path[-1]] = draw(LIKELY)
    if draw(st.booleans()):
        with contextlib.suppress(CertificateError, KeyError, TypeError):  # remains unsigned
            signed(base)
    return base


@settings(max_examples=500)
@given(mutants())
def test_changed_certificate_is_refused_or_true(document):
    text = json.dumps(document)
    try:
        check_native(read_native(text))
    except CertificateError:
        return
    assert is_true(document)
    Certificate.from_json(text).verify()


@settings(max_examples=250)
@given(st.data())
def test_changed_text_is_refused_or_true(data):
    text = json.dumps(data.draw(st.sampled_from(BASES)), separators=(",", ":"))
    at = data.draw(st.integers(0, len(text) - 1))
    text = text[:at] + data.draw(st.sampled_from(["", *'0129-,."[]{}taep'])) + text[at + 1 :]
    try:
        document = read_native(text)
        check_native(document)
    except CertificateError:
        return
    assert is_true(document)


def test_changed_potential_on_a_shortest_path_is_refused():
    """Potentials on a shortest path are fixed by their neighbours."""
    certificate = certify(Hand.parse("1278m", called=3))
    document = certificate.to_document()
    rng = random.Random(1)
    potentials = document["bounds"]["standard"]["potentials"]
    refused = 0
    for node in rng.sample(range(len(potentials)), 60):
        for change in (-1, 1):
            potentials[node] += change
            try:
                check_native(document)
            except CertificateError:
                refused += 1
            potentials[node] -= change
    assert refused > 40
    check_native(document)
