"""Trees of bootstrap samples: n rows drawn from n with replacement, again and again.

Where the estimator takes Tables, the samples are weights on one Table, how often each row was drawn, so that columns
are coded once for all of them. Others get the drawn rows themselves, copies and all. A row with a weight of its own is
drawn with it: the two are multiplied. An estimator that certifies by counting rows gets rows, copies as one group, so
that they are never grown on and counted too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bristlecone.estimators.foreign import counts_rows, fit_fresh, takes_tables, training_rows
from bristlecone.grow.chance import Rng
from bristlecone.grow.targets import Floats
from bristlecone.table.rows import take_rows

__all__ = ["bootstrap_models"]

Result = TypeVar("Result")


def bootstrap_models(
    estimator: Any,
    X: Any,
    y: npt.NDArray[Any],
    own: Floats | None,
    n_bootstraps: int,
    look: Callable[[Any], Result],
    rng: Rng,
    n_threads: int,
) -> Iterator[Result]:
    """What `look` makes of each model, in the order of the samples; the models themselves are not kept.

    own: (n_rows,) the rows' own weights, or None.
    """
    weighted, grouped = takes_tables(estimator), counts_rows(estimator)
    rows = training_rows(estimator, X)
    draws = [rng.integers(len(y), size=len(y)) for _ in range(n_bootstraps)]

    def fitted(drawn: npt.NDArray[np.int64]) -> Result:
        own_drawn = None if own is None else own[drawn]
        if grouped:
            return look(fit_fresh(estimator, take_rows(rows, drawn), y[drawn], own_drawn, groups=drawn))
        if weighted:
            times = np.bincount(drawn, minlength=len(y)).astype(np.float64)
            return look(fit_fresh(estimator, rows, y, times if own is None else times * own))
        return look(fit_fresh(estimator, take_rows(rows, drawn), y[drawn], own_drawn))

    with ThreadPoolExecutor(n_threads) as pool:
        yield from pool.map(fitted, draws)
