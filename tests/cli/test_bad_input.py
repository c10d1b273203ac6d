"""Bad input is one line on stderr that names the problem, nothing on stdout, and status 2."""

import re
import shlex
from pathlib import Path

import pytest
from cli.conftest import Call

EYES = """
name = "eyes"
tiles = "136"
[jokers]
kinds = "7z"
parts = ["eyes"]
[[form]]
melds = 4
eyes = 1
"""

BAD_INPUT: dict[str, list[tuple[str, ...]]] = {
    "deficiency": [
        ("11111m", "11111m", "5", "1m"),
        ("123x", "x"),
        ("1z --tiles m0", "z", "M0"),
        ("11z --tiles M0", "z", "M0", "honours, expected tiles 136"),
        ("123m456p789s11s", "14 less one called meld, expected called 1"),
        ("'W1 W2 W3'", "'W' at character 1", "can be read in notation botz"),
        ("0z --tiles 136", "0z"),
        ("123m", "3 tiles", "expected 14 or 13"),
        ("11m --called 5", "5 called", "0..4"),
        ("11m --tiles 144", "144", "m0, 136"),
        ("11m --notation x", "x", "mpsz"),
        ("11m --called 4 --model x", "x", "blockwise"),
        ("11m --called 4 --solver x", "x", "cp-sat"),
        ("11m --called 4 --forms x", "x", "standard"),
        ("11m --called 4 --model ''", "model '': unknown"),
        ("11m --called 4 --unseen 11111z", "--unseen"),
        ("", "HAND"),
        ("--nonsense", "--nonsense"),
        (
            "11m --called 4 --json true",
            "--json takes no value, so 'true' is an argument of its own",
        ),
        ("--json yes", "--json takes no value, so 'yes' is an argument"),
        ("123m --rules tokyo", "--rules 'tokyo': unknown, expected one of riichi, basic, sanma"),
        ("123m --rules none.toml", "none.toml: No such file"),
        ("123m --rules 'a,taiwan'", "--rules 'a,taiwan': unknown"),
        ("1112345678999m1p --rules taiwan", "14 tiles: 17 less one called meld"),
        ("11m --called 6 --rules taiwan", "6 called melds, expected 0..5"),
        ("123456789m123p1234z --rules sichuan", "'z' at character 19: not a suit of M0"),
        ("11m --called 4 --rules taiwan --tiles m0", "M0, but the rules taiwan are about FULL"),
        ("11m --called 4 --forms mcr.nine_gates", "--forms 'mcr.nine_gates': unknown"),
        ("11m --called 4 --forms none.toml", "none.toml: No such file"),
        ("11m --called 4 --rules mcr --forms taiwan", "--forms 'taiwan': hands of 17 tiles, but"),
    ],
    "shanten": [
        ("11m --called 4 --rules tokyo", "--rules 'tokyo': unknown"),
        ("11m --called 4 --tiles m0", "riichi has 136 tiles"),
    ],
    "win": [
        ("1112345678999m1p --rules taiwan", "14 tiles"),
        ("11m --called 4 --forms riichi --tiles m0", "expected tiles 136"),
        ("1m", "1 tile"),
        ("11m --json out.json --called 4", "Got unexpected extra argument(s) (out.json)"),
    ],
    "discards": [
        ("11m --called 3", "2 tiles, expected 5 or 4"),
    ],
    "targets": [
        ("11m --called 4 --limit -1", "--limit -1"),
    ],
    "census": [
        ("--rules taiwan --size 14", "hands of 14 tiles, expected 16 or 17"),
        ("--rules taiwan --tiles m0", "--tiles m0, but the rules taiwan are about FULL"),
        ("--rules eyes.toml", "eyes is not counted with jokers that do not stand for every tile"),
        ("--size 12", "12 tiles", "13 or 14"),
        ("--types 4", "4 types", "1..3"),
    ],
    "label": [
        ("seventeen.txt", "seventeen.txt line 1: '123456789m123p12344s': 17 tiles, expected 14"),
        ("fourteen.txt --rules taiwan", "fourteen.txt line 1", "14 tiles", "expected called 1"),
        ("fourteen.txt --rules sichuan --tiles 136", "--tiles 136, but the rules sichuan"),
        ("fourteen.txt --rules none.toml", "none.toml: No such file"),
        ("fourteen.txt --rules wrong.toml", "wrong.toml line 4: unknown key 'meld'"),
        ("nothing.txt", "nothing.txt", "no such file"),
        ("x.txt --scheduler tcp://x:1", "--scheduler goes with --model or --solver"),
    ],
    "instances": [
        ("build -o made --number 3", "3 hands, expected at least 7"),
        ("build", "--output"),
        ("solve missing -o made", "missing: no instance set"),
        ("solve missing -o made --solver gurobi", "solver 'gurobi': unknown"),
        ("solve missing -o made --solver 'scip {lp}'", "command 'scip {lp}', expected {mps} or"),
        ("solve missing -o made --solver scip", "--solver 'scip': unknown"),
    ],
    "export": [
        ("1112345678999m1p --rules riichi", "expected one form for a program"),
        ("11m --called 4 -o hand.txt", "hand.txt: ending '.txt', expected .lp, .mps or .opb"),
        ("11m --called 4 -o hand", "hand: ending '', expected .lp, .mps or .opb"),
        ("11m --called 4 -o hand.gz", "hand.gz: ending '', expected .lp, .mps or .opb"),
        ("11m --called 4 --solver cbc", "--solver: expected -o FILE"),
        ("11m --called 4 --model completion -o h.opb", "whole number of 0..2, but OPB has 0 and 1"),
        ("11m --called 4 --model none.py:Mine", "none.py"),
        ("11m --called 4 -o no/such/folder.lp", "no/such"),
    ],
    "nonsense": [
        ("", "nonsense"),
    ],
    "battle": [
        ("l1 l2", "2 agents, expected four, or one of the battles gmjbg-table-1, "),
        ("l1 l2 l3 l4", "agent 'l4': unknown, expected one of l1"),
        ("l1 l3 l1 l2 -n 0", "games 0, expected at least 1"),
        ("l1 l3 l1 l2 --rules mcr", "rules 'mcr': unknown, expected one of m0"),
        ("l1 l3 l1 l2 --rounds 3", "rounds 3, expected 1, 2 or 4"),
        ("l1 l3 l1 l2 --seed -1", "seed -1"),
        ("l1 l3 l1 l2 --time-limit inf", "--time-limit inf, expected 0.001 to 86400"),
        ("l1 l3 l1 l2 -j 0", "--jobs 0"),
        ("l1 l3 l1 l2 -o no/such/folder", "the folder no/such does not exist"),
        ("l1 l3 l1 l2 --records no/such/file", "no/such does not exist"),
        ("table-1", "1 agents, expected four, or one of the battles gmjbg-table-1, "),
        ("gmjbg-table-1 l1", "2 agents, expected four"),
        ("section-4.3 --rules jj", "section-4.3 has its own rules"),
        ("process:no-such-program l3 l1 l2", "no program 'no-such-program' on the path"),
        ("a=process:no-such-program l3 l1 l2", "process: no program 'no-such-program' on the path"),
        ("a=mjai:no-such-program l3 l1 l2", "mjai: no program 'no-such-program' on the path"),
        ("deficiency:method=nde l1 l1 l1", "method=nde, expected table, a model"),
    ],
    "mjai": [
        ("", "Missing argument 'AGENT'"),
        ("l4", "agent 'l4': unknown, expected one of l1"),
        ("l1 --calls often", "calls='often', expected one of never, yaku, free"),
        ("l1 --seed -1", "seed -1, expected 0"),
        ("process:no-such-program", "no program 'no-such-program' on the path"),
    ],
    "league": [
        ("l1", "two or more different agents"),
        ("l1 l2 -n 2", "games 2, expected at least 4"),
        ("l1 x", "agent 'x': unknown"),
        ("l1 'process:./no-such -x' -n 4", "no program './no-such' on the path"),
        ("l1 l2 -o no/such/folder", "does not exist"),
        ("l1 l2 --time-limit 1e300", "--time-limit 1e+300, expected 0.001 to 86400"),
    ],
    "solitaire": [
        ("best", "rule 'best': unknown, expected deficiency, useful"),
        ("useful useful", "rule 'useful' is named twice"),
        ("useful -n 0", "deals 0, expected 1..1000000000"),
        ("useful --draws 99", "draws 99, expected 1..60"),
        ("useful --tiles x", "x"),
        ("ceiling", "no ceiling table (tiles m0, draws 18, all layers); mjopt ceiling build"),
        ("useful -o file", "file"),
        ("missing.py:rule", "missing.py: no such file"),
    ],
    "play": [
        ("l1", "1 agents, expected three beside you"),
        ("l1 l2 x", "agent 'x': unknown"),
        ("l1 process:no-such l2", "no program 'no-such' on the path"),
        ("--seat 5", "--seat 5, expected 1 to 4"),
        ("--rules x", "rules 'x': unknown"),
        ("--number 0", "a match of 0 hands, expected at least 1"),
        ("--notation x", "notation 'x': unknown"),
        ("--seed -4", "seed -4"),
        ("--records no/such/file", "the folder no/such does not exist"),
    ],
    "search": [
        ("123456789m123p12344s --rules taiwan", "--rules taiwan: ndde knows only the form"),
        ("111m", "'111m': 3 tiles, expected 14 or 13"),
        ("11123456789999m --method nde", "heuristic 'nde': unknown, expected one of ndde, pso"),
        (
            "11123456789999m --method ndde:population=3",
            "ndde: population = 3, expected a whole number 4 to",
        ),
        ("11123456789999m --method ndde:repair", "'repair', expected NAME=VALUE"),
        (
            "11123456789999m --method ndde:repair=x",
            "ndde: repair = 'x', expected one of pmelds-first",
        ),
        ("11123456789999m --method ndde:popsize=3", "ndde has no parameter 'popsize'"),
        ("11123456789999m --seed -1", "--seed -1: expected at least 0"),
    ],
    "draws": [
        ("1112345678999m --wall 11m", "wall", "2 copies of 1m", "leaves 1"),
        ("1112345678999m --wall 1x", "--wall", "x"),
        ("1112345678999m --seen 11m", "--seen", "2 copies of 1m", "only 1"),
        ("1112345678999m --wall 2m --seen 3m", "--seen", "1 copies of 3m", "only 0"),
        ("1112345678999m --forms x", "x", "standard"),
        ("1112345678999m --forms kokushi --tiles m0", "M0 has 6"),
        ("1112345678999m -o curve.bmp", "curve.bmp", ".png"),
        ("123m", "3 tiles", "14 or 13"),
        ("11111m", "11111m", "5"),
    ],
    "audit": [
        ("fourteen.txt --rules tokyo", "--rules 'tokyo': unknown"),
        ("", "Missing argument 'file'"),
        ("x.csv", "x.csv: no such file"),
        ("x.csv --column x", "--column x, expected x=QUESTION with win, shanten", "or skip"),
        ("x.csv --column x=cost", "--column x=cost, expected x=QUESTION with win, shanten"),
        ("x.csv --column =win", "--column =win, expected "),
        ("x.csv --jobs 0", "--jobs 0, expected at least 1"),
        ("answers.csv", "columns (hand, machi, value)", "expected one named win, shanten, "),
        ("answers.csv --column no=win", "no column 'no' among hand, machi, value"),
        ("answers.csv --column value=skip", "expected one named win"),
        ("both.csv", "has columns discard and best", "discard=discard or best=discard"),
    ],
    "audit-engine": [
        ("", "no engine, expected one: NAME, FILE.py:FUNCTION or --command"),
        ("mahjong --command cat", "two engines, expected one: NAME, FILE.py:FUNCTION or --command"),
        ("mahjong --hands x:9", "recipe 'x:9', expected one of"),
        ("mahjong --hands y.txt", "y.txt: no such file"),
        ("mahjong --forms x", "forms 'x': unknown"),
        ("mahjong --rules taiwan", "hands of 17 tiles"),
        ("mahjong --forms standard,seven_pairs,thirteen_orphans --jobs 0", "--jobs 0, expected at"),
        ("tenhou", "package 'tenhou': unknown, expected one of mahjong, xiangting, riichienv"),
        (
            "xiangting --forms standard",
            "xiangting answers for standard,seven_pairs,thirteen_orphans, not standard",
        ),
        ("xiangting --ask wait", "question 'wait': unknown, expected one of win, shanten"),
        ("xiangting --ask ''", "question '': unknown, expected one of win, shanten"),
        ("xiangting --ask win --hands deals:2", "xiangting: no answer to win"),
        ("none.py:find", "none.py: no such file"),
        ("engine.py:none", "engine.py has no function 'none', expected "),
        (
            "engine.py:find",
            "and --ask names 0 questions, expected a dict of answers, or one question",
        ),
        ("--command cat", "--ask is missing, expected the questions that each line answers"),
        ("--command '' --ask win", "--command '', expected a program"),
        ("--command ' ' --ask win", "--command ' ', expected a program"),
        ("--command \\' --ask win", '--command "\'", expected a program: No closing quotation'),
        ("--command no-such-program --ask win", "no-such-program: No such file"),
        ("--command false --ask win", "false: ended with status 1 before it answered "),
        ("--command true --ask win", "true: ended before it answered "),
        ("--command yes --ask win --hands deals:2", "yes: answers more lines than hands"),
        ("--command cat --ask win,shanten", "cat: ", "1 answers in ", "expected 2, tabs between"),
        ("--command 'sed s/.*/-/' --ask win --hands deals:2", "no answer to win"),
        ("--command 'echo {}' --protocol json --hands fourteen.txt", "no answer to win, shanten"),
        ("--command 'sh -c \"echo 1; exit 3\"' --ask win", "ended with status 3 before it "),
        ("--command 'sleep 9' --ask win --timeout 0.1", "sleep 9: no answer for 0.1 s to "),
        ("--command cat --ask win --protocol xml", "--protocol 'xml': unknown, expected one of"),
        ("--command cat --ask win --protocol ''", "--protocol '': unknown"),
        ("--command 'sed s/.*/1/' --protocol json", "'1' is not an object of JSON"),
        ("--command 'echo x' --protocol json --hands fourteen.txt", "'x' is not JSON"),
        *(
            (f"--command cat --ask win --timeout {value}", f"--timeout {value}", "more than 0")
            for value in ("nan", "0.0", "-1.0", "inf", "86401.0")
        ),
        ("--command cat --ask win --timeout soon", "Invalid value for '--timeout'"),
        ("--command cat --ask win --called 5", "5 called"),
        ("--command cat --ask win --called 1 --hands conformance:riichi", "not --called"),
        (
            "--command cat --ask win --hands conformance:sanma",
            "conformance:sanma has hands of other rules, expected --rules sanma",
        ),
        ("--command cat --ask win --hands conformance:taiwan", "expected --rules taiwan"),
        ("--command cat --ask win --hands conformance:x", "rules 'x': unknown"),
        ("--command cat --ask win --rules tokyo", "--rules 'tokyo': unknown"),
        ("jansou --tiles sanma", "jansou has no hands of SANMA, expected mahjong or"),
        ("xiangting --tiles 144", "144", "m0, 136"),
    ],
    "certify": [
        ("--hands seventeen.txt", "seventeen.txt line 1", "17 tiles, expected 14 or 13"),
        ("--hands fourteen.txt --rules taiwan", "fourteen.txt line 1", "expected called 1"),
        ("--hands stratified:10 --rules taiwan", "have other forms than standard"),
        ("--hands deals:3 --rules wrong.toml", "wrong.toml line 4: unknown key 'meld'"),
        ("", "expected one HAND, or --hands RECIPE or FILE"),
        ("12m --hands x.txt", "expected one HAND"),
        ("12m --called 4 --format xml", "expected one of json, vipr, opb"),
        ("12m --called 4 --format opb", "two files"),
        ("12m --called 4 -o no/such/file", "no/such does not exist"),
        ("12m --called 4 --forms x", "forms 'x': unknown"),
        ("--hands - --called 111m", "--called 111m is for one hand"),
        ("--hands - --json", "--json is for one hand"),
        (
            "11m --called 4 --scheduler tcp://x:1",
            "--scheduler goes with --hands: one hand needs no",
        ),
        ("11112222333344m --format vipr --forms standard,seven_pairs", "native"),
    ],
    "compare": [
        ("nde --hands two-type:12 -o s", "heuristic 'nde': unknown, expected one of ndde"),
        ("ndde:np=3 --hands two-type:12 -o s", "ndde has no parameter 'np'"),
        ("ndde ndde --hands two-type:12 -o s", "are the same: ndde-20-50"),
        ("ndde --hands five-type:3 -o s", "recipe 'five-type:3', expected one of"),
        ("ndde --hands file:none.txt -o s", "none.txt"),
        ("ndde --hands deals:9@10 -o s", "expected a number in 1..9"),
        ("ndde --hands deals:9", "-o DIR is missing"),
        ("ndde -o s", "--hands RECIPE is missing"),
        ("", "a METHOD is missing"),
        ("ndde --hands two-type:12 --runs 0 -o s", "runs 0, expected 1..10000"),
        ("ndde --hands two-type:12 --certificates some -o s", "expected all, or a number"),
        ("ndde --hands two-type:12 --tiles m9 -o s", "--tiles m9"),
        ("ndde --hands two-type:12 --jobs 0 -o s", "--jobs 0, expected at least 1"),
        ("-o nowhere", "nowhere: no study here, expected a file study.json"),
        ("ndde -o nowhere", "--hands RECIPE is missing"),
    ],
    "reproduce": [
        ("table9", "'table9', expected table1 ... table7, figure2 ... figure4 or all"),
        ("all --scale huge", "--scale huge, expected one of quick, paper"),
        ("figure4 -o file", "file: is a file, expected a folder"),
    ],
    "advise": [
        ("1112345678999m1p --rules tokyo", "--rules 'tokyo': unknown"),
        ("1112345678999m1p --rules taiwan", "14 tiles: 17 less one called meld"),
        ("'1112345678999m1p rules=none.toml'", "--rules 'none.toml': a file, expected names"),
        ("'1112345678999m1p forms=none.toml'", "--forms 'none.toml': a file, expected names"),
        ("'1112345678999m1p rules=mcr' --rules mcr", "--rules: given twice, expected once"),
        ("123m", "hand: 3 tiles, expected 14 or 13"),
        ("11111m", "hand", "5"),
        ("2378m345p6688s11z --offered 45m", "offered: 2 tiles, expected one"),
        ("2378m345p6688s11z --offered 9x", "offered"),
        ("2378m345p66888s11z --offered 4m", "offered: 4m on offer to a hand after its draw"),
        ("1111m345p6688s11z --offered 1m", "offered: 1m", "nobody can have discarded one"),
        ("2378m345p6688s11z --draws -1", "draws: '-1', expected 0 to 999"),
        ("2378m345p6688s11z --draws 124", "draws: 124 draws from a wall of 123 tiles"),
        ("2378m345p6688s11z --seen 1111z", "seen: 4 of 1z, but only 2 can be elsewhere"),
        ("23m67p44s1z --meld 345m,135z", "--meld", "'135z', expected a chow"),
        ("2378m345p6688s11z --draws ''", "--draws: nothing, expected a value"),
        ("2378m345p6688s11z --offered ' '", "--offered: nothing, expected a value"),
        ("23m67p44s1z --meld ''", "--meld: nothing, expected a value"),
        ("'2378m345p6688s11z draws=4 draws=4'", "position: draws twice, expected once"),
        ("'2378m345p6688s11z drawn=4'", "position: 'drawn', expected tiles, rules, melds"),
        ("'2378m345p6688s11z draws=4' --draws 5", "position: draws twice"),
    ],
    "danger": [
        ("123m --opponent ready=yes", "hand: 3 tiles, expected 14 or 13"),
        ("1112345678999m", "Missing option '--opponent'"),
        ("1112345678999m --opponent riichi", "opponent 1: 'riichi', expected words such as"),
        (
            "1112345678999m --opponent '' --opponent melds=12p",
            "opponent 2: melds: called meld '12p'",
        ),
        ("1112345678999m --opponent discards=11m", "opponents: 2 copies of 1m in melds and"),
        ("1112345678999m --opponent discards=1p --seen 9p", "1 copies of 1p discarded, but 0"),
        ("1112345678999m --opponent '' --seen 11m", "--seen: 2 of 1m, but only 1 can be"),
        ("1112345678999m --opponent '' --prior flat", "--prior 'flat': unknown, expected one of"),
        ("1112345678999m --opponent '' --prior none.toml", "none.toml: No such file"),
        ("1112345678999m --opponent called=5", "opponent 1: called: 5 called melds, expected 0..4"),
    ],
    "win-chance": [
        ("22557m234p34789s3z --waste much", "--waste much, expected 0, 1, ... or auto"),
        ("22557m234p34789s3z --draws -1", "draws: -1, expected 0 or more"),
        (
            "22557m234p34789s3z -o proof.txt --waste 0",
            "expected a name that ends in .json or .json.gz",
        ),
    ],
    "dataset": [
        ("build deal:5 -o x", "recipe 'deal:5', expected one of one-type"),
        ("build deals:5 -o x --labels beauty", "label 'beauty'"),
        ("build deals:5 -o x --tiles 144", "--tiles 144"),
        ("build deals:5 -o x --rules tokyo", "rules 'tokyo': unknown, expected one of riichi"),
        ("build deals:5 -o x --rules taiwan --tiles m0", "M0, but the rules taiwan are about FULL"),
        ("build deals:5 -o x --rules taiwan --labels cost", "label cost: only for hands of the"),
        ("build paper -o x --rules taiwan", "recipe paper: its sets are of M0 and the standard"),
        ("build deals:5 -o x --jobs 0", "--jobs 0, expected at least 1"),
        ("build deals:5 -o x --splits train=0", "split 'train=0'"),
        ("build file:none.txt -o x", "none.txt: no such file"),
        ("build deals:5", "Missing option '--output'"),
        ("check nowhere", "nowhere: no dataset, expected one with manifest.json"),
        ("check nowhere --sample -1", "--sample -1"),
        ("describe nowhere", "nowhere: no dataset, expected one with manifest.json"),
        ("sample nowhere", "nowhere: no dataset, expected one with manifest.json"),
        ("sample nowhere --seed -1", "--seed -1"),
    ],
}
"""Arguments of each command, with texts that the message must contain."""

