"""Datasets of hands of rule sets: labels against brute force, definitions, splits."""

import hashlib
import itertools
import json
import random
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from helpers.dataset_folders import everything
from helpers.small_forms import SMALL_FORMS
from hypothesis import given, settings
from hypothesis import strategies as st

import mjopt
from mjopt.datasets import (
    DatasetPlan,
    Deal,
    HandRows,
    build,
    check_dataset,
    describe_dataset,
    make_plan,
    read_recipe,
    sample_rows,
    to_numpy,
)
from mjopt.datasets.card import card_text
from mjopt.datasets.describe import exact_shares
from mjopt.datasets.labels.registry import get_labels
from mjopt.datasets.manifest import MANIFEST
from mjopt.datasets.splits import canonical_hashes
from mjopt.errors import ArgumentError, FileError, MjoptError
from mjopt.hands.hand import Hand
from mjopt.hands.rules.document import rules_digest, rules_document
from mjopt.hands.rules.rule_file import RULE_SETS, get_rules
from mjopt.hands.rules.rule_set import RuleSet
from mjopt.hands.symmetry import find_symmetry
from mjopt.hands.tiles import FULL, M0
from mjopt.models.brute_force import deficiency as brute_force

EXAMPLES = Path(__file__).parents[2] / "examples" / "rules"
LAIZI = str(EXAMPLES / "laizi.toml")
CARD = str(EXAMPLES / "card.toml")


def slowly(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.slow)


def rows_of(rules: Any, recipe: str, *, called: int = 0, less: int = 0, seed: int = 5) -> HandRows:
    known = get_rules(rules)
    found = read_recipe(recipe, rules=known, called=called, size=known.size - less)
    hands = found.counts(seed=seed)
    return HandRows(deal=found.deal, hands=hands, rows=np.arange(len(hands)), seed=3)


def values_of(names: tuple[str, ...], rows: HandRows) -> dict[str, Any]:
    labels = get_labels(names, rows.deal, trusted=())
    return {name: array for label in labels for name, array in label.values(rows).items()}


def checked(hand: Hand, counts: list[int]) -> Hand:
    """Return a hand of any number of tiles."""
    return hand.with_checked(tuple(counts))


def changed(counts: Any, kind: int, by: int) -> list[int]:
    return [int(copies) + by * (k == kind) for k, copies in enumerate(counts)]


def drawn_by_brute_force(hand: Hand, unseen: list[int], least: int) -> set[int]:
    forms = hand.rules.forms if hand.rules else ()
    return {
        kind
        for kind, copies in enumerate(unseen)
        if copies
        and brute_force(
            checked(hand, changed(hand.counts, kind, 1)),
            unseen=changed(unseen, kind, -1),
            forms=forms,
        )
        < least
    }


def best_discards_by_brute_force(hand: Hand) -> set[int]:
    assert hand.rules is not None
    forms, unseen = hand.rules.forms, list(hand.unseen)
    if not brute_force(hand, forms=forms):
        return set()
    judged = {}
    for kind in np.flatnonzero(hand.counts).tolist():
        after = checked(hand, changed(hand.counts, kind, -1))
        least = brute_force(after, unseen=unseen, forms=forms)
        useful = drawn_by_brute_force(after, unseen, least)
        judged[kind] = least, -sum(unseen[k] for k in useful)
    return {kind for kind, value in judged.items() if value == min(judged.values())}


def as_set(mask: Any) -> set[int]:
    return {kind for kind in range(64) if int(mask) >> kind & 1}


