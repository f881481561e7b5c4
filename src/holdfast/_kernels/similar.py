"""What two subsets share through similar features, for many pairs of subsets at once.

Features similar to feature x are ``near[near_ptr[x]:near_ptr[x + 1]]`` (ascending, without x
itself), and ``weight`` holds how similar. A pair costs the sizes of its two subsets plus the
similar features of their members; scipy's matching has a fixed cost per call that is many
times that.
"""

from __future__ import annotations

import numpy as np
from numba import njit

COUNT, ANYWHERE, MEAN, TOTAL = 0, 1, 2, 3


@njit(cache=True, nogil=True)
def _one_way(how, members, mine, theirs, stamp, near_ptr, near, weight):
    """Sum over my features of what they find among the other subset's features."""
    total = 0.0
    for x in members:
        if how != TOTAL and theirs[x] == stamp:
            continue
        found = 0
        similarity = 0.0
        for p in range(near_ptr[x], near_ptr[x + 1]):
            y = near[p]
            if theirs[y] == stamp and (how == ANYWHERE or mine[y] != stamp):
                found += 1
                similarity += weight[p]
        if how == TOTAL:
            total += similarity
        elif found > 0:
            total += similarity / found if how == MEAN else 1.0
    return total


@njit(cache=True, nogil=True)
def two_ways(how, left, left_start, left_stop, right, right_start, right_stop, links, out):
    """For each pair of subsets: overlap, what left finds in right, what right finds in left."""
    near_ptr, near, weight = links
    n_features = near_ptr.size - 1
    in_left = np.full(n_features, -1, np.int64)
    in_right = np.full(n_features, -1, np.int64)
    for pair in range(left_start.size):
        a = left[left_start[pair] : left_stop[pair]]
        b = right[right_start[pair] : right_stop[pair]]
        for x in a:
            in_left[x] = pair
        shared = 0
        for y in b:
            in_right[y] = pair
            if in_left[y] == pair:
                shared += 1
        out[0, pair] = shared
        out[1, pair] = _one_way(how, a, in_left, in_right, pair, near_ptr, near, weight)
        out[2, pair] = _one_way(how, b, in_right, in_left, pair, near_ptr, near, weight)


@njit(cache=True, nogil=True)
def _augment(root, near_ptr, near, open_to, stamp, visited, mark, partner, path, cursor):
    """Look for an alternating path from an unmatched feature, depth first without recursion."""
    depth = 0
    path[0] = root
    cursor[0] = near_ptr[root]
    while depth >= 0:
        x = path[depth]
        if cursor[depth] == near_ptr[x + 1]:
            depth -= 1
            continue
        y = near[cursor[depth]]
        cursor[depth] += 1
        if open_to[y] != stamp or visited[y] == mark:
            continue
        visited[y] = mark
        if partner[y] < 0:
            for level in range(depth, -1, -1):
                taken = near[cursor[level] - 1]
                partner[taken] = path[level]
            return True
        depth += 1
        path[depth] = partner[y]
        cursor[depth] = near_ptr[partner[y]]
    return False


@njit(cache=True, nogil=True)
def matchings(greedy, left, left_start, left_stop, right, right_start, right_stop, links, out):
    """For each pair of subsets: overlap plus a matching of similar features only in one of them.

    The greedy one takes the most similar pair first, ties to the pair first in feature order; the
    other is as large as can be (augmenting paths).
    """
    near_ptr, near, weight = links
    n_features = near_ptr.size - 1
    in_left = np.full(n_features, -1, np.int64)
    in_right = np.full(n_features, -1, np.int64)
    only_right = np.full(n_features, -1, np.int64)
    visited = np.full(n_features, -1, np.int64)
    partner = np.full(n_features, -1, np.int64)
    path = np.empty(n_features + 1, np.int64)
    cursor = np.empty(n_features + 1, np.int64)
    mark = 0
    for pair in range(left_start.size):
        a = np.sort(left[left_start[pair] : left_stop[pair]])
        b = right[right_start[pair] : right_stop[pair]]
        for x in a:
            in_left[x] = pair
        matched = 0
        for y in b:
            in_right[y] = pair
            partner[y] = -1
            if in_left[y] == pair:
                matched += 1
            else:
                only_right[y] = pair
        if greedy:
            n_edges = 0
            for x in a:
                if in_right[x] != pair:
                    for p in range(near_ptr[x], near_ptr[x + 1]):
                        if only_right[near[p]] == pair:
                            n_edges += 1
            edge_x = np.empty(n_edges, np.int64)
            edge_y = np.empty(n_edges, np.int64)
            key = np.empty(n_edges, np.float64)
            e = 0
            for x in a:
                if in_right[x] != pair:
                    for p in range(near_ptr[x], near_ptr[x + 1]):
                        if only_right[near[p]] == pair:
                            edge_x[e] = x
                            edge_y[e] = near[p]
                            key[e] = -weight[p]
                            e += 1
            # mergesort is stable: equal similarities keep the feature order they came in.
            for e in np.argsort(key, kind="mergesort"):
                if in_left[edge_x[e]] == pair and partner[edge_y[e]] < 0:
                    partner[edge_y[e]] = edge_x[e]
                    in_left[edge_x[e]] = -1
                    matched += 1
        else:
            for x in a:
                if in_right[x] != pair:
                    mark += 1
                    if _augment(
                        x,
                        near_ptr,
                        near,
                        only_right,
                        pair,
                        visited,
                        mark,
                        partner,
                        path,
                        cursor,
                    ):
                        matched += 1
        out[pair] = matched
