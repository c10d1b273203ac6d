"""Kernels are the same, whatever has become of the names of numba's that are not public."""

from pathlib import Path

import numpy as np
import pytest
from helpers.fresh_process import run_python

import mjopt

WITH_A_NUMBA_OF_ITS_OWN = """
import sys
from importlib import import_module

import numba
import numpy as np

{change}
import mjopt
from mjopt._internal.jit import no_plain_way
from mjopt._internal.kernels import way, why_not_kept

rng = np.random.default_rng(2)
deals = np.array([rng.permutation(np.repeat(np.arange(27), 4))[:14] for _ in range(300)])
rows = np.array([np.bincount(deal, minlength=27) for deal in deals], np.int8)
with no_plain_way():
    print(mjopt.label(rows).tolist())
    print(mjopt.label(np.pad(rows, ((0, 0), (0, 7))).astype(np.int64)).sum())
print(way().__name__)
print(why_not_kept())
"""

CHANGES = {
    "plain_kernels": [
        'sys.modules["numba.core.codegen"].__dict__.pop("JITCodeLibrary")',
        'sys.modules["mjopt._internal.quick_kernels"] = None',
        "numba.version_info = (9, 0)\n"
        'import_module("mjopt._internal.quick_kernels")._Typing.resolve_function_type = None',
    ],
    "quick_kernels": ["", "numba.version_info = (9, 0)"],
}


@pytest.mark.parametrize(
    ("module", "change"), [(module, one) for module, all_of in CHANGES.items() for one in all_of]
)
def test_kernels_do_the_same_where_names_of_numbas_have_moved(
    module: str, change: str, tmp_path: Path
) -> None:
    code = WITH_A_NUMBA_OF_ITS_OWN.format(change=change)
    folder = {"NUMBA_CACHE_DIR": str(tmp_path)} if module == "plain_kernels" else {}
    ran = run_python(code, **folder)
    assert not ran.stderr
    *told, way, why = ran.stdout.split("\n")[:-1]
    rng = np.random.default_rng(2)
    deals = [rng.permutation(np.repeat(np.arange(27), 4))[:14] for _ in range(300)]
    expected = [mjopt.deficiency(np.bincount(deal, minlength=27)) for deal in deals]
    assert told == [str(expected), str(sum(expected))]
    assert way == f"mjopt._internal.{module}"
    assert ("numba" in why, "folder" in why) == (
        module == "plain_kernels",
        module != "plain_kernels",
    )
    assert not list(tmp_path.rglob("*.nbc"))
