"""The audit of a tree, and the comparison of two."""

import dataclasses
import re
import sqlite3

import numpy as np
import pandas as pd
import pytest
from report.conftest import Reader, loans
from scipy import stats
from sklearn.datasets import load_diabetes, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import bristlecone as bc
from bristlecone.export.check import Check
from bristlecone.report import auditing, compare_data
from bristlecone.report.comparing import shared_questions
from bristlecone.report.evidence import gather
from bristlecone.report.holding import hold, shifts
from bristlecone.report.leaves import rules


def numbers(n=1500, seed=0, noise=0.3):
    """Three columns of numbers, classes that follow from two of them."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.random((n, 3)), columns=["a", "b", "c"])
    y = np.where(X["a"] + 0.5 * X["b"] + rng.normal(0, noise, n) > 0.8, "good", "bad")
    return X, y


@pytest.fixture(scope="module")
def theirs():
    """A team's tree of scikit-learn, much too large, and rows that it has not seen."""
    X, y = numbers()
    return DecisionTreeClassifier(random_state=0).fit(X[:700], y[:700]), X[700:], y[700:]


def found(result, question):
    (finding,) = [finding for finding in result.findings if finding.question.startswith(question)]
    return finding


def test_an_audit_finds_what_is_wrong_with_a_tree(theirs):
    model, X, y = theirs
    result = bc.audit(model, X, y, target="loan")
    error = (model.predict(X) != y).mean()
    assert found(result, "Error").figure == f"{100 * error:.1f}% wrong"
    size = found(result, "Size")
    leaves = bc.PrunedTreeClassifier(random_state=0).fit(X, y).get_n_leaves()
    assert size.figure == f"{leaves} leaves beside {model.get_n_leaves()} leaves" and size.act
    assert found(result, "Leaves whose").act
    assert len(result.leaves) == model.get_n_leaves()
    text = Reader(result.html).text
    assert "Audit of a tree for loan" in text and "Leaves that do not hold" in text
    assert all(finding.says in text for finding in result.findings)
    assert str(result).count("\n") == len(result.findings) - 1


def test_leaves_that_fail_are_those_whose_claim_is_outside_the_simultaneous_limits(theirs):
    model, X, y = theirs
    result = bc.audit(model, X, y)
    stops, wrong = bc.from_sklearn(model).apply(X), model.predict(X) != y
    n_leaves = model.get_n_leaves()
    for leaf in result.leaves:
        here = stops == leaf.rule.leaf
        if not here.any():
            assert not leaf.fails
            continue
        low, high = stats.binomtest(int(wrong[here].sum()), int(here.sum())).proportion_ci(1 - 0.05 / n_leaves)
        assert leaf.fails == (not low <= leaf.claimed <= high)
        assert leaf.claimed == pytest.approx(1 - leaf.rule.purity)


def test_an_honest_small_tree_passes():
    X, y = numbers(4000, noise=0.1)
    model = bc.PrunedTreeClassifier(rule="one_se").fit(X[:2000], y[:2000])
    result = bc.audit(model, X[2000:], y[2000:])
    for question in ("Error", "Questions", "Leaves with a shift"):
        assert not found(result, question).act, found(result, question)


def test_a_shift_of_the_population_is_found_where_it_is():
    X, y = numbers(3000)
    model = bc.DecisionTreeClassifier(max_depth=2).fit(X[:1500], y[:1500])
    moved = X[1500:].copy()
    moved["a"] = moved["a"] ** 3
    result = bc.audit(model, moved, y[1500:])
    came = np.bincount(model.apply(moved), minlength=model.tree_.n_nodes)
    for leaf in result.leaves:
        grown = leaf.rule.support
        p = stats.fisher_exact([[grown, 1500 - grown], [came[leaf.rule.leaf], 1500 - came[leaf.rule.leaf]]]).pvalue
        assert leaf.shifted == (p < 0.05 / len(result.leaves))
    assert found(result, "Leaves with a shift").act


