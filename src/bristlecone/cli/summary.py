"""What `fit` says: the rows, the columns, the target, the tree and its errors, in labelled paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bristlecone.certify import Certificate
from bristlecone.cli import page
from bristlecone.cli.columns import copies_in_words, doubts_in_words, kinds_in_words, markers_together, missing_in_words
from bristlecone.cli.faults import label, quoted
from bristlecone.cli.options import Prune, Task
from bristlecone.cli.progress import visibly
from bristlecone.report.words import error_in_words, risk_in_words, size_in_words, vote_in_words
from bristlecone.tree import Tree, draw

if TYPE_CHECKING:
    from bristlecone.cli.fit import Fitted
    from bristlecone.cli.made import Vote
    from bristlecone.cli.size import Sized

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
        ("Size", why_this_size(fitted.sized, fitted.options.prune)),
        *_errors(fitted),
        *_certified(fitted),
    ]


def drawing(tree: Tree, depth: int | None, *, fold: bool, details: bool = False) -> str:
    """Return the tree as text: down to `depth`, or to what fits a screen if `fold`, or whole."""
    if depth is None and fold:
        depth = _fitting_depth(tree)
    width = page.width()
    drawn = visibly("drawing the tree", lambda: draw(tree, max_depth=depth, width=width, details=details))
    return drawn if depth is None or depth >= tree.max_depth else f"{drawn}\n--depth all prints the whole tree."


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
    told += copies_in_words(fitted.sample.table, fitted.sample.y)
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


def why_this_size(sized: Sized, prune: Prune) -> str:
    """Return why the tree is as large as it is."""
    grown = page.count(sized.grown, "leaf", "leaves")
    if sized.bounded:
        what = "the vote of all of its prunings" if sized.bounded == "vote" else "the pruning whose own bound is least"
        return f"of {grown} grown: {what}, by the rows held out (--certify pac-bayes)"
    if sized.vote is not None:
        return _vote(sized.vote, sized.grown)
    if prune is Prune.NONE:
        return "as it was grown (--prune none)"
    if prune is Prune.PESSIMISTIC:
        return f"of {grown} grown, by pessimistic pruning as in C4.5 (--prune pessimistic)"
    if sized.table is None:
        return f"of {grown} grown; too few different rows to hold any out"
    return size_in_words(sized.table, sized.grown)


def _vote(vote: Vote, grown: int) -> str:
    told = vote_in_words(vote.strengths, vote.leaves, grown)
    if vote.risk is None:
        return f"{told}; too few different rows to hold any out)"
    return f"{told}; {risk_in_words(vote.risk, 'misclassification')} in {vote.n_folds}-fold cross-validation)"


def prunings(sized: Sized) -> list[str]:
    """Return the prunings near the chosen one as a table, if there was a choice."""
    return [] if sized.table is None or len(sized.table) < 2 else [sized.table.text(around=_PRUNINGS_AROUND)]


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