@pytest.mark.parametrize("number", [1, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("less", [0, 1])
@pytest.mark.parametrize("name", SMALL_FORMS)
def test_labels_of_small_forms_agree_with_brute_force(name: str, less: int, number: int) -> None:
    rules = RuleSet.of_form(SMALL_FORMS[name])
    called = min(1, rules.most_called) * less
    rows = rows_of(rules, f"deals:{number}", called=called, less=less)
    discards = () if less else ("discards",)
    values = values_of(("deficiency", "win", "useful", f"deficiency:{name}", *discards), rows)
    for place in range(len(rows.hands)):
        hand = rows.row(place).hand
        least = brute_force(hand, forms=rules.forms)
        assert values["deficiency"][place] == least
        assert values[f"deficiency_{name}"][place] == least
        assert values["win"][place] == (not less and least == 0)
        useful = drawn_by_brute_force(hand, list(hand.unseen), least)
        assert as_set(values["useful_tiles"][place]) == useful
        if discards:
            assert as_set(values["best_discards"][place]) == best_discards_by_brute_force(hand)


def all_hands(rules: RuleSet) -> list[tuple[int, ...]]:
    every = itertools.product(range(5), repeat=rules.tiles.num_kinds)
    return [counts for counts in every if sum(counts) == rules.size]


@pytest.mark.parametrize(
    "name", ["five_melds", "chows_only", "jokers_in_threes", slowly("distinct_and_groups")]
)
def test_counts_of_small_forms_agree_with_brute_force(name: str) -> None:
    rules = RuleSet.of_form(SMALL_FORMS[name])
    every = all_hands(rules)
    some = rows_of(rules, "deals:6")
    complete = [
        counts
        for counts in every
        if not brute_force(Hand.from_counts(counts, rules=rules), forms=rules.forms)
    ]
    [label] = get_labels(("targets",), some.deal, trusted=())
    found = label.values(some)["num_targets"]
    for place, held in enumerate(some.hands.astype(int)):
        missing = np.maximum(np.array(complete) - held, 0).sum(axis=1)
        assert found[place] == (missing == missing.min()).sum()
        assert label.recompute(some.row(place)) == {"num_targets": found[place]}


NAMED = {
    "taiwan": ("deficiency", "win", "targets", "decompositions", "digest", "deficiency:taiwan"),
    "sichuan": ("deficiency", "certificate", "targets", "deficiency:seven_pairs", "seven_pairs"),
    "half-flush": ("deficiency", "thirteen_orphans", "deficiency:half-flush"),
    "mcr.knitted_straight": ("deficiency", "useful", "targets", "deficiency:knitted_straight"),
    LAIZI: ("deficiency", "win", "targets", "deficiency:laizi"),
    CARD: ("deficiency", "win", "targets"),
}


@pytest.mark.parametrize(
    "rules", ["half-flush", *(slowly(name) for name in NAMED if name != "half-flush")]
)
def test_labels_agree_with_those_of_single_hands(rules: str) -> None:
    rows = rows_of(rules, "deals:3")
    labels = get_labels(NAMED[rules], rows.deal, trusted=())
    for label in labels:
        values = label.values(rows)
        for place in range(len(rows.hands)):
            for column, value in label.recompute(rows.row(place)).items():
                assert values[column][place] == value, (column, rows.row(place).hand.to_text())
    deficiencies = labels[0].values(rows)["deficiency"].tolist()
    assert deficiencies == [mjopt.deficiency(rows.row(n).hand) for n in range(3)]


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["taiwan", "sichuan", "mcr", "riichi", "sanma", LAIZI])
@pytest.mark.parametrize(("called", "less"), [(0, 0), (0, 1), (1, 0), (2, 1)])
def test_labels_of_many_hands_are_verified(rules: str, called: int, less: int) -> None:
    rows = rows_of(rules, "deals:5000", called=called, less=less)
    names = ["deficiency", "win", "useful", *([] if less else ["discards"])]
    names += ["targets", "decompositions"]
    few = HandRows(deal=rows.deal, hands=rows.hands[:40], rows=rows.rows[:40], seed=0)
    for label in get_labels(names, rows.deal, trusted=()):
        slow = label.name in ("targets", "decompositions")
        values = label.values(few if slow else rows)
        for place in range(40):
            for column, value in label.recompute(rows.row(place)).items():
                assert values[column][place] == value, (column, rows.row(place).hand.to_text())


def test_the_forms_of_the_rules_come_first() -> None:
    rows = rows_of("mcr", "deals:40")
    names = ("seven_pairs", "deficiency:seven_pairs", "deficiency:mcr.seven_pairs")
    pairs, alike, named = values_of(names, rows).values()
    assert (alike == named).all()
    assert (alike <= pairs).all()  # four alike are two pairs in this rule set only
    counts = np.array([Hand.parse("1111m2222p334455s", tiles=FULL).counts], np.uint8)
    [again] = values_of(("deficiency:mcr.seven_pairs",), of(Deal(tiles=FULL), counts)).values()
    [plain] = values_of(("deficiency:seven_pairs",), of(Deal(tiles=FULL), counts)).values()
    assert (again.tolist(), plain.tolist()) == ([0], [4])


def of(deal: Deal, hands: Any) -> HandRows:
    return HandRows(deal=deal, hands=hands, rows=np.arange(len(hands)), seed=0)


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (["cost"], {"rules": "basic"}, "label cost: only for hands of the standard form, not of "),
        (["heuristic:ndde"], {"rules": "taiwan"}, "label heuristic:ndde: only for hands of the st"),
        (["win_within:3"], {"rules": "mcr"}, "label win_within:3: only for hands of the standard"),
        (["advice:3"], {"rules": "mcr"}, "label advice:3: only for hands of the standard form"),
        (["discards"], {"rules": "taiwan", "size": 16}, r"needs hands after their draw \(size 17"),
        (["seven_pairs"], {"rules": "taiwan"}, "label seven_pairs: .*hands of 14 tiles, but this"),
        (["thirteen_orphans"], {"rules": "sichuan"}, "label thirteen_orphans: .*, M0 has 6"),
        (["seven_pairs"], {"rules": "mcr", "called": 1}, "needs hands with nothing called"),
        (["deficiency:mcr.knitted_straight"], {}, "hands of FULL, but this one is of M0"),
        (
            ["deficiency:knitted_straight"],
            {"rules": "mcr", "called": 2},
            "needs hands with at most one meld called",
        ),
        (["deficiency:beauty"], {"rules": "mcr"}, "no such form, expected one of standard, seven_"),
        (["deficiency:mcr"], {"tiles": FULL}, "'deficiency:mcr': no such form"),
        (["deficiency:"], {}, "'deficiency:', expected deficiency:FORM"),
        (["deficiency:laizi.toml"], {}, "expected deficiency:FORM; the rules of FILE.toml are"),
        (["deficiency: laizi.toml "], {}, "expected deficiency:FORM; the rules of FILE.toml are"),
        (["deficiency"], {"rules": "taiwan", "tiles": M0}, "M0, but the rules taiwan are about F"),
        (["deficiency"], {"rules": "taiwan", "size": 14}, "hands of 14 tiles, expected 16 or 17"),
        (["deficiency"], {"rules": "taiwan", "called": 6}, "6 called melds, expected 0..5"),
        (["deficiency"], {"rules": "mcr.knitted_straight", "called": 2}, "melds, expected 0..1"),
    ],
)
def test_what_does_not_fit_the_rules_is_one_line(
    names: list[str], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ArgumentError, match=message) as caught:
        make_plan("deals:3", labels=tuple(names), **options)
    assert "\n" not in str(caught.value)


