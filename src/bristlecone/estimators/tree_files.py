"""Trees that scikit-learn has grown, from files: skops files without trust, joblib and pickle files only with it.

trusted     a file that may run any program while it is read: its reader has said so.
"""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

from sklearn.pipeline import Pipeline

from bristlecone.export import from_sklearn
from bristlecone.tree import Tree

__all__ = ["load_foreign"]

# What a fitted tree holds that skops does not know: arrays, whose indices `from_sklearn` checks before any is used.
_KNOWN = frozenset({"sklearn.tree._tree.Tree"})


def load_foreign(path: str | os.PathLike[str], *, trust: bool = False) -> Any:
    """The fitted decision tree of scikit-learn in a file.

    path: a skops file; or, with trust, a joblib or pickle file, which can run any program while it is read. A pipeline
    that only passes its columns on to a tree is taken for the tree.
    Raises ValueError for an untrusted file, for a skops file that holds other types, and for a file that is neither;
    TypeError where it holds no tree; ImportError without skops; OSError where it cannot be read.
    """
    file = Path(path)
    model = _from_skops(file) if zipfile.is_zipfile(file) else _from_joblib(file, trust)
    tree = _unwrapped(model, file)
    _ = from_sklearn(tree)  # refuses what is no tree, and indices that lead nowhere
    return tree


def _from_skops(file: Path) -> Any:
    try:
        import skops.io
    except ImportError as error:
        raise ImportError("reading a skops file needs skops: pip install 'bristlecone[skops]'") from error
    try:
        unknown = sorted(set(skops.io.get_untrusted_types(file=file)) - _KNOWN)
        if unknown:
            raise ValueError(f"it holds {unknown[0]}, which is no part of a decision tree")
        return skops.io.load(file, trusted=sorted(_KNOWN))
    except (ValueError, TypeError):
        raise
    except Exception as error:
        raise ValueError(f"it is no skops file: {error}") from error


def _from_joblib(file: Path, trust: bool) -> Any:
    if not trust:
        raise ValueError(
            "it is no skops file; a joblib or pickle file can run any program while it is read, "
            "and is read only with --trust (trust=True)"
        )
    import joblib

    try:
        return joblib.load(file)
    except Exception as error:
        raise ValueError(f"it is no joblib or pickle file: {error}") from error


def _unwrapped(model: Any, file: Path) -> Any:
    """The tree of a pipeline that has nothing else to do. Raises TypeError for what is none."""
    if isinstance(model, Pipeline):
        busy = [name for name, step in model.steps[:-1] if step not in ("passthrough", None)]
        if busy:
            raise TypeError(f"{file.name} holds a pipeline whose step {busy[0]!r} changes columns; save its tree alone")
        model = model.steps[-1][1]
    if isinstance(model, Tree) or not hasattr(model, "n_outputs_") or not hasattr(model, "tree_"):
        raise TypeError(f"{file.name} holds a {type(model).__name__}; a fitted decision tree of scikit-learn is needed")
    return model
