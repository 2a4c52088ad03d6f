"""Rows of two files beside each other: under one model, or each with a tree grown from it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, names_of_two, quoted
from bristlecone.cli.fingerprint import row_marks
from bristlecone.cli.fit import Fitted, fit_file
from bristlecone.cli.measured import known_of, measured_rows
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.options import Certify, FitOptions
from bristlecone.cli.options_judging import CompareOptions, Rows
from bristlecone.cli.own_rows import refuse_own_rows
from bristlecone.cli.rows import check_column, read_rows
from bristlecone.report import compare as compare_of
from bristlecone.report import compare_data
from bristlecone.report.comparing import Comparison
from bristlecone.report.comparing_data import DataComparison
from bristlecone.report.evidence import Role
from bristlecone.table import FileRows, Table

SLACK = 0.05  # of the rows, beyond twice what chance brings
Measured = tuple[Table, NDArray[Any], NDArray[np.intp]]


def of_data(options: CompareOptions, path: Path) -> tuple[str, Mapping[str, Any]]:
    """Two files under one model, in words, and the columns of the pairs with different answers."""
    if options.output is not None and options.key is None:
        raise Fault("--output takes pairs of rows with different answers; name the column that pairs them with --key")
    model = load_model(path)
    rows = None if options.rows is None else options.rows.value
    files, known = _read(options, model, path)
    names = names_of_two(options.a, options.b)
    if options.key is None:
        (a, b) = ((table, y) for table, y, _ in known)
        return str(_compared(model.tree, a, b, rows=rows, names=names)), {}
    keys = [
        _keys(file, data, options.key, places)
        for file, data, (_, _, places) in zip(files, (options.a, options.b), known, strict=True)
    ]
    pairs = _paired(options, keys)
    (a, b) = ((table.take(of), y[of]) for (table, y, _), of in zip(known, pairs, strict=True))
    found = _compared(model.tree, a, b, paired=True, rows=rows, names=names)
    alone = zip(names, (len(key) - len(pairs[0]) for key in keys), strict=True)
    left_out = [f"\n{page.count(n, 'row')} of {name} without a partner left out." for name, n in alone if n]
    assert found.disagree is not None
    where = np.flatnonzero(found.disagree)
    columns: dict[str, Any] = {options.key: [keys[0][i] for i in pairs[0][where].tolist()]}
    for letter, evidence, of, (_, _, places) in zip("AB", (found.a, found.b), pairs, known, strict=True):
        columns |= {f"row {letter}": places[of][where] + 1, f"truth {letter}": evidence.y[where].tolist()}
        columns |= {letter: evidence.answers[where].tolist()}
    return str(found) + "".join(left_out), columns


def _read(options: CompareOptions, model: Model, path: Path) -> tuple[list[FileRows], list[Measured]]:
    """Two files as a model reads them, and their rows with a target. Raises `Fault` for rows that are not new."""
    target = model.target_or(options.target, path)
    besides = [target] if options.key is None else [target, options.key]
    files, known = [], []
    for data in (options.a, options.b):
        files.append(read_rows(data, model.tree.schema, besides))
        known.append(known_of(files[-1], data, model.tree, target))
        if options.rows is Rows.NEW:
            refuse_own_rows(model, data, *known[-1][:2], "--rows new")
    return files, known


def _compared(*given: Any, **asked: Any) -> DataComparison:
    try:
        return compare_data(*given, **asked)
    except ValueError as fault:
        raise Fault(f"{' and '.join(asked['names'])}: {fault}") from fault


def _keys(file: FileRows, path: Path, key: str, places: NDArray[np.intp]) -> list[str]:
    """The key of each row that has a target. Raises `Fault` for one that is missing or comes twice."""
    column = file.frame[check_column(file, key, path)].cast(nw.String).to_list()
    seen: dict[str, int] = {}
    for place in places.tolist():
        value = column[place]
        if value is None:
            raise Fault(f"{path}: the key {quoted(key)} is missing in row {place + 1:,}")
        if value in seen:
            raise Fault(f"{path}: the key {quoted(key)} is {quoted(value)} in rows {seen[value]:,} and {place + 1:,}")
        seen[value] = place + 1
    return list(seen)


def _paired(options: CompareOptions, keys: list[list[str]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of the rows that have a partner, in the order of A."""
    partner = {key: i for i, key in enumerate(keys[1])}
    found = [(i, partner[key]) for i, key in enumerate(keys[0]) if key in partner]
    if not found:
        raise Fault(f"no value of {quoted(str(options.key))} is in both {quoted(options.a)} and {quoted(options.b)}")
    a, b = zip(*found, strict=True)
    return np.array(a, dtype=np.intp), np.array(b, dtype=np.intp)


