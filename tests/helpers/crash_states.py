"""Fault injection: the states of a folder that a process killed while writing would leave."""

import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

STEPS = ("fsync", "mkdir", "rename", "replace", "rmdir", "unlink")
"""Functions of `os` that make a change visible or durable."""


def crash_states(work: Callable[[], object], folder: Path, copies: Path) -> list[Path]:
    """Run work once; return copies of a folder as a kill before each write step would leave it.

    Temporary files are cut in half, as if the process was killed while it wrote them. Of states
    that differ only in temporary files, the first is returned.
    """
    states: dict[Any, Path] = {}
    is_copying = False

    def before_step() -> None:
        nonlocal is_copying
        if is_copying or not folder.is_dir():
            return
        is_copying = True
        content = {
            path.relative_to(folder): sha256(path.read_bytes()).digest() if path.is_file() else None
            for path in folder.rglob("*")
            if not any(part.endswith(".mjopt.tmp") for part in path.parts)
        }
        state = frozenset(content.items())
        if state not in states:
            states[state] = shutil.copytree(folder, copies / str(len(states)))
            for temporary in states[state].rglob("*.mjopt.tmp/[!.]*"):
                if temporary.is_file():
                    os.truncate(temporary, temporary.stat().st_size // 2)
        is_copying = False

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            before_step()
            return function(*args, **kwargs)

        return call

    with ExitStack() as stack:
        for name in STEPS:
            stack.enter_context(patch.object(os, name, counted(getattr(os, name))))
        work()
    return list(states.values())
