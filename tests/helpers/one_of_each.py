"""Make one small thing of each kind that mjopt writes, and print a digest of each.

A change that should leave every output as it is, byte for byte, is checked with

    python tests/helpers/one_of_each.py --check tests/data/one_of_each.txt

Everything is made through the command line, in folders that are new, so nothing here
depends on where a module lives. One line of the list is one artefact: a file by its
path, or what a command says (exit status, stdout, stderr) by the command itself. Those
with ``(pyarrow)``, ``(matplotlib)`` or ``(solver)`` behind the name depend on the version
of that library.

What stays out: texts of ``--help``, which may change; and what differs from run to run,
which is masked (see ``MASKS``) or, for the times of studies, replaced by made-up times
before the reports are written (see ``set_times``). The version of mjopt is not masked: the
digests in manifests cover it.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

Said = tuple[int, str, str]  # exit status, stdout, stderr

AT_ONCE = 2  # chains of commands that run beside each other
DIGITS = 16  # of each digest
SECONDS = 900  # for one command
INPUTS = "in"

# What differs between two runs, or between two machines, of the same code.
MASKS = (
    (r"rows in [\d.,]+ s.*", "rows in #"),  # dataset build: time, rates, memory
    (r'"(seconds|\w+_per_second|labelling_share|bytes_now)": [\d.]+', r'"\1": #'),  # its --json
    (r'"(cpu_seconds|peak_memory)": \{[^}]*\}', r'"\1": #'),
    (r"(entries of joins in) [\d.]+ s", r"\1 #"),  # tables certify
    (r"\b(OR-Tools|HiGHS|CBC|PuLP) \d+(\.\d+)*", r"\1 #"),  # versions of solvers
    (r'"python": "[\d.]+"', '"python": #'),  # mjopt models --json
    (r"\b(xiangting|mahjong|riichienv) \d+(\.\d+)+", r"\1 #"),  # packages that are audited
    (r'("package": "\w+",\s+"version":) "[^"]+"', r"\1 #"),  # the same with --json
)
FRAMES = r"[━─ ]+"  # a table of versions is as wide as they are

TEXT_HANDS = """# hands of M0: awkward ones, and one that wins
123m456p1122789s
1112345678999m1p
11122233344455s
222267m7777p3333s
1111m123p112233s
1225m244456679p7s
11123456789999m

245568m245568p77s
123456789m1122p
"""
FULL_HANDS = """1112223334444z
123456789m1111z
4569m13445788p2s4z
119m19p19s1234567z
1133557799m1133p
179m8p11356679s45z
"""
CSV_HANDS = """id,hand,note
a,123m456p1122789s,"with, comma"
b,1112345678999m1p,
c,11122233344455s,wins
"""
VALUES = """id,hand,deficiency
1,1111m123p112233s,1
2,1133557799m1133p,0
3,11122233344455s,0
4,11111m,2
5,1112345678999m1p,x
6,1112345678999m1p,4
"""
SHANTEN = """hand,shanten
1112223334444z,1
123456789m1111z,1
4569m13445788p2s,1
"""
PLAYER = """import json
import sys

for line in sys.stdin:
    word, _, tiles = json.loads(line)["Legal"][-1].partition(",")
    answer = {"Code": 100, "Err_msg": "", "Action_type": word, "Action_content": tiles}
    print(json.dumps(answer), flush=True)
"""
EVERY_TILE = [f"{rank}{suit}" for suit in "zspm" for rank in range(9, 0, -1)]
FILES = {
    "hands.txt": TEXT_HANDS,
    "full.txt": FULL_HANDS,
    "hands.csv": CSV_HANDS,
    "values.csv": VALUES,
    "shanten.csv": SHANTEN,
    "paper.txt": "B1B2B3B3B3B8B8B8C4C5C6D6D7D8\nB4B6C5C7C8C9D1D1D2D2D3D7D7D8\n",
    "bad.txt": "123m456p1122789s\n11111m\n",
    "bad.csv": "name,value\na,1\n",
    "bad.npy": "no array\n",
    "bad.xls": "",
    "empty.txt": "",
    "player.py": PLAYER,
    "typed.txt": "\n".join(["?", "n", *EVERY_TILE] * 60) + "\n",  # some tile can be thrown
    "leave.txt": "x\nq\n",
}

# Chains of commands, each in a folder of its own; the longest first. A line is a command of
# mjopt, perhaps with `< FILE` at its end, or begins with one of the words in STEPS.
CHAINS = {
    "studies": """
