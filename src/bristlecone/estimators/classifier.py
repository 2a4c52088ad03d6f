"""DecisionTreeClassifier: an exact greedy tree over classes."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from bristlecone.estimators.base import DecisionTree
from bristlecone.estimators.fitted import FittedClassifier
from bristlecone.estimators.targets import class_labels

__all__ = ["DecisionTreeClassifier"]


class DecisionTreeClassifier(FittedClassifier, DecisionTree):
    """A single classification tree, grown exactly in float64 (SPEC B1-B2); parameters as in scikit-learn's.

    Parameters
    ----------
    criterion : "gini", "entropy" (bits; "log_loss" is the same), "sqrt" or "gain_ratio"; or a `grow.Impurity`, any
        concave function of the second class's share, for two classes without missing cells (many times slower).
    max_depth : None or int. The longest path, in questions; 0 gives a single leaf.
    min_samples_split, min_samples_leaf : int, or a fraction of the rows. They count rows, never weight.
    min_weight_split, min_weight_leaf : float. Their counterparts in weight.
    min_weight_fraction_leaf : float in [0, 0.5]. As `min_weight_leaf`, as a share of all weight.
    max_leaf_nodes : None or int. If given, the node of the largest gain is split first.
    min_impurity_decrease : float. The least gain of a split times its node's share of the weight.
    zero_gain : "split" (an impure node is split even where no split gains by itself, so that XOR is learned) or "stop".
    ccp_alpha : None, or a number of at least 0. None leaves the grown tree as it is; any number, 0.0 included, makes it
        the smallest of its prunings that minimise mean impurity (by weight) + ccp_alpha * leaves (SPEC B3).
    priors : None, or a dict or array over `classes_` of positive numbers, made to sum to 1. The weights of each class
        are scaled so that its total share is its prior (rpart's altered priors).
    loss : None, or a matrix (n_classes, n_classes): loss[i][j] >= 0 is the cost of answering class j when class i is
        true, zeros on the diagonal. Growth uses altered priors, `predict` minimises the expected cost.
    class_weight : None, "balanced" or a dict from class to weight. A row weighs sample_weight * class_weight of its
        class; "balanced" is n / (n_classes * rows of the class), counted in rows, not in weight.
    monotonic_cst : None, or -1, 0 or 1 for each column, as an array or a dict by name: the probability of the second
        class may only fall, do anything, or only rise. Two classes only.
    categorical_features : "from_dtype" (text and category columns of a frame), None, or names, indices or a mask.
    missing : "learn" (each split learns the side of missing values) or "error" (a missing cell is refused, at fit and
        at predict, in any column).
    unseen : "stop" (a level that a node has not seen ends the walk there), "heavier" (it follows the heavier child) or
        "error".
    n_jobs : None (1), or the number of threads; -1 for all cores. The tree is the same for any number.
    splitter, max_features, random_state : "best", None (or 1.0), and whatever is a seed. Parameters of scikit-learn's,
        taken so that programs run unchanged: all splits of all columns are looked at, and nothing is random.

    Fitted attributes: `tree_`, `classes_` (n_classes,), `n_classes_`, `n_features_in_`, `feature_names_in_`,
    `feature_importances_`. A class whose rows all weigh zero stays in `classes_`, with probability 0 everywhere, so
    that the columns of `predict_proba` do not depend on the weights.
    """

    _task: ClassVar[str] = "classification"
    _target = staticmethod(class_labels)

    def __init__(  # noqa: PLR0913  (scikit-learn reads the parameters from this signature)
        self,
        *,
        criterion: Any = "gini",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        zero_gain: str = "split",
        min_weight_split: float = 0.0,
        min_weight_leaf: float = 0.0,
        ccp_alpha: float | None = None,
        priors: Any = None,
        loss: Any = None,
        class_weight: Any = None,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = "learn",
        unseen: str = "stop",
        n_jobs: int | None = None,
        splitter: str = "best",
        max_features: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.zero_gain = zero_gain
        self.min_weight_split = min_weight_split
        self.min_weight_leaf = min_weight_leaf
        self.ccp_alpha = ccp_alpha
        self.priors = priors
        self.loss = loss
        self.class_weight = class_weight
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.missing = missing
        self.unseen = unseen
        self.n_jobs = n_jobs
        self.splitter = splitter
        self.max_features = max_features
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        X: array, frame or Table of shape (n_rows, n_features); y: (n_rows,) labels of any one kind; sample_weight:
        (n_rows,) non-negative, a row of weight zero is absent. Errors: ValueError naming the parameter, row or column.
        """
        table, parameters = self._open(X)
        return self._fit(table, class_labels(y, type(self).__name__), sample_weight, parameters)
