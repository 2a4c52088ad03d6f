"""Files of the UCI archive: fetched once, read as they are, refused by name."""

import zipfile

import numpy as np
import pytest

from bristlecone.experiments import archive
from bristlecone.experiments.archive import Archive

PLACE = "7/a+set.zip"


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Puts a zip where the archive is looked for: a folder in place of the network."""
    source = tmp_path / "archive"
    (source / "7").mkdir(parents=True)
    monkeypatch.setattr(archive, "ADDRESS", source.as_uri() + "/")

    def put(**members):
        with zipfile.ZipFile(source / PLACE, "w") as zipped:
            for name, text in members.items():
                zipped.writestr(name, text)
        return source / PLACE

    return put


FORMS = {
    "plain": (Archive(PLACE, ("a",)), "1,2.5,x\n3,4,y\n"),
    "label first": (Archive(PLACE, ("a",), label=0), "x,1,2.5\ny,3,4\n"),
    "header, semicolons": (Archive(PLACE, ("a",), separator=";", header=True), '"p";"q";"r"\n1;2.5;x\n3;4;y\n'),
    "blanks": (Archive(PLACE, ("a",), separator=" "), "1 2.5 x\n3 4 y\n"),
    "blanks after commas": (Archive(PLACE, ("a",)), "1, 2.5, x\n3, 4, y\n"),
    "after a line": (
        Archive(PLACE, ("a",), after="@data"),
        "@RELATION r\n@ATTRIBUTE p NUMERIC\n@DATA\n1,2.5,x\n3,4,y\n",
    ),
    "byte order mark": (Archive(PLACE, ("a",)), "\ufeff1,2.5,x\n3,4,y\n"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_rows(form, served, tmp_path):
    place, text = FORMS[form]
    served(a=text)
    X, y = place.read(tmp_path / "kept")
    assert X.to_numpy(float).tolist() == [[1, 2.5], [3, 4]] and list(y) == ["x", "y"]


def test_members_stand_one_below_the_other(served, tmp_path):
    served(a="1,x\n2,y\n", b="3,z\n")
    X, y = Archive(PLACE, ("a", "b")).read(tmp_path)
    assert X["0"].tolist() == [1, 2, 3] and list(y) == ["x", "y", "z"]


def test_a_file_is_fetched_once(served, tmp_path):
    there = served(a="1,x\n")
    Archive(PLACE, ("a",)).read(tmp_path / "kept")
    there.unlink()
    _, y = Archive(PLACE, ("a",)).read(tmp_path / "kept")
    assert list(y) == ["x"] and [path.name for path in (tmp_path / "kept").iterdir()] == ["7-a+set.zip"]


def test_what_cannot_be_fetched_leaves_nothing(served, tmp_path):
    with pytest.raises(OSError):
        Archive("8/other.zip", ("a",)).read(tmp_path / "kept")
    assert list((tmp_path / "kept").iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 cut off"])
def test_what_is_no_zip_is_named(content, tmp_path):
    (tmp_path / "7-a+set.zip").write_bytes(content)
    with pytest.raises(ValueError, match=r"7-a\+set\.zip' is not the archive's file"):
        Archive(PLACE, ("a",)).read(tmp_path)


def test_a_member_that_is_not_there_is_named(served, tmp_path):
    served(a="1,x\n")
    with pytest.raises(ValueError, match="'b'"):
        Archive(PLACE, ("b",)).read(tmp_path)


@pytest.mark.parametrize("text", ["", "\n\n", "@relation only\n"])
def test_a_member_without_rows_is_named(text, served, tmp_path):
    served(a=text)
    with pytest.raises(ValueError, match=r"7-a\+set\.zip"):
        Archive(PLACE, ("a",), after="@data" if "@" in text else "").read(tmp_path)


def test_bytes_that_are_no_text_are_named(served, tmp_path):
    served(a=bytes(range(128, 256)))
    with pytest.raises(ValueError, match=r"7-a\+set\.zip"):
        Archive(PLACE, ("a",)).read(tmp_path)


def test_a_member_of_unlikely_size_is_not_unpacked(served, tmp_path, monkeypatch):
    served(a="1,x\n" * 1000)
    monkeypatch.setattr(archive, "MOST_BYTES", 100)
    with pytest.raises(ValueError, match="a holds 4,000 bytes"):
        Archive(PLACE, ("a",)).read(tmp_path)


def test_cells_keep_their_values(served, tmp_path):
    numbers = np.random.default_rng(0).normal(size=(50, 3))
    served(a="\n".join(",".join(map(repr, map(float, row))) + ",k" for row in numbers))
    X, _ = Archive(PLACE, ("a",)).read(tmp_path)
    np.testing.assert_allclose(X.to_numpy(), numbers, rtol=1e-15)
