"""Shared by all tests: hypothesis without a clock, and the same examples in every run."""

from hypothesis import settings

# Machines differ, and kernels are compiled in the middle of a first example.
settings.register_profile("holdfast", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("holdfast")