compare ndde:population=6,generations=5 pso:population=6,generations=5 \
ga:population=6,generations=5 tlbo:population=6,generations=5 \
ndde-refill:population=4,generations=3 tree-search --hands two-type:12 --hands deals:8 \
--runs 2 --sample 4 --curves 2 -j 1 -o study --rows-only
TIMES study
compare --rebuild study --json
compare ndde:population=6,generations=5,out_of_range=wrap tree-search \
--hands one-type@6 --hands file:../in/hands.txt \
--runs 2 --early-stop --seed 3 --certificates 2 -j 2 -q -o early --rows-only
TIMES early
compare ndde:population=6,generations=5,out_of_range=wrap tree-search \
--hands one-type@6 --hands file:../in/hands.txt \
--runs 2 --early-stop --seed 3 --certificates 2 -j 2 -o early
""",
    "paper audit": """
audit --paper -j 1 -q -o found --certificates none
""",
    "costs": """
dataset build deals:40 -o all --shards 2 -j 1 -q --check 2 --labels \
deficiency,seven_pairs,win,useful,discards,targets,decompositions,cost,digest,\
certificate,heuristic:tree-search,heuristic:ndde
dataset check all --sample 1
dataset describe all
dataset sample all -n 2 --json
""",
    "tables": """
tables certify -o proof.json
tables verify proof.json
EDIT proof.json wrong.json "tables\\": \\"98" "tables\\": \\"89"
tables verify wrong.json
tables verify wrong.json --json
models
models --json
""",
    "reproduction": """
reproduce figure4 -j 2 -o out --rows-only
TIMES out
reproduce figure4 -j 2 -q -o out --json
""",
    "formats": """
dataset build deals:40 -o csv --format csv --shards 2 -j 2 -q --splits train=0.7,test=0.3 \
--labels deficiency,win,useful,discards
dataset build deals:40 -o npz --format npz --shards 2 -j 1 -q --no-text --labels deficiency,targets
dataset build deals:40 -o npy --format npy --shards 2 -j 2 --executor threads -q \
--labels deficiency,useful
dataset build deals:40 -o parquet --format parquet --shards 2 -j 1 -q --no-text --seed 5 \
--labels deficiency,useful,discards
dataset build deals:40 -o csv --format csv --shards 2 -j 1 -q --splits train=0.7,test=0.3 \
--labels deficiency,win,useful,discards
dataset build deals:41 -o csv --format csv --shards 2
dataset build deals:20 -o 136 --format csv --tiles 136 --size 13 -j 1 --json \
--labels deficiency,seven_pairs,thirteen_orphans,useful,win,digest
dataset build deals:20 -o called --format csv --tiles 136 --called 2 -j 1 --seed 2 \
--labels deficiency,discards,useful,certificate --check 3
dataset check csv --json
dataset check npz
dataset card csv -o card.md
dataset describe csv --figure csv.svg --json
dataset sample csv --split test --seed 3
label npy/data/train-00000-of-00002.hand.npy -o labels.npy
label npy/data/train-00000-of-00002.hand.npy -o labels.csv -j 1
EDIT csv/data/train-00000-of-00002.csv csv/data/train-00000-of-00002.csv ,3, ,2,
dataset check csv
""",
    "recipes": """
