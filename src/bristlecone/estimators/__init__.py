"""Estimators in scikit-learn's form, and their files. The only room that imports scikit-learn."""

from __future__ import annotations

from bristlecone.estimators.classifier import DecisionTreeClassifier
from bristlecone.estimators.model_file import load, save
from bristlecone.estimators.regressor import DecisionTreeRegressor

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "load", "save"]
