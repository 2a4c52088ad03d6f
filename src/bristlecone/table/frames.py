"""The one door: arrays, frames of any library and Tables become Tables.

Arrays of float64 or float32 and frame columns that their library can show as such arrays are viewed, not copied.
Frames are read through narwhals: pandas, polars (eager), pyarrow and every other library it knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, Literal

import narwhals as nw
import numpy as np
import numpy.typing as npt
from narwhals.exceptions import DuplicateError

from bristlecone.table.adapt import adapt
from bristlecone.table.arrays import ArraySource, Reading, Source, TableSource
from bristlecone.table.cells import (
    are_exact,
    boolean,
    category,
    datetimes,
    exact_floats,
    number_category,
    numeric,
    objects,
)
from bristlecone.table.columns import NUMBERS, Column, Table, Values
from bristlecone.table.errors import CellError, CellTypeError
from bristlecone.table.schema import UNSEEN_CODE, ColumnSchema, Kind, Schema, refuse_repeated

MANY = 100  # columns from which on a copy of all costs less than to look at each
COUNTS = frozenset(np.dtype(name) for size in (8, 16, 32, 64) for name in (f"int{size}", f"uint{size}"))

Entries = Sequence[str] | Sequence[int] | Sequence[bool] | Set[str] | Set[int] | npt.NDArray[Any]
Categorical = Literal["from_dtype"] | Entries | None


def as_table(X: Any, *, categorical_features: Categorical = "from_dtype", names: Sequence[str] | None = None) -> Table:
    """X as a Table of typed columns.

    X: a (n_rows, n_columns) array or list of rows, a pandas, polars or pyarrow frame, or a Table, which is returned as
    it is. categorical_features: "from_dtype" takes text, categorical and enum columns of a frame as categories; None
    takes none; else names or indices of columns in any collection, or a boolean mask, as in scikit-learn. names: for
    the columns of an array.

    Raises TypeError or ValueError naming the column (and the row) for text where numbers are expected, infinite
    values, whole numbers that float64 cannot hold, unknown column types, repeated names.
    """
    if isinstance(X, Table):
        return X
    source = source_of(X)
    if isinstance(source, ArraySource) and source.plain and names is None and _chooses_none(categorical_features):
        return source.table(source.schema())
    if names is not None:
        _rename(source, names)
    readings = _readings(categorical_features, source.names)
    columns = [_typed_column(source, j, reading) for j, reading in enumerate(readings)]
    schema = Schema(tuple(column.schema for column in columns), source.named)
    return Table(schema, [column.values for column in columns], source.n_rows)


def read_as(schema: Schema, X: Any, check_later: bool = False) -> Table:
    """X with the columns, kinds and level codes of a schema; see `Schema.read`."""
    if isinstance(X, Table) and (X.schema is schema or X.schema == schema):
        return X
    source = TableSource(X) if isinstance(X, Table) else source_of(X, check_later)
    if isinstance(source, ArraySource) and source.plain and schema.numeric and _in_order(source, schema):
        return source.table(schema)
    places, notes = _match(schema, source)
    columns = []
    given = {}
    for j, (place, wanted) in enumerate(zip(places, schema.columns, strict=True)):
        if wanted.categorical and not source.named and source.typed and any(isinstance(v, str) for v in wanted.levels):
            raise CellTypeError(wanted.name, None, "it holds text levels, but an array of numbers was given")
        column = source.column(place, Reading.CATEGORY if wanted.categorical else Reading.BY_TYPE)
        values, note = adapt(column, wanted)
        columns.append(values)
        notes += [note] if note else []
        if wanted.categorical and (values == UNSEEN_CODE).any():
            given[j] = column
    check = source.check if isinstance(source, ArraySource) else None
    return Table(schema, columns, source.n_rows, notes, given, check)


def source_of(X: Any, check_later: bool = False) -> Source:
    """The columns of an array, a list of rows or a frame."""
    if isinstance(X, np.ndarray):
        return ArraySource(X, check_later)
    X = frame_of(X)
    try:
        frame = nw.from_native(X, pass_through=True)
    except DuplicateError:
        refuse_repeated(tuple(map(str, getattr(X, "column_names", getattr(X, "columns", ())))))
        raise
    if isinstance(frame, nw.LazyFrame):
        raise TypeError("a lazy frame has no rows yet: pass frame.collect()")
    if not isinstance(frame, nw.DataFrame):
        return ArraySource(X)
    names, named = _names_of(frame)
    block = _block_of(frame.to_native())
    if block is not None:
        return ArraySource(block, check_later, names, named=named)
    return FrameSource(frame, names, named)


def _in_order(source: ArraySource, schema: Schema) -> bool:
    """Whether the columns of an array are those of a schema, as they stand."""
    return source.names == schema.names if source.named and schema.named else len(source.names) == len(schema)


def _names_of(frame: nw.DataFrame[Any]) -> tuple[tuple[str, ...], bool]:
    """The columns' names, and whether they are any: labels that are not text (pandas' 0, 1, ...) count as made up."""
    labels = list(frame.columns)
    if not labels:
        raise ValueError(f"0 feature(s) (shape=({len(frame)}, 0)) while a minimum of 1 is required.")
    for j, label in enumerate(labels):
        if label is None or label != label:
            raise ValueError(f"column {j} of X has no name ({label}): give it one")
    return tuple(map(str, labels)), all(isinstance(label, str) for label in labels)


def _block_of(native: Any) -> Values | None:
    """The cells of a pandas frame of numbers as one array, which is read many times faster; None for other frames.

    One of float64 or of float32 alone is viewed; one of many columns of several types of numbers is copied.
    """
    if not nw.dependencies.is_pandas_dataframe(native):
        return None
    dtypes = set(native.dtypes)
    if len(dtypes) == 1 and next(iter(dtypes)) in NUMBERS:
        same: Values = native.to_numpy()
        return same
    if native.shape[1] < MANY or not all(isinstance(dtype, np.dtype) and dtype in COUNTS | NUMBERS for dtype in dtypes):
        return None
    long = native.select_dtypes(["int64", "uint64"]).to_numpy()
    copied: Values = native.to_numpy(dtype=np.float64)
    return copied if are_exact(long) else None


def frame_of(X: Any) -> Any:
    """A pyarrow RecordBatch, which is no frame to narwhals, as the table of this one batch; all else as it is."""
    pyarrow = nw.dependencies.get_pyarrow()
    if pyarrow is not None and isinstance(X, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([X])
    return X


def _rename(source: Source, names: Sequence[str]) -> None:
    if len(names) != len(source.names):
        raise ValueError(f"names has {len(names)} entries for {len(source.names)} columns")
    source.names, source.named = tuple(map(str, names)), True


def _typed_column(source: Source, j: int, reading: Reading) -> Column:
    column = source.column(j, reading)
    if not column.schema.categorical or reading is Reading.CATEGORY or (reading is Reading.BY_TYPE and source.typed):
        return column
    if reading is Reading.NUMBER and all(isinstance(level, int | float) for level in column.schema.levels):
        wanted = ColumnSchema(source.names[j], Kind.NUMERIC)
        return Column(wanted, adapt(column, wanted)[0])
    row = int(np.argmax(column.values >= 0))
    level = column.schema.levels[column.values[row]]
    problem = f"{level!r} is not a number; name the column in categorical_features to make it a category"
    raise CellError(source.names[j], row, problem)


def _match(schema: Schema, source: Source) -> tuple[list[int], list[str]]:
    if schema.named and source.named:
        return _match_names(schema, source)
    if len(source.names) != len(schema):
        raise ValueError(f"X has {len(source.names)} columns, but {len(schema)} are expected")
    return list(range(len(schema))), []


def _match_names(schema: Schema, source: Source) -> tuple[list[int], list[str]]:
    place_of = {name: j for j, name in enumerate(source.names)}
    missing = [name for name in schema.names if name not in place_of]
    if missing:
        raise ValueError(f"X lacks the column{'s' * (len(missing) > 1)} {_listed(missing)}")
    known = set(schema.names)
    extra = [name for name in source.names if name not in known]
    notes = [f"ignored {len(extra)} column{'s' * (len(extra) > 1)} not in the model: {_listed(extra)}"] if extra else []
    return [place_of[name] for name in schema.names], notes


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:20]))
    return shown if len(names) <= 20 else f"{shown} and {len(names) - 20} more"


def _chooses_none(categorical_features: Categorical) -> bool:
    """Whether no column of an array of numbers is to be a category."""
    return categorical_features is None or (
        isinstance(categorical_features, str) and categorical_features == "from_dtype"
    )


def _readings(categorical_features: Categorical, names: Sequence[str]) -> list[Reading]:
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise ValueError(f"categorical_features={categorical_features!r}: expected 'from_dtype', None or a list")
        return [Reading.BY_TYPE] * len(names)
    chosen = np.zeros(len(names), dtype=bool)
    if categorical_features is not None:
        chosen[_places(_entries(categorical_features), names)] = True
    return [Reading.CATEGORY if c else Reading.NUMBER for c in chosen]


def _entries(given: Any) -> Values:
    """A list, a set or an array of names, indices or booleans as an array."""
    if isinstance(given, np.ndarray):
        return given
    if not isinstance(given, Iterable) or isinstance(given, bytes | Mapping):
        raise TypeError(f"categorical_features={given!r}: expected names, indices or a mask")
    entries = list(given)
    mixed = any(isinstance(entry, str) for entry in entries)  # numpy would turn the indices beside names into text
    return np.asarray(entries, dtype=object if mixed else None)


def _places(given: Values, names: Sequence[str]) -> Values:
    if given.size == 0:
        return np.zeros(0, dtype=np.intp)
    if given.dtype.kind == "b":
        if given.shape != (len(names),):
            raise ValueError(f"categorical_features is a mask of shape {given.shape} for {len(names)} columns")
        return given
    place_of = {name: j for j, name in enumerate(names)}
    places = [place_of.get(entry, entry) if isinstance(entry, str) else entry for entry in given.ravel().tolist()]
    for place in places:
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(names):
            raise ValueError(f"categorical_features names {place!r}, which is not one of the {len(names)} columns")
    return np.array(places, dtype=np.intp)


class FrameSource:
    """The columns of a data frame. named: whether its names are any."""

    typed = True

    def __init__(self, frame: nw.DataFrame[Any], names: tuple[str, ...], named: bool) -> None:
        self.series = list(frame.iter_columns())
        self.names, self.named, self.n_rows = names, named, len(frame)

    def column(self, j: int, reading: Reading) -> Column:
        """Column j; a view when the library can show its cells as floats."""
        name, series = self.names[j], self.series[j]
        dtype = series.dtype
        if isinstance(dtype, nw.Categorical | nw.Enum) and reading is not Reading.NUMBER:
            return category(name, series.to_list(), _declared_levels(series))
        if reading is Reading.CATEGORY:
            return _levels(name, series)
        if dtype.is_float() or (dtype.is_integer() and not isinstance(dtype, nw.Int128 | nw.UInt128)):
            return numeric(name, _numbers(series, dtype))
        if isinstance(dtype, nw.Boolean):
            return boolean(name, _numbers(series, dtype))
        if isinstance(dtype, nw.Date | nw.Datetime):
            return _instants(name, series)
        if isinstance(dtype, nw.String | nw.Categorical | nw.Enum):
            return category(name, series.to_list())
        if isinstance(dtype, nw.Object | nw.Decimal | nw.Int128 | nw.UInt128):
            return objects(name, series.to_list())
        return _without_cells(name, series)


def _numbers(series: nw.Series[Any], dtype: nw.dtypes.DType) -> Values:
    values = series.to_numpy()
    if values.dtype.kind == "f" and dtype.is_float():
        return values
    if values.dtype.kind in "biu":
        return values
    # integers with nulls come as floats, booleans as objects; the present ones must be seen before anything is rounded
    missing = series.is_null().to_numpy().astype(bool)
    floats = np.full(len(missing), np.nan)
    floats[~missing] = exact_floats(series.name, series.drop_nulls().to_numpy())
    return floats


def _instants(name: str, series: nw.Series[Any]) -> Column:
    values = series.to_numpy()
    if values.dtype.kind != "M":
        return objects(name, series.to_list())
    return datetimes(name, values, utc=getattr(series.dtype, "time_zone", None) is not None)


def _levels(name: str, series: nw.Series[Any]) -> Column:
    if series.dtype.is_float() or series.dtype.is_integer():
        values = series.to_numpy()
        if values.dtype.kind in ("f" if series.dtype.is_float() else "iu"):  # integers with nulls come as floats
            return number_category(name, values)
    if isinstance(series.dtype, nw.Datetime):
        _instants(name, series)  # refuses nanoseconds, which Python's datetimes would drop
    return category(name, series.to_list())


def _without_cells(name: str, series: nw.Series[Any]) -> Column:
    """A column of a type that narwhals does not know: times of a zone, numbers, or no cell that is not missing."""
    if series.null_count() == len(series):
        return numeric(name, np.full(len(series), np.nan))
    native = series.to_native()
    if getattr(getattr(native, "dtype", None), "tz", None) is not None:  # a zone whose name narwhals cannot read
        return datetimes(name, native.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), utc=True)
    values = series.to_numpy()
    if isinstance(series.dtype, nw.Unknown) and values.dtype.kind in "biuf":
        return numeric(name, values)
    dtype = getattr(native, "dtype", getattr(native, "type", series.dtype))
    raise CellTypeError(name, None, f"type {dtype} is not supported; convert the column or drop it")


def _declared_levels(series: nw.Series[Any]) -> Sequence[Any] | None:
    """Levels in the order that the column's type gives them; None when it gives none (polars' Categorical)."""
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "categories"):
        return list(native.cat.categories)
    if hasattr(native, "unify_dictionaries"):
        chunks = native.unify_dictionaries().chunks
        return list(dict.fromkeys(v for c in chunks[:1] for v in c.dictionary.to_pylist() if v is not None))
    return list(series.dtype.categories) if isinstance(series.dtype, nw.Enum) else None
