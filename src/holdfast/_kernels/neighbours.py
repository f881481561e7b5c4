"""What the k-NN kernels work on.

One *query* is a test example of one split. Its *prefix* holds every column (training example) of
that split whose squared distance over the base features is at most `radius`, nearest first, so
that all others are farther. These distances are plain sums of doubles: each is within a relative
error that callers know, and they settle exactly whatever is too close to tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]
States = NDArray[np.int8]

# Whether it is known who wins the vote for a candidate.
DECIDED, OPEN = 0, 1


class Table(NamedTuple):
    """The data of one view. Columns are what may be a neighbour, points what may ask for them.

    Attributes
    ----------
    points : array, points x features
    columns : array, columns x features
    by_feature : array, features x columns
        The transpose of `columns`, contiguous.
    order : array, features x columns
        Columns sorted by value, equal values by index.
    reach : array, features x columns
        Along `order`, in a run of equal values: at its first place the last, at its last the first.
    rank : array, points x features
        How many columns have a smaller value than the point.
    labels : array
        Class of each column.
    """

    points: Floats
    columns: Floats
    by_feature: Floats
    order: Places
    reach: Places
    rank: Places
    labels: Places


class Queries(NamedTuple):
    """What is asked, sorted by split.

    Attributes
    ----------
    point, split : array
        Row of `Table.points` and number of the split.
    truth : array
        Class of the point.
    weight : array
        What a correct prediction counts.
    barred_from, barred : array
        ``barred[barred_from[s]:barred_from[s + 1]]`` are the columns that split s does not train
        on.
    """

    point: Ints
    split: Ints
    truth: Places
    weight: Floats
    barred_from: Ints
    barred: Places


class Moves(NamedTuple):
    """Candidates: what the base becomes with each.

    Attributes
    ----------
    adding : bool
        Whether the members are added to the base, or removed.
    base : array
        Features of the base.
    members : array, candidates x features moved
    subsets : array, candidates x features
        The base with the members added or removed.
    margin : float
        Sums of doubles that differ by this, relative, are in the right order. 0 says that all
        sums are exact.
    """

    adding: bool
    base: Ints
    members: Ints
    subsets: Ints
    margin: float
