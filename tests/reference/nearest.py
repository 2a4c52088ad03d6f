"""Changes and distance of a row to every leaf, one leaf and one column after the other."""

import math

import numpy as np

from bristlecone.tree.boxes import boxes


def measured(tree, table, row, among):
    """(changes, distance in rows of `among`, leaf) for every leaf that a row can reach."""
    found = []
    for leaf, box in boxes(tree):
        if tree.children_left[leaf] >= 0 or any(side.empty for side in box.values()):
            continue
        missed = [(j, side) for j, side in box.items() if not side.holds(table.columns[j][row : row + 1])[0]]
        found.append(
            (len(missed), sum(distance(side, table.columns[j][row], among.columns[j]) for j, side in missed), leaf)
        )
    return found


def distance(side, cell, cells):
    """Of one change: rows strictly between the cell and the nearest number that fits; all rows for any other change."""
    if side.levels is not None or not side.some or np.isnan(cell):
        return len(cells)
    goal = side.low if cell < side.low else math.nextafter(side.high, -math.inf)
    low, high = min(cell, goal), max(cell, goal)
    return int(((cells > low) & (cells < high)).sum())


def flips(tree, table, nodes):
    """The nearest leaf of another class, the first of equals; -1 where none is."""
    found = []
    for row, node in enumerate(nodes.tolist()):
        other = [one for one in measured(tree, table, row, table) if tree.label[one[2]] != tree.label[node]]
        found.append(min(other)[2] if other else -1)
    return found
