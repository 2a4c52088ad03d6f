"""The table reads three frame libraries and imports none of them."""

import subprocess
import sys

import pytest

import bristlecone.table

SCRIPT = """
import sys
import bristlecone.table
import numpy as np
bristlecone.table.as_table(np.zeros((2, 2)))
found = {"pandas", "polars", "pyarrow", "typer"} & set(sys.modules)
assert not found, found
"""

WITHOUT_POLARS = """
import sys
sys.modules["polars"] = None
from bristlecone.table import read_file
try:
    read_file("rows.csv")
except ImportError as error:
    assert "bristlecone[cli]" in str(error)
else:
    raise SystemExit("no error")
"""


@pytest.mark.parametrize("script", [SCRIPT, WITHOUT_POLARS])
def test_in_a_fresh_interpreter(script):
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_public_name_exists():
    for name in bristlecone.table.__all__:
        assert getattr(bristlecone.table, name) is not None
    assert sorted(bristlecone.table.__all__) == sorted(set(bristlecone.table.__all__))
