"""`fit` chooses the tree's size and says why; `show --path` shows what there was to choose from."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bristlecone.cli.models import KIND, load_model
from bristlecone.estimators import DecisionTreeClassifier, PACBayesTreeClassifier, PrunedTreeClassifier, save
from bristlecone.export import make_document, read_document, write_document


def write_groups(n_groups=30, seed=1):
    """Rows of one group are alike but for noise, and the label is the group's: rows tell on each other."""
    rng = np.random.default_rng(seed)
    lines = ["x,z,patient,day,sick"]
    for group, sick in enumerate(rng.permutation(["no", "yes"] * (n_groups // 2))):
        near = rng.random() + 1e-6 * rng.random(20)
        lines += [f"{x:.9f},{rng.random():.6f},p{group},{20 * group + k},{sick}" for k, x in enumerate(near)]
    Path("groups.csv").write_text("\n".join(lines) + "\n")


def write_noisy(n=400, seed=0):
    rng = np.random.default_rng(seed)
    x, z = rng.random(n), rng.random(n)
    y = np.where(rng.random(n) < 0.15, x < 0.5, x >= 0.5)
    lines = [f"{a:.6f},{b:.6f},{'yes' if c else 'no'},{a + 0.3 * b:.4f}" for a, b, c in zip(x, z, y, strict=True)]
    Path("noisy.csv").write_text("x,z,y,amount\n" + "\n".join(lines) + "\n")


def leaves(name="m.json"):
    return load_model(Path(name)).tree.n_leaves


def size_said(out):
    """The paragraph on size, as one line."""
    lines = out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("Size"))
    end = next(k for k in range(start + 1, len(lines)) if lines[k][:1].strip())
    return " ".join(line.strip() for line in lines[start:end])


def test_the_default_prunes_and_says_why(bristlecone, here):
    write_noisy()
    out = bristlecone("fit noisy.csv -t y --drop amount -m m.json").out
    assert leaves() == 2
    assert "in 10-fold cross-validation" in size_said(out) and "leaves grown" in size_said(out)
    assert "chosen" in out and "relative" in out
    model = load_model(Path("m.json"))
    assert model.prunings is not None and model.prunings.leaves[model.prunings.chosen] == 2
    assert model.made["grown_leaves"] == model.prunings.leaves.max()


@pytest.mark.parametrize("rule", ["one-se", "min", "pessimistic", "none"])
def test_the_rules_are_ordered_by_size(bristlecone, here, rule):
    write_noisy()
    assert bristlecone(f"fit noisy.csv -t y --drop amount --prune {rule} -m m.json").code == 0
    chosen = leaves()
    assert bristlecone("fit noisy.csv -t y --drop amount --prune none -m whole.json").code == 0
    whole = leaves("whole.json")
    assert chosen == whole if rule == "none" else chosen < whole


def test_lower_confidence_prunes_more(bristlecone, here):
    write_noisy()
    sizes = []
    for confidence in ("0.9", "0.25", "0.001"):
        words = f"fit noisy.csv -t y --drop amount --prune pessimistic --confidence {confidence} -m m.json"
        assert bristlecone(words).code == 0
        sizes.append(leaves())
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1]


def test_a_number_is_judged_by_its_own_loss(bristlecone, here):
    write_noisy()
    out = bristlecone("fit noisy.csv -t amount --drop y").out
    assert "RMSE" in size_said(out)
    out = bristlecone("fit noisy.csv -t amount --drop y --criterion absolute_error").out
    assert "absolute error" in size_said(out)


def test_groups_are_held_out_whole_and_keep_the_tree_honest(bristlecone, here):
    write_groups()
    assert bristlecone("fit groups.csv -t sick --drop patient,day -m alone.json").code == 0
    out = bristlecone("fit groups.csv -t sick --drop day --group patient -m m.json").out
    assert leaves("alone.json") > 10  # rows of the same patient tell the answer
    assert leaves() < 5
    assert "480 to grow on, 120 held out" in out
    assert "patient" not in load_model(Path("m.json")).tree.schema.names


def test_time_holds_out_the_last_rows(bristlecone, here):
    write_groups()
    out = bristlecone("fit groups.csv -t sick --drop patient --time day -m m.json").out
    assert "480 to grow on, 120 held out" in out and "the last ones" in out
    made = load_model(Path("m.json")).made
    assert made["options"]["time"] == "day"


def test_few_groups_mean_few_folds(bristlecone, here):
    write_groups(n_groups=6)
    assert "5-fold" in bristlecone("fit groups.csv -t sick --drop day --group patient").out
    fault = bristlecone("fit groups.csv -t sick --drop day --group patient --folds 9")
    assert fault.code == 2 and "'patient' has 5 different value(s)" in fault.err and "9 folds" in fault.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--prune none --folds 5", "--folds goes with --prune one-se or min"),
        ("--prune none --risk impurity", "--risk goes with"),
        ("--confidence 0.2", "--confidence goes with --prune pessimistic"),
        ("--prune pessimistic --confidence 0", "between 0 and 1"),
        ("-t amount --prune pessimistic", "counts wrong answers"),
        ("-t amount --risk misclassification", "counts wrong answers"),
        ("--group y", "cannot be both the target and the group"),
        ("--group z --time z", "cannot be both the group and the time"),
        ("--group z --time x", "--group and --time are both given"),
        ("--group nobody", "no column 'nobody'"),
        ("--drop z --group z", "group 'z' is among the dropped columns"),
    ],
)
def test_words_that_do_not_go_together(bristlecone, here, words, said):
    write_noisy()
    target = "" if "-t " in words else "-t y "
    fault = bristlecone(f"fit noisy.csv {target}{words} -m m.json")
    assert fault.code == 2 and said in fault.err and not Path("m.json").exists()


