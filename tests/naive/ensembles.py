"""Choices on many samples put together, feature by feature."""

from statistics import mean, median


def frequencies(subsets, n_features):
    return [sum(f in subset for subset in subsets) / len(subsets) for f in range(n_features)]


def best(values, size):
    """The features of the highest values, ties to the first."""
    return sorted(sorted(range(len(values)), key=lambda f: (-values[f], f))[:size])


def by_frequency(subsets, n_features, threshold, size=None):
    shares = frequencies(subsets, n_features)
    reached = [f for f in range(n_features) if shares[f] >= threshold]
    order = best(shares, n_features if size is None else size)
    return [f for f in order if f in reached]


def ranks(scores):
    """1 for the highest; the mean of their places for those that tie."""
    return [
        sum(other > score for other in scores) + (1 + sum(other == score for other in scores)) / 2
        for score in scores
    ]


def by_rank(scores_of_samples, size, middle="mean"):
    together = {"mean": mean, "median": median}[middle]
    table = [ranks(scores) for scores in scores_of_samples]
    return best([-together(column) for column in zip(*table, strict=True)], size)


def worst_case(q, p, threshold):
    return q * q / p / (2 * threshold - 1)


def unimodal(q, p, threshold, pairs):
    """Table of Shah & Samworth's theorem 2, case by case."""
    theta = q / p
    if theta > 3**-0.5:
        return worst_case(q, p, threshold)
    if threshold > 0.75:
        constant = (4 - 4 * threshold + 2 / pairs) / (1 + 1 / pairs)
    elif threshold > min(0.5 + theta**2, 0.5 + 0.5 / pairs + 3 * theta**2 / 4):
        gap = 4 * threshold - 2 - 1 / pairs
        if gap <= 0:
            return worst_case(q, p, threshold)
        constant = 1 / gap
    else:
        return worst_case(q, p, threshold)
    return min(worst_case(q, p, threshold), constant * theta * q)
