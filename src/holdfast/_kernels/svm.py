"""The dual problem of a two-class support vector machine, solved by pairs (SMO).

The steps are those that libsvm takes from a start at zero: the pair of Fan, Chen and Lin (2005),
with the same rule for ties, the same single-precision kernel values, and the same shrinking. So
the solution is libsvm's up to rounding, not merely another within the tolerance, and it depends on
nothing but the problem.

The state of a problem is one array with a row for each quantity and a column for each training
example; the order of columns changes when examples are put aside.
"""

from __future__ import annotations

import numpy as np

from holdfast._kernels.jit import compiled, part
from holdfast._kernels.svm_rows import Floats, Ints, Pairs, Singles, kernel_with

# Rows of the state. Given: 1 or -1, the upper bound of the multiplier, and the kernel's diagonal.
SIGN, BOUND, CURVE = 0, 1, 2
# The multiplier; sign times the negative gradient, which pairs are chosen by; what is added to it:
# 0 where sign times multiplier may still rise (or fall), else minus (plus) infinity; room.
ALPHA, LEAD, RISE, FALL, SCORE, ROOM = 3, 4, 5, 6, 7, 8
STATE_ROWS = 9

# Rows of the places: the example, the column at the start, and the slot of its kernel row or -1.
EXAMPLE, ORIGIN, SLOT = 0, 1, 2
PLACE_ROWS = 3

# Stands for a curvature that is not positive.
TINY = 1e-12
BLOCK = 128
# By how many units in the last place single-precision gains may be out of order.
NEAR = 32
MAGNITUDE = 0x7FFFFFFFFFFFFFFF


@compiled
def last_greatest(keys: Ints, size: int) -> int:
    """Find the greatest of the numbers whose bits are given; the last of equal ones.

    Integers, since the compiler may not reorder comparisons of floating point numbers, but makes
    vector instructions of these.
    """
    best, best_start = np.int64(-MAGNITUDE), 0
    for start in range(0, size, BLOCK):
        # A slice, since numba then knows that no index is negative, and vectorises.
        block = keys[start : min(start + BLOCK, size)]
        top = np.int64(-MAGNITUDE)
        for k in range(block.size):
            top = max(top, block[k] ^ ((block[k] >> 63) & MAGNITUDE))
        if top >= best:
            best, best_start = top, start
    block = keys[best_start : min(best_start + BLOCK, size)]
    for k in range(block.size - 1, 0, -1):
        if block[k] ^ ((block[k] >> 63) & MAGNITUDE) == best:
            return best_start + k
    return best_start


@compiled
def first_of_pair(state: Floats, active: int) -> int:
    """Find the column with the greatest lead among those that may rise."""
    lead, rise, score = state[LEAD], state[RISE], state[SCORE]
    for k in range(active):
        score[k] = lead[k] + rise[k]
    return last_greatest(score.view(np.int64), active)


