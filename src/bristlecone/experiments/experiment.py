"""What an experiment is: a name, a source, the files it writes, and how it runs.

asked       what a user wants of it: which sets, how many splits, where the files go.
protocol    how parameters are chosen: "paper" as the paper's text says, "code" as its authors' scripts do. SPEC A9.
quick       a small version that needs no files, to see that all works; its figures mean nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Asked", "Experiment", "near"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One run. say: takes a line of progress. download: see `sets`."""

    out: Path
    sets: tuple[str, ...]
    splits: int
    protocols: tuple[str, ...]
    quick: bool
    download: Path | None
    say: Callable[[str], Any]

    def picture(self, name: str) -> Path:
        """Where the picture of that name goes."""
        return self.out / f"{name}.png"

    def table(self, name: str) -> Path:
        """Where the figures of that name go."""
        return self.out / f"{name}.csv"

    def part(self, name: str) -> Path:
        """Where figures are kept until all are there: see `resumed`."""
        return self.out / f"{name}.part.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """One experiment.

    source: where the table, the figure or the claim stands. writes: file names. run: does it, and returns what to
    print. sets: those it can use, all of them unless told otherwise; none if it makes its own. quick_sets: of --quick.
    splits: how often it is repeated. protocols: those it knows, none if it has no choice.
    """

    name: str
    source: str
    writes: tuple[str, ...]
    run: Callable[[Asked], str]
    splits: int
    sets: tuple[str, ...] = ()
    quick_sets: tuple[str, ...] = ()
    quick_splits: int = 2
    protocols: tuple[str, ...] = ()

    def asked(
        self,
        *,
        out: Path,
        say: Callable[[str], Any],
        sets: Sequence[str] = (),
        splits: int | None = None,
        protocol: str | None = None,
        quick: bool = False,
        download: Path | None = None,
    ) -> Asked:
        """What `run` takes. Raises ValueError naming the option that this experiment cannot follow."""
        if sets and not self.sets:
            raise ValueError(f"{self.name} makes its own data: it takes no --sets")
        if protocol is not None and not self.protocols:
            raise ValueError(f"{self.name} has no parameters to choose: it takes no --protocol")
        known = dict.fromkeys((*self.sets, *self.quick_sets))
        for name in sets:
            if name not in known:
                raise ValueError(f"{self.name} has no set {name!r}; {near(name, known)}")
        if splits is not None and splits < 1:
            raise ValueError(f"--splits must be at least 1, got {splits}")
        return Asked(
            out=out,
            sets=tuple(dict.fromkeys(sets)) or (self.quick_sets if quick else self.sets),
            splits=splits or (self.quick_splits if quick else self.splits),
            protocols=self.protocols if protocol is None else (protocol,),
            quick=quick,
            download=download,
            say=say,
        )


def near(word: str, known: Collection[str]) -> str:
    """What comes near a word that is not known, or else all that is known."""
    found = difflib.get_close_matches(word.casefold(), known, n=3, cutoff=0.6)
    if found:
        return "did you mean " + " or ".join(map(repr, found)) + "?"
    return "there are " + ", ".join(map(repr, known))
