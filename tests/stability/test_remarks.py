"""What the catalogue page says in passing is true."""

import pytest

from holdfast.stability import MEASURES
from tests.stability.judges import value
from tests.stability.systems import system


@pytest.mark.parametrize("key", ["c", "davis", "novovicova"])
def test_measures_of_the_union_are_no_functions_of_the_overlaps(key):
    before = system(6, {0, 1, 2, 3}, {0, 2, 4}, {1, 3, 4})
    after = system(6, {0, 1, 2, 3}, {0, 1, 4}, {0, 1, 5})
    assert before.sizes == after.sizes
    assert (before.runs.overlaps <= after.runs.overlaps).all()
    assert value(MEASURES[key], after) < value(MEASURES[key], before)
    assert value(MEASURES["cw"], after) > value(MEASURES["cw"], before)


@pytest.mark.parametrize("key", ["yu", "npogr"])
def test_sharing_one_more_feature_may_cost_another_its_partner(key):
    similar = ((0, 2, 0.95), (1, 3, 0.95))
    before = system(6, {0, 1}, {2, 3}, similar=similar)
    after = system(6, {0, 1}, {0, 2}, similar=similar)
    assert value(MEASURES[key], after) < value(MEASURES[key], before)


@pytest.mark.parametrize("n_runs", [2, 3, 4])
def test_random_choices_score_1_over_n_in_cw_rel(n_runs):
    from tests.naive.chance import mean_over_all_choices
    from tests.stability.strategies import runs_of

    # One of n features each, so that the number of features divides the number of choices.
    mean = mean_over_all_choices(
        [1] * n_runs, n_runs, lambda chosen, d: MEASURES["cw_rel"](runs_of(d, chosen))
    )
    assert mean == pytest.approx(1 / n_runs, abs=1e-12)
