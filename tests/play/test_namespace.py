"""Names of `mjopt.play`: loaded on first use, whatever was imported before."""

import pytest
from helpers.fresh_process import run_python

import mjopt
from mjopt.play.review.api import review
from mjopt.play.tournaments.api import battle


def test_import_is_lazy_and_names_resolve() -> None:
    run_python(
        "import sys, mjopt\n"
        "assert 'mjopt.play' not in sys.modules\n"
        "mjopt.play\n"
        "assert 'numpy' not in sys.modules\n"
        "assert mjopt.play.game.GMJBG.name == 'gmjbg'\n"
    )
    assert mjopt.play.battle is battle
    assert {*mjopt.play.__all__} <= {*dir(mjopt.play)}


@pytest.mark.parametrize(
    "lines",
    [
        ["mjopt.play.review", "import mjopt.play.review.api"],
        ["import mjopt.play.review.api", "mjopt.play.review"],
        ["import mjopt.play.review", "from mjopt.play.review import tenhou_json"],
        ["from mjopt.play import review", "import mjopt.play.review.summary"],
        ["import mjopt.play.serve.review_file"],
    ],
    ids="; ".join,
)
def test_review_is_the_function_before_and_after_imports_of_its_package(lines: list[str]) -> None:
    check = "assert mjopt.play.review.__module__ == 'mjopt.play.review.api', mjopt.play.review"
    run_python("\n".join(["import mjopt", *lines, check]))
    assert mjopt.play.review is review