@pytest.mark.slow
def test_rows_of_the_same_kind_show_no_shift_and_claims_that_are_true_hold():
    rng = np.random.default_rng(0)
    X, y = numbers(4000)
    tree = bc.DecisionTreeClassifier(max_leaf_nodes=10).fit(X, y).tree_
    marked = 0
    for _ in range(300):
        new = rng.integers(4000, size=1000)
        marked += bool(shifts(tree, np.bincount(tree.apply(X.iloc[new]), minlength=tree.n_nodes), 0.05).any())
        evidence = gather(tree, X.iloc[new], y[new], rows="new")
        marked += any(leaf.fails for leaf in hold(tree, evidence, rules(tree, evidence, 0.05, None), 0.05))
    assert marked / 600 <= 0.05


def test_rows_that_thirty_two_bits_send_astray_are_counted():
    X = np.array([[0.0], [1.0]])
    model = DecisionTreeClassifier().fit(X, [0, 1])
    threshold = model.tree_.threshold[0]
    rows = np.array([[threshold], [np.nextafter(threshold, np.inf)], [threshold + 1e-9], [0.0], [1.0]] * 8)
    result = bc.audit(model, rows, (rows[:, 0] > threshold).astype(int))
    finding = found(result, "Rows misrouted")
    assert finding.figure == "16" and finding.act
    best_first = DecisionTreeClassifier(max_leaf_nodes=6, random_state=0).fit(*numbers(300))
    assert found(bc.audit(best_first, *numbers(100, seed=3)), "Rows misrouted").figure == "0"
    assert not [
        f for f in bc.audit(bc.from_sklearn(model), rows, rows[:, 0] > 0.5).findings if "misrouted" in f.question
    ]


def test_the_sql_of_an_audit_is_run_on_its_rows(theirs, monkeypatch):
    model, X, y = theirs
    result = bc.audit(model, X, y)
    finding = found(result, "SQL")
    assert finding.figure == "checked" and not finding.act and "Run in SQLite on these 800 rows and" in finding.says
    assert result.sql == bc.export.sql(bc.from_sklearn(model), dialect="sqlite")
    text = Reader(result.html).text
    assert " ".join(result.sql.split()) in text
    database = sqlite3.connect(":memory:")
    X.to_sql("data", database, index=False)
    assert [row[-1] for row in database.execute(result.sql)] == model.predict(X).tolist()
    database.close()
    monkeypatch.setattr(auditing, "LONGEST_SQL", 100)
    assert "The tree as SQL" not in Reader(bc.audit(model, X, y).html).text
    monkeypatch.setattr(auditing, "MOST_CHECKED", 90)
    assert "Run in SQLite on 90 of these 800 rows, evenly spread, and" in found(bc.audit(model, X, y), "SQL").says


def test_an_audit_says_where_sql_cannot_say_the_tree_or_says_another(monkeypatch):
    X, y = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0], "A": [0.0, 1.0, 0.0, 1.0]}), np.array([0, 1, 1, 0])
    some = [0, 1, 2, 3, 3]
    tree = bc.DecisionTreeClassifier().fit(X, y).tree_
    result = bc.audit(tree, X.iloc[some], y[some])
    finding = found(result, "SQL")
    assert result.sql == "" and finding.act and "the columns 'a' and 'A' have one name in sqlite" in finding.says
    wrong = Check("sql", "SQLite", 5, 9, (1, 7))
    monkeypatch.setattr(auditing, "check", lambda *given: wrong)
    tree = bc.DecisionTreeClassifier().fit(X.to_numpy(), y).tree_
    finding = found(bc.audit(tree, X.to_numpy()[some], y[some]), "SQL")
    assert finding.act and finding.figure == "2 rows differ" and "9 more made" in finding.says


def test_redundant_questions_are_counted():
    X, y = numbers(600)
    model = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    tree = bc.from_sklearn(model)
    spared = tree.n_leaves - bc.subtrees.simplify(tree).n_leaves
    finding = found(bc.audit(model, *numbers(200, seed=9)), "Questions")
    assert finding.figure == str(spared) and finding.act == (spared > 0)


def test_the_first_question_is_stable_or_not():
    X, y = numbers(800)
    some = np.r_[:800, 0]
    X, y = X.iloc[some], y[some]
    stable = found(bc.audit(DecisionTreeClassifier(max_depth=2).fit(X[:800], y[:800]), X, y), "How stable")
    assert stable.figure == "100%" and not stable.act
    twins = pd.DataFrame({"p": X["a"], "q": X["a"] + np.random.default_rng(1).normal(0, 0.02, 801)})
    model = DecisionTreeClassifier(max_depth=2).fit(twins[:800], y[:800])
    torn = found(bc.audit(model, twins, y), "How stable")
    assert torn.act and re.search(r"Of 100 resamples of these rows, \d+ ask [pq] first", torn.says)
    assert found(bc.audit(model, twins, y), "How stable") == torn