dataset build paper -o paper --format csv --shards 2 -j 2 -q
dataset describe paper
dataset build two-type:30 -o two --format csv --shards 2 -j 1 --seed 1
dataset check two --sample 2
dataset build three-type:30 -o three --format csv --shards 2 -j 1 --seed 1
dataset build distinct:30 -o distinct --format csv --shards 2 -j 1 --seed 1
dataset build stratified:30 -o stratified --format csv --shards 2 -j 1 --seed 1
dataset build stratified:30:2=0.5,3=0.5 -o shares --format csv -j 1 --seed 1
dataset build kongs:10 -o kongs --format csv -j 1 --seed 1
dataset build kongs:10:2 -o kongs-2 --format csv --tiles 136 -j 1 --seed 1
dataset build all -o all --format csv --called 4 --shards 3 -j 1
dataset build all -o all-136 --format csv --called 4 --tiles 136 --size 13 -j 1
dataset build file:../in/hands.txt -o file --format csv -j 1 --labels deficiency,heuristic:pso
dataset build one-type -o one-type -j 1 --shards 2
dataset describe kongs --json
""",
    "battles": """
battle l1 l3 deficiency draws --games 2 --seed 1 -j 1 -q -o games --records records.txt
battle l1 l3 deficiency draws --games 3 --seed 1 -j 2 -q -o games
battle l1 l3 l1 l2 --games 30 --seed 1 -j 1 --json
battle l1 l3 l1 l2 --games 3 --seed 1 -j 1 --engine python --records plain.txt --plain
battle random first random first --games 3 --rules m0 --rounds 2 --dealer first -j 1 \
--records m0.txt
battle random l2 first l3 --games 3 --rules jj --seed 4 -j 1 --records jj.txt
battle --preset section-4.3 --games 1 -j 1
battle --preset gmjbg-table-1 --games 20 -j 1 --seed 2017
battle deficiency:method=ndde,population=6,generations=5 deficiency:ties=first,calls=never \
draws:calls=never l1:reading=nearest --games 1 --seed 2 -j 1 --records agents.txt
battle "process:python ../in/player.py" first random l1 --games 1 --seed 2 -j 1 --json
replay records.txt
replay records.txt --json
replay records.txt --mjai
replay records.txt --show 2
replay m0.txt --mjai
replay m0.txt --show 1
replay jj.txt --mjai
replay agents.txt
replay - --json < plain.txt
EDIT records.txt wrong.txt scores=-1 scores=-2
replay wrong.txt
replay wrong.txt --json
""",
    "leagues": """
league l1 l2 l3 random --games 5 --seed 1 -q -j 2 -o league
league first random --games 4 --seed 2 --rules m0 -j 1 --json
play l1 random first --seed 3 --hands 1 --hints --records typed.txt < ../in/typed.txt
play --seed 5 --rules m0 --seat 2 --game 1 --hands 1 --notation unicode < ../in/typed.txt
play --seed 5 --rules jj < ../in/leave.txt
replay typed.txt --show 1
""",
    "certificates": """
