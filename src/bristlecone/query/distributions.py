"""Product distributions: every coordinate is drawn on its own. SPEC C1.

coordinate  one column: the values it can have and the mass of each; masses are positive and sum to one.
Boolean     a distribution all of whose coordinates are 0 or 1; the theory of SPEC part C is about these.
places      points as indices into the values of each coordinate, (m, n): what the learners work on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from bristlecone.query.checks import check_place, check_whole, generator_of
from bristlecone.query.origin import Origin
from bristlecone.table import Column, Table, as_table, is_missing
from bristlecone.table.cells import category, numeric
from bristlecone.table.columns import Values, cell_of
from bristlecone.table.schema import ColumnSchema, Schema, numbered
from bristlecone.tree.arrays import Floats, read_only

__all__ = ["Coordinate", "ProductDistribution", "bits"]

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Coordinate:
    """One coordinate: its column, its distinct values in order ((k,) floats, NaN last, or level codes) and their
    masses.
    """

    column: ColumnSchema
    values: Values
    masses: Floats

    @cached_property
    def running(self) -> Floats:
        """The masses up to and including each value, the last exactly 1."""
        total = np.cumsum(self.masses)
        return read_only(total / total[-1])

    @cached_property
    def places(self) -> Places:
        """0 .. k - 1."""
        return read_only(np.arange(len(self.values), dtype=np.int64))

    def draw(self, m: int, generator: np.random.Generator) -> Places:
        """Places of m values drawn by mass."""
        return np.searchsorted(self.running, generator.random(m), side="right").astype(np.int64)


class ProductDistribution:
    """A distribution whose coordinates are independent.

    p: (n,) the chance that each coordinate of {0, 1}^n is 1, strictly between 0 and 1. For other coordinates see
    `from_masses` and `from_table`. row_places: the rows that `from_table` read, as places (n_rows, n), else None.
    Raises ValueError naming the coordinate, or TypeError, for anything else. Source: SPEC C1.
    """

    def __init__(self, p: npt.ArrayLike) -> None:
        self._p: Floats | None = _chances(p)
        self._origin: Origin | None = None
        self.row_places: Places | None = None
        self.schema = numbered(len(self._p))

    @classmethod
    def from_masses(cls, masses: Mapping[str, Mapping[Any, float]]) -> Self:
        """General finite coordinates: by name, the mass of each value; numbers are ordered, anything else are levels.

        Masses are positive and sum to one up to a relative 1e-9. Raises ValueError naming the coordinate.
        """
        if not isinstance(masses, Mapping) or not masses:
            raise ValueError(f"masses must map each coordinate to the masses of its values, got {masses!r}")
        return cls._of([_coordinate(str(name), held) for name, held in masses.items()], None, None)

    @classmethod
    def from_table(cls, X: Any) -> Self:
        """The product of the columns' empirical marginals; a missing cell is a value like any other.

        X: array, frame or Table of at least one row. `sample` answers in the kind of X.
        """
        table = as_table(X)
        if table.n_rows == 0:
            raise ValueError("the table has no rows: nothing is known of its columns")
        marginals = [_marginal(c, cells) for c, cells in zip(table.schema.columns, table.columns, strict=True)]
        origin = None if isinstance(X, Table) else Origin(X, table)
        return cls._of([c for c, _ in marginals], origin, np.column_stack([places for _, places in marginals]))

    @classmethod
    def _of(cls, coordinates: list[Coordinate], origin: Origin | None, row_places: Places | None) -> Self:
        made = cls.__new__(cls)
        made._p, made._origin, made.row_places = None, origin, row_places
        made.schema = Schema(tuple(c.column for c in coordinates), named=origin is None or origin.named)
        made.coordinates = tuple(coordinates)
        return made

    def __repr__(self) -> str:
        return f"<ProductDistribution: {self.n} {'Boolean ' if self.boolean else ''}coordinates>"

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return len(self.schema)

    @property
    def boolean(self) -> bool:
        """Whether it was made of chances p, over {0, 1}^n."""
        return self._p is not None

    @property
    def p(self) -> Floats:
        """The chance that each coordinate is 1, (n,). Raises AttributeError unless Boolean."""
        if self._p is None:
            raise AttributeError(
                "only a Boolean distribution, made of chances p, has p; this one has general coordinates"
            )
        return self._p

    @cached_property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """All coordinates, in order."""
        values = np.array([0.0, 1.0])
        pairs = zip(self.schema.columns, self.p.tolist(), strict=True)
        return tuple(Coordinate(column, values, np.array([1.0 - p, p])) for column, p in pairs)

    def draw(self, m: int, generator: np.random.Generator) -> Places:
        """Places of m points, (m, n)."""
        return np.column_stack([c.draw(m, generator) for c in self.coordinates])

    def points(self, places: Places) -> Any:
        """Points at places, in the kind that they are asked in: see `sample`."""
        if self.boolean:
            return places.astype(np.uint8)
        if self._origin is not None:
            return self._origin.points(places)
        cells = [_cells(c)[places[:, i]] for i, c in enumerate(self.coordinates)]
        mixed = any(column.dtype.hasobject for column in cells)
        return np.column_stack([column.astype(object) if mixed else column for column in cells])

    def table(self, places: Places) -> Table:
        """Points at places as a Table of this distribution's schema."""
        columns = [np.ascontiguousarray(c.values[places[:, i]]) for i, c in enumerate(self.coordinates)]
        return Table(self.schema, columns, len(places))

    def sample(self, m: int, random_state: Any = None) -> Any:
        """m independent points.

        (m, n) uint8 for Boolean coordinates; floats, or objects where there are levels, for `from_masses`; an array or
        a frame as the one given to `from_table`. random_state: a seed, a Generator or None. Raises ValueError for m <
        0.
        """
        check_whole(0, m=m)
        generator = generator_of(random_state)
        if self._p is not None:
            return bits(self._p, int(m), generator)
        return self.points(self.draw(int(m), generator))

    def redraw(self, X: npt.NDArray[Any], i: int, random_state: Any = None) -> npt.NDArray[Any]:
        """X, (m, n), with coordinate i drawn afresh in every row: the re-randomisation x^(i) of SPEC C1."""
        X = np.asarray(X)
        if X.ndim != 2 or X.shape[1] != self.n:
            raise ValueError(f"X must be (m, {self.n}), got {X.shape}")
        check_place("i", i, self.n)
        coordinate, fresh = self.coordinates[i], X.copy()
        fresh[:, i] = _cells(coordinate)[coordinate.draw(len(X), generator_of(random_state))]
        return fresh

    def probability(self, path: Mapping[int, Any]) -> float:
        """The chance that every coordinate named in `path` has one of the values given for it, exactly.

        path: coordinate index to a value or several values, NaN or None for what is missing; {} has probability 1.
        Raises ValueError or TypeError for what is no coordinate or no path.
        """
        if not isinstance(path, Mapping):
            raise TypeError(f"path must map coordinates to values, got {path!r}")
        total = 1.0
        for i, wanted in path.items():
            check_place("path", i, self.n)
            coordinate = self.coordinates[i]
            chosen = list(wanted) if isinstance(wanted, Iterable) and not isinstance(wanted, str) else [wanted]
            known = [value for value in chosen if not is_missing(value)]
            missing = coordinate.column.is_missing(coordinate.values)
            hit = missing if len(known) < len(chosen) else np.zeros(len(missing), dtype=bool)
            hit = hit | [value in known for value in _cells(coordinate).tolist()]
            total *= float(coordinate.masses[hit].sum())
        return total


