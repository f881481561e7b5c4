"""Numba kernels: arrays in, arrays out, nothing else. One file per idea."""
