"""Which columns of a file a tree may ask about, and what is to be said about them."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bristlecone.cli.faults import Fault, listed, named, quoted
from bristlecone.cli.options_columns import LearningOptions
from bristlecone.cli.page import count
from bristlecone.cli.rows import Naming
from bristlecone.subtrees.content import Contents
from bristlecone.table import ColumnGuess, Doubt, FileRows, Kind, Table

KIND_ORDER = (Kind.NUMERIC, Kind.CATEGORY, Kind.BOOLEAN, Kind.DATE, Kind.DATETIME)

MANY_NAMES = 200
"""Nobody reads a split of more names than that, and so many sides to choose fit any rows."""

FEW_ROWS, MANY_COPIES = 50, 0.1
"""So large a share of so many rows being copies of others is told, where chance would make few."""

_MARKED = re.compile(r"column (.+): read as missing: (.+)")


@dataclasses.dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are asked about, those left out because they look like identifiers, and those in doubt.

    out: every column that is not asked about, those with another role (target, weights, group, time) among them.
    """

    used: tuple[ColumnGuess, ...]
    identifiers: tuple[ColumnGuess, ...]
    out: frozenset[str]


def choose_columns(rows: FileRows, options: LearningOptions, naming: Naming) -> Columns:
    """Return what is left when columns with a role and identifiers are taken away; dropped columns are not there.

    Raises `Fault` when an option contradicts another or nothing is left.
    """
    where = options.data.name
    kept = named(options.keep or (), [*rows.frame.columns, *naming.drop], where)
    asked = {*kept, *naming.categorical, *naming.numeric}
    both = [name for name in naming.drop if name in asked]
    if both:
        raise Fault(f"column {quoted(both[0])} is dropped by one option and used by another")
    out = set(options.roles().values())
    candidates = [guess for guess in rows.guesses if guess.name not in out]
    identifiers = tuple(g for g in candidates if g.name not in asked and _is_identifier(rows, g))
    if len(identifiers) == len(candidates):  # a number that counts the rows is in order all the same: better than none
        identifiers = tuple(g for g in identifiers if g.kind is not Kind.NUMERIC)
    out |= {guess.name for guess in identifiers}
    used = tuple(guess for guess in candidates if guess.name not in out)
    if not used:
        raise Fault(f"no column is left to ask about in {where}{_hint(identifiers, rows.notes)}")
    return Columns(used, identifiers, frozenset(out))


def kinds_in_words(columns: Columns) -> str:
    """Return how many columns of each kind there are: 6 numeric, 8 category."""
    of_kind = Counter(guess.kind for guess in columns.used)
    kinds = ", ".join(f"{of_kind[kind]:,} {kind.value}" for kind in KIND_ORDER if of_kind[kind])
    return f"{count(len(columns.used), 'column')} to ask about: {kinds}"


def missing_in_words(table: Table) -> str:
    """Return the missing cells of the rows that are used, and the columns that have most of them."""
    having = [(name, n) for name in table.schema.names if (n := int(table[name].missing.sum()))]
    if not having:
        return "no cells"
    having.sort(key=lambda pair: -pair[1])
    n_cells = sum(n for _, n in having)
    most = _first_of([f"{quoted(name)} {n:,}" for name, n in having])
    return f"{count(n_cells, 'cell')} in {count(len(having), 'column')}: {most}"


def markers_together(notes: Sequence[str]) -> list[str]:
    """Return a file's notes; columns that write missing cells alike share one, where the first of them had its own."""
    alike: dict[str, list[str]] = {}
    told: dict[str, str] = {}
    for note in notes:
        marked = _MARKED.fullmatch(note)
        if marked is None:
            told[note] = note
            continue
        markers = re.sub(r"[0-9,]+ x ", "", marked[2])
        names = alike.setdefault(markers, [])
        names.append(marked[1])
        told[markers] = note if len(names) == 1 else f"read as missing: {markers} in {_first_of(names)}"
    return [*told.values()]


