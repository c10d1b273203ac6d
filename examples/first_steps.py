"""
A first look
============

Parse a hand, compute its deficiency and print the target.
"""

from mjopt import FULL, UNREACHABLE, Hand, decompositions, deficiency, is_win, solve


def main() -> None:
    hand = Hand.parse("123m456p7899s11z7m", tiles=FULL)
    print("hand       ", hand.to_text(), "or", hand.to_text("mjai"))
    print("deficiency ", deficiency(hand), "(shanten is one less)")

    for model, solver in (("blockwise", "cp-sat"), ("network", "highs"), ("completion", "cbc")):
        print(f"{model:>12} under {solver:<7}", deficiency(hand, model=model, solver=solver))

    answer = solve(hand)
    print("target     ", " ".join(block.text(hand.tiles) for block in answer.blocks))

    nothing_left = [0] * 34
    gone = deficiency(hand, unseen=nothing_left) == UNREACHABLE
    print("no tile left to draw:", "unreachable" if gone else "still possible")

    pairs = Hand.parse("1133557799m1133p")
    print(
        "seven pairs win only if asked for:", is_win(pairs), is_win(pairs, forms=("seven_pairs",))
    )

    win = Hand.parse("11122233344455s")
    print(win.to_text(), "has", len(decompositions(win)), "decompositions")


if __name__ == "__main__":
    main()
