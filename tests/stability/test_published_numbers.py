"""Numbers printed in the papers come out."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import holdfast as hf
from holdfast.stability import score


def runs(n_features, *subsets):
    return hf.Selections.from_subsets(list(map(list, subsets)), n_features=n_features)


class TestSomol2008:
    def test_figure_2_bounds(self):
        # 23 instances in 7 runs over 6 features; the bounds depend on nothing else.
        minimal = runs(
            6,
            [0, 1, 2, 3],
            [4, 5, 0, 1],
            *[[2, 3, 4], [5, 0, 1], [2, 3, 4], [5, 0, 1], [2, 3, 4]],
        )
        maximal = runs(6, *[[0, 1, 2, 3]] * 2, *[[0, 1, 2]] * 5)
        for system in (minimal, maximal):
            assert score(system, "cw_min") == float(Fraction(11, 23))
            assert score(system, "cw_max") == float(Fraction(64, 69))
        assert score(minimal, "cw") == pytest.approx(11 / 23, abs=1e-15)
        assert score(maximal, "cw") == pytest.approx(64 / 69, abs=1e-15)
        assert score(minimal, "cw_rel") == 0
        assert score(maximal, "cw_rel") == 1

    FIGURE_3 = (*[[0]] * 5, [0, 1], *[[0]] * 6, [2], *[[0]] * 2)

    def test_figure_3(self):
        system = runs(3, *self.FIGURE_3)
        assert score(system, "c") == pytest.approx(0.3095, abs=5e-5)
        assert score(system, "cw") == pytest.approx(0.8125, abs=1e-12)
        assert score(system, "jaccard") == pytest.approx(0.8048, abs=5e-5)

    def test_figure_3_prints_another_cw_rel(self):
        """The figure prints 0.806, an erratum: no number of features gives it.

        The system has 16 instances, F = (14, 1, 1) and n = 15. For D = 3, eq. 15 gives
        (3 (15 + 182) - 255) / (3 (1 + 225 - 1) - 255) = 336 / 420 = 0.8 exactly. A fourth feature
        that never occurs makes it 0.827, and more of them raise it further.
        """
        system = runs(3, *self.FIGURE_3)
        assert score(system, "cw_rel") == 0.8
        f, n, total = np.array([14, 1, 1]), 15, 16
        spare, rest = total % 3, total % n
        numerator = 3 * (total - spare + int(f @ (f - 1))) - total**2 + spare**2
        denominator = 3 * (rest**2 + n * (total - rest) - spare) - total**2 + spare**2
        assert Fraction(numerator, denominator) == Fraction(4, 5)
        with_more = [score(runs(d, *self.FIGURE_3), "cw_rel") for d in range(3, 30)]
        assert with_more == sorted(with_more)
        assert with_more[1] > 0.82

    def test_figure_4(self):
        nested = runs(7, *[range(k) for k in range(7, 0, -1)])
        equal = runs(7, *[[0, 1, 2, 3]] * 4, [0, 1, 2, 4], [0, 1, 5, 4], [0, 6, 5, 4])
        for system in (nested, equal):
            assert score(system, "c") == pytest.approx(0.5, abs=1e-15)
            assert score(system, "cw") == pytest.approx(2 / 3, abs=1e-15)
            assert score(system, "cw_rel") == pytest.approx(1 / 3, abs=1e-15)
        assert score(nested, "jaccard") == pytest.approx(0.5, abs=1e-15)
        assert score(equal, "jaccard") == pytest.approx(0.564, abs=5e-4)

    def test_generalised_kalousis_is_known_by_many_names(self):
        system = runs(7, *[range(k) for k in range(7, 0, -1)])
        for name in ("jaccard", "gk", "ati", "tanimoto", "kalousis"):
            assert score(system, name) == score(system, "jaccard")


class TestNogueira2016:
    LARGE, SMALL = range(8), range(2)

    def test_section_2_1_hamming(self):
        masks = [[int(bit) for bit in row] for row in ("100101", "110001", "101111")]
        assert score(hf.Selections.from_masks(masks), "hamming") == pytest.approx(5 / 9, abs=1e-15)

    OTHERS = (
        "jaccard",
        "hamming",
        "dice",
        "ochiai",
        "kuncheva",
        "wald",
        "npog",
        "nogueira2016",
        "nogueira2018",
        "phi",
        "kappa",
        "unadjusted",
        "cw",
        "cw_rel",
    )

    @pytest.mark.parametrize(("size", "lustgarten"), [(7, 0.7), (4, 0.6)])
    def test_example_1_always_the_same_features(self, size, lustgarten):
        system = runs(10, *[range(size)] * 4)
        assert score(system, "lustgarten") == pytest.approx(lustgarten, abs=1e-12)
        for key in self.OTHERS:
            assert score(system, key) == pytest.approx(1, abs=1e-12)

    def test_example_2_proper_subsets(self):
        system = runs(10, *[self.LARGE, self.SMALL] * 3)
        assert score(system, "wald") == pytest.approx(1, abs=1e-12)
        for key in ("lustgarten", "nogueira2016", "nogueira2018"):
            assert score(system, key) < 0.7

    def test_example_3_order_changes_npog(self):
        chosen = [self.LARGE, self.LARGE, self.SMALL, self.SMALL]
        found = {round(score(runs(10, *order), "npog"), 12) for order in permutations(chosen)}
        assert found == {1.0, 0.53125, 0.0625}
        symmetric = {
            round(score(runs(10, *order), "npog", pairs="all"), 12)
            for order in permutations(chosen)
        }
        assert len(symmetric) == 1

    def test_example_4_one_odd_run_weighs_as_much_as_nine(self):
        system = runs(10, *[self.LARGE] * 9, [8, 9])
        # 36 pairs of 1 and 9 pairs of -4.
        assert score(system, "wald") == pytest.approx(0, abs=1e-12)
        assert score(system, "nogueira2016") > 0.5

    @pytest.mark.parametrize(("first", "second"), [(1, 99), (99, 1)])
    def test_lowest_value_of_wald_is_1_minus_d(self, first, second):
        system = runs(100, range(first), range(100 - second, 100))
        assert score(system, "wald") == pytest.approx(-99, abs=1e-9)

    def test_theorem_1_cw_rel_tends_to_kuncheva(self):
        rng = np.random.default_rng(0)
        gaps = []
        for n in (10, 100, 1000):
            # A procedure of middling stability that always takes 5 of 20 features.
            scores = rng.normal(size=(n, 20)) + np.linspace(2, 0, 20)
            system = hf.Selections.from_weights(scores, top=5, importance="value")
            gaps.append(abs(score(system, "cw_rel") - score(system, "kuncheva")))
        assert gaps[0] > gaps[1] > gaps[2]
        assert gaps[2] < 1e-3

    def test_theorem_1_to_the_digit(self):
        # For n runs of size k with D | nk: 1 - CW_rel = (1 - 1/n) (1 - mean Kuncheva).
        rng = np.random.default_rng(1)
        for n in (4, 8, 20):
            system = runs(10, *[rng.permutation(10)[:5] for _ in range(n)])
            expected = 1 - (1 - 1 / n) * (1 - score(system, "kuncheva"))
            assert score(system, "cw_rel") == pytest.approx(expected, abs=1e-12)

    def test_theorem_2_sim_n_is_kuncheva_for_one_size(self):
        rng = np.random.default_rng(2)
        for k in range(1, 9):
            system = runs(9, *[rng.permutation(9)[:k] for _ in range(5)])
            kuncheva = score(system, "kuncheva") if k < 9 else 0.0
            assert score(system, "nogueira2016") == pytest.approx(kuncheva, abs=1e-12)


class TestNogueira2018:
    def test_it_is_mean_kuncheva_for_one_size(self):
        # Both papers call themselves a generalisation of Kuncheva's index.
        rng = np.random.default_rng(3)
        for k in range(1, 9):
            system = runs(9, *[rng.permutation(9)[:k] for _ in range(6)])
            assert score(system, "nogueira2018") == pytest.approx(
                score(system, "kuncheva"), abs=1e-12
            )


class TestKalousis2007:
    def test_s_s_is_one_minus_tanimoto_distance(self):
        a, b = set(range(5)), {3, 4, 5}
        shared = len(a & b)
        distance = (len(a) + len(b) - 2 * shared) / (len(a) + len(b) - shared)
        assert score(runs(9, a, b), "kalousis") == pytest.approx(1 - distance, abs=1e-15)
