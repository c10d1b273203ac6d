"""Every attack by its name."""

from adversarial import (
    absent,
    certificates,
    command_line,
    files,
    growth,
    logs,
    play,
    python_calls,
    rules,
    stores,
)
from adversarial.agents import ATTACK as AGENTS
from adversarial.attack import Attack
from adversarial.killing import EQUAL, KILLS, SIGNALS, WRITERS
from adversarial.stopping import ATTACK as STOPS
from adversarial.surroundings import CACHES, OUTSIDE
from adversarial.visitors import ATTACK as VISITORS

EVERY: tuple[Attack, ...] = (
    certificates.ATTACK,
    play.ATTACK,
    command_line.ATTACK,
    python_calls.ATTACK,
    files.ATTACK,
    absent.ATTACK,
    logs.ATTACK,
    growth.ATTACK,
    rules.ATTACK,
    stores.ATTACK,
    AGENTS,
    KILLS,
    SIGNALS,
    STOPS,
    WRITERS,
    EQUAL,
    CACHES,
    OUTSIDE,
    VISITORS,
)
ATTACKS = {attack.name: attack for attack in EVERY}


def cases(attack: Attack, *kinds: str) -> list[int]:
    return [list(attack.kinds).index(kind) for kind in kinds]


def one_in(step: int, attack: Attack, *without: str) -> list[int]:
    """Return every n-th kind whose name contains none of the given words."""
    every = enumerate(attack.kinds)
    return [at for at, kind in every if not any(word in kind for word in without)][::step]


QUICK: dict[str, list[int]] = {
    "certificates": [*range(30)],
    "play": [*range(6)],
    "command line": one_in(1, command_line.ATTACK, "tables", "train perfect", "warm"),
    "Python calls": [*range(2 * len(python_calls.ATTACK.kinds))],
    "files": one_in(4, files.ATTACK, "read-only", "one long line", "tables", "model"),
    "absent values": [*range(len(absent.KINDS))],
    # Of the ways to lose a file, which make an instance set solve it again, one is enough.
    "stores": one_in(
        2, stores.ATTACK, "study", "instances build, a folder", "instances build, linked"
    ),
    "logs": [*range(6)],
    "agents": cases(AGENTS, "illegal"),
    "kills": cases(KILLS, "certify few"),
    "stops": cases(STOPS, "battle of programs"),
    "writers": cases(WRITERS, "certify few"),
    "caches": cases(CACHES, "no home", "cache folder"),
    "other checkers": [0, 1],
    "visitors": cases(VISITORS, "matches of others"),
}
"""The cases of each attack that `make test` runs, with a fixed seed.

"growth" and "rule files" measure times and are not among them.
"""
