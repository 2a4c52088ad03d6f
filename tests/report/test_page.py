"""The page as text: what it says, what it escapes, what it refuses."""

import functools
import re

import numpy as np
import pandas as pd
import pytest
from report.conftest import Reader, loans, tree_in
from scipy import stats
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bristlecone as bc
from bristlecone.report import page
from bristlecone.report.evidence import gather
from bristlecone.report.figures import calibration, pruning_curve, residuals
from bristlecone.report.leaves import rules
from bristlecone.report.limits import error_limit, leaf_limits
from bristlecone.report.tables import confusion

ODD = ['x"&<y>', "new\nline", "</script><b>", "a'; --", "emoji 🌲", "{{ 7 * 7 }}", "<!-- ", "${alert(1)}"]


def test_the_first_screen_answers_what_how_good_how_sure_why_this_size(fitted):
    model, X, y = fitted
    text = Reader(page(model, X, y, rows="new", target="repaid")).text
    error = float((model.predict(X) != y).mean())
    limit = error_limit(round(error * len(y)), len(y), 0.05)
    assert "What is predicted repaid Answers: no or yes. From 6 columns" in text
    assert f"{100 * error:.1f}% wrong" in text and "500 rows that had no part in growing or choosing it" in text
    assert re.search(r"With probability at least 95% over the draw of these 500 rows, the error on new data", text)
    assert f"at most {np.ceil(1000 * limit) / 10:.1f}%" in text
    assert "in 10-fold cross-validation, the least of all prunings" in text


def test_av_a13_the_limit_of_twelve_errors_in_two_hundred_rows():
    assert error_limit(12, 200, 0.05) == pytest.approx(0.0954014177298773, abs=1e-12)


def test_leaf_limits_are_clopper_and_pearsons_at_delta_over_the_leaves():
    errors, n = np.array([0, 3, 10, 0, 7]), np.array([12, 30, 10, 0, 7000])
    low, high = leaf_limits(errors, n, 0.05)
    for k, m, a, b in zip(errors, n, low, high, strict=True):
        interval = stats.binomtest(int(k), int(m)).proportion_ci(1 - 0.05 / 5, "exact") if m else (0.0, 1.0)
        assert (a, b) == pytest.approx(tuple(interval), abs=1e-10)


@pytest.mark.slow
def test_leaf_limits_hold_together():
    rng = np.random.default_rng(0)
    rates, n = rng.random(20) * 0.6, rng.integers(0, 60, 20)
    missed = 0
    for _ in range(2000):
        low, high = leaf_limits(rng.binomial(n, rates), n, 0.05)
        missed += bool(((rates < low) | (rates > high)).any())
    assert missed / 2000 <= 0.05


@pytest.mark.parametrize(
    ("rows", "weight", "why"),
    [
        (None, None, "it was not said that these rows had no part in growing or choosing the tree"),
        ("growing", None, "the rows shown are those it was grown from"),
        ("new", 2.0, "the rows have weights"),
    ],
)
def test_there_are_no_limits_without_new_rows_of_equal_weight_and_the_page_says_why(fitted, rows, weight, why):
    model, X, y = fitted
    weights = None if weight is None else np.full(len(y), weight)
    text = Reader(page(model, X, y, rows=rows, sample_weight=weights)).text
    assert f"There is none, for {why}" in text and f"There are no limits on the error of a leaf, for {why}" in text
    assert "at most" not in text.replace("at most nothing", "") or "at least at most" not in text
    evidence = gather(model.tree_, X, y, rows=rows, weight=weights)
    assert all(rule.low is None and rule.high is None for rule in rules(model.tree_, evidence, 0.05))


def test_rows_of_weight_zero_are_absent(fitted):
    model, X, y = fitted
    weights = np.arange(len(y)) % 2
    odd = gather(model.tree_, X, y, rows="new", weight=weights)
    alone = gather(model.tree_, X[1::2], y[1::2], rows="new")
    assert (odd.n, odd.n_wrong, odd.unlimited) == (alone.n, alone.n_wrong, "") and odd.weight is None
    assert odd.names.tolist() == list(range(1, len(y), 2))


def test_a_target_is_called_by_text(fitted):
    with pytest.raises(TypeError, match="target must be text, got 3"):
        page(fitted[0], target=3)


def test_without_rows_the_page_says_that_nothing_was_measured(fitted):
    text = Reader(page(fitted[0])).text
    assert "not measured" in text and "no rows apart from growth were given" in text
    assert "Said and true" not in text and "Row number" not in text


