"""Class labels as JSON, with their types: an array of one number type or of text by its name, else label by label."""

import datetime
import re
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.export.document import ModelFileError, check_fields

PLAIN = {
    "bool",
    "float16",
    "float32",
    "float64",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}
DATETIME = re.compile(r"datetime64\[(Y|M|W|D|h|m|s|ms|us|ns)\]")
LARGEST_TEXT = 1 << 28  # characters in an array of text: one long label makes all of them long

Labels = npt.NDArray[Any]


def labels_to_json(labels: Labels) -> dict[str, Any]:
    """An array of labels as {"dtype", "values"}. Raises TypeError naming a label that cannot be said exactly."""
    name = labels.dtype.name
    if name in PLAIN:
        return {"dtype": name, "values": labels.tolist()}
    if labels.dtype.kind == "U":
        return {"dtype": "str", "values": labels.tolist()}
    if DATETIME.fullmatch(name):
        return {"dtype": name, "values": labels.astype(np.int64).tolist()}
    if labels.dtype != object:
        raise TypeError(f"class labels of type {name} cannot be saved exactly")
    return {"dtype": "object", "values": [_label_to_json(label) for label in labels.tolist()]}


def _label_to_json(label: Any) -> list[Any]:
    if isinstance(label, np.bool | np.integer | np.floating | np.str_):
        label = label.item()
    kind = type(label)
    if kind in (str, int, bool):
        return [kind.__name__, label]
    if kind is float and np.isfinite(label):
        return ["float", label]
    if kind is datetime.date or (kind is datetime.datetime and label.tzinfo in (None, datetime.UTC)):
        return [kind.__name__, label.isoformat()]
    raise TypeError(f"the class label {label!r} ({kind.__name__}) cannot be saved exactly")


def labels_from_json(held: object) -> Labels:
    """The array that `labels_to_json` wrote. Raises ModelFileError."""
    if not isinstance(held, dict):
        raise ModelFileError("classes must be an object with dtype and values")
    check_fields(held, {"dtype", "values"}, "classes")
    dtype, values = held["dtype"], held["values"]
    if not isinstance(dtype, str) or not isinstance(values, list):
        raise ModelFileError("classes must have a dtype by name and a list of values")
    if dtype == "object":
        labels = np.empty(len(values), dtype=object)
        labels[:] = [_label_from_json(value) for value in values]
        return labels
    if dtype == "str":
        return _texts(values)
    if dtype in PLAIN:
        return _numbers(values, np.dtype(dtype))
    if DATETIME.fullmatch(dtype):
        return _numbers(values, np.dtype(np.int64)).view(dtype)
    raise ModelFileError(f"classes have the unknown dtype {dtype[:40]!r}")


def _texts(values: list[Any]) -> Labels:
    if not all(type(value) is str for value in values):
        raise ModelFileError("classes of dtype str must be text")
    if max(map(len, values), default=0) * len(values) > LARGEST_TEXT:
        raise ModelFileError("the class labels are too long to be held as an array")
    return np.array(values, dtype=str)


def _numbers(values: list[Any], dtype: np.dtype[Any]) -> Labels:
    kinds = {"b": (bool,), "f": (float, int)}.get(dtype.kind, (int,))
    wrong = next((value for value in values if type(value) not in kinds), None)
    if wrong is not None:
        raise ModelFileError(f"a class label of dtype {dtype.name} is {str(wrong)[:40]!r}")
    try:
        with np.errstate(over="raise"):
            return np.array(values, dtype=dtype)
    except (OverflowError, FloatingPointError):
        raise ModelFileError(f"a class label is out of the range of {dtype.name}") from None


def _label_from_json(held: Any) -> Any:
    if isinstance(held, list) and len(held) == 2 and isinstance(held[0], str):
        kind, value = held
        plain = {"str": str, "int": int, "bool": bool, "float": float}.get(kind)
        if plain is not None and type(value) is plain:
            return value
        dated = {"date": datetime.date, "datetime": datetime.datetime}.get(kind)
        if dated is not None and isinstance(value, str):
            try:
                return dated.fromisoformat(value)
            except ValueError:
                raise ModelFileError(f"a class label is not a {kind}: {value[:40]!r}") from None
    raise ModelFileError(f"not a class label: {str(held)[:40]}")
