"""One score per feature."""

__all__: list[str] = []
