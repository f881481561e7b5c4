"""Votes about single steps, against the twin and the paper's examples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from holdfast.contracts import Criterion, Problem
from holdfast.criteria.estimator import Estimator
from holdfast.criteria.vote import Vote
from holdfast.exceptions import InputError
from tests.search.recipes import COMPOSED, make
from tests.search.tables import Spec, Table, random_table

VOTES = [name for name in COMPOSED if "vote" in name or name in ("order", "median", "weight")]


def problem_of(n_features: int) -> Problem:
    return Problem(np.zeros((4, n_features)), np.zeros(4), n_features)


@pytest.mark.parametrize("name", VOTES)
@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(["levels", "negative", "constant", "normal"]),
    seed=st.integers(0, 10**6),
    moves=st.lists(st.tuples(st.integers(0, 255), st.booleans()), min_size=1, max_size=6),
    c=st.integers(1, 2),
)
def test_winners_of_a_run_of_steps(name, kind, seed, moves, c) -> None:
    """Ties are frequent, and the memory of earlier votes decides them."""
    made = make(COMPOSED[name], Spec(kind, 8, 1, seed))
    judge = made.ours.prepare(problem_of(8))
    for bits, adding in moves:
        base = frozenset(f for f in range(8) if bits >> f & 1)
        movable = sorted(set(range(8)) - base) if adding else sorted(base)
        tuples = list(combinations(movable, c))
        if not tuples or (not adding and len(base) <= c):
            continue
        verdict = judge.judge(
            np.array(sorted(base), dtype=np.intp), np.array(tuples, dtype=np.intp), adding
        )
        expected = made.naive.judge(base, tuples, adding)
        there = [i for i, answer in enumerate(expected) if answer is not None]
        assert np.flatnonzero(~np.isneginf(verdict.preference)).tolist() == there
        by_twin = sorted(there, key=lambda i: expected[i][0], reverse=True)
        by_ours = sorted(there, key=lambda i: verdict.preference[i], reverse=True)
        assert by_ours == by_twin
        assert [verdict.values[i] for i in there] == [expected[i][1] for i in there]


def step(by: str, ties: str, *members: list[float]) -> int:
    """Who wins the first addition, given each member's values of the single features."""
    n = len(members[0])
    criteria = []
    for values in members:
        table = np.zeros((2**n, 1))
        table[[1 << f for f in range(n)], 0] = values
        criteria.append(Table(table))
    judge = Vote(criteria, by, ties).prepare(problem_of(n))
    verdict = judge.judge(np.zeros(0, np.intp), np.arange(n, dtype=np.intp)[:, None], True)
    return int(np.argmax(verdict.preference))


def test_equal_values_share_a_rank_with_no_gap() -> None:
    # Dense ranks 1 1 2 and 3 1 2 sum to 4 2 4; ranks with a gap would be 1 1 3.
    assert step("order", "min", [0.9, 0.9, 0.1], [0.1, 0.9, 0.5]) == 1


def test_median_of_tied_ranks_takes_influence_from_members_with_few_values() -> None:
    few, many = [0.5, 0.5, 0.5, 0.4], [0.1, 0.2, 0.3, 0.4]
    # min: 1+4, 1+3, 1+2, 2+1: a tie that feature order settles. median: 2+4, 2+3, 2+2, 4+1.
    assert step("order", "min", few, many) == 2
    assert step("order", "median", few, many) == 2
    assert step("order", "min", few, [0.1, 0.3, 0.2, 0.4]) == 1
    few, many = [0.5, 0.5, 0.5, 0.6], [0.4, 0.3, 0.2, 0.1]
    assert step("order", "min", few, many) == 0
    assert step("order", "median", few, [0.4, 0.2, 0.1, 0.3]) == 3


def test_weights_see_by_how_much() -> None:
    members = [0.90, 0.91, 0.0], [0.90, 0.10, 0.0], [0.5, 0.51, 0.1]
    assert step("order", "min", *members) == 1
    assert step("weight", "min", *members) == 0


def test_ties_go_to_the_best_average_so_far() -> None:
    """Section 3.1.3: a candidate that did better in an earlier step wins a tie."""
    table = np.zeros((8, 1))
    table[[0b001, 0b010, 0b100], 0] = 0.1, 0.2, 0.9
    judge = Vote([Table(table)]).prepare(problem_of(3))
    none, singles = np.zeros(0, np.intp), np.arange(3, dtype=np.intp)[:, None]
    assert np.argmax(judge.judge(none, singles, True).preference) == 2
    # Adding to {2}, both candidates have value 0: feature order would take 0.
    later = judge.judge(np.array([2]), singles[:2], True)
    assert np.argmax(later.preference) == 1


def test_value_is_the_mean_or_a_named_member() -> None:
    low, high = np.full((4, 1), 0.25), np.full((4, 1), 0.75)
    subset = np.array([0], dtype=np.intp)
    for value, expected in (("mean", 0.5), (0, 0.25), (1, 0.75)):
        judge = Vote([Table(low), Table(high)], value=value).prepare(problem_of(2))
        assert judge.value(subset) == expected
        assert judge.folds(subset).tolist() == [expected]


def test_members_with_other_folds_are_compared_by_their_means() -> None:
    members = [Table(random_table("normal", 2, folds, folds)) for folds in (3, 5)]
    judge = Vote(members).prepare(problem_of(2))
    subset = np.array([1], dtype=np.intp)
    assert [judge.value(subset)] == pytest.approx(judge.folds(subset))
    assert {name: scores.size for name, scores in judge.others(subset).items()} == {
        "member0": 3,
        "member1": 5,
    }


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"members": []}, "'members' parameter of criteria.Vote must be a list of criteria"),
        ({"members": [GaussianNB()]}, "list of criteria"),
        ({"by": "rank"}, "'by' parameter .* must be 'order' or 'weight'. Got 'rank'"),
        ({"ties": "max"}, "'ties' parameter"),
        ({"value": 2}, "'value' parameter .* from 0 to 1"),
        ({"value": "median"}, "'value' parameter"),
    ],
)
def test_refusals(parameters, message: str) -> None:
    table = np.zeros((2, 1))
    vote = Vote(**{"members": [Table(table), Table(table)], **parameters})
    with pytest.raises(InputError, match=message):
        vote.prepare(problem_of(1))


def nested() -> Vote:
    members: list[Criterion] = [Estimator(GaussianNB(), cv=2), Estimator(GaussianNB(), cv=3)]
    return Vote(members)


def test_members_are_reached_by_name() -> None:
    vote = nested()
    assert vote.get_params()["member1__cv"] == 3
    assert vote.get_params()["member0__estimator__var_smoothing"] == 1e-9
    vote.set_params(member0__cv=7, member1__estimator__var_smoothing=0.5, by="weight")
    assert (vote.members[0].cv, vote.members[1].estimator.var_smoothing) == (7, 0.5)
    other = Estimator(GaussianNB(), cv=9)
    vote.set_params(member1__cv=4, member1=other)
    assert vote.members[1] is other
    assert other.cv == 4


def test_a_copy_does_not_share_members() -> None:
    vote = nested()
    copy = clone(vote)
    copy.set_params(member0__cv=9)
    assert vote.members[0].cv == 2
    assert isinstance(copy.members, list)


@pytest.mark.parametrize("name", ["member2", "member2__cv", "other__cv", "members__cv", "bye"])
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"'{name}' parameter of criteria.Vote must be one of"):
        nested().set_params(**{name: 1})
