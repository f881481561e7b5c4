"""Pieces of work: all of it, in order, once."""

import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.criteria.threads import map_chunks


@given(st.integers(0, 50), st.integers(1, 6), st.integers(1, 9))
def test_the_pieces_cover_everything_in_order(n_items, n_jobs, at_least):
    pieces = map_chunks(lambda first, last: list(range(first, last)), n_items, n_jobs, at_least)
    assert [item for piece in pieces for item in piece] == list(range(n_items))
    assert len(pieces) <= n_jobs
    assert len(pieces) <= 1 or min(map(len, pieces)) >= at_least


@given(st.integers(0, 50), st.integers(1, 4), st.integers(1, 9), st.integers(1, 5))
def test_so_do_more_pieces_than_threads(n_items, n_jobs, at_least, each):
    seen = set()

    def piece(first, last):
        seen.add(threading.get_ident())
        return list(range(first, last))

    pieces = map_chunks(piece, n_items, n_jobs, at_least, each)
    assert [item for piece in pieces for item in piece] == list(range(n_items))
    assert len(seen) <= n_jobs
    assert len(pieces) <= n_jobs * each
    assert len(pieces) <= 1 or min(map(len, pieces)) >= at_least


def test_the_pieces_run_at_once():
    barrier = threading.Barrier(2, timeout=30)
    assert len(map_chunks(lambda first, last: barrier.wait(), 2, 2)) == 2


def test_an_error_in_any_piece_is_raised():
    def fail(first, last):
        if first > 0:
            raise KeyError("later piece")

    with pytest.raises(KeyError, match="later piece"):
        map_chunks(fail, 4, 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # forking beside threads is the point
def test_a_forked_process_starts_its_own_threads():
    map_chunks(lambda first, last: None, 4, 2)
    child = os.fork()
    if child == 0:
        pieces = map_chunks(lambda first, last: last - first, 4, 2)
        os._exit(0 if pieces == [2, 2] else 1)
    assert os.waitpid(child, 0)[1] == 0
