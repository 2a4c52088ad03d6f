"""The command line called as a function, with what it printed."""

import dataclasses
import os
from pathlib import Path

import pytest

from bristlecone.cli.main import run

PEOPLE = """\
age,job,city,income
23,clerk,Bern,low
31,clerk,Basel,low
45,doctor,Bern,high
52,doctor,Basel,high
38,nurse,Bern,low
61,doctor,Chur,high
29,nurse,Chur,low
57,clerk,Bern,high
33,nurse,Basel,low
48,doctor,Bern,high
"""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one command did."""

    code: int
    out: str
    err: str

    def refused(self, *fragments):
        """Check that this was a fault of the user, told in one line that holds the fragments."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert self.out == ""
        assert self.err.startswith("bristlecone: ") and self.err.count("\n") == 1 and self.err.endswith("\n"), self.err
        assert "Traceback" not in self.err
        for fragment in fragments:
            assert fragment in self.err, self.err


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty directory to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BRISTLECONE_DEBUG", raising=False)
    return tmp_path


@pytest.fixture
def bristlecone(here, capsys):
    """Runs one command line, words apart at blanks or given one by one."""

    def call(*words):
        given = words[0].split() if len(words) == 1 else list(map(str, words))
        before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
        capsys.readouterr()
        code = run(given)
        outcome = Outcome(code, *capsys.readouterr())
        if code != 0:
            after = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
            assert after == before, "a command that failed left or changed files"
        return outcome

    return call


@pytest.fixture
def people(here):
    """A small file of ten rows."""
    return write("people.csv", PEOPLE)


@pytest.fixture
def model(bristlecone, people):
    """A tree grown on all rows of `people`."""
    assert bristlecone("fit people.csv --target income --holdout 0 --model tree.json").code == 0
    return Path("tree.json")


def write(name, text):
    """Write a file into the working directory."""
    path = Path(name)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def files():
    """The names in the working directory."""
    return sorted(os.listdir())
