"""The benchmark of the door measures what it says; how fast it is depends on the machine."""

from fcdl.api.bench import bench_api


def test_every_row_has_a_figure() -> None:
    rows = list(bench_api("hearts", peer=True, repetitions=1))
    assert [row.measure for row in rows] == ["state.play(move)", "state.play(number)", "game.playouts (C)"]
    assert all(row.ours > 0 and row.peer is not None and row.peer > 0 for row in rows)
    (alone, *_) = bench_api("trumps", peer=False, repetitions=1)
    assert (alone.peer, alone.ratio) == (None, None)
