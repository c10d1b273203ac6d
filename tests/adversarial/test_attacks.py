"""A few seeded cases of every attack; `make attack` makes thousands (docs/about/robustness.md)."""

from collections.abc import Iterator

import pytest
from adversarial.attack import Attack, Outcome, Skipped, Worker, run_case
from adversarial.command_line import LONG, options, uses_by_command
from adversarial.everything import ATTACKS, QUICK, cases
from adversarial.growth import growing
from adversarial.python_calls import CALLS, MADE_BY_OTHERS

import mjopt
from mjopt import play
from mjopt.errors import CertificateError

SEED = 1

NOT_YET: dict[str, set[str]] = {}
"""Kinds of quick cases that fail today, per attack; empty when all is well."""


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """Run the cases in one worker process, so that a hanging case fails alone."""
    with Worker() as made:
        yield made


@pytest.mark.parametrize("name", QUICK)
def test_holds(name: str, worker: Worker) -> None:
    attack = ATTACKS[name]
    failures, is_made, reasons = [], False, set()
    for case in QUICK[name]:
        if attack.kind(case) not in NOT_YET.get(name, ()):
            found = worker.run(attack, SEED, case)
            is_made |= not found.skipped
            reasons.add(found.skipped)
            if found.fault:
                again = f"--attack '{name}' --seed {SEED} --case {case}"
                failures.append(f"{found.kind}: {found.fault}\n    repeat: {again}")
    assert not failures, "\n".join(failures)
    if not is_made:
        pytest.skip(" ".join(reasons) or "not yet")


@pytest.mark.slow
def test_warm_holds(worker: Worker) -> None:
    """`mjopt warm` compiles every kernel, which takes a minute on a new machine."""
    attack = ATTACKS["command line"]
    [case] = cases(attack, "warm")
    found = worker.run(attack, SEED, case)
    assert not found.fault


def test_what_is_not_yet_is_attacked() -> None:
    for name, kinds in NOT_YET.items():
        assert kinds <= ATTACKS[name].kinds.keys()


def test_every_public_function_is_attacked() -> None:
    every = {name for name in mjopt.__all__ if callable(getattr(mjopt, name))}
    every |= {f"play.{name}" for name in play.__all__ if callable(getattr(play, name))}
    assert every == (every & CALLS.keys()) | MADE_BY_OTHERS


def test_uses_have_no_unknown_options() -> None:
    for name, uses in uses_by_command().items():
        known = {option for option, _ in options(name)} | LONG
        for words in uses:
            assert {word for word in words if word.startswith("--")} <= known, words


def run_cases(attack: Attack) -> list[Outcome]:
    return [run_case(attack, SEED, case) for case in range(len(attack.kinds))]


def test_every_way_to_fail_is_one() -> None:
    """Every attack detects its failure."""

    def raises(rng, folder):
        raise CertificateError("two\nlines")

    def skips(rng, folder):
        raise Skipped("no such device here")

    toy = Attack("toy", "", {"says": lambda *_: "no\nanswer", "raises": raises, "skips": skips,
                             "holds": lambda *_: None})  # fmt: skip
    said, raised, skipped, held = run_cases(toy)
    assert (said.fault, raised.fault) == ("no answer", "CertificateError: two lines")
    assert (skipped.fault, skipped.skipped) == ("", "no such device here")
    assert (held.fault, held.skipped) == ("", "")


@pytest.mark.slow
def test_quadratic_parser_is_found() -> None:
    def slow(text, folder):
        return sum(len(text[at:].encode()) for at in range(0, len(text), 8))

    found = run_case(Attack("toy", "", {"slow": growing(slow, "x".__mul__)}), SEED, 0)
    assert "times as long" in found.fault


def test_a_case_depends_on_its_number_alone() -> None:
    drawn = Attack("toy", "", {"draws": lambda rng, folder: str([rng.random(), *folder.iterdir()])})
    first, again = (run_case(drawn, SEED, 3).fault for _ in range(2))
    assert first == again != run_case(drawn, SEED, 4).fault
