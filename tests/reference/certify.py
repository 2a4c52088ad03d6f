"""Bounds, slowly: seventy decimal digits, halving until nothing changes, sums over all terms. SPEC A7."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

DIGITS = 70
EXACT = 330  # halvings for a p as small as floats come


def kl(q, p):
    """q ln(q / p) + (1 - q) ln((1 - q) / (1 - p)), of Decimals."""
    with localcontext(prec=DIGITS):
        return _term(q, p) + _term(1 - q, 1 - p)


def _term(a, b):
    if a == 0:
        return Decimal(0)
    return Decimal("Infinity") if b == 0 else a * (a / b).ln()


def kl_inverse(q, c, upper=True, steps=80):
    """The p farthest from q, above or below it, whose kl is at most c; a Decimal."""
    with localcontext(prec=DIGITS):
        q, c = Decimal(q), Decimal(c)
        near, far = q, Decimal(1 if upper else 0)
        if kl(q, far) <= c:
            return far
        for _ in range(steps):
            middle = (near + far) / 2
            if kl(q, middle) <= c:
                near = middle
            else:
                far = middle
        return near


def log_term(n, delta, times=2):
    return math.log(times * math.sqrt(n) / delta)


def xi(n):
    """The sum over k of C(n, k) (k / n)^k (1 - k / n)^(n - k), a Fraction."""
    return sum(math.comb(n, k) * Fraction(k, n) ** k * Fraction(n - k, n) ** (n - k) for k in range(n + 1))


def clopper_pearson(k, n, delta):
    """The error rate at which k errors or fewer of n have the chance delta."""
    if k == n:
        return 1.0
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        chance = math.fsum(math.comb(n, i) * middle**i * (1 - middle) ** (n - i) for i in range(k + 1))
        low, high = (middle, high) if chance > delta else (low, middle)
    return low


def cantelli(r, t, kl_nats, n, delta, moved=0.0, steps=2000):
    """The largest (T - R^2) / (T - R + 1/4) over a grid of all that R and T may be.

    moved: by how much the means may be off, for rows that were tampered with.
    """
    one, pair = ((times * kl_nats + log_term(n, delta, 4)) / n for times in (1, 2))
    highest, lowest = float(kl_inverse(min(r + moved, 1.0), one)), float(kl_inverse(max(r - moved, 0.0), one, False))
    most = float(kl_inverse(min(t + moved, r + moved, 1.0), pair))
    if highest >= 0.5 or most >= 0.25:
        return 1.0
    grid = [lowest + (highest - lowest) * i / steps for i in range(steps + 1)]
    return max([0.0, *((most - x * x) / (most - x + 0.25) for x in grid if x * x <= most)])


def answering_node(parent, leaves, stop):
    """The node of a pruning that answers a row which stops at `stop` of the whole tree: the leaf above, or `stop`."""
    path = [stop]
    while parent[path[-1]] >= 0:
        path.append(parent[path[-1]])
    above = [v for v in path if v in leaves]
    return above[0] if above else stop


def weighed(masses, lost):
    """By enumeration: KL of e^-(lam lost) masses to masses, and the mean loss, from lists over all prunings.

    masses: P of every pruning, not normalised; lost: lam times its losses, and its losses.
    """
    prior = [m / math.fsum(masses) for m in masses]
    posterior = [p * math.exp(-raised) for p, (raised, _) in zip(prior, lost, strict=True)]
    total = math.fsum(posterior)
    posterior = [q / total for q in posterior]
    kl_nats = math.fsum(q * math.log(q / p) for q, p in zip(posterior, prior, strict=True) if q > 0)
    return posterior, kl_nats, math.fsum(q * losses for q, (_, losses) in zip(posterior, lost, strict=True))
