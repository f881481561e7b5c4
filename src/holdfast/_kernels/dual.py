"""The dual of a two-class linear support vector machine, solved to the last digits by active sets.

In terms of b = sign * multiplier: maximise  y.b - b.K.b / 2  with the sum of b zero and each b
between its bounds. The free examples are those strictly between; they lie on the margin, which is
a linear system. Its inverse is kept, and follows each example that becomes free or stops being so,
and each feature that leaves, in O(m^2) for m free ones. That suits a machine that is solved again
after each small change; SMO would creep to the same digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast._kernels.jit import compiled

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# A curvature below this share of the kernel's diagonal is none at all.
FLAT = 1e-11


class Dual(NamedTuple):
    """One machine.

    Attributes
    ----------
    kernel : array, n x n
        Products of the examples.
    labels, low, high : array
        1 or -1, and the bounds of each weight.
    beta, field : array
        The weights, and the kernel times them.
    inverse : array, (n + 1) x (n + 1)
        Of the kernel of the free examples, bordered by ones; the offset comes first.
    free, n_free : array
        The free examples, and how many there are.
    """

    kernel: Floats
    labels: Floats
    low: Floats
    high: Floats
    beta: Floats
    field: Floats
    inverse: Floats
    free: Ints
    n_free: Ints


@compiled
def add_times_kernel(dual: Dual, example: int, by: float) -> None:
    """Change one weight, and the field with it."""
    dual.beta[example] += by
    row, field = dual.kernel[example], dual.field
    for k in range(field.size):
        field[k] += by * row[k]


@compiled
def fresh_field(dual: Dual) -> None:
    """Compute the field from the weights. O(n m)."""
    dual.field[:] = 0.0
    for k in range(dual.beta.size):
        by = dual.beta[k]
        if by != 0.0:
            dual.beta[k] = 0.0
            add_times_kernel(dual, k, by)


@compiled
def begin_free(dual: Dual, example: int) -> None:
    """Let one example be the only free one."""
    dual.inverse[0, 0] = -dual.kernel[example, example]
    dual.inverse[0, 1] = dual.inverse[1, 0] = 1.0
    dual.inverse[1, 1] = 0.0
    dual.free[0], dual.n_free[0] = example, 1


@compiled
def response(dual: Dual, example: int, out: Floats) -> float:
    """Find how offset and free weights give way, negated, to a weight that rises; O(m^2).

    Returns the curvature that is left.
    """
    m, row = dual.n_free[0], dual.kernel[example]
    for a in range(m + 1):
        out[a] = dual.inverse[a, 0]
    for b in range(m):
        x, column = row[dual.free[b]], dual.inverse[b + 1]
        for a in range(m + 1):
            out[a] += x * column[a]
    left = row[example] - out[0]
    for b in range(m):
        left -= row[dual.free[b]] * out[b + 1]
    return left


@compiled
def is_flat(dual: Dual, example: int, curvature: float) -> bool:
    """Whether a curvature is none: the example hangs on the free ones."""
    return curvature <= max(FLAT * dual.kernel[example, example], 0.0)


@compiled
def append_free(dual: Dual, example: int, give: Floats, curvature: float) -> None:
    """Let one more example be free, with its response and curvature. O(m^2)."""
    m, inverse = dual.n_free[0], dual.inverse
    for a in range(m + 1):
        share = give[a] / curvature
        row = inverse[a]
        for b in range(m + 1):
            row[b] += share * give[b]
        row[m + 1] = inverse[m + 1, a] = -share
    inverse[m + 1, m + 1] = 1.0 / curvature
    dual.free[m] = example
    dual.n_free[0] = m + 1


@compiled
def rebuild(dual: Dual, room: Floats) -> None:
    """Compute the inverse anew. Examples that hang on others stop being free, where they are."""
    wanted = dual.free[: dual.n_free[0]].copy()
    dual.n_free[0] = 0
    for example in wanted:
        if dual.n_free[0] == 0:
            begin_free(dual, example)
        else:
            curvature = response(dual, example, room)
            if not is_flat(dual, example, curvature):
                append_free(dual, example, room, curvature)


@compiled
def drop_free(dual: Dual, place: int, room: Floats) -> None:
    """Let the example at a place among the free ones be free no more. O(m^2)."""
    m, inverse, q = dual.n_free[0], dual.inverse, place + 1
    dual.free[place] = dual.free[m - 1]
    dual.n_free[0] = m - 1
    if m == 1 or not inverse[q, q] > 0.0:
        # Free ones that hang on each other have no inverse; what there is, is rounding.
        rebuild(dual, room)
        return
    for a in range(m + 1):
        if a != q:
            share = inverse[a, q] / inverse[q, q]
            for b in range(m + 1):
                if b != q:
                    inverse[a, b] -= share * inverse[q, b]
    for a in range(m + 1):
        inverse[a, q] = inverse[a, m]
    for b in range(m + 1):
        inverse[q, b] = inverse[m, b]


@compiled
def lose_feature(dual: Dual, values: Floats, room: Floats) -> None:
    """Take one feature out of the kernel and out of the inverse. O(n^2)."""
    for i in range(values.size):
        x, row = values[i], dual.kernel[i]
        for k in range(values.size):
            row[k] -= x * values[k]
    m, inverse = dual.n_free[0], dual.inverse
    room[: m + 1] = 0.0
    for b in range(m):
        x, row = values[dual.free[b]], inverse[b + 1]
        for a in range(m + 1):
            room[a] += x * row[a]
    left = 1.0
    for b in range(m):
        left -= values[dual.free[b]] * room[b + 1]
    if left < 1e-7:
        rebuild(dual, room)
        return
    for a in range(m + 1):
        share, row = room[a] / left, inverse[a]
        for b in range(m + 1):
            row[b] += share * room[b]


@compiled
def reach(dual: Dual, example: int, rate: float) -> float:
    """How far a weight can move at a rate before it meets its bound."""
    if rate > 0.0:
        return max(dual.high[example] - dual.beta[example], 0.0) / rate
    if rate < 0.0:
        return min(dual.low[example] - dual.beta[example], 0.0) / rate
    return np.inf


@compiled
def rest_at_bound(dual: Dual, example: int, rate: float) -> None:
    """Set a weight to the bound that it met, exactly."""
    dual.beta[example] = dual.high[example] if rate > 0.0 else dual.low[example]


@compiled
def settle_free(dual: Dual, tol: float, room: Floats) -> bool:
    """Move the free weights to where all free examples lie on the margin, or to their bounds.

    The residual is computed from the kernel itself, so an inverse that has lost digits costs a
    repetition and nothing else. Returns whether that came to an end.
    """
    for attempt in range(12 + 2 * dual.beta.size):
        m = dual.n_free[0]
        if m == 0:
            return True
        total = 0.0
        for k in range(dual.beta.size):
            total += dual.beta[k]
        for a in range(m + 1):
            room[a] = -total * dual.inverse[a, 0]
        for b in range(m):
            residual = dual.labels[dual.free[b]] - dual.field[dual.free[b]]
            row = dual.inverse[b + 1]
            for a in range(m + 1):
                room[a] += residual * row[a]
        step, block = 1.0, -1
        for b in range(m):
            far = reach(dual, dual.free[b], room[b + 1])
            if far < step:
                step, block = far, b
        for b in range(m):
            add_times_kernel(dual, dual.free[b], step * room[b + 1])
        if block >= 0:
            rest_at_bound(dual, dual.free[block], room[block + 1])
            drop_free(dual, block, room)
            continue
        worst = 0.0
        for b in range(m):
            off = dual.labels[dual.free[b]] - dual.field[dual.free[b]] - room[0]
            worst = max(worst, abs(off))
        if worst <= 0.1 * tol:
            return True
        if attempt % 4 == 3:
            fresh_field(dual)
            rebuild(dual, room)
    return False


@compiled
def offset_of(dual: Dual) -> float:
    """The offset at which the free examples lie on the margin; their mean."""
    total = 0.0
    for b in range(dual.n_free[0]):
        total += dual.labels[dual.free[b]] - dual.field[dual.free[b]]
    return total / dual.n_free[0]


@compiled
def bring_in(dual: Dual, example: int, tol: float, room: Floats) -> None:
    """Move an example that violates its condition until it is free, or at its other bound.

    The free ones give way and stay on the margin; one that meets its bound rests there.
    """
    while dual.n_free[0] > 0:
        gap = dual.labels[example] - dual.field[example] - offset_of(dual)
        if abs(gap) <= tol:
            return
        sign = 1.0 if gap > 0.0 else -1.0
        curvature = response(dual, example, room)
        step, block = reach(dual, example, sign), -1
        for b in range(dual.n_free[0]):
            far = reach(dual, dual.free[b], -sign * room[b + 1])
            if far < step:
                step, block = far, b
        ends = not is_flat(dual, example, curvature) and abs(gap) / curvature <= step
        if ends:
            step = abs(gap) / curvature
        elif step == np.inf:
            return
        for b in range(dual.n_free[0]):
            add_times_kernel(dual, dual.free[b], -sign * room[b + 1] * step)
        add_times_kernel(dual, example, sign * step)
        if ends:
            append_free(dual, example, room, curvature)
            return
        if block < 0:
            rest_at_bound(dual, example, sign)
            return
        rest_at_bound(dual, dual.free[block], -sign * room[block + 1])
        drop_free(dual, block, room)
    if dual.low[example] < dual.beta[example] < dual.high[example]:
        begin_free(dual, example)


@compiled
def extremes(dual: Dual) -> tuple[int, int]:
    """The example that most wants to rise, and the one that most wants to fall, if they may."""
    up, down, highest, lowest = -1, -1, -np.inf, np.inf
    for k in range(dual.beta.size):
        gap = dual.labels[k] - dual.field[k]
        if gap > highest and dual.beta[k] < dual.high[k]:
            up, highest = k, gap
        if gap < lowest and dual.beta[k] > dual.low[k]:
            down, lowest = k, gap
    return up, down


@compiled
def move_pair(dual: Dual, up: int, down: int, room: Floats) -> None:
    """Move two examples against each other while none is free."""
    gap = (dual.labels[up] - dual.field[up]) - (dual.labels[down] - dual.field[down])
    curvature = dual.kernel[up, up] + dual.kernel[down, down] - 2.0 * dual.kernel[up, down]
    far_up, far_down = dual.high[up] - dual.beta[up], dual.beta[down] - dual.low[down]
    step = min(far_up, far_down)
    scale = dual.kernel[up, up] + dual.kernel[down, down]
    if curvature > FLAT * scale:
        step = min(step, gap / curvature)
    add_times_kernel(dual, up, step)
    add_times_kernel(dual, down, -step)
    if step == far_up:
        dual.beta[up] = dual.high[up]
    else:
        begin_free(dual, up)
    if step == far_down:
        dual.beta[down] = dual.low[down]
    elif dual.n_free[0] == 0:
        begin_free(dual, down)
    else:
        append_free(dual, down, room, response(dual, down, room))


@compiled
def solve(dual: Dual, tol: float, most: int, room: Floats) -> bool:
    """Solve from the given weights and free examples; returns whether it is solved.

    A condition may be violated by `tol`, where the margin is 1. O(n m) for each example that moves
    in or out.
    """
    for _ in range(most):
        if not settle_free(dual, tol, room):
            return False
        up, down = extremes(dual)
        if up < 0 or down < 0:
            return True
        gap_up, gap_down = dual.labels[up] - dual.field[up], dual.labels[down] - dual.field[down]
        if dual.n_free[0] == 0:
            if gap_up - gap_down <= tol:
                return True
            move_pair(dual, up, down, room)
            continue
        offset = offset_of(dual)
        if gap_up - offset <= tol and offset - gap_down <= tol:
            return True
        bring_in(dual, up if gap_up - offset >= offset - gap_down else down, tol, room)
    return False
