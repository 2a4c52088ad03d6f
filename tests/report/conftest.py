"""Pages, a browser for them, and what a reader of their text finds."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from report.chromium import BROWSER, Chromium

import bristlecone as bc


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests of a worker."""
    if BROWSER is None:
        pytest.skip("no chromium in PATH")
    browser = Chromium()
    yield browser
    browser.close()


class Reader(HTMLParser):
    """The text of a page without scripts and styles, and the names and attributes of its elements."""

    def __init__(self, page):
        super().__init__()
        self.elements, self._text, self._skipped = [], [], 0
        self.feed(page)
        self.close()
        self.text = re.sub(r"\s+", " ", " ".join(self._text))

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._skipped += tag in ("script", "style")

    def handle_endtag(self, tag):
        self._skipped -= tag in ("script", "style")

    def handle_data(self, data):
        if not self._skipped:
            self._text.append(data)


def tree_in(page):
    """The tree that the page's script reads."""
    found = re.search(r'<script type="application/json" id="tree-data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1], parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def loans(n=1500, seed=0):
    """Rows of every kind of column, a tenth of the incomes missing, and a class that follows from them mostly."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "income": rng.integers(12, 90, n) * 1000.0,
            "region": rng.choice(list("NESW"), n),
            "purpose": rng.choice(["car", "house", "boat & <b>"], n),
            "opened": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 1500, n), unit="D"),
            "seen": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**9, n), unit="us"),
            "member": rng.random(n) < 0.5,
        }
    )
    early = frame["opened"] < pd.Timestamp("2021-06-01")
    odd = frame["seen"].dt.microsecond % 7 == 0
    risk = (frame["income"] < 30000) * 1.0 + (frame["region"] == "S") + early + frame["member"] * 0.6 + odd
    risk += (frame["purpose"] == "boat & <b>") * 0.8
    frame.loc[rng.random(n) < 0.1, "income"] = np.nan
    return frame, np.where(risk + rng.random(n) > 2.4, "no", "yes")


@pytest.fixture(scope="session")
def fitted():
    """A pruned classifier, and rows that it has not seen."""
    X, y = loans()
    model = bc.PrunedTreeClassifier(rule="min").fit(X[:1000], y[:1000])
    return model, X[1000:], y[1000:]
