"""A team's own tree, held against rows that it has not seen: what it gets wrong, what it claims, what it need not ask.

finding     one thing that was looked at: a question, what was found, and whether somebody should act on it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.estimators import PrunedTreeClassifier, PrunedTreeRegressor
from bristlecone.export import CannotRun, check, sql
from bristlecone.export.answers import asked_columns
from bristlecone.export.sklearn import last_step, pre_order_of
from bristlecone.export.writing import whole_file
from bristlecone.grow import cart
from bristlecone.grow.criteria import names_of
from bristlecone.report.evidence import Evidence, gather
from bristlecone.report.facts import how_good, how_sure
from bristlecone.report.holding import Held, hold
from bristlecone.report.leaves import rules
from bristlecone.report.limits import check_delta
from bristlecone.report.pages import page_about
from bristlecone.report.subject import Subject, subject_of
from bristlecone.report.words import count, risk_in_words, share
from bristlecone.subtrees import simplify
from bristlecone.tree import Tree
from bristlecone.tree.names import shown, shown_level

__all__ = ["Audit", "Finding", "audit"]

BOOTSTRAPS = 100
FEWEST = 20  # rows from which a size can be chosen by ten folds
STABLE = 0.9
LONGEST_SQL = 200_000  # characters that the page shows
MOST_CHECKED = 50_000  # rows that SQL is run on


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, the figure, the sentence, and whether it is a reason to act."""

    question: str
    figure: str
    says: str
    act: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found. leaves: every leaf with its claim; html: the page. `str` gives the findings as text.

    sql: the tree as the query that SQLite ran, "" where SQL cannot say it.
    """

    findings: tuple[Finding, ...]
    leaves: tuple[Held, ...]
    sql: str
    html: str

    def __str__(self) -> str:
        return "\n".join(
            f"{'!' if finding.act else ' '} {finding.question}: {finding.figure}. {finding.says}"
            for finding in self.findings
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the page, whole or not at all."""
        with whole_file(path) as draft:
            draft.write_text(self.html, encoding="utf-8", newline="\n")


def audit(
    model: Any,
    X: Any,
    y: Any,
    *,
    target: str | None = None,
    delta: float = 0.05,
    random_state: int = 0,
    first_row: int = 0,
    unlimited: str = "",
) -> Audit:
    """Hold a tree against rows that had no part in growing or choosing it.

    model: a Tree, a fitted estimator of bristlecone or a fitted decision tree of scikit-learn. X, y: the rows,
    (n_rows, n_features) and (n_rows,), each an independent draw. Looked at: the error and its limit; the size that
    ten-fold cross-validation with 1-SE chooses on these rows; rows that take another way because scikit-learn rounds
    cells to 32 bits; questions that change no answer; how often trees of resampled rows ask the same first question;
    what the tree never saw; leaves whose error rate lies outside the limits of the new rows, all leaves together, and
    leaves to which rows come more or less often than in growth (each family with probability at least 1 - delta, SPEC
    A7); and whether the tree as SQL, run in SQLite on these rows and at its thresholds, gives the tree's answers.
    random_state: deals folds and resamples. first_row: what the first row is called on the page; unlimited: why these
    rows bear no limits. Errors: TypeError for another model, ValueError naming the parameter for rows that do not fit.
    """
    model = last_step(model)
    subject = subject_of(model)
    check_delta(delta)
    tree = subject.tree
    evidence = gather(tree, X, y, rows="new", shares=subject.shares, unlimited=unlimited)
    held = hold(tree, evidence, rules(tree, evidence, delta, None), delta)
    query, ran = _sql(tree, X)
    findings = (
        _error(subject, evidence, delta),
        _strange(tree, evidence),
        _size(tree, X, evidence, random_state),
        *_rounding(model, tree, X),
        _redundant(tree),
        _root(tree, X, evidence, random_state),
        *_claims(tree, held, evidence),
        _shift(held),
        ran,
    )
    shown_sql = query if len(query) <= LONGEST_SQL else ""
    more = {"findings": findings, "held": [leaf for leaf in held if leaf.says], "sql": shown_sql}
    title = "Audit of a tree" + ("" if target is None else f" for {shown(target)}")
    html = page_about(
        subject,
        evidence,
        target=target,
        title=title,
        delta=delta,
        first_row=first_row,
        template="audit.html",
        more=more,
    )
    return Audit(findings, tuple(held), query, html)


