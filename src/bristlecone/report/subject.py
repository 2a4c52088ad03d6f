"""What a page is about: a tree, and what its maker knows besides.

subject     one tree that answers, with the choice of prunings, the weights of a vote, a certificate, parameters, and
            the words on its size, as far as there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bristlecone.estimators.fitted import FittedTree
from bristlecone.estimators.voting import VotingTree
from bristlecone.export.sklearn import from_sklearn, given_instead, last_step, sklearn_nodes
from bristlecone.report.words import size_in_words, vote_in_words
from bristlecone.subtrees.cut import places_in
from bristlecone.subtrees.summary import PruningTable
from bristlecone.tree import Tree
from bristlecone.tree.arrays import Floats

__all__ = ["Subject", "subject_of"]

ACCEPTED = "a Tree, a fitted estimator of bristlecone, or a fitted decision tree of scikit-learn"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of a model.

    tree: what answers. kind: what it is, in words. size: why it is as large as it is; "" where that is not known.
    weights: (n_nodes,) the chance, in a vote, that a pruning has a node as a leaf; None without a vote. shares: class
    probabilities by rows, where they are not the tree's own. certificate: a Certificate or None; certified_here:
    whether the rows that the page is about are those that certify.
    parameters, made: how it was made, as pairs of words.
    """

    tree: Tree
    kind: str = "tree"
    size: str = ""
    prunings: PruningTable | None = None
    weights: Floats | None = None
    shares: Callable[[Any], Floats] | None = None
    certificate: Any = None
    certified_here: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    made: Mapping[str, str] = field(default_factory=dict)


def subject_of(model: Any) -> Subject:
    """What is known of a model. Raises TypeError for what is no tree, NotFittedError, and as `from_sklearn`.

    A pipeline of scikit-learn that is nothing but a tree is that tree.
    """
    if isinstance(model, Subject):
        return model
    if isinstance(model, Tree):
        return Subject(model)
    if isinstance(model, FittedTree):
        return _of_estimator(model)
    model = last_step(model)
    if not hasattr(model, "n_outputs_") or not hasattr(model, "tree_"):
        raise TypeError(f"model is {given_instead(model)}; it must be {ACCEPTED}")
    theirs = sklearn_nodes(model)
    made = {}
    if (theirs != np.arange(len(theirs))).any():
        made["Numbers of nodes"] = "in pre-order; scikit-learn's own are others (bristlecone.export.sklearn_nodes)"
    kind = f"scikit-learn's {type(model).__name__}"
    return Subject(from_sklearn(model), kind, parameters=_changed(model), made=made)


def _of_estimator(model: FittedTree) -> Subject:
    model.get_depth()  # the one refusal of what is not fitted
    kind, grown = type(model).__name__, model.tree_.n_leaves
    known: dict[str, Any] = {
        "kind": kind,
        "parameters": _changed(model),
        # in certified mode; elsewhere asking for it raises AttributeError
        "certificate": getattr(model, "certificate_", None),
    }
    if isinstance(model, VotingTree):
        tree, certified = model.to_tree(), getattr(model, "weighed_", None)
        # strengths of a certified vote: none, for the rows that certify weighed the prunings
        strengths = {} if certified else {name: getattr(model, f"{name}_") for name in model._strengths}
        how = f"weighed by the {certified.units.n:,} {certified.units.unit}s that certify" if certified else ""
        size = vote_in_words(strengths, model.expected_leaves_, grown, how) + ")"
        weights = model.node_weights_[places_in(model.tree_, tree)]
        return Subject(tree, size=size, weights=weights, shares=model.predict_proba, **known)
    prunings = getattr(model, "path_", None)
    certificate = known["certificate"]
    if certificate is not None:
        size = f"the pruning whose own bound is least, by the {certificate.n:,} {certificate.unit}s that certify"
    elif prunings is not None:
        size = size_in_words(prunings, int(prunings.leaves.max()))
    else:
        alpha = getattr(model, "ccp_alpha", None)
        size = "as it was grown; no pruning was chosen" if alpha is None else f"pruned at ccp_alpha {alpha:.4g}"
    return Subject(model.tree_, size=size, prunings=prunings, **known)


def _changed(model: Any) -> dict[str, Any]:
    """The parameters that are not the defaults."""
    defaults = type(model)().get_params(deep=False)
    return {n: v for n, v in model.get_params(deep=False).items() if repr(v) != repr(defaults.get(n))}
