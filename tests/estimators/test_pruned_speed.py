"""How long a cross-validated fit takes: CPU time of one thread against one unpruned fit, in the same run."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier as TheirClassifier

import bristlecone as bc

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from works import WORKS

pytestmark = pytest.mark.slow


def seconds(*fits, repeats=3):
    """The median CPU time of each fit, all taken in turns."""
    spent = [[] for _ in fits]
    for _ in range(repeats):
        for fit, times in zip(fits, spent, strict=True):
            start = time.process_time()
            fit()
            times.append(time.process_time() - start)
    return [float(np.median(times)) for times in spent]


@pytest.mark.parametrize("min_samples_leaf", [1, 7])
def test_ten_folds_take_less_than_one_unpruned_fit_of_scikit_learns(min_samples_leaf):
    X, y = WORKS["W7"].data(50_000, seed=0)
    theirs = TheirClassifier(min_samples_leaf=min_samples_leaf, random_state=0)
    single = X.astype(np.float32)
    base = bc.DecisionTreeClassifier(min_samples_leaf=min_samples_leaf)
    pruned, once, unpruned = seconds(
        lambda: bc.PrunedTreeClassifier(base=base).fit(X, y), lambda: theirs.fit(single, y), lambda: base.fit(X, y)
    )
    assert pruned < 0.8 * once
    assert pruned < 14 * unpruned