def test_stratified_names_what_is_possible() -> None:
    with pytest.raises(ArgumentError, match=r"rules taiwan have other forms .* deals:N, distinct:"):
        make_plan("stratified:7", rules="taiwan")
    assert make_plan("stratified:7", rules="basic").num_rows == 7


@pytest.mark.parametrize("rules", ["taiwan", "sichuan", "sanma", LAIZI, CARD])
@pytest.mark.parametrize("recipe", ["deals:20", "distinct:20", "two-type:20", "kongs:20:1", "all"])
def test_recipes_give_hands_of_the_rules(rules: str, recipe: str) -> None:
    known = get_rules(rules)
    found = read_recipe(recipe, rules=known, called=1)
    hands = found.block(0, seed=1)[:20]
    assert hands.shape == (20, known.tiles.num_kinds)
    assert hands.max() <= 4
    assert set(hands.sum(axis=1).tolist()) == {known.size - 3}
    for counts in hands[:2].tolist():
        assert found.deal.hand(counts).rules == known


def test_hands_of_a_file_and_of_one_suit(tmp_path: Path) -> None:
    path = tmp_path / "hands.txt"
    path.write_text("123456789m123p12358s\n123456789m123p1235s\n")
    assert read_recipe(f"file:{path}", rules="taiwan").counts().sum(axis=1).tolist() == [17, 16]
    assert read_recipe("one-type", rules="taiwan").counts()[:, :9].sum(axis=1).max() == 17
    path.write_text("123456789m123p12s\n")
    with pytest.raises(MjoptError, match="14 tiles"):
        read_recipe(f"file:{path}", rules="taiwan")


