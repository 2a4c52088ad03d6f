"""One measurement of one peer on one work: seconds, memory, and its answers.

Words: the *clock* of a run with one thread is CPU seconds, which a busy machine hardly changes; that of a run with more
threads is wall seconds.
"""

from __future__ import annotations

import json
import pickle
import resource
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from peers import Library

T = TypeVar("T")
SHORT = 0.2  # seconds: shorter work is repeated for this long
WARM_UP_ROWS = 500


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run of one peer.

    Seconds of the clock of preparing, growing, and predicting the learning rows; CPU and wall seconds of preparing and
    growing; MB by which the peak memory rose meanwhile over what was resident before; leaves, where the peer tells.
    """

    prepare: float
    grow: float
    predict: float
    cpu: float
    wall: float
    memory: float
    leaves: int | None

    @property
    def fit(self) -> float:
        """Seconds of preparing and growing."""
        return self.prepare + self.grow

    @property
    def fit_and_predict(self) -> float:
        """Seconds of a fit and a prediction of the learning rows."""
        return self.fit + self.predict

    def to_json(self) -> str:
        return json.dumps(asdict(self))


class Fit(NamedTuple):
    """Seconds of one fit."""

    prepare: float
    grow: float
    cpu: float
    wall: float


def measure(peer: Library, folder: Path, answers: tuple[Path, Path]) -> Measurement:
    """Load the arrays of `folder`, warm up on a few rows, then measure.

    Writes the answers on the learning and on the held-out rows to the two files of `answers`, as plain float64.
    """
    X, X_held = (np.load(folder / f"{name}.npy").astype(peer.dtype, copy=False) for name in ("X", "X_held"))
    y = np.load(folder / "y.npy")
    weights = np.load(folder / "weights.npy") if peer.work.weighted else None
    few = slice(0, WARM_UP_ROWS)
    peer.predict(fit_once(peer, X[few], y[few], None if weights is None else weights[few])[1], X[few])

    reset_peak()
    before = resident_mb()
    first, model = fit_once(peer, X, y, weights)
    memory = max(peak_mb() - before, 0.0)
    fits = [first]
    if first.wall < SHORT:
        fits = repeat_for(SHORT, lambda: fit_once(peer, X, y, weights)[0])
    fit = Fit(*(statistics.median(seconds) for seconds in zip(*fits, strict=True)))
    predict = statistics.median(repeat_for(SHORT, lambda: timed(peer, lambda: peer.predict(model, X))[0]))
    for rows, file in zip((X, X_held), answers, strict=True):
        np.asarray(peer.predict(model, rows), np.float64).tofile(file)
    return Measurement(fit.prepare, fit.grow, predict, fit.cpu, fit.wall, memory, peer.leaves(model))


def fit_once(peer: Library, X: Any, y: Any, weights: Any) -> tuple[Fit, Any]:
    """One fit with all data preparation: its seconds, and the model."""
    cpu, wall = time.process_time(), time.perf_counter()
    prepare, data = timed(peer, lambda: peer.prepare(X, y, weights))
    grow, model = timed(peer, lambda: peer.grow(data))
    return Fit(prepare, grow, time.process_time() - cpu, time.perf_counter() - wall), model


def timed(peer: Library, work: Callable[[], T]) -> tuple[float, T]:
    """Seconds of the peer's clock, and the result."""
    clock = time.process_time if peer.threads == 1 else time.perf_counter
    started = clock()
    result = work()
    return clock() - started, result


def repeat_for(seconds: float, once: Callable[[], T]) -> list[T]:
    """Results of as many calls as fit into `seconds`, at least one."""
    results: list[T] = []
    end = time.perf_counter() + seconds
    while not results or time.perf_counter() < end:
        results.append(once())
    return results


def reset_peak() -> None:
    """Forget the peak of loading and warming up, where the system lets it be forgotten (Linux)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_mb() -> float:
    """The most memory this process has had resident since `reset_peak`.

    Read from /proc where there is one: ru_maxrss also holds the peak of the process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) / 1024
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def resident_mb() -> float:
    """What is resident now; where the system does not tell, the peak so far."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak_mb()
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 1024**2


if __name__ == "__main__":
    print(measure(*pickle.loads(Path(sys.argv[1]).read_bytes())).to_json())