certify 1112345678999m1p
certify 1112345678999m1p -o hand.json
certify 1112345678999m1p -o hand.vipr
certify 1112345678999m1p -o hand.opb
certify 1112345678999m1p --format vipr
certify 222267m7777p3333s --json
certify 222267m7777p3333s -o kongs.json --json
certify 4569m13445788p2s4z --tiles 136 --format vipr -o full.vipr
certify 4569m13445788p2s4z --tiles 136 --forms standard,seven_pairs,thirteen_orphans -o forms.json
certify 1133557799m1133p --forms seven_pairs -o pairs.vipr
certify 1133557799m1133p --forms seven_pairs -o pairs.opb
certify 119m19p19s1234567z --tiles 136 --forms thirteen_orphans -o orphans.json
certify 119m19p19s1234567z --tiles 136 --forms thirteen_orphans -o orphans.opb
certify 1m --called 4 --unseen 234m -o unreachable.json
certify 1m --called 4 --unseen 234m -o unreachable.vipr
certify 1m --called 4 --unseen 234m -o unreachable.opb
certify 1122m44p5678s --meld 123p -o meld.json
certify 1122m44p5678s --meld 123p -o meld.vipr
certify 123m --partial -o partial.opb
certify B1B2B3B3B3B8B8B8C4C5C6D6D7D8 --notation paper
certify 1112345678999m1p --model completion --solver highs -o highs.json
certify 1112345678999m1p --model network --solver cp-sat --seed 3 -o cp-sat.opb
certify 1112345678999m1p --solver cbc --time-limit 60 -o cbc.json
certify --hands ../in/hands.txt -o many.jsonl -j 1
certify --hands ../in/hands.txt -o many-2.jsonl -j 2
certify --hands ../in/hands.csv -j 1 -q
certify --hands ../in/full.txt --tiles 136 -o folder -j 2
certify --hands ../in/full.txt --tiles 136 -o vipr --format vipr -j 1
certify --hands ../in/hands.txt -o opb --format opb -j 2
certify --hands - --notation paper < ../in/paper.txt
verify hand.json hand.vipr hand.opb hand.pbp full.vipr forms.json \
pairs.vipr pairs.opb orphans.json orphans.opb
verify unreachable.json unreachable.vipr unreachable.opb meld.json meld.vipr \
partial.opb highs.json cp-sat.opb cbc.json
verify hand.json kongs.json hand.vipr hand.opb many.jsonl --json
verify many.jsonl many-2.jsonl -j 2
verify folder/000001.json vipr/000002.vipr opb/000003.opb opb/000003.pbp --json
verify - < hand.vipr
EDIT hand.json wrong.json "\\"deficiency\\":1" "\\"deficiency\\":2"
EDIT hand.vipr wrong.vipr "arc_5_low G 0 1" "arc_5_low G 1 1"
EDIT hand.pbp wrong.pbp "f 2722" "f 2722"
EDIT hand.opb wrong.opb "-1 x3695 -1" "-1 x3695 -2"
verify wrong.json wrong.vipr wrong.opb
verify wrong.json wrong.vipr wrong.opb --json
verify ../in/hands.txt ../in/bad.xls missing.json
""",
    "labels": """
label ../in/hands.txt
label ../in/hands.txt -o tables.csv --check 3 --seed 1
label ../in/hands.txt -o tables.jsonl -j 1
label ../in/hands.txt -o tables.npy -j 2
label ../in/hands.csv -o kept.csv
label ../in/full.txt --tiles 136 --forms standard,seven_pairs,thirteen_orphans
label ../in/paper.txt --notation paper -o paper.jsonl
label - < ../in/hands.txt
label ../in/hands.txt -o model.csv --model blockwise --solver cp-sat -j 2
label ../in/hands.txt -o cost.csv --model predecomposition --solver highs -j 1
label ../in/hands.txt -o network.npy --model network -j 1
label ../in/hands.csv -o completion.jsonl --model completion --solver cbc
dataset build distinct:300 -o many --format csv -j 1 -q --labels win
label many/data/train-00000-of-00001.csv -o many.csv \
--model blockwise --solver cp-sat -j 2 --check 2
label many/data/train-00000-of-00001.csv -o many.npy --check 2
""",
    "audits": """
audit ../in/values.csv
audit ../in/values.csv -o found -j 1
audit ../in/values.csv -o representatives --certificates representatives -j 2 --json
audit ../in/values.csv -o none --certificates none --forms standard,seven_pairs
audit ../in/shanten.csv --tiles 136 --column shanten --means deficiency
audit - < ../in/values.csv
audit --package xiangting --hands ../in/full.txt --tiles 136
audit --package mahjong --hands ../in/full.txt --tiles 136 --json -o mahjong -j 1
audit --package riichienv --hands ../in/full.txt --tiles 136
""",
    "answers": """
