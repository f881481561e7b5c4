"""k-NN the slow and obvious way: every distance summed exactly, all of them sorted."""

from __future__ import annotations

import math

import numpy as np


def predict(X, codes, features, train, example, k):
    """Majority of the k nearest; ties of distance to the lowest index, of votes to the lowest."""

    def distance(other):
        terms = []
        for f in features:
            difference = float(X[example, f]) - float(X[other, f])
            terms.append(difference * difference)
        return math.fsum(terms)

    nearest = sorted((distance(j), int(j)) for j in train)[:k]
    votes = np.bincount([codes[j] for _, j in nearest])
    return int(np.argmax(votes))


def fold_scores(X, y, features, splits, k, weight=None):
    """Accuracy in each fold; `X` may be one table or one a fold."""
    codes = np.unique(y, return_inverse=True)[1]
    weight = np.ones(len(codes)) if weight is None else np.asarray(weight, float)
    scores = []
    for number, (train, test) in enumerate(splits):
        table = X[number] if isinstance(X, list) else X
        hits = [
            weight[i] * (predict(table, codes, features, np.sort(train), i, k) == codes[i])
            for i in test
        ]
        scores.append(math.fsum(hits) / math.fsum(weight[test]))
    return np.array(scores)
