"""A tree as a graph in the DOT language, for Graphviz: a picture, whose numbers beside the conditions are rounded."""

from collections.abc import Iterator
from typing import Any

from bristlecone.export.answers import tree_of
from bristlecone.tree import Tree, Wording
from bristlecone.tree.distributions import label_shares
from bristlecone.tree.names import percent, rows_in_words, shown_class, value_format

__all__ = ["dot"]

FOLDED = Wording(fold=6)


def dot(model: Any) -> str:
    """The tree as DOT source: a box a node with its rows and answer, an edge a branch with its condition.

    model: a Tree or a fitted estimator. Thresholds are exact; long lists of levels are cut short.
    """
    tree = tree_of(model)
    head = 'digraph tree {\n  node [shape=box, fontname="sans-serif"];\n  edge [fontname="sans-serif"];\n'
    return head + "".join(f"  {line};\n" for line in _lines(tree)) + "}\n"


def _lines(tree: Tree) -> Iterator[str]:
    answers = _answers(tree)
    for node, answer in enumerate(answers):
        rows = rows_in_words(int(tree.n_node_samples[node]))
        leaf = tree.children_left[node] < 0
        yield f"n{node} [label={_quoted(f'{answer}{chr(10)}{rows}')}{', style=rounded' if leaf else ''}]"
        if leaf:
            continue
        condition = tree.condition(node)
        yield f"n{node} -> n{tree.children_left[node]} [label={_quoted(condition.left(FOLDED))}]"
        yield f"n{node} -> n{tree.children_right[node]} [label={_quoted(condition.right(FOLDED))}]"


def _answers(tree: Tree) -> list[str]:
    if tree.classes is None:
        said = value_format(float(abs(tree.prediction).max()))
        return [f"{value:{said}}" for value in tree.prediction.tolist()]
    shares = label_shares(tree).tolist()
    labels = tree.label.tolist()
    names = {code: shown_class(tree.classes, code) for code in set(labels)}
    return [f"{names[code]} {percent(share)}" for code, share in zip(labels, shares, strict=True)]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
