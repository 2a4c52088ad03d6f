"""A tree as PMML 4.4: a TreeModel whose nodes are the tree's.

predicate    a node's element says which rows go to it from the node above; its children are tried in order.
default      the child that takes a row whose cell is missing (missingValueStrategy="defaultChild").
no true child  a level that no child names: the row stays and gets the node's own score, as unseen="stop" has it.

Elements stand in each other as deep as the tree is: readers of PMML may have a limit there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any
from xml.sax.saxutils import quoteattr

from bristlecone.export.answers import Answers, answers_of, asked_columns, free_names, refuse_made_columns, tree_of
from bristlecone.export.pmml_predicates import ENTITIES, PmmlColumn
from bristlecone.tree import Tree
from bristlecone.tree.distributions import node_counts

__all__ = ["pmml"]

# What XML 1.0 cannot hold, not even as an entity.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LABEL_TYPES = {str: "string", int: "integer", float: "double", bool: "boolean"}


def pmml(model: Any, *, target: str = "prediction") -> str:
    """The tree as a PMML document (version 4.4), with the class probabilities and the node as further outputs.

    model: a Tree or a fitted estimator. target: the name of what is predicted. A row that the tree refuses gets no
    prediction. Dates are of the type date, datetimes without a zone of dateTime. Errors: ValueError for a target that
    is a column that the tree knows; TypeError naming the column and what PMML cannot say of it: levels of several
    types, datetimes in UTC, characters that XML does not have.
    """
    tree = tree_of(model)
    refuse_made_columns(tree, "PMML")
    if target in tree.schema.names:
        raise ValueError(f"target={target!r} is a column that the tree knows; give it another name")
    answers = answers_of(tree, "PMML")
    columns = {j: PmmlColumn(tree, j) for j in asked_columns(tree)}
    lines = [*_head(tree, answers, columns, target), *_nodes(tree, answers, columns), "</TreeModel>", "</PMML>"]
    return "\n".join(_checked(line) for line in lines) + "\n"


def _checked(line: str) -> str:
    found = NOT_XML.search(line)
    if found:
        raise TypeError(f"PMML cannot write the character {found[0]!r}, which XML does not have")
    return line


def _head(tree: Tree, answers: Answers, columns: dict[int, PmmlColumn], target: str) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">'
    yield f'<Header><Application name="bristlecone" version={quoteattr(version("bristlecone"))}/></Header>'
    yield "<DataDictionary>"
    yield _target_field(answers, target)
    yield from (column.data_field() for column in columns.values())
    yield "</DataDictionary>"
    absent = "returnNullPrediction" if tree.unseen == "error" else "returnLastPrediction"
    missing = "nullPrediction" if tree.missing == "error" else "defaultChild"
    yield (
        f'<TreeModel functionName="{tree.task}" missingValueStrategy="{missing}" noTrueChildStrategy="{absent}" '
        'splitCharacteristic="binarySplit">'
    )
    yield "<MiningSchema>"
    yield f'<MiningField name={_attribute(target)} usageType="target"/>'
    for column in columns.values():
        yield f'<MiningField name={column.field} invalidValueTreatment="asIs"/>'
    yield "</MiningSchema>"
    yield from _outputs(answers, target, columns)


def _target_field(answers: Answers, target: str) -> str:
    if answers.labels is None:
        return f'<DataField name={_attribute(target)} optype="continuous" dataType="double"/>'
    kinds = {type(label) for label in answers.labels}
    if len(kinds) > 1:
        raise TypeError(f"PMML cannot mix class labels of types {', '.join(sorted(k.__name__ for k in kinds))}")
    values = "".join(f"<Value value={_attribute(_said(label))}/>" for label in answers.labels)
    kind = _LABEL_TYPES[kinds.pop()]
    return f'<DataField name={_attribute(target)} optype="categorical" dataType="{kind}">{values}</DataField>'


def _outputs(answers: Answers, target: str, columns: dict[int, PmmlColumn]) -> Iterator[str]:
    taken = {target, *(column.name for column in columns.values())}
    wanted = ["leaf_id", *(f"probability_{_said(label)}" for label in answers.labels or ())]
    names = free_names(wanted, taken)
    yield "<Output>"
    yield f'<OutputField name={_attribute(names[0])} optype="categorical" dataType="string" feature="entityId"/>'
    for name, label in zip(names[1:], answers.labels or (), strict=True):
        value = _attribute(_said(label))
        yield (
            f'<OutputField name={_attribute(name)} optype="continuous" dataType="double" '
            f'feature="probability" value={value}/>'
        )
    yield "</Output>"


def _nodes(tree: Tree, answers: Answers, columns: dict[int, PmmlColumn]) -> Iterator[str]:
    """The nodes in pre-order, without recursion; None on the stack closes an element."""
    place = {stop: i for i, stop in enumerate(answers.stops)}
    todo: list[tuple[int, str] | None] = [(0, "<True/>")]
    while todo:
        item = todo.pop()
        if item is None:
            yield "</Node>"
            continue
        node, predicate = item
        yield _opening(tree, answers, node, place.get(node)) + predicate
        if node in place:
            yield from _distribution(tree, answers, node, place[node])
        todo.append(None)
        if tree.children_left[node] >= 0:
            left, right = columns[int(tree.feature[node])].predicates(node)
            todo += [(int(tree.children_right[node]), right), (int(tree.children_left[node]), left)]


def _opening(tree: Tree, answers: Answers, node: int, place: int | None) -> str:
    said = f'<Node id="{node}" recordCount="{tree.n_node_samples[node]}"'
    if place is not None:
        answer = answers.answers[place]
        said += f" score={_attribute(_said(answer if answers.labels is None else answers.labels[answer]))}"
    if tree.children_left[node] >= 0 and tree.missing != "error":
        side = tree.children_left if tree.missing_go_to_left[node] else tree.children_right
        said += f' defaultChild="{side[node]}"'
    return said + ">"


def _distribution(tree: Tree, answers: Answers, node: int, place: int) -> Iterator[str]:
    if answers.labels is None:
        return
    codes, weights, _ = node_counts(tree, int(tree.informed_by[node]))
    weight = dict(zip(codes.tolist(), weights.tolist(), strict=True))
    for k, share in answers.shares[place]:
        value = _attribute(_said(answers.labels[k]))
        yield f'<ScoreDistribution value={value} recordCount="{weight.get(k, 0.0)!r}" probability="{share!r}"/>'


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "INF" if value > 0 else "-INF"
    return value if isinstance(value, str) else repr(value)


def _attribute(text: str) -> str:
    return quoteattr(text, ENTITIES)
