"""What experiments on data sets measure, one row a fitted tree, and what is made of it.

ratio       of the mean errors of two methods on the same splits, with the standard error of a ratio of means.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from bristlecone.export.writing import whole_file

__all__ = ["Outcome", "Ratio", "grouped", "markdown", "ratio", "write_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One fitted tree. rows: learned from. error: share of wrong answers on the others, or the mean squared error.
    chosen: the parameters that were chosen, as words. seconds: of this process, to choose and fit."""

    set: str
    base: str
    protocol: str
    split: int
    rows: int
    method: str
    error: float
    leaves: int
    chosen: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two means, and its standard error."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.3f}" + ("" if math.isnan(self.error) else f" ± {self.error:.3f}")


def ratio(over: Sequence[float], under: Sequence[float]) -> Ratio:
    """mean(over) / mean(under) of paired figures, with the delta method's standard error; nan where there is none.

    Raises ValueError for figures that are not paired.
    """
    above, below = np.asarray(over, dtype=float), np.asarray(under, dtype=float)
    if len(above) != len(below) or not len(above):
        raise ValueError(f"a ratio needs pairs, got {len(above)} figures over {len(below)}")
    if below.mean() == 0:
        return Ratio(math.nan, math.nan)
    value = float(above.mean() / below.mean())
    if len(above) == 1:
        return Ratio(value, math.nan)
    spread = np.std(above - value * below, ddof=1) / math.sqrt(len(above))
    return Ratio(value, float(spread / below.mean()))


def grouped(found: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    """Items by a key, in the order in which keys come first."""
    groups: dict[Any, list[Any]] = {}
    for one in found:
        groups.setdefault(key(one), []).append(one)
    return groups


def write_rows(file: Path, rows: Sequence[Any], **constant: object) -> None:
    """Write dataclasses as CSV beside the date, the version and `constant`; the whole file or none."""
    if not rows:
        raise ValueError(f"there is nothing to write into '{file}': every set was skipped")
    same: Mapping[str, object] = {"date": date.today().isoformat(), "version": version("bristlecone"), **constant}
    with whole_file(file) as draft, draft.open("w", newline="", encoding="utf-8") as held:
        lines = csv.writer(held, lineterminator="\n")
        lines.writerow([*same, *(field.name for field in fields(rows[0]))])
        lines.writerows([*same.values(), *map(_cell, astuple(one))] for one in rows)


def _cell(value: Any) -> Any:
    return f"{value:.6g}" if isinstance(value, float) else value


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)])
