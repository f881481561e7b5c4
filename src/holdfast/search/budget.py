"""When to stop: after so many evaluations or seconds, or when somebody says so."""

from __future__ import annotations

from time import perf_counter

from holdfast.contracts import Budget

# With a time limit, no more work is handed out at once than is expected to take this long.
SLICE_SECONDS = 0.25


class SearchStopped(Exception):
    """Raised through a search when nothing more may be evaluated; carries the reason."""


class SearchBudget(Budget):
    """A limit on evaluations, on seconds, or on both.

    Parameters
    ----------
    max_evaluations : int, optional
        Never exceeded; the last batch is cut to fit.
    max_seconds : float, optional
        Looked at between slices of work; a single evaluation is not interrupted, and one is always
        granted.
    """

    def __init__(
        self, max_evaluations: int | None = None, max_seconds: float | None = None
    ) -> None:
        self.max_evaluations = max_evaluations
        self.max_seconds = max_seconds
        self.spent_reason: str | None = None
        self.began = perf_counter()
        self._granted = 0
        self._last: tuple[float, int] | None = None
        self._pace = 0.0

    def grant(self, wanted: int) -> int:
        if self.max_evaluations is not None:
            wanted = min(wanted, self.max_evaluations - self._granted)
            if wanted <= 0:
                self.spent_reason = "max_evaluations"
                return 0
        if self.max_seconds is not None:
            wanted = self._in_time(wanted)
        self._granted += wanted
        return wanted

    def _in_time(self, wanted: int) -> int:
        now = perf_counter()
        left = self.began + self.max_seconds - now  # type: ignore[operator]
        # The first evaluation is always granted: a result is better than none, however late.
        if left <= 0 and self._granted:
            self.spent_reason = "max_seconds"
            return 0
        if self._last is not None:
            begun, count = self._last
            self._pace = max((now - begun) / count, 1e-9)
        slice_size = int(min(SLICE_SECONDS, max(left, 0.0)) / self._pace) if self._pace else 1
        granted = min(wanted, max(1, slice_size))
        self._last = now, granted
        return granted

    def time_only(self) -> SearchBudget:
        """The same end for parts whose evaluations are not counted; it ends this one as well."""
        return _TimeOnly(self)


class _TimeOnly(SearchBudget):
    """The seconds of another budget; when they are over there, they are over here."""

    def __init__(self, whole: SearchBudget) -> None:
        super().__init__(None, whole.max_seconds)
        self.began = whole.began
        self._whole = whole

    def grant(self, wanted: int) -> int:
        granted = super().grant(wanted)
        if self.spent_reason is not None:
            self._whole.spent_reason = self.spent_reason
        return granted

    def time_only(self) -> SearchBudget:
        return _TimeOnly(self._whole)
