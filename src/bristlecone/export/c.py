"""A tree as one C file without dependencies (C99), for programs and small devices.

row        an array of doubles, all columns in order; NaN is missing. Booleans are 0 and 1, dates and datetimes the
           counts that the tree compares (docs/model-format.md), categories the codes that NAME_code gives: -1 is
           missing, every other number an unknown level.
threshold  a hexadecimal constant: exact whatever the precision of the compiler's constants, its decimal beside it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from bristlecone.export.answers import Answers, answers_of, asked_columns, refuse_made_columns, tree_of
from bristlecone.export.blocks import block_lines
from bristlecone.export.ladder import Asks, Rung, Test
from bristlecone.export.level_text import plain_levels
from bristlecone.table.schema import format_number
from bristlecone.tree import Tree

__all__ = ["c"]

# fmt: off
RESERVED = frozenset({
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "main", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
})
# fmt: on

HEAD = """\
/* A decision tree. A row is an array of all columns in order, NaN where a cell is missing, categories as the codes that
   @code gives. Do not compile with -ffast-math: it takes NaN for a number. */

#include <stddef.h>
#include <string.h>

"""

CODE = """
/* The code of a level, -1 for NULL, -2 for a level or a column that is not known. */
int @code(int column, const char *level) {
    size_t i;
    if (!level) return -1;
    for (i = 0; i < sizeof @levels / sizeof *@levels; ++i)
        if (@levels[i].column == column && strcmp(@levels[i].text, level) == 0) return @levels[i].code;
    return -2;
}
"""

WALK = """
static int @level(double cell) {
    if (cell != cell) return -1;
    if (!(cell >= -1 && cell < 2147483648.0)) return -2;
    return (double)(int)cell == cell ? (int)cell : -2;
}

/* The node where a row stops, or -1 where the tree refuses the row. */
int @apply(const double *row) {
"""

CLASSES = """}

static int @place(int node) {
    size_t low = 0, high = sizeof @stops / sizeof *@stops;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (@stops[middle] <= node) low = middle; else high = middle;
    }
    return (int)low;
}

"""

PREDICT = """\
/* The place of the class among @classes, or -1 where the tree refuses the row. */
int @predict(const double *row) {
    const int node = @apply(row);
    return node < 0 ? -1 : @answers[@place(node)];
}

/* The classes' shares, @n_classes of them. Returns 0, or -1 where the tree refuses the row. */
int @predict_proba(const double *row, double *shares) {
    const int node = @apply(row);
    int i, last;
    for (i = 0; i < @n_classes; ++i) shares[i] = 0.0;
    if (node < 0) return -1;
    i = @first[@place(node)];
    last = @first[@place(node) + 1];
    for (; i < last; ++i) shares[@share_class[i]] = @share[i];
    return 0;
}
"""

VALUE = """\
/* The tree's value. Returns 0, or -1 where the tree refuses the row. */
int @predict(const double *row, double *value) {
    const int node = @apply(row);
    if (node < 0) return -1;
    *value = @answers[@place(node)];
    return 0;
}
"""


def c(model: Any, *, name: str = "tree") -> str:
    """The tree as C source: `tree_apply`, `tree_predict`, `tree_predict_proba` and `tree_code` for levels by text.

    model: a Tree or a fitted estimator. name: stands in front of every name in the file. Answers as the model does,
    missing cells and unknown levels included; a row that the tree refuses gives -1.
    Errors: ValueError for a name that is no C identifier; TypeError naming a class label or a level that has no text.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or name in RESERVED:
        raise ValueError(f"name must be a C identifier, got {name!r}")
    tree = tree_of(model)
    refuse_made_columns(tree, "C")
    answers = answers_of(tree, "C")
    parts = [HEAD, "\n".join(_tables(answers)), "\n", *_levels(tree), WALK, _walk(tree), CLASSES]
    source = "".join([*parts, VALUE if answers.labels is None else PREDICT])
    return source.replace("@", f"{name}_")


