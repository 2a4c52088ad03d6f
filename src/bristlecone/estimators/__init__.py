"""Estimators in scikit-learn's form, and their files. The only room that imports scikit-learn."""

from __future__ import annotations

from bristlecone.estimators.classifier import DecisionTreeClassifier
from bristlecone.estimators.display import PruningPathDisplay
from bristlecone.estimators.helmbold_schapire import HelmboldSchapireClassifier
from bristlecone.estimators.model_file import load, save
from bristlecone.estimators.pac_bayes import PACBayesTreeClassifier
from bristlecone.estimators.pruned_classifier import PrunedTreeClassifier
from bristlecone.estimators.pruned_regressor import PrunedTreeRegressor
from bristlecone.estimators.regressor import DecisionTreeRegressor

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "HelmboldSchapireClassifier",
    "PACBayesTreeClassifier",
    "PrunedTreeClassifier",
    "PrunedTreeRegressor",
    "PruningPathDisplay",
    "load",
    "save",
]
