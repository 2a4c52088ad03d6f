"""The vote of all prunings of a small tree, one pruning after the other: what the folds and kernels must agree with.

SPEC A2, A3, A4, A5, A6, A8. A pruning is a frozenset of its leaves; stops are {node: [rows by class]}, the rows that a
tree lets stop at a node, at an inner one too.
"""

import math
from collections import defaultdict

from reference.prunings import children_of, inner_of, prunings


def path_to(tree, node):
    """The nodes from the root to a node."""
    path = [node]
    while path[-1] != 0:
        path.append(int(tree.parent[path[-1]]))
    return path[::-1]


def answering(tree, leaves, stop):
    """The node with whose label a pruning answers a row that the whole tree stops at `stop`."""
    return next((v for v in path_to(tree, stop) if v in leaves), stop)


class Enumerated:
    """All prunings with their chances in proportion to e^(sum of potentials)."""

    def __init__(self, tree, leaf, inner=None):
        self.tree, self.children = tree, children_of(tree)
        self.prunings = prunings(self.children)
        inner = [0.0] * tree.n_nodes if inner is None else inner
        sums = [
            math.fsum([leaf[v] for v in each]) + math.fsum([inner[v] for v in inner_of(self.children, each)])
            for each in self.prunings
        ]
        most = max(sums)
        self.total = most + math.log(math.fsum(math.exp(s - most) for s in sums))
        self.logs = [s - self.total for s in sums]
        self.chances = [math.exp(log) for log in self.logs]

    def mean(self, of_pruning):
        """The mean over prunings of a number of each."""
        return math.fsum(q * of_pruning(each) for q, each in zip(self.chances, self.prunings, strict=True))

    def weight(self, node):
        """The chance that a pruning has a node as a leaf."""
        return self.mean(lambda each: node in each)

    def masses(self, stop, silent=()):
        """The chance of each class to be the answer to a row that stops at a node; silent leaves have no voice."""
        found = defaultdict(list)
        for q, each in zip(self.chances, self.prunings, strict=True):
            node = answering(self.tree, each, stop)
            if node not in silent:
                found[int(self.tree.label[node])].append(q)
        return {label: math.fsum(parts) for label, parts in found.items()}

    def winner(self, stop, silent=()):
        """The class of most mass, and whether another comes near it."""
        masses = sorted(self.masses(stop, silent).items(), key=lambda item: (-item[1], item[0]))
        close = len(masses) > 1 and masses[1][1] >= masses[0][1] * (1 - 1e-9)
        return masses[0][0], close

    def risk_of(self, leaves, stops):
        """The share of rows that a pruning gets wrong."""
        n = sum(sum(rows) for rows in stops.values())
        wrong = 0
        for stop, rows in stops.items():
            label = int(self.tree.label[answering(self.tree, leaves, stop)])
            wrong += sum(rows) - rows[label]
        return wrong / n

    def gibbs(self, stops):
        """The mean risk of prunings."""
        return self.mean(lambda each: self.risk_of(each, stops))

    def pairs(self, stops, differ):
        """The chance, over two prunings and a row, of what `differ` says of both answers and the row's class."""
        n = sum(sum(rows) for rows in stops.values())
        found = []
        for stop, rows in stops.items():
            labels = [int(self.tree.label[answering(self.tree, each, stop)]) for each in self.prunings]
            for a, qa in zip(labels, self.chances, strict=True):
                for b, qb in zip(labels, self.chances, strict=True):
                    found += [qa * qb * count for y, count in enumerate(rows) if differ(a, b, y)]
        return math.fsum(found) / n

    def tandem(self, stops):
        """The chance that two prunings err together."""
        return self.pairs(stops, lambda a, b, y: a != y and b != y)

    def disagreement(self, stops):
        """The chance that two prunings answer otherwise."""
        return self.pairs(stops, lambda a, b, y: a != b)

    def kl(self, prior):
        """KL(Q || P)."""
        return math.fsum(q * (lq - lp) for q, lq, lp in zip(self.chances, self.logs, prior.logs, strict=True))

    def entropy(self):
        """-E ln Q."""
        return -math.fsum(q * lq for q, lq in zip(self.chances, self.logs, strict=True))


def online(tree, value, stops, classes, beta, leaf, inner):
    """Helmbold and Schapire's recursion over all prunings: r before each row, the weights at the end."""
    each = prunings(children_of(tree))
    logs = [
        math.fsum([leaf[v] for v in p]) + math.fsum([inner[v] for v in inner_of(children_of(tree), p)]) for p in each
    ]
    weights = [math.exp(log) for log in logs]
    means = []
    for stop, y in zip(stops, classes, strict=True):
        said = [value[answering(tree, p, stop)] for p in each]
        means.append(math.fsum(w * v for w, v in zip(weights, said, strict=True)) / math.fsum(weights))
        weights = [w * (1 - (1 - beta) * abs(v - y)) for w, v in zip(weights, said, strict=True)]
    return means, weights, each
