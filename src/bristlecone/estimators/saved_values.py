"""Parameter values as JSON and back, exactly.

JSON has no tuples, no dicts with keys other than text and no arrays, so these go as {"tuple": [...]},
{"dict": [[key, value], ...]}, {"set": [...]} and {"array": [...], "dtype": "float64"}; numpy scalars become Python's.
A risk of `certify` goes as {"risk": its name, "values": [...]}, what its constructor is given.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np

from bristlecone.certify import Beyond, Brier, ErrorOfClass, LossMatrix

__all__ = ["decode", "encode"]

_ARRAY_KINDS = "biufUO"
_RISKS = {
    kind.__name__: (kind, tuple(entry.name for entry in fields(kind) if entry.init))
    for kind in (Beyond, Brier, ErrorOfClass, LossMatrix)
}


def encode(value: Any) -> Any:
    """A JSON-able form of `value`. Errors: TypeError naming the type of what cannot be written."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) is list:
        return [encode(item) for item in value]
    if type(value) is tuple:
        return {"tuple": [encode(item) for item in value]}
    if type(value) in (set, frozenset):
        return {"set": sorted(map(encode, value), key=repr)}
    if type(value) is dict:
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if type(value) is np.ndarray and value.dtype.kind in _ARRAY_KINDS:
        return {"array": encode(value.tolist()), "dtype": value.dtype.name if value.dtype.kind != "U" else "str"}
    risk, names = _RISKS.get(type(value).__name__, (None, ()))
    if type(value) is risk:
        return {"risk": type(value).__name__, "values": [encode(getattr(value, name)) for name in names]}
    raise TypeError(f"a value of type {type(value).__name__} cannot be written")


def decode(value: Any) -> Any:
    """What `encode` was given. Errors: ValueError for a form that `encode` does not write."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"float": str(text), **rest} if not rest:
            return float(text)
        case {"tuple": list(items), **rest} if not rest:
            return tuple(decode(item) for item in items)
        case {"set": list(items), **rest} if not rest:
            return {decode(item) for item in items}
        case {"dict": list(pairs), **rest} if not rest and all(isinstance(p, list) and len(p) == 2 for p in pairs):
            return {decode(key): decode(item) for key, item in pairs}
        case {"array": items, "dtype": str(name), **rest} if not rest:
            return _array(decode(items), name)
        case {"risk": str(name), "values": list(values), **rest} if not rest and name in _RISKS:
            return _risk(name, [decode(value) for value in values])
    raise ValueError(f"not a saved value: keys {sorted(value)}")


def _risk(name: str, values: list[Any]) -> Any:
    risk, names = _RISKS[name]
    if len(values) != len(names):
        raise ValueError(f"not a saved {name}: it is made from {', '.join(names)}")
    return risk(*values)


def _array(items: Any, name: str) -> np.ndarray[Any, Any]:
    try:
        dtype = np.dtype(name)
    except TypeError as error:
        raise ValueError(f"not a saved array: dtype {name!r}") from error
    if dtype.kind not in _ARRAY_KINDS:
        raise ValueError(f"not a saved array: dtype {name!r}")
    return np.asarray(items, dtype=str if dtype.kind == "U" else dtype)  # as wide as the longest, whatever a file says
