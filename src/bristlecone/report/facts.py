"""The first screen: what was predicted, how good, how sure, why this size; each a figure and a sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bristlecone.certify import Certificate
from bristlecone.certify.certificate import rounded_up, sureness
from bristlecone.report.evidence import Evidence, Role
from bristlecone.report.limits import error_limit
from bristlecone.report.measure import ClassError
from bristlecone.report.subject import Subject
from bristlecone.report.words import count, error_in_words, limit_in_percent, share
from bristlecone.tree import Tree
from bristlecone.tree.names import listed, shown, shown_class

__all__ = ["Fact", "constant_of", "error_words", "facts", "how_good", "how_sure", "limits_words", "rows_in_words"]

ROWS = {
    Role.NEW: "rows that had no part in growing or choosing it",
    Role.CHOOSING: "rows that had a part in choosing it",
    Role.GROWING: "rows it was grown from",
    Role.UNSAID: "rows given",
}
NAMED = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """A question that a reader has, the figure that answers it, and the sentence with the whole answer."""

    question: str
    figure: str
    says: str


def facts(subject: Subject, evidence: Evidence | None, target: str | None, delta: float) -> list[Fact]:
    """The four facts."""
    tree = subject.tree
    return [
        _what(tree, target),
        how_good(tree, evidence),
        how_sure(subject, evidence, delta),
        _why_this_size(subject),
    ]


def _what(tree: Tree, target: str | None) -> Fact:
    asked = [j for j, _ in sorted(enumerate(-tree.feature_importances), key=lambda pair: pair[1])]
    asked = [j for j in asked if (tree.feature == j).any()]
    names = [shown(tree.schema.columns[j].name) for j in asked]
    more = len(names) - NAMED - 1  # a list that hides a single name never is cut short
    about = ", ".join(names if more <= 0 else [*names[:NAMED], f"and {more + 1:,} others"]) or "none of them"
    made = count(int(tree.n_node_samples[0]), "row")
    says = f"From {count(tree.n_features, 'column')}, of which it asks about {about}. Grown from {made}."
    if tree.classes is None:
        return Fact("What is predicted", shown(target) if target is not None else "a number", says)
    told = f"one of {tree.n_classes:,} classes"
    if tree.n_classes <= NAMED + 1:
        told = listed([shown_class(tree.classes, code) for code in range(tree.n_classes)])
    if target is None:
        return Fact("What is predicted", told, says)
    return Fact("What is predicted", shown(target), f"Answers: {told}. {says}")


def constant_of(tree: Tree) -> str:
    """What the tree would answer if it asked nothing."""
    return f"{tree.prediction[0]:.4g}" if tree.classes is None else shown_class(tree.classes, int(tree.label[0]))


def rows_in_words(evidence: Evidence) -> str:
    """How many rows, and what part they had."""
    plural = ROWS[evidence.role]
    return f"{evidence.n:,} {plural if evidence.n != 1 else plural.replace('rows', 'row', 1)}"


def error_words(tree: Tree, evidence: Evidence) -> str:
    """The error, that of always answering the same, and on what."""
    weighted = ", weighted" if evidence.weight is not None else ""
    told = f"{error_in_words(evidence.error, constant_of(tree))}, on {rows_in_words(evidence)}{weighted}."
    if not evidence.n_strange:
        return told
    return f"{told} Of these, {count(evidence.n_strange, 'row')} with a label that is none of its classes: all wrong."


def how_good(tree: Tree, evidence: Evidence | None) -> Fact:
    """The error on the rows, beside that of the one answer."""
    question = "How good it is"
    if evidence is None:
        return Fact(question, "not measured", "No rows with known targets were given to this page.")
    error = evidence.error
    figure = f"{share(error.tree)} wrong" if isinstance(error, ClassError) else f"off by {error.tree:.4g}"
    return Fact(question, figure, error_words(tree, evidence))


def how_sure(subject: Subject, evidence: Evidence | None, delta: float) -> Fact:
    """What holds for new rows: the model's certificate, or the limit that new rows give; or why there is neither."""
    question = "How sure that is"
    certificate = subject.certificate
    bound = "" if certificate is None else _bound(certificate)
    unlimited = evidence is None or bool(evidence.unlimited)
    if certificate is not None and (evidence is None or unlimited or subject.certified_here):
        return Fact(question, bound, str(certificate.sentence))
    if evidence is None or unlimited:
        why = "no rows apart from growth were given" if evidence is None else evidence.unlimited
        return Fact(question, "no statement", f"There is none, for {why}.")
    limit, says = _limit_of(evidence, delta)
    if certificate is not None:
        says += f" By {certificate.n:,} other {certificate.unit}s, its certificate says {bound}."
    return Fact(question, f"at most {limit_in_percent(limit, True)}", says)


NO_SHARES = ("mean cost", "Brier score")  # risks whose bounds are no shares of rows


def _bound(certificate: Certificate) -> str:
    """What a certificate bounds, rounded up."""
    if certificate.risk in NO_SHARES:
        return f"{certificate.risk} at most {rounded_up(certificate.value)}"
    return f"at most {limit_in_percent(certificate.value, True)}"


def _limit_of(evidence: Evidence, delta: float) -> tuple[float, str]:
    """The limit that new rows give, and its sentence."""
    limit = error_limit(evidence.n_wrong, evidence.n, delta)
    what = (
        "the error" if evidence.codes is not None else f"the share of answers off by more than {evidence.tolerance:.4g}"
    )
    return limit, (
        f"With probability at least {sureness(delta)} over the draw of these {evidence.n:,} rows, {what} on new "
        f"data from the same distribution is at most {limit_in_percent(limit, True)}."
    )


def _why_this_size(subject: Subject) -> Fact:
    tree = subject.tree
    figure = f"{count(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}"
    size = subject.size or "how it was chosen is not known here"
    return Fact("Why this size", figure, size[:1].upper() + size[1:] + ".")


def limits_words(tree: Tree, evidence: Evidence | None, delta: float) -> str:
    """What the limits of the rules table are, or why there are none."""
    if evidence is None:
        return "There are no limits on the error of a leaf: no rows with known targets were given."
    wrong = "" if evidence.codes is not None else f" Wrong is an answer off by more than {evidence.tolerance:.4g}."
    if math.isnan(evidence.tolerance):
        wrong = ""
    if evidence.unlimited:
        return f"There are no limits on the error of a leaf, for {evidence.unlimited}.{wrong}"
    return (
        f"Rows, wrong, at least, at most: of the {rows_in_words(evidence)}, how many came to the leaf, which share was "
        f"answered wrongly, and limits on that share in new data. With probability at least {sureness(delta)} the "
        f"limits of all {count(tree.n_leaves, 'leaf', 'leaves')} hold together (Clopper-Pearson at {delta:g} / "
        f"{tree.n_leaves:,}); a leaf with few rows has wide ones.{wrong}"
    )
