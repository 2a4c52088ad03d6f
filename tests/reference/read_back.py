"""Exports read back to the splits they were written from, by what their text or model says and nothing else.

split    (column, left child, right child, whether missing goes left, threshold or the two sets of levels), by node.
block    ([(test, block), ...], stop): tests in order, each with what follows where it is true; the stop where none is.
test     (column, asks, value, missing): asks is "below", "at least", "one of", "none of", "missing" or "present".

Of an inner node only the leaves below it are numbered in an export: in pre-order its number is that of its left child
less one, and the left child is the one with the smaller numbers. Trees of unseen="stop" only.
"""

import math

from sqlglot import exp, parse_one

READS = {"ansi": "", "postgresql": "postgres"}


def splits_of(block, schema):
    """The splits of a block, and the number of its root."""
    categories = {column.name for column in schema.columns if column.categorical}
    tests, stop = block
    splits, root = {}, stop
    at = len(tests) - 1
    while at >= 0:
        (column, asks, value, missing), inner = tests[at]
        known = None
        if column in categories and asks in ("none of", "present"):
            stays, known = inner[1], value if asks == "none of" else frozenset()
            at -= 1
            (column, asks, value, missing), inner = tests[at]
        below, small = splits_of(inner, schema)
        small_is_left = small < root
        left, right = sorted((small, root))
        if known is not None:
            own = value if asks == "one of" else frozenset()
            missing = missing or asks == "missing"
            asked = (own, known) if small_is_left else (known, own)
            assert stays == left - 1
        elif asks in ("missing", "present"):
            asked, missing = math.inf, asks == "missing"
            assert small_is_left == (asks == "present")
        else:
            asked = value
            assert small_is_left == (asks == "below")
        splits |= below | {left - 1: (column, left, right, missing == small_is_left, asked)}
        root, at = left - 1, at - 1
    return splits, root


def read_sql(text, dialect):
    """The blocks of a query's CASEs by the name of their column, as a parser of that dialect reads them."""
    query = parse_one(text, read=READS.get(dialect, dialect))
    return {found.alias: _case(found.this) for found in query.expressions if found.alias}


def said_by_stop(query, classes):
    """By stop the answer, and the shares of the classes or None, of a query that was read."""
    names = [] if classes is None else [f"probability_{label}" for label in classes]
    at, *said = (list(_stops(query[name])) for name in ("leaf_id", "prediction", *names))
    return {stop: (answer, shares or None) for stop, answer, *shares in zip(at, *said, strict=True)}


def _stops(block):
    """What a CASE says at its stops, in the order of its text."""
    todo = [block]
    while todo:
        tests, stop = todo.pop()
        yield stop
        todo += [inner for _, inner in tests]


def _case(found):
    if not isinstance(found, exp.Case):
        return [], _value(found)
    tests = [(_condition(arm.this), _case(arm.args["true"])) for arm in found.args["ifs"]]
    return tests, _value(found.args["default"])


def _condition(found):
    found = found.unnest()
    if isinstance(found, exp.Or):
        parts = list(found.flatten())
        rest = [part.unnest() for part in parts if not _is_missing(part.unnest())]
        column = found.find(exp.Column).name
        if not rest:
            return column, "missing", None, True
        (one,) = rest
        return *_condition(one)[:3], True
    if isinstance(found, exp.And):  # "and is not NaN", which asks nothing more
        parts = [part.unnest() for part in found.flatten()]
        rest = [part for part in parts if not (isinstance(part, exp.Not) and _is_nan(part.this.unnest()))]
        (one,) = rest
        return _condition(one)
    column = found.find(exp.Column).name
    if _is_missing(found):
        return column, "missing", None, True
    if isinstance(found, exp.Is):
        return column, "present", None, False
    if isinstance(found, exp.Not):
        inner = found.this.unnest()
        if _is_missing(inner):
            return column, "present", None, False
        return column, "none of", _levels(inner), False
    if isinstance(found, exp.In):
        return column, "one of", _levels(found), False
    asks = {exp.LT: "below", exp.GTE: "at least"}[type(found)]
    return column, asks, _value(found.expression), False


def _is_missing(found):
    if isinstance(found, exp.Or):
        return all(_is_missing(part.unnest()) for part in found.flatten())
    return (isinstance(found, exp.Is) and not found.args.get("negate")) or _is_nan(found)


