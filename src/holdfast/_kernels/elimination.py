"""Recursive elimination: which feature weighs least in linear machines, over and over again.

Solving the machines again costs little, and weighing all features would cost the most. So all are
weighed now and then, and those that come near the least are listed. A weight changes by no more
than the norm of the feature times the change of the machine. While the machine has changed by less
than was allowed for, and the least weight of the list lies below what the others may have sunk to,
no other needs to be looked at.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from holdfast._kernels.dual import Dual, Floats, Ints, fresh_field, lose_feature, rebuild, solve
from holdfast._kernels.jit import compiled

# How many features are listed, unless more are equally near.
LISTED = 64
# The share of itself by which a machine may change at first; it adapts.
FIRST_CHANGE = 1e-3
# What rounding may add to a weight, relative to its largest possible value.
ROUNDING = 1e-13


class Machines(NamedTuple):
    """One machine for each pair of classes, each on its own examples.

    Attributes
    ----------
    examples, sizes : array
        Which examples, machines x most examples, and how many.
    kernels, inverses, labels, low, high, betas, fields, free, counts : array
        As in `Dual`, the machine first.
    """

    examples: Ints
    sizes: Ints
    kernels: Floats
    inverses: Floats
    labels: Floats
    low: Floats
    high: Floats
    betas: Floats
    fields: Floats
    free: Ints
    counts: Ints


@compiled
def add_products(table: Floats, alive: Ints, out: Floats) -> None:
    """Add the products of all examples with all, in the features that are left. O(d n^2).

    For few examples; the result then stays in the cache, and no threads are started.
    """
    whole = alive.size - alive.size % 4
    for at in range(0, whole, 4):
        a, b = table[alive[at]], table[alive[at + 1]]
        c, d = table[alive[at + 2]], table[alive[at + 3]]
        for i in range(out.shape[0]):
            row = out[i]
            for k in range(row.size):
                row[k] += (a[i] * a[k] + b[i] * b[k]) + (c[i] * c[k] + d[i] * d[k])
    for at in range(whole, alive.size):
        a = table[alive[at]]
        for i in range(out.shape[0]):
            row = out[i]
            for k in range(row.size):
                row[k] += a[i] * a[k]


@compiled
def dual_of(machines: Machines, p: int) -> Dual:
    """One of the machines."""
    n = machines.sizes[p]
    return Dual(
        machines.kernels[p, :n, :n],
        machines.labels[p, :n],
        machines.low[p, :n],
        machines.high[p, :n],
        machines.betas[p, :n],
        machines.fields[p, :n],
        machines.inverses[p, : n + 1, : n + 1],
        machines.free[p, :n],
        machines.counts[p : p + 1],
    )


@compiled
def solve_all(machines: Machines, tol: float, most: int, anew: bool) -> bool:
    """Solve all machines from where they are; returns whether all are solved.

    `anew` where the kernels are new, and the inverses no longer theirs.
    """
    room = np.empty(machines.labels.shape[1] + 1)
    solved = True
    for p in range(machines.sizes.size):
        dual = dual_of(machines, p)
        fresh_field(dual)
        if anew:
            rebuild(dual, room)
        if not solve(dual, tol, most, room):
            # Once more without what was learned: nothing of it can then be in the way.
            dual.n_free[0] = 0
            dual.beta[:] = 0.0
            fresh_field(dual)
            solved = solve(dual, tol, most, room) and solved
    return solved


@compiled
def spread_out(machines: Machines, out: Floats) -> None:
    """Write the machines' weights of all examples, 0 where a machine has not seen one."""
    for p in range(machines.sizes.size):
        for k in range(out.shape[1]):
            out[p, k] = 0.0
        for k in range(machines.sizes[p]):
            out[p, machines.examples[p, k]] = machines.betas[p, k]


@compiled
def product(x: Floats, y: Floats) -> float:
    """Scalar product, in four sums at a time, since each addition waits for the one before."""
    whole = x.size - x.size % 4
    a = b = c = d = 0.0
    for k in range(0, whole, 4):
        a += x[k] * y[k]
        b += x[k + 1] * y[k + 1]
        c += x[k + 2] * y[k + 2]
        d += x[k + 3] * y[k + 3]
    for k in range(whole, x.size):
        a += x[k] * y[k]
    return (a + b) + (c + d)


@compiled
def weigh(spread: Floats, values: Floats, out: Floats) -> float:
    """Write the weight of one feature in each machine; return the sum of squares. O(n)."""
    total = 0.0
    for p in range(spread.shape[0]):
        weight = product(spread[p], values)
        out[p] = weight
        total += weight * weight
    return total


@compiled
def weigh_all(table: Floats, alive: Ints, machines: Machines, weights: Floats) -> None:
    """Write the weights of the features that are left, each in its row. O(d n)."""
    spread = np.empty((machines.sizes.size, table.shape[1]))
    spread_out(machines, spread)
    for place in range(alive.size):
        weigh(spread, table[alive[place]], weights[place])


@compiled
def least(table: Floats, features: Ints, spread: Floats, out: Floats) -> tuple[int, float]:
    """Find the place of the feature of least weight, the last of equal ones, and the weight."""
    best, least_total = 0, np.inf
    for place in range(features.size):
        total = weigh(spread, table[features[place]], out)
        if total < least_total or (total == least_total and features[place] > features[best]):
            best, least_total = place, total
    return best, least_total


