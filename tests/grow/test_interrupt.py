"""Ctrl-C during growth: it stops at once, and nothing of it stays behind."""

import os
import subprocess
import sys
import textwrap

import pytest

GROW = """
    import os, signal, threading, time
    import numpy as np
    import bristlecone as bc

    rng = np.random.default_rng(1)
    X = rng.normal(size=(400_000, 30))
    y = {y}
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    try:
        bc.grow.cart(X, y, {options})
        print("ended by itself after", time.monotonic() - start)
    except KeyboardInterrupt:
        print("stopped after", time.monotonic() - start)
    small = bc.grow.cart(X[:50], y[:50], {options})
    print("leaves", small.n_leaves)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("rng.integers(2, size=len(X))", "criterion='gini'"),
        ("rng.normal(size=len(X))", "criterion='squared_error'"),
        ("rng.normal(size=len(X))", "criterion='squared_error', monotonic_cst=[1] * X.shape[1]"),
    ],
    ids=["classes", "numbers", "monotone"],
)
def test_ctrl_c_stops_growth_and_leaves_nothing_behind(target, options, n_jobs):
    script = textwrap.dedent(GROW).format(y=target, options=f"{options}, n_jobs={n_jobs}")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True)
    first, second = done.stdout.splitlines()
    assert first.startswith("stopped after"), done.stdout
    assert float(first.split()[-1]) < 3.0  # 0.3 until the signal, and room for a machine that is busy
    assert second.startswith("leaves")
    assert done.stderr == ""
