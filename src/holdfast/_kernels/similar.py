"""What two subsets share through similar features, for many pairs of subsets at once.

Features similar to feature x are ``near[near_ptr[x]:near_ptr[x + 1]]`` (ascending, without x
itself), and ``weight`` holds how similar. A pair costs the sizes of its two subsets plus the
similar features of their members; scipy's matching has a fixed cost per call that is many
times that.

Marks stand in for sets: a feature is in the left subset of pair p where ``in_left`` holds p, so
nothing needs clearing between pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Features = NDArray[np.int32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Links = tuple[Ints, Ints, Floats]

# What a feature finds in the other subset. COUNT: 1 if a similar one is only there, MEAN: the mean
# similarity to those only there, ANYWHERE: 1 if a similar one is there at all; nothing if it is
# there itself. TOTAL: the summed similarity to those only there, even if it is there itself.
COUNT, ANYWHERE, MEAN, TOTAL = 0, 1, 2, 3


@compiled
def _one_way(
    how: int,
    members: Features,
    mine: Ints,
    theirs: Ints,
    pair: int,
    near_ptr: Ints,
    near: Ints,
    weight: Floats,
) -> float:
    """Sum over my features of what they find among the other subset's features."""
    total = 0.0
    for x in members:
        if how != TOTAL and theirs[x] == pair:
            continue
        found = 0
        similarity = 0.0
        for p in range(near_ptr[x], near_ptr[x + 1]):
            y = near[p]
            if theirs[y] == pair and (how == ANYWHERE or mine[y] != pair):
                found += 1
                similarity += weight[p]
        if how == TOTAL:
            total += similarity
        elif found > 0:
            total += similarity / found if how == MEAN else 1.0
    return total


@compiled
def two_ways(
    how: int,
    left: Features,
    left_start: Ints,
    left_stop: Ints,
    right: Features,
    right_start: Ints,
    right_stop: Ints,
    links: Links,
    out: Floats,
) -> None:
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


@compiled
def _augment(
    root: int,
    near_ptr: Ints,
    near: Ints,
    pair: int,
    only_right: Ints,
    partner: Features,
    seen_by: Features,
    path: Features,
    cursor: Ints,
) -> bool:
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
        if only_right[y] != pair or seen_by[y] == root:
            continue
        seen_by[y] = root
        if partner[y] < 0:
            for level in range(depth, -1, -1):
                partner[near[cursor[level] - 1]] = path[level]
            return True
        depth += 1
        path[depth] = partner[y]
        cursor[depth] = near_ptr[partner[y]]
    return False


@compiled
def _largest(
    only_left: Features,
    pair: int,
    only_right: Ints,
    links: Links,
    partner: Features,
    seen_by: Features,
) -> int:
    """Size of a maximum matching, by augmenting paths."""
    near_ptr, near, _ = links
    path = np.empty(only_left.size, np.int32)
    cursor = np.empty(only_left.size, np.int64)
    matched = 0
    for x in only_left:
        if _augment(x, near_ptr, near, pair, only_right, partner, seen_by, path, cursor):
            matched += 1
    return matched


@compiled
def _greedy(
    only_left: Features, pair: int, only_right: Ints, links: Links, partner: Features
) -> int:
    """Size of the matching that takes the most similar pair first.

    Ties go to the pair first in feature order, in which the edges come.
    """
    near_ptr, near, weight = links
    most = 0
    for x in only_left:
        most += near_ptr[x + 1] - near_ptr[x]
    ends = np.empty((most, 2), np.int32)
    dissimilarity = np.empty(most, np.float64)
    n_edges = 0
    for x in only_left:
        for p in range(near_ptr[x], near_ptr[x + 1]):
            if only_right[near[p]] == pair:
                ends[n_edges, 0] = x
                ends[n_edges, 1] = near[p]
                dissimilarity[n_edges] = -weight[p]
                n_edges += 1
    matched = 0
    # A stable sort keeps equal similarities in feature order.
    for e in np.argsort(dissimilarity[:n_edges], kind="mergesort"):
        x, y = ends[e, 0], ends[e, 1]
        if partner[x] < 0 and partner[y] < 0:
            partner[x] = y
            partner[y] = x
            matched += 1
    return matched


@compiled
def matchings(
    greedy: bool,
    left: Features,
    left_start: Ints,
    left_stop: Ints,
    right: Features,
    right_start: Ints,
    right_stop: Ints,
    links: Links,
    out: Floats,
) -> None:
    """For each pair of subsets: overlap plus a matching of similar features only in one of them.

    The matching is greedy, or as large as can be.
    """
    n_features = links[0].size - 1
    in_right = np.full(n_features, -1, np.int64)
    only_right = np.full(n_features, -1, np.int64)
    in_left = np.full(n_features, -1, np.int64)
    partner = np.empty(n_features, np.int32)
    seen_by = np.empty(n_features, np.int32)
    for pair in range(left_start.size):
        a = np.sort(left[left_start[pair] : left_stop[pair]])
        b = right[right_start[pair] : right_stop[pair]]
        for x in a:
            in_left[x] = pair
            partner[x] = -1
        for y in b:
            in_right[y] = pair
            partner[y] = -1
            seen_by[y] = -1
            if in_left[y] != pair:
                only_right[y] = pair
        only_left = a[in_right[a] != pair]
        if greedy:
            matched = _greedy(only_left, pair, only_right, links, partner)
        else:
            matched = _largest(only_left, pair, only_right, links, partner, seen_by)
        out[pair] = a.size - only_left.size + matched
