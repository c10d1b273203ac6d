"""Public functions refuse bad arguments with an MjoptError or a TypeError, in one line."""

import enum
import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from adversarial.python_calls import CALLS, FEW, arguments

import mjopt
from mjopt import FULL, M0, Hand, MjoptError, datasets, heuristics, tables
from mjopt.analysis import formats
from mjopt.play import game, learning
from tools.reference import FACES, public_names

ENCODING = heuristics.Encoding(Hand.parse("123m456p1122789s"))
STATE = game.start(game.GMJBG, game.shuffle_wall(1, 0, FULL))
ROWS = [[3, 1, 1, 1, 1, 1, 1, 1, 4] + [0] * 18]
run_batch = partial(
    heuristics.run_batch, heuristics.NDDE(), ROWS, seed=1, method="ndde", hand_numbers=[0], run=0
)
feasible = partial(heuristics.make_feasible, [0] * 5, ENCODING, rule="pmelds-first", rng=1)
SCALARS = (np.arange(3), np.zeros((2, 2)), float("nan"), "x", [1, 2], object())

LONGEST = 300  # characters of a message
BUILDS = {
    "audit_paper",
    "build_ceiling",
    "build_instances",
    "check_table",
    "describe_table",
    "plot_description",
}
"""They take minutes or no argument, or need a table."""


def wrong_objects() -> dict[str, Any]:
    """Return objects of types that hardly any argument has."""
    return {
        "None": None,
        "text": "x",
        "number": 7,
        "long text": "1" * 5000,
        "null character": "\0",
        "array": np.zeros((2, 2)),
        "object": object(),
        "list of objects": [object()],
        "NaN": float("nan"),
        "large number": 10**30,
        "vast number": 10**5000,
    }


def fault_of(call: Callable[[], Any]) -> str:
    """Return what is wrong with the error of a call; empty for a result or a good error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = call()
            if hasattr(found, "__next__"):
                next(found, None)
    except (MjoptError, TypeError) as error:
        message = str(error)
        is_line = len(message.splitlines()) <= 1 and len(message) <= LONGEST
        return "" if is_line else f"message of {len(message)} characters: {message[:80]!r}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:80]}"
    return ""


def public_callables(face: str) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes of a package; enumerations and errors are Python's."""
    for name in public_names(face):
        found = getattr(import_module(face), name)
        is_ours = callable(found) and name not in BUILDS
        if is_ours and not (
            inspect.isclass(found) and issubclass(found, enum.Enum | BaseException)
        ):
            yield name, found


