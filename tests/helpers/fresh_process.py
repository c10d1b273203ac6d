"""Run a program in a new Python process, with nothing imported or compiled."""

import os
import subprocess
import sys


def run_python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program to completion, and return its output; it must not fail."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done
