"""Build a small labelled dataset, check it, and compare it with the exact census."""

from pathlib import Path

from mjopt.datasets import build, check_dataset, describe_dataset, make_plan


def main() -> None:
    folder = Path("hands")
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

    again = build(plan, folder)  # complete already: nothing is done twice
    print("shards kept the second time:", again.kept_shards)

    checked = check_dataset(folder, sample=5)
    print(f"{checked.rows} rows counted, {checked.sampled} proved again: {checked.is_sound}")

    found = describe_dataset(folder)
    print("hands of each deficiency, and their share among uniform deals by their weights:")
    for value, (rows, share) in enumerate(zip(found.counts, found.weighted, strict=True)):
        print(f"{value}  {rows:4}  {share:.5%}")


if __name__ == "__main__":
    main()