def test_numbers_few_rows_one_leaf_and_every_kind_of_column():
    data = load_diabetes(as_frame=True)
    model = DecisionTreeRegressor(max_depth=3).fit(data.data[:300], data.target[:300])
    result = bc.audit(model, data.data[300:], data.target[300:])
    assert "claims no error rate" in found(result, "Leaves whose").says
    X, y = loans(300)
    tree = bc.DecisionTreeClassifier().fit(X[:200], y[:200])
    assert found(bc.audit(tree, X[200:], y[200:]), "Size").act in (True, False)
    assert found(bc.audit(tree, X[200:210], y[200:210]), "Size").figure == "not known"
    one = bc.DecisionTreeClassifier(max_depth=1).fit([[0.0], [0.0]], [0, 1])
    assert found(bc.audit(one, [[0.0]] * 30, [0, 1] * 15), "How stable").figure == "none"


@pytest.mark.parametrize("model", ["tree.json", None, DecisionTreeClassifier()])
def test_c74_what_cannot_be_audited_is_refused(model):
    with pytest.raises(TypeError, match="it must be a Tree"):
        bc.audit(model, [[0.0]], [0])
    with pytest.raises(TypeError, match="it must be a Tree"):
        bc.compare(model, model, [[0.0]], [0])


def test_two_trees_are_compared_row_by_row(theirs):
    model, X, y = theirs
    other = bc.PrunedTreeClassifier().fit(*numbers(700, seed=5))
    result = bc.compare(model, other, X, y, rows="new", names=("old", "new"))
    wrong = [m.predict(X) != y for m in (model, other)]
    assert result.difference == pytest.approx(wrong[1].mean() - wrong[0].mean())
    assert result.low < result.difference < result.high
    assert result.disagree.tolist() == (model.predict(X) != other.predict(X)).tolist()
    assert f"They disagree on {int(result.disagree.sum())} of 800 rows." in str(result)
    assert str(result).startswith("old: ") and ": new is the better." in str(result)


@pytest.mark.slow
def test_the_limits_of_a_difference_cover_it():
    rng = np.random.default_rng(0)
    X, y = numbers(20_000)
    a = bc.DecisionTreeClassifier(max_depth=1).fit(*numbers(300, seed=1)).tree_
    b = bc.DecisionTreeClassifier(max_depth=3).fit(*numbers(300, seed=2)).tree_
    truth = float((b.predict(X) != y).mean() - (a.predict(X) != y).mean())
    missed = 0
    for _ in range(400):
        new = rng.integers(20_000, size=150)
        result = bc.compare(a, b, X.iloc[new], y[new], rows="new")
        missed += not result.low <= truth <= result.high
    assert missed / 400 <= 0.05


def test_without_new_rows_nothing_follows_and_equal_trees_are_equal(theirs):
    model, X, y = theirs
    result = bc.compare(model, model, X, y)
    assert result.low is None and result.high is None and not result.disagree.any()
    assert "Both err as much; nothing follows for other rows, for it was not said that the rows are new to both" in str(
        result
    )
    assert result.shared == model.get_n_leaves() - 1


def test_numbers_are_compared_by_squared_errors():
    data = load_diabetes(as_frame=True)
    a, b = (bc.DecisionTreeRegressor(max_depth=d).fit(data.data[:200], data.target[:200]) for d in (2, 8))
    X, y = data.data[200:], data.target[200:]
    result = bc.compare(a, b, X, y, rows="new")
    paired = (b.predict(X) - y) ** 2 - (a.predict(X) - y) ** 2
    interval = stats.ttest_1samp(paired, 0).confidence_interval(0.95)
    assert (result.low, result.high) == pytest.approx(tuple(interval))
    iris = load_iris()
    with pytest.raises(ValueError, match="one tree is of regression, the other of classification"):
        bc.compare(a, bc.DecisionTreeClassifier().fit(iris.data, iris.target), X, y)


