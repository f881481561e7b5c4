"""Comparisons with what people use today, as ratios within one run: ``python -m benchmarks``."""
