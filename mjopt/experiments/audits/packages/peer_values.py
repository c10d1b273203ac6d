"""Rows whose values come from another package, asked here and now."""

from collections.abc import Iterable, Iterator

from mjopt.experiments.audits.packages.peers import Finder, in_full
from mjopt.experiments.audits.packages.value_file import ValueRow
from mjopt.hands.hand import Hand


def peer_rows(hands: Iterable[Hand], find: Finder, notation: str = "mpsz") -> Iterator[ValueRow]:
    """Ask a package about every hand; what it refuses is a row without a number.

    Parameters
    ----------
    hands
        The hands, of either tile set.
    find
        From :meth:`Peer.finder`.
    notation
        How to write the hands.

    Examples
    --------
    >>> hands = [Hand.parse("1112345678999m1p")]
    >>> [(row.line, row.theirs) for row in peer_rows(hands, lambda counts: 7)]
    [(1, 7)]
    """
    for line, hand in enumerate(hands, 1):
        whole = in_full(hand)
        text = hand.to_text(notation)
        try:
            theirs = find(whole.counts)
        except Exception as error:  # whatever it raises is its answer
            written = f"{type(error).__name__}: {error}"
            yield ValueRow(line=line, text=text, hand=whole, written=written, theirs=None)
            continue
        yield ValueRow(line=line, text=text, hand=whole, written=str(theirs), theirs=theirs)
