"""Boolean functions over product measures, by enumeration and in exact fractions: what the kernels must find.

table   a tuple of 2^n answers, 0 or 1; bit i of the place is variable i. p: one Fraction a variable.
cube    a dict from fixed variables to their values.
"""

from __future__ import annotations

import itertools
from fractions import Fraction


def bit(place, i):
    return place >> i & 1


def mass(place, p):
    total = Fraction(1)
    for i, chance in enumerate(p):
        total *= chance if bit(place, i) else 1 - chance
    return total


def places(n, cube):
    return [x for x in range(2**n) if all(bit(x, i) == b for i, b in cube.items())]


def chance(table, p, cube, answer):
    """Pr[f = answer] in a subcube."""
    inside = places(len(p), cube)
    return sum(mass(x, p) for x in inside if table[x] == answer) / sum(mass(x, p) for x in inside)


def influence(table, p, cube, i):
    """Pr[f(x) != f(x^(i))] in a subcube, from both draws of coordinate i."""
    if i in cube:
        return Fraction(0)
    inside = places(len(p), cube)
    total = Fraction(0)
    for x in inside:
        for b, weight in ((0, 1 - p[i]), (1, p[i])):
            y = x & ~(1 << i) | b << i
            total += mass(x, p) * weight * (table[x] != table[y])
    return total / sum(mass(x, p) for x in inside)


def error(table, p, cube):
    return min(chance(table, p, cube, 0), chance(table, p, cube, 1))


def reach(p, cube):
    total = Fraction(1)
    for i, b in cube.items():
        total *= p[i] if b else 1 - p[i]
    return total


def greedy(table, p, epsilon):
    """Algorithm 1: the steps (leaf, variable, score, cost, error), leaves numbered as they were made."""
    n, leaves, made, steps = len(p), {0: {}}, 1, []
    while (total := sum(reach(p, c) * error(table, p, c) for c in leaves.values())) > epsilon:
        scores = {(-reach(p, c) * influence(table, p, c, i), leaf, i) for leaf, c in leaves.items() for i in range(n)}
        score, leaf, i = min(scores)
        cube = leaves.pop(leaf)
        leaves |= {made: cube | {i: 0}, made + 1: cube | {i: 1}}
        made += 2
        cost = sum(reach(p, c) * sum(influence(table, p, c, k) for k in range(n)) for c in leaves.values())
        total = sum(reach(p, c) * error(table, p, c) for c in leaves.values())
        steps.append((leaf, i, -score, cost, total))
    return steps


def front(table, p, cube, most):
    """Least error in a subcube with 1 .. most leaves, by trying every first variable and every share of the leaves."""
    best = [error(table, p, cube)]
    for leaves in range(2, most + 1):
        least = best[-1]
        for i in set(range(len(p))) - set(cube):
            sides = [front(table, p, cube | {i: b}, leaves - 1) for b in (0, 1)]
            for left in range(1, leaves):
                least = min(least, (1 - p[i]) * sides[0][left - 1] + p[i] * sides[1][leaves - left - 1])
        best.append(least)
    return best


def average_depth(children, p, fixed):
    """The expected number of free variables that a nested tree (variable, low, high) or answer reads in a subcube."""
    if not isinstance(children, tuple):
        return Fraction(0)
    i, low, high = children
    if i in fixed:
        return average_depth(children[1 + fixed[i]], p, fixed)
    sides = [average_depth(side, p, fixed | {i: b}) for b, side in ((0, low), (1, high))]
    return 1 + (1 - p[i]) * sides[0] + p[i] * sides[1]


def delta_star(children, p):
    """The largest average depth over all 3^n subcubes."""
    n = len(p)
    cubes = ({i: b for i, b in enumerate(code) if b < 2} for code in itertools.product(range(3), repeat=n))
    return max(average_depth(children, p, cube) for cube in cubes)