def test_shared_questions_stop_where_one_differs():
    X, y = numbers(500)
    deep = bc.DecisionTreeClassifier(max_depth=4).fit(X, y).tree_
    shallow = bc.DecisionTreeClassifier(max_depth=2).fit(X, y).tree_
    assert shared_questions(deep, shallow) == shared_questions(shallow, deep) == shallow.n_leaves - 1
    moved = dataclasses.replace(deep, threshold=np.where(np.arange(deep.n_nodes) == 1, 0.123, deep.threshold))
    below = int((deep.children_left[deep.children_right[0] :] >= 0).sum())
    assert shared_questions(deep, moved) == 1 + below


def test_two_sets_of_rows_are_compared_under_one_tree(theirs):
    model, X, y = theirs
    harder = numbers(600, seed=4, noise=1.0)
    harder[0]["a"] = harder[0]["a"] ** 3
    result = compare_data(model, (X, y), harder, rows="new", names=("then", "now"))
    errors = [(model.predict(A) != b).mean() for A, b in ((X, y), harder)]
    assert result.difference == pytest.approx(errors[1] - errors[0])
    assert 0 < result.low < result.difference < result.high and str(result).count("now is the harder") == 1
    tree = bc.from_sklearn(model)
    came = [np.bincount(tree.apply(A), minlength=tree.n_nodes) for A in (X, harder[0])]
    for leaf in np.flatnonzero(tree.children_left < 0):
        p = stats.fisher_exact([[came[0][leaf], 800 - came[0][leaf]], [came[1][leaf], 600 - came[1][leaf]]]).pvalue
        assert (leaf in result.moved) == (p < 0.05 / tree.n_leaves)
    assert result.moved and "most of all:" in str(result) and result.disagree is None
    same = compare_data(model, (X, y), (X, y))
    assert same.difference == 0 and same.low is None and same.moved == ()
    assert "It errs as much on both; nothing follows for other rows" in str(same)


def test_pairs_of_rows_are_compared_by_their_differences(theirs):
    model, X, y = theirs
    moved = X.assign(a=X["a"] + 0.2)
    result = compare_data(model, (X, y), (moved, y), paired=True, rows="new")
    same = bc.compare(model, model, (X, moved), y, rows="new")
    assert (result.low, result.high, result.difference) == (same.low, same.high, same.difference)
    assert result.disagree.tolist() == (model.predict(X) != model.predict(moved)).tolist()
    assert f"{int(result.disagree.sum())} of 800 pairs get different answers" in str(result)
    with pytest.raises(ValueError, match="800 rows and 9 rows make no pairs"):
        compare_data(model, (X, y), (X[:9], y[:9]), paired=True)


def test_numbers_on_two_sets_of_rows_have_welchs_interval():
    data = load_diabetes(as_frame=True)
    model = bc.DecisionTreeRegressor(max_depth=3).fit(data.data[:200], data.target[:200])
    a, b = slice(200, 300), slice(300, None)
    sets = [(data.data[part], data.target[part]) for part in (a, b)]
    result = compare_data(model, *sets, rows="new")
    off = [(model.predict(A) - t) ** 2 for A, t in sets]
    welch = stats.ttest_ind(off[1], off[0], equal_var=False).confidence_interval(0.95)
    assert (result.low, result.high) == (pytest.approx(welch.low), pytest.approx(welch.high))
    assert "either may be the harder" in str(result)
    one = compare_data(model, sets[0], (data.data[300:301], data.target[300:301]), rows="new")
    assert one.low is None and "nothing follows for other rows, for one row bears no limits." in str(one)
    pair = compare_data(model, *[(X[:1], t[:1]) for X, t in sets], rows="new", paired=True)
    assert pair.low is None and "one row bears no limits" in str(pair)
    unsaid = compare_data(model, *sets)
    assert unsaid.low is None and "it was not said that these are new to the tree" in str(unsaid)


