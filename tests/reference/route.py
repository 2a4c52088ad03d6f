"""The walk of one row, as a page of Python: what `_core.Router` must do for every row."""

import math

MISSING, UNSEEN = -1, -2


def heavier_left(tree, node):
    """Whether the left child has at least the weight of the right one."""
    weight = tree.weighted_n_node_samples
    return weight[tree.children_left[node]] >= weight[tree.children_right[node]]


def goes_left(tree, node, cell):
    """The side of a cell at a node: True, False, or None where the node does not know the level."""
    first, last = tree.level_ptr[node], tree.level_ptr[node + 1]
    if first == last:
        if math.isnan(cell):
            return bool(tree.missing_go_to_left[node])
        return cell < tree.threshold[node]
    if cell == MISSING:
        return bool(tree.missing_go_to_left[node])
    known = dict(zip(tree.level_code[first:last].tolist(), tree.level_left[first:last].tolist(), strict=True))
    return bool(known[cell]) if cell in known else None


def refusal(tree, row):
    """The column for which a rule of the tree refuses a row on its way, or None."""
    for node in route(tree, row)[0]:
        if tree.children_left[node] < 0:
            return None
        cell = row[tree.feature[node]]
        missing = cell == MISSING if tree.level_ptr[node] < tree.level_ptr[node + 1] else math.isnan(cell)
        refused = tree.missing == "error" if missing else tree.unseen == "error" and goes_left(tree, node, cell) is None
        if refused:
            return int(tree.feature[node])
    return None


def route(tree, row):
    """The nodes that a row passes, the last is where it stops, and whether it met a level that a node does not know."""
    path, met_unknown = [0], False
    while tree.children_left[path[-1]] >= 0:
        node = path[-1]
        left = goes_left(tree, node, row[tree.feature[node]])
        if left is None:
            met_unknown = True
            if tree.unseen != "heavier":
                break
            left = heavier_left(tree, node)
        path.append(int((tree.children_left if left else tree.children_right)[node]))
    return path, met_unknown
