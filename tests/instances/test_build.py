"""The instance set: certified optima, files, the same bytes again."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from helpers.program_readers import HIGHS, Reader, cbc_optimum

from mjopt import Certificate, deficiency, solve
from mjopt.errors import ArgumentError, FileError
from mjopt.instances import GROUPS, build_instances, choose_hands, read_index
from mjopt.models.lp_mps import to_mps


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_groups_are_what_they_are_called() -> None:
    hands = choose_hands(60, seed=4)
    assert len({hand.name for hand in hands}) == 60
    assert set(Counter(hand.group for hand in hands)) == set(GROUPS)
    for each in hands:
        suits = sum(any(each.counts[start : start + 9]) for start in (0, 9, 18))
        if each.group.endswith("-type"):
            assert suits == {"one-type": 1, "two-type": 2, "three-type": 3}[each.group]
        assert (each.unseen is not None) == (each.group == "limited")
        assert bool(each.called) == (each.group == "called")
        if each.group == "honours":
            assert any(each.counts[27:])
        if each.group == "cost-too-low":
            assert solve(each.hand, model="predecomposition").value < deficiency(each.hand)


@pytest.mark.parametrize("number", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_groups_hold_many_deficiencies(number: int) -> None:
    hands = choose_hands(number, seed=0)
    values = Counter((hand.group, deficiency(hand.hand, unseen=hand.unseen)) for hand in hands)
    assert len(hands) == number
    assert sum(GROUPS.values()) == 1000
    assert {value for group, value in values if group == "honours"} == set(range(10))
    assert {value for group, value in values if group == "limited"} >= {1, 5, 8, 127}
    assert {value for _, value in values} >= {*range(10), 127}


def test_optima_are_certified_and_solutions_feasible(folder: Path) -> None:
    for instance in read_index(folder):
        certificate = Certificate.from_json((folder / instance.certificate).read_text())
        certificate.verify()
        proved = certificate.deficiency if certificate.target is not None else None
        assert instance.deficiency == proved
        if instance.model != "predecomposition":
            assert instance.optimum == proved
        program = instance.program()
        text = gzip.decompress((folder / instance.mps).read_bytes()).decode()
        assert text == to_mps(program)
        assert (len(program.rows), program.num_variables) == (instance.rows, instance.variables)
        first, *lines = (folder / instance.solution).read_text().splitlines()
        if instance.optimum is None:
            assert (first, lines) == ("=infeas=", [])
            continue
        named = {name: int(value) for name, value in (line.split() for line in lines)}
        values = [named.pop(name, 0) for name in program.names]
        assert not named
        assert program.fault(values) is None
        assert first == f"=obj= {program.evaluate(values)}" == f"=obj= {instance.optimum}"


def test_other_readers_find_the_optima(folder: Path, tmp_path: Path) -> None:
    """HiGHS takes a second for a program of the network, so it reads those of three hands."""
    instances = read_index(folder)
    slow = [instance for instance in instances if instance.model == "network"][3:]
    with Reader(HIGHS) as highs:
        for instance in instances:
            plain = tmp_path / "program.mps"
            plain.write_bytes(gzip.decompress((folder / instance.mps).read_bytes()))
            assert cbc_optimum(plain) == instance.optimum
            if instance not in slow:
                assert highs.optimum(folder / instance.mps) == instance.optimum


def test_same_seed_gives_the_same_bytes_after_a_stop(folder: Path, tmp_path: Path) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_instances(tmp_path / "again", hands=7, seed=2, advance=stop)
    assert not (tmp_path / "again" / "index.parquet").exists()
    build_instances(tmp_path / "again", hands=7, seed=2, jobs=2)
    assert files_of(tmp_path / "again") == files_of(folder)
    build_instances(tmp_path / "again", hands=7, seed=2)
    assert files_of(tmp_path / "again") == files_of(folder)


def test_index_is_the_same_in_both_formats(folder: Path) -> None:
    import pandas as pd

    frame = pd.read_csv(folder / "index.csv", dtype={"unseen": str}, keep_default_na=False)
    names = [instance.name for instance in read_index(folder)]
    assert frame["name"].tolist() == names
    assert json.loads((folder / read_index(folder)[0].certificate).read_text())


def test_other_content_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"holds another instance set \(seed 2, not 3\); name"):
        build_instances(folder, hands=7, seed=3)
    (tmp_path / "mine.txt").touch()
    with pytest.raises(FileError, match="holds mine.txt and no instance set, expected an empty"):
        build_instances(tmp_path, hands=7)
    with pytest.raises(ArgumentError, match="3 hands, expected at least 7"):
        build_instances(tmp_path / "few", hands=3)
    with pytest.raises(FileError, match="no instance set"):
        read_index(tmp_path)
