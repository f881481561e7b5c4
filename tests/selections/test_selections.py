import copy
import pickle

import numpy as np
import pytest

import holdfast as hf
from holdfast.exceptions import InputError

Selections = hf.Selections


@pytest.fixture
def runs():
    return Selections.from_subsets(
        [[0, 3], [0, 2], [0], [3, 0]], feature_names=list("abcde"), run_names=list("pqrs")
    )


def test_consensus(runs):
    assert runs.frequencies.tolist() == [4, 0, 1, 2, 0]
    assert runs.consensus().tolist() == [0]
    assert runs.consensus("threshold", at_least=0.5).tolist() == [0, 3]
    assert runs.consensus("threshold", at_least=1).tolist() == [0]
    assert runs.consensus("threshold", at_least=1e-6).tolist() == [0, 2, 3]
    assert runs.consensus("top", size=2).tolist() == [0, 3]
    assert runs.consensus("top", size=4).tolist() == [0, 1, 2, 3]
    assert runs.consensus("top", size=np.int64(5)).tolist() == [0, 1, 2, 3, 4]


def test_majority_is_more_than_half():
    assert Selections.from_subsets([[0], [1]], 2).consensus().size == 0


@pytest.mark.parametrize("hits", range(1, 11))
def test_a_share_means_whole_runs_whatever_it_is_in_binary(hits):
    runs = Selections.from_subsets([[0]] * hits + [[]] * (10 - hits), 1)
    assert runs.consensus("threshold", at_least=hits / 10).size == 1
    if hits < 10:
        assert runs.consensus("threshold", at_least=(hits + 1) / 10).size == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rule": "most"}, "'rule'.*'majority', 'threshold' or 'top'. Got 'most'"),
        ({"rule": ["top"]}, "'rule'"),
        ({"rule": "threshold"}, "'at_least'.*given with rule='threshold'"),
        ({"rule": "threshold", "at_least": 0}, "'at_least'.*above 0 and at most 1. Got 0"),
        ({"rule": "threshold", "at_least": 1.5}, "'at_least'"),
        ({"rule": "threshold", "at_least": float("nan")}, "'at_least'"),
        ({"rule": "threshold", "at_least": "half"}, "'at_least'.*Got 'half'"),
        ({"rule": "top"}, "'size'.*given with rule='top'"),
        ({"rule": "top", "size": 6}, "'size'.*from 1 to n_features = 5. Got 6"),
        ({"rule": "top", "size": 0}, "'size'"),
        ({"rule": "majority", "size": 3}, "'size'"),
        ({"rule": "top", "size": 3, "at_least": 0.5}, "'at_least'"),
    ],
)
def test_consensus_refuses(runs, arguments, message):
    with pytest.raises(InputError, match=message):
        runs.consensus(**arguments)


def test_rows(runs):
    assert len(runs) == 4
    assert runs[0].tolist() == runs[-1].tolist() == runs[np.int64(3)].tolist() == [0, 3]
    assert [run.tolist() for run in runs] == [[0, 3], [0, 2], [0], [0, 3]]
    with pytest.raises(IndexError, match="run 4 of 4"):
        runs[4]
    with pytest.raises(TypeError):
        runs[0.5]


def test_what_is_counted_is_counted_once(runs):
    assert runs.frequencies is runs.frequencies
    assert runs.overlaps is runs.overlaps
    assert runs.pairs is runs.pairs


def test_never_changes(runs):
    for array in (runs.indptr, runs.indices, runs[0], runs.sizes, runs.frequencies, runs.overlaps):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    with pytest.raises(AttributeError, match="never change"):
        runs.n_runs = 7
    with pytest.raises(AttributeError, match="never change"):
        del runs.indices
    with pytest.raises(TypeError):
        hash(runs)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda runs: pickle.loads(pickle.dumps(runs))]
)
def test_copies_are_equal_and_frozen(runs, copied):
    size = len(pickle.dumps(runs))
    runs.overlaps, runs.pairs  # noqa: B018
    other = copied(runs)
    assert other == runs
    assert not other.indices.flags.writeable
    assert len(pickle.dumps(runs)) == size


def test_equality(runs):
    again = Selections.from_subsets(
        [[3, 0], [2, 0], [0], [0, 3]], feature_names=list("abcde"), run_names=list("pqrs")
    )
    assert runs == again
    assert runs != Selections.from_subsets(list(runs), 5)
    assert runs != "runs"
    assert Selections.from_subsets([[0]], 2) == Selections.from_masks([[1, 0]])
    assert Selections.from_subsets([[0]], 2) != Selections.from_subsets([[0]], 3)
    assert Selections.from_weights([[1, 2.0]]) != Selections.from_weights([[3, 4.0]])
    assert Selections.from_weights([[1, 2.0]]) != Selections.from_subsets([[0, 1]], 2)


def test_names_by_default():
    runs = Selections.from_subsets([[0], [1]], 3)
    assert runs.feature_names == ("x0", "x1", "x2")
    assert runs.run_names == ("0", "1")


def test_frame(runs):
    assert runs.to_frame().to_dict(as_series=False) == {
        "feature": list("abcde"),
        "runs": [4, 0, 1, 2, 0],
        "share": [1.0, 0.0, 0.25, 0.5, 0.0],
    }


def test_repr(runs):
    assert repr(runs) == "Selections(4 runs, 5 features, 1 to 2 chosen)"
    assert repr(Selections.from_subsets([[1]], 5)) == "Selections(1 runs, 5 features, 1 chosen)"
