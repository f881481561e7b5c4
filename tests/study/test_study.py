"""What runs when, what is refused, and what counts as the same."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_diabetes, load_iris
from sklearn.feature_selection import SelectKBest, f_regression, mutual_info_classif
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import holdfast as hf
from holdfast.exceptions import InputError, StoreError
from holdfast.study import Study
from holdfast.study.store import Store
from tests.study.crafted import First, same

X, y = load_iris(return_X_y=True)
F, ANOTHER = SelectKBest(k=2), SelectKBest(k=1)


def study(path=None, selectors=None, repetitions=3, X=X, y=y, **more):
    return Study(
        X, y, selectors or {"F": F}, repetitions=repetitions, store=path,
        **{"models": {"nb": GaussianNB()}, **more},
    )  # fmt: skip


def new_tasks(study, **more):
    """Run, and count what was not there before."""
    seen = []
    study.run(progress=lambda n, total, record: seen.append(record), **more)
    return len(seen) - 1


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_only_what_is_new_runs(path):
    assert new_tasks(study(path)) == 3
    assert new_tasks(study(path)) == 0
    assert new_tasks(study(path, repetitions=5)) == 2
    assert new_tasks(study(path, {"F": F, "other": ANOTHER}, 5)) == 5
    assert new_tasks(study(path, {"other": ANOTHER, "F": F}, 5)) == 0
    assert new_tasks(study(path)) == 0
    assert len(study(path).results.records) == study(path).results.n_planned == 3
    assert new_tasks(study(path, {"other": ANOTHER}, 5)) == 0


def test_what_counts_as_another_task(path):
    assert new_tasks(study(path)) == 3
    for changed in (
        {"selectors": {"F": SelectKBest(k=3)}},
        {"selectors": {"another name": F}},
        {"models": {"nb": GaussianNB(var_smoothing=1e-5)}},
        {"sizes": [1]},
        {"random_state": 1},
        {"protocol": "bootstrap"},
    ):
        assert new_tasks(study(path, **changed)) == 3, changed
    for same_still in ({"time_limit": 100.0}, {"title": "t"}, {}):
        assert new_tasks(study(path, **same_still)) == 0, same_still


def test_selectors_alike_keep_their_names(path):
    both = study(path, {"one": F, "two": SelectKBest(k=2)}).run()
    assert both.status()["done"].to_list() == [3, 3]
    assert both.selections("one") == both.selections("two")


def test_grown_studies_are_those_begun_so(path, tmp_path):
    for repetitions in (2, 3, 6):
        study(path, {"F": F, "MI": SelectKBest(mutual_info_classif, k=1)}, repetitions).run()
    whole = study(tmp_path / "o", {"F": F, "MI": SelectKBest(mutual_info_classif, k=1)}, 6).run()
    with Store(path) as grown, Store(whole.path) as at_once:
        assert same(grown.records(), at_once.records())


def test_common_random_numbers_are_left_as_they_were():
    np.random.seed(5)  # noqa: NPY002
    expected = np.random.rand()  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    study(selectors={"MI": SelectKBest(mutual_info_classif, k=1)}).run()
    assert np.random.rand() == expected  # noqa: NPY002


def test_nothing_is_changed_in_what_was_given():
    selector, model = SelectKBest(k=2), GaussianNB()
    before = X.copy(), y.copy()
    study(selectors={"F": selector}, models={"m": model}).run()
    assert not hasattr(selector, "scores_")
    assert not hasattr(model, "classes_")
    np.testing.assert_array_equal(before[0], X)
    np.testing.assert_array_equal(before[1], y)


def test_changed_data_are_refused_with_the_difference(path):
    frame = pd.DataFrame(X, columns=list("abcd"))
    study(path, X=frame).run()
    other = frame.copy()
    other.loc[3, "b"] += 1e-9
    for changed, said in [
        ({"X": other}, "other values in column 'b'"),
        ({"X": frame.rename(columns={"a": "z"})}, "without column 'a'; with a new column 'z'"),
        ({"X": frame[list("bacd")]}, "columns in another order"),
        ({"X": frame[list("abc")]}, "without column 'd'"),
        ({"X": frame[:140], "y": y[:140]}, "140 examples instead of 150; another target"),
        ({"y": y[::-1]}, "another target"),
        ({"groups": np.arange(150)}, "other groups"),
    ]:
        with pytest.raises(InputError, match=said) as refused:
            study(path, **{"X": frame, **changed}).run()
        assert "Restore them, or begin a new study" in str(refused.value)
    assert new_tasks(study(path, X=frame)) == 0


def test_the_same_data_in_any_container(path):
    names = list("abcd")
    frame = pd.DataFrame(X, columns=names)
    study(path, X=frame).run()
    assert new_tasks(study(path, X=X, feature_names=names)) == 0
    assert new_tasks(study(path, X=np.asfortranarray(X), feature_names=names)) == 0
    assert new_tasks(study(path, X=pl.DataFrame(X, schema=names))) == 0
    assert new_tasks(study(path, X=X.tolist(), y=y.tolist(), feature_names=names)) == 0


@pytest.mark.parametrize(
    "table",
    [csr_array(X), csr_array(X).tocsc(), pd.DataFrame(X), pl.DataFrame(X, schema=list("abcd"))],
)
def test_containers(table):
    models = {"3-NN": KNeighborsClassifier(3)}
    done, plain = study(X=table, models=models).run(), study(models=models).run()
    assert not done.results.failures
    frequencies = [one.selections("F").frequencies.tolist() for one in (done, plain)]
    assert frequencies[0] == frequencies[1]


def test_text_classes_and_wide_names():
    words = np.array(["<c>", "a b", "ü"])[y]
    done = study(y=words, feature_names=["<b>", "a,b", "特徴", ""]).run()
    assert not done.results.failures
    assert done.results.variants() == study().run().results.variants()
    assert done.results.frame()["value"].min() > 0.8


def test_regression():
    X, y = load_diabetes(return_X_y=True)
    done = Study(
        X,
        y,
        {"F": SelectKBest(f_regression, k=3)},
        protocol=KFold(4),
        models={"l": LinearRegression()},
    ).run()
    table = done.results.frame()
    assert set(table["metric"]) == {"r2", "rmse"}
    for draw, record in zip(done._draws, done.results.records, strict=True):
        subset = record.outcomes[0].subset
        model = LinearRegression().fit(X[draw.train][:, subset], y[draw.train])
        assert record.outcomes[0].scores["l"]["r2"] == pytest.approx(
            model.score(X[draw.test][:, subset], y[draw.test])
        )
    assert "r2" in done.recommend().why or done.summary()["metric"][0] == "r2"


def test_accuracy_is_that_of_a_model_on_the_chosen_features():
    done = study(sizes=[1, 4]).run()
    for draw, record in zip(done._draws, done.results.records, strict=True):
        assert [o.size for o in record.outcomes] == [-1, 1, 4]
        for outcome in record.outcomes:
            model = GaussianNB().fit(X[draw.train][:, outcome.subset], y[draw.train])
            right = model.predict(X[draw.test][:, outcome.subset]) == y[draw.test]
            assert outcome.scores["nb"]["accuracy"] == right.mean()
            np.testing.assert_array_equal(outcome.correct["nb"], right)
            assert 0.5 < outcome.scores["nb"]["auc"] <= 1


def test_no_feature_chosen_is_a_guess():
    done = study(selectors={"none": First(0)}).run()
    assert not done.results.failures
    assert done.results.frame().filter(metric="accuracy")["value"].to_list() == [1 / 3] * 3


def test_selectors_that_take_groups_get_them():
    class Grouped(First):
        def fit(self, X, y, groups=None):
            assert groups is not None
            assert len(groups) == len(X)
            return super().fit(X, y)

    done = study(
        selectors={"g": Grouped()}, groups=np.arange(150) % 5, protocol=GroupKFold(5),
        repetitions=None,
    ).run()  # fmt: skip
    assert not done.results.failures


def test_models_and_pipelines_that_score():
    selectors = {
        "svm": LinearSVC(),
        "pipe": make_pipeline(StandardScaler(), LinearSVC()),
        "search": hf.SequentialSelector(hf.criteria.NaiveBayes(cv=3)),
    }
    done = study(selectors=selectors, sizes=[2]).run()
    assert not done.results.failures
    assert [str(v) for v in done.results.variants()] == [
        "svm, 2 features", "pipe, 2 features", "search", "search, 2 features",
    ]  # fmt: skip


def test_signed_scores_count_by_value_and_coefficients_by_size():
    class Scored(First):
        def fit(self, X, y):
            super().fit(X, y)
            self.scores_ = np.array([-5.0, -1.0, -3.0, np.nan])
            return self

    class Weighted(First):
        def fit(self, X, y):
            super().fit(X, y)
            self.coef_ = np.array([-5.0, -1.0, 3.0, 0.0])
            return self

    done = study(selectors={"s": Scored(), "w": Weighted()}, sizes=[2]).run()
    assert set(done.selections("s", 2)[0].tolist()) == {1, 2}
    assert set(done.selections("w", 2)[0].tolist()) == {0, 2}


def test_status_and_failures():
    done = study(selectors={"F": F, "bad": First(how="raise"), "also": First(1)}).run()
    table = done.status()
    assert table.rows() == [
        ("F", 3, 3, 0, None), ("bad", 3, 0, 3, "ValueError: not today"), ("also", 3, 3, 0, None),
    ]  # fmt: skip
    assert "bad" not in done.summary()["selector"].to_list()
    with pytest.raises(InputError, match="no finished runs of bad"):
        done.selections("bad")
    with pytest.raises(InputError, match="one of F, bad, also"):
        done.selections("worse")


def test_before_and_without_anything_finished(path):
    with pytest.raises(StoreError, match="no such study"):
        study(path).results  # noqa: B018
    nothing = study(path, {"bad": First(how="raise")}).run()
    for ask in (nothing.summary, nothing.recommend):
        with pytest.raises(InputError, match=r"finished|tested"):
            ask()
    with pytest.raises(InputError, match="no model"):
        study(models={}).run().recommend()


def test_one_run_has_no_stability():
    once = study(repetitions=1, protocol="somol2011-4.1").run()
    assert np.isnan(once.summary()["stability"][0])
    with pytest.raises(InputError, match="at least two finished runs"):
        once.recommend()


def test_interrupted_by_the_keyboard_what_is_done_is_kept(path):
    probe = study(None, repetitions=6)
    at = probe.tasks[4].seed
    with pytest.raises(KeyboardInterrupt):
        study(path, {"x": First(how="interrupt", at=at)}, 6).run()
    begun = study(path, {"x": First(how="interrupt", at=at)}, 6)
    assert begun.status()["done"].to_list() == [4]
    First._interrupt, before = (lambda self: None), First._interrupt
    try:
        assert new_tasks(begun) == 2
    finally:
        First._interrupt = before


def test_a_second_run_at_once_is_refused(path):
    with Store(path, write=True), pytest.raises(StoreError, match="another process"):
        study(path).run()


def test_a_store_that_fills_up_ends_the_run_with_what_to_do(path, monkeypatch):
    from holdfast.study import store as module

    before = module._writing

    def small(path):
        file = before(path)
        file.execute("PRAGMA max_page_count=8")
        return file

    monkeypatch.setattr(module, "_writing", small)
    many = study(path, {f"{i}": First(i % 4) for i in range(10)}, 30, models={})
    with pytest.raises(StoreError, match="Make room and resume"):
        many.run()
    monkeypatch.setattr(module, "_writing", before)
    many.run()
    assert many.status()["done"].to_list() == [30] * 10


def test_its_own_store_goes_with_it():
    short = study().run()
    folder = short.path.parent
    assert folder.exists()
    del short
    assert not folder.exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"selectors": {}}, "'selectors' parameter of Study must be a mapping"),
        ({"selectors": [F]}, "'selectors'"),
        ({"selectors": {1: F}}, "'selectors'"),
        ({"selectors": {"a": SelectKBest}}, "'selectors'"),
        ({"selectors": {"a": 3}}, "'selectors'"),
        ({"models": {"a": SelectKBest()}}, "classifiers or regressors"),
        ({"protocol": "kalousis"}, "'protocol' parameter of Study must be one of"),
        ({"protocol": 3}, "a name, a Protocol or a scikit-learn splitter"),
        ({"protocol": KFold(3), "repetitions": 3}, "None with a protocol or splitter"),
        ({"protocol": "groups"}, "cannot split these data"),
        ({"repetitions": 0}, "'repetitions' parameter of Study must be a whole number >= 1"),
        ({"repetitions": 1.5}, "whole number >= 1"),
        ({"repetitions": True}, "whole number >= 1"),
        ({"sizes": [0]}, "from 1 to 4"),
        ({"sizes": [5]}, "from 1 to 4"),
        ({"sizes": "all"}, "'profile' or a list"),
        ({"sizes": 3}, "'profile' or a list"),
        ({"sizes": [1.5]}, "whole number"),
        ({"random_state": None}, "'random_state'"),
        ({"random_state": -1}, "'random_state'"),
        ({"time_limit": 0}, "seconds > 0"),
        ({"y": y[:-1]}, "one for each of 150"),
        ({"groups": y[:-1]}, "one for each of 150"),
        ({"feature_names": ["a"]}, "4 different names"),
        ({"feature_names": list("aabc")}, "a twice"),
        ({"y": np.r_[y[:-1], 9]}, "at least 2 examples of each class: class 9 has 1. Join"),
        ({"y": np.linspace(0, 1, 150)}, "cannot split these data"),
        (
            {"protocol": "kalousis2007", "repetitions": 60},
            "at least 60 examples of each class: class 0 has 50, 1 has 50",
        ),
    ],
)
def test_bad_input(wrong, said):
    options = {"selectors": {"F": F}, "repetitions": 3, **wrong}
    if not isinstance(options.get("protocol", ""), str):
        options["repetitions"] = wrong.get("repetitions")
    with pytest.raises(InputError, match=said):
        Study(options.pop("X", X), options.pop("y", y), **options)


def test_an_empty_mapping_of_selectors_differs_from_none():
    with pytest.raises(InputError):
        Study(X, y, {})
