"""What `fit` says: the rows, the columns, the target, the tree and its errors, in labelled paragraphs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bristlecone.certify import Certificate
from bristlecone.cli import page
from bristlecone.cli.columns import doubts_in_words, kinds_in_words, markers_together, missing_in_words
from bristlecone.cli.faults import label, quoted
from bristlecone.cli.measure import ClassError, Errors
from bristlecone.cli.options import Prune, Task
from bristlecone.cli.progress import visibly
from bristlecone.tree import Tree, draw

if TYPE_CHECKING:
    from bristlecone.cli.fit import Fitted
    from bristlecone.cli.size import Sized, Vote

_CLASSES_SHOWN = 4
_NOTES_SHOWN = 12
_LEAST_LINES, _PIPE_LINES = 24, 40
_PRUNINGS_AROUND = 2


def of_fit(fitted: Fitted) -> list[tuple[str, str]]:
    """Return the summary of a run of `fit`, as labels and paragraphs."""
    return [
        ("Data", _data(fitted)),
        ("Target", _target(fitted)),
        ("Columns", kinds_in_words(fitted.columns)),
        ("Missing", _missing(fitted)),
        *_notes(fitted),
        ("Rows", _rows(fitted)),
        ("Tree", _tree(fitted)),
        ("Size", _size(fitted)),
        *_errors(fitted),
        *_certified(fitted),
    ]


def drawing(tree: Tree, depth: int | None, *, fold: bool, details: bool = False) -> str:
    """Return the tree as text: down to `depth`, or to what fits a screen if `fold`, or whole."""
    if depth is None and fold:
        depth = _fitting_depth(tree)
    width = page.width()
    return visibly("drawing the tree", lambda: draw(tree, max_depth=depth, width=width, details=details))


def _fitting_depth(tree: Tree) -> int:
    lines = page.terminal_lines()
    budget = _PIPE_LINES if lines is None else max(lines - 4, _LEAST_LINES)
    within = np.cumsum(np.bincount(tree.depth))
    return max(int(np.searchsorted(within, budget, side="right")) - 1, 2)


def _data(fitted: Fitted) -> str:
    file = fitted.file
    n_columns = page.count(len(file.frame.columns), "column")
    return f"{fitted.options.data.name}: {page.count(file.n_rows, 'row')}, {n_columns}"


def _target(fitted: Fitted) -> str:
    target = fitted.target
    guessed = "" if target.reason == "as asked" else f" (guessed: {target.reason}; --task says otherwise)"
    told = f"{quoted(target.name)}, {target.task.value}{guessed}: "
    values, weight = fitted.sample.y, fitted.sample.weight
    if target.task is Task.REGRESSION:
        low, high, mean = float(values.min()), float(values.max()), float(np.average(values, weights=weight))
        return told + f"{low:.6g} to {high:.6g}, mean {mean:.6g}"
    classes, code = np.unique(values, return_inverse=True)
    mass = np.bincount(code, weight)
    order = np.argsort(-mass, kind="stable")
    named = ", ".join(f"{label(classes[k])} {page.share(mass[k] / mass.sum())}" for k in order[:_CLASSES_SHOWN])
    rest = f" and {len(classes) - _CLASSES_SHOWN:,} more" if len(classes) > _CLASSES_SHOWN else ""
    return told + f"{page.count(len(classes), 'class', 'classes')}, {named}{rest}"


def _missing(fitted: Fitted) -> str:
    whole = len(fitted.sample.rows) == fitted.file.n_rows
    return missing_in_words(fitted.sample.table) + ("" if whole else "; rows left out are not counted")


def _notes(fitted: Fitted) -> list[tuple[str, str]]:
    options = fitted.options
    settled = {*(options.categorical or ()), *(options.numeric or ()), *(options.keep or ())}
    told = doubts_in_words(fitted.file, fitted.columns, settled)
    lost = fitted.file.n_rows - len(fitted.target.rows)
    if lost:
        told.append(f"{page.count(lost, 'row')} without a target left out")
    absent = len(fitted.target.rows) - len(fitted.sample.rows)
    if absent:
        told.append(f"{page.count(absent, 'row')} of weight zero left out")
    told += markers_together(fitted.file.notes)
    if len(told) > _NOTES_SHOWN:
        told[_NOTES_SHOWN - 1 :] = [f"and {len(told) - _NOTES_SHOWN + 1:,} more such notes"]
    return [("Note", note) for note in told]


def _rows(fitted: Fitted) -> str:
    growing, held_out = len(fitted.split.growing), len(fitted.split.held_out)
    weights = f"; weights from {quoted(fitted.options.weights)}" if fitted.options.weights is not None else ""
    if not held_out:
        return f"{page.count(growing, 'row')} to grow on, none held out{weights}"
    share = page.share(held_out / (growing + held_out))
    options = fitted.options
    how = f"seed {options.seed}"
    if options.group is not None:
        how += f", every {quoted(options.group)} whole"
    if options.time is not None:
        how = f"the last ones by {quoted(options.time)}"
    return f"{growing:,} to grow on, {held_out:,} held out ({share}, {how}){weights}"


def _tree(fitted: Fitted) -> str:
    tree = fitted.tree
    leaves = page.count(tree.n_leaves, "leaf", "leaves")
    return f"{leaves}, depth {tree.max_depth}, criterion {tree.criterion}, made in {page.seconds(fitted.seconds)}"


def _size(fitted: Fitted) -> str:
    """Why the tree is as large as it is."""
    sized, options = fitted.sized, fitted.options
    grown = page.count(sized.grown, "leaf", "leaves")
    if sized.bounded:
        what = "the vote of all of its prunings" if options.vote else "the pruning whose own bound is least"
        return f"of {grown} grown: {what}, by the rows held out (--certify pac-bayes)"
    if sized.vote is not None:
        return _vote(sized.vote, grown)
    if options.prune is Prune.NONE:
        return "as it was grown (--prune none)"
    if options.prune is Prune.PESSIMISTIC:
        return f"of {grown} grown, by pessimistic pruning as in C4.5 (--prune pessimistic)"
    table = sized.table
    if table is None:
        return f"of {grown} grown; too few different rows to hold any out"
    chosen = risk_in_words(table.cv_risk[table.chosen], table.judged_by)
    told = f"of {grown} grown: {chosen} in {table.n_folds}-fold cross-validation, "
    if table.least is None or table.least == table.chosen:
        return told + "the least of all prunings"
    lowest, se = table.cv_risk[table.least], table.se[table.least]
    with_leaves = page.count(int(table.leaves[table.least]), "leaf", "leaves")
    return told + (
        f"the smallest tree within one standard error of the least ({risk_in_words(lowest, table.judged_by)} with "
        f"{with_leaves}; so up to {risk_in_words(lowest + se, table.judged_by)})"
    )


def _vote(vote: Vote, grown: str) -> str:
    strengths = ", ".join(f"{name.replace('_', ' ')} {value:.4g}" for name, value in vote.strengths.items())
    told = f"the vote of all prunings of {grown} grown; those that vote have {vote.leaves:.3g} on average ({strengths}"
    if vote.risk is None:
        return told + "; too few different rows to hold any out)"
    return f"{told}; {risk_in_words(vote.risk, 'misclassification')} in {vote.n_folds}-fold cross-validation)"


def prunings(sized: Sized) -> list[str]:
    """Return the prunings near the chosen one as a table, if there was a choice."""
    return [] if sized.table is None or len(sized.table) < 2 else [sized.table.text(around=_PRUNINGS_AROUND)]


def risk_in_words(risk: float, judged_by: str) -> str:
    """Return a mean loss of held-out rows as people say it."""
    if judged_by == "misclassification":
        return f"{page.share(risk)} wrong"
    if judged_by == "squared_error":
        return f"RMSE {math.sqrt(risk):.4g}"
    return f"{judged_by.replace('_', ' ')} {risk:.4g}"


def _errors(fitted: Fitted) -> list[tuple[str, str]]:
    weighted = ", weighted" if fitted.sample.weight is not None else ""
    constant = constant_answer(fitted.tree)
    training = ("Error", f"{error_in_words(fitted.training, constant)} on the growing rows{weighted}")
    if fitted.held_out is None:
        return [training, ("", "not measured on other rows (--holdout 0)")]
    return [training, ("", f"{error_in_words(fitted.held_out, constant)} on the held-out rows{weighted}")]


def _certified(fitted: Fitted) -> list[tuple[str, str]]:
    """What bounds the error on new rows, as sentences, or why nothing does."""
    certificate = fitted.certified.certificate
    if certificate is None:
        return [("Certified", fitted.certified.reason)]
    return certificate_lines(certificate)


def certificate_lines(certificate: Certificate) -> list[tuple[str, str]]:
    """Return what a certificate says, a paragraph a sentence."""
    return [("Certified" if k == 0 else "", line) for k, line in enumerate(str(certificate).split("\n"))]


def constant_answer(tree: Tree) -> str:
    """Return the root's answer, the one that a tree has to beat, as `error_in_words` takes it."""
    return f"{tree.prediction[0]:.4g}" if tree.classes is None else label(tree.classes[tree.label[0]])


def error_in_words(error: Errors, constant: str) -> str:
    """Return an error with what the one answer would make: 13.9% wrong (23.9% if always 'no')."""
    if isinstance(error, ClassError):
        return f"{page.share(error.tree)} wrong ({page.share(error.constant)} if always {constant})"
    r2 = "" if np.isnan(error.r2) else f", R² {error.r2:.3f}"
    return f"RMSE {error.tree:.4g}{r2} ({error.constant:.4g} if always {constant})"
