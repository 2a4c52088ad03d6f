"""TopDownDT: `cart` where it is the same thing, its exact twin where it is not; predicates and impurities."""

from __future__ import annotations

import copy
import pickle

import hypothesis
import numpy as np
import pandas as pd
import pytest
import questions
from hypothesis import strategies as st
from reference.top_down import top_down_twin
from strategies import data_sets, row_weights

import bristlecone as bc
from bristlecone.grow import IMPURITIES, Impurity, Predicates, top_down
from bristlecone.tree.conditions import Wording

RNG = np.random.default_rng(0)


def examples(count: int):
    return hypothesis.settings(max_examples=count, deadline=None)


def same_but_for_names(a, b) -> bool:
    names = ("children_left", "children_right", "feature", "threshold", "n_node_samples", "label", "level_left")
    return all(np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True) for name in names)


@hypothesis.given(data=st.data(), criterion=st.sampled_from(["gini", "entropy", "sqrt"]))
@examples(60)
def test_without_a_size_it_is_cart(data, criterion):
    found = data.draw(data_sets(criterion))
    options = {"sample_weight": found.weights, "categorical_features": found.categorical_features or None}
    tree = top_down(found.X, found.y, impurity=criterion, **options)
    assert tree.equals(bc.grow.cart(found.X, found.y, criterion=criterion, **options))


@st.composite
def binary_tables(draw):
    """A matrix of 0 and 1, labels of two classes, small whole weights."""
    n, d = draw(st.integers(2, 14)), draw(st.integers(1, 4))
    bits = st.integers(0, 1)
    h = np.array(draw(st.lists(st.lists(bits, min_size=d, max_size=d), min_size=n, max_size=n)))
    y = np.array(draw(st.lists(bits, min_size=n, max_size=n)))
    weight = draw(row_weights(n, whole=True))
    weight = np.ones(n) if weight is None else weight
    hypothesis.assume(weight.any())
    return h, y, weight


@hypothesis.given(table=binary_tables(), size=st.integers(1, 9))
@examples(150)
def test_it_makes_the_twins_splits(table, size):
    h, y, weight = table
    steps, leaves = top_down_twin(h, y, weight, size)
    tree = top_down(h.astype(float), y, size, splits="projections", sample_weight=weight)
    assert tree.n_leaves == len(leaves)
    reached = {
        frozenset(np.flatnonzero((tree.decision_path(h)[:, [v]].toarray()[:, 0] == 1) & (weight > 0)))
        for v in np.flatnonzero(tree.children_left >= 0)
    }
    assert reached == {frozenset(step.rows) for step in steps}
    for v in np.flatnonzero(tree.children_left >= 0):
        rows = np.flatnonzero((tree.decision_path(h)[:, [v]].toarray()[:, 0] == 1) & (weight > 0))
        step = next(step for step in steps if set(step.rows) == set(rows))
        assert tree.feature[v] == step.split
        assert 2 * tree.gain(v) == pytest.approx(float(step.drop), abs=1e-12)  # 4p(1-p) is twice the library's gini


@pytest.mark.parametrize("name", ["gini", "entropy", "sqrt"])
@hypothesis.given(data=st.data(), size=st.sampled_from([None, 1, 2, 3, 5]))
@examples(40)
def test_the_two_growers_agree(name, data, size):
    """The numpy growth with a named impurity of another name, against the compiled one."""
    found = data.draw(data_sets("gini", n_classes=2))
    found = found.replace(columns=[np.nan_to_num(column, nan=1.0) for column in found.columns])
    hypothesis.assume(len(set(found.y)) == 2)
    own = Impurity("my " + name, IMPURITIES[name].of, IMPURITIES[name].kappa)
    options = {"sample_weight": found.weights, "categorical_features": found.categorical_features or None}
    ours, compiled = (top_down(found.X, found.y, size, impurity=one, **options) for one in (own, name))
    if found.categorical_features:  # sets of levels may tie in other ways; what they reach may not
        assert ours.impurity[0] == pytest.approx(compiled.impurity[0] * (2 if name == "gini" else 1))
        first = [tree.gain(0) * (2 if name == "gini" and tree is compiled else 1) for tree in (ours, compiled)]
        assert first[0] == pytest.approx(first[1], abs=1e-9)
    else:
        assert same_but_for_names(ours, compiled)
        assert np.array_equal(ours.counts, compiled.counts)


def test_size_one_is_a_leaf_and_pure_leaves_are_never_split():
    x, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    assert top_down(x, y, 1).n_leaves == 1
    assert top_down(x, y, 4).n_leaves == 2
    assert top_down(x, [0] * 6, 4).n_leaves == 1


