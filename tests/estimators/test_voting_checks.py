"""scikit-learn's own checks of the votes, with no expected failure."""

import pytest
from sklearn.tree import DecisionTreeClassifier as TheirTree
from sklearn.utils.estimator_checks import parametrize_with_checks

import bristlecone as bc

ESTIMATORS = [
    bc.PACBayesTreeClassifier(),
    bc.PACBayesTreeClassifier(base="dyadic", selection_folds=3, n_jobs=2),
    bc.PACBayesTreeClassifier(base="kd", lambda1=1.0, lambda2=0.5),
    bc.PACBayesTreeClassifier(base=bc.DecisionTreeClassifier(missing="error"), leaf_cost="cv"),
    bc.PACBayesTreeClassifier(base=TheirTree(random_state=0), lambda1=2.0),
    bc.HelmboldSchapireClassifier(),
    bc.HelmboldSchapireClassifier(base="dyadic", beta=0.5, empty="parent"),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_check(estimator, check):
    check(estimator)


@pytest.mark.parametrize("vote", [bc.PACBayesTreeClassifier, bc.HelmboldSchapireClassifier])
def test_tags_are_those_of_the_base(vote):
    assert vote().__sklearn_tags__().input_tags.allow_nan
    for base in ("dyadic", "kd", bc.DecisionTreeClassifier(missing="error")):
        assert not vote(base=base).__sklearn_tags__().input_tags.allow_nan
    assert vote(base="none").__sklearn_tags__().input_tags.allow_nan is True
    assert vote().__sklearn_tags__().classifier_tags.multi_class == (vote is bc.PACBayesTreeClassifier)