def _error(subject: Subject, evidence: Evidence, delta: float) -> Finding:
    good, sure = how_good(subject.tree, evidence), how_sure(subject, evidence, delta)
    worse = evidence.error.tree >= evidence.error.constant
    return Finding("Error on these rows", good.figure, f"{good.says} {sure.says}", act=worse)


def _strange(tree: Tree, evidence: Evidence) -> Finding:
    """What the rows have that growth had not: levels in columns that are asked about, and labels."""
    asked = [j for j in asked_columns(tree) if evidence.unknown[j]]
    told = [f"{count(int(evidence.unknown[j]), 'row')} in {shown(tree.schema.columns[j].name)}" for j in asked]
    says = [f"Levels that the tree never saw: {', '.join(told)}."] if told else []
    if evidence.n_strange:
        assert evidence.codes is not None
        label = shown_level(evidence.y[evidence.codes < 0][:1].tolist()[0])
        says.append(f"A label that is none of its classes, such as {label}: {count(evidence.n_strange, 'row')}.")
    if not says:
        says = ["Every level that it asks about, and every label, was there in growth."]
    parts = [*(["levels"] if told else []), *(["labels"] if evidence.n_strange else [])]
    return Finding("What the tree never saw", " and ".join(parts) or "nothing", " ".join(says), act=bool(parts))


def _too_few(tree: Tree, evidence: Evidence) -> bool:
    """Whether nothing can be learned from growing trees on these rows."""
    return evidence.n < FEWEST or len(np.unique(_targets(tree, evidence))) < 2


def _targets(tree: Tree, evidence: Evidence) -> NDArray[Any]:
    """Targets to grow trees by: numbers as they are; of labels their places, those that the tree never saw last."""
    if tree.classes is None:
        return evidence.y
    place: dict[Any, int] = {label: code for code, label in enumerate(tree.classes.tolist())}
    return np.array([place.setdefault(label, len(place)) for label in evidence.y.tolist()], dtype=np.int64)


def _size(tree: Tree, X: Any, evidence: Evidence, random_state: int) -> Finding:
    question = "Size that cross-validation chooses"
    theirs = count(tree.n_leaves, "leaf", "leaves")
    if _too_few(tree, evidence):
        return Finding(question, "not known", f"These are too few or too equal rows to choose by; theirs has {theirs}.")
    kind = PrunedTreeRegressor if tree.classes is None else PrunedTreeClassifier
    table = tree.schema.read(X).with_own_levels()
    chosen = kind(random_state=random_state).fit(table, _targets(tree, evidence))
    path, leaves = chosen.path_, count(chosen.get_n_leaves(), "leaf", "leaves")
    risk = risk_in_words(float(path.cv_risk[path.chosen]), path.judged_by)
    told = f"A tree grown and pruned on these rows has {leaves}, {risk} in {path.n_folds}-fold cross-validation;"
    told += f" theirs has {theirs}."
    return Finding(question, f"{leaves} beside {theirs}", told, act=tree.n_leaves > 2 * chosen.get_n_leaves())


def _rounding(model: Any, tree: Tree, X: Any) -> list[Finding]:
    """Rows that end elsewhere than the tree's printed thresholds say, of a tree of scikit-learn."""
    printed = getattr(getattr(model, "tree_", None), "threshold", None)
    if printed is None or isinstance(getattr(model, "tree_", None), Tree):
        return []
    inner = np.flatnonzero(tree.children_left >= 0)
    threshold = tree.threshold.copy()  # left is x < t'; printed is x <= t
    order = pre_order_of(model.tree_)
    threshold[inner] = np.nextafter(printed[order][inner], np.inf)
    exact = replace(tree, threshold=threshold)
    table = tree.schema.read(X)
    moved = int((tree.apply(table) != exact.apply(table)).sum())
    told = "rows end in another leaf than the printed thresholds say, for scikit-learn rounds every cell to 32 bits."
    return [Finding("Rows misrouted by rounding", f"{moved:,}", f"{moved:,} of {table.n_rows:,} {told}", act=moved > 0)]


