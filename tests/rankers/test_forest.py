"""Shares of trees, counted by walking them."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier

from holdfast.exceptions import InputError
from holdfast.rankers import Forest
from holdfast.selectors import RankedSelector

X, Y = load_wine(return_X_y=True)


def features_below(tree, node):
    if tree.children_left[node] == -1:
        return set()
    below = [features_below(tree, tree.children_left[node])]
    below.append(features_below(tree, tree.children_right[node]))
    return {int(tree.feature[node])}.union(*below)


def test_shares_of_trees():
    forest = RandomForestClassifier(30, criterion="entropy", random_state=4).fit(X, Y)
    used = [features_below(tree.tree_, 0) for tree in forest.estimators_]
    expected = [sum(f in features for features in used) / 30 for f in range(13)]
    assert Forest(30, random_state=4).score(X, Y).tolist() == expected
    chosen = RankedSelector(Forest(30, random_state=4), threshold=0.5).fit(X, Y).support_
    assert chosen.tolist() == [share >= 0.5 for share in expected]


def test_depends_on_the_seed_alone():
    scores = Forest(20, max_depth=3, random_state=0).score(X, Y)
    assert (Forest(20, max_depth=3, n_jobs=2, random_state=0).score(X, Y) == scores).all()
    thin = sparse.csr_matrix(X)
    assert (Forest(20, max_depth=3, random_state=0).score(thin, Y) == scores).all()
    assert (Forest(20, max_depth=3, random_state=1).score(X, Y) != scores).any()


def test_constant_features_are_in_no_tree():
    wide = np.column_stack([X, np.full(178, 3.0)])
    assert Forest(20, max_features=None, random_state=0).score(wide, Y)[-1] == 0.0


@pytest.mark.parametrize("n_trees", [0, 2.5, True])
def test_refused_parameters(n_trees):
    with pytest.raises(InputError, match="a whole number >= 1"):
        Forest(n_trees).score(X, Y)
