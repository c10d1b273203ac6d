"""The study configuration: JSON round trip, validation and work units."""

import json
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from helpers.own_method import SOURCE, write_method

from mjopt.errors import ArgumentError, FileError, MjoptError
from mjopt.heuristics.registry import HEURISTICS
from mjopt.studies.config import HandSet, StudyConfig, describe_difference
from mjopt.studies.method import Method, parse_method, parse_methods

NDDE = Method(label="ndde-20-50", name="ndde", parameters={"population": 20}, stream="ndde")
TREE = Method(label="tree-search", name="tree-search", is_random=False)
ONE = HandSet(name="one-type", recipe="one-type", seed=0, num_hands=9, digest="ab")
CONFIG = StudyConfig(methods=(NDDE, TREE), sets=(ONE,), runs=3, seed=7, early_stop=True)


def test_json_round_trip() -> None:
    assert StudyConfig.from_json(CONFIG.to_json()) == CONFIG
    assert StudyConfig.from_json(CONFIG.to_json()).to_json() == CONFIG.to_json()


def test_a_deterministic_method_runs_once_without_early_stop() -> None:
    assert [CONFIG.num_runs(method) for method in CONFIG.methods] == [3, 1]
    assert [CONFIG.stops_early(method) for method in CONFIG.methods] == [True, False]


def test_units_of_a_study_with_sample_and_curves() -> None:
    config = replace(CONFIG, sample=4, curves=2)
    kinds = [(unit.method, unit.kind) for unit in config.units()]
    assert kinds.count(("ndde-20-50", "rows")) == kinds.count(("ndde-20-50", "curves")) == 3
    assert kinds.count(("tree-search", "rows")) == kinds.count(("tree-search", "curves")) == 1
    assert kinds.count(("tree-search", "timing")) == 2
    assert {len(config.hand_numbers(unit)) for unit in config.units()} == {9, 4, 2}
    for unit in config.units():
        assert config.stream_name(unit).startswith(f"one-type/{unit.method[:4]}")


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 8},
        {"methods": (replace(NDDE, code="other"), TREE)},
        {"methods": (replace(NDDE, parameters={"population": 30}), TREE)},
        {"sets": (replace(ONE, digest="cd"),)},
        {"tiles": "136"},
    ],
)
def test_changed_input_changes_the_key(change: dict[str, Any]) -> None:
    first, *_ = CONFIG.units()
    other, *_ = replace(CONFIG, **change).units()
    assert first.key != other.key


def test_more_runs_keep_the_keys() -> None:
    assert {u.key for u in CONFIG.units()} <= {u.key for u in replace(CONFIG, runs=5).units()}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"runs": 4, "methods": (NDDE,)}, ""),
        ({"seed": 8, "sample": 5}, "seed: 8 there, 7 here; sample: 5 there, 0 here"),
        ({"sets": (replace(ONE, digest="cd"),)}, "digest of one-type: cd there, ab here"),
    ],
)
def test_a_difference_is_described(changes: dict[str, Any], words: str) -> None:
    assert describe_difference(replace(CONFIG, **changes), CONFIG) == words


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"methods": ()}, "at least one method and one hand set"),
        ({"methods": (NDDE, NDDE)}, "method ndde-20-50 is named twice"),
        ({"sets": (ONE, ONE)}, "hand set one-type is named twice"),
        ({"runs": 0}, "runs 0, expected 1..10000"),
        ({"sample": -1}, "sample -1, expected 0 or more"),
        ({"seed": -1}, "seed -1, expected 0 or more"),
        ({"tiles": "137"}, "tiles '137': unknown, expected one of m0"),
    ],
)
def test_invalid_configurations_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        replace(CONFIG, **changes)


WRONG: list[Any] = [None, 1.5, "x", b"x", [], {"a": 1}, object(), [None], np.zeros((2, 3)), 10**30]


@pytest.mark.parametrize("record", [NDDE, ONE, CONFIG], ids=["Method", "HandSet", "StudyConfig"])
def test_a_record_is_refused_or_written(record: Any) -> None:
    for name in (field.name for field in fields(record) if field.name != "counts"):
        for value in WRONG:
            with suppress(MjoptError, TypeError):  # but no other error
                made = replace(record, **{name: value})
                config = made if record is CONFIG else CONFIG
                config = replace(config, methods=(made,)) if record is NDDE else config
                config = replace(config, sets=(made,)) if record is ONE else config
                assert json.loads(config.to_json())
                assert all(config.stream_name(unit) for unit in config.units())


