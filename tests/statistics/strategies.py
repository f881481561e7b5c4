"""Discrete tables, awkward ones included: constants, copies, few examples, many levels."""

import numpy as np
from hypothesis import strategies as st
from scipy import sparse


@st.composite
def discrete(draw, max_examples=25, max_features=6, max_levels=5):
    """A table of whole numbers and classes, at least two of them."""
    n_examples = draw(st.integers(2, max_examples))
    n_features = draw(st.integers(1, max_features))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.integers(0, draw(st.integers(2, 3)), n_examples)
    y[:2] = 0, 1
    table = rng.integers(0, rng.integers(1, max_levels + 1, n_features), (n_examples, n_features))
    for f in range(n_features):
        kind = rng.integers(0, 6)
        if kind == 0:
            table[:, f] = y
        elif kind == 1:
            table[:, f] = table[:, rng.integers(0, n_features)]
        elif kind == 2:
            table[:, f] = 3 - table[:, rng.integers(0, n_features)]
    return table, y


FORMS = {
    "small": lambda table: table.astype(np.int8),
    "fortran": np.asfortranarray,
    "float": lambda table: table.astype(float),
    "text": lambda table: np.char.add("level ", table.astype(str)),
    "objects": lambda table: table.astype(object),
    "csr": sparse.csr_matrix,
    "csc array": sparse.csc_array,
    "far": lambda table: table * 10**12 - 5,
}
