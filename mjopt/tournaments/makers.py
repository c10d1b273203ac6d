"""Who played the games of a battle: what a record notes of it, and what has changed since."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mjopt._internal.program_files import ITS_OWN
from mjopt._internal.source_code import code_digest
from mjopt.game.agents.registry import code_of
from mjopt.game.play import Agent
from mjopt.studies.provenance import is_same, maker
from mjopt.tournaments.plan import Plan

RULES: Final = ("mjopt.game.play", "mjopt.game.wall")


def note_makers(plan: Plan, entrants: Sequence[Agent]) -> dict[str, Any]:
    """Return who plays a battle: each entrant, and the code that plays by the rules."""
    agents: dict[str, Any] = {}
    for number, (text, agent) in enumerate(zip(plan.agents, entrants, strict=True), 1):
        one = maker(code_of(agent))
        if agents.setdefault(text, one) != one:  # objects, which the texts do not tell apart
            agents[f"{text} (agent {number})"] = one
    return {"rules": maker(code_digest(RULES)), "agents": agents}


def what_changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Say in a few words what has changed since games were played; empty if nothing has."""
    was = {"the play by the rules": before.get("rules", {}), **before.get("agents", {})}
    told = [
        f"{what} has changed since mjopt {was[what].get('mjopt')} noted it"
        for what, one in {"the play by the rules": now["rules"], **now["agents"]}.items()
        if what in was and was[what].get("code") is not None
        if not is_same(was[what]["code"], one["code"])
    ]
    return "; ".join(told)


def completed(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was noted, with what was not to be had then as it is now."""
    agents = before.get("agents", {})
    return {
        "rules": _known(before.get("rules", {}), now["rules"]),
        "agents": {name: _known(agents.get(name, {}), one) for name, one in now["agents"].items()},
    }


def _known(was: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    return now if was.get("code") is None else was


def without_changes(begun: Mapping[str, Any], ended: Mapping[str, Any]) -> dict[str, Any]:
    """Return who played, with the files that programs wrote meanwhile marked as their own."""
    agents = {name: dict(one) for name, one in begun["agents"].items()}
    for name, one in agents.items():
        was, now = one["code"], ended["agents"][name]["code"]
        if isinstance(was, dict) and isinstance(now, dict):
            one["code"] = {w: was[w] if was[w] == now.get(w) else ITS_OWN for w in was}
    return {**begun, "agents": agents}
