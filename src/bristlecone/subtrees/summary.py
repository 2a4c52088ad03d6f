"""The prunings that were to choose from, as a small table: what each costs, and which one was taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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

    strength: (K,), named by strength_name ("alpha" on a weakest-link path); leaves: (K,); risk: (K,), what the penalty
    was weighed against, on the growing rows; other_risk: (K,), the error rate where that was the impurity and the
    impurity where it was not (regression has none); cv_risk, se: (K,), the mean loss of held-out rows and its standard
    error, NaN where nothing was held out. Risks are means a row, by weight: a column relative to the root is the column
    over its last entry on the growing rows. names: of risk, other_risk and cv_risk. least, chosen: places of the least
    cv_risk (None without) and of the pruning that was taken; rule: why that one, in words.
    """

    strength: Floats
    leaves: Ints
    risk: Floats
    other_risk: Floats | None
    cv_risk: Floats
    se: Floats
    names: tuple[str, str, str]
    least: int | None
    chosen: int
    rule: str
    n_folds: int = 0
    strength_name: str = "alpha"

    def __post_init__(self) -> None:
        columns = ("strength", "leaves", "risk", "cv_risk", "se", *(() if self.other_risk is None else ("other_risk",)))
        for name in columns:
            column = getattr(self, name)
            if not isinstance(column, np.ndarray) or column.shape != (len(self.strength),):
                raise ValueError(f"{name} is not an array of shape ({len(self.strength)},)")
        for name in ("chosen", "least"):
            place = getattr(self, name)
            if place is not None and not 0 <= place < len(self.strength):
                raise ValueError(f"{name} is {place}, not one of {len(self.strength)} prunings")

    def __len__(self) -> int:
        """The number of prunings."""
        return len(self.strength)

    @property
    def judged_by(self) -> str:
        """What held-out rows were judged by; without them, what the prunings were weighed by."""
        return self.names[2] or self.names[0]

    @property
    def of_growing_rows(self) -> Floats | None:
        """The column of the growing rows that is in the units of `judged_by`, (K,); None where there is none."""
        columns = dict(zip(self.names[:2], (self.risk, self.other_risk), strict=True))
        return columns.get(self.judged_by)

    @property
    def root_risk(self) -> float | None:
        """What the root alone costs the growing rows, in the units of cv_risk; None where the table does not tell."""
        found = self.of_growing_rows
        return None if found is None or self.leaves[-1] != 1 else float(found[-1])

    @property
    def relative_cv_risk(self) -> Floats:
        """cv_risk over `root_risk`: 1 is no better than a tree of one leaf. NaN where the root costs nothing."""
        root = self.root_risk
        return self.cv_risk / root if root else np.full(len(self), np.nan)

    def to_dict(self) -> dict[str, Any]:
        """The columns by name, ready for a data frame; chosen is True in one row."""
        columns: dict[str, Any] = {
            self.strength_name: self.strength,
            "leaves": self.leaves,
            self.names[0]: self.risk,
            self.names[1]: self.other_risk,
            f"cv {self.names[2]}": self.cv_risk,
            "se": self.se,
            "chosen": np.arange(len(self)) == self.chosen,
        }
        return {name: column for name, column in columns.items() if column is not None}

    def __repr__(self) -> str:
        return f"<PruningTable: {len(self)} prunings, {self.leaves[self.chosen]} leaves chosen>"

    def __str__(self) -> str:
        return self.text()

    def text(self, around: int = MOST_AROUND) -> str:
        """The table in words: the largest trees, and `around` rows on either side of the chosen one and the least."""
        columns = {name: column for name, column in self.to_dict().items() if name != "chosen"}
        if self.n_folds == 0:
            columns = {name: column for name, column in columns.items() if name != "se" and not name.startswith("cv ")}
        elif self.root_risk:
            columns["relative"] = self.relative_cv_risk
        shown = self._shown(around)
        cells = [[name, *self._column(name, column, shown)] for name, column in columns.items()]
        cells.append(["", *self._marks(shown)])
        widths = [max(map(len, column)) for column in cells]
        lines = [
            "  ".join(padded(text, size, to_the_right=place < len(columns)) for place, (text, size) in enumerate(row))
            for row in (list(zip(line, widths, strict=True)) for line in zip(*cells, strict=True))
        ]
        return "\n".join([self._heading(), *(line.rstrip() for line in lines), *self._notes()])

    def _heading(self) -> str:
        folds = f", {self.n_folds} folds" if self.n_folds else ""
        what = "Weakest-link path" if self.strength_name == "alpha" else "Prunings"
        return f"{what} by {self.names[0]}{folds}: {self.leaves[self.chosen]:,} leaves by {self.rule}"

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
        if self.n_folds and self.root_risk:
            yield f"relative: cv {self.names[2]} over {self.root_risk:.5g}, that of the root on the growing rows"
        if "loss" in self.names:
            yield "loss: per row, by loss[true class][answered class]"
