import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.feature_selection import (
    SelectFromModel,
    SelectKBest,
    VarianceThreshold,
    mutual_info_classif,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import holdfast as hf
from holdfast.exceptions import InputError
from holdfast.stabilisers import EnsembleSelector
from holdfast.stabilisers.bounds import unimodal, worst_case
from holdfast.study import Study
from tests.naive import ensembles as naive

X, y = load_wine(return_X_y=True)
FEW = SelectKBest(k=4)


@parametrize_with_checks(
    [
        EnsembleSelector(SelectKBest(k=1), threshold=0.1, n_samples=4, random_state=0),
        EnsembleSelector(
            LogisticRegression(), 1, aggregate="mean_rank", n_chosen=1, n_samples=3,
            sampling="bootstrap",
        ),
        EnsembleSelector(VarianceThreshold(), n_samples=3, sampling="complementary"),
    ]
)  # fmt: skip
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("sampling", ["subsample", "bootstrap", "complementary"])
def test_frequencies_are_as_the_twins(sampling):
    for seed, threshold in enumerate((0.1, 0.5, 0.6, 1.0)):
        made = EnsembleSelector(
            FEW, threshold=threshold, n_samples=10, sampling=sampling, random_state=seed
        ).fit(X, y)
        subsets = [run.tolist() for run in made.selections_]
        assert len(subsets) == 10
        np.testing.assert_allclose(made.frequencies_, naive.frequencies(subsets, 13))
        expected = naive.by_frequency(subsets, 13, threshold)
        assert made.get_support(indices=True).tolist() == expected
        fewer = made.set_params(n_features_to_select=2).fit(X, y)
        expected = naive.by_frequency(subsets, 13, threshold, 2)
        assert fewer.get_support(indices=True).tolist() == expected


@given(st.data())
@settings(max_examples=25)
def test_ranks_are_as_the_twins(data):
    """Scores with many ties, given out by a selector that reads them from the data."""
    n_features = data.draw(st.integers(2, 6))
    table = np.array(
        data.draw(st.lists(st.lists(st.integers(0, 3), min_size=n_features, max_size=n_features),
                           min_size=12, max_size=12))
    )  # fmt: skip
    seen = []

    def column_sums(X, y):
        seen.append(X.sum(axis=0).tolist())
        return X.sum(axis=0)

    for middle in ("mean", "median"):
        seen.clear()
        made = EnsembleSelector(
            SelectKBest(column_sums, k=1), 2, aggregate=f"{middle}_rank", n_samples=5,
            random_state=0,
        ).fit(table, np.arange(12) % 2)  # fmt: skip
        assert made.get_support(indices=True).tolist() == naive.by_rank(seen, 2, middle)
        assert sorted(made.ranking_) == list(range(1, n_features + 1))


def test_ties_go_to_the_first_feature():
    same = np.repeat(np.random.default_rng(0).normal(size=(40, 1)), 4, axis=1)
    labels = (same[:, 0] > 0).astype(int)
    made = EnsembleSelector(SelectKBest(k=3), 1, n_chosen=2, n_samples=6, random_state=0)
    made.fit(same, labels)
    assert made.get_support().tolist() == [True, False, False, False]


def test_weights_that_count_by_value():
    """Scores below zero: the highest is the best, not the one farthest from zero."""
    made = EnsembleSelector(
        SelectKBest(lambda X, y: -X.var(axis=0), k=1), 2, aggregate="mean_rank", n_samples=5,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    assert set(made.get_support(indices=True)) == set(np.argsort(X.var(axis=0))[:2])
    nested = Study(X, y, {"e": made}, repetitions=2, models={}, sizes=[2]).run()
    assert set(nested.selections("e", 2)[0].tolist()) == set(np.argsort(X.var(axis=0))[:2])


def test_workers_do_not_matter():
    one, two = (
        EnsembleSelector(
            SelectKBest(mutual_info_classif, k=3), n_samples=6, n_jobs=n, random_state=3,
            threshold=0.3,
        ).fit(X, y)
        for n in (1, 2)
    )  # fmt: skip
    assert one.selections_ == two.selections_
    np.testing.assert_array_equal(one.support_, two.support_)


def test_order_of_columns_does_not_matter():
    order = np.random.default_rng(0).permutation(13)
    for more in ({}, {"aggregate": "mean_rank", "n_features_to_select": 5}):
        made = EnsembleSelector(FEW, n_samples=8, random_state=0, **more)
        there = made.fit(X, y).get_support()
        mixed = made.fit(X[:, order], y).get_support()
        np.testing.assert_array_equal(mixed, there[order])


def test_dataframes_reach_the_estimator():
    class Named(SelectKBest):
        def fit(self, X, y):
            assert list(X.columns) == [f"c{f}" for f in range(13)]
            return super().fit(X, y)

    frame = pd.DataFrame(X, columns=[f"c{f}" for f in range(13)])
    made = EnsembleSelector(Named(k=3), n_samples=4, random_state=0).fit(frame, y)
    assert set(made.get_feature_names_out()) <= set(frame.columns)


def test_models_choose_by_weight():
    svm = make_pipeline(StandardScaler(), LinearSVC())
    made = EnsembleSelector(svm, n_chosen=3, n_samples=6, random_state=0).fit(X, y)
    assert [len(run) for run in made.selections_] == [3] * 6
    with pytest.raises(InputError, match="'n_chosen' parameter of EnsembleSelector"):
        EnsembleSelector(svm, n_samples=4).fit(X, y)
    with pytest.raises(InputError, match="scores all features"):
        EnsembleSelector(
            VarianceThreshold(), 2, aggregate="mean_rank", n_samples=4
        ).fit(X, y)  # fmt: skip


@given(st.integers(2, 400), st.floats(0.001, 1), st.floats(0.501, 1), st.integers(1, 100))
def test_bounds_are_as_the_twins(p, share, threshold, pairs):
    q = share * p
    assert worst_case(q, p, threshold) == pytest.approx(naive.worst_case(q, p, threshold))
    assert unimodal(q, p, threshold, pairs) == pytest.approx(naive.unimodal(q, p, threshold, pairs))
    assert unimodal(q, p, threshold, pairs) <= worst_case(q, p, threshold) * (1 + 1e-12)


def test_bounds_by_hand():
    # 50 of 1000 features a sample, kept at 90 % of 50 pairs
    assert worst_case(50, 1000, 0.9) == pytest.approx(2500 / 800)
    assert unimodal(50, 1000, 0.9, 50) == pytest.approx(4 * 0.11 / 1.02 * 0.05 * 50)
    assert unimodal(50, 1000, 0.7, 50) == pytest.approx(0.5 / (0.4 - 0.01) * 2.5)
    # Beyond what the theorem covers there is the worst case.
    assert unimodal(700, 1000, 0.9, 50) == worst_case(700, 1000, 0.9)
    assert unimodal(500, 1000, 0.6, 50) == worst_case(500, 1000, 0.6)
    with pytest.raises(InputError, match=r"above 0\.5"):
        worst_case(5, 10, 0.5)


def test_bounds_hold_for_noise():
    """Features that are all noise: those kept are kept wrongly."""
    random = np.random.default_rng(0)
    kept, bounds = [], []
    for seed in range(12):
        noise, labels = random.normal(size=(60, 40)), np.arange(60) % 2
        made = EnsembleSelector(
            SelectKBest(k=6), threshold=0.7, n_samples=40, sampling="complementary",
            random_state=seed,
        ).fit(noise, labels)  # fmt: skip
        kept.append(made.support_.sum())
        bounds.append(made.error_bound_)
    assert bounds[0] == unimodal(6, 40, 0.7, 20)
    assert np.mean(kept) <= np.mean(bounds)


def test_which_bound_is_told():
    plain = EnsembleSelector(FEW, threshold=0.7, n_samples=6, random_state=0)
    assert plain.fit(X, y).error_bound_ == pytest.approx(worst_case(4, 13, 0.7))
    assert np.isnan(plain.set_params(threshold=0.4).fit(X, y).error_bound_)
    ranked = plain.set_params(aggregate="mean_rank", n_features_to_select=2)
    assert np.isnan(ranked.fit(X, y).error_bound_)


@pytest.mark.parametrize(
    "wrong",
    [
        {"aggregate": "sum"}, {"sampling": "jackknife"}, {"threshold": 0}, {"threshold": 1.1},
        {"share": 0}, {"share": 1}, {"n_samples": 0}, {"n_samples": 1.5}, {"n_chosen": 14},
        {"n_features_to_select": 0}, {"n_features_to_select": True}, {"aggregate": "mean_rank"},
    ],
)  # fmt: skip
def test_bad_parameters(wrong):
    with pytest.raises(InputError, match=r"parameter of EnsembleSelector must be"):
        EnsembleSelector(FEW, **wrong).fit(X, y)


def redundant():
    """Few signals, each in several noisy copies, and noise."""
    X, y = make_classification(
        150, 40, n_informative=4, n_redundant=0, n_clusters_per_class=1, random_state=0,
        shuffle=False, class_sep=0.8,
    )  # fmt: skip
    random = np.random.default_rng(0)
    for copy in range(4, 16):
        X[:, copy] = X[:, copy % 4] + 0.3 * random.normal(size=150)
    return X, y


def test_ensembles_raise_stability():
    X, y = redundant()
    # The lasso keeps now this copy, now that.
    svm = LinearSVC(penalty="l1", dual=False, C=0.05)
    alone = SelectFromModel(svm, max_features=5, threshold=-np.inf)
    together = EnsembleSelector(svm, 5, n_chosen=5, n_samples=25, threshold=0.01, share=0.8)
    study = Study(X, y, {"alone": alone, "together": together}, repetitions=15, models={}).run()
    assert not study.results.failures
    single, many = (
        hf.stability.score(study.selections(name), "nogueira2018") for name in study.selectors
    )
    assert many > single + 0.05


def test_an_elastic_net_as_selector():
    """The elastic net is scikit-learn's: correlated features come in together."""
    X, y = load_breast_cancer(return_X_y=True)

    def net(ratio):
        model = LogisticRegression(
            l1_ratio=ratio, C=0.02, solver="saga", max_iter=200, tol=1e-2, random_state=0,
            **({} if sklearn_knows_ratio_alone() else {"penalty": "elasticnet"}),
        )  # fmt: skip
        return make_pipeline(StandardScaler(), SelectFromModel(model, threshold=1e-6))

    selectors = {"elastic net": net(0.3), "lasso": net(1.0)}
    study = Study(
        X, y, selectors, repetitions=6, models={"nb": GaussianNB()}, protocol="bootstrap"
    ).run()
    assert not study.results.failures
    sizes = [np.mean([len(run) for run in study.selections(s)]) for s in selectors]
    assert sizes[0] > sizes[1]
    assert study.recommend().table.height == 2


def sklearn_knows_ratio_alone():
    import sklearn

    return tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 8)
