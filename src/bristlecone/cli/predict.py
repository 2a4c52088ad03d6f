"""`predict`: an answer for every row of a file, in its order."""

from __future__ import annotations

import dataclasses
import sys
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, named, plain, quoted
from bristlecone.cli.frames import check_format, write_csv, write_frame
from bristlecone.cli.models import Model, load_model
from bristlecone.cli.options import PredictOptions
from bristlecone.cli.progress import visibly
from bristlecone.cli.rows import people_count, read_raw_columns, read_rows
from bristlecone.cli.summary import constant_answer
from bristlecone.cli.target import known_rows
from bristlecone.cli.truth import truth_of
from bristlecone.cli.writing import check_writable
from bristlecone.report.measure import Errors, class_error, number_error
from bristlecone.report.words import error_in_words
from bristlecone.table import FileRows, Table
from bristlecone.tree import Tree
from bristlecone.tree.names import probability_name

if TYPE_CHECKING:
    import polars as pl

ANSWER = "prediction"
_FATE = {"stop": " and got that node's answer", "heavier": " and went the heavier way"}


@dataclasses.dataclass(frozen=True, slots=True)
class Answers:
    """The tree's answer for each row of a file, its class shares (None in regression), and rows of unknown levels."""

    values: NDArray[Any]
    shares: NDArray[np.float64] | None
    n_unseen: int


def predict(options: PredictOptions) -> None:
    """Run the command: answers to a file or to standard output, what was met on the way to standard error."""
    if options.output is not None:
        check_format(options.output)
        check_writable(options.output, options.data, options.model)
    model = load_model(options.model)
    file = read_rows(options.data, model.tree.schema)
    with people_count(options.data):
        answers = visibly("answering", lambda: answer(model.tree, file.table(), options.n_jobs))
    frame = _frame(model.tree, answers, _kept(options))
    if options.output is None:
        write_csv(frame)
    else:
        write_frame(frame, options.output)
    for sentence in _told(model, file, answers):
        print(plain(sentence), file=sys.stderr)


def answer(tree: Tree, table: Table, n_threads: int) -> Answers:
    """Return the answers for the rows of a table. Raises ValueError where the tree refuses one."""
    routing = tree.route(table, n_threads)
    shares = None if tree.classes is None else tree.fractions_at(routing.nodes)
    return Answers(tree.answers_at(routing.nodes), shares, routing.n_unseen)


def _kept(options: PredictOptions) -> dict[str, pl.Series]:
    """Return the columns to be copied, as they stand in the file."""
    if not options.keep:
        return {}
    columns = read_raw_columns(options.data, options.keep)
    return {name: columns[name].to_native() for name in named(options.keep, list(columns), options.data.name)}


def _frame(tree: Tree, answers: Answers, kept: dict[str, pl.Series]) -> pl.DataFrame:
    import polars as pl

    columns = {ANSWER: pl.Series(ANSWER, answers.values.tolist() if answers.values.dtype == object else answers.values)}
    if answers.shares is not None and tree.classes is not None:
        for k, value in enumerate(tree.classes.tolist()):
            name = probability_name(value)
            columns[name] = pl.Series(name, answers.shares[:, k])
        if len(columns) != 1 + len(tree.classes):
            raise Fault("two classes are written alike, so their probabilities cannot be told apart")
    for name in kept:
        if name in columns:
            raise Fault(f"--keep {name}: the answers have a column of that name; rename it in the data")
    return pl.DataFrame(kept | columns)


def _told(model: Model, file: FileRows, answers: Answers) -> list[str]:
    table, tree = file.table(), model.tree
    asked = {tree.schema.names[j] for j in np.unique(tree.feature[tree.feature >= 0])}
    n_missing = sum(int(table[name].missing.sum()) for name in asked)
    # A level may be known to the tree, and yet no row that came to this split in growth had it.
    unseen = f"a split does not know{_FATE.get(tree.unseen, '')}" if answers.n_unseen else "the tree does not know"
    told = [
        f"{page.count(len(answers.values), 'row')} answered; {page.count(n_missing, 'missing cell')} in the columns "
        f"that the tree asks about; {page.count(answers.n_unseen, 'row')} met a level that {unseen}"
    ]
    if model.vote:
        told.append(
            "note: the answers are the vote's; the probabilities are shares of the growing rows in each leaf, and the "
            "largest may be another class's"
        )
    about_file = [note for note in file.notes if not note.startswith("column ")]
    told += [f"note: {note}" for note in (*about_file, *table.notes)]
    target = model.target
    if target is not None and target in file.frame.columns:
        told += _measured(tree, file.frame[target], answers.values)
    return told


def _measured(tree: Tree, column: nw.Series[Any], answers: NDArray[Any]) -> list[str]:
    """Return a sentence with the error on the rows whose target is known."""
    rows = known_rows(column)
    if not len(rows):
        return []
    try:
        truth = truth_of(tree, column)
    except (Fault, ValueError, TypeError) as fault:
        return [f"note: the error was not measured: {fault}"]
    error: Errors
    if tree.classes is None:
        error = number_error(truth, answers[rows], float(tree.prediction[0]), None)
    else:
        error = class_error(truth, answers[rows], tree.classes[tree.label[0]], None)
    told = error_in_words(error, constant_answer(tree))
    return [f"{told} on {page.count(len(rows), 'row')} with a known {quoted(column.name)}"]
