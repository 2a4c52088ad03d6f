"""A pytest plugin for scripts/sanitize.py: no deadlines, and a look for leaks when the tests are over.

Not when the process ends: workers end without it, and what tests start would fail for what Python leaves.
"""

from __future__ import annotations

import ctypes
import gc

import hypothesis


def pytest_configure() -> None:
    hypothesis.settings.register_profile("unhurried", deadline=None)
    hypothesis.settings.load_profile("unhurried")


def pytest_sessionfinish() -> None:
    look = getattr(ctypes.CDLL(None), "__lsan_do_recoverable_leak_check", None)
    if look is not None:
        gc.collect()
        look()
