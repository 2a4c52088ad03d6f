"""The libraries that are measured: each grows one tree under the limits of a work.

Words: a *peer* prepares its own data set from the plain array (`prepare`, timed apart) and then grows (`grow`). Peers
that are not installed are left out. What a peer cannot be asked for exactly stands in its `note`.
"""

from __future__ import annotations

import importlib.util
from abc import ABC, abstractmethod
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray
from works import Features, Targets, Work

UNLIMITED_DEPTH = 64  # for peers without an unlimited mode


class Peer(ABC):
    """One library; `threads` is handed to it, never left to its default."""

    package: str
    note: str = ""

    def __init__(self, work: Work, threads: int) -> None:
        self.work = work
        self.threads = threads

    @classmethod
    def version(cls) -> str:
        """Its installed version."""
        return version(cls.package)

    @classmethod
    def offers(cls, work: Work) -> bool:
        """Whether it can be asked for this work at all."""
        return work.folds == 0

    def prepare(self, X: Features, y: Targets) -> Any:
        """The data set of the library; by default the arrays themselves."""
        return X, y

    @abstractmethod
    def grow(self, data: Any) -> Any:
        """One tree from what `prepare` returned."""

    @abstractmethod
    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        """Labels or values, one a row."""

    @abstractmethod
    def leaves(self, model: Any) -> int:
        """How many leaves the model has, over all of its trees."""


class Bristlecone(Peer):
    package = "bristlecone"

    def grow(self, data: Any) -> Any:
        import bristlecone as bc

        kind = bc.DecisionTreeRegressor if self.work.regression else bc.DecisionTreeClassifier
        model = kind(
            max_depth=self.work.limits.max_depth,
            min_samples_leaf=self.work.limits.min_samples_leaf,
            categorical_features=list(self.work.categorical) or None,
            n_jobs=self.threads,
        )
        return model.fit(*data)

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        return np.asarray(model.predict(X))

    def leaves(self, model: Any) -> int:
        return int(model.get_n_leaves())


class ScikitLearn(Peer):
    package = "scikit-learn"
    note = "one thread always; levels as numbers"

    @classmethod
    def offers(cls, work: Work) -> bool:
        return True

    def grow(self, data: Any) -> Any:
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        kind = DecisionTreeRegressor if self.work.regression else DecisionTreeClassifier
        limits = self.work.limits
        model = kind(max_depth=limits.max_depth, min_samples_leaf=limits.min_samples_leaf, random_state=0)
        return self._pruned(model, *data) if self.work.folds else model.fit(*data)

    def _pruned(self, model: Any, X: Features, y: Targets) -> Any:
        """At most 50 of the path's alphas tried by cross-validation, as its users do by hand."""
        from sklearn.model_selection import GridSearchCV

        alphas = model.cost_complexity_pruning_path(X, y).ccp_alphas
        tried = np.unique(np.quantile(np.maximum(alphas, 0.0), np.linspace(0, 1, 50)))
        search = GridSearchCV(model, {"ccp_alpha": tried}, cv=self.work.folds, n_jobs=self.threads)
        return search.fit(X, y).best_estimator_

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        return np.asarray(model.predict(X))

    def leaves(self, model: Any) -> int:
        return int(model.get_n_leaves())