def _tables(answers: Answers) -> Iterator[str]:
    yield _array("static const int @stops[]", answers.stops)
    if answers.labels is None:
        yield _array("static const double @answers[]", map(_number, answers.answers))
        return
    first = [0]
    for held in answers.shares:
        first.append(first[-1] + len(held))
    yield f"enum {{ @n_classes = {len(answers.labels)} }};"
    yield _array("static const char *const @classes[]", (_text(_said(label)) for label in answers.labels))
    yield _array("static const int @answers[]", answers.answers)
    yield _array("static const int @first[]", first)
    yield _array("static const int @share_class[]", (place for held in answers.shares for place, _ in held))
    yield _array("static const double @share[]", (_number(share) for held in answers.shares for _, share in held))
    yield "\n/* The name of a class by its place. */"
    yield "const char *@class_name(int place) { return @classes[place]; }"


def _levels(tree: Tree) -> Iterator[str]:
    rows = []
    for j in asked_columns(tree):
        column = tree.schema.columns[j]
        texts = [_said(level) for level in plain_levels(column, "C")] if column.categorical else []
        if len(set(texts)) != len(texts):
            raise TypeError(f"column {column.name!r}: C cannot tell two of its levels apart, which are written alike")
        rows += [f"{{{j}, {code}, {_text(text)}}}" for code, text in enumerate(texts)]
    if rows:
        yield _array("static const struct { int column, code; const char *text; } @levels[]", rows) + "\n"
        yield CODE


def _array(head: str, items: Iterable[Any]) -> str:
    return f"{head} = {{" + ",".join(f"\n    {item}" for item in items) + "\n};"


def _walk(tree: Tree) -> str:
    columns = tree.schema.columns
    asked = asked_columns(tree)
    reads = [f"    const int c{j} = @level(row[{j}]);" for j in asked if columns[j].categorical]

    def said(test: Test) -> str:
        return _level_test(test) if columns[test.feature].categorical else _test(test)

    body = block_lines(tree, said, _stop, opens="if ({}) {{", closes="}")
    unused = [] if asked else ["    (void)row;"]
    unused += [] if reads else ["    (void)@level;"]
    return "\n".join([*reads, *unused, *body]) + "\n"


def _stop(rung: Rung) -> str:
    return f"return {rung.stop};"


def _test(test: Test) -> str:
    cell = f"row[{test.feature}]"
    threshold = f"{_number(test.threshold)} /* {format_number(test.threshold)} */"
    match test.asks:  # NaN is neither below nor at least: a negation lets it pass
        case Asks.BELOW:
            return f"!({cell} >= {threshold})" if test.missing else f"{cell} < {threshold}"
        case Asks.AT_LEAST:
            return f"!({cell} < {threshold})" if test.missing else f"{cell} >= {threshold}"
    return f"{cell} {'==' if test.asks is Asks.PRESENT else '!='} {cell}"


def _level_test(test: Test) -> str:
    cell = f"c{test.feature}"
    if not test.codes:
        return f"{cell} {'!=' if test.asks is Asks.PRESENT else '=='} -1"
    codes = test.codes + ((-1,) if test.missing == (test.asks is Asks.ONE_OF) else ())
    joined, compares = (" || ", "==") if test.asks is Asks.ONE_OF else (" && ", "!=")
    return joined.join(f"{cell} {compares} {code}" for code in codes)


def _number(value: float) -> str:
    return re.sub(r"\.?0+p", "p", float(value).hex())


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return format_number(value) if isinstance(value, float) else str(value)


def _text(value: str) -> str:
    """A C string of the text's UTF-8 bytes; what is no plain letter as three octal digits.

    So is "@", which stands for the name in front in all else that is written here.
    """
    if "\0" in value:
        raise TypeError(f"C cannot write the text {value!r}: it holds a zero byte")
    encoded = value.encode("utf-8", "surrogatepass")
    plain = (chr(b) if 32 <= b < 127 and chr(b) not in '"\\?@' else f"\\{b:03o}" for b in encoded)
    return '"' + "".join(plain) + '"'
