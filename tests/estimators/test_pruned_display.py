"""PruningPathDisplay draws what the table says, and needs matplotlib only then."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.exceptions import NotFittedError

import bristlecone as bc
from bristlecone.estimators import PruningPathDisplay

matplotlib.use("Agg")
CANCER, DIABETES = load_breast_cancer(return_X_y=True), load_diabetes(return_X_y=True)


@pytest.fixture
def ax():
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


def test_risk_stands_against_leaves_with_error_bars_and_the_choices_are_marked(ax):
    model = bc.PrunedTreeClassifier().fit(*CANCER)
    display = PruningPathDisplay.from_estimator(model, ax=ax)
    table = model.path_
    assert display.ax_ is ax and display.figure_ is ax.figure
    points, _, (bars,) = display.errorbar_
    np.testing.assert_array_equal(points.get_xdata(), table.leaves)
    np.testing.assert_array_equal(points.get_ydata(), table.cv_risk)
    lengths = [segment[1, 1] - segment[0, 1] for segment in bars.get_segments()]
    np.testing.assert_allclose(lengths, 2 * table.se)
    np.testing.assert_array_equal(display.lines_["growing"].get_ydata(), table.risks["misclassification"])
    for words, place in (("least", table.least), ("one standard error", table.chosen)):
        assert display.lines_[words].get_xdata().tolist() == [table.leaves[place]]
        assert display.lines_[words].get_ydata().tolist() == [table.cv_risk[place]]
    assert display.lines_["limit"].get_ydata()[0] == table.cv_risk[table.least] + table.se[table.least]
    assert ax.get_xlabel() == "leaves" and ax.get_ylabel() == "misclassification"
    assert "held out, 10 folds" in [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_least_is_marked_where_it_was_chosen_and_one_se_beside_it(ax):
    model = bc.PrunedTreeRegressor(rule="min").fit(*DIABETES)
    display = PruningPathDisplay(path=model.path_).plot(ax, growing=False, name="mine", errorbar_kw={"color": "red"})
    assert set(display.lines_) == {"limit", "least", "one standard error"}
    assert display.errorbar_[0].get_color() == "red"
    assert display.lines_["least"].get_xdata() == [model.get_n_leaves()]
    assert ax.get_ylabel() == "squared_error"


def test_without_folds_the_growing_rows_are_all_there_is(ax):
    model = bc.PrunedTreeRegressor(strength=10).fit(*DIABETES)
    display = PruningPathDisplay.from_estimator(model, ax=ax)
    assert display.errorbar_ is None
    assert set(display.lines_) == {"growing"}


def test_new_axes_are_made_where_none_are_given():
    from matplotlib import pyplot

    display = PruningPathDisplay.from_estimator(bc.PrunedTreeClassifier(cv=3).fit(*CANCER))
    assert display.figure_.axes == [display.ax_]
    pyplot.close(display.figure_)


def test_what_has_no_path_is_refused():
    with pytest.raises(TypeError, match="a DecisionTreeClassifier has no pruning path"):
        PruningPathDisplay.from_estimator(bc.DecisionTreeClassifier().fit(*CANCER))
    with pytest.raises(NotFittedError):
        PruningPathDisplay.from_estimator(bc.PrunedTreeClassifier())


def test_fitting_needs_no_matplotlib_and_drawing_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import bristlecone as bc\n"
        "model = bc.PrunedTreeClassifier().fit([[0.0], [1.0], [2.0]] * 4, [0, 1, 1] * 4)\n"
        "try:\n    bc.PruningPathDisplay.from_estimator(model)\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "PruningPathDisplay needs matplotlib: pip install 'bristlecone[report]'"
