"""PMML's tree model from its description, a page of Python: how a reader scores a row, and the splits it finds.

A predicate is true, false, or unknown (None) where it asks about a missing cell. Children are tried in order: the first
true one is entered; an unknown one before it sends the row to the default child, or gives no prediction; where none is
true the node itself answers, or there is no prediction.
"""

import datetime
import math
import re
import xml.etree.ElementTree as ET

NAMESPACE = {"p": "http://www.dmg.org/PMML-4_4"}
COMPARE = {
    "lessThan": lambda a, b: a < b,
    "lessOrEqual": lambda a, b: a <= b,
    "greaterOrEqual": lambda a, b: a >= b,
    "greaterThan": lambda a, b: a > b,
    "equal": lambda a, b: a == b,
    "notEqual": lambda a, b: a != b,
}
READ = {
    "double": float,
    "integer": int,
    "string": str,
    "boolean": lambda text: text == "true",
    "date": datetime.date.fromisoformat,
    "dateTime": datetime.datetime.fromisoformat,
}


class Document:
    """A document with one tree model."""

    def __init__(self, text):
        root = ET.fromstring(text)
        self.types = {f.get("name"): f.get("dataType") for f in root.iterfind(".//p:DataField", NAMESPACE)}
        self.model = root.find("p:TreeModel", NAMESPACE)
        self.root = self.model.find("p:Node", NAMESPACE)

    def stop(self, row):
        """The id of the node that answers for a row (a mapping, None where missing); None where there is no answer."""
        node = self.root
        while children := node.findall("p:Node", NAMESPACE):
            found = node if self.model.get("noTrueChildStrategy") == "returnLastPrediction" else None
            for child in children:
                holds = self.holds(predicate(child), row)
                if holds is None:
                    nullifies = self.model.get("missingValueStrategy") == "nullPrediction"
                    default = node.get("defaultChild")
                    found = None if nullifies else next(c for c in children if c.get("id") == default)
                    break
                if holds:
                    found = child
                    break
            if found is None:
                return None
            if found is node:
                break
            node = found
        return int(node.get("id"))

    def node(self, number):
        return next(node for node in self.root.iter(f"{{{NAMESPACE['p']}}}Node") if node.get("id") == str(number))

    def rows(self, number):
        """The growing rows of a node, and their weight by class."""
        node = self.node(number)
        found = node.findall("p:ScoreDistribution", NAMESPACE)
        return int(node.get("recordCount")), {s.get("value"): float(s.get("recordCount")) for s in found}

    def shares(self, number):
        found = self.node(number).findall("p:ScoreDistribution", NAMESPACE)
        return {s.get("value"): float(s.get("probability")) for s in found}

    def holds(self, element, row):
        kind = element.tag.split("}")[1]
        if kind == "CompoundPredicate":
            each = [self.holds(inner, row) for inner in element]
            decided = element.get("booleanOperator") == "or"
            return decided if decided in each else None if None in each else not decided
        cell, operator = row[element.get("field")], element.get("operator") or element.get("booleanOperator")
        if operator in ("isMissing", "isNotMissing"):
            return (cell is None) == (operator == "isMissing")
        if cell is None:
            return None
        read = READ[self.types[element.get("field")]]
        if kind == "SimplePredicate":
            return COMPARE[operator](cell, read(element.get("value")))
        return (cell in set(map(read, array(element[0])))) == (operator == "isIn")


def predicate(node):
    return next(iter(node))


def array(element):
    """The items of an array: blanks part them, quotes hold them together."""
    items = re.findall(r'"((?:[^"\\]|\\.)*)"|(\S+)', element.text or "", re.DOTALL)
    found = [bare or quoted.replace('\\"', '"') for quoted, bare in items]
    assert len(found) == int(element.get("n"))
    return found


def splits(document):
    """Per inner node: field, children, whether missing goes left, and a threshold or the two sets of levels."""
    found = {}
    for node in document.root.iter(f"{{{NAMESPACE['p']}}}Node"):
        children = node.findall("p:Node", NAMESPACE)
        if not children:
            continue
        left, right = map(predicate, children)
        field = next(iter(left.iter())).get("field") or left[0].get("field")
        ids = tuple(int(child.get("id")) for child in children)
        missing_left = node.get("defaultChild") == children[0].get("id")
        if left.get("operator") == "lessThan":
            assert right.get("operator") == "greaterOrEqual" and left.get("value") == right.get("value")
            asked = float(left.get("value"))
        elif left.get("operator") == "isNotMissing":
            asked = math.inf
        else:
            read = READ[document.types[field]]
            asked = tuple(frozenset(map(read, array(side[0]))) if len(side) else frozenset() for side in (left, right))
        found[int(node.get("id"))] = (field, ids, missing_left, asked)
    return found