def test_the_rules_are_the_leaves_with_what_new_rows_say_of_them(fitted):
    model, X, y = fitted
    tree = model.tree_
    found = rules(tree, gather(tree, X, y, rows="new"), 0.05)
    stops, wrong = tree.apply(X), tree.predict(X) != y
    assert sorted(rule.leaf for rule in found) == np.flatnonzero(tree.children_left < 0).tolist()
    assert [rule.support for rule in found] == sorted((rule.support for rule in found), reverse=True)
    for rule in found:
        assert (rule.measured, rule.wrong) == ((stops == rule.leaf).sum(), (wrong & (stops == rule.leaf)).sum())
        assert rule.low <= (rule.rate if rule.rate is not None else 0.5) <= rule.high
        assert rule.purity == pytest.approx(tree.value[rule.leaf, 0, tree.label[rule.leaf]])


def test_the_confusion_matrix_counts_every_row_once(fitted):
    model, X, y = fitted
    table = confusion(model.tree_, gather(model.tree_, X, y))
    said = model.predict(X)
    expected = [[((y == true) & (said == told)).sum() for told in model.classes_] for true in model.classes_]
    assert [[cell.n for cell in row.cells] for row in table.rows] == expected
    assert [cell.kind for row in table.rows for cell in row.cells] == ["right", "off", "off", "right"]


def test_labels_that_the_tree_does_not_have_are_errors_of_their_own():
    iris = load_iris()
    known = iris.target < 2
    model = bc.DecisionTreeClassifier(max_depth=2).fit(iris.data[known], iris.target[known])
    evidence = gather(model.tree_, iris.data, iris.target, rows="new")
    assert evidence.n_wrong == 50 and evidence.error.tree == pytest.approx(50 / 150)
    assert [row.name for row in confusion(model.tree_, evidence).rows] == ["0", "1", "none of these"]
    assert "none of these" in page(model, iris.data, iris.target)


def test_many_classes_share_the_last_place_of_the_confusion_matrix():
    rng = np.random.default_rng(1)
    y = np.minimum(rng.geometric(0.1, 3000), 40)
    X = np.column_stack([y + rng.normal(0, 0.4, 3000), rng.random(3000)])
    tree = bc.DecisionTreeClassifier(max_depth=8).fit(X, y).tree_
    table = confusion(tree, gather(tree, X, y))
    assert len(table.rows) == 13 and table.rows[-1].name == "all others"
    assert sum(cell.n for row in table.rows for cell in row.cells) == 3000
    assert "others" in page(tree, X, y)


def test_numbers_have_residuals_and_limits_on_answers_that_are_far_off():
    data = load_diabetes(as_frame=True)
    model = bc.PrunedTreeRegressor(rule="min").fit(data.data[:300], data.target[:300])
    X, y = data.data[300:], data.target[300:].to_frame()
    text = Reader(page(model, X, y, rows="new", target="progression")).text
    evidence = gather(model.tree_, X, y, rows="new")
    off = np.abs(y.to_numpy()[:, 0] - model.predict(X))
    leaf = model.tree_.children_left < 0
    spread = np.sqrt(np.average(model.tree_.impurity[leaf], weights=model.tree_.n_node_samples[leaf]))
    assert evidence.tolerance == pytest.approx(spread) and evidence.n_wrong == (off > spread).sum()
    assert f"the share of answers off by more than {spread:.4g} on new data" in text
    chart = residuals(evidence)
    assert sum(int(re.search(r": ([\d,]+) row", bar.says)[1].replace(",", "")) for bar in chart.bars) == len(off)
    assert "RMSE" in text and "what came true" in text


def test_a_regression_tree_without_spread_has_no_limits():
    X = np.arange(10.0)[:, None]
    tree = bc.DecisionTreeRegressor().fit(X, X[:, 0]).tree_
    assert "give no distance from which on" in page(tree, X[:9], X[:9, 0], rows="new")


def test_calibration_groups_hold_every_row_once_and_means_are_right(fitted):
    model, X, y = fitted
    chart = calibration(model.tree_, gather(model.tree_, X, y))
    sizes = [int(re.match(r"([\d,]+) row", mark.says)[1]) for mark in chart.marks]
    assert sum(sizes) == len(y) and 1 < len(sizes) <= 10
    said = model.predict_proba(X)[:, 1]
    lowest = said == said.min()
    assert sizes[0] >= lowest.sum()
    assert all(abs(mark.y - mark.low) == pytest.approx(abs(mark.y - mark.high), abs=20) for mark in chart.marks)


def test_the_pruning_curve_marks_the_choice(fitted):
    model = fitted[0]
    chart = pruning_curve(model.path_)
    (chosen,) = [mark for mark in chart.marks if "chosen" in mark.kind]
    assert chosen.says.startswith(f"{model.get_n_leaves()} leaves: ")
    heights = [mark.y for mark in chart.marks]
    assert max(heights) == pytest.approx(next(m.y for m in chart.marks if "least" in m.kind))