for _command in (
    *("deficiency", "shanten", "win", "discards", "targets", "draws", "win-chance", "export"),
    *("certify", "explain", "search"),
):
    BAD_INPUT.setdefault(_command, []).append(
        ("file", "file: a file, expected a hand; for every hand of a file: mjopt label file")
    )


OUTPUTS = {
    "label hands.txt": "cli.label.label_by_tables",
    "label hands.txt --model network": "cli.label.label_by_program",
    "certify 11m --called 4": "cli.certify.certify",
    "certify --hands deals:9 --format vipr": "cli.certify.map_batches",
    "win-chance 11m --called 4": "cli.win_chance.optimal_play",
    "draws 11m --called 4": "cli.draws.expected_draws",
    "review game.mjson": "cli.review.review",
    "replay games.txt": "cli.replay.replay_line",
    "tables certify": "cli.tables.certify_tables",
    "export 11m --called 4": "cli.export.export",
    "dataset describe DIR": "cli.dataset.datasets_in",
    "ceiling describe FILE": "cli.ceiling.CeilingTable",
}
"""Commands without their -o, each with a function that does its work."""


@pytest.mark.parametrize("words", OUTPUTS)
def test_output_is_checked_before_the_work(
    mjopt: Call, words: str, in_tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hands.txt").write_text("1112345678999m1p\n")
    monkeypatch.setattr(f"mjopt.{OUTPUTS[words]}", None)
    endings = {"replay": ".html", "review": ".csv", "export": ".lp", "label": ".csv"}
    output = f"none/out{endings.get(words.split(maxsplit=1)[0], '.json')}"
    ran = mjopt(*words.split(), "-o", output)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"mjopt: {output}: the folder {Path('none').absolute()} does not exist\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (f"{command} {words}".strip(), expected)
        for command, rows in BAD_INPUT.items()
        for words, *expected in rows
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.usefixtures("in_tmp_path")
def test_bad_input_is_one_line(
    mjopt: Call,
    arguments: str,
    expected: list[str],
    tmp_path: Path,
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "fourteen.txt").write_text("1112345678999m1p\n")
    (tmp_path / "seventeen.txt").write_text("123456789m123p12344s\n")
    (tmp_path / "wrong.toml").write_text('name = "wrong"\ntiles = "136"\n[[form]]\nmeld = 4\n')
    (tmp_path / "eyes.toml").write_text(EYES)
    (tmp_path / "answers.csv").write_text("hand,machi,value\n1112345678999m,5m,0\n")
    (tmp_path / "both.csv").write_text("hand,discard,best\n1112345678999m1p,1p,1p\n")
    (tmp_path / "engine.py").write_text("def find(hand):\n    return 1\n")
    ran = mjopt(*shlex.split(arguments))
    assert (ran.status, ran.out) == (2, "")
    *before, line = ran.err.splitlines()
    assert all(re.fullmatch(r"(mjopt: )?seed -?\d+", text) for text in before), before
    assert line.startswith("mjopt: ")
    assert all(text in line for text in expected), line
