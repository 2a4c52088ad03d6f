"""The tree: an immutable bundle of parallel arrays, parents before children, checked unless the core has just made it.

node        an index into the arrays; 0 is the root. Pre-order: the left child of v is v + 1.
left        the side of `x < threshold`, of the levels marked left, or of a value that is present.
counts      weight per class; rows per class are counted apart, fractions are `value`. Three names, three things.
stop        a row stops at a leaf, or at the inner node that does not know its level.
empty leaf  one that no training row reached (n_node_samples 0): it has no counts, and its fractions are its parent's.
            Trees that cut space grow them; its sibling and all inner nodes have rows.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bristlecone import _core
from bristlecone.table.schema import Schema
from bristlecone.tree import arrays, conditions, distributions, layout, routing, validation
from bristlecone.tree.arrays import Array, Floats, Ints

if TYPE_CHECKING:
    from bristlecone.tree.contributions import Contributions
    from bristlecone.tree.explain import Explanation
    from bristlecone.tree.nearest import Alternatives

MOST_FRACTIONS = 1 << 17  # entries of a table of class fractions that a tree keeps: a megabyte

Runner = tuple[int, float, tuple[int, ...], float]


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """One decision tree, for classification or regression.

    Arrays are indexed by node unless said otherwise. children_left, children_right: -1 at leaves. feature: column of
    the split, -2 at leaves. threshold: left is x < threshold; -2.0 at leaves, NaN where the split is a level set, +inf
    where it parts present (left) from missing. missing_go_to_left: side of a missing value. level_ptr (n_nodes + 1),
    level_code, level_left: the levels known at each node, ascending, and their side. heuristic: 1 where a level set was
    not found by exhaustive or proven search. n_node_samples: rows. weighted_n_node_samples: their weight. impurity: by
    `criterion`. prediction: the value (regression) or the clipped probability of class 1 (monotone constraints), else
    NaN. label: index into `classes`, -1 in regression. count_ptr, count_class, count_weight, count_rows: class counts
    at leaves, sparse. runners: per node, the runner-up splits (feature, threshold, left level codes, gain), best first.
    unseen: "stop", "heavier" or "error"; missing: "learn" or "error".

    Raises ValueError naming the node, or TypeError, for anything that is not a tree; also when unpickled.
    """

    schema: Schema
    task: str
    classes: Array | None
    children_left: npt.NDArray[np.int32]
    children_right: npt.NDArray[np.int32]
    feature: npt.NDArray[np.int32]
    threshold: Floats
    missing_go_to_left: npt.NDArray[np.uint8]
    level_ptr: Ints
    level_code: npt.NDArray[np.int32]
    level_left: npt.NDArray[np.uint8]
    heuristic: npt.NDArray[np.uint8]
    n_node_samples: Ints
    weighted_n_node_samples: Floats
    impurity: Floats
    prediction: Floats
    label: npt.NDArray[np.int32]
    count_ptr: Ints
    count_class: npt.NDArray[np.int32]
    count_weight: Floats
    count_rows: Ints
    criterion: str
    unseen: str = "stop"
    missing: str = "learn"
    runners: tuple[tuple[Runner, ...], ...] = ()

    def __post_init__(self) -> None:
        validation.check_words(self)
        held = {name: arrays.as_field(name, getattr(self, name)) for name in arrays.FIELDS}
        arrays.check_lengths(held)
        self._set(held | {"classes": validation.as_classes(self.task, self.classes)})
        validation.check_children_range(self)
        self._set({"_router": routing.make_router(self)})
        validation.check_pre_order(self)
        validation.check_leaves(self)
        validation.check_splits(self)
        validation.check_numbers(self)
        if self.task == "regression":
            validation.check_regression(self)
        else:
            validation.check_classification(self)
        self._set({"runners": validation.as_runners(self)})

    def _set(self, held: Mapping[str, object]) -> None:
        for name, value in held.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_arrays(
        cls,
        schema: Schema,
        task: str,
        classes: npt.ArrayLike | None,
        given: Mapping[str, npt.ArrayLike],
        *,
        criterion: str,
        **choices: Any,
    ) -> Self:
        """A tree from its arrays by name; choices are `unseen`, `missing` and `runners`.

        Arrays that a tree of this kind does not need may be left out: level sets, heuristic marks, class counts and
        labels (regression), clipped probabilities (classification).
        Raises ValueError for an unknown or a lacking array.
        """
        unknown = set(given) - set(arrays.FIELDS)
        if unknown:
            raise ValueError(f"a tree has no array {sorted(unknown)[0]!r}")
        held = arrays.unused(task, len(np.atleast_1d(given.get("children_left", ())))) | dict(given)
        lacking = [name for name in arrays.FIELDS if name not in held]
        if lacking:
            raise ValueError(f"the array {lacking[0]!r} is missing")
        return cls(schema=schema, task=task, classes=classes, criterion=criterion, **held, **choices)  # type: ignore[arg-type]

    @classmethod
    def grown(
        cls,
        schema: Schema,
        task: str,
        classes: Array | None,
        held: Mapping[str, Array],
        *,
        criterion: str,
        **choices: Any,
    ) -> Self:
        """A tree that the compiled core has just grown from columns of this schema; not for arrays from elsewhere.

        held: all arrays, of their own number types, closed to writing. What the constructor would check of them holds
        by construction; what the walk looks up is checked all the same, before the first walk. classes: distinct.
        choices: `unseen`, `missing` and `runners`. Raises TypeError for classes of a type that cannot be labels.
        """
        if classes is not None:
            classes = arrays.frozen(classes) if classes.dtype.kind in "biuf" else validation.as_classes(task, classes)
        tree = object.__new__(cls)
        vars(tree).update(schema=schema, task=task, classes=classes, criterion=criterion, **held, **choices)
        return tree

    def __getstate__(self) -> dict[str, Any]:
        state = {field.name: getattr(self, field.name) for field in fields(self)}
        return state | {"schema": self.schema.to_dict()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # skops fills an empty object by this door, so it must check as the constructor does.
        self.__init__(**(state | {"schema": Schema.from_dict(state["schema"])}))  # type: ignore[misc]

    def __reduce__(self) -> tuple[Any, ...]:
        # Not the class itself: skops would then store the schema object by object, and its enum would not load again.
        return rebuild, tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        return f"<Tree: {self.task}, {self.n_leaves} leaves, depth {self.max_depth}, {self.n_features} columns>"

    def __str__(self) -> str:
        from bristlecone.tree.text import draw

        return draw(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the tree, to fold."""
        from bristlecone.tree.html import as_html

        return as_html(self)

    def equals(self, other: "Tree") -> bool:
        """Whether two trees are the same in every field, NaN equal to NaN."""
        return all(_same(getattr(self, field.name), getattr(other, field.name)) for field in fields(self))

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.children_left)

    @property
    def node_count(self) -> int:
        """`n_nodes`, by scikit-learn's name."""
        return self.n_nodes

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return (self.n_nodes + 1) // 2

    @property
    def n_features(self) -> int:
        """The number of columns of the schema."""
        return len(self.schema)

    @property
    def n_classes(self) -> int:
        """The number of classes; 0 in regression."""
        return 0 if self.classes is None else len(self.classes)

    @property
    def max_depth(self) -> int:
        """The number of splits on the longest path."""
        return int(self.depth.max())

    @cached_property
    def parent(self) -> Ints:
        """The parent of each node, -1 for the root."""
        return arrays.read_only(layout.parents(self.children_left, self.children_right))

    @cached_property
    def depth(self) -> Ints:
        """The number of splits above each node."""
        return arrays.read_only(layout.depths(self.parent))

    @cached_property
    def subtree_end(self) -> Ints:
        """One past the last node of each subtree: node v and all below it are v .. subtree_end[v] - 1."""
        return arrays.read_only(layout.subtree_ends(self.children_right))

    @cached_property
    def heavier_left(self) -> npt.NDArray[np.uint8]:
        """1 where the left child has at least the weight of the right one; 0 at leaves."""
        weight = self.weighted_n_node_samples
        heavier = weight.take(self.children_left) >= weight.take(self.children_right)
        heavier &= self.children_left >= 0
        return arrays.read_only(heavier.view(np.uint8))

    @cached_property
    def informed_by(self) -> Ints:
        """The node whose training rows each node's fractions rest on: itself, or the parent of an empty leaf."""
        nodes = np.arange(self.n_nodes)
        empty = np.flatnonzero(self.n_node_samples == 0)
        if len(empty):
            nodes[empty] = self.parent[empty]
        return arrays.read_only(nodes)

    @cached_property
    def counts(self) -> Floats:
        """Weight per class in each node, (n_nodes, n_classes); dense, made when first asked for and kept.

        Raises AttributeError in regression.
        """
        self._need_classes("counts")
        return arrays.read_only(distributions.dense_counts(self, self.count_weight))

    @cached_property
    def row_counts(self) -> Ints:
        """Rows per class in each node, (n_nodes, n_classes); dense. Raises AttributeError in regression."""
        self._need_classes("row_counts")
        return arrays.read_only(distributions.dense_counts(self, self.count_rows))

    @cached_property
    def value(self) -> Floats:
        """As scikit-learn's `tree_.value`: class fractions (n_nodes, 1, n_classes), or values (n_nodes, 1, 1)."""
        if self.classes is None:
            return arrays.read_only(self.prediction[:, None, None])
        fractions = distributions.as_fractions(self, self.informed_by, self.counts[self.informed_by])
        return arrays.read_only(fractions[:, None, :])

    @cached_property
    def _router(self) -> _core.Router:
        return routing.make_router(self)

    def _need_classes(self, what: str) -> None:
        if self.classes is None:
            raise AttributeError(f"a regression tree has no {what}")

    def gain(self, node: int) -> float:
        """The impurity that a split removes, per unit of the node's weight; 0 at leaves. Source: SPEC B1."""
        gains, exponent = self._gains
        return math.ldexp(float(gains[node]), exponent)

    @cached_property
    def _gains(self) -> tuple[Floats, int]:
        """The gain of each node, in units of a power of two near the largest impurity, and the exponent of that."""
        exponent = int(np.frexp(np.abs(self.impurity).max())[1])
        impurity, weight = np.ldexp(self.impurity, -exponent), self.weighted_n_node_samples
        # Shares and units of the tree's own: neither huge nor tiny weights and impurities leave the range of floats.
        per_weight = np.where(weight > 0, weight, 1.0)
        left, right = (weight[c] / per_weight * impurity[c] for c in (self.children_left, self.children_right))
        # Impurities are concave: what falls below zero is rounding.
        inner = (self.children_left >= 0) & (weight > 0)
        return np.where(inner, np.maximum(impurity - (left + right), 0.0), 0.0), exponent

    @property
    def feature_importances(self) -> Floats:
        """Weighted impurity drops by column, (n_features,), summing to one; all zero when nothing drops."""
        inner = self.children_left >= 0
        if not inner.any():
            return np.zeros(self.n_features)
        share = self.weighted_n_node_samples / (self.weighted_n_node_samples[0] or 1.0)
        total = np.bincount(self.feature[inner], (share * self._gains[0])[inner], self.n_features)
        return total / total.sum() if total.sum() > 0 else np.zeros(self.n_features)

    def route(self, X: Any, n_threads: int = 1, first_row: int = 0) -> routing.Routing:
        """Where rows stop, and how many met a level that a node does not know.

        X is an array, a frame or a Table, read by `schema`. first_row: the number that refusals give to X's first row.
        Raises ValueError naming row and column where this tree refuses missing values or unknown levels.
        """
        return routing.route(self, self._router, self.schema.read(X, check_later=True), n_threads, first_row)

    def apply(self, X: Any, n_threads: int = 1) -> npt.NDArray[np.intp]:
        """The node where each row stops, (n_rows,): a leaf, or the inner node that does not know the row's level."""
        return self.route(X, n_threads).nodes

    def predict(self, X: Any, n_threads: int = 1) -> Array:
        """Labels as they were in training (classification) or values (regression), (n_rows,)."""
        return self.answers_at(self.apply(X, n_threads))

    def predict_proba(self, X: Any, n_threads: int = 1) -> Floats:
        """Class fractions of the node where each row stops, (n_rows, n_classes). AttributeError in regression."""
        self._need_classes("class probabilities")
        nodes = self.apply(X, n_threads)
        if self._rows_stop_at_leaves and self.n_nodes * self.n_classes <= MOST_FRACTIONS:
            return self._leaf_fractions.take(nodes, axis=0)
        return self.fractions_at(nodes)

    def answers_at(self, nodes: Ints) -> Array:
        """What `predict` answers to rows that stop at these nodes, (len(nodes),)."""
        return self._answers.take(nodes)

    @cached_property
    def _answers(self) -> Array:
        """What each node answers, (n_nodes,): rows then take theirs in one step."""
        return self.prediction if self.classes is None else arrays.read_only(self.classes[self.label])

    def fractions_at(self, nodes: Ints) -> Floats:
        """What `predict_proba` gives to rows that stop at these nodes, (len(nodes), n_classes)."""
        stops, row_stop = layout.distinct(nodes, self.n_nodes)
        return distributions.probabilities(self, stops).take(row_stop, axis=0)

    @property
    def _rows_stop_at_leaves(self) -> bool:
        return len(self.level_code) == 0 or self.unseen != "stop"

    @cached_property
    def _leaf_fractions(self) -> Floats:
        """Class fractions of the leaves, (n_nodes, n_classes); inner nodes, where no row stops, hold zeros."""
        table = np.zeros((self.n_nodes, self.n_classes))
        leaves = np.flatnonzero(self.children_left < 0)
        table[leaves] = distributions.probabilities(self, leaves)
        return arrays.read_only(table)

    def decision_path(self, X: Any, n_threads: int = 1) -> sparse.csr_matrix:
        """The nodes each row passes, a sparse matrix of ones, (n_rows, n_nodes); the last of a row is `apply`'s."""
        return routing.paths(self.apply(X, n_threads), self.parent, self.depth)

    def condition(self, node: int) -> conditions.Condition:
        """The split of an inner node. Raises ValueError at a leaf."""
        return conditions.of_node(self, node)

    def contributions(self, X: Any, n_threads: int = 1) -> "Contributions":
        """What each column adds to the answer of each row, and the base they start from."""
        from bristlecone.tree.contributions import contributions

        return contributions(self, X, n_threads)

    def explain(self, X: Any, row: int) -> "Explanation":
        """Why one row gets its answer: the path in words, the node where it stops, that node's counts."""
        from bristlecone.tree.explain import explain

        return explain(self, X, row)

    def alternatives(self, X: Any, row: int) -> "Alternatives":
        """What row `row` of X (counted from 0) would need to get another answer, and the leaves nearest to it.

        Fewest changed columns first; of equals the least distance, as the share of X's rows that lie between.
        Errors as `explain`.
        """
        from bristlecone.tree.nearest import alternatives

        return alternatives(self, X, row)


def rebuild(*held: Any) -> Tree:
    """What unpickling calls: the constructor, with all its checks."""
    return Tree(*held)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return bool(repr(a) == repr(b)) if isinstance(a, tuple) else bool(a == b)