deficiency 123m456p1122789s 1112345678999m1p 11122233344455s 222267m7777p3333s 1225m244456679p7s
deficiency 123m456p1122789s 1112345678999m1p 11122233344455s --json
deficiency 1112223334444z 123456789m1111z 4569m13445788p2s4z 119m19p19s1234567z \
--tiles 136 --forms standard,seven_pairs,thirteen_orphans
deficiency 1112223334444z 123456789m1111z --tiles 136 --json
deficiency 1133557799m1133p --forms seven_pairs --json
deficiency 1m --called 4 --unseen 234m
deficiency 1m --called 4 --unseen 234m --json
deficiency 1122m44p5678s --meld 123p --json
deficiency 11m --partial
deficiency B1B2B3B3B3B8B8B8C4C5C6D6D7D8 --notation paper
deficiency "0 1 4 8 12 16 20 24 28 32 36 40 44" --notation ids136 --json
deficiency "1m 2m 3m 5pr 5p E E C C C 7s 8s 9s 9s" --notation mjai --tiles 136
deficiency 🀇🀈🀉🀊🀋🀌🀍🀎🀏🀙🀚🀛🀜🀝 --notation unicode
deficiency "W1W2W3 B5 T9 F1 J3 J3 W5W6W7 T1T2" --notation botzone --tiles 136
deficiency 222267m7777p3333s --model predecomposition --json
deficiency 222267m7777p3333s --model network --solver highs
deficiency 222267m7777p3333s --model completion --solver cbc --json
deficiency 11122233344455s 11122233344456s --model partition
deficiency 1133557799m1133p --forms standard,seven_pairs --solver cp-sat --threads 1
win 11122233344455s
win 11122233344455s --json
win 11122233344456s
win 1133557799m1133p --forms standard,seven_pairs --json
win 119m19p19s1234567z --tiles 136 --forms thirteen_orphans
win 11122m444p567s --meld 123p --solver highs
discards 4569m13445788p2s4z --tiles 136
discards 4569m13445788p2s4z --tiles 136 --json --improving
discards 123m456p112278s1p --json
discards 1122m44p5678s1p --meld 123p
discards 1133557799m1133p --forms standard,seven_pairs --improving
discards 123m456p1122789s --unseen 2345s --json
targets 4569m13445788p2s4z --tiles 136
targets 123m456p1122789s --json
targets 222267m7777p3333s --limit 3
targets 1133557799m113p --forms seven_pairs --limit 0
""",
    "draws": """
draws 113399s --called 2 --partial --wall 1223s2z --tiles 136
draws 4569m13445788p2s4z --tiles 136 --forms standard,seven_pairs
draws 4569m13445788p2s --tiles 136 --model all --within 20 --plot curve.svg
draws 123m456p1122789s --json --within 5
draws 123m456p1122789s --json --model nearest
draws 1122m44p5678s --meld 123p --seen 1111s --call 3m
draws 1122m44p5678s --meld 123p --call 9s --json
explain 245568m245568p77s
explain 222267m7777p3333s --json
explain 4569m13445788p2s4z --tiles 136 --forms standard,seven_pairs,thirteen_orphans
explain 1m --called 4 --unseen 234m
search 11123456789999m --seed 1
search 11123456789999m --seed 1 --method pso --population 10 --generations 8 --json
search 222267m7777p3333s --seed 1 --method tlbo --stop-at 2
search 222267m7777p3333s --method tree-search --seed 0 --json
search 222267m7777p3333s --method ndde-refill --seed 2
search 1225m244456679p7s --seed 1 -p repair=random -p special_case_2=false --json
census
census --tiles 136 --size 13
census --json
census --tiles 136 --forms seven_pairs,thirteen_orphans --json
""",
    "programs": """
export 1112345678999m1p
export 1112345678999m1p --format mps
export 1112345678999m1p --model network -o network.lp
export 1112345678999m1p --model network --format mps -o network.mps
export 1112345678999m1p --model completion -o completion.lp
export 1112345678999m1p --model completion --format mps -o completion.mps
export 1112345678999m1p --model predecomposition -o predecomposition.lp
export 1112345678999m1p --model predecomposition --format mps -o predecomposition.mps
export 11122233344455s --model partition -o partition.lp
export 11122233344455s --model partition --format mps -o partition.mps
export 1133557799m1133p --model seven_pairs -o pairs.lp
export 1133557799m1133p --model seven_pairs --format mps -o pairs.mps
export 119m19p19s1234567z --tiles 136 --model thirteen_orphans -o orphans.lp
export 119m19p19s1234567z --tiles 136 --model thirteen_orphans --format mps -o orphans.mps
export 4569m13445788p2s4z --tiles 136 -o full.lp
export 1m --called 4 --unseen 234m
export 1122m44p5678s --meld 123p --format mps
""",
    "errors": """