def with_own_trees(options: CompareOptions) -> tuple[str, Mapping[str, Any]]:
    """A tree grown from each of two files as `fit` does, both on the rows held out of either; and where they differ."""
    for flag, value in (("--key", options.key), ("--rows", options.rows)):
        if value is not None:
            raise Fault(f"{flag} goes with --model; without one, a tree is grown from each file and rows are held out")
    if options.target is None:
        raise Fault("two files of rows are compared by what they predict; name that column with --target")
    fits = [
        fit_file(FitOptions(data=path, target=options.target, certify=Certify.NONE)) for path in (options.a, options.b)
    ]
    tasks = [fit.target.task.value for fit in fits]
    if tasks[0] != tasks[1]:
        raise Fault(
            f"{quoted(options.target)} is of {tasks[0]} in {quoted(options.a)}, of {tasks[1]} in {quoted(options.b)}"
        )
    names = names_of_two(options.a, options.b)
    readings = [[_as_read(fit, tree) for tree in fits] for fit in fits]
    told, columns = [], []
    for place, name in enumerate(names):
        found, places = _on_held_out(fits, readings, place, names)
        met = " (some of them grew the other tree)" if found.a.role is Role.UNSAID else ""
        told += [f"On rows of {name} that were held out{met}:", found.measured, ""]
        rows = disagreeing(found, places)
        columns.append({"file": [name] * len(rows["row"])} | rows)
    joined = {name: [*columns[0][name], *columns[1][name]] for name in columns[0]}
    return "\n".join([*told, found.structure]), joined


def _as_read(fit: Fitted, by: Fitted) -> Measured:
    """The rows of a file as the tree of one run of `fit` reads them; as its own does, they are there already."""
    if fit is by:
        return fit.sample.table, fit.sample.y, fit.sample.rows
    return measured_rows(fit.options.data, by.tree, fit.target.name)


def _on_held_out(
    fits: list[Fitted], readings: list[list[Measured]], place: int, names: tuple[str, str]
) -> tuple[Comparison, NDArray[np.intp]]:
    """Both trees on the rows that one run of `fit` held out, and the places of these rows in the file.

    readings: of each file by each tree; rows of the two files are held against each other as the first tree reads them.
    """
    held_out, grew = fits[place].split.held_out, fits[1 - place].split.growing
    (table, y, places), (again, _, _) = readings[place]
    other, other_y, _ = readings[1 - place][0]
    task = fits[place].target.task.value
    old = row_marks(other.take(grew), other_y[grew], task=task)
    new = row_marks(table.take(held_out), y[held_out], task=task)
    both, called = (table.take(held_out), again.take(held_out)), (f"tree of {names[0]}", f"tree of {names[1]}")
    rows = None if _met(old, new) else "new"
    found = compare_of(fits[0].tree, fits[1].tree, both, y[held_out], rows=rows, names=called)
    return found, places[held_out]


def disagreeing(found: Comparison, places: NDArray[np.intp]) -> dict[str, Any]:
    """Columns of the rows on which two trees disagree. places: where each row stands in its file, from 0."""
    where = np.flatnonzero(found.disagree)
    columns = {"row": (places[where] + 1).tolist(), "truth": found.a.y[where].tolist()}
    return columns | {"A": found.a.answers[where].tolist(), "B": found.b.answers[where].tolist()}


def _met(old: NDArray[np.uint64], new: NDArray[np.uint64]) -> bool:
    """Whether more of the new rows are among the old ones than chance brings, as rows of few values are equal by it."""
    by_chance = 1.0 - len(np.unique(old)) / len(old)
    return bool(np.isin(new, old).mean() > 2.0 * by_chance + SLACK)
