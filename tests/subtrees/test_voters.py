"""Who carried a vote: the shares are those of the prunings, and by class they are what the vote says."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.prunings import children_of, prunings
from strategies_tree import trees

import bristlecone as bc
from bristlecone.subtrees import pac_bayes_posterior, voters


@given(trees(max_splits=5, regression=False), st.floats(0, 3), st.floats(0, 2), st.data())
def test_shares_are_those_of_all_prunings_one_by_one(tree, lambda1, lambda2, data):
    posterior = pac_bayes_posterior(tree, lambda1=lambda1, lambda2=lambda2)
    stop = data.draw(st.integers(0, tree.n_nodes - 1))
    way, at = [], stop
    while at >= 0:
        way.append(at)
        at = int(tree.parent[at])
    expected = dict.fromkeys(way, 0.0)
    for leaves in prunings(children_of(tree)):
        mask = np.zeros(tree.n_nodes, dtype=bool)
        mask[list(leaves)] = True
        answering = next((v for v in way if mask[v]), stop)
        if tree.n_node_samples[answering] > 0:
            expected[answering] += float(np.exp(posterior.log_chance(mask)))
    total = sum(expected.values())
    found = {voter.node: voter.share for voter in voters(posterior, stop)}
    assert sum(found.values()) == pytest.approx(1)
    assert found == pytest.approx({v: share / total for v, share in expected.items() if v in found}, abs=1e-9)
    assert all(tree.n_node_samples[v] == 0 for v in expected if v not in found)


def test_the_answer_of_most_shares_is_the_vote():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.random(200), "b": rng.choice(list("xyz"), 200)})
    y = np.where(X["a"] + (X["b"] == "x") * 0.4 + rng.random(200) * 0.5 > 0.8, "p", "q")
    model = bc.PACBayesTreeClassifier().fit(X, y)
    for row in range(30):
        found = model.voters(X, row)
        shares = {label: sum(v.share for v in found if v.answer == label) for label in model.classes_}
        assert [v.share for v in found] == sorted((v.share for v in found), reverse=True)
        assert max(shares, key=shares.get) == model.predict(X.iloc[[row]])[0]
        assert model.predict_proba(X.iloc[[row]])[0].tolist() == pytest.approx([shares["p"], shares["q"]])
    assert "of the vote says" in str(found[0]) and str(model.alternatives(X, 0)).startswith("  Nearest other answer: ")


def test_a_node_that_is_none():
    tree = bc.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_
    with pytest.raises(ValueError, match="node 3 is not one of the 3 nodes"):
        voters(pac_bayes_posterior(tree, lambda1=1, lambda2=1), 3)