deficiency 123m4x
deficiency 11111m
deficiency 123m1z
deficiency 0055m0p
deficiency E1 --notation paper
deficiency "0 1 0" --notation ids136
deficiency "1m ?" --notation mjai --tiles 136
deficiency 🀇🀫 --notation unicode
deficiency "W1 H3" --notation botzone --tiles 136
deficiency 123m --notation roman
deficiency 123m --tiles 144
deficiency 123m456p1122789s --forms eight_pairs
deficiency 123m456p1122789s --forms thirteen_orphans
deficiency 1m --called 5
deficiency 1122m44p5678s --meld 124p
deficiency 123m456p1122789s --unseen 1x
deficiency 123m456p1122789s --model simplex
deficiency 123m456p1122789s --solver gurobi
deficiency 123m456p1122789s --threads 0
win 123m456p112278s
targets 123m456p1122789s --limit -1
draws 123m456p1122789s --model endless
draws 123m456p1122789s --call 12m
draws 123m456p1122789s --plot curve.txt
certify 123m456p1122789s --format opb
certify 123m456p1122789s --format xml
certify --hands ../in/bad.txt -o bad.jsonl
certify
verify missing.json
export 123m456p1122789s --format xml
""",
    "refusals": """
label missing.txt
label ../in/bad.txt
label ../in/bad.csv
label ../in/bad.npy
label ../in/bad.xls
label ../in/empty.txt
label ../in/hands.txt -o labels.xls
label ../in/hands.txt --forms seven_pairs --model network
search 11123456789999m --method nde
search 11123456789999m --method ndde -p popsize=3
search 11123456789999m --method ndde --population 1
compare ndde --hands deals:5
compare nde --hands deals:5 -o study
compare ndde ndde:population=20 --hands deals:5 -o study
compare ndde --hands four-type:5 -o study
compare --rebuild missing
reproduce table8
reproduce table1 --scale small
battle l1 l2 l3
battle l1 l2 l3 l4
battle l1 l2 l3 l3 --rules riichi
battle l1 l2 l3 deficiency:speed=3
battle --preset table-1
play l1 l2 --seed 1
replay missing.txt
replay ../in/hands.txt
audit missing.csv
audit ../in/bad.csv
audit --package shanten --hands ../in/full.txt
audit
dataset build four-type:10 -o out
dataset build deals:many -o out
dataset build stratified:10:9=1 -o out
dataset build kongs:10:5 -o out
dataset build deals:10 -o out --labels beauty
dataset build deals:10 -o out --labels cost --tiles 136
dataset build deals:10 -o out --splits train=0
dataset build deals:10 -o out --format xml
dataset build file:missing.txt -o out
dataset build deals:10 -o ../in
dataset check missing
tables verify missing.json
fly
""",
}

# Chains of quick commands, one after another in one process: most of what one takes is
# the interpreter's start.
TOGETHER = ("answers", "draws", "programs", "errors", "refusals")
DRIVER = """
import io, json, sys, traceback

from mjopt.cli.main import execute

said = []
for words in json.load(sys.stdin):
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    try:
        status = execute(words)
    except BaseException:
        traceback.print_exc()
        status = 1
    streams = sys.stdout, sys.stderr
    for stream in streams:
        stream.flush()
    said.append([status, *(stream.buffer.getvalue().decode() for stream in streams)])
