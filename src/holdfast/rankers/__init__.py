"""One score per feature."""

from holdfast.rankers.relief import ReliefF

__all__ = ["ReliefF"]
