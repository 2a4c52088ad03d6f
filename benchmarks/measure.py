"""One measurement of one peer on one work: seconds, memory, and what came out."""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from peers import Peer
from works import Features, Targets

T = TypeVar("T")
SHORT = 0.2  # seconds: shorter work is repeated for this long
WARM_UP_ROWS = 200


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run of one peer.

    Wall seconds of preparing, growing, both (`fit`) and predicting the learning rows; CPU seconds of `fit`; MB by which
    the peak memory rose over what was resident before; leaves; held-out loss (share of errors, or squared error).
    """

    prepare: float
    grow: float
    fit: float
    cpu: float
    predict: float
    memory: float
    leaves: int
    loss: float

    def to_json(self) -> str:
        return json.dumps(asdict(self))


def measure(peer: Peer, folder: Path) -> Measurement:
    """Load the arrays of `folder`, warm up on a few rows, then measure."""
    X, y = np.load(folder / "X.npy"), np.load(folder / "y.npy")
    X_held, y_held = np.load(folder / "X_held.npy"), np.load(folder / "y_held.npy")
    few = slice(0, WARM_UP_ROWS)
    peer.predict(peer.grow(peer.prepare(X[few], y[few])), X[few])

    before = resident_mb()
    started_cpu = time.process_time()
    prepare, data = timed(lambda: peer.prepare(X, y))
    grow, model = timed(lambda: peer.grow(data))
    cpu = time.process_time() - started_cpu
    memory = peak_mb() - before
    if prepare + grow < SHORT:
        prepare, grow, cpu = repeated(peer, X, y)
    predict = statistics.median(repeat_for(SHORT, lambda: timed(lambda: peer.predict(model, X))[0]))
    answer = peer.predict(model, X_held)
    loss = np.mean((answer - y_held) ** 2) if peer.work.regression else np.mean(answer != y_held)
    return Measurement(prepare, grow, prepare + grow, cpu, predict, max(memory, 0.0), peer.leaves(model), float(loss))


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Wall seconds and the result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def repeat_for(seconds: float, once: Callable[[], T]) -> list[T]:
    """Results of as many calls as fit into `seconds`, at least one."""
    results: list[T] = []
    end = time.perf_counter() + seconds
    while not results or time.perf_counter() < end:
        results.append(once())
    return results


def repeated(peer: Peer, X: Features, y: Targets) -> tuple[float, float, float]:
    """Medians of prepare and grow and the mean CPU seconds, over many calls."""
    started = time.process_time()

    def once() -> tuple[float, float]:
        prepare, data = timed(lambda: peer.prepare(X, y))
        return prepare, timed(lambda: peer.grow(data))[0]

    pairs = repeat_for(SHORT, once)
    cpu = (time.process_time() - started) / len(pairs)
    return statistics.median(p for p, _ in pairs), statistics.median(g for _, g in pairs), cpu


def peak_mb() -> float:
    """The most memory this process has had resident."""
    unit = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def resident_mb() -> float:
    """What is resident now; where the system does not tell, the peak so far."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak_mb()
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 1024**2
