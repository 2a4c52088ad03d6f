"""A reader of exported rules, written from their description: what a program elsewhere would do with the text."""

import datetime
import json
import re
from dataclasses import dataclass, replace

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[{}(),]|->|<=|>=|<|=|[^\s{}(),"<>=]+)')
DATE = re.compile(r"-?\d+-\d\d-\d\d(T[\d:.]+Z?)?")


@dataclass
class Passes:
    """Which cells of a column fit: low <= x < high (None: no bound), levels (others: all but those), missing ones."""

    low: object = None
    high: object = None
    levels: tuple | None = None
    others: bool = False
    present: bool = True
    missing: bool = False

    def __call__(self, cell):
        if cell is None or not self.present:
            return cell is None and self.missing
        if self.levels is not None:
            return (cell in self.levels) != self.others
        return (self.low is None or cell >= self.low) and (self.high is None or cell < self.high)


@dataclass
class ReadRule:
    """node, a test for each column, the answer, the support, the shares, whether it is for levels not known there."""

    node: int
    tests: dict
    answer: object
    support: tuple
    shares: dict
    stays: bool

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
    support = re.search(r"  \[(\d+) of (\d+) rows(, of other levels)?(?:; (.*))?\]$", rest)
    given = _tokens(support[4] or "")
    shares = {value_of(given[i]): float(given[i + 1]) for i in range(0, len(given), 3)}
    return ReadRule(
        int(node), tests, value_of(tokens[end + 1]), (int(support[1]), int(support[2])), shares, bool(support[3])
    )


def _conditions(tokens):
    while tokens:
        if tokens[0] == "(":
            close = tokens.index(")")
            middle = len(tokens[:close]) - 3
            assert tokens[middle] == "or" and tokens[close - 1] == "missing"
            name, test = _one(tokens[1:middle])
            assert name == _name(tokens[middle + 1])
            yield name, replace(test, missing=True)
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
            return _name(name), Passes(present=False, missing=True)
        case [name, "present"]:
            return _name(name), Passes()
        case [name, "in", "{", *levels, "}"]:
            return _name(name), Passes(levels=tuple(map(value_of, levels[::2])))
        case [name, "not", "in", "{", *levels, "}"]:
            return _name(name), Passes(levels=tuple(map(value_of, levels[::2])), others=True)
        case [low, "<=", name, "<", high]:
            return _name(name), Passes(value_of(low), value_of(high))
        case [name, "<", high]:
            return _name(name), Passes(high=value_of(high))
        case [name, ">=", low]:
            return _name(name), Passes(value_of(low))
        case [name, "=", value]:
            return _name(name), Passes(levels=(value_of(value),))
    raise AssertionError(tokens)
