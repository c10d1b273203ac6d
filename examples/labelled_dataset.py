"""
A labelled dataset
==================

Build a small dataset, check it, and compare it with the exact census. It needs
``pip install 'mjopt[datasets,experiments]'``.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

from mjopt.datasets import build, check_dataset, describe_dataset, make_plan


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        make_and_show(Path(scratch, "hands"))


def make_and_show(folder: Path) -> None:
    plan = make_plan(
        "stratified:700",
        seed=1,
        shards=2,
        labels=("deficiency", "useful", "targets"),
        splits="train=0.8,test=0.2",
        check=3,
    )
    report = build(plan, folder)
    print(f"{report.rows} rows in {plan.num_shards} shards by {plan.engine}")

    again = build(plan, folder)  # the dataset is complete, so nothing is rebuilt
    print("shards kept the second time:", again.kept_shards)

    checked = check_dataset(folder, sample=5)
    print(f"{checked.rows} rows counted, {checked.sampled} proved again: {checked.is_sound}")

    found = describe_dataset(folder)
    print("hands of each deficiency, and their share among uniform deals by their weights:")
    for value, (rows, share) in enumerate(zip(found.counts, found.weighted, strict=True)):
        print(f"{value}  {rows:4}  {share:.5%}")

    _, (left, right) = plt.subplots(1, 2, figsize=(6, 2.8), layout="constrained")
    left.bar(range(len(found.counts)), found.counts)
    left.set(title="rows", xlabel="deficiency")
    right.bar(range(len(found.weighted)), [100 * share for share in found.weighted])
    right.set(title="share of deals, by weights (%)", xlabel="deficiency")


if __name__ == "__main__":
    main()
    plt.show()
