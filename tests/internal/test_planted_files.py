"""Files in the working folder that libraries might read: SECURITY.md lists them."""

import os
import subprocess
import sys
from pathlib import Path

from adversarial.surroundings import MARKER, plant

# Outside the working folder, as the script `mjopt` is: Python imports from the folder of a script.
PROGRAM = """
import os
import sys

def double(number):
    return 2 * number

if __name__ == "__main__":
    os.environ["NUMBA_CACHE_DIR"] = sys.argv[1]
    from mjopt._internal import jit, plot_style
    from mjopt._internal.executor import open_executor

    print(jit.kernel(double)(4), os.listdir(os.path.join(sys.argv[1], "kernels")))
    config = jit._import_numba().config
    print({name: value for name, value in vars(config).items() if name.isupper()})
    with plot_style.plot_style():
        figure, [axes] = plot_style.make_panels(1)
        axes.plot([1, 2])
    print(plot_style.to_svg(figure))
    with open_executor(2) as workers:
        print([*workers.map(double, [1, 2])], [*workers.map(os.environ.get, ["PYTHONSAFEPATH"])])
"""


def test_files_of_libraries_in_the_working_folder_have_no_effect(tmp_path: Path) -> None:
    program, empty, planted = tmp_path / "program.py", tmp_path / "empty", tmp_path / "planted"
    program.write_text(PROGRAM)
    empty.mkdir()
    plant(planted)
    root = str(Path(__file__).parents[2])
    runs = [
        subprocess.run(
            [sys.executable, program, tmp_path / "cache"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": root},
            capture_output=True,
            text=True,
            check=False,
        )
        for folder in (empty, empty, planted)
    ]
    assert [run.returncode for run in runs] == [0, 0, 0], runs[-1].stderr
    assert runs[1].stdout == runs[2].stdout
    assert not (planted / MARKER).exists()
    assert not [*(planted / "evil").iterdir()]
