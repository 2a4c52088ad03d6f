"""Trees in notebooks and with matplotlib."""

from dataclasses import replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from report.conftest import Reader, loans
from report.test_page import ODD, odd_tree
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from strategies_tree import staircase

import bristlecone as bc

mpl.use("Agg")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def grown():
    X, y = loans(400)
    return bc.DecisionTreeClassifier(max_leaf_nodes=12).fit(X, y)


def test_a_tree_is_drawn_with_a_box_a_node(grown):
    tree = grown.tree_
    display = bc.TreeDisplay.from_estimator(grown, max_depth=None)
    assert list(display.texts_) == list(range(tree.n_nodes)) and list(display.lines_) == list(range(1, tree.n_nodes))
    for node, text in display.texts_.items():
        assert f"{tree.n_node_samples[node]:,} rows" in text.get_text()
        assert tree.classes[tree.label[node]] in text.get_text()
    display.figure_.canvas.draw()
    down = [display.texts_[v].get_position()[1] for v in np.flatnonzero(tree.children_left < 0)]
    assert down == sorted(down)


def test_branches_below_a_depth_are_folded(grown):
    display = bc.TreeDisplay(tree=grown.tree_).plot(max_depth=1)
    assert set(display.texts_) == set(np.flatnonzero(grown.tree_.depth <= 1).tolist())
    folded = sum(int(t.get_text().split("… ")[1].split()[0]) for t in display.texts_.values() if "… " in t.get_text())
    leaves = sum(grown.tree_.children_left[v] < 0 for v in display.texts_)
    assert folded + leaves == 12


def test_it_draws_on_axes_that_are_given_and_other_kinds_of_trees(grown):
    axes = plt.subplots()[1]
    assert bc.TreeDisplay.from_estimator(grown, ax=axes).ax_ is axes
    iris = load_iris()
    bc.TreeDisplay.from_estimator(DecisionTreeClassifier().fit(iris.data, iris.target))
    bc.TreeDisplay.from_estimator(bc.PACBayesTreeClassifier().fit(iris.data, iris.target))
    numbers = bc.TreeDisplay.from_estimator(bc.DecisionTreeRegressor(max_depth=2).fit(iris.data, iris.target))
    numbers.figure_.canvas.draw()


@pytest.mark.filterwarnings("ignore:Glyph")  # no font has them all
def test_odd_names_are_drawn_as_they_are():
    model, _ = odd_tree()
    display = bc.TreeDisplay.from_estimator(model, max_depth=None)
    display.figure_.canvas.draw()
    dollars = bc.DecisionTreeClassifier().fit(pd.DataFrame({"$a$ $\\frac{": [0.0, 1.0]}), [0, 1])
    bc.TreeDisplay.from_estimator(dollars).figure_.canvas.draw()


def test_what_is_no_tree_is_refused(grown):
    with pytest.raises(TypeError, match="model is a SVC; it must be a Tree"):
        bc.TreeDisplay.from_estimator(SVC())
    with pytest.raises(NotFittedError):
        bc.TreeDisplay.from_estimator(bc.PrunedTreeClassifier())
    for depth in (-1, 1.5, "2", True):
        with pytest.raises(ValueError, match=f"max_depth must be None or a whole number of at least 0, got {depth!r}"):
            bc.TreeDisplay.from_estimator(grown, max_depth=depth)


def test_a_notebook_shows_the_tree_to_fold(grown):
    tree = grown.tree_
    reader = Reader(tree._repr_html_())
    kinds = [kind for kind, _ in reader.elements]
    assert kinds.count("details") == (tree.children_left >= 0).sum()
    assert (
        reader.text.replace("all rows ·", "").count(" rows ·") == tree.n_nodes
        and reader.text.count("→") == tree.n_leaves
    )
    assert grown._repr_html_().endswith(tree._repr_html_())
    assert grown._repr_mimebundle_()["text/html"].endswith(tree._repr_html_())


def test_an_unfitted_estimator_and_a_vote_in_a_notebook():
    assert "<details" not in bc.PrunedTreeClassifier()._repr_html_().split("</style>")[-1].split("sk-")[0]
    X, y = loans(200)
    vote = bc.PACBayesTreeClassifier().fit(X, y)
    assert vote._repr_html_().endswith(vote.to_tree()._repr_html_())