def test_a_vote_is_shown_with_its_weights(fitted):
    X, y = loans(400, seed=3)
    model = bc.PACBayesTreeClassifier().fit(X, y)
    text = page(model, X, y)
    data = tree_in(text)
    tree = model.to_tree()
    assert len(data["vote"]) == tree.n_nodes and all(0 <= weight <= 1 for weight in data["vote"])
    assert data["vote"][0] == pytest.approx(model.node_weights_[0], rel=1e-3)
    path = np.zeros(model.tree_.n_nodes)
    path[model.tree_.decision_path(X[:1]).indices] = 1
    assert (path * model.node_weights_).sum() == pytest.approx(1)
    assert "All prunings of the tree vote" in text


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_a_tree_of_scikit_learn(kind):
    iris = load_iris(as_frame=True)
    model = kind(max_depth=3, random_state=0).fit(iris.data, iris.target)
    text = page(model, iris.data, iris.target, rows="growing")
    assert f"scikit-learn&#39;s {kind.__name__}" in text and "max_depth" in text


@pytest.mark.parametrize("model", [GradientBoostingClassifier(), "tree.json", None, DecisionTreeClassifier()])
def test_c74_another_model_is_refused_by_type(model):
    if isinstance(model, GradientBoostingClassifier):
        model.fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(
        TypeError, match="it must be a Tree, a fitted estimator of bristlecone, or a fitted decision tree"
    ):
        page(model)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"y": None}, "X and y are given together"),
        ({"rows": "fresh"}, "rows must be 'new', 'choosing', 'growing' or None, got 'fresh'"),
        ({"delta": 0}, "delta must be a number between 0 and 1, got 0"),
        ({"delta": True}, "delta must be a number between 0 and 1"),
        ({"y": ["yes", None, "no"]}, "y: row 1 is None"),
        ({"y": ["yes"]}, r"y has shape \(1,\), but X has 3 rows"),
        ({"y": [1, 2, 3]}, "y: no label, such as 1, is one of the tree's classes"),
        ({"sample_weight": [1, -1, 1]}, "sample_weight must be 3 finite numbers"),
        ({"X": np.empty((0, 1)), "y": []}, "X has no rows"),
    ],
)
def test_bad_input_is_named(given, fault):
    tree = bc.DecisionTreeClassifier().fit([[0.0], [1.0], [2.0]], ["no", "yes", "no"]).tree_
    with pytest.raises(ValueError, match=fault):
        page(tree, **({"X": [[0.0], [1.0], [2.0]], "y": ["yes", "no", "no"]} | given))


def odd_tree():
    frame = pd.DataFrame({name: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] for name in ODD})
    for j, name in enumerate(ODD):
        frame[name] = [float(i == j) for i in range(len(ODD))]
    frame["level"] = [f"level {name}" for name in ODD]
    return bc.DecisionTreeClassifier().fit(frame, ODD), frame


def test_c57_names_levels_and_classes_are_shown_literally():
    model, frame = odd_tree()
    text = page(model, frame, ODD, rows="growing", target="</title><script>alert(1)</script>")
    reader = Reader(text)
    kinds = {tag for tag, _ in reader.elements}
    assert not kinds & {"b", "img", "iframe", "link"}
    assert len([tag for tag, _ in reader.elements if tag == "script"]) == 4
    assert "49" not in {rule for rule in reader.text.split()}
    from bristlecone.tree.names import shown

    for name in ODD:
        assert re.sub(r"\s+", " ", shown(name)) in reader.text, name
        assert any(shown(name) in said for said in tree_in(text)["say"] + tree_in(text)["answer"])
    assert "</title><script>alert(1)</script>" in reader.text


def test_the_page_asks_for_nothing_outside_itself(fitted):
    model, X, y = fitted
    for tag, attributes in Reader(page(model, X, y)).elements:
        for name in ("src", "href", "action", "data", "poster", "srcset"):
            address = attributes.get(name) or "#"
            assert tag != "script" or name != "src" or address == "#"
            assert address.startswith("#"), (tag, attributes)


def test_no_cell_of_the_rows_is_in_the_page():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"secret": rng.integers(10**9, 10**10, 200).astype(float), "known": rng.random(200)})
    y = np.where(X["known"] > 0.5, "a", "b")
    model = bc.DecisionTreeClassifier().fit(X, y)
    text = page(model, X, y)
    assert not any(str(int(cell)) in text for cell in X["secret"])


