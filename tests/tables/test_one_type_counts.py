"""The number of the paper's one-type hands."""

from mjopt.tables.state_index import one_type_counts


def test_all_one_type_hands_are_listed() -> None:
    counts = one_type_counts()
    assert counts.shape == (118_800, 9)
    assert len({row.tobytes() for row in counts}) == 118_800
    assert (counts.sum(axis=1) == 14).all()
    assert counts.max() == 4
