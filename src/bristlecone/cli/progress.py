"""Long work: done beside the main thread, so that Ctrl-C is heard, with a bar once it takes long.

Reading a file and growing a tree are single calls into compiled code that release the interpreter lock; the main thread
waits for them.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

PATIENCE = 2.0
"""Seconds of silence before the bar is shown."""

_WORKER = "bristlecone-work"
_BEAT = 0.05


class _Worker(threading.Thread, Generic[Result]):
    """A thread that keeps what its work returned or raised."""

    def __init__(self, work: Callable[[], Result]) -> None:
        # A daemon: after Ctrl-C nobody waits for the compiled call to come back.
        super().__init__(name=_WORKER, daemon=True)
        self._work = work
        self._result: list[Result] = []
        self._fault: BaseException | None = None

    def run(self) -> None:
        try:
            self._result.append(self._work())
        except BaseException as fault:
            self._fault = fault

    def result(self) -> Result:
        if self._fault is not None:
            raise self._fault
        return self._result[0]


def work_remains() -> bool:
    """Return whether work that was given up (Ctrl-C) still runs in the background."""
    return any(thread.name == _WORKER and thread.is_alive() for thread in threading.enumerate())


def visibly(title: str, work: Callable[[], Result]) -> Result:
    """Return `work()`; after two seconds show `title`, a moving bar and the time passed on standard error.

    Nothing is shown when standard error is not a terminal.
    """
    worker = _Worker(work)
    worker.start()
    until = time.monotonic() + PATIENCE
    while worker.is_alive() and time.monotonic() < until:
        worker.join(_BEAT)
    if worker.is_alive():
        with _bar(title):
            while worker.is_alive():
                worker.join(_BEAT)
    return worker.result()


def _bar(title: str) -> Any:
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(file=sys.stderr), transient=True)
    bar.add_task(title, total=None)
    return bar