SHIPPED = (*RULE_SETS, "mcr.knitted_straight", LAIZI, CARD)


def rules_of(name: str) -> RuleSet:
    return get_rules(name) if name in SHIPPED else RuleSet.of_form(SMALL_FORMS[name])


def rearranged(counts: list[int], rules: RuleSet, rng: random.Random) -> list[int]:
    """Return a hand that is equivalent by one symmetry of each kind."""
    symmetry, slices = find_symmetry(rules), rules.tiles.slices
    image = list(counts)
    for place, (source, is_mirrored) in zip(
        symmetry.suits, rng.choice(symmetry.orders), strict=True
    ):
        part = counts[slices[source]]
        image[slices[place]] = part[::-1] if is_mirrored else part
    for kinds in symmetry.classes:
        shuffled = rng.sample(kinds, len(kinds))
        for kind, source in zip(kinds, shuffled, strict=True):
            image[kind] = counts[source]
    return image


QUICK = {CARD, *SMALL_FORMS}


@pytest.mark.parametrize("name", [n if n in QUICK else slowly(n) for n in (*SHIPPED, *SMALL_FORMS)])
def test_equivalent_hands_are_alike_in_every_form(name: str) -> None:
    rules, rng = rules_of(name), random.Random(1)
    hands = read_recipe("deals:3", rules=rules).counts(seed=2)
    images = np.array([rearranged(hand, rules, rng) for hand in hands.tolist()], np.uint8)
    assert (canonical_hashes(hands, rules=rules) == canonical_hashes(images, rules=rules)).all()
    for form in rules.forms:
        one, other = (mjopt.label(some, rules=rules, forms=(form,)) for some in (hands, images))
        assert one.tolist() == other.tolist()


def test_hands_that_a_form_tells_apart_are_not_equivalent() -> None:
    straight, full = get_rules("mcr.knitted_straight"), get_rules("taiwan")
    one = Hand.parse("147m258p369s11222z", tiles=FULL).counts
    mirrored = Hand.parse("369m258p369s11222z", tiles=FULL).counts  # only the characters
    assert mjopt.label([one, mirrored], rules=straight).tolist() == [0, 3]
    hashes = canonical_hashes(np.array([one, mirrored], np.uint8), rules=straight)
    assert hashes[0] != hashes[1]
    hashes = canonical_hashes(np.array([one, mirrored], np.uint8), rules=full)
    assert hashes[0] == hashes[1]
    dragons = np.array(
        [Hand.parse(f"1{k}z", called=4, tiles=FULL).counts for k in (5, 6)], np.uint8
    )
    hashes = canonical_hashes(dragons, rules=get_rules(LAIZI))  # 5z is a joker
    assert hashes[0] != hashes[1]