def test_errors_that_are_all_equal_bear_no_limits():
    model = bc.DecisionTreeRegressor(max_depth=1).fit([[0.0], [0.0], [1.0], [1.0]], [1.0, 1.0, 3.0, 3.0])
    result = compare_data(model, ([[0.0]] * 3, [2.0] * 3), ([[1.0]] * 5, [5.0] * 5), rows="new")
    assert result.low is None and result.difference == 3.0
    assert "nothing follows for other rows, for errors that are all equal bear no limits." in str(result)
    mixed = compare_data(model, ([[0.0]] * 3, [2.0] * 3), ([[1.0]] * 5, [5.0, 4.0, 3.0, 5.0, 6.0]), rows="new")
    assert mixed.low < mixed.difference < mixed.high


@pytest.mark.slow
def test_the_limits_of_a_difference_of_two_sets_cover_it():
    rng = np.random.default_rng(1)
    X, y = numbers(20_000)
    tree = bc.DecisionTreeClassifier(max_depth=3).fit(*numbers(300, seed=2)).tree_
    wrong = (tree.predict(X) != y) | (rng.random(20_000) < 0.1)
    other = np.where(wrong & (tree.predict(X) == y), np.where(y == "good", "bad", "good"), y)
    truth = float(wrong.mean() - (tree.predict(X) != y).mean())
    missed = 0
    for _ in range(400):
        a, b = rng.integers(20_000, size=90), rng.integers(20_000, size=140)
        result = compare_data(tree, (X.iloc[a], y[a]), (X.iloc[b], other[b]), rows="new")
        missed += not result.low <= truth <= result.high
    assert missed / 400 <= 0.05


def test_the_rows_that_grew_a_tree_are_no_new_ones():
    rng = np.random.default_rng(0)
    X, y = rng.random((500, 3)), rng.integers(0, 2, 500)  # nothing to learn: the error of any tree is one half
    models = [bc.grow.cart(X, y), DecisionTreeClassifier().fit(X, y), bc.PrunedTreeClassifier(strength=0.001).fit(X, y)]
    models.append(bc.DecisionTreeRegressor(max_depth=3).fit(X, y))
    for model in models:
        for judged in (
            lambda model=model: bc.audit(model, X, y),
            lambda model=model: bc.report.page(model, X, y, rows="new"),
            lambda model=model: bc.compare(model, model, X[::-1], y[::-1], rows="new"),
            lambda model=model: compare_data(model, (X, y), (X[:9], y[:9]), rows="new"),
        ):
            with pytest.raises(ValueError, match="these are the rows that grew the tree"):
                judged()
        assert "There are no limits" in Reader(bc.report.page(model, X, y, rows="growing")).text


def test_names_of_a_comparison_are_two_texts(theirs):
    model, X, y = theirs
    for names in (("a",), ("a", "b", "c"), "ab", (1, 2), None):
        with pytest.raises(ValueError, match="names must be two texts, got"):
            bc.compare(model, model, X, y, names=names)
        with pytest.raises(ValueError, match="names must be two texts, got"):
            compare_data(model, (X, y), (X, y), names=names)


def test_a_page_says_where_nodes_have_other_numbers_than_scikit_learn_gives_them(theirs):
    model, X, y = theirs
    assert "Numbers of nodes" not in Reader(bc.audit(model, X, y).html).text
    best_first = DecisionTreeClassifier(max_leaf_nodes=6, random_state=0).fit(*numbers(300))
    assert "in pre-order; scikit-learn's own are others" in Reader(bc.audit(best_first, X, y).html).text


def test_a_pipeline_that_is_a_tree_is_audited_as_one(theirs):
    model, X, y = theirs
    assert str(bc.audit(make_pipeline("passthrough", model), X, y)) == str(bc.audit(model, X, y))


def test_levels_that_the_tree_never_saw():
    rng = np.random.default_rng(0)
    old = pd.DataFrame({"c": pd.Categorical(rng.choice(list("abcd"), 200)), "x": rng.random(200)})
    new = pd.DataFrame({"c": rng.choice(list("abcz"), 200), "x": rng.random(200)})
    for unseen in ("stop", "heavier"):
        model = bc.DecisionTreeClassifier(max_depth=3, unseen=unseen).fit(old, (old.x > 0.5) ^ (old.c == "a"))
        found = bc.audit(model, new, (new.x > 0.5) ^ (new.c == "a"))
        assert len(found.findings) > 5
        several = [leaf.rule.conditions for leaf in found.leaves if " and " in leaf.rule.conditions]
        assert all("(" in said for said in several if " or missing and " in said or said.endswith(" or missing"))
