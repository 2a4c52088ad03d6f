"""The libraries that are measured: each grows one tree under the limits of a work.

Words: a *peer* prepares its own data set from the plain array (`prepare`, timed apart) and then grows (`grow`). It gets
rows in the number type that suits it best (`dtype`). Peers that are not installed are left out. What a peer cannot be
asked for exactly stands in its `note`.
"""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from abc import ABC, abstractmethod
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from works import Features, Targets, Work, binary, integers

Weights = NDArray[np.float64] | None
HERE = Path(__file__).parent
UNLIMITED_DEPTH = 64  # for peers without an unlimited mode
RPART_DEPTH = 30  # the most it allows
RPART_ROWS = 100_000  # beyond, it takes minutes


class Peer(ABC):
    """One library; `threads` is handed to it, never left to its default."""

    package: str
    note: str = ""
    threaded: bool = True

    def __init__(self, work: Work, threads: int) -> None:
        self.work = work
        self.threads = threads

    @classmethod
    def version(cls) -> str | None:
        """Its installed version, None where it is not installed."""
        try:
            return version(cls.package)
        except PackageNotFoundError:
            return None

    @classmethod
    def offers(cls, work: Work) -> bool:
        """Whether it can be asked for this work at all."""
        return not (work.folds or work.criterion or work.weighted)

    @abstractmethod
    def command(self, folder: Path, answers: tuple[Path, Path]) -> list[str]:
        """The process that measures it on the arrays of `folder`: it ends with a `Measurement` as one line of JSON.

        Its answers on the learning and the held-out rows go to the two files, as plain float64.
        """


class Library(Peer):
    """A peer that is called from Python, with rows of its `dtype`."""

    dtype: type = np.float32

    def command(self, folder: Path, answers: tuple[Path, Path]) -> list[str]:
        request = folder / "request.pickle"
        request.write_bytes(pickle.dumps((self, folder, answers)))
        return [sys.executable, str(HERE / "measure.py"), str(request)]

    def prepare(self, X: Features, y: Targets, weights: Weights) -> Any:
        """The data set of the library; by default the arrays themselves. Those that offer no weights get None."""
        return X, y

    def options(self) -> dict[str, Any]:
        """Parameters of the work under scikit-learn's names."""
        limits, criterion = self.work.limits, self.work.criterion
        chosen = {} if criterion is None else {"criterion": criterion}
        return {"max_depth": limits.max_depth, "min_samples_leaf": limits.min_samples_leaf, **chosen}

    @abstractmethod
    def grow(self, data: Any) -> Any:
        """One tree from what `prepare` returned."""

    @abstractmethod
    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        """Labels or values, one a row."""

    @abstractmethod
    def leaves(self, model: Any) -> int | None:
        """How many leaves the model has, over all of its trees; None where the library does not tell."""

    def classes(self, y: Targets) -> int:
        """How many classes there are; 0 in regression."""
        return 0 if self.work.regression else int(y.max()) + 1

    def answers(self, scores: Any) -> NDArray[Any]:
        """Values as they are; of classes the second of two where its score is above 1/2, or the one of the highest."""
        answer = np.asarray(scores)
        if self.work.regression:
            return answer
        return answer.argmax(axis=1) if answer.ndim == 2 else (answer > 0.5).astype(np.int64)


class Bristlecone(Library):
    package = "bristlecone"
    dtype = np.float64

    @classmethod
    def offers(cls, work: Work) -> bool:
        return True

    def prepare(self, X: Features, y: Targets, weights: Weights) -> Any:
        return X, y, weights

    def grow(self, data: Any) -> Any:
        import bristlecone as bc

        kind = bc.DecisionTreeRegressor if self.work.regression else bc.DecisionTreeClassifier
        levels = list(self.work.categorical) or None
        model: Any = kind(**self.options(), categorical_features=levels, n_jobs=self.threads)
        if self.work.folds:
            pruned = bc.PrunedTreeRegressor if self.work.regression else bc.PrunedTreeClassifier
            model = pruned(base=model, cv=self.work.folds, n_jobs=self.threads)
        return model.fit(*data)

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        return np.asarray(model.predict(X))

    def leaves(self, model: Any) -> int:
        return int(model.get_n_leaves())


