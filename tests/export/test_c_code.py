"""The C file, compiled where there is a compiler: the same answers as the tree."""

import shutil
import subprocess

import numpy as np
import pytest
from probes import expected, probes, random_tree
from strategies_tree import Leaf, Split, build, staircase

from bristlecone.export import c
from bristlecone.table.schema import ColumnSchema, Kind, Schema

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler")
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O0"]

READ = """
#include <stdio.h>
int main(void) {
    int tree, n_columns;
    static double row[4096], out[4096];
    while (scanf("%d %d", &tree, &n_columns) == 2) {
        for (int j = 0; j < n_columns; ++j)
            if (scanf("%lf", row + j) != 1) return 1;
        switch (tree) {
"""
CASE = """        case {i}:
            printf("%d %d", t{i}_apply(row), t{i}_predict(row));
            t{i}_predict_proba(row, out);
            for (int k = 0; k < t{i}_n_classes; ++k) printf(" %a", out[k]);
            puts("");
            break;
"""
VALUE = """        case {i}:
            out[0] = 0;
            t{i}_predict(row, out);
            printf("%d 0 %a\\n", t{i}_apply(row), out[0]);
            break;
"""


def compiled(folder, trees, options=STRICT):
    """A program that reads a tree's number and a row, and prints node, class and shares, or node, 0 and value."""
    said = [c(tree, name=f"t{i}") for i, tree in enumerate(trees)]
    cases = [(VALUE if tree.classes is None else CASE).format(i=i) for i, tree in enumerate(trees)]
    (folder / "trees.c").write_text("".join([*said, READ, *cases, "        }\n    }\n    return 0;\n}\n"]))
    subprocess.run([COMPILER, *options, "trees.c", "-o", "trees"], cwd=folder, check=True)
    return folder / "trees"


def run(program, jobs):
    given = "\n".join(f"{i} {len(row)} {' '.join(map(repr, row))}" for i, rows in jobs for row in rows)
    done = subprocess.run([program], input=given, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    return [(int(node), int(label), [float.fromhex(x) for x in shares]) for node, label, *shares in lines]


def cells(table):
    return np.column_stack([column.astype(float) for column in table.columns]).tolist()


@needs_compiler
def test_two_hundred_random_trees(tmp_path):
    trees = [random_tree(seed) for seed in range(200)]
    program = compiled(tmp_path, trees)
    tables = [probes(tree, seed)[0] for seed, tree in enumerate(trees)]
    found = iter(run(program, [(i, cells(table)) for i, table in enumerate(tables)]))
    for tree, table in zip(trees, tables, strict=True):
        nodes, labels, shares = expected(tree, table)
        here = [next(found) for _ in range(table.n_rows)]
        assert [node for node, _, _ in here] == nodes.tolist()
        if tree.classes is None:
            assert [value for _, _, (value,) in here] == labels.tolist()
        else:
            assert [tree.classes[place] for _, place, _ in here] == labels.tolist()
            assert np.array_equal([given for _, _, given in here], shares)


@needs_compiler
def test_refused_rows_are_minus_one(tmp_path):
    tree = random_tree(3, unseen="error", missing="error", splits=20, regression=False)
    table, _ = probes(tree, 3)
    found = run(compiled(tmp_path, [tree]), [(0, cells(table))])
    refused = 0
    for i, (node, label, shares) in enumerate(found):
        try:
            assert tree.apply(table.take([i]))[0] == node
        except ValueError:
            refused += 1
            assert (node, label) == (-1, -1) and not any(shares)
    assert 10 < refused < len(found) - 10


@needs_compiler
def test_c55_deep_trees_and_single_leaves(tmp_path):
    deep, flat = staircase(5000), build(Leaf((1, 2)))
    xs = [0, 0.5, 17, 4998.5, 4999, 5001, float("nan")]
    found = run(compiled(tmp_path, [deep, flat]), [(0, [[x] for x in xs]), (1, [[0.0] * 5])])
    assert [node for node, _, _ in found[:-1]] == deep.apply(np.array(xs)[:, None]).tolist()
    assert found[-1] == (0, 1, [1 / 3, 2 / 3])


@needs_compiler
def test_codes_by_name_and_cells_that_are_no_codes(tmp_path):
    levels = ("a", 'q"\\??/\n', "@apply", "", "é")
    schema = Schema((ColumnSchema("x", Kind.NUMERIC), ColumnSchema("c", Kind.CATEGORY, levels)))
    split = Split(1, np.nan, Leaf((2, 0)), Leaf((0, 1)), True, tuple((code, code % 2 == 0) for code in range(5)))
    (tmp_path / "t.c").write_text(
        c(build(split, schema=schema, classes=["@x", "y"]), name="scored")
        + "#include <stdio.h>\n#include <math.h>\nint main(void) {\n"
        + "".join(
            f'printf("%d ", scored_code(1, "{text}"));\n' for text in ("a", 'q\\"\\\\?" "?/\\n', "@apply", "", "é")
        )
        + 'printf("%d %d %d %s\\n", scored_code(1, "b"), scored_code(0, "a"), scored_code(1, NULL), '
        "scored_class_name(0));\n"
        "double cells[] = {0, 1, 2, NAN, -1, -2, 7, 0.5, 1e300, -1e300, HUGE_VAL};\n"
        "for (int i = 0; i < 11; ++i) { double row[2] = {0, cells[i]}; "
        'printf("%d ", scored_apply(row)); }\nreturn 0; }\n'
    )
    subprocess.run([COMPILER, *STRICT, "t.c", "-o", "t", "-lm"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0].split() == ["0", "1", "2", "3", "4", "-2", "-2", "-1", "@x"]
    assert done.stdout.split("\n")[1].split() == ["1", "2", "1", "1", "1", *["0"] * 6]


@pytest.mark.parametrize("name", ["", "1x", "a-b", "int", "x;y", "é", "main"])
def test_a_name_that_is_no_identifier_is_refused(name):
    with pytest.raises(ValueError, match="name must be a C identifier"):
        c(build(Leaf((1, 2))), name=name)


def test_levels_that_are_written_alike_are_refused():
    schema = Schema((ColumnSchema("c", Kind.CATEGORY, ("1", 1)),))
    split = Split(0, np.nan, Leaf((1, 0)), Leaf((0, 1)), True, ((0, False), (1, True)))
    with pytest.raises(TypeError, match="column 'c': C cannot tell two of its levels apart"):
        c(build(split, schema=schema))
    with pytest.raises(TypeError, match="zero byte"):
        c(build(Leaf((1, 2)), classes=["a\0b", "b"]))