@pytest.mark.parametrize("name", ["flush", "knitted", "laizi"])
def test_hashes_differ_exactly_when_hands_are_not_equivalent(name: str) -> None:
    rules = RuleSet.of_form(SMALL_FORMS[name])
    symmetry, slices = find_symmetry(rules), rules.tiles.slices
    hands = read_recipe("deals:300", rules=rules).counts(seed=1)

    def canonical(counts: tuple[int, ...]) -> tuple[int, ...]:
        images = []
        for order in symmetry.orders:
            image = list(counts)
            for place, (source, is_mirrored) in zip(symmetry.suits, order, strict=True):
                part = counts[slices[source]]
                image[slices[place]] = part[::-1] if is_mirrored else part
            for kinds in symmetry.classes:
                some = sorted(counts[kind] for kind in kinds)
                for kind, copies in zip(kinds, some, strict=True):
                    image[kind] = copies
            images.append(tuple(image))
        return min(images)

    kinds = [canonical(tuple(hand)) for hand in hands.tolist()]
    hashes = canonical_hashes(hands, rules=rules).tolist()
    assert len(symmetry.orders) * len(symmetry.classes) > 1
    assert len(set(hashes)) == len(set(kinds)) == len(set(zip(hashes, kinds, strict=True)))


KNITTED: dict[str, Any] = {
    "rules": RuleSet.of_form(SMALL_FORMS["knitted"]),
    "labels": ("deficiency", "win"),
    "splits": "train=2,test=1",
    "seed": 4,
    "shards": 3,
}


@pytest.fixture(scope="module")
def knitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("knitted")
    build(make_plan("deals:90", check=2, **KNITTED), folder)
    return folder


def test_exact_shares_are_those_of_the_census() -> None:
    basic = make_plan("deals:5", rules="basic")
    assert exact_shares(basic) == exact_shares(make_plan("deals:5"))
    sichuan = exact_shares(make_plan("deals:5", rules="sichuan"))
    deals = mjopt.census(rules="sichuan").deals
    assert sichuan == (tuple(Fraction(number, sum(deals)) for number in deals), False)
    for recipe, rules in (("deals:5", CARD), ("kongs:5", "basic")):
        assert exact_shares(make_plan(recipe, rules=rules)) is None
    assert exact_shares(make_plan("deals:5", rules="basic", called=1)) is None


@pytest.mark.slow
def test_deals_of_rules_fit_the_census(tmp_path: Path) -> None:
    build(make_plan("deals:20000", rules="taiwan", seed=3), tmp_path)
    found = describe_dataset(tmp_path)
    assert found.fit is not None
    assert found.fit.p_value > 0.001
    deals = mjopt.census(rules="taiwan").deals
    assert found.expected == tuple(Fraction(number, sum(deals)) for number in deals)


def test_a_dataset_of_rules_is_checked_and_read(knitted: Path) -> None:
    report = check_dataset(knitted, sample=3)
    assert (report.is_sound, report.rows, report.sampled) == (True, 90, 9)
    rows = {row["row"]: row for row in sample_rows(knitted, 90, rng=1)}
    values = to_numpy(knitted)
    for row in range(0, 90, 9):
        hand = Hand.parse(str(values["text"][row]), rules=KNITTED["rules"])
        assert rows[row]["hand"] == hand.to_text()
        assert hand.counts == tuple(values["hand"][row])
        assert mjopt.deficiency(hand) == values["deficiency"][row]


def test_the_card_names_rules_and_symmetries() -> None:
    plan = make_plan("deals:9", rules="mcr.knitted_straight", splits="train=2,test=1")
    text = card_text(plan, {"train": 6, "test": 3}, [])
    assert "--rules mcr.knitted_straight --splits" in text
    assert "suits in any order, all suits or all their mirrors; 1234567z in any order" in text
    assert rules_digest(get_rules("mcr.knitted_straight")) in text