@pytest.mark.parametrize("face", FACES)
@pytest.mark.usefixtures("in_tmp_path")
def test_wrong_objects_are_refused(face: str, tmp_path: Path) -> None:
    faults = []
    for name, function in public_callables(face):
        parameters = [
            parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.default is parameter.empty and parameter.kind != parameter.VAR_KEYWORD
        ]
        for what, wrong in wrong_objects().items() if parameters else ():
            by_name = {p.name: wrong for p in parameters if p.kind == p.KEYWORD_ONLY}
            places = [wrong] * (len(parameters) - len(by_name))
            if fault := fault_of(partial(function, *places, **by_name)):
                faults.append(f"{face}.{name}({what}): {fault}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.usefixtures("in_tmp_path")
def test_each_argument_is_validated(name: str, tmp_path: Path) -> None:
    function = CALLS[name][0]
    given, options = arguments(CALLS[name])
    inspect.signature(function).bind(*given, **options)
    faults = []
    for place, (what, wrong) in itertools.product(
        [*range(len(given)), *options], wrong_objects().items()
    ):
        if place in FEW and isinstance(wrong, int):
            continue  # it would take long
        places = [wrong if at == place else value for at, value in enumerate(given)]
        by_name = {key: wrong if key == place else value for key, value in options.items()}
        if fault := fault_of(partial(function, *places, **by_name)):
            faults.append(f"{name}, {place} = {what}: {fault}")
    assert not faults, "\n".join(faults)


def test_every_public_function_is_called() -> None:
    attacked = {id(function) for function, *_ in CALLS.values()}
    functions = {
        f"{face}.{name}": function
        for face in FACES
        for name, function in public_callables(face)
        if not inspect.isclass(function)
    }
    assert not [name for name, function in functions.items() if id(function) not in attacked]


@pytest.mark.parametrize(
    "call",
    [
        lambda: heuristics.make_feasible([0] * 5, ENCODING, rule="none", rng=1),
        lambda: heuristics.make_feasible([99] + [0] * 4, ENCODING, rule="pmelds-first", rng=1),
        lambda: heuristics.make_feasible([0] * 5, None, rule="pmelds-first", rng=1),
        lambda: tables.label_one(10**30),
        lambda: tables.label_one(3),
        lambda: game.view_of(STATE, 4),
        lambda: game.view_of(STATE, -1),
        lambda: game.view_of(None, 0),
        lambda: game.forfeit(STATE, 9),
        lambda: learning.small_of_full(86, 0),
        lambda: learning.change_of(86, 0),
        lambda: learning.full_number(5, 1, 3, 0),
        lambda: learning.action_planes(np.array([86]), 0),
        lambda: learning.action_planes(np.array([10**6]), 27),
        lambda: mjopt.play.review("x" * 5000),
        lambda: datasets.to_numpy("x" * 5000),
        lambda: run_batch(method="\udcff", targets=[10**30]),
        lambda: game.start(game.GMJBG, [np.zeros(2)] * 136),
        lambda: game.agents.read_agent(None),
        lambda: formats.to_opb(None),
        lambda: formats.to_opb(mjopt.certify(Hand.parse("11m", called=4)), version=np.arange(3)),
        lambda: run_batch(hand_numbers=[10**30]),
    ],
)
def test_wrong_arguments_are_refused(call: Callable[[], Any]) -> None:
    with pytest.raises((MjoptError, TypeError)):
        call()


@pytest.mark.parametrize("value", SCALARS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "call",
    [
        lambda value: heuristics.Stop(generations=value),
        lambda value: heuristics.Stop(evaluations=value),
        lambda value: heuristics.Stop(seconds=value),
        lambda value: heuristics.NDDE(order=value),
        lambda value: heuristics.NDDE(special_case_1=value),
        lambda value: heuristics.Encoding(ENCODING.hand, order=value),
        lambda value: heuristics.stream(value, "ndde", 0, 0),
        lambda value: run_batch(run=value),
        lambda value: run_batch(called=value),
        lambda value: run_batch(stop_at_target=value),
        lambda value: game.agent_stream(1, 0, value),
        lambda value: game.start(game.GMJBG, game.shuffle_wall(1, 0, FULL), dealer=value),
        lambda value: game.Course(most_hands=value),
        lambda value: datasets.make_plan("deals:9", size=value),
        lambda value: datasets.make_plan("deals:9", called=value),
    ],
)
def test_arrays_and_others_are_no_scalars(call: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises((MjoptError, TypeError)):
        call(value)


def test_right_arguments_are_accepted() -> None:
    assert feasible() == (0,) * 5
    assert run_batch().value.tolist() == [0]
    assert tables.label_one(bytes(Hand.parse("1112345678999m", tiles=M0).counts)) == 1


def test_signatures_can_be_read() -> None:
    """``help(mjopt.label)`` would print 1,259 characters in place of ``ArrayLike``."""
    signatures = {}
    for face in FACES:
        for name, found in public_callables(face):
            members = vars(found) if inspect.isclass(found) else {}
            methods = {
                f"{face}.{name}.{member}": getattr(value, "fget", getattr(value, "__func__", value))
                for member, value in members.items()
                if not member.startswith("_")
            }
            for place, function in {f"{face}.{name}": found, **methods}.items():
                if inspect.isclass(function) or inspect.isroutine(function):
                    with suppress(ValueError, TypeError):  # a class with a signature of C
                        signatures[place] = str(inspect.signature(function))
    assert len(signatures) > 500
    assert "counts: 'ArrayLike'" in signatures["mjopt.label"]
    inner = ("numpy._typing", "numpy.dtype", "_SupportsArray", " at 0x")
    assert [name for name, text in signatures.items() if any(word in text for word in inner)] == []