def _is_nan(found):
    return isinstance(found, exp.IsNan) or (isinstance(found, exp.EQ) and "NaN" in found.expression.sql())


def _levels(found):
    return frozenset(_value(level) for level in found.expressions)


def _value(found):
    found = found.unnest()
    if isinstance(found, exp.Cast):
        return float(found.this.name)
    if isinstance(found, exp.Neg):
        return -_value(found.this)
    if isinstance(found, exp.Div | exp.Mul):
        left, right = _value(found.left), _value(found.right)
        return left / right if isinstance(found, exp.Div) else left * right
    if found.is_string:
        return found.name
    return float(found.name) if set(found.name) & set(".eE") else int(found.name)


class OnnxTree:
    """The comparisons of a TreeEnsemble: which one a row meets first, and what follows it."""

    def __init__(self, model, schema):
        from onnx import helper, numpy_helper

        (operator,) = [node for node in model.graph.node if node.op_type == "TreeEnsemble"]
        held = {a.name: helper.get_attribute_value(a) for a in operator.attribute}
        tables = {t.name: numpy_helper.to_array(t).tolist() for t in model.graph.initializer}
        self.schema, self.stops = schema, tables["stops"]
        if "values" in tables:
            answers, shares = [value for (value,) in tables["values"]], [None] * len(self.stops)
        else:
            answers, shares = tables["labels"], tables["shares"]
        self.said = dict(zip(self.stops, zip(answers, shares, strict=True), strict=True))
        self.feature, self.missing = held["nodes_featureids"], held["nodes_missing_value_tracks_true"]
        self.mode, self.number = (numpy_helper.to_array(held[f"nodes_{n}"]).tolist() for n in ("modes", "splits"))
        self.true = list(zip(held["nodes_truenodeids"], held["nodes_trueleafs"], strict=True))
        self.false = list(zip(held["nodes_falsenodeids"], held["nodes_falseleafs"], strict=True))
        self.sets, codes = {}, set()
        members = numpy_helper.to_array(held["membership_values"]).tolist() if 6 in self.mode else []
        asking = iter(i for i, mode in enumerate(self.mode) if mode == 6)
        for code in members:
            if math.isnan(code):
                self.sets[next(asking)], codes = frozenset(codes), set()
            else:
                codes.add(int(code))

    def splits(self, at=(0, 0)):
        """The splits below a comparison, or none below a leaf, and the number of the root."""
        i, leaf = at
        if leaf:
            return {}, self.stops[i]
        column = self.schema.columns[self.feature[i]]
        if column.categorical:
            return self._levels(i, column)
        below, then = self.splits(self.true[i])
        others, otherwise = self.splits(self.false[i])
        left, right = sorted((then, otherwise))
        if self.mode[i] == 0:  # present
            assert (left, self.missing[i]) == (then, 0)
            return below | others | {left - 1: (column.name, left, right, False, math.inf)}, left - 1
        assert left == (then if self.mode[i] == 1 else otherwise)
        missing_left = bool(self.missing[i]) == (left == then)
        return below | others | {left - 1: (column.name, left, right, missing_left, self.number[i])}, left - 1

    def _levels(self, i, column):
        """Two comparisons: one side's levels, then the other's, and the stop for all that neither names."""
        own, taken, rest, missing = self._side(i)
        assert not rest[1] and self.feature[rest[0]] == self.feature[i]
        known, others, stay, _ = self._side(rest[0])
        below, one = self.splits(taken)
        beside, other = self.splits(others)
        left, right = sorted((one, other))
        assert stay == (self.stops.index(left - 1), 1)
        levels = [frozenset(column.levels[code] for code in codes) for codes in (own, known)]
        asked = tuple(levels if left == one else levels[::-1])
        return below | beside | {left - 1: (column.name, left, right, missing == (left == one), asked)}, left - 1

    def _side(self, i):
        """Codes, where they lead, where the others lead, and whether a missing cell goes with the codes."""
        if self.mode[i] == 6:
            return self.sets[i], self.true[i], self.false[i], bool(self.missing[i])
        assert self.mode[i] == 0 and not self.missing[i]
        return frozenset(), self.false[i], self.true[i], True
