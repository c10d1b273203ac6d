"""The compiled kernels with bounds checking."""

from helpers.fresh_process import run_python
from platformdirs import user_cache_path

# Rows of arbitrary bytes and arbitrary state numbers: no read outside a table.
HOSTILE = """
import numpy as np
from mjopt._internal.jit import compile_always
from mjopt.errors import MjoptError
from mjopt import label, label_packed, pack, unpack
from mjopt.tables import label_limited, label_one

compile_always().__enter__()
rng = np.random.default_rng(0)
for kinds, columns in ((27, 3), (34, 4)):
    deck = rng.permuted(np.tile(np.repeat(np.arange(kinds), 4), (300, 1)), axis=1)[:, :14]
    hands = np.zeros((300, kinds), np.uint8)
    np.add.at(hands, (np.arange(300)[:, None], deck), 1)
    hands[::7] = 0
    hands[::7, :3] = 4
    hands[::7, 20] = 2
    expected = [label_one(hand) for hand in hands]
    assert label(hands).tolist() == expected
    assert label_packed(pack(hands)).tolist() == expected
    assert (unpack(pack(hands)) == hands).all()
    assert label_limited(hands, np.full(kinds, 4)).tolist() == expected
    for top in (5, 8, 16, 256):
        for attempt in range(5):
            rows = rng.integers(0, top, (70, kinds), dtype=np.uint8)
            most = 2**32 if top == 256 else 2**19
            numbers = rng.integers(0, most, (70, columns), dtype=np.uint32)
            for refuse, given in ((label, rows), (pack, rows), (label_packed, numbers)):
                try:
                    refuse(given)
                except MjoptError:
                    continue
                raise AssertionError((refuse, given))
print("done")
"""


def test_arbitrary_bytes_cause_no_read_out_of_bounds() -> None:
    """Numba does not tell code with bounds checks from other code, so it has its own cache."""
    cache = user_cache_path("mjopt", appauthor=False) / "bounds-checked"
    ran = run_python(HOSTILE, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(cache))
    assert ran.stdout == "done\n"
