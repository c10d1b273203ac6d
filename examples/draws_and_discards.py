"""
Draws, discards and calls
=========================

Rank discards by the exact expected number of draws, and judge a call by the chance to win. The
picture needs ``pip install 'mjopt[experiments]'``.
"""

import matplotlib.pyplot as plt

from mjopt import FULL, Hand, judge_calls, rank_discards


def main() -> None:
    hand = Hand.parse("4569m13445788p2s4z", tiles=FULL)
    ranked = rank_discards(hand, forms=("standard", "seven_pairs"))
    print(f"{hand.to_text()}: what to throw away")
    for row in ranked[:5]:
        tied = "=" if row.is_tied else " "
        useful = " ".join(f"{FULL.names[kind]}({copies})" for kind, copies in row.useful[:6])
        more = "..." if len(row.useful) > 6 else ""
        print(
            f"  {row.rank}{tied} {FULL.names[row.kind]}  {float(row.mean):7.4f} draws"
            f"  +{float(row.change):.4f}  useful: {useful} {more}"
        )

    best = ranked[0]
    assert best.draws is not None
    half, within_12 = best.draws.quantile(0.5), float(best.draws.within(12).probability)
    print(f"\nafter {FULL.names[best.kind]}: half of all walls are done by draw {half},")
    print(f"and {within_12:.2%} within 12 draws")

    _, axes = plt.subplots(figsize=(6, 3.2), layout="constrained")
    for row in (ranked[0], ranked[6], ranked[-1]):
        assert row.draws is not None
        done = [100 * float(row.draws.within(n).probability) for n in range(31)]
        axes.plot(done, label=f"after {FULL.names[row.kind]}: {float(row.mean):.2f} draws")
    axes.set(xlabel="draws", ylabel="complete (%)")
    axes.legend()

    waiting = Hand.parse("2378m345p6688s11z", tiles=FULL)
    print(f"\n{waiting.to_text()}: somebody discards 4m")
    for answer in judge_calls(waiting, "4m"):
        assert answer.at_least is not None
        chance = float(answer.at_least)
        print(f"  {answer.name}: wins at least {chance:.1%} within {answer.draws} draws")


if __name__ == "__main__":
    main()
    plt.show()
