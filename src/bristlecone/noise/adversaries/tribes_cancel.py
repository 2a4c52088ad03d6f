"""The corruption of the noise paper's lower bound: relevant columns say the opposite of the label. SPEC D6; D8, 5."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bristlecone.grow.chance import Rng
from bristlecone.noise.sample import Change, Corrupted, Sample, budget, corrupt


def tribes_cancel(
    X: Any, y: Any, eta: float, *, relevant: Sequence[int | str] | None = None, random_state: Any = None
) -> Corrupted:
    """Replace floor(eta n) rows, drawn at random, by draws of the paper's distribution E.

    A bit b is drawn; the relevant columns all have their higher value where b = 1, their lower one where b = 0; every
    other column is drawn from its own cells, apart from all else; the label is the first class where b = 1.
    relevant: names or places of columns of two values; None for all columns. At eta = v / (1 + v) this brings the
    covariance of every column of a monotone target with equal covariances v to nothing. Two classes. SPEC D6.
    """

    def change(sample: Sample, eta: float, rng: Rng) -> Change:
        columns = _places(sample, relevant)
        rows = sample.random_rows(budget(eta, sample.n_rows), rng)
        sources = rng.integers(sample.n_rows, size=(len(rows), len(sample.table.schema)))
        bit = rng.integers(2, size=len(rows))
        sample.second  # noqa: B018 - refuses other than two classes
        for j in columns:
            codes = sample.questions.codes[j]
            sources[:, j] = np.array([np.argmax(codes == 0), np.argmax(codes == 1)])[bit]
        return Change(rows, (1 - bit).astype(np.int32), sources)

    return corrupt(X, y, eta, random_state, change)


def _places(sample: Sample, relevant: Sequence[int | str] | None) -> list[int]:
    names = sample.table.schema.names
    given = range(len(names)) if relevant is None else relevant
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(f"relevant={given!r}: must be a list of columns")
    places = []
    for one in given:
        place = names.index(one) if one in names else one
        if isinstance(place, bool) or not isinstance(place, int | np.integer) or not 0 <= place < len(names):
            raise ValueError(f"relevant: {one!r} is not one of the {len(names)} columns")
        missing = sample.questions.codes[place].max() == len(sample.questions.values[place])
        if len(sample.questions.values[place]) != 2 or missing:
            raise ValueError(f"relevant: column {names[place]!r} must have two values and no missing cell")
        places.append(int(place))
    return places
