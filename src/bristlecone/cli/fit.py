"""`fit`: rows of a file in, a tree of chosen size out; said, measured on rows it never saw, printed and saved."""

from __future__ import annotations

import dataclasses
import datetime as dt
import importlib.metadata
import time
from typing import Any

from bristlecone.certify.frontier import frontier
from bristlecone.cli import page, summary
from bristlecone.cli.certificates import Certified, of_held_out, weighed_by
from bristlecone.cli.columns import Columns, check_roles, choose_columns
from bristlecone.cli.faults import Fault, check_chance, plain, quoted
from bristlecone.cli.fingerprint import fingerprint
from bristlecone.cli.holdout import Split, hold_out
from bristlecone.cli.models import Model, digest, save_model, table_to_json
from bristlecone.cli.options import Certify, FitOptions, Missing, Task
from bristlecone.cli.options_columns import LearningOptions
from bristlecone.cli.progress import visibly
from bristlecone.cli.report import check_page, page_of_fit, write_page
from bristlecone.cli.rows import Naming, check_column, people_count, read_named_rows
from bristlecone.cli.sample import Sample, read_sample
from bristlecone.cli.size import Sized, check_size, grow_to_size, growth_of
from bristlecone.cli.target import FEW, Target, read_target
from bristlecone.cli.writing import check_writable, is_stream
from bristlecone.grow.criteria import names_of
from bristlecone.report.measure import Errors, errors_of
from bristlecone.table import FileRows
from bristlecone.table.guess import LEADING_ZEROS
from bristlecone.tree import Tree

HELD_OUT, WEIGHING = 0.2, 0.5
"""Shares of the rows held out: to measure and bound the error, and to weigh the prunings as well."""


@dataclasses.dataclass(frozen=True, slots=True)
class Fitted:
    """Everything that one run of `fit` has to tell."""

    options: FitOptions
    file: FileRows
    columns: Columns
    target: Target
    sample: Sample
    split: Split
    sized: Sized
    training: Errors
    held_out: Errors | None
    certified: Certified
    seconds: float

    @property
    def tree(self) -> Tree:
        """The tree that is measured, printed and saved."""
        return self.sized.tree


def fit(options: FitOptions) -> None:
    """Run the command: nothing is printed or written before all went well."""
    if options.model is not None:
        check_writable(options.model, options.data)
        if is_stream(options.model):
            raise Fault(f"cannot write {quoted(options.model)}: a model needs a regular file")
    if options.report is not None:
        check_page(options.report, options.data)
        if options.report == options.model:
            raise Fault(f"--model and --report both name {quoted(options.report)}")
    fitted = fit_file(options)
    told = summary.of_fit(fitted)
    drawn = "\n\n".join([*summary.prunings(fitted.sized), summary.drawing(fitted.tree, options.depth, fold=True)])
    about = "" if options.report is None else page_of_fit(fitted, how_made(fitted))
    written = []
    if options.model is not None:
        save_model(Model(fitted.tree, how_made(fitted)), options.model)
        written.append(f"Model written to {plain(options.model)}")
    if options.report is not None:
        write_page(options.report, about)
        written.append(f"Page written to {plain(options.report)}")
    drawn += "\n\n" * bool(written) + "\n".join(written)
    page.show(told, drawn)


def fit_file(options: FitOptions) -> Fitted:
    """Read, choose columns, hold rows out, grow, prune, measure. Raises `Fault` for what the user got wrong."""
    file, columns = read_columns(options, options.task)
    target = read_target(file.frame[options.target], options.task)
    _check_criterion(options, target)
    check_size(options, target)
    check_chance("--delta", options.delta)
    sample = visibly("preparing the rows", lambda: read_sample(file, columns, target, options))
    if options.missing is Missing.ERROR:
        with people_count(options.data, sample.rows):
            sample.table.refuse_missing()
    split = hold_out(len(sample.rows), _share(options), options.seed, group=sample.group, time=sample.time)
    growing, held_out = sample.take(split.growing), sample.take(split.held_out)
    started = time.perf_counter()
    with people_count(options.data, growing.rows):
        sized, certified = visibly("growing and pruning the tree", lambda: _grown(growing, held_out, target, options))
    seconds = time.perf_counter() - started
    return Fitted(
        options=options,
        file=file,
        columns=columns,
        target=target,
        sample=sample,
        split=split,
        sized=sized,
        training=errors_of(sized.tree, growing.table, growing.y, growing.weight),
        held_out=errors_of(sized.tree, held_out.table, held_out.y, held_out.weight) if len(held_out.rows) else None,
        certified=certified,
        seconds=seconds,
    )