def test_c58_numpy_types_and_infinities_are_values_of_json():
    X = pd.DataFrame({"a": [1.0, np.nan, 3.0, np.nan], "b": np.array([0, 1, 2, 3], dtype=np.int8)})
    y = np.array(["x", "y", "x", "y"], dtype=np.str_)
    tree = bc.DecisionTreeClassifier().fit(X, y).tree_
    data = tree_in(page(tree, X, y))
    assert len(data["right"]) == tree.n_nodes
    assert [ask is None for ask in data["ask"]] == (tree.children_left < 0).tolist()
    for node, ask in enumerate(data["ask"]):
        if ask is not None and ask[1] not in ("", "Infinity"):
            assert float(ask[1]) == tree.threshold[node]


def test_c58_the_values_in_the_page_are_the_model(fitted):
    model, X, y = fitted
    tree, data = model.tree_, tree_in(page(model, X, y))
    assert data["right"] == tree.children_right.tolist()
    assert data["rows"] == tree.n_node_samples.tolist()
    assert data["stops"]["nodes"] == tree.apply(X).tolist()
    answers = [answer.rsplit(" (", 1)[0] for answer in data["answer"]]
    assert answers == tree.answers_at(np.arange(tree.n_nodes)).tolist()
    assert np.allclose([bar[0] for bar in data["bars"]], tree.value[:, 0, 1], atol=6e-4)


@functools.cache
def chain(n):
    """Every split isolates one row: depth n - 1 (C55)."""
    return bc.DecisionTreeClassifier().fit(np.identity(n), np.arange(n))


def test_c55_one_column_one_leaf_and_a_chain():
    for model, X, y in [
        (bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]), [[0.0], [1.0]], [0, 1]),
        (bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [1, 1]), [[0.0], [1.0]], [1, 1]),
        (chain(1200), np.identity(1200), np.arange(1200)),
    ]:
        text = page(model, X, y, rows="growing")
        assert len(tree_in(text)["right"]) == model.tree_.n_nodes
        assert len(text) < 3_000_000


def test_the_file_is_written_whole_and_is_the_text(tmp_path, fitted):
    path = tmp_path / "page.html"
    text = page(fitted[0], path=path)
    assert path.read_bytes() == text.encode() and list(tmp_path.iterdir()) == [path]


def test_half_a_surrogate_pair_does_not_break_the_page():
    model = bc.DecisionTreeClassifier().fit([[0.0], [1.0]], ["a\ud800b", "c"])
    assert "a\\ud800b" in page(model, target="d\udfff")


def test_a_certified_vote_has_a_page_with_its_certificate():
    X, y = loans(900)
    model = bc.PACBayesTreeClassifier(mode="certified").fit(X[:600], y[:600])
    for given in ((), (X[600:], y[600:])):
        text = Reader(page(model, *given, rows="new" if given else None)).text
        assert text.count(model.certificate_.sentence) == (1 if given else 2)
        assert ("By 300 other rows, its certificate says at most" in text) == bool(given)
        for sentence in str(model.certificate_).split("\n"):
            assert sentence in text
        assert "those that vote have" in text and "weighed by the 300 rows that certify" in text
    assert "All prunings of the tree vote" in text and "limits of all" in text
    bc.TreeDisplay.from_estimator(model)
    assert bc.compare(model, model, X[600:], y[600:]).difference == 0
    assert bc.audit(model, X[600:], y[600:]).sql


def test_rows_that_chose_a_tree_bear_no_limits(fitted):
    model, X, y = fitted
    text = Reader(page(model, X, y, rows="choosing")).text
    assert "There is none, for the rows shown had a part in choosing the tree" in text
    assert "on 500 rows that had a part in choosing it" in text and "There are no limits" in text


def test_a_tree_chosen_by_its_bound_has_a_page_with_its_certificate():
    X, y = loans(700)
    model = bc.PrunedTreeClassifier(rule="bound", risk="misclassification").fit(X[:600], y[:600])
    text = Reader(page(model, X[600:], y[600:], rows="new")).text
    assert "The pruning whose own bound is least, by the 300 rows that certify." in text
    assert text.count(model.certificate_.sentence) == 1 and "By 300 other rows, its certificate says" in text
    assert Reader(page(model)).text.count(model.certificate_.sentence) == 2


def test_a_bound_on_costs_is_no_share_of_rows():
    X, y = loans(700)
    costs = bc.certify.LossMatrix([[0.0, 5.0], [1.0, 0.0]], ["no", "yes"])
    model = bc.PrunedTreeClassifier(rule="bound", risk=costs).fit(X, y)
    certificate = model.certificate_
    assert certificate.value > 0.1
    shown = f"mean cost at most {np.ceil(certificate.value * 1e4) / 1e4:.4f}"
    assert shown in Reader(page(model)).text
