"""`stress`: what bad data would do to a tree of these rows, measured by doing it."""

from __future__ import annotations

import dataclasses
import textwrap
import warnings
from collections.abc import Mapping
from typing import Any

from bristlecone.cli import page
from bristlecone.cli.columns import Columns, kinds_in_words
from bristlecone.cli.faults import Fault, listed, plain, quoted
from bristlecone.cli.fit import read_columns
from bristlecone.cli.holdout import hold_out
from bristlecone.cli.options import Task
from bristlecone.cli.progress import visibly
from bristlecone.cli.report import check_page, write_page
from bristlecone.cli.sample import Sample, read_sample
from bristlecone.cli.stress_options import StressOptions
from bristlecone.cli.target import Target, read_target
from bristlecone.cli.writing import check_writable, is_stream
from bristlecone.estimators import DecisionTreeClassifier, PACBayesTreeClassifier, PrunedTreeClassifier
from bristlecone.export.writing import whole_file
from bristlecone.noise import (
    ADVERSARIES,
    AdvantageDisplay,
    ToleranceDisplay,
    ToleranceReport,
    WeakLearningReport,
    tolerance_report,
    weak_learning_report,
)
from bristlecone.noise.tolerance import DEFAULT_ADVERSARIES, DEFAULT_RATES
from bristlecone.report.evidence import gather
from bristlecone.report.pages import page_about, trials
from bristlecone.report.subject import subject_of
from bristlecone.stability import Disagreement, disagreement
from bristlecone.tree.axes import new_axes

ENDINGS = (".png", ".svg", ".pdf")
OF_MANY_CLASSES = ("random_label_flip", "class_conditional_flip", "feature_replace")
"""Adversaries that need not two classes, nor anything else."""

_ALONE = [name for name in ADVERSARIES if name != "table_shift"]  # which needs a second table


def stress(options: StressOptions) -> None:
    """Run the command: nothing is printed or written before all went well."""
    rates, named = _rates(options), _adversaries(options)
    _check_picture(options)
    if options.report is not None:
        check_page(options.report, options.data)
        if options.report == options.picture:
            raise Fault(f"--picture and --report both name {quoted(options.report)}")
    if not 0.0 < options.holdout < 1.0:
        raise Fault(f"--holdout {options.holdout:g} must lie between 0 and 1")
    file, columns = read_columns(options, Task.CLASSIFICATION)
    target = read_target(file.frame[options.target], None, way_out="")
    if target.task is Task.REGRESSION:
        raise Fault(
            f"stress is for classes; {quoted(target.name)} is a number ({target.reason}): --categorical takes its "
            "values as names"
        )
    sample = visibly("preparing the rows", lambda: read_sample(file, columns, target, options))
    pruned = visibly(
        "growing and pruning the tree", lambda: _pruned(options).fit(sample.table, sample.y, sample.weight)
    )
    two_classes = pruned.n_classes_ == 2
    adversaries = named or (DEFAULT_ADVERSARIES if two_classes else OF_MANY_CLASSES)
    advantage = None
    if two_classes and sample.weight is None:
        advantage = visibly("looking at its splits", lambda: weak_learning_report(pruned, sample.table, sample.y))
    limited = DecisionTreeClassifier(max_leaf_nodes=max(2, pruned.get_n_leaves()))
    estimators = {
        "pruned": _pruned(options),
        "vote": PACBayesTreeClassifier(random_state=options.seed),
        "whole": DecisionTreeClassifier(),
        "limited": limited,
    }
    tolerance = visibly(
        "corrupting rows and fitting again", lambda: _tolerance(sample, estimators, rates, adversaries, options)
    )
    differing = visibly("growing trees of other rows", lambda: _differing(sample, options))
    about = "" if options.report is None else _page(pruned, sample, tolerance, differing, options)
    if options.picture is not None:
        _draw(advantage, tolerance, options)
    if options.report is not None:
        write_page(options.report, about)
    told = _reports(advantage, tolerance, differing, options)
    page.show(_summary(options, target, sample, columns, tolerance), told)


def _pruned(options: StressOptions) -> PrunedTreeClassifier:
    """What `fit` grows by default."""
    return PrunedTreeClassifier(random_state=options.seed)


def _tolerance(
    sample: Sample,
    estimators: Mapping[str, Any],
    rates: tuple[float, ...],
    adversaries: tuple[str, ...],
    options: StressOptions,
) -> ToleranceReport:
    try:
        return tolerance_report(
            estimators,
            sample.table,
            sample.y,
            rates=rates,
            adversaries=adversaries,
            n_repeats=options.repeats,
            test_size=options.holdout,
            sample_weight=sample.weight,
            random_state=options.seed,
            n_jobs=options.n_jobs,
        )
    except ValueError as fault:
        raise Fault(f"{options.data}: {fault}".replace("test_size=", "--holdout ")) from fault


