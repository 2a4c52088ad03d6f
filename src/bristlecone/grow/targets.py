"""Targets and weights as the core takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ClassTarget", "as_floats", "check_weights", "class_target", "numeric_target"]

Floats = npt.NDArray[np.float64]

# Integer labels in a range of this many are coded by counting instead of sorting.
_COUNTED_RANGE = 1 << 16
# Beyond this the square of a range overflows.
_LARGEST_RANGE = 1e150


@dataclass(frozen=True, slots=True)
class ClassTarget:
    """Labels as codes. classes: (K,) original labels, ascending; codes: (n_rows,) int32."""

    classes: npt.NDArray[Any]
    codes: npt.NDArray[np.int32]

    @property
    def n_classes(self) -> int:
        """K."""
        return len(self.classes)

    def live(self, weights: Floats | None) -> npt.NDArray[np.int32]:
        """The codes of the classes that have a row of positive weight, ascending."""
        codes = self.codes if weights is None else self.codes[weights > 0]
        return np.flatnonzero(np.bincount(codes, minlength=self.n_classes)).astype(np.int32)

    def per_class(self, given: Any, name: str) -> Floats:
        """One number a class from a mapping by label or a sequence in the order of `classes`."""
        if isinstance(given, Mapping):
            return self._from_mapping(given, name)
        values = as_floats(given, name)
        if values.shape != (self.n_classes,):
            raise ValueError(f"{name} must hold one number for each of the {self.n_classes} classes; got {given!r}")
        return self._checked(values, name)

    def _from_mapping(self, given: Mapping[Any, float], name: str) -> Floats:
        labels = self.classes.tolist()
        unknown = [label for label in given if label not in labels]
        if unknown:
            raise ValueError(f"{name}: {unknown[0]!r} is not a class; the classes are {labels!r}")
        absent = [label for label in labels if label not in given]
        if absent and name != "class_weight":  # a class without a weight counts once, as in scikit-learn
            raise ValueError(f"{name}: class {absent[0]!r} has no entry")
        return self._checked(as_floats([given.get(label, 1.0) for label in labels], name), name)

    def _checked(self, values: Floats, name: str) -> Floats:
        bad = ~(np.isfinite(values) & (values >= 0))
        if bad.any():
        row = int(np.flatnonzero(bad)[0])
        value = values[row].item() if isinstance(values[row], np.generic) else values[row]
        raise ValueError(f"{name}, row {row}: {value!r} {what}")