def test_c48_growth_goes_on_where_nothing_gains_and_stops_where_it_is_told_to():
    x, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]]), [0, 1, 1, 0]
    assert top_down(x, y).n_leaves == 4
    assert top_down(x, y, zero_gain="stop").n_leaves == 1
    own = Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)
    assert top_down(x, y, impurity=own).n_leaves == 4
    assert top_down(x, y, impurity=own, zero_gain="stop").n_leaves == 1


def test_c50_same_tree_for_any_order_of_the_rows():
    x = RNG.integers(0, 3, (60, 4)).astype(float)
    y = RNG.integers(0, 2, 60)
    own = Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)
    for impurity in ("gini", own):
        whole = top_down(x, y, 8, impurity=impurity)
        for _ in range(5):
            order = RNG.permutation(60)
            assert top_down(x[order], y[order], 8, impurity=impurity).equals(whole)
        weighted = top_down(x, y, 8, impurity=impurity, sample_weight=np.full(60, 3.0))
        assert same_but_for_names(weighted, whole)


def test_c38_zero_weight_is_absent():
    x, y = np.array([0.0, 1, 2, 3])[:, None], [0, 0, 1, 1]
    own = Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)
    for impurity in ("gini", own):
        tree = top_down(x, y, impurity=impurity, sample_weight=[1, 1, 0, 1])
        assert tree.threshold[0] == 2.0 and tree.n_node_samples[0] == 3


@pytest.mark.parametrize(("name", "kappa"), [("gini", 8.0), ("entropy", 5.77078016356), ("sqrt", 4.0)])
def test_av_d1_curvature(name, kappa):
    assert IMPURITIES[name].kappa == pytest.approx(kappa, abs=1e-10)
    p = np.linspace(0.001, 0.999, 4001)
    step = 1e-5
    curvature = -(IMPURITIES[name].of(p + step) - 2 * IMPURITIES[name].of(p) + IMPURITIES[name].of(p - step)) / step**2
    assert curvature.min() == pytest.approx(kappa, rel=1e-4)


@pytest.mark.parametrize(
    ("of", "kappa", "words"),
    [
        (lambda p: p, None, "0, 0 and 1"),
        (lambda p: 2 * p * (1 - p), None, "0, 0 and 1"),
        (lambda p: (4 * p * (1 - p)) ** 2, None, "not concave"),
        (lambda p: np.where(p < 0.5, 4 * p * (1 - p), np.minimum(1, 2 - 2 * p)), None, "1 - p"),
        (lambda p: 4 * p * (1 - p), 9.0, "curves less"),
        (lambda p: 4 * p * (1 - p), -1.0, "kappa=-1.0"),
        (lambda p: 4 * p * (1 - p), "8", "kappa='8'"),
        (lambda p: p[:3], None, "as many finite numbers"),
    ],
)
def test_what_is_no_impurity_is_refused(of, kappa, words):
    with pytest.raises(ValueError, match=words):
        Impurity("mine", of, kappa)


def test_predicates_stand_in_the_tree_by_name(tmp_path):
    X = pd.DataFrame({"a": RNG.random(80), "b": RNG.random(80)})
    y = np.where(X.a < X.b, "up", "down")
    tree = top_down(X, y, splits=questions.rising)
    assert tree.n_leaves == 2
    assert tree.condition(0).left(Wording(missing=False)) == "first below second is false"
    assert (tree.predict(X) == y).all() and (tree.predict(X.to_numpy()) == y).all()
    assert "first below second" in str(tree) and "first below second" in str(tree.explain(X, 0))
    with pytest.raises(ValueError, match="lacks the column 'b'"):
        tree.predict(X[["a"]])
    bc.save(tree, tmp_path / "tree.json")
    again = bc.load(tmp_path / "tree.json")
    assert again.equals(tree) and (again.predict(X) == y).all()
    for other in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert other.equals(tree) and (other.predict(X) == y).all()


def test_predicates_equal_thresholds_where_they_ask_the_same():
    X = RNG.integers(0, 4, (60, 2)).astype(float)
    y = RNG.integers(0, 2, 60)
    cuts = [(j, t) for j in range(2) for t in (0.5, 1.5, 2.5)]
    asked = Predicates(
        [f"x{j} >= {t}" for j, t in cuts], lambda table: np.column_stack([table.columns[j] >= t for j, t in cuts])
    )
    by_questions, by_thresholds = top_down(X, y, 6, splits=asked), top_down(X, y, 6)
    assert np.array_equal(by_questions.apply(X), by_thresholds.apply(X))


def test_predicates_that_no_module_holds_are_not_saved(tmp_path):
    local = Predicates(["positive"], lambda table: table.columns[0][:, None] > 0)
    tree = top_down([[1.0], [-1.0]], [0, 1], splits=local)
    for save in (lambda: bc.save(tree, tmp_path / "t.json"), lambda: pickle.dumps(tree)):
        with pytest.raises(TypeError, match="importable"):
            save()


