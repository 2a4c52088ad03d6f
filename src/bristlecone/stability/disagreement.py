"""How far trees of bootstrap samples differ. SPEC B4.

any         the share of rows on which some two of B trees give different answers. It can only rise with B, so a value
            without its B says nothing.
pairwise    the share of rows on which two of them differ, the mean over all pairs; it depends on B only by chance.
entropy     of the answers to one row, in bits: 0 where all agree.
census      how often each column, and each question, stands at the root.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.estimators.foreign import n_leaves, root_split, training_rows
from bristlecone.grow.cart import thread_count
from bristlecone.grow.chance import generator
from bristlecone.grow.parameters import PARAMETERS, check_parameters, whole
from bristlecone.grow.targets import class_target, present_rows
from bristlecone.stability.resample import bootstrap_models
from bristlecone.table import is_missing
from bristlecone.table.rows import check_same_rows, row_count
from bristlecone.tree.lines import aligned

__all__ = ["Disagreement", "disagreement", "of_answers"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

_CHECKS = {"n_bootstraps": whole(2), "n_jobs": PARAMETERS["n_jobs"]}
_CELLS = 1 << 22  # of a table of votes that is held at a time
_Z = 1.959963984540054  # 95 % of a normal


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How far n_bootstraps models differ on n_test rows; see the head of this file.

    any_interval: 95 %, Wilson's over the test rows, for these models. pairwise_interval: 95 %, by leaving one model out
    (jackknife), for these rows; NaN of two models. entropy: (n_test,) bits. columns, questions: the census of roots by
    column and by question in words, most frequent first; a model of one leaf, or that is not one tree, has none.
    n_leaves: of each model, or None.
    """

    any: float
    any_interval: tuple[float, float]
    pairwise: float
    pairwise_interval: tuple[float, float]
    n_bootstraps: int
    n_test: int
    entropy: Floats
    columns: dict[str, int]
    questions: dict[str, int]
    n_leaves: tuple[int, ...] | None

    @property
    def sentences(self) -> list[str]:
        """The measures in words."""
        spread = [
            " to ".join(f"{100 * end:.1f}%" for end in ends) for ends in (self.any_interval, self.pairwise_interval)
        ]
        over_models = f" ({spread[1]}, 95% over models)" if self.n_bootstraps > 2 else ""
        told = [
            f"{self.any:.1%} of {self.n_test:,} rows get different answers from some two of {self.n_bootstraps:,} "
            f"models ({spread[0]}, 95% over rows)",
            f"{self.pairwise:.1%} from two of them, on average over pairs{over_models}",
            f"mean entropy of the answers to a row: {self.entropy.mean():.3f} bits",
        ]
        if self.n_leaves is not None:
            low, mean, high = min(self.n_leaves), np.mean(self.n_leaves), max(self.n_leaves)
            told.append(f"leaves: {low:,} to {high:,}, mean {mean:,.0f}")
        return told

    def census(self, most: int = 5) -> dict[str, list[str]]:
        """The `most` frequent columns at the root as columns of text; they may be empty."""
        shown = list(self.columns.items())[:most]
        shares = [f"{count / self.n_bootstraps:.0%}" for _, count in shown]
        return {"asked first": [name for name, _ in shown], "models": shares}

    def text(self, most: int = 5) -> str:
        """The measures in words, with the `most` frequent columns at the root."""
        lines = self.sentences
        if self.columns:
            lines += ["", aligned(self.census(most), left=["asked first"])]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()


