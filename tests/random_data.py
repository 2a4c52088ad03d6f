"""Random data sets for whole trees, a pure function of a seed: columns, targets and weights of every awkward shape.

Hypothesis (``strategies.py``) finds small data; these reach what it does not: several hundred rows, columns of more
values than there are codes, bins of many rows, thousands of rows that a sample stands for, up to thirty classes.

Numbers come from a float generator, so two splits tie because they part the rows alike, not by chance. The targets'
reach is at most some ten thousand times their grain: gains nearer than 1e-12 of a node's impurity are ties.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from reference.impurity import CLASSIFICATION
from strategies import DataSet, growable

CONSTRAINED = ("gini", "entropy", "squared_error", "absolute_error", "poisson")
SIZES = ("small", "bins", "tall", "levels", "monotone")
Array = np.ndarray
Rng = np.random.Generator


def random_data(size: str, criterion: str, seed: int) -> DataSet:
    """The data set of this seed. size: "small", grown far; "bins" of some hundred rows and "tall" of thousands, both of
    many values a column; "levels" of categories; "monotone"."""
    rng = np.random.default_rng([SIZES.index(size), seed, *criterion.encode()])
    while not growable(data := _made(rng, size, criterion), criterion):
        pass
    return data


def _made(rng: Rng, size: str, criterion: str) -> DataSet:
    n_rows = int({"bins": rng.integers(320, 520), "tall": rng.integers(8200, 10500)}.get(size, rng.integers(2, 48)))
    n_columns = int(rng.integers(1, 3 if size == "tall" else 5))
    share = {"levels": 0.7, "bins": 0.25, "tall": 0.0}.get(size, 0.1)
    categorical = [bool(rng.random() < share) for _ in range(n_columns)]
    if size == "monotone":
        categorical[0] = False
    n_classes = _class_count(rng, size) if criterion in CLASSIFICATION else 0
    # Where a theorem orders the levels, and no limit forbids a prefix, the twin can look at any number of them.
    in_order = size == "bins" and (n_classes == 2 or criterion == "squared_error") and rng.random() < 0.5
    most_levels = int(rng.choice([30, 320])) if in_order else {"small": 6, "bins": 8, "levels": 8}.get(size, 4)
    columns = [_levels(rng, n_rows, most_levels) if levels else _numbers(rng, n_rows, size) for levels in categorical]
    _relate(rng, columns, categorical)
    signal = _signal(rng, columns)
    weights = _weights(rng, n_rows, size)
    limits = _limits(rng, size, n_rows, weights)
    if in_order:
        limits = {name: limit for name, limit in limits.items() if not name.endswith("leaf")}
    monotone = None
    if size == "monotone":
        monotone = [0 if levels else int(rng.integers(-1, 2)) for levels in categorical]
        monotone[0] = monotone[0] or 1
    return DataSet(
        [_with_gaps(rng, cells, size) for cells in columns],
        categorical,
        _numbers_of(rng, criterion, signal, size) if n_classes == 0 else _classes_of(rng, signal, n_classes),
        weights,
        limits,
        monotone,
    )


NUMBERS: list[Callable[[Rng, int], Array]] = [
    lambda rng, n: rng.standard_normal(n),
    lambda rng, n: rng.standard_normal(n).round(1),
    lambda rng, n: rng.integers(0, 5, n).astype(float),
    lambda rng, n: rng.integers(-200, 200, n).astype(float),
    lambda rng, n: rng.standard_cauchy(n),
    lambda rng, n: np.exp(20 * rng.standard_normal(n)),
    lambda rng, n: rng.chisquare(1, n).round(2),
    lambda rng, n: rng.geometric(0.02, n).astype(float),
    lambda rng, n: rng.standard_normal(n) * (rng.random(n) < 0.3),  # most are zero, some of them -0.0
    lambda rng, n: 1e9 + rng.integers(0, 400, n),
    lambda rng, n: 1.6e16 + 2.0 * rng.integers(0, 300, n),
    lambda rng, n: 1.0 + rng.integers(0, 400, n) * 2.0**-52,  # adjacent numbers
    lambda rng, n: rng.integers(-300, 300, n) * 5e-324,
    lambda rng, n: rng.uniform(-1.0, 1.0, n) * 1.7e308,
    lambda rng, n: rng.choice([-1e300, -1e-300, 0.0, 1e-300, 1e300], n) * rng.integers(1, 99, n),
    lambda rng, n: np.where(np.arange(n) == rng.integers(n), 1.0, 0.0),  # one row differs
    lambda rng, n: np.full(n, rng.standard_normal()),
    lambda rng, n: np.arange(n) * 1.0,
    lambda rng, n: rng.permutation(n) // 2 * -0.5,
    lambda rng, n: rng.standard_normal(n).astype(np.float32).astype(float),
    lambda rng, n: rng.integers(0, rng.choice([254, 255, 256, 257, 258]), n).astype(float),  # about as many as codes
    lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.standard_normal(n)),  # one value fills many quantiles
]


def _numbers(rng: Rng, n_rows: int, size: str) -> Array:
    cells = NUMBERS[rng.integers(len(NUMBERS))](rng, n_rows)
    while size == "bins" and len(np.unique(cells)) <= 300 and rng.random() < 0.7:
        cells = NUMBERS[rng.integers(len(NUMBERS))](rng, n_rows)
    if size != "tall" or len(np.unique(cells)) < 500:
        return cells
    # The twin looks at every value, so a tall column has a few hundred; at times one that no sample of its rows shows.
    ranks = np.argsort(np.argsort(cells, kind="stable"))
    kept = np.sort(cells)[:: n_rows // int(rng.integers(100, 400))]
    tied = kept[ranks * len(kept) // n_rows]
    if rng.random() < 0.5:
        tied[rng.integers(n_rows)] = np.nextafter(kept[len(kept) // 2], np.inf)
    return tied


def _levels(rng: Rng, n_rows: int, most: int) -> Array:
    codes = rng.integers(0, rng.integers(1, most + 1), n_rows)
    return np.unique(codes, return_inverse=True)[1].astype(float)


def _relate(rng: Rng, columns: list[Array], categorical: list[bool]) -> None:
    """At times one column says what another says, as it is or upside down: splits that tie, in another order."""
    numeric = [index for index, levels in enumerate(categorical) if not levels]
    if len(numeric) > 1 and rng.random() < 0.25:
        one, other = rng.choice(numeric, 2, replace=False)
        columns[other] = columns[one] * rng.choice([1.0, -1.0, 0.5])


def _with_gaps(rng: Rng, cells: Array, size: str) -> Array:
    share = rng.choice([0.0, 0.0, 0.0, 0.05, 0.2, 0.9, 1.0], p=[0.3, 0.2, 0.1, 0.15, 0.15, 0.08, 0.02])
    gaps = rng.random(len(cells)) < share
    if rng.random() < 0.5:  # missing where the value is low
        gaps &= cells <= np.median(cells)
    return np.where(gaps, np.nan, cells)


def _signal(rng: Rng, columns: list[Array]) -> Array:
    """A number a row, from the ranks of the columns, between nothing but noise and hardly any."""
    total = np.zeros(len(columns[0]))
    for cells in columns:
        ranks = np.unique(cells, return_inverse=True)[1]
        total += rng.standard_normal() * np.sin(rng.uniform(1, 6) * ranks / max(1, ranks.max()))
    return total + rng.choice([0.05, 0.5, 5.0]) * rng.standard_normal(len(total))


def _class_count(rng: Rng, size: str) -> int:
    most = int(rng.choice([2, 2, 3, 5, 12, 30]))
    return min(most, {"monotone": 2, "levels": 5}.get(size, 30))


def _classes_of(rng: Rng, signal: Array, n_classes: int) -> Array:
    classes = np.digitize(signal, np.sort(rng.choice(signal, n_classes - 1)))
    return rng.permutation(n_classes)[classes] if rng.random() < 0.5 else classes


def _numbers_of(rng: Rng, criterion: str, signal: Array, size: str) -> Array:
    whole = np.round(signal * rng.choice([1.0, 4.0, 30.0]))
    kinds = [
        whole,
        whole if size in ("bins", "tall") else whole / 8,
        np.round(signal * 3) ** 3,
        np.where(rng.random(len(signal)) < 0.02, 500.0, whole),  # heavy tails
        np.where(rng.random(len(signal)) < 0.6, 0.0, whole),
    ]
    y = kinds[rng.integers(len(kinds))]
    if criterion == "poisson":
        return np.abs(y)
    if rng.random() < 0.3:
        return y * 2.0 ** rng.integers(-200 if size == "small" else 0, 200)
    return y + rng.choice([0.0, 0.0, 1e6, -3e9])


def _weights(rng: Rng, n_rows: int, size: str) -> Array | None:
    kinds: list[Callable[[], Array | None]] = [
        lambda: None,
        lambda: None,
        lambda: np.full(n_rows, rng.choice([1.0, 0.1, 3.0, 1e-200])),
        lambda: rng.integers(0, 4, n_rows).astype(float),
        lambda: rng.integers(1, 1000, n_rows).astype(float),
        lambda: (rng.random(n_rows) < 0.3).astype(float),
        lambda: rng.integers(0, 40, n_rows) / 8.0,
        lambda: rng.random(n_rows) * rng.choice([1.0, 1e-9, 1e9]),
        lambda: np.exp(2 * rng.standard_normal(n_rows)),
    ]
    return kinds[rng.integers(6 if size == "tall" else len(kinds))]()  # fractions are slow


def _limits(rng: Rng, size: str, n_rows: int, weights: Array | None) -> dict:
    """Limits in weight are sums of whole weights, and lie between sums of others: 6 * 0.1 is not 0.6."""
    unit, beside = (1.0, 0.0) if weights is None or (weights % 1 == 0).all() else (float(weights.mean()), 0.37)
    choices = {
        "min_samples_split": int(rng.integers(2, 3 + n_rows // 4)),
        "min_samples_leaf": int(rng.integers(1, 2 + n_rows // 10)),
        "min_weight_fraction_leaf": float(rng.choice([1 / 64, 1 / 8, 3 / 16])),
        "min_weight_leaf": (int(rng.integers(1, 2 + n_rows // 10)) + beside) * unit,
        "min_weight_split": (int(rng.integers(1, 3 + n_rows // 3)) + beside) * unit,
        "zero_gain": "stop",
    }
    names = rng.choice(list(choices), rng.choice([0, 0, 1, 2]), replace=False)
    chosen = {str(name): choices[name] for name in names}
    deepest = {"bins": 3, "tall": 2}.get(size)
    if deepest is not None or rng.random() < 0.1:
        chosen["max_depth"] = deepest or int(rng.integers(1, 4))
    if rng.random() < 0.25:
        chosen["max_leaf_nodes"] = int(rng.integers(2, 9))
    return chosen


def noisy_classes(n, seed=0, n_classes=3):
    """n rows of three columns, the first of which tells the class of all but some, and their labels."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    y = np.floor(X[:, 0] * n_classes).astype(int)
    noisy = rng.random(n) < 0.15
    y[noisy] = rng.integers(0, n_classes, noisy.sum())
    return X, y
