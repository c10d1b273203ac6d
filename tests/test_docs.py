"""The output on the pages of docs/ is the output of the commands and the code."""

import importlib
import os
import re
import runpy
import shlex
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from helpers.plain_reports import simplify_reports
from helpers.surroundings import arguments, environment

from mjopt.cli import output
from mjopt.cli.main import HELP, execute, load_command
from tools.pages import (
    DOCS,
    PAGES,
    among_examples,
    block_pattern,
    renewed,
    run_outside,
)
from tools.reference import FACES, public_names
from tools.reference import PAGE as REFERENCE

CONF = runpy.run_path(str(DOCS / "conf.py"))
RUNNABLE = [path for path in PAGES if block_pattern("console", "python").search(path.read_text())]


def test_pages_with_commands_exist() -> None:
    assert len(RUNNABLE) >= 8


def test_every_public_name_has_a_place_on_the_site() -> None:
    contents = CONF["autosummary_context"]["contents"]
    assert set(contents) == set(FACES)
    for name in FACES:
        package = importlib.import_module(name)
        placed = {item for items in contents[name].values() for item, _ in items}
        assert placed == {
            item
            for item in public_names(name)
            if not isinstance(getattr(package, item), ModuleType)
        }


def test_names_of_the_reference_lead_to_their_pages() -> None:
    source = [REFERENCE.read_text(encoding="utf-8")]
    CONF["link_names"](None, "reference/api", source)
    assert "\n- {py:obj}`deficiency() <mjopt.deficiency>`: " in source[0]
    assert "\n- `UNREACHABLE`: " in source[0]  # data has no page
    assert source[0].count("\n- ") == REFERENCE.read_text(encoding="utf-8").count("\n- ")


@pytest.mark.parametrize("page", ["results/heuristics", "reference/agents"])
def test_flow_charts_are_parts_of_their_pages(page: str) -> None:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    source = [text]
    CONF["show_charts"](None, page, source)
    line = next(line for line in source[0].splitlines() if line.startswith("<div"))
    assert line.count('<a href="../reference/flow-charts.html#') > 10
    assert "pictures/flow-" not in source[0]
    assert source[0].count("![") == text.count("![") - 1


def test_a_box_that_leads_nowhere_fails_the_build(tmp_path: Path) -> None:
    names = set()
    for picture in DOCS.glob("pictures/flow-*.svg"):
        names |= set(re.findall('href=".*?#(.*?)"', picture.read_text(encoding="utf-8")))
    built, app = tmp_path / "reference" / "flow-charts.html", SimpleNamespace(outdir=tmp_path)
    built.parent.mkdir()
    built.write_text("".join(f'<section id="{name}">' for name in names), encoding="utf-8")
    CONF["check_charts"](app, None)
    name = names.pop()
    built.write_text("".join(f'<section id="{name}">' for name in names), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"flow-\w+.svg: no .*#{name}$"):
        CONF["check_charts"](app, None)


def test_every_command_has_a_call() -> None:
    text = (DOCS / "reference" / "pairs.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| `")]
    for _, calls in rows:
        for call in re.findall(r"`(mjopt\.[\w.]+)`", calls):
            module, _, name = call.rpartition(".")
            assert hasattr(importlib.import_module(module), name), call
    left = {"play", "serve", "warm"}
    paired = {word for words, _ in rows for word in re.findall("`([^`]+)`", words)}
    assert {words.split()[0] for words in paired} == set(HELP) - left
    for group in ("ceiling", "dataset", "instances", "tables"):
        nested = {f"{group} {name}" for name in load_command(group).commands}
        assert {words for words in paired if words.split()[0] == group} == nested


def test_aliases_of_types_are_data() -> None:
    """Autodoc cannot describe ``Pair = tuple[...]``."""
    module = ModuleType("module")
    vars(module).update(Pair=tuple[int, ...], Either=int | str, Error=ValueError, LIMIT=3)
    found = CONF["contents_of"](module, {})
    assert [name for name, _ in found["pages"]] == ["Error"]
    assert found["data"] == [
        ("Pair", "``tuple[int, ...]``"),
        ("Either", "``int | str``"),
        ("LIMIT", "``3``"),
    ]


@pytest.mark.parametrize("path", RUNNABLE, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_output_on_the_page_is_current(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """After a change of printed text: ``python -m tools.pages``."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # no worker processes by default
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    simplify_reports(monkeypatch)
    if "process:node" in (page := path.read_text(encoding="utf-8")) and not shutil.which("node"):
        pytest.skip("the player needs Node, which is not installed")

    def run(command: str) -> str:
        """Run a command, in this process if it is one of mjopt or Python."""
        if not command.startswith(("mjopt ", "python ")):
            return run_outside(command)
        before, sign, after = re.fullmatch(r"(.*?)(?: ([|>]) (.*))?", command).groups()
        words = shlex.split(before)
        capfd.readouterr()
        with (
            arguments(*(words if words[0] == "mjopt" else words[1:])),
            monkeypatch.context() as patch,
        ):
            patch.setattr(output, "is_terminal", lambda: not sign)
            if words[0] == "mjopt":
                execute(words[1:])
            else:
                runpy.run_path(words[1], run_name="__main__")
        printed = capfd.readouterr().out
        return run_outside(f"cat {sign} {after}", printed) if sign else printed

    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with (
        environment(COLUMNS="80", MPLBACKEND="agg", PATH=programs),
        among_examples(tmp_path, path),
    ):
        assert renewed(page, run) == page
