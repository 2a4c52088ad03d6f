"""A user's own yes/no questions about rows, and the schema of the Boolean columns that they make.

predicate      a named question; together they are a function from a Table to a Boolean matrix, a column a name.
source         the schema of the rows that are asked; what a person gives to `predict`.
importable     held under a name by a module, so that another process finds the same function. Only such predicates can
               be saved or pickled. Reading a saved schema never imports or runs anything: it looks into the modules
               that are already there.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.table.columns import Table
from bristlecone.table.schema import ColumnSchema, Kind, Schema, refuse_repeated

__all__ = ["MadeSchema", "Predicates"]

Questions = Callable[[Table], npt.ArrayLike]


class Predicates:
    """Named yes/no questions about rows: a class H of splitting functions of a user's own.

    names: one a question, distinct. function: from a Table of n_rows rows to their answers, (n_rows, n_names), True or
    False. It must answer for each row alone, whatever rows stand beside it. Raises TypeError or ValueError for names
    that are none, and when called, for answers of another shape or kind.
    """

    def __init__(self, names: Sequence[str], function: Questions) -> None:
        listed = isinstance(names, Sequence) and not isinstance(names, str) and len(names) > 0
        if not listed or not all(isinstance(name, str) and name for name in names):
            raise ValueError(f"names must be a list of at least one name; got {names!r:.100}")
        if not callable(function):
            raise TypeError(f"function must take a Table and return its answers; got {function!r:.100}")
        refuse_repeated(tuple(names))
        self.names = tuple(names)
        self.function = function

    def __call__(self, table: Table) -> npt.NDArray[np.bool_]:
        """The answers, (n_rows, n_names)."""
        answers = np.asarray(self.function(table))
        expected = (table.n_rows, len(self.names))
        if answers.shape != expected:
            raise ValueError(f"{self!r} answered with shape {answers.shape}; expected {expected}")
        if answers.dtype != np.bool_:
            raise TypeError(f"{self!r} answered with {answers.dtype}; expected True and False")
        return answers

    def __repr__(self) -> str:
        more = ", ..." if len(self.names) > 3 else ""
        return f"Predicates({', '.join(map(repr, self.names[:3]))}{more})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Predicates:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _import, (self.importable_name(),)

    def importable_name(self) -> str:
        """ "module:name" under which a module holds these predicates. Raises TypeError where none does."""
        home = getattr(self.function, "__module__", None) or ""
        held = vars(sys.modules[home]) if home in sys.modules and home != "__main__" else {}
        for name, value in held.items():
            if value is self:
                return f"{home}:{name}"
        raise TypeError(
            f"{self!r} cannot be saved: the module that defines its function must be importable and hold the "
            f"predicates under a name of their own"
        )


@dataclass(frozen=True, slots=True)
class MadeSchema(Schema):
    """The Boolean columns that predicates make of rows of another schema.

    `read` takes rows as `source` does, asks, and gives the answers as a table; a table of answers passes as it is.
    """

    source: Schema | None = None
    predicates: Predicates | None = None

    @classmethod
    def of(cls, source: Schema, predicates: Predicates) -> MadeSchema:
        """The schema of what `predicates` make of rows of `source`."""
        columns = tuple(ColumnSchema(name, Kind.BOOLEAN) for name in predicates.names)
        return cls(columns, True, source, predicates)

    def read(self, X: Any, *, check_later: bool = False) -> Table:
        """The answers about X, an array, a frame or a Table that `source` reads."""
        assert self.source is not None and self.predicates is not None
        if isinstance(X, Table) and X.schema == self:
            return X
        rows = self.source.read(X)
        answers = self.predicates(rows).astype(np.float64)
        return Table(self, list(answers.T), rows.n_rows, rows.notes)

    def to_dict(self) -> dict[str, Any]:
        """As `Schema.to_dict`; raises TypeError for predicates that no module holds."""
        assert self.source is not None and self.predicates is not None
        made_by = {"predicates": self.predicates.importable_name(), "source": self.source.to_dict()}
        return {"named": True, "columns": list(self.predicates.names), "made_by": made_by}


def made_schema_from_dict(document: Mapping[str, Any]) -> MadeSchema:
    """The schema that `MadeSchema.to_dict` wrote; its predicates must be in a module that is already imported.

    Raises ValueError for a document that is none, and where the predicates are not found or have other names.
    """
    made_by = document["made_by"]
    source = made_by.get("source") if isinstance(made_by, Mapping) else None
    if not isinstance(source, Mapping) or "made_by" in source:
        raise ValueError("'made_by' of a schema needs 'predicates' (module:name) and 'source' (a plain schema)")
    where = made_by.get("predicates")
    module, _, name = where.partition(":") if isinstance(where, str) else ("", "", "")
    predicates = vars(sys.modules[module]).get(name) if module in sys.modules else None
    if not isinstance(predicates, Predicates):
        raise ValueError(f"the model asks the predicates {where!r:.80}: import the module that holds them first")
    if document.get("columns") != list(predicates.names):
        raise ValueError(f"the predicates {where!r:.80} have other names than those that the model was grown with")
    return MadeSchema.of(Schema.from_dict(source), predicates)


def _import(where: str) -> Any:
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)
