"""A reader of exported rules, written from their description: what a program elsewhere would do with the text."""

import datetime
import json
import re
from dataclasses import dataclass

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}(),]|->|<=|>=|<|=|[^\s{}(),"<>=]+)')
DATE = re.compile(r"-?\d+-\d\d-\d\d(T[\d:.]+Z?)?")


@dataclass
class ReadRule:
    """node, a test for each column, the answer, the support, the shares."""

    node: int
    tests: dict
    answer: object
    support: tuple
    shares: dict

    def fits(self, row):
        """Whether a row, a mapping from names to cells with None where missing, fits."""
        return all(test(row[name]) for name, test in self.tests.items())


def read_rules(text):
    return [_rule(line) for line in text.splitlines() if not line.startswith("#")]


def _tokens(text):
    at, found = 0, []
    while text[at:].strip():
        match = TOKEN.match(text, at)
        found.append(match[1])
        at = match.end()
    return found


def value_of(token):
    if token.startswith('"'):
        return json.loads(token)
    if token in ("true", "false"):
        return token == "true"
    if DATE.fullmatch(token):
        # whole seconds are written without a fraction, and a datetime without a zone is a plain one
        instant = datetime.datetime.fromisoformat(token)
        return instant if "T" in token else instant.date()
    return float(token) if re.search(r"[.e]|inf", token) else int(token)


def _rule(line):
    node, rest = line.split(": ", 1)
    tokens = _tokens(rest)
    end = len(tokens) - 1 - tokens[::-1].index("->")
    tests = {}
    if tokens[:end] != ["all", "rows"]:
        for name, test in _conditions(tokens[:end]):
            assert name not in tests
            tests[name] = test
    support = re.search(r"  \[(\d+) of (\d+) rows(?:; (.*))?\]$", rest)
    given = _tokens(support[3] or "")
    shares = {value_of(given[i]): float(given[i + 1]) for i in range(0, len(given), 3)}
    return ReadRule(int(node), tests, value_of(tokens[end + 1]), (int(support[1]), int(support[2])), shares)


def _conditions(tokens):
    while tokens:
        if tokens[0] == "(":
            close = tokens.index(")")
            middle = len(tokens[:close]) - 3
            assert tokens[middle] == "or" and tokens[close - 1] == "missing"
            name, test = _one(tokens[1:middle])
            assert name == _name(tokens[middle + 1])
            yield name, (lambda cell, test=test: cell is None or test(cell))
            tokens = tokens[close + 1 :]
        else:
            end = tokens.index("and") if "and" in tokens else len(tokens)
            yield _one(tokens[:end])
            tokens = tokens[end:]
        if tokens:
            assert tokens[0] == "and"
            tokens = tokens[1:]


def _name(token):
    return json.loads(token) if token.startswith('"') else token


def _one(tokens):
    match tokens:
        case [name, "missing"]:
            return _name(name), lambda cell: cell is None
        case [name, "present"]:
            return _name(name), lambda cell: cell is not None
        case [name, "in", "{", *levels, "}"]:
            known = [value_of(level) for level in levels[::2]]
            return _name(name), lambda cell: cell in known
        case [name, "not", "in", "{", *levels, "}"]:
            known = [value_of(level) for level in levels[::2]]
            return _name(name), lambda cell: cell is not None and cell not in known
        case [low, "<=", name, "<", high]:
            low, high = value_of(low), value_of(high)
            return _name(name), lambda cell: cell is not None and low <= cell < high
        case [name, "<", high]:
            high = value_of(high)
            return _name(name), lambda cell: cell is not None and cell < high
        case [name, ">=", low]:
            low = value_of(low)
            return _name(name), lambda cell: cell is not None and cell >= low
        case [name, "=", value]:
            return _name(name), lambda cell: cell is value_of(value)
    raise AssertionError(tokens)