@compiled
def second_of_pair(state: Floats, active: int, first: int, row: Singles, tol: float) -> int:
    """Find the partner with which the objective falls most, to second order; -1 at the optimum.

    All gains are computed in single precision, whose division is several times as fast, and those
    that come near the greatest again in double precision. The last of equal ones is taken.
    """
    top = state[LEAD, first] + state[RISE, first]
    if top == -np.inf:
        return -1
    rough, tops = state[SCORE].view(np.int32), state[ROOM].view(np.int32)
    limit = rough_gains(state, active, first, row, top) - NEAR
    best, best_gain = -1, 0.0
    for start in range(0, active, BLOCK):
        if tops[start // BLOCK] < limit:
            continue
        block = rough[start : min(start + BLOCK, active)]
        for k in range(block.size):
            if block[k] >= limit:
                gap = top - (state[LEAD, start + k] + state[FALL, start + k])
                curvature = (state[CURVE, first] + state[CURVE, start + k]) - 2.0 * row[start + k]
                gain = gap * gap / (curvature if curvature > 0.0 else TINY)
                if gap > 0.0 and gain >= best_gain:
                    best, best_gain = start + k, gain
    if best < 0 or (top - state[LEAD, best] < tol and top - lowest_of(state, active) < tol):
        return -1
    return best


@compiled
def rough_gains(state: Floats, active: int, first: int, row: Singles, top: float) -> int:
    """Write the bits of each gain into the room for scores, of each block's greatest into ROOM.

    Gains are not negative, so their bits are ordered as they are. Returns those of the greatest.
    """
    lead, fall, curve = state[LEAD], state[FALL], state[CURVE]
    gains, own = state[SCORE].view(np.float32), curve[first]
    for k in range(active):
        gap = top - (lead[k] + fall[k])
        narrow = np.float32(gap if gap > 0.0 else 0.0)
        curvature = np.float32((own + curve[k]) - 2.0 * row[k])
        # Compared after rounding, so that the compiler knows that it never divides by 0.
        gains[k] = narrow * narrow / (curvature if curvature > 0.0 else np.float32(TINY))
    bits, tops = gains.view(np.int32), state[ROOM].view(np.int32)
    greatest = np.int32(0)
    for start in range(0, active, BLOCK):
        block = bits[start : min(start + BLOCK, active)]
        top_bits = np.int32(0)
        for k in range(block.size):
            top_bits = max(top_bits, block[k])
        tops[start // BLOCK] = top_bits
        greatest = max(greatest, top_bits)
    return int(greatest)


@compiled
def lowest_of(state: Floats, active: int) -> float:
    """Find the lowest lead that may fall."""
    lowest = np.inf
    for k in range(active):
        lowest = min(lowest, state[LEAD, k] + state[FALL, k])
    return lowest


@compiled
def moved(
    a: float, b: float, top_a: float, top_b: float, opposed: bool, by: float
) -> tuple[float, float]:
    """Move two multipliers by a step and back into their bounds.

    Where one meets a bound, the other follows from what stays constant: the difference of the two
    if their signs differ, else their sum.
    """
    if opposed:
        apart = a - b
        a, b = a + by, b + by
        if apart > 0.0 and b < 0.0:
            a, b = apart, 0.0
        elif apart <= 0.0 and a < 0.0:
            a, b = 0.0, -apart
        if apart > top_a - top_b and a > top_a:
            a, b = top_a, top_a - apart
        elif apart <= top_a - top_b and b > top_b:
            a, b = top_b + apart, top_b
        return a, b
    both = a + b
    a, b = a + by, b - by
    if both > top_a and a > top_a:
        a, b = top_a, both - top_a
    elif both <= top_a and b < 0.0:
        a, b = both, 0.0
    if both > top_b and b > top_b:
        a, b = both - top_b, top_b
    elif both <= top_b and a < 0.0:
        a, b = 0.0, both
    return a, b


@compiled
def set_alpha(state: Floats, k: int, alpha: float) -> float:
    """Set a multiplier and in which directions it may move; return sign times its change."""
    change = state[SIGN, k] * (alpha - state[ALPHA, k])
    state[ALPHA, k] = alpha
    at_top, at_zero = alpha >= state[BOUND, k], alpha <= 0.0
    positive = state[SIGN, k] > 0.0
    state[RISE, k] = -np.inf if (at_top if positive else at_zero) else 0.0
    state[FALL, k] = np.inf if (at_zero if positive else at_top) else 0.0
    return change


@compiled
def step(state: Floats, i: int, j: int, product: float) -> tuple[float, float]:
    """Move two multipliers to the best place within their bounds; return sign * change of each."""
    curvature = state[CURVE, i] + state[CURVE, j] - 2.0 * product
    by = (state[LEAD, i] - state[LEAD, j]) / (curvature if curvature > 0.0 else TINY)
    opposed = state[SIGN, i] != state[SIGN, j]
    a, b = moved(
        state[ALPHA, i],
        state[ALPHA, j],
        state[BOUND, i],
        state[BOUND, j],
        opposed,
        state[SIGN, i] * by,
    )
    return set_alpha(state, i, a), set_alpha(state, j, b)


@compiled
def row_slot(
    pairs: Pairs, gamma: float, state: Floats, places: Ints, gram: Singles, held: Ints, column: int
) -> int:
    """Compute the kernel row of a column into a free slot, or into the one filled longest ago.

    `held` is the column of each slot, and at its end the next slot and one that must stay.
    """
    slot, stays = held[-2], held[-1]
    if slot == stays:
        slot = (slot + 1) % gram.shape[0]
    held[-2] = (slot + 1) % gram.shape[0]
    if held[slot] >= 0:
        places[SLOT, held[slot]] = -1
    held[slot] = column
    places[SLOT, column] = slot
    exact, row = state[SCORE], gram[slot]
    kernel_with(pairs, places[EXAMPLE, column], places[EXAMPLE], gamma, exact, state[ROOM])
    for k in range(row.size):
        row[k] = exact[k]
    return slot


@compiled
def rebuild(
    pairs: Pairs, gamma: float, state: Floats, places: Ints, gram: Singles, held: Ints, active: int
) -> None:
    """Compute the leads of the columns put aside from the multipliers."""
    size = state.shape[1]
    for k in range(active, size):
        state[LEAD, k] = state[SIGN, k]
    for j in range(size if active < size else 0):
        if state[ALPHA, j] > 0.0:
            slot = places[SLOT, j]
            if slot < 0:
                slot = row_slot(pairs, gamma, state, places, gram, held, j)
            share = state[SIGN, j] * state[ALPHA, j]
            for k in range(active, size):
                state[LEAD, k] -= gram[slot, k] * share


@compiled
def can_rest(state: Floats, k: int, highest: float, lowest: float) -> bool:
    """Say whether a multiplier at its bound will likely stay there."""
    if state[RISE, k] < 0.0:
        return state[LEAD, k] > highest
    return state[FALL, k] > 0.0 and state[LEAD, k] < lowest


@compiled
def put_aside(state: Floats, order: Ints, active: int, highest: float, lowest: float) -> int:
    """Order the columns so that those which can rest come behind; return how many stay active."""
    for k in range(order.size):
        order[k] = k
    k = 0
    while k < active:
        if can_rest(state, order[k], highest, lowest):
            active -= 1
            while active > k:
                if not can_rest(state, order[active], highest, lowest):
                    order[k], order[active] = order[active], order[k]
                    break
                active -= 1
        k += 1
    return active


@compiled
def reorder(state: Floats, places: Ints, gram: Singles, held: Ints, order: Ints) -> None:
    """Let column k hold what column order[k] held."""
    size = order.size
    for row in range(SCORE):
        for k in range(size):
            state[ROOM, k] = state[row, order[k]]
        for k in range(size):
            state[row, k] = state[ROOM, k]
    whole = state.view(np.int64)
    for row in range(PLACE_ROWS):
        for k in range(size):
            whole[ROOM, k] = places[row, order[k]]
        for k in range(size):
            places[row, k] = whole[ROOM, k]
    for k in range(size):
        slot = places[SLOT, k]
        if slot >= 0:
            held[slot] = k
            for m in range(size):
                state[ROOM, m] = gram[slot, order[m]]
            for m in range(size):
                gram[slot, m] = state[ROOM, m]


@compiled
def threshold(state: Floats) -> float:
    """Find what must be subtracted from the weighted kernel sum to get the decision value."""
    total, free = 0.0, 0
    least, most = np.inf, -np.inf
    for k in range(state.shape[1]):
        value = -state[LEAD, k]
        if state[RISE, k] == 0.0 and state[FALL, k] == 0.0:
            free += 1
            total += value
        elif state[RISE, k] == 0.0:
            least = min(least, value)
        else:
            most = max(most, value)
    return total / free if free > 0 else (least + most) / 2.0


@part
def solve(
    pairs: Pairs,
    gamma: float,
    state: Floats,
    places: Ints,
    gram: Singles,
    held: Ints,
    tol: float,
    most_steps: int,
) -> tuple[float, int]:
    """Solve one problem from zero; return the threshold and the steps taken.

    The given rows of `state` and the examples in `places` are filled. O(n) a step, and O(n d) for
    each kernel row that is touched.
    """
    size = state.shape[1]
    order = np.empty(size, np.int64)
    for k in range(size):
        state[ALPHA, k], state[LEAD, k] = 0.0, state[SIGN, k]
        set_alpha(state, k, 0.0)
        places[ORIGIN, k], places[SLOT, k] = k, -1
    for slot in range(held.size):
        held[slot] = -1
    held[-2] = 0
    active, pause, widened = size, min(size, 1000) + 1, False
    steps = 0
    while steps < most_steps:
        i = first_of_pair(state, active)
        pause -= 1
        if pause == 0:
            pause = min(size, 1000)
            highest, lowest = state[LEAD, i] + state[RISE, i], lowest_of(state, active)
            if not widened and highest - lowest <= 10.0 * tol:
                widened = True
                rebuild(pairs, gamma, state, places, gram, held, active)
                active = size
            active = put_aside(state, order, active, highest, lowest)
            reorder(state, places, gram, held, order)
            i = first_of_pair(state, active)
        held[-1] = -1
        if places[SLOT, i] < 0:
            row_slot(pairs, gamma, state, places, gram, held, i)
        held[-1] = places[SLOT, i]
        row_i = gram[held[-1]]
        j = second_of_pair(state, active, i, row_i, tol)
        if j < 0:
            if active == size:
                break
            rebuild(pairs, gamma, state, places, gram, held, active)
            active, pause = size, 2
            continue
        if places[SLOT, j] < 0:
            row_slot(pairs, gamma, state, places, gram, held, j)
        row_j = gram[places[SLOT, j]]
        change_i, change_j = step(state, i, j, row_i[j])
        lead = state[LEAD]
        for k in range(active):
            lead[k] -= row_i[k] * change_i + row_j[k] * change_j
        steps += 1
    return threshold(state), steps
