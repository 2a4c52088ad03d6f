"""The prunings that were to choose from, as a small table: what each costs, and which one was taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from bristlecone.tree.names import padded

__all__ = ["PruningTable"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

MOST_LARGE, MOST_AROUND = 3, 12  # rows printed of the largest trees, and on either side of the chosen one


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PruningTable:
    """One row a pruning, from the largest tree to the smallest.

    strength: (K,), what the penalty was multiplied by, called strength_name ("alpha" on a weakest-link path); leaves:
    (K,); risks: columns (K,) by name, of the growing rows, the one that was weighed against the penalty first; cv_risk,
    se: (K,), the mean loss of held-out rows and its standard error, NaN where nothing was held out. Risks are means a
    row, by weight. judged_by: the name of that loss, among the names of `risks`; root_risk: what the root costs the
    growing rows by it. least, chosen: places of the least cv_risk (None without) and of the pruning that was taken.
    title, rule: what the prunings are, and why that one, in words. rows: whose risks they are, where others than the
    growing rows chose.
    """

    title: str
    strength_name: str
    strength: Floats
    leaves: Ints
    risks: dict[str, Floats]
    judged_by: str
    root_risk: float
    cv_risk: Floats
    se: Floats
    chosen: int
    rule: str
    least: int | None = None
    n_folds: int = 0
    rows: str = "growing rows"

    def __post_init__(self) -> None:
        self._check_kinds()
        columns = {name: getattr(self, name) for name in ("strength", "leaves", "cv_risk", "se")}
        for name, column in (columns | self.risks).items():
            if (
                not isinstance(column, np.ndarray)
                or column.shape != (len(self.strength),)
                or column.dtype.kind not in "iuf"
            ):
                raise ValueError(f"{name} is not an array of {len(self.strength)} numbers")
        for name, place in (("chosen", self.chosen), ("least", self.least)):
            if place is not None and not 0 <= place < len(self.strength):
                raise ValueError(f"{name} is {place}, not one of {len(self.strength)} prunings")
        if self.judged_by not in self.risks:
            raise ValueError(f"judged_by is {self.judged_by!r}, not one of {', '.join(self.risks)}")

    def _check_kinds(self) -> None:
        words, places = ("title", "strength_name", "judged_by", "rule", "rows"), ("chosen", "n_folds", "least")
        kinds: dict[str, Any] = dict.fromkeys(words, str) | dict.fromkeys(places, Integral)
        kinds |= {"risks": dict, "root_risk": Real, "strength": np.ndarray}
        for name, kind in kinds.items():
            value = getattr(self, name)
            if not isinstance(value, kind) and not (name == "least" and value is None):
                raise ValueError(f"{name} is {value!r:.40}, which is not of its kind")

    def __len__(self) -> int:
        """The number of prunings."""
        return len(self.strength)

    @property
    def risk(self) -> Floats:
        """What the penalty was weighed against, on the growing rows, (K,)."""
        return next(iter(self.risks.values()))

    @property
    def relative_cv_risk(self) -> Floats:
        """cv_risk over root_risk, (K,): 1 is no better than a tree of one leaf. NaN where the root costs nothing."""
        return self.cv_risk / self.root_risk if self.root_risk > 0 else np.full(len(self), np.nan)

    def to_dict(self) -> dict[str, npt.NDArray[Any]]:
        """The columns by name, ready for a data frame; chosen is True in one row."""
        return {
            self.strength_name: self.strength,
            "leaves": self.leaves,
            **self.risks,
            f"cv {self.judged_by}": self.cv_risk,
            "se": self.se,
            "chosen": np.arange(len(self)) == self.chosen,
        }

    def __repr__(self) -> str:
        return f"<PruningTable: {len(self)} prunings, {self.leaves[self.chosen]} leaves chosen>"

    def __str__(self) -> str:
        return self.text()

    def text(self, around: int = MOST_AROUND) -> str:
        """The table in words: the largest trees, and `around` rows on either side of the chosen one and the least."""
        columns = {self.strength_name: self.strength, "leaves": self.leaves, **self.risks}
        if self.n_folds:
            columns |= {f"cv {self.judged_by}": self.cv_risk, "se": self.se, "relative": self.relative_cv_risk}
        shown = self._shown(around)
        cells = [[name, *self._column(name, column, shown)] for name, column in columns.items()]
        cells.append(["", *self._marks(shown)])
        widths = [max(map(len, column)) for column in cells]
        lines = []
        for row in zip(*cells, strict=True):
            padding = [padded(text, size, to_the_right=True) for text, size in zip(row, widths, strict=True)]
            lines.append("  ".join([*padding[:-1], row[-1]]).rstrip())
        folds = f", {self.n_folds} folds" if self.n_folds else ""
        chosen = self.leaves[self.chosen]
        heading = f"{self.title}{folds}: {chosen:,} {'leaf' if chosen == 1 else 'leaves'} by {self.rule}"
        return "\n".join([heading, *lines, *self._notes()])

    @staticmethod
    def _column(name: str, column: npt.NDArray[Any], shown: list[int | None]) -> Iterator[str]:
        form = ",d" if name == "leaves" else ".3f" if name == "relative" else ".5g"
        for row in shown:
            yield "..." if row is None else format(column[row].item(), form)

    def _marks(self, shown: list[int | None]) -> Iterator[str]:
        for row in shown:
            words = [word for word, place in (("chosen", self.chosen), ("least", self.least)) if place == row]
            yield "" if row is None else ", ".join(words)

    def _shown(self, around: int) -> list[int | None]:
        """The rows that are printed; None where some are left out."""
        shown = set(range(min(MOST_LARGE, around, len(self)))) | {len(self) - 1}
        for place in (self.chosen, self.least):
            if place is not None:
                shown |= set(range(max(0, place - around), min(len(self), place + around + 1)))
        rows: list[int | None] = []
        for row in sorted(shown):
            if rows and rows[-1] != row - 1:
                rows.append(None)
            rows.append(row)
        return rows

    def _notes(self) -> Iterator[str]:
        if self.n_folds:
            yield f"relative: cv {self.judged_by} over {self.root_risk:.5g}, that of the root on the growing rows"
        if "loss" in self.risks:
            yield "loss: a row's, by loss[true class][answered class]"