def test_a_stopped_build_of_rules_resumes(tmp_path: Path, knitted: Path) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    plan = make_plan("deals:90", check=2, **KNITTED)
    with pytest.raises(KeyboardInterrupt):
        build(plan, tmp_path, advance=stop)
    assert build(plan, tmp_path).kept_shards == 1
    assert everything(tmp_path) == everything(knitted)


def test_labels_and_rows_are_added(tmp_path: Path, knitted: Path) -> None:
    build(make_plan("deals:60", **(KNITTED | {"labels": ("deficiency",)})), tmp_path)
    build(make_plan("deals:90", check=2, **KNITTED), tmp_path)
    assert everything(tmp_path) == everything(knitted)
    with pytest.raises(FileError, match="another dataset"):
        build(make_plan("deals:90", **(KNITTED | {"rules": "half-flush"})), tmp_path)


def test_a_dataset_of_a_file_needs_no_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(Path(CARD).read_text())
    build(make_plan("deals:4", rules=path, labels=("deficiency:stairs",)), tmp_path / "data")
    path.unlink()
    assert check_dataset(tmp_path / "data", sample=1).is_sound
    assert [*sample_rows(tmp_path / "data", 1, rng=1)]
    assert "--rules card.toml" in (tmp_path / "data/README.md").read_text()
    table = pq.read_table(tmp_path / "data/data/train-00000-of-00001.parquet")
    assert json.loads(table.schema.metadata[b"mjopt.rules"])["name"] == "card"


def edit(folder: Path, change: Callable[[Any], None]) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    change(manifest["plan"])
    (folder / MANIFEST).write_text(json.dumps(manifest))


def sealed(rules: Any) -> None:
    """Give each definition the SHA-256 of what it says now."""
    for name, definition in rules["definitions"].items():
        parts = {
            "tiles": rules["tiles"]["suits"],
            "name": name,
            "templates": definition["templates"],
        }
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        definition["sha256"] = hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("is_sealed", [False, True])
def test_a_changed_definition_of_shipped_rules_is_refused(tmp_path: Path, is_sealed: bool) -> None:
    plan = make_plan("deals:9", rules="mcr.knitted_straight")
    document = json.loads(json.dumps(plan.to_document()))
    [definition] = document["rules"]["definitions"].values()
    definition["templates"][0]["has_pongs"] = False
    if is_sealed:
        sealed(document["rules"])
    manifest = {"plan": document, "rows": {}, "shards": []}
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    message = "not the form mcr.knitted_straight that mjopt knows" if is_sealed else "not the SHA"
    for read in (check_dataset, describe_dataset, to_numpy):
        with pytest.raises(FileError, match=message):
            read(tmp_path)


def test_a_changed_definition_of_own_rules_is_found(tmp_path: Path) -> None:
    rules = RuleSet.of_form(SMALL_FORMS["flush"])
    build(make_plan("deals:40", rules=rules), tmp_path)
    assert check_dataset(tmp_path, sample=40).is_sound

    def change(plan: Any) -> None:
        plan["rules"]["definitions"]["flush"]["templates"].pop()
        sealed(plan["rules"])

    edit(tmp_path, change)
    faults = check_dataset(tmp_path, sample=40).faults
    assert "expected 'mjopt" in faults[0]
    assert "engine" in faults[0]
    assert any("deficiency is" in fault and "proved to be" in fault for fault in faults)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "riichi"}, "rules: not the rules riichi that mjopt knows"),
        ({"name": "mcr.toml"}, "rules: not the rules mcr.toml that mjopt knows"),
        ({"name": "No"}, "rules.name: 'No', expected RULES or RULES.FORM"),
        ({"title": "a\nb"}, "rules.title: .*, expected a line of at most 200"),
        ({"size": 13}, "standard is 14 tiles"),
        ({"forms": ["own.toml"]}, "unknown form 'own.toml'"),
        ({"forms": []}, "forms: .*, expected at least one"),
        ({"tiles": {"name": "M0", "suits": []}}, "tiles"),
        ({"more": 1}, "rules: unknown 'more'"),
    ],
)
def test_other_rules_in_a_plan_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("own.toml", "mcr.toml"):
        Path(name).write_text("not TOML")
    document = json.loads(json.dumps(make_plan("deals:3", rules="mcr").to_document()))
    document["rules"] |= change
    with pytest.raises(FileError, match=message) as caught:
        DatasetPlan.from_document(document, "data")
    assert "\n" not in str(caught.value)