def _redundant(tree: Tree) -> Finding:
    spared = tree.n_leaves - simplify(tree).n_leaves
    told = (
        f"{count(spared, 'question')} of {tree.n_leaves - 1:,} could go, and every row would still get the same answer."
    )
    return Finding("Questions that change no answer", f"{spared:,}", told, act=spared > 0)


def _root(tree: Tree, X: Any, evidence: Evidence, random_state: int) -> Finding:
    """How often a tree of resampled rows asks the same column first."""
    question = "How stable the first question is"
    if tree.n_nodes == 1:
        return Finding(question, "none", "The tree asks nothing.")
    if _too_few(tree, evidence):
        return Finding(question, "not known", "These are too few or too equal rows to grow trees from.")
    table, rng = tree.schema.read(X).with_own_levels(), np.random.RandomState(random_state)
    y = _targets(tree, evidence)
    criteria = names_of(tree.task)
    criterion = {"log_loss": "entropy"}.get(tree.criterion, tree.criterion)
    criterion = criterion if criterion in criteria else criteria[0]
    first: list[int] = []
    for _ in range(BOOTSTRAPS):
        weight = np.bincount(rng.randint(evidence.n, size=evidence.n), minlength=evidence.n).astype(np.float64)
        kept = weight > 0
        stump = cart(table.take(kept), y[kept], criterion=criterion, sample_weight=weight[kept], max_depth=1)
        first.append(int(stump.feature[0]))
    asked = int(tree.feature[0])
    same = first.count(asked) / BOOTSTRAPS
    common = max(set(first), key=first.count)
    name = shown(tree.schema.columns[asked].name)
    told = f"Of {BOOTSTRAPS} resamples of these rows, {first.count(asked)} ask {name} first"
    if common != asked and common >= 0:
        told += f"; most often first is {shown(tree.schema.columns[common].name)}, {first.count(common)} times"
    return Finding(question, share(same), told + ".", act=same < STABLE)


def _claims(tree: Tree, held: list[Held], evidence: Evidence) -> list[Finding]:
    question = "Leaves whose error rate does not hold"
    if tree.classes is None or evidence.unlimited:
        why = evidence.unlimited or "a tree of numbers claims no error rate"
        return [Finding(question, "not known", f"Not judged, for {why}.")]
    failing = [leaf for leaf in held if leaf.fails]
    told = f"{len(failing):,} of {count(len(held), 'leaf', 'leaves')} erred in growth at a rate outside their limits."
    return [Finding(question, f"{len(failing):,}", told, act=bool(failing))]


def _shift(held: list[Held]) -> Finding:
    moved = [abs(leaf.came - leaf.rule.share) for leaf in held if leaf.shifted]
    told = f"{len(moved):,} of {count(len(held), 'leaf', 'leaves')} get another share of the rows than in growth"
    told += f", at most by {share(max(moved))} of all rows." if moved else "."
    return Finding("Leaves with a shift of population", f"{len(moved):,}", told, act=bool(moved))


def _sql(tree: Tree, X: Any) -> tuple[str, Finding]:
    """The tree as a query, and whether SQLite gives the tree's answers with it; "" where SQL cannot say the tree."""
    question = "SQL that gives the same answers"
    table = tree.schema.read(X)
    rows = "this row" if table.n_rows == 1 else f"these {table.n_rows:,} rows"
    if table.n_rows > MOST_CHECKED:
        rows = f"{MOST_CHECKED:,} of {rows}, evenly spread,"
        table = table.take(np.linspace(0, table.n_rows - 1, MOST_CHECKED).astype(np.intp))
    try:
        query, found = sql(tree, dialect="sqlite"), check(tree, table, "sql")
    except (TypeError, ValueError) as refused:
        return "", Finding(question, "there is none", f"The tree cannot be written as SQL: {refused}.", act=True)
    except CannotRun as fault:
        return "", Finding(question, "not checked", f"The SQL could not be run: {fault}.", act=True)
    rows += f" and {found.n_trials:,} more made to try its questions"
    tried = "at thresholds, beside them, with missing cells"
    if found.differ:
        told = f"Run in SQLite on {rows} ({tried}), its SQL answers otherwise for {len(found.differ):,}."
        return query, Finding(question, f"{len(found.differ):,} rows differ", told, act=True)
    told = f"Run in SQLite on {rows} ({tried}), its SQL gives the tree's leaf and answer for each."
    return query, Finding(question, "checked", told)