@compiled
def last_of_least(numbers: Floats, most: int) -> float:
    """Find the greatest of the so many least numbers."""
    kept, held = np.empty(most), 0
    for x in numbers:
        if held == most and x >= kept[most - 1]:
            continue
        at = held if held < most else most - 1
        held = at + 1
        while at > 0 and kept[at - 1] > x:
            kept[at] = kept[at - 1]
            at -= 1
        kept[at] = x
    return kept[most - 1]


@compiled
def list_nearest(
    table: Floats, alive: Ints, norms: Floats, spread: Floats, allowed: Floats, listed: Ints
) -> tuple[int, float, int]:
    """List the features that may be least while each machine changes by what is allowed.

    Returns how many, what the weight of any other will be above, and the place of the one that is
    least now: it need not be listed, where what is allowed puts it behind others. O(d n).
    """
    bounds, weights = np.empty(alive.size), np.empty(allowed.size)
    best, least_total = 0, np.inf
    for place in range(alive.size):
        total = weigh(spread, table[alive[place]], weights)
        if total < least_total or (total == least_total and alive[place] > alive[best]):
            best, least_total = place, total
        bounds[place] = 0.0
        for p in range(allowed.size):
            low = max(abs(weights[p]) - allowed[p] * norms[alive[place]], 0.0)
            bounds[place] += low * low
    above, count = last_of_least(bounds, min(LISTED, alive.size)), 0
    for place in range(alive.size):
        if bounds[place] <= above:
            listed[count] = alive[place]
            count += 1
    return count, above, best


@compiled
def remove_feature(machines: Machines, values: Floats, room: Floats) -> None:
    """Take one feature out of all machines."""
    part = np.empty(machines.examples.shape[1])
    for p in range(machines.sizes.size):
        dual = dual_of(machines, p)
        for k in range(machines.sizes[p]):
            part[k] = values[machines.examples[p, k]]
        lose_feature(dual, part[: machines.sizes[p]], room)


@compiled
def trace_of(machines: Machines) -> float:
    """Sum of the kernels' diagonals: how much there is left."""
    total = 0.0
    for p in range(machines.sizes.size):
        for k in range(machines.sizes[p]):
            total += machines.kernels[p, k, k]
    return total


@compiled
def length_of(numbers: Floats) -> float:
    """Euclidean norm."""
    total = 0.0
    for x in numbers:
        total += x * x
    return math.sqrt(total)


@compiled
def has_moved(machines: Machines, before: Floats, allowed: Floats) -> bool:
    """Whether some machine has changed by more than is allowed, rounding included."""
    for p in range(allowed.size):
        change = 0.0
        for k in range(machines.sizes[p]):
            change += (machines.betas[p, k] - before[p, k]) ** 2
        if math.sqrt(change) + ROUNDING * length_of(before[p]) > allowed[p]:
            return True
    return False


@compiled
def remember(machines: Machines, before: Floats) -> None:
    """Note the machines as they are."""
    for p in range(machines.sizes.size):
        for k in range(machines.sizes[p]):
            before[p, k] = machines.betas[p, k]


@compiled
def take_out(features: Ints, count: int, feature: int) -> int:
    """Take a feature out of the first so many, if it is there; return how many are left."""
    for place in range(count):
        if features[place] == feature:
            features[place] = features[count - 1]
            return count - 1
    return count


@compiled
def eliminate(
    table: Floats,
    norms: Floats,
    alive: Ints,
    n_left: int,
    machines: Machines,
    tol: float,
    most: int,
    removed: Ints,
) -> tuple[int, bool]:
    """Remove the feature of least weight, one after the other, until so many are left.

    The machines must be solved for the features in `alive`, which is changed. It pauses where the
    kernels should be computed anew, since what is left of them is small against what was taken
    away. Returns how many features were removed, in order in `removed`, and whether all was solved.
    """
    n_alive, done, solved = alive.size, 0, True
    out, work = np.empty(machines.sizes.size), np.empty(machines.labels.shape[1] + 1)
    spread = np.empty((machines.sizes.size, table.shape[1]))
    listed, n_listed, above = np.empty(n_alive, np.int64), 0, 0.0
    before, allowed = np.empty(machines.betas.shape), np.empty(machines.sizes.size)
    remember(machines, before)
    for p in range(allowed.size):
        allowed[p] = FIRST_CHANGE * length_of(machines.betas[p])
    enough, since = trace_of(machines) / 2.0, 0
    while n_alive > n_left:
        spread_out(machines, spread)
        moved = has_moved(machines, before, allowed)
        place, weight = least(table, listed[:n_listed], spread, out)
        if moved or n_listed == 0 or weight > above:
            # The more is allowed for, the longer a list may serve, and the less it excludes.
            factor = 2.0 if moved else (0.5 if since < LISTED // 2 else 1.0)
            for p in range(allowed.size):
                allowed[p] *= factor
            n_listed, above, place = list_nearest(
                table, alive[:n_alive], norms, spread, allowed, listed
            )
            remember(machines, before)
            since = 0
            feature = alive[place]
        else:
            feature = listed[place]
        removed[done] = feature
        done += 1
        since += 1
        n_listed = take_out(listed, n_listed, feature)
        n_alive = take_out(alive, n_alive, feature)
        remove_feature(machines, table[feature], work)
        if n_alive > n_left and trace_of(machines) < enough:
            break
        solved = solve_all(machines, tol, most, False) and solved
    return done, solved
