"""A program in a Python process of its own, which has loaded and compiled nothing."""

import os
import subprocess
import sys


def run_python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, and return what it printed; it must not fail."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done
