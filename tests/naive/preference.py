"""Treated-as-equal subsets as section 2.2.1 of Somol et al. (2011) writes it down."""

from collections.abc import Callable

Subset = frozenset[int]


class NaiveChoice:
    """The two pivots and the update sequence, for one tau and one sigma."""

    def __init__(self, tau: float, second: Callable[[Subset], float], sigma: float = 0.0) -> None:
        self.tau = tau
        self.second = second
        self.sigma = sigma
        self.x_max: Subset | None = None
        self.x_sel: Subset | None = None
        self.first: dict[Subset, float] = {}

    def threshold(self) -> float:
        top = self.first[self.x_max]
        return (1 - self.tau) * top if top >= 0 else top - self.tau * abs(top)

    def update(self, x: Subset, value: float) -> None:
        self.first[x] = value
        if self.x_max is None:
            self.x_max = self.x_sel = x
            return
        j1, j2 = self.first, self.second
        if j1[x] > j1[self.x_max]:
            self.x_max = x
            too_low = j1[self.x_sel] < self.threshold()
            if too_low or j2(self.x_sel) <= j2(self.x_max):
                self.x_sel = x
                return
        if j1[x] >= self.threshold() and self.preferred(x, self.x_sel):
            self.x_sel = x

    def preferred(self, new: Subset, old: Subset) -> bool:
        """Step 4, refined by Remark 2.3: of two with nearly the same J2 the higher J1 is taken."""
        j1, j2 = self.first, self.second
        if j2(new) > j2(old):
            return not (self.nearly(new, old) and j1[old] > j1[new])
        if j2(new) < j2(old):
            return self.nearly(old, new) and j1[new] > j1[old]
        return j1[new] > j1[old]

    def nearly(self, higher: Subset, lower: Subset) -> bool:
        j2 = self.second
        return j2(higher) <= j2(lower) + self.sigma * abs(j2(lower))
