"""Twin of cpp/query/redraws.hpp and cpp/query/marks.hpp: one point at a time, on plain lists."""

from __future__ import annotations


def redraws(points, fresh):
    """Each point with one coordinate as in its fresh draw, where that differs; with its row and the coordinate."""
    return [
        ([*point[:i], other[i], *point[i + 1 :]], row, i)
        for row, (point, other) in enumerate(zip(points, fresh, strict=True))
        for i in range(len(point))
        if point[i] != other[i]
    ]


def changes(n, before, after, row, coordinate):
    """For each point which of its n coordinates changed the answer."""
    marks = [[0] * n for _ in before]
    for answer, r, i in zip(after, row, coordinate, strict=True):
        marks[r][i] = int(answer != before[r])
    return marks


def leaf(tree, point):
    """The leaf that a point reaches: tree is left, right and variable by node."""
    left, right, variable = tree
    node = 0
    while left[node] >= 0:
        node = right[node] if point[variable[node]] else left[node]
    return node


def packed(bits):
    """Bits as bytes, the first one highest."""
    padded = [*bits, *[0] * (-len(bits) % 8)]
    return [int("".join(map(str, padded[k : k + 8])), 2) for k in range(0, len(padded), 8)]


def by_leaf(tree, points, marks):
    """The counts of marks at each leaf, and the packed points that have one, leaf by leaf."""
    counts, rows = {}, {}
    for point, marked in zip(points, marks, strict=True):
        if any(marked):
            place = leaf(tree, point)
            counts[place] = [a + b for a, b in zip(counts.get(place, [0] * len(marked)), marked, strict=True)]
            rows.setdefault(place, []).append(packed(point) + packed(marked))
    return counts, rows
