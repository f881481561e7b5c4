from __future__ import annotations

from holdfast._kernels.jit import compiled


def test_a_kernel_compiles_where_nothing_can_be_cached() -> None:
    """numba finds no place to keep code that has no source file, as on a read-only installation."""
    namespace: dict[str, object] = {}
    exec("def double(x):\n    return 2 * x\n", namespace)
    double = compiled(namespace["double"])  # type: ignore[type-var]
    assert double(21) == 42
