"""Files of the UCI archive: fetched once into a folder that the user names, and read there ever after.

archive     one zip of https://archive.ics.uci.edu. Its members are tables without surprises; how many rows and columns
            they must give, `sets` says and checks.
"""

from __future__ import annotations

import shutil
import urllib.request
import zipfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from bristlecone.experiments.needs import needed
from bristlecone.export.writing import whole_file

__all__ = ["Archive"]

ADDRESS = "https://archive.ics.uci.edu/static/public/"
PATIENCE = 60.0
MOST_BYTES = 1 << 28


@dataclass(frozen=True, slots=True)
class Archive:
    """One data set of the archive.

    place: what follows `ADDRESS`. members: the files in it, one below the other. separator: between cells. header:
    whether each file starts with names. label: the place of the target among the columns. after: the line, in small
    letters, that the rows follow; "" for none.
    """

    place: str
    members: tuple[str, ...]
    separator: str = ","
    header: bool = False
    label: int = -1
    after: str = ""

    def read(self, folder: Path) -> tuple[Any, Any]:
        """Columns as a frame, and the target. Fetches what `folder` does not hold.

        Raises OSError if that fails, ValueError naming the file if it is not what it should be.
        """
        held = folder / self.place.replace("/", "-")
        if not held.exists():
            self._fetch(held)
        pandas = needed("pandas")
        try:
            with zipfile.ZipFile(held) as zipped:
                parts = [self._table(_content(zipped, member)) for member in self.members]
        except (zipfile.BadZipFile, KeyError, ValueError) as fault:
            raise ValueError(f"'{held}' is not the archive's file of that name: {fault}") from None
        table = pandas.concat(parts, ignore_index=True)
        target = table.columns[self.label]
        return table.drop(columns=target).rename(columns=str), table[target].to_numpy()

    def _fetch(self, goal: Path) -> None:
        goal.parent.mkdir(parents=True, exist_ok=True)
        with (
            urllib.request.urlopen(ADDRESS + self.place, timeout=PATIENCE) as answer,
            whole_file(goal) as draft,
            draft.open("wb") as file,
        ):
            shutil.copyfileobj(answer, file)

    def _table(self, content: bytes) -> Any:
        lines = content.decode("utf-8-sig")
        if self.after:
            start = lines.lower().find(self.after)
            lines = lines[start + len(self.after) :] if start >= 0 else ""
        options = {"sep": self.separator, "header": 0 if self.header else None, "skipinitialspace": True}
        return needed("pandas").read_csv(BytesIO(lines.strip().encode()), **options)


def _content(zipped: zipfile.ZipFile, member: str) -> bytes:
    size = zipped.getinfo(member).file_size
    if size > MOST_BYTES:
        raise zipfile.BadZipFile(f"{member} holds {size:,} bytes")
    return zipped.read(member)
