"""What a bound had to choose from: the prunings that are cheapest for some price of complexity. SPEC A7, rule="bound".

complexity  -ln P of a pruning, in nats.
price       certifying losses that one nat is worth. At a price of 0 the pruning of least losses is cheapest; each other
            vertex from its own price on, until that of the next.
"""

from __future__ import annotations

import numpy as np

from bristlecone.certify.bounds import pruning_bound
from bristlecone.certify.priors import Prior, family
from bristlecone.certify.vertices import corners
from bristlecone.certify.weighed import WeighedTree
from bristlecone.subtrees.summary import PruningTable

__all__ = ["frontier"]


def frontier(weighed: WeighedTree) -> PruningTable:
    """The vertices under the prior of the chosen pruning, with the bound of each; from the largest tree on.

    weighed: what `weigh` made with its default priors; others cannot be found again, and raise ValueError.
    """
    found = corners(weighed.losses, _prior_of(weighed))
    price = np.concatenate([[0.0], np.diff(found.lost) / np.diff(found.log_prior)])
    order = np.argsort(-found.leaves, kind="stable")
    units = weighed.units
    observed, log_prior = found.lost[order] / units.n, found.log_prior[order]
    seen = np.clip(observed + units.tampered / units.n, 0.0, 1.0)
    bounds = pruning_bound(seen, log_prior, units.n, weighed.delta / weighed.n_priors)
    unknown = np.full(len(order), np.nan)
    taken = found.leaves[order] == np.count_nonzero(weighed.pruning.leaves)
    return PruningTable(
        title=f"Prunings by their bound, prior {weighed.pruning.prior}",
        strength_name="price",
        strength=np.maximum(price[order], 0.0),
        leaves=found.leaves[order],
        risks={weighed.phrase: observed * weighed.scale, "nats": -log_prior, "bound": bounds * weighed.scale},
        judged_by="bound",
        root_risk=weighed.constant * weighed.scale,
        cv_risk=unknown,
        se=unknown,
        chosen=int(np.argmin(np.where(taken, bounds, np.inf))),
        rule="the least bound",
        rows="certifying rows",
    )


def _prior_of(weighed: WeighedTree) -> Prior:
    for prior in family(weighed.tree):
        if prior.name == weighed.pruning.prior:
            return prior
    raise ValueError(f"the prior {weighed.pruning.prior} is not one that the growing rows make")
