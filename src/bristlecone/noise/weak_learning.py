"""What a tree's splits say about the noise it could stand: the measurable side of Theorem 3.1. SPEC D9.

h           at a node, "goes left": of the split that the tree makes, or of the best question that the table's columns
            allow, that of the largest |Cov(h, y)|; y is 1 for the second class. Moments are those of the node's rows.
gamma       advantage, |Cov(h, y)| / Var(y); the balanced advantage, 1/2 minus the balanced error, is half of it.
margin      a share of the node's rows: that many, replaced or relabelled, are needed to bring Cov(h, y) to nothing.
band        how far a covariance on fresh rows may lie from the truth, for all nodes and questions at once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.estimators.fitted import FittedTree
from bristlecone.export.sklearn import from_sklearn
from bristlecone.grow.impurities import IMPURITIES, Impurity, named_impurity
from bristlecone.grow.parameters import INSIDE, Check, check_parameters
from bristlecone.noise.questions import Mask, Questions
from bristlecone.noise.reweighting import reweighted_advantage
from bristlecone.noise.theorem import eta_max, log_size, size_in_words
from bristlecone.subtrees.count import class_codes, in_branches
from bristlecone.table.rows import check_same_rows
from bristlecone.tree import Tree
from bristlecone.tree.conditions import Wording
from bristlecone.tree.lines import aligned

__all__ = ["NodeAdvantage", "WeakLearningReport", "weak_learning_report"]

_CRITERIA = {"log_loss": "entropy", "gain_ratio": "entropy"}
_CHECKS = {
    "delta": INSIDE,
    "target": INSIDE,
    "reweighted": Check(lambda value: isinstance(value, bool | np.bool_), "True or False"),
}


@dataclass(frozen=True, slots=True)
class NodeAdvantage:
    """An inner node; see the head of this file. weight: its share of all rows; share: of the second class in it.

    covariance, gamma, drop (of the impurity, scaled so that G(1/2) = 1) and drop_floor (2 kappa Cov^2, for Gini
    16 Cov^2): of the split that the tree makes. best_*, the margins and balanced_advantage: of the best question.
    """

    node: int
    depth: int
    n_rows: int
    weight: float
    share: float
    split: str
    covariance: float
    gamma: float
    drop: float
    drop_floor: float
    best_split: str
    best_covariance: float
    best_gamma: float
    balanced_advantage: float
    replace_margin: float
    label_flip_margin: float
    band: float


@dataclass(frozen=True, slots=True)
class WeakLearningReport:
    """The advantage at every inner node where both classes are present, and what Theorem 3.1 makes of the least one.

    nodes: a `NodeAdvantage` each, in the tree's order. gamma_min: the least best_gamma; gamma_mean: their mean by
    weight; both NaN without nodes. target: the error wanted; eta_max, log_size: what the theorem gives for gamma_min
    with half of it as eps, NaN where gamma_min is 0. tau, log_sample: the precision of expectations gamma^2 eps^2 / t
    and the rows t^2 |H| / tau^2 (their logarithm) that the paper's appendix asks for, for this tree's t leaves, up to
    constants that it does not print. n_questions: |H|. gamma_reweighted: the advantage over all reweightings of the
    rows, if asked for.
    """

    nodes: tuple[NodeAdvantage, ...]
    n_rows: int
    n_leaves: int
    n_questions: int
    impurity: str
    kappa: float | None
    target: float
    delta: float
    gamma_min: float
    gamma_mean: float
    eta_max: float
    log_size: float
    tau: float
    log_sample: float
    gamma_reweighted: float | None = None

    def to_dict(self) -> dict[str, list[Any]]:
        """The nodes by column, ready for a data frame."""
        names = [field.name for field in dataclasses.fields(NodeAdvantage)]
        return {name: [getattr(node, name) for node in self.nodes] for name in names}

    @property
    def sentence(self) -> str:
        """What may be said of it, with its conditions."""
        if not self.nodes:
            return "No node that asks holds rows of both classes: there is no advantage to measure."
        words = (
            f"On the nodes this tree visits, the best split has advantage >= {self.gamma_min:.3g} on the observed "
            "(possibly corrupted) data. The theorem needs this on every induced distribution of the clean data, which "
            "no finite sample can certify."
        )
        if math.isnan(self.log_size):
            return words + " With the advantage 0 it says nothing."
        return (
            f"{words} If it holds with gamma, growth cannot stall above error eps + 4(1+gamma)eta/gamma; the size it "
            f"asks for, {self._size_formula()}, is usually astronomically large: {size_in_words(self.log_size)} leaves "
            f"for eps {self.target / 2:g}, and eta up to {self.eta_max:.2g} for error {self.target:g}."
        )

    def _size_formula(self) -> str:
        return "exp(1/(4 gamma^2 eps^2))" if self.kappa == 8 else f"exp(2/({self.kappa:.4g} gamma^2 eps^2))"

    def text(self, most: int = 12) -> str:
        """The report in words, with the `most` nodes of the largest weight."""
        shown = sorted(self.nodes, key=lambda node: -node.weight)[:most]
        lines = [self.sentence]
        if self.nodes:
            lines += ["", *self._summary(), "", aligned(self._columns(shown), left=["best split"])]
        if len(shown) < len(self.nodes):
            lines.append(f"... and {len(self.nodes) - len(shown):,} more nodes")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def _summary(self) -> Iterator[str]:
        least, mean, n = self.gamma_min, self.gamma_mean, len(self.nodes)
        yield f"advantage: least {least:.4g}, mean by weight {mean:.4g}, over {n:,} node{'s' * (n > 1)}"
        if self.gamma_reweighted is not None:
            yield f"advantage over all reweightings of the rows: {self.gamma_reweighted:.4g}"
        if not math.isnan(self.tau):
            asked = f"expectations to within {self.tau:.1g}, {size_in_words(self.log_sample)} rows"
            yield f"sampling, up to constants: {asked} for this tree's {self.n_leaves:,} leaves"

    @staticmethod
    def _columns(shown: list[NodeAdvantage]) -> dict[str, list[str]]:
        def rows(share: float, node: NodeAdvantage) -> str:
            return f"{math.ceil(share * node.n_rows - 1e-9):,}"

        return {
            "node": [str(node.node) for node in shown],
            "rows": [f"{node.n_rows:,}" for node in shown],
            "gamma": [f"{node.gamma:.3f}" for node in shown],
            "best": [f"{node.best_gamma:.3f}" for node in shown],
            "drop": [f"{node.drop:.4f}" for node in shown],
            "floor": [f"{node.drop_floor:.4f}" for node in shown],
            "to replace": [rows(node.replace_margin, node) for node in shown],
            "to flip": [rows(node.label_flip_margin, node) for node in shown],
            "band": [f"{node.band:.3f}" for node in shown],
            "best split": [node.best_split for node in shown],
        }


def weak_learning_report(
    model: Any,
    X: Any,
    y: Any,
    *,
    target: float = 0.1,
    delta: float = 0.05,
    impurity: str | Impurity | None = None,
    reweighted: bool = False,
) -> WeakLearningReport:
    """Measure covariance, advantage and margins at every inner node of a tree of two classes.

    model: a Tree, or a fitted estimator that holds one, scikit-learn's decision trees among them. X: array, frame or
    Table, read by the tree's schema; y: (n_rows,) labels, among them. The growing rows tell what growth saw; the
    sampling band holds for fresh rows only, with probability 1 - delta. target: the error to aim at. impurity: None for
    the one that the tree's criterion names.
    reweighted: also solve the game of Definition 2.4, a linear program: seconds for thousands of rows, a minute or more
    for tens of thousands of them in columns of many values.
    Blanc, Lange, Malik and Tan, ICML 2022; SPEC D9. Raises ValueError or TypeError naming what is wrong.
    """
    check_parameters({"target": target, "delta": delta, "reweighted": reweighted}, _CHECKS)
    tree = _tree_of(model)
    impurity = _impurity_of(model, tree) if impurity is None else named_impurity(impurity)
    table = tree.schema.read(X)
    second = class_codes(tree, y) == 1
    if table.n_rows == 0:
        raise ValueError("X has no rows")
    check_same_rows(table.n_rows, len(second))
    questions = Questions(table)
    nodes = tuple(_nodes(tree, tree.apply(table), second, questions, impurity, delta))
    gammas, weights = np.array([n.best_gamma for n in nodes]), np.array([n.weight for n in nodes])
    least = float(gammas.min()) if nodes else math.nan
    eps, t = target / 2, tree.n_leaves
    known = bool(nodes) and least > 0
    tau = least**2 * eps**2 / t if known else math.nan
    return WeakLearningReport(
        nodes=nodes,
        n_rows=table.n_rows,
        n_leaves=t,
        n_questions=questions.count,
        impurity=impurity.name,
        kappa=impurity.kappa,
        target=target,
        delta=delta,
        gamma_min=least,
        gamma_mean=float(np.average(gammas, weights=weights)) if nodes else math.nan,
        eta_max=eta_max(least, target) if known else math.nan,
        log_size=log_size(least, eps, kappa=impurity.kappa) if known and impurity.kappa else math.nan,
        tau=tau,
        log_sample=math.log(t**2 * max(questions.count, 1)) - 2 * math.log(tau) if known else math.nan,
        gamma_reweighted=reweighted_advantage(questions, second) if reweighted else None,
    )


def _tree_of(model: Any) -> Tree:
    if isinstance(model, FittedTree):
        model.get_depth()  # the one refusal of what is not fitted
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        if not hasattr(model, "n_outputs_") or tree is None:
            raise TypeError(f"a {type(model).__name__} holds no Tree: give a Tree or a fitted decision tree")
        tree = from_sklearn(model)
    if tree.task == "regression":
        raise ValueError("advantages are of two classes; the tree answers with numbers")
    if tree.n_classes != 2:
        raise ValueError(f"advantages are of two classes; the tree has {tree.n_classes}")
    return tree


def _impurity_of(model: Any, tree: Tree) -> Impurity:
    """That of its criterion. Raises ValueError where it is somebody's own, and the tree is alone."""
    own = getattr(model, "criterion", None)
    if isinstance(own, Impurity):
        return own
    name = _CRITERIA.get(tree.criterion, tree.criterion)
    if name not in IMPURITIES:
        raise ValueError(f"the tree was grown by impurity={name!r}, known by its name alone: give the Impurity")
    return IMPURITIES[name]


