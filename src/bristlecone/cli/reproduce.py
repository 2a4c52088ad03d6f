"""`reproduce`: a published table or figure, or a study of the docs, made again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bristlecone.cli import page
from bristlecone.cli.faults import Fault, quoted
from bristlecone.cli.reproduce_options import ReproduceOptions
from bristlecone.cli.writing import check_writable


def reproduce(options: ReproduceOptions) -> None:
    """Run the command."""
    from bristlecone.experiments.registry import EXPERIMENTS, experiment

    if options.name is None:
        width = max(map(len, EXPERIMENTS)) + 2
        print("\n".join(f"{one.name:{width}}{one.source}" for one in EXPERIMENTS.values()))
        return
    found = experiment(options.name)
    asked = found.asked(
        out=options.out,
        say=_say,
        sets=_names(options.sets or ()),
        splits=options.splits,
        protocol=None if options.protocol is None else options.protocol.value,
        quick=options.quick,
        download=options.download,
    )
    _check_folder(options.out, found.writes)
    told = found.run(asked)
    files = ", ".join(quoted(options.out / name) for name in found.writes)
    page.show([("Source", found.source), ("Written", files)], told)


def _check_folder(folder: Path, names: tuple[str, ...]) -> None:
    if not folder.is_dir():
        raise Fault(f"cannot write into {quoted(folder)}: it is not a directory")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Fault(f"cannot write into {quoted(folder)}: no permission")
    for name in names:
        check_writable(folder / name)


def _names(given: list[str] | tuple[()]) -> list[str]:
    return [name.strip() for value in given for name in value.split(",") if name.strip()]


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