def disagreement(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    n_bootstraps: int = 100,
    X_test: Any = None,
    sample_weight: Any = None,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> Disagreement:
    """Fit an estimator on bootstrap samples, and measure how far the models' answers differ.

    estimator: an unfitted classifier, of this library or in scikit-learn's form. X: array, frame or Table of n_rows
    rows, as it takes them; y: (n_rows,) labels. X_test: the rows to be answered; None for X, where models agree more,
    for each has seen most of the rows. sample_weight: (n_rows,) weights to fit with; a row of weight 0 is absent. What
    is drawn, and what is counted among the answered, are rows, each with the same chance, which take their weight
    along: a weight of 3 is one row that counts three times, not three rows. random_state: None, a whole number or a
    Generator. n_jobs: models fitted side by side; the result does not depend on it. Estimators of this library fit
    weights on one Table: how often a row was drawn is its weight, but limits in rows (`min_samples_*`) count it once.
    SPEC B4. Raises ValueError or TypeError naming what is wrong.
    """
    check_parameters({"n_bootstraps": n_bootstraps, "n_jobs": n_jobs}, _CHECKS)
    target = class_target(y)
    check_same_rows(row_count(X), len(target.codes))
    X, labels, weight = present_rows(X, target.classes[target.codes], sample_weight)
    rows = training_rows(estimator, X)
    asked = rows if X_test is None else X_test
    if row_count(asked) == 0:
        raise ValueError("X_test has no rows")

    def look(model: Any) -> tuple[Ints, tuple[int, str] | None, int | None, str]:
        codes = np.searchsorted(target.classes, model.predict(asked)).astype(np.int32)
        root = root_split(model)
        return codes, root, n_leaves(model), "" if root is None else _column_name(model, root[0])

    rng, n_threads = generator(random_state), thread_count(n_jobs)
    looks = list(bootstrap_models(estimator, rows, labels, weight, n_bootstraps, look, rng, n_threads))
    columns = Counter(name for *_, name in looks if name)
    questions = Counter(root[1] for _, root, *_ in looks if root is not None)
    sizes = [size for _, _, size, _ in looks if size is not None]
    leaves = tuple(sizes) if len(sizes) == n_bootstraps else None
    return _measured(np.array([codes for codes, *_ in looks]), columns, questions, leaves)


def of_answers(answers: npt.ArrayLike) -> Disagreement:
    """The same measures of answers that somebody else's models gave, (n_models, n_rows) labels of any one kind."""
    given = np.asarray(answers)
    if given.ndim != 2 or given.shape[0] < 2 or given.shape[1] == 0:
        raise ValueError(f"answers has shape {given.shape}; expected at least two models (rows) and one row (columns)")
    never = given.dtype.kind in "biu"
    lacking = np.array([] if never else [[is_missing(answer) for answer in model] for model in given.tolist()])
    if lacking.any():
        model, row = np.argwhere(lacking)[0].tolist()
        raise ValueError(f"answers: model {model} has none to row {row}")
    codes = class_target(given.ravel()).codes.reshape(given.shape)
    return _measured(codes, Counter(), Counter(), None)


def _column_name(model: Any, column: int) -> str:
    schema = getattr(model.tree_, "schema", None)
    if schema is not None:
        return str(schema.names[column])
    names = getattr(model, "feature_names_in_", None)
    return f"x{column}" if names is None else str(names[column])


def _measured(
    codes: Ints, columns: Counter[str], questions: Counter[str], leaves: tuple[int, ...] | None
) -> Disagreement:
    n_models, n_test = codes.shape
    differ, entropy, of_model = 0, np.empty(n_test), np.zeros(n_models)
    step = max(1, _CELLS // (int(codes.max()) + 1))
    for start in range(0, n_test, step):
        part = codes[:, start : start + step]
        votes = _votes(part)
        differ += int((votes.max(axis=1) < n_models).sum())
        share = votes / n_models
        entropy[start : start + step] = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
        agreeing = np.take_along_axis(votes, part.T, axis=1) - 1  # other models that say the same, (rows, models)
        of_model += (1 - agreeing / (n_models - 1)).sum(axis=0)
    of_model /= n_test  # each model against the others
    pairwise = float(of_model.mean())
    return Disagreement(
        any=differ / n_test,
        any_interval=_wilson(differ, n_test),
        pairwise=pairwise,
        pairwise_interval=_jackknife(of_model, pairwise),
        n_bootstraps=n_models,
        n_test=n_test,
        entropy=np.abs(entropy),
        columns=dict(columns.most_common()),
        questions=dict(questions.most_common()),
        n_leaves=leaves,
    )


def _votes(codes: Ints) -> Ints:
    """How many models give each answer to each row, (n_rows, n_answers)."""
    n_answers, n_rows = int(codes.max()) + 1, codes.shape[1]
    places = codes + n_answers * np.arange(n_rows)
    return np.bincount(places.ravel(), minlength=n_rows * n_answers).reshape(n_rows, n_answers)


def _wilson(k: int, n: int) -> tuple[float, float]:
    share, z2 = k / n, _Z**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def _jackknife(of_model: Floats, pairwise: float) -> tuple[float, float]:
    n = len(of_model)
    if n < 3:
        return math.nan, math.nan
    without = (n * pairwise - 2 * of_model) / (n - 2)  # the mean over pairs of the others
    half = _Z * math.sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
    return max(0.0, pairwise - half), min(1.0, pairwise + half)
