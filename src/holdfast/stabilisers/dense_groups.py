"""Groups of features that lie close together, found where features are dense.

Yu, Ding & Loscalzo (2008): features are points in the space of examples; each climbs to the density
peak nearest to it, and those near one peak are a group. Loscalzo, Yu & Ding (2009): groups that
many samples of the examples agree on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

Floats = NDArray[np.float64]
Labels = NDArray[np.intp]
MOST_STEPS = 100
CLOSE = 1e-6
# Similarities of so many features to all others are held at once.
BLOCK = 512


def unit_points(X: Floats) -> Floats:
    """Features as points: centred, of length 1; a constant feature is the origin.

    Distances of such points follow correlations: ||f - g||² = 2 (1 - r).
    """
    points = (X - X.mean(axis=0)).T
    lengths = np.linalg.norm(points, axis=1)
    scale = np.abs(X).max(axis=0) if X.size else lengths
    alive = lengths > 1e-12 * np.maximum(scale, np.finfo(float).tiny) * np.sqrt(len(X))
    out: Floats = np.where(alive[:, None], points / np.where(alive, lengths, 1.0)[:, None], 0.0)
    return out


def dense_groups(X: Floats, n_neighbors: int = 5) -> Labels:
    """Group number of each feature; numbers ascend with the first feature of each group.

    The kernel is as wide as the mean distance of features to their `n_neighbors`-th nearest.
    O(D² n) time for D features of n examples a step of the climb, in blocks of rows.
    """
    points = unit_points(X)
    n_features = len(points)
    k = min(n_neighbors, n_features - 1)
    if k < 1:
        return np.zeros(n_features, dtype=np.intp)
    width = float(np.mean([np.sort(_distances(points[i : i + BLOCK], points), axis=1)[:, k].mean()
                           for i in range(0, n_features, BLOCK)]))  # fmt: skip
    if width <= CLOSE:
        width = CLOSE
    peaks = np.concatenate(
        [_climbed(points[i : i + BLOCK], points, width) for i in range(0, n_features, BLOCK)]
    )
    return _numbered(_joined(peaks, width))


def consensus_groups(
    X: Floats, samples: list[NDArray[np.intp]], n_neighbors: int = 5, agreement: float = 0.5
) -> Labels:
    """Groups of features that fall into one dense group on most samples.

    Average linkage on the share of samples that part two features, cut where features of one group
    share theirs on at least `agreement` of the samples.
    """
    n_features = X.shape[1]
    together = np.zeros((n_features, n_features))
    for rows in samples:
        labels = dense_groups(X[rows], n_neighbors)
        member = csr_array(
            (np.ones(n_features), (np.arange(n_features), labels)),
            shape=(n_features, labels.max() + 1),
        )
        together += (member @ member.T).toarray()
    if n_features < 2:
        return np.zeros(n_features, dtype=np.intp)
    apart = 1.0 - together / len(samples)
    np.fill_diagonal(apart, 0.0)
    tree = linkage(squareform(np.maximum(apart, 0.0), checks=False), "average")
    return _numbered(fcluster(tree, 1.0 - agreement + 1e-12, "distance"))


def _climbed(starts: Floats, points: Floats, width: float) -> Floats:
    """Move each start to the mean of the points around it until it stays."""
    current = starts.copy()
    moving = np.arange(len(starts))
    for _ in range(MOST_STEPS):
        near = _distances(current[moving], points) <= width
        counts = near.sum(axis=1)
        moved = (near @ points) / np.maximum(counts, 1)[:, None]
        moved = np.where(counts[:, None] > 0, moved, current[moving])
        steps = np.linalg.norm(moved - current[moving], axis=1)
        current[moving] = moved
        moving = moving[steps > CLOSE * width]
        if moving.size == 0:
            break
    return current


def _joined(peaks: Floats, width: float) -> Labels:
    """Peaks closer than half the width are one."""
    rows, columns = [], []
    for i in range(0, len(peaks), BLOCK):
        near = _distances(peaks[i : i + BLOCK], peaks) <= 0.5 * width
        found = np.nonzero(near)
        rows.append(found[0] + i)
        columns.append(found[1])
    row, column = np.concatenate(rows), np.concatenate(columns)
    graph = csr_array((np.ones(row.size), (row, column)), shape=(len(peaks), len(peaks)))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.intp)


def _distances(some: Floats, points: Floats) -> Floats:
    squares = (some**2).sum(axis=1)[:, None] + (points**2).sum(axis=1) - 2.0 * some @ points.T
    # Rounding dust must not part features that are equal.
    distances: Floats = np.sqrt(np.where(squares < 1e-12, 0.0, squares))
    return distances


def _numbered(labels: NDArray[np.integer]) -> Labels:
    """Numbers in the order in which groups first appear."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first, kind="stable"), kind="stable")
    return np.asarray(order[inverse], dtype=np.intp)
