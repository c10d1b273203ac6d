"""Available memory, of the machine or of the container."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def available_memory() -> int | None:
    """Return the bytes of memory that programs can use now; None if the system does not say."""
    limits: list[int] = []
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        limits += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable")]
    for group in _control_groups():
        with suppress(OSError, ValueError):  # no limit, or no file
            most = int((group / "memory.max").read_text(encoding="ascii"))
            used = int((group / "memory.current").read_text(encoding="ascii"))
            rows = (group / "memory.stat").read_text(encoding="ascii").splitlines()
            # The system drops cached files when programs need the memory.
            cached = sum(int(row.split()[1]) for row in rows if "active_file " in row)
            limits.append(max(0, most - used + cached))
    return min(limits, default=None)


def _control_groups() -> Iterator[Path]:
    """Yield the control groups of this process, whose limits all hold."""
    root = Path("/sys/fs/cgroup")
    yield root
    with suppress(OSError, ValueError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            if line.startswith("0::/") and ".." not in line:
                own = root / line.removeprefix("0::/")
                yield from (group for group in (own, *own.parents) if root in group.parents)