class ScikitLearn(Library):
    package = "scikit-learn"
    note = "levels as numbers"
    threaded = False

    @classmethod
    def offers(cls, work: Work) -> bool:
        return True

    def prepare(self, X: Features, y: Targets, weights: Weights) -> Any:
        return X, y, weights

    def grow(self, data: Any) -> Any:
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        kind = DecisionTreeRegressor if self.work.regression else DecisionTreeClassifier
        model = kind(**self.options(), random_state=0)
        return self._pruned(model, *data) if self.work.folds else model.fit(*data)

    def _pruned(self, model: Any, X: Features, y: Targets, weights: Weights) -> Any:
        """At most 50 of the path's alphas tried by cross-validation, as its users do by hand."""
        from sklearn.model_selection import GridSearchCV

        alphas = model.cost_complexity_pruning_path(X, y, weights).ccp_alphas
        tried = np.unique(np.quantile(np.maximum(alphas, 0.0), np.linspace(0, 1, 50)))
        search = GridSearchCV(model, {"ccp_alpha": tried}, cv=self.work.folds, n_jobs=self.threads)
        return search.fit(X, y, sample_weight=weights).best_estimator_

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        return np.asarray(model.predict(X))

    def leaves(self, model: Any) -> int:
        return int(model.get_n_leaves())


class Booster(Library):
    """A peer that grows a tree for each class."""

    @classmethod
    def offers(cls, work: Work) -> bool:
        """Not ten trees of 100,000 leaves and more: that takes minutes, and is another task."""
        return super().offers(work) and not (work.make is integers and work.limits.max_depth is None)


class LightGBM(Booster):
    package = "lightgbm"
    note = "one boosting round on 255 bins; a tree a class, so not asked for W3b"

    def prepare(self, X: Features, y: Targets, weights: Weights) -> Any:
        import lightgbm

        categorical = list(self.work.categorical) or "auto"
        params = self._params(y)
        return lightgbm.Dataset(X, y, categorical_feature=categorical, params=params).construct(), params

    def _params(self, y: Targets) -> dict[str, Any]:
        limits = self.work.limits
        depth = limits.max_depth
        classes = self.classes(y)
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
            "force_col_wise": True,  # its faster way here, and no trial of both
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
        return self.answers(model.predict(X, num_threads=self.threads))

    def leaves(self, model: Any) -> int:
        return sum(int(count) for count in re.findall(r"^num_leaves=(\d+)", model.model_to_string(), re.MULTILINE))


class YDF(Library):
    package = "ydf"
    note = "CART learner"

    def prepare(self, X: Features, y: Targets, weights: Weights) -> Any:
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
        return self.answers(model.predict(self._columns(X)))

    def leaves(self, model: Any) -> int:
        return (int(model.num_nodes()) + 1) // 2


class XGBoost(Booster):
    package = "xgboost"
    note = "one boosting round, exact; a tree a class, so not asked for W3b; levels as numbers"

    def prepare(self, X: Features, y: Targets, weights: Weights) -> Any:
        import xgboost

        return xgboost.DMatrix(X, y, nthread=self.threads), self.classes(y)

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

        return self.answers(model.predict(xgboost.DMatrix(X, nthread=self.threads)))

    def leaves(self, model: Any) -> int:
        return sum(dump.count("leaf=") for dump in model.get_dump())


class Biosphere(Library):
    package = "biosphere"
    note = "means of 0 and 1 stand for two classes; does not tell its leaves"
    dtype = np.float64
    threaded = False

    @classmethod
    def offers(cls, work: Work) -> bool:
        return super().offers(work) and not work.categorical and (work.regression or work.make is binary)

    def prepare(self, X: Features, y: Targets, weights: Weights) -> Any:
        return X, y.astype(np.float64)

    def grow(self, data: Any) -> Any:
        from biosphere import DecisionTree

        limits = self.work.limits
        model = DecisionTree(limits.max_depth, None, min_samples_leaf=limits.min_samples_leaf, random_state=0)
        model.fit(*data)
        return model

    def predict(self, model: Any, X: Features) -> NDArray[Any]:
        return self.answers(model.predict(X))

    def leaves(self, model: Any) -> None:
        return None


class Rpart(Peer):
    package = "rpart"
    note = f"in R; depth {RPART_DEPTH} at most; only on works of at most {RPART_ROWS:,} rows"
    threaded = False

    @classmethod
    def version(cls) -> str | None:
        try:
            command = ["Rscript", "-e", "cat(format(packageVersion('rpart')))"]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return None

    @classmethod
    def offers(cls, work: Work) -> bool:
        return work.rows <= RPART_ROWS and not (work.categorical or work.criterion or work.weighted)

    def command(self, folder: Path, answers: tuple[Path, Path]) -> list[str]:
        kind = "anova" if self.work.regression else "class"
        leaf, depth = self.work.limits.min_samples_leaf, self.work.limits.max_depth or RPART_DEPTH
        numbers = map(str, (leaf, depth, self.work.folds))
        return ["Rscript", str(HERE / "rpart.R"), str(folder), *map(str, answers), kind, *numbers]


PEERS: dict[str, type[Peer]] = {
    peer.package: peer for peer in (Bristlecone, ScikitLearn, LightGBM, YDF, XGBoost, Biosphere, Rpart)
}
