"""Real data sets by name: those that scikit-learn ships, and those in the folder that BRISTLECONE_DATA names.

A set is a frame of columns to ask about and a target. Sets of the folder are found by their file names there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets


class NotHere(LookupError):
    """A data set whose file is not on this machine."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set. regression: the target is a number."""

    name: str
    load: Callable[[], tuple[pd.DataFrame, Any]]
    regression: bool = False


def file_of(name: str) -> Path:
    """The path of a file in the folder of BRISTLECONE_DATA. Raises `NotHere` naming what is missing."""
    folder = os.environ.get("BRISTLECONE_DATA")
    if not folder:
        raise NotHere(f"{name}: BRISTLECONE_DATA names no folder")
    path = Path(folder) / name
    if not path.is_file():
        raise NotHere(f"{path} is not there")
    return path


def _table(name: str, target: str, *left_out: str) -> Callable[[], tuple[pd.DataFrame, Any]]:
    def load() -> tuple[pd.DataFrame, Any]:
        frame = pd.read_csv(file_of(name))
        return frame.drop(columns=[target, *left_out]), frame[target].to_numpy()

    return load


def _epileptic() -> tuple[pd.DataFrame, Any]:
    held = np.load(file_of("uci/epileptic_seizure.npz"))
    return pd.DataFrame(held["X"]).add_prefix("x"), (held["y"] == 1).astype(int)


def _shipped(load: Callable[..., Any]) -> Callable[[], tuple[pd.DataFrame, Any]]:
    def read() -> tuple[pd.DataFrame, Any]:
        held = load(as_frame=True)
        return held.data, held.target.to_numpy()

    return read


SETS = {
    one.name: one
    for one in (
        DataSet("spam", _table("uci/spambase.csv.gz", "is_spam")),
        DataSet("eeg", _table("uci/eeg_eye_state.csv.gz", "eyeDetection")),
        DataSet("epileptic", _epileptic),
        DataSet("crowd", _table("uci/crowdsourced_mapping.csv.gz", "class", "part")),
        DataSet("wine quality", _table("uci/wine_quality.csv.gz", "quality", "type")),
        DataSet("digits", _table("uci/optdigits.csv.gz", "digit", "part")),
        DataSet("letter", _table("uci/letter_recognition.csv.gz", "lettr")),
        DataSet("bank", _table("classics/bank_marketing_full.csv.gz", "y")),
        DataSet("mushroom", _table("classics/mushroom.csv.gz", "label")),
        DataSet("covertype", _table("classics/covtype_first5999.csv.gz", "Cover_Type")),
        DataSet("tumours", _shipped(datasets.load_breast_cancer)),
        DataSet("cultivars", _shipped(datasets.load_wine)),
        DataSet("iris", _shipped(datasets.load_iris)),
        DataSet("diabetes", _shipped(datasets.load_diabetes), regression=True),
        DataSet("wine score", _table("uci/wine_quality.csv.gz", "quality", "type"), regression=True),
    )
}