def bits(p: Floats, m: int, generator: np.random.Generator) -> npt.NDArray[np.uint8]:
    """m points of independent bits with chances p, (m, n): 16 random bits each decide nearly all, a double the rest."""
    parts = 1 << 16
    words = generator.integers(0, 1 << 64, -(-m * len(p) // 4), dtype=np.uint64)  # drawn faster than single parts
    drawn = words.view(np.uint16)[: m * len(p)].reshape(m, len(p))
    sure = np.floor(p * parts)
    found: npt.NDArray[np.uint8] = (drawn < sure.astype(np.uint16)).view(np.uint8)
    rest = p * parts - sure
    if rest.any():
        undecided = np.flatnonzero(drawn == sure.astype(np.uint16))
        found.reshape(-1)[undecided] = generator.random(len(undecided)) < rest[undecided % len(p)]
    return found


def _chances(p: npt.ArrayLike) -> Floats:
    try:
        chances = np.array(p, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"p must hold a chance for each coordinate, got {p!r}") from None
    if chances.ndim != 1 or len(chances) == 0:
        raise ValueError(f"p must be (n,) with n >= 1, got shape {chances.shape}")
    outside = ~((chances > 0) & (chances < 1))
    if outside.any():
        i = int(np.argmax(outside))
        raise ValueError(f"p[{i}] is {chances[i]}: chances are strictly between 0 and 1; leave constant variables out")
    return read_only(chances)


def _coordinate(name: str, masses: Mapping[Any, float]) -> Coordinate:
    if not isinstance(masses, Mapping) or not masses:
        raise ValueError(f"coordinate {name!r} must map its values to masses, got {masses!r}")
    try:
        weights = np.array(list(masses.values()), dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"coordinate {name!r}: its masses must be numbers, got {masses!r}") from None
    wrong = ~(np.isfinite(weights) & (weights > 0))
    if wrong.any():
        value = list(masses)[int(np.argmax(wrong))]
        raise ValueError(f"coordinate {name!r}: value {value!r} has the mass {masses[value]}; masses are positive")
    if abs(weights.sum() - 1.0) > 1e-9:
        raise ValueError(f"coordinate {name!r}: its masses sum to {weights.sum()}, not to 1")
    numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in masses)
    if sum(is_missing(value) for value in masses) > 1:
        raise ValueError(f"coordinate {name!r}: the missing value stands more than once")
    column = numeric(name, _exact(name, masses)) if numbers else category(name, list(masses))
    order = np.argsort(column.values, kind="stable")
    return Coordinate(column.schema, column.values[order], read_only(weights[order] / weights.sum()))


def _exact(name: str, numbers: Iterable[Any]) -> Floats:
    """Numbers as floats. Raises ValueError for one that no float is equal to."""
    for number in numbers:
        try:
            exact = is_missing(number) or float(number) == number
        except OverflowError:
            exact = False
        if not exact:
            raise ValueError(f"coordinate {name!r}: the value {number!r} is no float64 exactly; make it a level (text)")
    return np.array(list(numbers), dtype=np.float64)


def _marginal(column: ColumnSchema, cells: Values) -> tuple[Coordinate, Places]:
    values, place, count = np.unique(cells, return_inverse=True, return_counts=True)
    return Coordinate(column, values, read_only(count / len(cells))), place.astype(np.int64)


def _cells(coordinate: Coordinate) -> Values:
    """The values as the points have them: numbers, or levels and None."""
    column = Column(coordinate.column, coordinate.values)
    if not column.schema.categorical:
        return coordinate.values
    cells = np.empty(len(coordinate.values), dtype=object)
    cells[:] = [cell_of(column.schema, value) for value in coordinate.values.tolist()]
    return cells