def test_a_group_or_time_that_is_not_known_is_refused_by_row(bristlecone, here):
    Path("holes.csv").write_text("x,who,when,y\n1,a,2020-01-01,u\n2,,2020-01-02,v\n3,b,,u\n4,c,2020-01-04,v\n")
    fault = bristlecone("fit holes.csv -t y --group who")
    assert fault.code == 2 and "group 'who' is missing in row 2" in fault.err
    fault = bristlecone("fit holes.csv -t y --time when")
    assert fault.code == 2 and "time 'when' is missing in row 3" in fault.err
    fault = bristlecone("fit holes.csv -t y --time who")
    assert fault.code == 2 and "must be numbers, dates or times" in fault.err


def test_two_rows_can_be_fitted(bristlecone, here):
    Path("two.csv").write_text("x,y\n1,a\n2,b\n")
    assert bristlecone("fit two.csv -t y --holdout 0").code == 0
    Path("same.csv").write_text("x,y\n1,a\n1,b\n")
    assert bristlecone("fit same.csv -t y --holdout 0").code == 0


def test_c35_weights_equal_repeated_rows_in_the_choice_of_size(bristlecone, here):
    rng = np.random.default_rng(5)
    rows = [f"{a},{b},{'ab'[int(a + rng.integers(0, 3) > 3)]}" for a, b in rng.integers(0, 6, (80, 2))]
    times = rng.integers(1, 4, 80)
    Path("w.csv").write_text("p,q,y,w\n" + "".join(f"{r},{t}\n" for r, t in zip(rows, times, strict=True)))
    Path("r.csv").write_text("p,q,y\n" + "".join(f"{r}\n" * t for r, t in zip(rows, times, strict=True)))
    assert bristlecone("fit w.csv -t y --weights w --holdout 0 -m w.json").code == 0
    assert bristlecone("fit r.csv -t y --holdout 0 -m r.json").code == 0
    one, other = load_model(Path("w.json")), load_model(Path("r.json"))
    np.testing.assert_array_equal(one.tree.threshold, other.tree.threshold)
    for name in ("strength", "leaves", "risk", "cv_risk", "se"):
        np.testing.assert_allclose(getattr(one.prunings, name), getattr(other.prunings, name), rtol=1e-12)