def test_c57_c55_names_are_escaped_and_large_trees_cut_in_a_notebook():
    model, _ = odd_tree()
    reader = Reader(model.tree_._repr_html_())
    assert {kind for kind, _ in reader.elements} == {"div", "details", "summary", "b"}
    assert len([kind for kind, _ in reader.elements if kind == "b"]) == model.tree_.n_leaves
    assert all(name in reader.text for name in ODD if "\n" not in name)
    told = staircase(1200)._repr_html_()
    assert len(told) < 300_000 and "leaves below" in told


@pytest.fixture(scope="module")
def certified():
    X, y = loans(600)
    return bc.PACBayesTreeClassifier(mode="certified").fit(X, y)


def test_certificates_are_bars_to_the_bound_and_to_what_was_observed(certified):
    display = bc.CertificateDisplay.from_estimator(certified)
    assert list(display.bars_) == ["vote", "pruned", "gibbs"]
    for kind, bars in display.bars_.items():
        asked = certified.certificate(kind, 0.05 / 3)  # looked at three: each at its part
        assert bars["bound"].get_width() == asked.value and bars["observed"].get_width() == asked.observed
        assert bars["majority"].get_xdata()[0] == asked.constant
    display.figure_.canvas.draw()
    assert display.ax_.get_title("left") == "All 3 bounds hold with probability at least 95%"
    assert display.ax_.get_ylim()[0] > display.ax_.get_ylim()[1]
    assert {text.get_text() for text in display.ax_.get_legend().get_texts()} == {"bound", "observed", "majority"}


def test_one_certificate_or_named_ones_are_drawn_on_axes_that_are_given(certified):
    axes = plt.subplots()[1]
    one = certified.certificate_
    assert bc.CertificateDisplay(certificates=one).plot(axes, bar_kw={"height": 0.3}).ax_ is axes
    assert axes.get_title("left") == "The bound holds with probability at least 95%" and axes.get_xlabel() == "error"
    held = bc.certify.holdout(["a", "b"] * 20, ["a", "b"] * 19 + ["b", "a"])
    display = bc.CertificateDisplay(certificates={"$x$": one, "held out": held}).plot()
    display.figure_.canvas.draw()
    assert display.ax_.get_title("left") == "All 2 bounds hold with probability at least 90%"
    nearly = bc.CertificateDisplay(certificates=replace(one, delta=1e-11)).plot()
    assert nearly.ax_.get_title("left") == "The bound holds with probability at least 99.99%"


def test_a_tree_with_one_certificate_is_drawn_by_it():
    X, y = loans(400)
    model = bc.PrunedTreeClassifier(rule="bound").fit(X, y)
    display = bc.CertificateDisplay.from_estimator(model)
    assert display.certificates is model.certificate_ and list(display.bars_) == ["pruned"]
    with pytest.raises(TypeError, match="has no certificates at another delta"):
        bc.CertificateDisplay.from_estimator(model, delta=0.5)


def test_what_has_no_certificates_is_refused(certified):
    X, y = loans(100)
    with pytest.raises(TypeError, match="a DecisionTreeClassifier has no certificates"):
        bc.CertificateDisplay.from_estimator(bc.DecisionTreeClassifier().fit(X, y))
    with pytest.raises(AttributeError, match="cannot be had in practical mode"):
        bc.CertificateDisplay.from_estimator(bc.PACBayesTreeClassifier(lambda1=1.0, lambda2=1.0).fit(X, y))
    with pytest.raises(ValueError, match="kinds must name at least one"):
        bc.CertificateDisplay.from_estimator(certified, kinds=())
    with pytest.raises(ValueError, match="got none"):
        bc.CertificateDisplay(certificates={}).plot()
    with pytest.raises(TypeError, match="a float is no Certificate"):
        bc.CertificateDisplay(certificates={"a": 0.5}).plot()
    other = replace(certified.certificate_, risk="cost")
    with pytest.raises(ValueError, match="of one risk can be drawn beside each other, got cost, error"):
        bc.CertificateDisplay(certificates={"a": certified.certificate_, "b": other}).plot()