@pytest.mark.parametrize("method", ["num_runs", "stops_early", "stream_name", "hand_numbers"])
@pytest.mark.parametrize("value", WRONG[:7])
def test_arguments_of_other_types_are_type_errors(method: str, value: Any) -> None:
    with pytest.raises(TypeError, match="expected a (Method|Unit)"):
        getattr(CONFIG, method)(value)


def test_names_and_texts_have_their_type() -> None:
    for find in (CONFIG.method, CONFIG.hand_set, StudyConfig.from_json):
        for value in ([], None, 3):
            with pytest.raises(TypeError, match="expected a str"):
                find(value)  # type: ignore[arg-type]


def test_numbers_of_numpy_are_written() -> None:
    config = replace(CONFIG, seed=np.int64(7), runs=np.int32(3))  # type: ignore[arg-type]
    assert config.to_json() == CONFIG.to_json()


def test_labels_that_are_invalid_file_names_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"method label '\.\./up'"):
        Method(label="../up", name="ndde")
    with pytest.raises(ArgumentError, match="hand set 'a/b'"):
        HandSet(name="a/b", recipe="all", seed=0, num_hands=1)
    with pytest.raises(ArgumentError, match="0 hands, expected at least 1"):
        HandSet(name="a", recipe="all", seed=0, num_hands=0)
    with pytest.raises(ArgumentError, match="5 certificates of 4 hands"):
        HandSet(name="a", recipe="all", seed=0, num_hands=4, certificates=5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no json", "not a JSON document"),
        ("[1]", "not a JSON document"),
        ('{"format": 9}', "format 9, expected 2"),
        (json.dumps({**json.loads(CONFIG.to_json()), "surplus": 1}), "not a study"),
        ('{"format": 2}', "not a study: 'methods'"),
    ],
)
def test_other_text_is_refused(text: str, words: str) -> None:
    with pytest.raises(FileError, match=words):
        StudyConfig.from_json(text)


# Methods ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HEURISTICS)
def test_every_heuristic_round_trips(name: str) -> None:
    method = parse_method(name)
    config = StudyConfig(methods=(method,), sets=(ONE,), runs=1, seed=0)
    [again] = StudyConfig.from_json(config.to_json()).methods
    assert again.make() == method.make() == HEURISTICS[name]()
    assert again.is_random == HEURISTICS[name].is_random
    assert parse_method(again.text) == method


def test_a_smaller_budget_has_the_same_stream() -> None:
    first, fewer, other = parse_methods(
        ["ndde", "ndde:generations=10", "ndde:population=30,generations=50"]
    )
    assert first.stream == fewer.stream != other.stream


@pytest.mark.parametrize(
    ("texts", "kind", "words"),
    [
        (["nde"], ArgumentError, "heuristic 'nde': unknown, expected one of ndde"),
        (["ndde:popsize=3"], ArgumentError, "no parameter 'popsize'"),
        (["ndde:population=1"], ArgumentError, "population"),
        (["ndde:population"], ArgumentError, "expected NAME=VALUE"),
        (["ndde", "ndde:population=20"], ArgumentError, "are the same: ndde-20-50"),
    ],
)
def test_wrong_methods_are_refused(texts: list[str], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        parse_methods(texts)


@pytest.mark.usefixtures("in_tmp_path")
def test_user_method_with_a_registered_name_needs_a_label(tmp_path) -> None:
    (tmp_path / "sa.py").write_text(SOURCE.replace('"sa"', '"ga"'))
    with pytest.raises(ValueError, match=r"sa.py:SA is called ga as one of ours is"):
        parse_methods(["sa.py:SA"])
    [method] = parse_methods(["other=sa.py:SA"])
    assert (method.label, method.stream) == ("other", "ga:tries=3")


@pytest.mark.usefixtures("in_tmp_path")
def test_version_of_a_user_file_is_its_digest(tmp_path) -> None:
    write_method(tmp_path)
    before = parse_method("sa.py:SA").code
    assert before == parse_method("./sa.py:SA").code
    write_method(tmp_path, ("range(self.tries)", "range(self.tries + 1)"))
    assert parse_method("sa.py:SA").code != before
    assert parse_method("ndde").code.startswith("mjopt ")