def _nodes(
    tree: Tree, ends: npt.NDArray[np.intp], second: Mask, questions: Questions, impurity: Impurity, delta: float
) -> Iterator[NodeAdvantage]:
    order = np.argsort(ends, kind="stable")
    starts = np.searchsorted(ends[order], np.arange(tree.n_nodes + 1))
    at_nodes = np.bincount(2 * ends + second, minlength=2 * tree.n_nodes).reshape(-1, 2)
    counts = in_branches(tree, at_nodes)
    inner = np.flatnonzero((tree.children_left >= 0) & counts.all(axis=1))
    n_pairs = max(questions.count * (tree.n_nodes - tree.n_leaves), 1)
    for v in inner.tolist():
        rows = order[starts[v] : starts[tree.subtree_end[v]]]
        yield _node(tree, v, rows, second[rows], counts, questions, impurity, math.log(2 * n_pairs) - math.log(delta))


def _node(
    tree: Tree,
    v: int,
    rows: npt.NDArray[np.intp],
    second: Mask,
    counts: npt.NDArray[np.int64],
    questions: Questions,
    impurity: Impurity,
    log_pairs: float,
) -> NodeAdvantage:
    n, mu = len(rows), float(second.mean())
    covariance, drop = _split(counts[v], counts[tree.children_left[v]], impurity)
    best = questions.best(rows, second)
    best_covariance = 0.0 if best is None else best.covariance
    q = 0.5 if best is None else float(questions.answers(best, rows).mean())
    variance = mu * (1 - mu)
    return NodeAdvantage(
        node=v,
        depth=int(tree.depth[v]),
        n_rows=n,
        weight=n / len(questions.codes[0]),
        share=mu,
        split=tree.condition(v).left(Wording(missing=tree.missing != "error")),
        covariance=covariance,
        gamma=_advantage(covariance, variance),
        drop=drop,
        drop_floor=2 * (impurity.kappa or 0.0) * covariance**2,
        best_split="" if best is None else questions.say(best),
        best_covariance=best_covariance,
        best_gamma=_advantage(best_covariance, variance),
        balanced_advantage=_advantage(best_covariance, variance) / 2,
        replace_margin=abs(best_covariance),
        label_flip_margin=abs(best_covariance) / max(q, 1 - q),
        band=math.sqrt(log_pairs / (2 * n)) + 1 / (4 * n),
    )


def _advantage(covariance: float, variance: float) -> float:
    """1 at most: Cov(h, y) is Var(y) times Pr[h | y = 1] - Pr[h | y = 0]."""
    return min(abs(covariance) / variance, 1.0)


def _split(whole: npt.NDArray[np.int64], left: npt.NDArray[np.int64], impurity: Impurity) -> tuple[float, float]:
    """Cov("goes left", y) and the drop of the impurity, from class counts."""
    right = whole - left
    n = int(whole.sum())
    covariance = (int(left[1]) * n - int(left.sum()) * int(whole[1])) / n**2
    parts = [part for part in (left, right) if part.sum()]
    of = impurity.of(np.array([part[1] / part.sum() for part in (whole, *parts)]))
    below = sum(part.sum() / n * float(value) for part, value in zip(parts, of[1:], strict=True))
    return covariance, max(float(of[0]) - below, 0.0)
