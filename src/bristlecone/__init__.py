"""bristlecone: one readable decision tree, with a number you can trust.

`import bristlecone` loads none of the libraries below it (not even numpy): a public name is looked up in its room
the first time it is used, so that a program that only predicts never pays for what it does not use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bristlecone import certify, estimators, export, grow, noise, query, report, stability, subtrees, table, tree
    from bristlecone.estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        HelmboldSchapireClassifier,
        PACBayesTreeClassifier,
        PrunedTreeClassifier,
        PrunedTreeRegressor,
        PruningPathDisplay,
        load,
        save,
    )
    from bristlecone.export import from_sklearn, to_sklearn
    from bristlecone.report import CertificateDisplay, TreeDisplay, audit, compare

    __version__: str

__all__ = [
    "CertificateDisplay",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "HelmboldSchapireClassifier",
    "PACBayesTreeClassifier",
    "PrunedTreeClassifier",
    "PrunedTreeRegressor",
    "PruningPathDisplay",
    "TreeDisplay",
    "audit",
    "certify",
    "compare",
    "estimators",
    "export",
    "from_sklearn",
    "grow",
    "load",
    "noise",
    "query",
    "report",
    "save",
    "stability",
    "subtrees",
    "table",
    "to_sklearn",
    "tree",
]

_ROOMS = frozenset(
    {"certify", "estimators", "export", "grow", "noise", "query", "report", "stability", "subtrees", "table", "tree"}
)

# names that are not in `estimators`
_ELSEWHERE = {
    "CertificateDisplay": "report",
    "TreeDisplay": "report",
    "audit": "report",
    "compare": "report",
    "from_sklearn": "export",
    "to_sklearn": "export",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("bristlecone")
    if name in _ROOMS:
        return importlib.import_module(f"bristlecone.{name}")
    if name in __all__:
        return getattr(importlib.import_module(f"bristlecone.{_ELSEWHERE.get(name, 'estimators')}"), name)
    raise AttributeError(f"module 'bristlecone' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
