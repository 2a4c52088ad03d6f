"""The JavaScript module, run by Node where there is one: the same answers as the tree."""

import datetime
import json
import shutil
import subprocess

import numpy as np
import pytest
from probes import NAMED, expected, probes, random_tree
from strategies_tree import Leaf, Split, build, staircase

from bristlecone.export import javascript
from bristlecone.table.schema import ColumnSchema, Kind, Schema

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no node")
RUN = """
const fs = require("fs");
const jobs = JSON.parse(fs.readFileSync(0, "utf8"));
const answers = jobs.map(([file, rows]) => {
    const tree = require(file);
    return rows.map((row) => {
        try {
            return [tree.apply(row), tree.predict(row), tree.predictProba ? tree.predictProba(row) : null];
        } catch (fault) {
            if (!(fault instanceof RangeError)) throw fault;
            return [fault.message, null, null];
        }
    });
});
console.log(JSON.stringify(answers));
"""


def run(folder, trees, rows_of):
    """What Node answers for the rows of each tree: [node, answer, shares] a row."""
    jobs = []
    for i, (tree, rows) in enumerate(zip(trees, rows_of, strict=True)):
        (folder / f"tree{i}.js").write_text(javascript(tree), encoding="utf-8")
        jobs.append([str(folder / f"tree{i}.js"), rows])
    given = json.dumps(jobs)
    done = subprocess.run([NODE, "-e", RUN], input=given, capture_output=True, text=True, check=True, encoding="utf-8")
    return json.loads(done.stdout)


def plain(tree, table, rows):
    """Rows for JSON: dates and datetimes of number columns as counts, dates of categories as text."""
    said = [[cell.isoformat() if isinstance(cell, datetime.date) else cell for cell in row] for row in rows]
    for j, column in enumerate(tree.schema.columns):
        if column.kind in (Kind.DATE, Kind.DATETIME):
            for row, cell in zip(said, table.columns[j].tolist(), strict=True):
                row[j] = None if cell != cell else cell
    return said


@needs_node
def test_two_hundred_random_trees(tmp_path):
    trees = [random_tree(seed) for seed in range(200)]
    tables, rows = zip(*(probes(tree, seed) for seed, tree in enumerate(trees)), strict=True)
    answers = run(tmp_path, trees, [plain(*found) for found in zip(trees, tables, rows, strict=True)])
    for tree, table, found in zip(trees, tables, answers, strict=True):
        nodes, labels, shares = expected(tree, table)
        assert [node for node, _, _ in found] == nodes.tolist()
        assert [answer for _, answer, _ in found] == labels.tolist()
        if shares is not None:
            assert np.array_equal([given for _, _, given in found], shares)


@needs_node
def test_refused_rows_are_errors(tmp_path):
    tree = random_tree(3, unseen="error", missing="error", splits=20)
    table, rows = probes(tree, 3)
    (found,) = run(tmp_path, [tree], [plain(tree, table, rows)])
    refused = 0
    for i, (node, _, _) in enumerate(found):
        try:
            assert tree.apply(table.take([i]))[0] == node
        except ValueError:
            refused += 1
            assert "refuses this cell" in node
    assert 10 < refused < len(rows) - 10


@needs_node
def test_c55_deep_trees_and_single_leaves(tmp_path):
    deep, flat = staircase(5000), build(Leaf((1, 2)))
    xs = [0, 0.5, 17, 4998.5, 4999, 5001, None]
    found = run(tmp_path, [deep, flat], [[[x] for x in xs], [[None] * 5]])
    X = np.array(xs, dtype=float)[:, None]
    assert [node for node, _, _ in found[0]] == deep.apply(X).tolist()
    assert found[1] == [[0, "yes", [1 / 3, 2 / 3]]]


@needs_node
def test_objects_dates_and_text_where_numbers_belong(tmp_path):
    tree = build(Split(7, 19000.5, Leaf((1, 0)), Leaf((0, 1))), schema=NAMED)
    (tmp_path / "tree.js").write_text(javascript(tree), encoding="utf-8")
    code = """
    const tree = require(process.argv[1]);
    const name = tree.COLUMNS[7];
    const tried = [{}, {[name]: new Date("2022-01-08")}, {[name]: new Date("2022-01-09")},
        {[name]: new Date("2022-01-08T23:59:59.999Z")}, {[name]: new Date("1969-12-31T01:00:00Z")}].map(tree.predict);
    let refused = "";
    try { tree.predict({[name]: "2022-01-08"}); } catch (fault) { refused = fault.name; }
    console.log(JSON.stringify([tried, refused]));
    """
    done = subprocess.run(
        [NODE, "-e", code, str(tmp_path / "tree.js")], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert json.loads(done.stdout) == [["yes", "no", "yes", "no", "no"], "TypeError"]


@needs_node
def test_columns_that_are_called_as_every_object_has_them(tmp_path):
    schema = Schema((ColumnSchema("constructor", Kind.CATEGORY, ("a", "b")), ColumnSchema("__proto__", Kind.NUMERIC)))
    asks = Split(0, np.nan, Leaf((1, 0)), Split(1, 1.0, Leaf((0, 1)), Leaf((2, 0))), True, ((0, True), (1, False)))
    (tmp_path / "tree.js").write_text(javascript(build(asks, schema=schema)), encoding="utf-8")
    code = """
    const tree = require(process.argv[1]);
    const rows = [{}, {constructor: "b"}, JSON.parse('{"constructor": "b", "__proto__": 0.5}'), [null, null], ["b", 7]];
    console.log(JSON.stringify(rows.map(tree.apply)));
    """
    done = subprocess.run(
        [NODE, "-e", code, str(tmp_path / "tree.js")], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert json.loads(done.stdout) == [1, 4, 3, 1, 4]


def test_no_name_can_end_the_script_it_stands_in():
    schema = Schema((ColumnSchema("</script><b>\u2028", Kind.NUMERIC),))
    source = javascript(build(Split(0, 1.0, Leaf((1, 0)), Leaf((0, 1))), schema=schema, classes=["</script>", "<!--"]))
    assert "</" not in source and "<!--" not in source and "\u2028" not in source


@pytest.mark.parametrize(
    ("levels", "fault"),
    [
        ((2**60, 1), "cannot write the level 1152921504606846976"),
        ((datetime.date(2024, 1, 1), "2024-01-01"), "cannot tell the date 2024-01-01 from the same text"),
        ((b"x", "y"), "cannot write the level b'x'"),
    ],
)
def test_levels_that_cannot_be_said_are_refused(levels, fault):
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, levels),))
    split = Split(0, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, True)))
    with pytest.raises(TypeError, match=f"column 'c': JavaScript {fault}"):
        javascript(build(split, schema=schema))


def test_a_large_whole_label_is_refused():
    with pytest.raises(TypeError, match="cannot write the class label 9007199254740993 exactly"):
        javascript(build(Leaf((1, 2)), classes=[2**53 + 1, 1]))
