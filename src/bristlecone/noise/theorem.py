"""The noise paper's Theorem 3.1 with its constants, as formulas. SPEC D5.

gamma    advantage: on every induced distribution some split h has |Cov(h, y)| >= gamma Var(y).
eps      the error that growth would reach without noise; target: what is wanted with noise, half of it eps.
eta      the share of corrupted rows; kappa: the impurity's curvature, 8 for Gini as the paper scales it.
"""

from __future__ import annotations

import math

from bristlecone.grow.parameters import Check, check_parameters, number

__all__ = ["error_bound", "eta_max", "log_size"]

_POSITIVE = Check(lambda value: number(0.0).passes(value) and value != 0, "a finite number above 0")
_ADVANTAGE = Check(lambda value: number(0.0, 1.0).passes(value) and value != 0, "a number above 0, and up to 1")
_CHECKS = {"gamma": _ADVANTAGE, "eps": _POSITIVE, "target": _POSITIVE, "kappa": _POSITIVE, "eta": number(0.0, 1.0)}


def log_size(gamma: float, eps: float, *, kappa: float = 8.0) -> float:
    """The natural logarithm of the number of leaves that the theorem asks for: 2 / (kappa gamma^2 eps^2).

    With Gini the size is exp(1 / (4 gamma^2 eps^2)), soon beyond every number; hence its logarithm. SPEC D5.
    """
    check_parameters({"gamma": gamma, "eps": eps, "kappa": kappa}, _CHECKS)
    scale = kappa * gamma**2 * eps**2
    return 2.0 / scale if scale > 0 else math.inf


def error_bound(gamma: float, eps: float, eta: float) -> float:
    """The error on the clean distribution that the theorem leaves: eps + 4 (1 + gamma) eta / gamma + eta. SPEC D5."""
    check_parameters({"gamma": gamma, "eps": eps, "eta": eta}, _CHECKS)
    return eps + 4.0 * (1.0 + gamma) * eta / gamma + eta


def eta_max(gamma: float, target: float) -> float:
    """The rate of noise that adds half of the target to the error: (target / 2) / (4 (1 + gamma) / gamma + 1)."""
    check_parameters({"gamma": gamma, "target": target}, _CHECKS)
    return target / 2.0 / (4.0 * (1.0 + gamma) / gamma + 1.0)


def size_in_words(log: float) -> str:
    """A number of leaves from its logarithm: 55, or 10^27 where nobody would write it out."""
    return f"{math.exp(log):,.0f}" if log < math.log(1e6) else f"10^{log / math.log(10):,.0f}"
