"""All prunings of a small tree, one by one: what the folds over prunings must agree with. SPEC A2, B3.

A pruning is a frozenset of its leaves. Trees are lists of children: children[v] holds the children of node v, so that
a node of a partition tree may have one. Everything is exact where the numbers given are Fractions or integers.
"""

from fractions import Fraction
from itertools import product


def children_of(tree):
    """The children of every node of a Tree."""
    pairs = zip(tree.children_left.tolist(), tree.children_right.tolist(), strict=True)
    return [[c for c in pair if c >= 0] for pair in pairs]


def prunings(children, node=0):
    """Every pruning of the subtree of a node."""
    if not children[node]:
        return [frozenset([node])]
    below = product(*(prunings(children, child) for child in children[node]))
    return [frozenset([node])] + [frozenset().union(*chosen) for chosen in below]


def inner_of(children, leaves, node=0):
    """The inner nodes of a pruning."""
    if node in leaves:
        return frozenset()
    return frozenset([node]).union(*(inner_of(children, leaves, child) for child in children[node]))


def smallest_cheapest(children, risk, alpha):
    """T(alpha): the smallest of the prunings of least risk plus alpha a leaf. It must lie inside all others of them."""
    cost = {leaves: sum(risk[v] for v in leaves) + alpha * len(leaves) for leaves in prunings(children)}
    least = min(cost.values())
    best = [leaves for leaves, c in cost.items() if c == least]
    smallest = min(best, key=len)
    assert [len(leaves) for leaves in best].count(len(smallest)) == 1
    return smallest


def path(children, risk):
    """[(alpha_k, T_k)] from alpha 0 on: the lower envelope of risk against leaves, exactly."""
    least = {}
    for leaves in prunings(children):
        cost = sum(risk[v] for v in leaves)
        least[len(leaves)] = min(cost, least.get(len(leaves), cost))
    alpha, steps = Fraction(0), []
    while True:
        size = min(least, key=lambda m: (least[m] + alpha * m, m))
        steps.append((alpha, smallest_cheapest(children, risk, alpha)))
        smaller = [m for m in least if m < size]
        if not smaller:
            return steps
        alpha = min((least[m] - least[size]) / Fraction(size - m) for m in smaller)


def gini_risks(counts, total):
    """R(t) for the Gini impurity, from class counts of nodes, as Fractions of all rows."""
    found = []
    for rows in counts.tolist():
        n = int(sum(rows))
        impurity = 1 - sum(Fraction(int(r), n) ** 2 for r in rows) if n else Fraction(0)
        found.append(Fraction(n, total) * impurity)
    return found


def loss_risks(counts, loss, total):
    """R(t) for a loss matrix of whole numbers, true classes in rows, and the first label that costs as little."""
    found = []
    for rows in counts.tolist():
        costs = [sum(Fraction(int(r)) * loss[k][label] for k, r in enumerate(rows)) for label in range(len(rows))]
        found.append((min(costs) / total, costs.index(min(costs))))
    return [risk for risk, _ in found], [label for _, label in found]


def sums(children, leaf, inner):
    """The sum of node potentials of every pruning: those of its leaves, and of its inner nodes."""
    return {
        leaves: sum(leaf[v] for v in leaves) + sum(inner[v] for v in inner_of(children, leaves))
        for leaves in prunings(children)
    }


def number(children, node=0):
    """How many prunings there are, counted by listing them."""
    return len(prunings(children, node))