def copies_in_words(table: Table, y: NDArray[Any]) -> list[str]:
    """Return what is to be said of rows that are copies of others, where columns hold too many values for chance."""
    n = len(y)
    contents = Contents.of_cells(table, np.arange(n))
    contents.refine(np.unique(y, return_inverse=True)[1])
    n_different = len(np.unique(contents.start))
    copies = n - n_different
    if n < FEW_ROWS or copies < MANY_COPIES * n:
        return []
    columns = zip(table.schema.columns, table.columns, strict=True)
    if not any(2 * len(np.unique(values)) > n_different for column, values in columns if not column.categorical):
        return []
    return [
        f"{copies:,} of {n:,} rows are copies of others, in all columns and the target; if one thing was written down "
        "several times, errors on held-out rows and the certificate are too good: --group holds such rows out together"
    ]


def _first_of(said: Sequence[str], most: int = 4) -> str:
    return ", ".join(said[:most]) + (f" and {len(said) - most:,} more" if len(said) > most else "")


def doubts_in_words(rows: FileRows, columns: Columns, settled: Collection[str]) -> list[str]:
    """Return one sentence for each thing about the columns that a person should know.

    settled: columns whose kind the user has said; they are in no doubt.
    """
    told = [
        f"{quoted(g.name)} {g.doubt.value} ({g.reason}{_such_as(rows, g)}) and was left out; "
        f"--keep {_word(g.name)} uses it"
        for g in columns.identifiers
    ]
    doubtful = [g for g in columns.used if g.doubt is not Doubt.NONE and g.name not in settled]
    for g in doubtful:
        way_out = f"--categorical {_word(g.name)} takes them as names"
        if g.doubt is Doubt.IDENTIFIER:
            way_out = f"--drop {_word(g.name)} leaves it out"
        told.append(f"{quoted(g.name)} {g.doubt.value} ({g.reason}) but was read as {_reading(g.kind)}; {way_out}")
    told += [
        f"{quoted(g.name)} has {g.n_distinct:,} different names: splits on it are hard to read and easily fit "
        f"by chance; --drop {_word(g.name)} leaves it out"
        for g in columns.used
        if g.kind is Kind.CATEGORY and g.doubt is Doubt.NONE and g.n_distinct > MANY_NAMES and g.name not in settled
    ]
    constant = [g.name for g in columns.used if g.n_distinct <= 1]
    if constant:
        told.append(f"one value or none, so nothing to ask: {listed(constant)}")
    return told


def _hint(identifiers: Sequence[ColumnGuess], notes: Sequence[str]) -> str:
    if not identifiers:
        return ""
    about = [note for g in identifiers for note in notes if note.startswith(f"column {g.name!r}:")]
    look, them = ("looks like an identifier", "it") if len(identifiers) == 1 else ("look like identifiers", "them")
    return "; ".join([f"; {listed(g.name for g in identifiers)} {look} (--keep takes {them})", *about[:1]])


def check_roles(options: LearningOptions, naming: Naming) -> None:
    """Raise `Fault` if one column is to be two things at once."""
    both = set(naming.categorical) & set(options.numeric or ())
    if both:
        raise Fault(f"column {quoted(min(both))} cannot be both --categorical and --numeric")
    taken: dict[str, str] = {}
    for role, name in options.roles().items():
        if name in naming.drop:
            raise Fault(f"{role} {quoted(name)} {'are' if role == 'weights' else 'is'} among the dropped columns")
        if name in taken:
            raise Fault(f"{quoted(name)} cannot be both the {taken[name]} and the {role}")
        taken[name] = role


def _is_identifier(rows: FileRows, guess: ColumnGuess) -> bool:
    """Return whether a column would only learn rows by heart: an identifier in words, a name's or the rows' number.

    Numbers 1 to n in another order than the rows' may be ranks, which are worth asking about.
    """
    if guess.doubt is not Doubt.IDENTIFIER:
        return False
    if guess.kind is not Kind.NUMERIC or "name" in guess.reason:
        return True
    values = rows.frame[guess.name].to_numpy()
    return bool((np.diff(values) == 1).all())


def _such_as(rows: FileRows, guess: ColumnGuess) -> str:
    """Return an example of a column of text: '1,000' or '3 EUR' show that it holds numbers after all."""
    if guess.kind is Kind.NUMERIC:
        return ""
    present = rows.frame[guess.name].drop_nulls()
    return f", such as {quoted(str(present[0])[:30])}" if len(present) else ""


def _reading(kind: Kind) -> str:
    return {Kind.NUMERIC: "numbers", Kind.CATEGORY: "names"}.get(kind, kind.value)


def _word(name: str) -> str:
    return name if name.isidentifier() else '"' + name.replace('"', '\\"') + '"'
