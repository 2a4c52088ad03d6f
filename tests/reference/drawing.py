"""A reader of a drawn tree, from what people are told: guides, conditions, where missing cells go."""

import ast
import datetime
import math
import re

from reference.rebuild import count_of

from bristlecone.table.schema import Kind
from bristlecone.tree.names import shown

GUIDE = re.compile(r"(│  |   |├─ |└─ )")
ITEM = re.compile(r'("(?:[^"\\]|\\.)*"|.+?)(?: or |, |$)')


def read_drawing(text, schema):
    """Per node in pre-order: depth, rows, whether a leaf, the answer; and the splits, as other readers give them."""
    lines = text.split("\n\n")[0].rstrip("\n").split("\n")[1:]
    nodes = [_line(line) for line in lines]
    splits, waiting = {}, []
    for v, (depth, label, *_) in enumerate(nodes):
        if depth:
            waiting[depth - 1 :] = waiting[depth - 1 : depth]
            above = waiting[depth - 1]
            above[1].append((v, label))
            if len(above[1]) == 2:
                splits[above[0]] = _split(schema, nodes, *above[1])
        waiting[depth:] = [(v, [])]
    return [(depth, rows, leaf, answer) for depth, _, rows, leaf, answer in nodes], splits


def _line(line):
    depth = 0
    while GUIDE.match(line):
        depth, line = depth + 1, line[3:]
    label, rows, _, *answer = re.split(r"\s{2,}", line)
    answer = " ".join(answer)
    return depth, label, int(rows.replace(",", "")), answer.startswith("→"), answer.removeprefix("→ ")


def _split(schema, nodes, left, right):
    """A split from the words on its two sides."""
    (v, said), (w, otherwise) = left, right
    column = max((c for c in schema.columns if said.startswith(shown(c.name) + " ")), key=lambda c: len(c.name))
    name = shown(column.name) + " "
    sides = [words.removeprefix(name).removesuffix(" or missing") for words in (said, otherwise)]
    takes = [words.endswith(" missing") for words in (said, otherwise)]
    missing_left = takes[0] if any(takes) else nodes[v][2] >= nodes[w][2]  # unless said, the heavier branch
    if column.categorical:
        return column.name, v, w, missing_left, tuple(frozenset(_levels(column, words)) for words in sides)
    return column.name, v, w, missing_left, _threshold(column, sides[0])


def _threshold(column, words):
    if words == "is present":
        return math.inf
    if words == "is false":
        return 0.5
    if column.kind is Kind.DATE:
        return count_of(column, datetime.date.fromisoformat(words.removeprefix("before ")))
    if column.kind is Kind.DATETIME:
        return count_of(column, datetime.datetime.fromisoformat(words.removeprefix("before ")))
    return float(words.removeprefix("< ").replace(",", ""))


def _levels(column, words):
    if words == "is missing":
        return
    words = words.removeprefix("is ")
    by_text = {level.isoformat() if hasattr(level, "isoformat") else str(level): level for level in column.levels}
    for item in ITEM.findall(words):
        yield by_text[ast.literal_eval(item) if item.startswith('"') else item]