def test_reading_a_model_imports_nothing(tmp_path):
    X = RNG.random((20, 2))
    bc.save(top_down(X, X[:, 0] < X[:, 1], splits=questions.rising), tmp_path / "tree.json")
    document = bc.export.read_document(tmp_path / "tree.json")
    made_by = document["payload"]["schema"]["made_by"]
    for where, words in [
        ("antigravity:fly", "import the module"),
        ("os:system", "import the module"),
        (7, "import"),
        ("questions:rising", None),
    ]:
        made_by["predicates"] = where
        if words is None:
            document["payload"]["schema"]["columns"] = ["others", "names"]
            words = "other names"
        with pytest.raises(ValueError, match=words):
            bc.export.document_to_tree(document)
    made_by["predicates"], made_by["source"] = "questions:rising", document["payload"]["schema"]
    with pytest.raises(ValueError, match="plain schema"):
        bc.export.document_to_tree(document)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda table: np.zeros((table.n_rows, 3), bool), ValueError, "expected"),
        (lambda table: np.zeros((table.n_rows, 2)), TypeError, "float64"),
    ],
)
def test_answers_that_are_none_are_refused(answer, error, words):
    with pytest.raises(error, match=words):
        top_down([[1.0], [2.0]], [0, 1], splits=Predicates(["a", "b"], answer))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"size": 0}, "size=0"),
        ({"size": 2.0}, "size=2.0"),
        ({"splits": "stumps"}, "splits='stumps'"),
        ({"impurity": "gain_ratio"}, "impurity='gain_ratio'"),
        ({"impurity": Impurity("entropy", lambda p: 4 * p * (1 - p))}, "name of a criterion"),
        ({"impurity": 3}, "impurity must be"),
        ({"splits": "projections"}, "column 'x0': it has 3 values"),
        ({"zero_gain": "maybe"}, "zero_gain"),
        ({"sample_weight": [1, 1]}, "sample_weight"),
    ],
)
def test_bad_parameters_are_named(given, words):
    with pytest.raises((ValueError, TypeError), match=words):
        top_down([[0.0], [1.0], [2.0]], [0, 1, 0], **given)


def test_what_an_own_impurity_cannot_take_is_named():
    own = Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)
    with pytest.raises(ValueError, match="two classes; y has 3"):
        top_down([[0.0], [1.0], [2.0]], [0, 1, 2], impurity=own)
    with pytest.raises(ValueError, match=r"row 1: .* impurity 'cubic' takes none"):
        top_down([[0.0], [np.nan], [2.0]], [0, 1, 0], impurity=own)
    with pytest.raises(ValueError, match=r"row 1: .* projections take none"):
        top_down([[0.0], [np.nan], [2.0]], [0, 1, 0], splits="projections")
    with pytest.raises(ValueError, match="3 rows but y has 2"):
        top_down([[0.0], [1.0], [2.0]], [0, 1], impurity=own)


@pytest.mark.parametrize("impurity", ["gini", Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)])
def test_rows_of_one_class_are_a_leaf(impurity):
    tree = top_down([[0.0], [1.0], [2.0]], ["a"] * 3, impurity=impurity)
    assert tree.n_leaves == 1 and tree.predict([[5.0]]).tolist() == ["a"] and tree.counts.tolist() == [[3.0]]


@pytest.mark.parametrize("impurity", ["gini", Impurity("cubic", lambda p: 1 - np.abs(2 * p - 1) ** 3)])
def test_numbers_are_no_classes(impurity):
    y = np.random.default_rng(0).standard_normal(50)
    with pytest.raises(ValueError, match="cut numbers into classes first"):
        top_down(y[:, None], y, 3, impurity=impurity)


@pytest.mark.parametrize("names", ["ab", [], [""], [1], 3, None, ["a", "a"]])
def test_predicates_have_names(names):
    with pytest.raises(ValueError, match="name"):
        Predicates(names, lambda table: np.ones((table.n_rows, 1), bool))


def test_level_sets_and_thresholds_by_name():
    X = pd.DataFrame({"c": ["a", "b", "a", "c"], "v": [1, 2, 3, 4]})
    y = [0, 1, 0, 1]
    assert top_down(X[["c"]], y, splits="level_sets").n_leaves == 2
    assert top_down(X[["v"]], y, splits="level_sets").schema.columns[0].categorical
    with pytest.raises(TypeError, match="column 'c': it is a category"):
        top_down(X, y, splits="thresholds")
    with pytest.raises(TypeError, match="column 'v': it is not a category"):
        top_down(bc.table.as_table(X), y, splits="level_sets")