json.dump(said, sys.__stdout__)
"""


@dataclass(frozen=True, kw_only=True)
class Runner:
    """Runs mjopt commands with one interpreter, below one folder.

    Parameters
    ----------
    python
        The interpreter.
    root
        The folder of everything.
    environment
        Variables of each command.
    """

    python: str
    root: Path
    environment: dict[str, str]

    def run(self, arguments: list[str], folder: Path, stdin: str = "") -> Said:
        """Run the interpreter and return what it says."""
        ran = subprocess.run(
            [self.python, *arguments],
            cwd=folder,
            env=self.environment,
            input=stdin.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return ran.returncode, ran.stdout.decode(), ran.stderr.decode()

    def run_together(self, lines: list[str], folder: Path) -> list[Said]:
        """Run several commands of mjopt in one process."""
        words = json.dumps([shlex.split(line) for line in lines])
        status, out, err = self.run(["-c", DRIVER], folder, words)
        if status:
            raise SystemExit(f"{folder.name}: {err}")
        return [tuple(one) for one in json.loads(out)]

    def run_each(self, lines: list[str], folder: Path) -> Iterator[Said]:
        """Run commands of mjopt one by one, and the steps between them."""
        for line in lines:
            words = shlex.split(line)
            if words[0] in STEPS:
                STEPS[words[0]](folder, *words[1:])
                continue
            stdin = ""
            if words[-2:-1] == ["<"]:
                stdin = (folder / words[-1]).read_text(encoding="utf-8")
                words = words[:-2]
            yield self.run(["-m", "mjopt", *words], folder, stdin)

    def chain(self, name: str) -> list[str]:
        """Run a chain of commands and return its lines of the list."""
        folder = self.root / name.replace(" ", "-")
        folder.mkdir()
        heard = self.root / "said" / folder.name  # what commands say, for those who look at it
        heard.mkdir(parents=True)
        written = CHAINS[name].strip().splitlines()
        commands = [line for line in written if line.split()[0] not in STEPS]
        run = self.run_together if name in TOGETHER else self.run_each
        lines = []
        for number, (line, (status, out, err)) in enumerate(
            zip(commands, run(written, folder), strict=True), start=1
        ):
            said = self.mask(f"status {status}\n{out}\n--- stderr\n{err}")
            if line.startswith("models"):
                said = re.sub(FRAMES, " ", said)
            (heard / f"{number:02d}.txt").write_text(f"mjopt {line}\n{said}", encoding="utf-8")
            lines.append(f"{digest(said.encode())}  {folder.name}: mjopt {line}")
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            about = f"{folder.name}/{path.relative_to(folder).as_posix()}{depends_on(path)}"
            lines.append(f"{digest(self.content(path))}  {about}")
        return lines

    def content(self, path: Path) -> bytes:
        """Return what is in a file, masked if it is text."""
        content = path.read_bytes()
        try:
            return self.mask(content.decode()).encode()
        except UnicodeDecodeError:
            return content

    def mask(self, text: str) -> str:
        """Return a text without what differs from run to run."""
        text = text.replace(str(self.root), "ROOT")
        for pattern, mask in MASKS:
            text = re.sub(pattern, mask, text)
        return text


def digest(content: bytes) -> str:
    """Return the beginning of the SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def depends_on(path: Path) -> str:
    """Name the library whose version a file depends on, if there is one."""
    holds_digests = path.name == "manifest.json" and any(path.parent.glob("data/*.parquet"))
    if path.suffix == ".parquet" or holds_digests:
        return " (pyarrow)"
    if path.suffix == ".json" and re.search(rb"OR-Tools|PuLP", path.read_bytes()):
        return " (solver)"  # the certificate's own digest covers the version
    drawn = path.suffix in (".svg", ".png", ".pdf") or path.name == "report.html"
    return " (matplotlib)" if drawn else ""


def edit(folder: Path, source: str, target: str, old: str, new: str) -> None:
    """Copy a text file with one change, so that there is something to be refused."""
    text = (folder / source).read_text(encoding="utf-8")
    if old not in text:
        raise SystemExit(f"{folder.name}/{source}: no {old!r} to change")
    (folder / target).write_text(text.replace(old, new, 1), encoding="utf-8")


