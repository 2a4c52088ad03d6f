"""Rounds of measurements: every measurement is a process of its own, and the peers take turns in each round.

So a machine that slows down slows all of them, and no peer finds the memory of another. A peer that took long drops out
of the later rounds; one that fails is named and not asked again.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from measure import Measurement
from numpy.typing import NDArray
from peers import PEERS, Bristlecone, LightGBM, Peer, ScikitLearn
from works import Targets, Work

HOLD_OUT = 20_000
REFERENCES = (Bristlecone, ScikitLearn, LightGBM)  # the ratios lean on their figures with one thread
LEADING_ROUNDS, OTHER_ROUNDS = 3, 2
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class Plan:
    """Who is measured and how often.

    repeats: rounds at most, for us and the references; others have at most `OTHER_ROUNDS`, and one with more threads.
    seconds: a peer that spent so much fitting one work drops out, the former only after `LEADING_ROUNDS`. limit:
    seconds for one process.
    """

    peers: tuple[str, ...]
    threads: tuple[int, ...] = (1,)
    repeats: int = 5
    seconds: float = 15.0
    limit: float = 180.0
    seed: int = 0
    scale: float = 1.0

    def contestants(self, work: Work) -> list[Peer]:
        """Every peer that offers the work, with each number of threads that it can use."""
        chosen = [PEERS[name] for name in self.peers]
        return [
            peer(work, threads)
            for threads in self.threads
            for peer in chosen
            if peer.offers(work) and (threads == 1 or peer.threaded)
        ]


@dataclass(slots=True)
class Outcome:
    """All that is known of one peer on one work.

    learned, held: loss (share of errors, or mean squared error) on the learning and the held-out rows. same: share of
    the learning rows answered as scikit-learn does, without it as the first peer does. accuracy: share of right
    answers, or R2, on the learning rows. input_bytes: of the float64 features.
    """

    peer: Peer
    runs: list[Measurement] = field(default_factory=list)
    failure: str = ""
    learned: float = float("nan")
    held: float = float("nan")
    same: float = float("nan")
    accuracy: float = float("nan")
    input_bytes: int = 0

    def median(self, name: str) -> float:
        """The median over the rounds of one field of `Measurement`."""
        return float(statistics.median(getattr(run, name) for run in self.runs))

    def goes_on(self, plan: Plan) -> bool:
        """Whether the peer takes part in another round."""
        done, alone = len(self.runs), self.peer.threads == 1
        leading = isinstance(self.peer, REFERENCES if alone else Bristlecone)
        most = plan.repeats if leading else min(plan.repeats, OTHER_ROUNDS if alone else 1)
        least = LEADING_ROUNDS if leading else 1
        cheap = sum(run.wall for run in self.runs) < plan.seconds
        return not self.failure and done < most and (done < least or cheap)


def outcomes(work: Work, plan: Plan, peers: list[Peer] | None = None) -> list[Outcome]:
    """Measure the peers, by default all of the plan's, on one work."""
    found = [Outcome(peer) for peer in (plan.contestants(work) if peers is None else peers)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(work, plan.seed, folder)
        while any(asked := [outcome.goes_on(plan) for outcome in found]):
            for outcome in (outcome for outcome, goes_on in zip(found, asked, strict=True) if goes_on):
                run_apart(outcome, folder, plan.limit)
        score(found, folder)
    return found


def write_data(work: Work, seed: int, folder: Path) -> None:
    """Learning and held-out rows of a work, and weights of the former, as .npy files."""
    held = min(HOLD_OUT, work.rows)
    X, y = work.data(work.rows + held, seed)
    for name, array in (("X", X[held:]), ("y", y[held:]), ("X_held", X[:held]), ("y_held", y[:held])):
        np.save(folder / f"{name}.npy", array)
    weights = work.weights(work.rows, seed)
    if weights is not None:
        np.save(folder / "weights.npy", weights)


def answer_files(peer: Peer, folder: Path) -> tuple[Path, Path]:
    """Where the answers of a peer go: on the learning rows, on the held-out rows."""
    stem = f"answers-{peer.package}-{peer.threads}"
    return folder / f"{stem}-learned.bin", folder / f"{stem}-held.bin"


def run_apart(outcome: Outcome, folder: Path, limit: float) -> None:
    """One measurement in a process of its own, added to the outcome; or why there is none."""
    peer = outcome.peer
    environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(peer.threads))}
    command = peer.command(folder, answer_files(peer, folder))
    label = f"{peer.work.name}, {peer.package}, threads {peer.threads}"
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=limit)
        outcome.runs.append(Measurement(**json.loads(done.stdout.splitlines()[-1])))
        print(f"{label}: {outcome.runs[-1].wall:.3g} s", file=sys.stderr, flush=True)
    except subprocess.TimeoutExpired:
        outcome.failure = f"no answer within {limit:.0f} s"
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError, TypeError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        outcome.failure = said[-1] if said else f"ended without a word ({error})"
    if outcome.failure:
        print(f"{label}: failed: {outcome.failure}", file=sys.stderr, flush=True)


def score(found: list[Outcome], folder: Path) -> None:
    """Losses and agreement, from the answers of each peer's last round."""
    scored = [outcome for outcome in found if outcome.runs]
    answers = {id(outcome): [np.fromfile(file) for file in answer_files(outcome.peer, folder)] for outcome in scored}
    standard = next((o for o in scored if isinstance(o.peer, ScikitLearn)), scored[0] if scored else None)
    y, y_held = np.load(folder / "y.npy"), np.load(folder / "y_held.npy")
    input_bytes = np.load(folder / "X.npy", mmap_mode="r").nbytes
    for outcome in scored:
        learned, held = answers[id(outcome)]
        outcome.input_bytes = input_bytes
        regression = outcome.peer.work.regression
        outcome.learned, outcome.held = loss(learned, y, regression), loss(held, y_held, regression)
        outcome.accuracy = 1.0 - outcome.learned / (float(np.var(y)) if regression else 1.0)
        if standard is not None:
            # Means of the same rows differ by the order of adding; LightGBM and YDF keep 32 bits.
            near = 1e-5 * float(np.std(y)) if regression else 0.0
            outcome.same = float(np.mean(np.abs(learned - answers[id(standard)][0]) <= near))


def loss(answers: NDArray[np.float64], y: Targets, regression: bool) -> float:
    """Mean squared error, or the share of errors."""
    return float(np.mean((answers - y) ** 2) if regression else np.mean(answers != y))
