"""Trees that scikit-learn has grown, from files: skops files without trust, joblib and pickle files only with it.

trust       of a file that may run any program while it is read: its reader knows who made it.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from typing import Any

from bristlecone.export.sklearn import from_sklearn, last_step

__all__ = ["read_fitted", "read_model"]

# What a fitted tree holds that skops does not know: arrays, whose indices `from_sklearn` checks before any is used.
CHECKED_LATER = "sklearn.tree._tree.Tree"


def read_fitted(path: str | os.PathLike[str], *, trust: bool = False) -> Any:
    """The fitted decision tree of scikit-learn in a file; of a pipeline that changes no column, its last step.

    path: a skops file, whatever it is called; or, with trust, a joblib or pickle file, which can run any code it holds.
    Raises ValueError naming the file: for a pickle without trust, for a skops file that holds types which are not known
    to be safe, for a pipeline that changes columns and for what cannot be read; TypeError naming it where it holds no
    fitted tree; ImportError without skops; OSError where it cannot be opened.
    """
    name, held = os.fspath(path), read_model(path, trust=trust)
    try:
        tree = last_step(held)
        _ = from_sklearn(tree)  # refuses what is no tree, and indices that lead nowhere
    except (TypeError, ValueError) as fault:
        raise type(fault)(f"{name}: {fault}") from fault
    return tree


def read_model(path: str | os.PathLike[str], *, trust: bool = False) -> Any:
    """Whatever a skops file holds, of types known to be safe, or with trust a joblib or pickle file.

    Raises as `read_fitted`, but for what is held.
    """
    name = os.fspath(path)
    with open(path, "rb"):  # what cannot be opened is no damaged file
        pass
    if zipfile.is_zipfile(path) or name.lower().endswith(".skops"):
        return _opened(name, _from_skops)
    if trust:
        return _opened(name, _from_joblib)
    raise ValueError(
        f"{name}: this is no skops file, and a pickle can run any code it holds: only with --trust (trust=True) is it "
        "read as a joblib or pickle file"
    )


def _opened(name: str, load: Callable[[str], Any]) -> Any:
    try:
        return load(name)
    except (OSError, ImportError, MemoryError):
        raise
    except Exception as fault:  # a damaged file may fail anywhere in another library
        raise ValueError(f"{name}: no model can be read from it: {fault}") from fault


def _from_joblib(name: str) -> Any:
    import joblib

    return joblib.load(name)


def _from_skops(name: str) -> Any:
    try:
        from skops import io
    except ImportError as fault:
        raise ImportError("reading a skops file needs skops: pip install 'bristlecone[skops]'") from fault
    unknown = sorted(set(io.get_untrusted_types(file=name)) - {CHECKED_LATER})
    if unknown:
        raise ValueError(f"it holds types that are not known to be safe: {', '.join(unknown)}")
    return io.load(name, trusted=[CHECKED_LATER])