def set_times(folder: Path, study: str) -> None:
    """Put made-up times in place of the measured ones of a study."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    paths = sorted((folder / study).glob("**/times/**/*.parquet"))
    for place, path in enumerate(paths, start=1):
        table = pq.read_table(path)
        at = table.column_names.index("seconds")
        hands = table.column("hands").to_pylist()
        made_up = [1e-4 * number * (1 + 7 * place % 13 / 10) for number in hands]
        table = table.set_column(at, table.field(at), pa.array(made_up, pa.float64()))
        pq.write_table(table, path, store_schema=False)


STEPS = {"EDIT": edit, "TIMES": set_times}


def make(runner: Runner, chains: Iterable[str]) -> Iterator[str]:
    """Make everything, and yield the lines of the list."""
    inputs = runner.root / INPUTS
    inputs.mkdir(parents=True)
    for name, text in FILES.items():
        (inputs / name).write_text(text, encoding="utf-8")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for lines in pool.map(runner.chain, chains):
            yield from lines


def differences(found: list[str], stored: list[str]) -> list[str]:
    """Return what has changed, is missing, or is new."""
    width = DIGITS + 2
    now, before = ({line[width:]: line[:DIGITS] for line in lines} for lines in (found, stored))
    changed = [
        f"differs  {name}  ({before[name]}, now {value})"
        for name, value in now.items()
        if before.get(name, value) != value
    ]
    missing = [f"missing  {name}" for name in before if name not in now]
    return [*changed, *missing, *(f"new      {name}" for name in now if name not in before)]


def environment_of(python: str, tree: str | None) -> dict[str, str]:
    """Return the variables of a command: a plain terminal of 100 columns."""
    variables = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    variables |= {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}
    variables["PATH"] = f"{Path(python).parent}{os.pathsep}{variables.get('PATH', '')}"
    if tree is not None:
        variables["PYTHONPATH"] = str(Path(tree).resolve())
    return variables


def check_tree(runner: Runner, tree: str) -> None:
    """Stop if the interpreter would import mjopt from elsewhere than the tree."""
    _, out, err = runner.run(["-c", "import mjopt; print(mjopt.__file__)"], runner.root)
    if Path(out.strip()).parent != Path(tree).resolve() / "mjopt":
        raise SystemExit(f"mjopt does not come from {tree}: {out}{err}")


def main() -> int:
    """Make, print, perhaps compare; return the exit status."""
    parser = argparse.ArgumentParser(description="One small thing of each kind that mjopt writes.")
    parser.add_argument("--python", default=sys.executable, help="interpreter (this one)")
    parser.add_argument("--tree", help="folder that holds the package, put on PYTHONPATH")
    parser.add_argument("--keep", help="new folder that keeps the outputs")
    parser.add_argument("--check", help="stored list; print what differs, exit status 1 if any")
    parser.add_argument("--only", nargs="+", choices=CHAINS, help="only these chains")
    arguments = parser.parse_args()
    root = Path(arguments.keep or tempfile.mkdtemp(prefix="one-of-each-")).resolve()
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        parser.error(f"--keep {root}: not empty")
    chains = arguments.only or list(CHAINS)
    python = str(Path(arguments.python).absolute())  # not resolved: a venv's is a link
    environment = environment_of(python, arguments.tree)
    runner = Runner(python=python, root=root, environment=environment)
    found = []
    try:
        if arguments.tree is not None:
            check_tree(runner, arguments.tree)
        for line in make(runner, chains):
            found.append(line)
            if arguments.check is None:
                print(line, flush=True)
    finally:
        if arguments.keep is None:
            shutil.rmtree(root, ignore_errors=True)
    if arguments.check is None:
        return 0
    begins = tuple(name.replace(" ", "-") + mark for name in chains for mark in "/:")
    stored = Path(arguments.check).read_text(encoding="utf-8").splitlines()
    stored = [line for line in stored if line[DIGITS + 2 :].startswith(begins)]
    different = differences(found, stored)
    print("\n".join(different), end="\n" if different else "")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
