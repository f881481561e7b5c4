"""Support vector machines the slow and obvious way: the pair that violates optimality most."""

from __future__ import annotations

from itertools import combinations

import numpy as np


def kernel_matrix(A, B, kernel, gamma):
    if kernel == "linear":
        return A @ B.T
    return np.exp(-gamma * ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2))


def gamma_of(X, gamma):
    if gamma == "auto":
        return 1 / X.shape[1]
    if gamma == "scale":
        variance = X.var()
        return 1 / (X.shape[1] * variance) if variance > 0 else 1.0
    return gamma


def solve(K, sign, bound, tol=1e-6, most_steps=200_000):
    """Multipliers and threshold of one class against another."""
    alpha = np.zeros(len(sign))
    for _ in range(most_steps):
        lead = sign - K @ (alpha * sign)
        rise = np.where(sign > 0, alpha < bound, alpha > 0)
        fall = np.where(sign > 0, alpha > 0, alpha < bound)
        i = max(np.flatnonzero(rise), key=lambda k: lead[k])
        j = min(np.flatnonzero(fall), key=lambda k: lead[k])
        if lead[i] - lead[j] < tol:
            break
        room_i = bound[i] - alpha[i] if sign[i] > 0 else alpha[i]
        room_j = alpha[j] if sign[j] > 0 else bound[j] - alpha[j]
        by = (lead[i] - lead[j]) / max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12)
        by = min(by, room_i, room_j)
        alpha[i] = alpha[i] + sign[i] * by if by < room_i else (bound[i] if sign[i] > 0 else 0.0)
        alpha[j] = alpha[j] - sign[j] * by if by < room_j else (0.0 if sign[j] > 0 else bound[j])
    free = (alpha > 0) & (alpha < bound)
    if free.any():
        return alpha, -lead[free].mean()
    return alpha, -(lead[rise].max() + lead[fall].min()) / 2


def decisions(X, codes, train, asked, kernel="rbf", C=1.0, gamma="scale", weight=None, tol=1e-6):
    """Decision values of each pair of classes: {(a, b): values}, positive for a."""
    gamma = gamma_of(X[train], gamma)
    weight = np.ones(len(codes)) if weight is None else weight
    out = {}
    for a, b in combinations(np.unique(codes[train]), 2):
        members = np.array([i for i in train if codes[i] in (a, b) and weight[i] > 0])
        sign = np.where(codes[members] == a, 1.0, -1.0)
        K = kernel_matrix(X[members], X[members], kernel, gamma)
        alpha, threshold = solve(K, sign, C * weight[members], tol)
        out[a, b] = kernel_matrix(X[asked], X[members], kernel, gamma) @ (alpha * sign) - threshold
    return out


def vote(values, n_asked, n_classes):
    """One vote of each pair; the first class with the most wins."""
    votes = np.zeros((n_asked, n_classes), int)
    for (a, b), pair in values.items():
        for t, value in enumerate(pair):
            votes[t, a if value > 0 else b] += 1
    return votes.argmax(axis=1)