def test_rules_with_the_name_of_shipped_ones_are_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(Path(LAIZI).read_text().replace('name = "laizi"', 'name = "taiwan"'))
    with pytest.raises(ArgumentError, match="not the form taiwan that mjopt knows, so that no dat"):
        make_plan("deals:3", rules=path)


@st.composite
def plans(draw: st.DrawFn) -> DatasetPlan:
    rules = rules_of(draw(st.sampled_from([*SHIPPED, *SMALL_FORMS])))
    if rules.name.partition(".")[0] not in RULE_SETS:
        few = draw(st.sets(st.sampled_from(rules.forms), min_size=1))
        title = draw(st.text(st.characters(categories=["L", "N", "P"]), max_size=20))
        forms = tuple(form for form in rules.forms if form in few)
        rules = RuleSet(name="own", title=title, tiles=rules.tiles, size=rules.size, forms=forms)
    return make_plan(
        f"deals:{draw(st.integers(1, 50))}",
        rules=rules,
        called=draw(st.integers(0, min(1, rules.most_called))),
        size=rules.size - draw(st.integers(0, 1)),
        seed=draw(st.integers(0, 9)),
        text=draw(st.booleans()),
    )


@settings(max_examples=30)
@given(plans())
def test_plans_are_read_back(plan: DatasetPlan) -> None:
    document = json.loads(json.dumps(plan.to_document()))
    again = DatasetPlan.from_document(document, "data")
    assert again == plan
    assert json.dumps(again.to_document()) == json.dumps(plan.to_document())
    assert again.rules is not None
    assert plan.rules is not None
    assert rules_document(again.rules) == rules_document(plan.rules)


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-1, 40), st.text(max_size=3), st.just([]))


@settings(max_examples=60)
@given(plans(), st.randoms(use_true_random=False), LEAVES)
def test_a_changed_part_of_the_rules_is_refused_or_kept(
    plan: DatasetPlan, rng: random.Random, leaf: object
) -> None:
    document = json.loads(json.dumps(plan.to_document()))
    at, key = document, "rules"
    while isinstance(at[key], dict | list) and at[key] and rng.random() < 0.9:
        at = at[key]
        key = rng.choice([*at] if isinstance(at, dict) else range(len(at)))
    at[key] = leaf
    with suppress(FileError):
        assert DatasetPlan.from_document(document, "data").to_document() == document


def test_plans_without_rules_keep_their_bytes() -> None:
    """Documents of plans by the version before rules, without the versions in them."""
    wanted = {
        "deals:300": "07ded119afecb567",
        "stratified:60": "fe2baba0196af944",
        "kongs:40:2": "084820619fe5f3b0",
    }
    options: dict[str, dict[str, Any]] = {
        "deals:300": {"seed": 7, "labels": ("deficiency", "useful"), "splits": "a=8,b=2"},
        "stratified:60": {"seed": 3, "tiles": "136", "size": 13, "check": 2, "shards": 2},
        "kongs:40:2": {"tiles": "sanma", "called": 1, "text": False},
    }
    for recipe, given_options in options.items():
        document = make_plan(recipe, **given_options).to_document()
        kept = {k: v for k, v in document.items() if k not in ("mjopt", "engine")}
        assert hashlib.sha256(json.dumps(kept).encode()).hexdigest()[:16] == wanted[recipe]
