"""The Python module: run as it is, the same answers as the tree."""

import datetime
import os
import subprocess
import sys

import numpy as np
import pytest
from probes import NAMED, expected, probes, random_tree
from strategies_tree import Leaf, Split, build

from bristlecone.export import python
from bristlecone.table.schema import ColumnSchema, Kind, Schema


def module_of(tree):
    """The names that the exported module defines."""
    names = {}
    exec(compile(python(tree), "exported.py", "exec"), names)
    return names


def agree(tree, seed):
    table, rows = probes(tree, seed)
    nodes, answers, shares = expected(tree, table)
    names = module_of(tree)
    assert [names["apply"](row) for row in rows] == nodes.tolist()
    assert [names["predict"](row) for row in rows] == answers.tolist()
    if shares is not None:
        assert np.array_equal([names["predict_proba"](row) for row in rows], shares)
    by_name = [dict(zip(tree.schema.names, row, strict=True)) for row in rows]
    assert [names["apply"](row) for row in by_name] == nodes.tolist()


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_two_hundred_random_trees(start):
    for seed in range(start, start + 50):
        agree(random_tree(seed), seed)


def test_refused_rows():
    tree = random_tree(3, unseen="error", missing="error", splits=20)
    table, rows = probes(tree, 3)
    names = module_of(tree)
    refused = 0
    for i, row in enumerate(rows):
        try:
            node = tree.apply(table.take([i]))[0]
        except ValueError as fault:
            refused += 1
            with pytest.raises(ValueError, match="refuses this cell") as found:
                names["apply"](row)
            assert str(found.value).split(":")[0] in str(fault)
        else:
            assert names["apply"](row) == node
    assert 10 < refused < len(rows) - 10


def test_the_file_runs_by_itself(tmp_path):
    tree = random_tree(8, splits=30)
    (tmp_path / "model.py").write_text(python(tree), encoding="utf-8")
    table, rows = probes(tree)
    (tmp_path / "rows.txt").write_text(repr([[None if c is None else c for c in row] for row in rows]), "utf-8")
    code = (
        "import datetime, model; rows = eval(open('rows.txt', encoding='utf-8').read());"
        " print([model.apply(row) for row in rows])"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.'); {code}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(tree.apply(table).tolist())


def test_names_and_labels_cannot_leave_their_quotes():
    nasty = ['"""\nraise SystemExit', "'''", "\\", "\n", "{0}", "\ud800", "é"]
    schema = Schema(tuple(ColumnSchema(name, Kind.CATEGORY, (*nasty, "x")) for name in nasty))
    split = Split(2, np.nan, Leaf((2, 1)), Leaf((0, 1)), True, ((0, True), (5, False), (6, False)))
    tree = build(split, schema=schema, classes=nasty[:2])
    names = module_of(tree)
    assert names["COLUMNS"] == nasty and names["CLASSES"] == nasty[:2]
    assert names["apply"]([nasty[0]] * 7) == 1 and names["apply"]([nasty[5]] * 7) == 2
    assert names["apply"](["x"] * 7) == 0 and names["apply"]([float("nan")] * 7) == 1


def test_what_python_has_no_literal_for_is_refused():
    levels = (b"x", "y")
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, levels),))
    split = Split(0, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, True)))
    with pytest.raises(TypeError, match=r"column 'c': Python has no literal for the level b'x' \(bytes\)"):
        python(build(split, schema=schema))
    labels = [datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)]
    with pytest.raises(TypeError, match="cannot write the class label"):
        python(build(Leaf((1, 2)), schema=NAMED, classes=labels))
