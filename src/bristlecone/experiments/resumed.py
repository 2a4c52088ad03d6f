"""Long experiments keep each figure as it comes, so that a run that was interrupted goes on where it was.

piece       of work: a key that names all of its parameters, and what measures it.
part file   a line of JSON for each piece that is done, with its key and the version; taken away when all is done.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, TypeVar

from bristlecone.experiments.experiment import Asked

__all__ = ["finish", "resumed"]

Row = TypeVar("Row")
Key = tuple[str | float, ...]


def resumed(asked: Asked, name: str, kind: type[Row], work: Iterable[tuple[Key, Callable[[], Row]]]) -> Iterator[Row]:
    """One row for each piece of work, in order: read if this version has measured it before, else measured and kept.

    kind: a dataclass of text and numbers. `finish` says that nothing more will come.
    """
    file = asked.part(name)
    done = {tuple(key): row for key, row in _lines(file.read_text(encoding="utf-8"))} if file.exists() else {}
    if done:
        asked.say(f"{len(done)} rows are taken from '{file}'")
    for key, measure in work:
        if key in done:
            yield kind(**done[key])
            continue
        row = measure()
        line = json.dumps([version("bristlecone"), key, asdict(row)])  # type: ignore[call-overload]
        with file.open("a", encoding="utf-8") as held:
            held.write(f"\n{line}")  # first a line's end: what was cut off stays apart
        yield row


def finish(asked: Asked, name: str) -> None:
    """Take the part file away: the figures stand elsewhere now."""
    asked.part(name).unlink(missing_ok=True)


def _lines(text: str) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    for line in text.splitlines():
        try:
            made_by, key, row = json.loads(line)
        except ValueError:  # empty, or cut off when the run was ended
            continue
        if made_by == version("bristlecone"):
            yield key, row
