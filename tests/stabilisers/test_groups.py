import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectKBest, f_classif, mutual_info_classif
from sklearn.utils.estimator_checks import parametrize_with_checks

import holdfast as hf
from holdfast.exceptions import InputError
from holdfast.stabilisers import GroupSelector
from holdfast.stabilisers.dense_groups import consensus_groups, dense_groups, unit_points
from holdfast.study import Study


@parametrize_with_checks(
    [GroupSelector(2, n_samples=4), GroupSelector(2, method="dense", keep="all")]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def planted(n=80, sizes=(5, 4, 3), noise=0.15, seed=0):
    """Blocks of correlated features, and four features that belong to none."""
    random = np.random.default_rng(seed)
    columns, labels = [], []
    for block, size in enumerate(sizes):
        middle = random.normal(size=n)
        columns += [middle + noise * random.normal(size=n) for _ in range(size)]
        labels += [block] * size
    columns += [random.normal(size=n) for _ in range(4)]
    labels += range(len(sizes), len(sizes) + 4)
    order = random.permutation(len(labels))
    return np.stack(columns, axis=1)[:, order], np.array(labels)[order]


def same_partition(one, other):
    return np.array_equal(one[:, None] == one, other[:, None] == other)


@pytest.mark.parametrize("seed", range(5))
def test_planted_blocks_are_found(seed):
    X, labels = planted(seed=seed)
    assert same_partition(dense_groups(X, 2), labels)
    random = np.random.default_rng(seed)
    samples = [np.sort(random.permutation(80)[:60]) for _ in range(15)]
    assert same_partition(consensus_groups(X, samples, 2), labels)


def test_consensus_groups_by_hand():
    """Together on 3 of 4 samples: joined at a half, parted above three quarters."""
    X, labels = planted()
    samples = [np.arange(80)] * 4
    assert same_partition(consensus_groups(X, samples, 2, 1.0), dense_groups(X, 2))
    assert labels.max() == 6


def test_points_lie_as_far_apart_as_correlations_say():
    X, _ = planted()
    X[:, 0] = 7.0
    points = unit_points(X)
    assert (points[0] == 0).all()
    between = ((points[1:, None] - points[None, 1:]) ** 2).sum(axis=2)
    np.testing.assert_allclose(between, 2 * (1 - np.corrcoef(X[:, 1:].T)), atol=1e-12)
    np.testing.assert_allclose(unit_points(X * 1e8 + 3), points, atol=1e-6)


def test_groups_are_numbered_by_their_first_feature():
    X, _ = planted()
    for labels in (
        dense_groups(X, 2),
        GroupSelector(n_neighbors=2, random_state=0).fit(X, np.arange(80) % 2).labels_,
    ):
        firsts = [int(np.flatnonzero(labels == g)[0]) for g in range(labels.max() + 1)]
        assert firsts == sorted(firsts)


@pytest.mark.parametrize("method", ["dense", "consensus"])
def test_order_of_columns_does_not_matter(method):
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(1).permutation(30)
    selector = GroupSelector(4, method=method, random_state=0, n_neighbors=2)
    here = selector.fit(X, y)
    support, labels = here.support_, here.labels_
    there = selector.fit(X[:, order], y)
    np.testing.assert_array_equal(there.support_, support[order])
    assert same_partition(there.labels_, labels[order])


def test_the_best_groups_and_their_most_typical_features():
    X, labels = planted()
    y = (X[:, labels == 1].mean(axis=1) + X[:, labels == 0].mean(axis=1) / 2 > 0).astype(int)
    made = GroupSelector(2, n_neighbors=2, random_state=0).fit(X, y)
    scores = f_classif(X, y)[0]
    means = [scores[made.labels_ == g].mean() for g in range(made.labels_.max() + 1)]
    np.testing.assert_allclose(made.group_scores_, means)
    assert made.chosen_groups_.tolist() == np.argsort(-np.array(means))[:2].tolist()
    assert {labels[f] for f in np.flatnonzero(made.support_)} == {0, 1}
    assert made.support_.sum() == 2
    points = unit_points(X)
    for f in np.flatnonzero(made.support_):
        members = np.flatnonzero(made.labels_ == made.labels_[f])
        away = np.linalg.norm(points[members] - points[members].mean(axis=0), axis=1)
        assert f == members[np.argmin(away)]
    everything = made.set_params(keep="all").fit(X, y)
    np.testing.assert_array_equal(everything.support_, np.isin(labels, [0, 1]))


def test_degenerate_data():
    random = np.random.default_rng(0)
    y = np.arange(20) % 2
    constant = np.ones((20, 3))
    assert GroupSelector(1, random_state=0, score_func=lambda X, y: np.ones(X.shape[1])).fit(
        constant, y
    ).support_.sum() == 1  # fmt: skip
    single = random.normal(size=(20, 1))
    assert GroupSelector(3, random_state=0).fit(single, y).support_.tolist() == [True]
    doubled = np.repeat(random.normal(size=(20, 2)), 2, axis=1)
    assert dense_groups(doubled, 1).tolist() == [0, 0, 1, 1]
    assert GroupSelector(5, random_state=0, score_func=mutual_info_classif).fit(doubled, y)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_groups": 0}, {"n_groups": 1.5}, {"method": "loose"}, {"keep": "none"},
        {"n_neighbors": 0}, {"n_samples": 0}, {"agreement": 0}, {"agreement": 1.1},
        {"score_func": lambda X, y: np.ones(2)},
    ],
)  # fmt: skip
def test_bad_parameters(wrong):
    X, _ = planted()
    with pytest.raises(InputError, match="parameter of GroupSelector must be"):
        GroupSelector(**wrong).fit(X, np.arange(80) % 2)


def test_groups_raise_stability():
    X, labels = planted(n=120, sizes=(8, 8, 8), noise=0.1)
    random = np.random.default_rng(0)
    y = (X[:, labels <= 2] @ random.normal(size=24) + random.normal(size=120) > 0).astype(int)
    selectors = {
        "features": SelectKBest(k=3),
        "groups": GroupSelector(3, keep="all", n_neighbors=4),
    }
    study = Study(X, y, selectors, repetitions=15, models={}).run()
    single, grouped = (study.selections(name) for name in selectors)
    assert hf.stability.score(grouped, "nogueira2018") > hf.stability.score(single, "nogueira2018")
