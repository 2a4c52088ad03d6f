"""A weighed tree as plain numbers and arrays beside its tree, and back: what a model file keeps of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from bristlecone.certify.rows import NodeLosses, Units
from bristlecone.certify.vertices import Pruning
from bristlecone.certify.weighed import WeighedTree
from bristlecone.subtrees.posterior import Posterior, Potentials, VoteRisks
from bristlecone.tree import Tree

__all__ = ["from_values", "to_values"]

_PLAIN: Mapping[str, type] = {
    "phrase": str,
    "scale": float,
    "observed": float,
    "kl": float,
    "lam": float,
    "prior": str,
    "n_priors": int,
    "delta": float,
}
_ARRAYS = ("posterior_leaf", "posterior_inner", "prior_leaf", "prior_inner", "losses", "stopped", "pruning_leaves")
_UNITS = ("n", "unit", "corrupted")
_PRUNING = ("log_prior", "observed", "prior")


def to_values(weighed: WeighedTree) -> dict[str, Any]:
    """All of it but the tree, by name."""
    posterior, losses = weighed.posterior, weighed.losses
    arrays = (
        posterior.potentials.leaf,
        posterior.potentials.inner,
        posterior.prior.leaf,
        posterior.prior.inner,
        losses.leaf,
        losses.stopped,
        weighed.pruning.leaves,
    )
    return {
        **{name: getattr(weighed, name) for name in _PLAIN},
        **dict(zip(_ARRAYS, arrays, strict=True)),
        "assumes": list(weighed.assumes),
        "notes": list(weighed.notes),
        "units": {name: getattr(losses.units, name) for name in _UNITS},
        "pruning": {name: getattr(weighed.pruning, name) for name in _PRUNING},
        "vote_risks": None if weighed.vote_risks is None else asdict(weighed.vote_risks),
    }


def from_values(tree: Tree, values: Mapping[str, Any]) -> WeighedTree:
    """The weighed tree that `to_values` took apart. Raises ValueError or TypeError for anything else."""
    expected = {*_PLAIN, *_ARRAYS, "assumes", "notes", "units", "pruning", "vote_risks"}
    if not isinstance(values, Mapping) or set(values) != expected:
        raise ValueError("the certificate's numbers are damaged")
    try:
        return _checked(_rebuilt(tree, values))
    except (KeyError, AttributeError, ArithmeticError) as error:
        raise ValueError(f"the certificate's numbers are damaged: {error}") from None


def _rebuilt(tree: Tree, values: Mapping[str, Any]) -> WeighedTree:
    for name, kind in _PLAIN.items():
        value: Any = values[name]
        if type(value) is not kind or (kind is not str and not _finite(value)):
            raise ValueError(f"the certificate's {name} is {value!r}")
    arrays = {name: _of_nodes(name, values[name], tree.n_nodes) for name in _ARRAYS}
    empty = np.arange(0)
    units = Units(rows=empty, weight=np.zeros(0), assumes=(), **{name: values["units"][name] for name in _UNITS})
    leaves = arrays["pruning_leaves"] > 0
    return WeighedTree(
        posterior=Posterior(
            tree,
            Potentials(arrays["posterior_leaf"], arrays["posterior_inner"]),
            Potentials(arrays["prior_leaf"], arrays["prior_inner"]),
        ),
        losses=NodeLosses(tree, units, arrays["losses"], arrays["stopped"], empty),
        vote_risks=None if values["vote_risks"] is None else VoteRisks(**values["vote_risks"]),
        pruning=Pruning(leaves=leaves, **{name: values["pruning"][name] for name in _PRUNING}),
        assumes=tuple(values["assumes"]),
        notes=tuple(values["notes"]),
        **{name: values[name] for name in _PLAIN},
    )


def _finite(value: Any) -> bool:
    return bool(0 <= value < math.inf)


def _checked(weighed: WeighedTree) -> WeighedTree:
    weighed.posterior.log_prior(weighed.pruning.leaves)  # refuses what is no pruning
    for certificate in (weighed.gibbs(), weighed.of_pruning()):
        str(certificate)
    return weighed


def _of_nodes(name: str, given: Any, n_nodes: int) -> Any:
    """(n_nodes,) finite numbers; a number or nothing where it may be."""
    if given is None and name in ("posterior_inner", "prior_inner", "stopped"):
        return None
    if isinstance(given, float) and name.endswith("inner"):
        return given
    array = np.asarray(given)
    if array.dtype.kind not in "bfiu" or array.shape != (n_nodes,) or not np.isfinite(array).all():
        raise ValueError(f"the certificate's {name} are not {n_nodes} finite numbers")
    return array.astype(np.float64)