def test_show_path_of_either_kind_of_model(bristlecone, here):
    write_noisy()
    bristlecone("fit noisy.csv -t y --drop amount -m m.json")
    out = bristlecone("show m.json --path").out
    assert out.index("misclassification", out.index("alpha")) < out.index("gini", out.index("alpha"))
    assert "Weakest-link path by misclassification, 10 folds" in out and "chosen" in out and "├─" not in out
    rng = np.random.default_rng(2)
    X = rng.random((200, 2))
    save(PrunedTreeClassifier().fit(X, X[:, 0] > rng.random(200)), "p.json")
    assert "Weakest-link path" in bristlecone("show p.json --path").out
    bristlecone("fit noisy.csv -t y --prune none -m n.json")
    fault = bristlecone("show n.json --path")
    assert fault.code == 2 and "n.json" in fault.err


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("risks", [["gini", [0.5]]]),
        ("risks", {"gini": [0.5]}),
        ("risks", 5),
        ("leaves", "many"),
        ("chosen", 99),
        ("judged_by", 3),
        ("cv_risk", {"a": 1}),
        ("extra", 1),
    ],
)
def test_a_damaged_table_of_prunings_is_refused(bristlecone, here, name, value):
    write_noisy()
    bristlecone("fit noisy.csv -t y -m m.json")
    payload = read_document(Path("m.json"))["payload"]
    payload["made"]["prunings"][name] = value
    write_document(make_document(KIND, payload), Path("m.json"))
    fault = bristlecone("show m.json")
    assert fault.code == 2 and "m.json" in fault.err and "table of prunings" in fault.err


def test_the_vote_is_printed_saved_and_explained_as_a_tree(bristlecone, here):
    write_noisy()
    out = bristlecone("fit noisy.csv -t y --drop amount --vote -m m.json").out
    said = size_said(out)
    assert "the vote of all prunings of" in said and "in 2-fold cross-validation" in said and "lambda1" in said
    model = load_model(Path("m.json"))
    assert model.tree.n_leaves < model.made["grown_leaves"] and model.prunings is None
    assert set(model.made["vote"]["strengths"]) == {"lambda1", "lambda2", "leaf_cost"}
    assert "prune" not in model.made["options"] and model.made["options"]["vote"] is True
    assert bristlecone("predict m.json noisy.csv -o answers.csv").code == 0
    assert "Row 3 gets" in bristlecone("explain m.json noisy.csv --row 3").out
    assert "vote True" in bristlecone("show m.json --details").out
    fault = bristlecone("show m.json --path")
    assert fault.code == 2 and "no cross-validation chose one" in fault.err


def test_the_vote_of_the_command_is_that_of_the_estimator(bristlecone, here):
    write_noisy()
    words = "fit noisy.csv -t y --drop amount --vote --holdout 0 --folds 5 --min-samples-leaf 2"
    assert bristlecone(f"{words} -m m.json").code == 0
    frame = pd.read_csv("noisy.csv").drop(columns="amount")
    frame, y = frame.drop(columns="y"), frame["y"]
    vote = PACBayesTreeClassifier(base=DecisionTreeClassifier(min_samples_leaf=2), selection_folds=5).fit(frame, y)
    model = load_model(Path("m.json"))
    np.testing.assert_array_equal(model.tree.predict(frame), vote.predict(frame))
    np.testing.assert_array_equal(model.tree.threshold, vote.to_tree().threshold)
    assert model.made["vote"]["strengths"]["lambda1"] == vote.lambda1_
    assert model.made["vote"]["risk"] in vote.cv_results_["risk"]
    save(vote, "vote.json")
    np.testing.assert_array_equal(load_model(Path("vote.json")).tree.threshold, model.tree.threshold)


def test_a_vote_by_group_and_by_time_and_of_two_rows(bristlecone, here):
    write_groups()
    assert "in 2-fold" in size_said(bristlecone("fit groups.csv -t sick --drop day --group patient --vote").out)
    assert "in 2-fold" in size_said(bristlecone("fit groups.csv -t sick --drop patient --time day --vote").out)
    Path("same.csv").write_text("x,y\n1,a\n1,b\n")
    assert bristlecone("fit same.csv -t y --holdout 0 --vote").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--vote --prune min", "--vote takes the place of --prune"),
        ("--vote --risk impurity", "--risk goes with --prune"),
        ("-t amount --vote", "--vote is over classes; 'amount' is a number"),
    ],
)
def test_words_that_do_not_go_with_a_vote(bristlecone, here, words, said):
    write_noisy()
    fault = bristlecone(f"fit noisy.csv {'' if '-t ' in words else '-t y '}{words} -m m.json")
    assert fault.code == 2 and said in fault.err and not Path("m.json").exists()
