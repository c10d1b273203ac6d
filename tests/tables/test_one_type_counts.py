"""The paper's one-type hands are all there."""

from mjopt.tables.state_index import one_type_counts


def test_one_type_hands_are_all_there() -> None:
    counts = one_type_counts()
    assert counts.shape == (118_800, 9)
    assert len({row.tobytes() for row in counts}) == 118_800
    assert (counts.sum(axis=1) == 14).all()
    assert counts.max() == 4