class LightGBM(Peer):
    package = "lightgbm"
    note = "one boosting round on 255 bins; a tree a class"

    def prepare(self, X: Features, y: Targets) -> Any:
        import lightgbm

        categorical = list(self.work.categorical) or "auto"
        params = self._params(y)
        return lightgbm.Dataset(X, y, categorical_feature=categorical, params=params).construct(), params

    def _params(self, y: Targets) -> dict[str, Any]:
        limits = self.work.limits
        depth = limits.max_depth
        classes = 0 if self.work.regression else len(np.unique(y))
        objective = "regression" if not classes else "binary" if classes == 2 else "multiclass"
        return {
            "objective": objective,
            "num_class": classes if classes > 2 else 1,
            "num_leaves": self._most_leaves(len(y)) if depth is None else 2**depth,
            "histogram_pool_size": 512,
            "max_depth": -1 if depth is None else depth,
            "min_data_in_leaf": limits.min_samples_leaf,
            "min_sum_hessian_in_leaf": 0.0,
            "learning_rate": 1.0,
            "num_threads": self.threads,
            "verbosity": -1,
        }

    def _most_leaves(self, rows: int) -> int:
        """It allocates for as many leaves as it is allowed, so an unlimited tree is allowed a leaf per four rows."""
        return min(131_072, max(31, rows // max(4, self.work.limits.min_samples_leaf)))

    def grow(self, data: Any) -> Any:
        import lightgbm

        dataset, params = data
        return lightgbm.train(params, dataset, num_boost_round=1)

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        answer = np.asarray(model.predict(X, num_threads=self.threads))
        if self.work.regression:
            return answer
        return answer.argmax(axis=1) if answer.ndim == 2 else (answer > 0.5).astype(np.int64)

    def leaves(self, model: Any) -> int:
        return sum(int(tree["num_leaves"]) for tree in model.dump_model()["tree_info"])


class YDF(Peer):
    package = "ydf"
    note = "CART learner"

    def prepare(self, X: Features, y: Targets) -> Any:
        import ydf

        ydf.verbose(0)
        return {**self._columns(X), "y": y}

    def _columns(self, X: Features) -> dict[str, NDArray[Any]]:
        chosen = self.work.categorical
        return {
            f"x{j}": X[:, j].astype(np.int64).astype(str) if j in chosen else np.ascontiguousarray(X[:, j])
            for j in range(X.shape[1])
        }

    def grow(self, data: Any) -> Any:
        import ydf

        limits = self.work.limits
        learner = ydf.CartLearner(
            label="y",
            task=ydf.Task.REGRESSION if self.work.regression else ydf.Task.CLASSIFICATION,
            max_depth=-1 if limits.max_depth is None else limits.max_depth + 1,
            min_examples=limits.min_samples_leaf,
            validation_ratio=0.0,
            num_threads=self.threads,
        )
        return learner.train(data)

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        answer = np.asarray(model.predict(self._columns(X)))
        if self.work.regression:
            return answer
        return answer.argmax(axis=1) if answer.ndim == 2 else (answer > 0.5).astype(np.int64)

    def leaves(self, model: Any) -> int:
        return (int(model.num_nodes()) + 1) // 2


class XGBoost(Peer):
    package = "xgboost"
    note = "one boosting round, exact; a tree a class; levels as numbers"

    def prepare(self, X: Features, y: Targets) -> Any:
        import xgboost

        return xgboost.DMatrix(X, y, nthread=self.threads), len(np.unique(y))

    def grow(self, data: Any) -> Any:
        import xgboost

        matrix, classes = data
        limits = self.work.limits
        kind = "reg:squarederror" if self.work.regression else "binary:logistic" if classes == 2 else "multi:softprob"
        hessian = 1.0 if self.work.regression else 0.25 if classes == 2 else 2 * (classes - 1) / classes**2
        params = {
            "objective": kind,
            "tree_method": "exact",
            "max_depth": limits.max_depth or UNLIMITED_DEPTH,
            "min_child_weight": 0.0 if limits.min_samples_leaf == 1 else limits.min_samples_leaf * hessian,
            "learning_rate": 1.0,
            "reg_lambda": 0.0,
            "nthread": self.threads,
            **({"num_class": classes} if kind.startswith("multi") else {}),
            **({"base_score": 0.5} if classes == 2 and not self.work.regression else {}),
        }
        return xgboost.train(params, matrix, num_boost_round=1)

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        import xgboost

        answer = np.asarray(model.predict(xgboost.DMatrix(X, nthread=self.threads)))
        if self.work.regression:
            return answer
        return answer.argmax(axis=1) if answer.ndim == 2 else (answer > 0.5).astype(np.int64)

    def leaves(self, model: Any) -> int:
        return sum(dump.count("leaf=") for dump in model.get_dump())


IMPORT_NAMES = {"scikit-learn": "sklearn"}
PEERS: dict[str, type[Peer]] = {peer.package: peer for peer in (Bristlecone, ScikitLearn, LightGBM, YDF, XGBoost)}


def installed() -> list[str]:
    """Names of the peers that can be imported here, bristlecone first."""
    return [name for name in PEERS if importlib.util.find_spec(IMPORT_NAMES.get(name, name)) is not None]