def _differing(sample: Sample, options: StressOptions) -> Disagreement:
    """How far trees of bootstrap samples differ, on rows that none of them has seen."""
    split = hold_out(len(sample.rows), options.holdout, options.seed)
    growing, held_out = sample.take(split.growing), sample.take(split.held_out)
    return disagreement(
        _pruned(options),
        growing.table,
        growing.y,
        n_bootstraps=options.bootstraps,
        X_test=held_out.table,
        sample_weight=growing.weight,
        random_state=options.seed,
        n_jobs=options.n_jobs,
    )


def _page(
    pruned: PrunedTreeClassifier,
    sample: Sample,
    tolerance: ToleranceReport,
    differing: Disagreement,
    options: StressOptions,
) -> str:
    made = {"Grown on": options.data.name, "Seed": str(options.seed)}
    subject = dataclasses.replace(subject_of(pruned), made=made)
    evidence = gather(pruned.tree_, sample.table, sample.y, weight=sample.weight, rows="growing", names=sample.rows)
    more = trials(tolerance, differing, options.error)
    return visibly(
        "writing the page", lambda: page_about(subject, evidence, target=options.target, first_row=1, more=more)
    )


def _rates(options: StressOptions) -> tuple[float, ...]:
    if options.rates is None:
        return DEFAULT_RATES
    rates = []
    for word in _apart(options.rates):
        try:
            rate = float(word)
        except ValueError:
            raise Fault(f"--rates {quoted(word)} is not a number") from None
        if not 0.0 < rate <= 1.0:
            raise Fault(f"--rates {quoted(word)} must lie above 0, and up to 1")
        rates.append(rate)
    if not rates:
        raise Fault("--rates holds no rate")
    return tuple(rates)


def _adversaries(options: StressOptions) -> tuple[str, ...]:
    names = _apart(options.adversaries or [])
    for name in names:
        if name == "table_shift":
            raise Fault("--adversaries 'table_shift' needs a second table: bristlecone.noise.table_shift takes one")
        if name not in _ALONE:
            raise Fault(f"--adversaries {quoted(name)} is not one of {listed(_ALONE, most=len(_ALONE))}")
    if options.adversaries and not names:
        raise Fault("--adversaries holds no name")
    return tuple(dict.fromkeys(names))


def _apart(words: list[str]) -> list[str]:
    return [part.strip() for word in words for part in word.split(",") if part.strip()]


def _check_picture(options: StressOptions) -> None:
    if options.picture is None:
        return
    if options.picture.suffix.lower() not in ENDINGS:
        raise Fault(f"--picture {quoted(options.picture)} must end in {', '.join(ENDINGS)}")
    check_writable(options.picture, options.data)
    if is_stream(options.picture):
        raise Fault(f"cannot write {quoted(options.picture)}: a picture needs a regular file")


def _draw(advantage: WeakLearningReport | None, tolerance: ToleranceReport, options: StressOptions) -> None:
    assert options.picture is not None
    first = advantage is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fonts that lack a letter of somebody's column
        axes = new_axes(len(tolerance.adversaries) + first, "--picture")
        if advantage is not None:
            AdvantageDisplay(report=advantage).plot(axes[0])
        display = ToleranceDisplay(report=tolerance).plot(axes[first:])
        with whole_file(options.picture) as unfinished:
            display.figure_.savefig(unfinished, format=options.picture.suffix[1:].lower())


def _summary(
    options: StressOptions, target: Target, sample: Sample, columns: Columns, tolerance: ToleranceReport
) -> list[tuple[str, str]]:
    fits = len(tolerance.trials)
    weights = [
        ("Weights", f"{quoted(name)}: errors are shares of weight. What is corrupted are rows, which keep their weight")
        for name in [options.weights]
        if name is not None
    ]
    return [
        ("Data", f"{options.data.name}: {page.count(len(sample.rows), 'row')} with a known {quoted(target.name)}"),
        ("Columns", kinds_in_words(columns)),
        *weights,
        ("Fits", f"{fits:,}: {page.count(options.repeats, 'repeat')}, seed {options.seed}"),
        ("Trees", "pruned: as fit does by default; vote: as fit --vote; whole: not pruned"),
        ("", "limited: grown to as many leaves as the pruned tree has"),
    ]


def _reports(
    advantage: WeakLearningReport | None, tolerance: ToleranceReport, differing: Disagreement, options: StressOptions
) -> str:
    parts = [
        tolerance.text(options.error),
        "The pruned tree, grown again on bootstrap samples of the rows that are not held out\n\n" + differing.text(),
    ]
    if advantage is None:
        parts.insert(0, "Advantages at the nodes are measured where there are two classes, and no weights.")
    else:
        parts.insert(0, "Splits of the pruned tree of all rows\n\n" + advantage.text())
    if options.picture is not None:
        parts.append(f"Picture written to {plain(options.picture)}")
    if options.report is not None:
        parts.append(f"Page written to {plain(options.report)}")
    lines = "\n\n".join(parts).split("\n")
    return "\n".join(wrapped for line in lines for wrapped in _wrapped(line))


def _wrapped(line: str) -> list[str]:
    """A sentence as lines of the page's width; the row of a table, which has gaps, as it is."""
    return [line] if "  " in line else textwrap.wrap(line, page.width()) or [""]
