"""`fit`: rows of a file in, a tree out; said, measured on rows it never saw, printed and saved."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib.metadata
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.cli import page, summary
from bristlecone.cli.columns import Columns, check_roles, choose_columns
from bristlecone.cli.faults import Fault, plain, quoted
from bristlecone.cli.holdout import Split, split_rows
from bristlecone.cli.measure import Errors, errors_of
from bristlecone.cli.models import Model, save_model
from bristlecone.cli.options import FitOptions, Missing, Task
from bristlecone.cli.progress import visibly
from bristlecone.cli.rows import Naming, check_column, people_count, read_named_rows
from bristlecone.cli.target import Rows, Target, read_target, read_weights
from bristlecone.cli.writing import check_writable, is_stream
from bristlecone.grow import cart
from bristlecone.grow.criteria import Criterion, names_of
from bristlecone.table import FileRows, Table
from bristlecone.tree import Tree


@dataclasses.dataclass(frozen=True, slots=True)
class Sample:
    """What is learned from: typed columns, the target's values and the weights of the same rows; zero weights are gone.

    rows: where each row stands in the file, from 0.
    """

    table: Table
    y: NDArray[Any]
    weight: NDArray[np.float64] | None
    rows: Rows

    def take(self, index: Rows) -> Sample:
        """Return some of the rows."""
        weight = None if self.weight is None else self.weight[index]
        return Sample(self.table.take(index), self.y[index], weight, self.rows[index])


@dataclasses.dataclass(frozen=True, slots=True)
class Fitted:
    """Everything that one run of `fit` has to tell."""

    options: FitOptions
    file: FileRows
    columns: Columns
    target: Target
    sample: Sample
    split: Split
    tree: Tree
    training: Errors
    held_out: Errors | None
    seconds: float


def fit(options: FitOptions) -> None:
    """Run the command: nothing is printed or written before all went well."""
    if options.model is not None:
        check_writable(options.model, options.data)
        if is_stream(options.model):
            raise Fault(f"cannot write {quoted(options.model)}: a model needs a regular file")
    fitted = fit_file(options)
    told = summary.of_fit(fitted)
    drawn = summary.drawing(fitted.tree, options.depth, fold=True)
    if options.model is not None:
        save_model(Model(fitted.tree, how_made(fitted)), options.model)
        drawn += f"\n\nModel written to {plain(options.model)}"
    page.show(told, drawn)


def fit_file(options: FitOptions) -> Fitted:
    """Read, choose columns, hold rows out, grow, measure. Raises `Fault` for what the user got wrong."""
    file, columns = _read(options)
    target = read_target(file.frame[options.target], options.task)
    _check_criterion(options, target)
    sample = visibly("preparing the rows", lambda: _sample(file, columns, target, options))
    if options.missing is Missing.ERROR:
        with people_count(options.data, sample.rows):
            sample.table.refuse_missing()
    split = split_rows(len(sample.rows), options.holdout, options.seed)
    growing = sample.take(split.growing)
    started = time.perf_counter()
    with people_count(options.data, growing.rows):
        tree = visibly("growing the tree", lambda: _grow(growing, target, options))
    seconds = time.perf_counter() - started
    held_out = sample.take(split.held_out)
    return Fitted(
        options=options,
        file=file,
        columns=columns,
        target=target,
        sample=sample,
        split=split,
        tree=tree,
        training=errors_of(tree, growing.table, growing.y, growing.weight),
        held_out=errors_of(tree, held_out.table, held_out.y, held_out.weight) if len(held_out.rows) else None,
        seconds=seconds,
    )


def how_made(fitted: Fitted) -> dict[str, Any]:
    """Return what the model file says beside the tree."""
    options = fitted.options
    given = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    words = {name: _jsonable(value) for name, value in given.items() if name not in {"model", "depth", "n_jobs"}}
    return {
        "by": f"bristlecone {importlib.metadata.version('bristlecone')}",
        "on": dt.datetime.now(dt.UTC).date().isoformat(),
        "target": fitted.target.name,
        "options": words | {"data": options.data.name, "task": fitted.target.task.value},
        "rows": {"grown": len(fitted.split.growing), "held_out": len(fitted.split.held_out)},
        "errors": {
            "training": dataclasses.asdict(fitted.training),
            "held_out": None if fitted.held_out is None else dataclasses.asdict(fitted.held_out),
        },
    }


def _read(options: FitOptions) -> tuple[FileRows, Columns]:
    numeric = [*(options.numeric or ()), *([options.weights] if options.weights is not None else ())]
    if options.task is Task.REGRESSION:
        numeric.append(options.target)
    naming = Naming(tuple(options.categorical or ()), tuple(numeric), tuple(options.drop or ()))
    file, naming = read_named_rows(options.data, naming)
    check_roles(options, naming)
    for name in (options.target, options.weights):
        if name is not None:
            check_column(file, name, options.data)
    if file.n_rows == 0:
        raise Fault(f"{options.data}: there are columns but no rows")
    return file, choose_columns(file, options, naming)


def _check_criterion(options: FitOptions, target: Target) -> None:
    criterion = options.criterion
    if criterion is None or criterion.task == target.task.value:
        return
    fitting = names_of(target.task.value)
    raise Fault(
        f"criterion {quoted(criterion.value)} does not fit {target.task.value} of {quoted(target.name)} "
        f"({target.reason}); {', '.join(fitting)} do, or another --task"
    )


def _sample(file: FileRows, columns: Columns, target: Target, options: FitOptions) -> Sample:
    table = file.table(drop=columns.out)
    rows, y = target.rows, target.values
    weight = None
    if options.weights is not None:
        weight = read_weights(file.frame[options.weights], rows)
        present = weight > 0.0
        rows, y, weight = rows[present], y[present], weight[present]
        if (y == y[0]).all():
            raise Fault(f"target {quoted(target.name)} has one value only in the rows with a weight above zero")
    return Sample(table if len(rows) == table.n_rows else table.take(rows), y, weight, rows)


def _grow(sample: Sample, target: Target, options: FitOptions) -> Tree:
    criterion = options.criterion
    if criterion is None:
        criterion = Criterion.GINI if target.task is Task.CLASSIFICATION else Criterion.SQUARED_ERROR
    return cart(
        sample.table,
        sample.y,
        criterion=criterion.value,
        sample_weight=sample.weight,
        max_depth=options.max_depth,
        max_leaf_nodes=options.max_leaf_nodes,
        min_samples_split=options.min_samples_split,
        min_samples_leaf=options.min_samples_leaf,
        missing=options.missing.value,
        unseen=options.unseen.value,
        n_runners=options.runners,
        n_jobs=options.n_jobs,
    )


def _jsonable(value: Any) -> Any:
    if hasattr(value, "value"):
        return value.value
    return value if value is None or isinstance(value, bool | int | float | str | list) else str(value)
