"""What the growth tests share: the twins on the path, and the ways of the core that small data must all meet."""

import sys
from pathlib import Path

import pytest

TESTS = str(Path(__file__).resolve().parents[1])
if TESTS not in sys.path:
    sys.path.insert(0, TESTS)

# Rows at which histograms give way to sorted lists: never reached, always reached, reached half way down.
REGIMES = {"lists": {}, "histograms": {"_small_node": 0}, "both": {"_small_node": 9}}


@pytest.fixture(scope="session")
def regimes() -> list[dict]:
    return list(REGIMES.values())


@pytest.fixture(params=list(REGIMES), scope="session")
def regime(request: pytest.FixtureRequest) -> dict:
    """Private options of ``grow.cart`` that lead small data along one of the core's ways."""
    return REGIMES[request.param]