def _share(options: FitOptions) -> float:
    """The share of rows to hold out."""
    if options.holdout is not None:
        return options.holdout
    return WEIGHING if options.certify is Certify.PAC_BAYES else HELD_OUT


def _grown(growing: Sample, held_out: Sample, target: Target, options: FitOptions) -> tuple[Sized, Certified]:
    """The tree of chosen size, and what bounds its error."""
    if options.certify is Certify.PAC_BAYES:
        tree, weighed, certificate = weighed_by(growth_of(growing, target, options), held_out, options)
        how = {"bounded": "vote"} if options.vote else {"bounded": "pruning", "table": frontier(weighed)}
        return Sized(tree, weighed.tree.n_leaves, **how), Certified(certificate)
    sized = grow_to_size(growing, target, options)
    if options.certify is Certify.NONE:
        return sized, Certified(None, "nothing (--certify none)")
    return sized, of_held_out(sized.tree, growing, held_out, options)


def how_made(fitted: Fitted) -> dict[str, Any]:
    """Return what the model file says beside the tree."""
    options = fitted.options
    given = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    unsaid = {"model", "report", "depth", "n_jobs", "prune" if options.vote else "vote"}
    words = {name: _jsonable(value) for name, value in given.items() if name not in unsaid}
    return {
        "by": f"bristlecone {importlib.metadata.version('bristlecone')}",
        "on": dt.datetime.now(dt.UTC).date().isoformat(),
        "target": fitted.target.name,
        "data_sha256": digest(options.data),
        "fingerprints": _fingerprints(fitted),
        "options": words | {"data": options.data.name, "task": fitted.target.task.value},
        "rows": {"grown": len(fitted.split.growing), "held_out": len(fitted.split.held_out)},
        "errors": {
            "training": dataclasses.asdict(fitted.training),
            "held_out": None if fitted.held_out is None else dataclasses.asdict(fitted.held_out),
        },
        "certificate": None if fitted.certified.certificate is None else fitted.certified.certificate.to_dict(),
        "grown_leaves": fitted.sized.grown,
        "vote": None if fitted.sized.vote is None else dataclasses.asdict(fitted.sized.vote),
        "prunings": None if fitted.sized.table is None else table_to_json(fitted.sized.table),
    }


def _fingerprints(fitted: Fitted) -> list[str]:
    """Those of all rows, of the growing ones, and of those held out if they had a part in the tree."""
    sample, split = fitted.sample, fitted.split
    parts = [sample, sample.take(split.growing)]
    if fitted.options.certify is Certify.PAC_BAYES:
        parts.append(sample.take(split.held_out))
    task = fitted.target.task.value
    return sorted({fingerprint(part.table, part.y, task=task) for part in parts})


def read_columns(options: LearningOptions, task: Task | None) -> tuple[FileRows, Columns]:
    """Return the rows of the file and which of its columns are asked about. Raises `Fault` for what does not fit."""
    numeric = [*(options.numeric or ()), *([options.weights] if options.weights is not None else ())]
    if task is Task.REGRESSION:
        numeric.append(options.target)
    naming = Naming(tuple(options.categorical or ()), tuple(numeric), tuple(options.drop or ()))
    file, naming = read_named_rows(options.data, naming, options.target)
    again = options.data.is_file() and options.target not in naming.numeric  # a pipe is read once
    if again and _are_codes(file, options.target, task):
        naming = dataclasses.replace(naming, categorical=(*naming.categorical, options.target))
        file, naming = read_named_rows(options.data, naming, options.target)
    check_roles(options, naming)
    for name in options.roles().values():
        check_column(file, name, options.data)
    if file.n_rows == 0:
        raise Fault(f"{options.data}: there are columns but no rows")
    return file, choose_columns(file, options, naming)


def _are_codes(file: FileRows, target: str, task: Task | None) -> bool:
    """Whether a target's labels are words that are written in digits: 01 is not 1."""
    of_target = [guess for guess in file.guesses if guess.name == target and guess.reason == LEADING_ZEROS]
    return any(task is Task.CLASSIFICATION or guess.n_distinct <= FEW for guess in of_target)


def _check_criterion(options: FitOptions, target: Target) -> None:
    criterion = options.criterion
    if criterion is None or criterion.task == target.task.value:
        return
    fitting = names_of(target.task.value)
    raise Fault(
        f"criterion {quoted(criterion.value)} does not fit {target.task.value} of {quoted(target.name)} "
        f"({target.reason}); {', '.join(fitting)} do, or another --task"
    )


def _jsonable(value: Any) -> Any:
    if hasattr(value, "value"):
        return value.value
    return value if value is None or isinstance(value, bool | int | float | str | list) else str(value)
