"""scikit-learn's tuned pruning is its own grid search's."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from bristlecone.experiments import pruning_sizes
from bristlecone.experiments.pruning_sizes import numbered, searched
from bristlecone.experiments.study import Loaded


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("regression", [False, True])
def test_the_search_is_scikit_learn_s(seed, regression, monkeypatch):
    monkeypatch.setattr(pruning_sizes, "MOST_ALPHAS", 8)
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(150, 3)))
    y = X[0].to_numpy() + rng.normal(size=150)
    y = y if regression else np.digitize(y, [-0.5, 0.5])
    kind = DecisionTreeRegressor if regression else DecisionTreeClassifier
    alphas = np.unique(np.maximum(kind(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas, 0.0))
    alphas = alphas[np.unique(np.linspace(0, len(alphas) - 1, 8).round().astype(int))]
    theirs = GridSearchCV(kind(random_state=0), {"ccp_alpha": alphas}, cv=5).fit(X, y).best_estimator_
    ours = searched(X, y, folds=5, regression=regression)
    assert ours.ccp_alpha == theirs.ccp_alpha and ours.get_n_leaves() == theirs.get_n_leaves()
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_names_are_numbered_in_their_order():
    frame = pd.DataFrame({"size": [1.5, 2.5, 0.5], "tree": ["oak", "ash", "oak"]})
    found = numbered(Loaded("toy", frame, np.zeros(3), False)).X
    assert found["size"].tolist() == [1.5, 2.5, 0.5] and found["tree"].tolist() == [1, 0, 1]
