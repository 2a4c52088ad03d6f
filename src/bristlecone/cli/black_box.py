"""Finding the model that `distill` is to ask: a name in a module, a model file, or an ONNX file.

Naming a module runs its code, and so does reading a pickle. A module is code that the user has; a file may come from
anywhere, so a pickle is only read when the user says that it is trusted.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.models import load_model
from bristlecone.cli.options import RowsAs
from bristlecone.query.distilling.regressors import refuse_regressor

__all__ = ["load_black_box", "on_frames", "read_by"]


def load_black_box(named: str, *, trust: bool) -> Any:
    """Return what `named` says: an object with predict, or a callable. Raises `Fault` naming what is wrong."""
    ending = Path(named).suffix.lower()
    if ending not in READERS:
        model = _from_module(named)
    elif not Path(named).is_file():
        raise Fault(f"there is no file {quoted(named)}")
    else:
        model = READERS[ending](named, trust)
    if isinstance(model, type):
        raise Fault(f"{quoted(named)} is a class, not a model: name an object that was made of it")
    try:
        refuse_regressor(model.answering if isinstance(model, OwnModel) else model)
    except TypeError as fault:
        raise Fault(f"{quoted(named)}: {fault}") from fault
    if not (callable(model) or callable(getattr(model, "predict", None))):
        raise Fault(f"{quoted(named)} is a {type(model).__name__}, not a model: it has no predict and cannot be called")
    return model


def read_by(model: Any, frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Return the columns that the model reads, in its order, if it knows their names, else all of them.

    Raises `Fault` for one that the rows do not have.
    """
    names = list(_names_of(model)) or frame.columns
    lacking = [name for name in names if name not in frame.columns]
    if lacking:
        raise Fault(f"the model asks for the column {quoted(lacking[0])}, which the rows do not have")
    return frame.select(names)


def on_frames(model: Any, frame: nw.DataFrame[Any], rows_as: RowsAs) -> Callable[[Any], Any]:
    """Return the model as a function of frames like `frame`, each turned into what the model is to be asked with.

    frame: as `read_by` makes it. Guessed: pandas where a model knows the names of its columns (scikit-learn's
    `feature_names_in_`), an array where all columns are numbers, polars otherwise. Raises `Fault` for what does not
    fit these columns.
    """
    names = frame.columns
    words = [name for name in names if not (frame.schema[name].is_numeric() or frame.schema[name] == nw.Boolean)]
    takes = getattr(model, "n_features_in_", None)
    if not _names_of(model) and isinstance(takes, int | np.integer) and takes != len(names):
        has = f"the model takes {takes} columns and the rows have {len(names)}"
        raise Fault(f"{has}: {', '.join(map(quoted, names[:8]))}; --drop what it does not take, --target the labels")
    if rows_as is RowsAs.AUTO and isinstance(model, OwnModel):
        rows_as = RowsAs.POLARS
    if rows_as is RowsAs.AUTO:
        rows_as = RowsAs.PANDAS if _names_of(model) else RowsAs.POLARS if words else RowsAs.ARRAY
    if rows_as is RowsAs.ARRAY and words:
        raise Fault(f"column {quoted(words[0])} is not numeric, so the rows are no array; --rows-as pandas or polars")
    answer = getattr(model, "predict", model)
    return lambda native: answer(_converted(nw.from_native(native, eager_only=True), rows_as))


def _converted(frame: nw.DataFrame[Any], rows_as: RowsAs) -> Any:
    if rows_as is RowsAs.POLARS:
        return frame.to_native()
    if rows_as is RowsAs.ARRAY:
        return np.column_stack([frame[name].cast(nw.Float64).to_numpy() for name in frame.columns])
    try:
        return frame.to_pandas()
    except ImportError as fault:
        raise Fault(f"this model is asked with pandas frames, which need another package: {fault}") from fault


class OnnxModel:
    """An ONNX classifier: one input of all columns, or one a column, by name; answers are its first output."""

    def __init__(self, path: str) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise Fault('ONNX models need another package: pip install "bristlecone[onnx]"') from None
        try:
            self._session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        except Exception as fault:
            raise Fault(f"cannot read the model {quoted(path)}: {fault}") from fault
        self._inputs = self._session.get_inputs()
        self.columns = [given.name for given in self._inputs] if len(self._inputs) > 1 else []
        shape = self._inputs[0].shape
        self.n_features_in_ = shape[1] if not self.columns and len(shape) == 2 else None

    def predict(self, X: Any) -> Any:
        """The labels of rows, (m,)."""
        if not self.columns:
            fed = {self._inputs[0].name: _as_input(np.asarray(X), self._inputs[0].type)}
        else:
            frame = nw.from_native(X, eager_only=True)
            fed = {i.name: _as_input(frame[i.name].to_numpy(), i.type)[:, None] for i in self._inputs}
        return self._session.run(None, fed)[0]


class OwnModel:
    """A model that `fit --model` or `bristlecone.save` wrote; columns: those that it reads, by name if it has names."""

    def __init__(self, path: str) -> None:
        held = load_model(Path(path))
        schema = held.tree.schema
        self.columns = [column.name for column in schema.columns] if schema.named else []
        self.n_features_in_ = len(schema)
        self.answering = held.tree if held.estimator is None else held.estimator

    def predict(self, X: Any) -> Any:
        """The labels of rows, (m,)."""
        return self.answering.predict(X)


def _as_input(values: Any, said: str) -> Any:
    kinds = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(int64)": np.int64}
    return values.astype(kinds.get(said, object))


def _names_of(model: Any) -> Sequence[str]:
    told = "columns" if isinstance(model, OnnxModel | OwnModel) else "feature_names_in_"
    names = getattr(model, told, None)
    return [] if names is None else [str(name) for name in names]


def _from_skops(named: str, trust: bool) -> Any:
    from bristlecone.estimators.tree_files import read_model

    try:
        return read_model(named, trust=trust)
    except (ValueError, TypeError) as fault:
        told = str(fault)
        raise Fault(told if named in told else f"cannot read the model {quoted(named)}: {told}") from fault


def _from_pickle(named: str, trust: bool) -> Any:
    if not trust:
        raise Fault(f"reading {quoted(named)} runs whatever code is in it; say --trust if you know where it comes from")
    import joblib

    try:
        return joblib.load(named)
    except Exception as fault:
        raise Fault(f"cannot read the model {quoted(named)}: {type(fault).__name__}: {fault}") from fault


def _from_module(named: str) -> Any:
    module, colon, name = named.partition(":")
    if not (module and colon and name):
        raise Fault(f"{quoted(named)} is no model: expected module:object, or a {', '.join(READERS)} file")
    sys.path.insert(0, "")  # modules of the working directory, as `python -m` finds them
    try:
        found: Any = importlib.import_module(module)
    except ImportError as fault:
        raise Fault(f"cannot import the module {quoted(module)}: {fault}") from fault
    finally:
        sys.path.remove("")
    for part in name.split("."):
        if not hasattr(found, part):
            raise Fault(f"the module {quoted(module)} has no {quoted(name)}")
        found = getattr(found, part)
    return found


READERS: dict[str, Callable[[str, bool], Any]] = {
    ".json": lambda named, trust: OwnModel(named),
    ".skops": _from_skops,
    ".onnx": lambda named, trust: OnnxModel(named),
    **dict.fromkeys((".joblib", ".pkl", ".pickle"), _from_pickle),
}
