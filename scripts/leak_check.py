"""A pytest plugin for scripts/sanitize.py: asks the address sanitizer, when the tests are over, what has been lost.

Not when the process ends: workers end without it, and what tests start would fail for what Python leaves.
"""

from __future__ import annotations

import ctypes
import gc


def pytest_sessionfinish() -> None:
    gc.collect()
    ctypes.CDLL(None).__lsan_do_recoverable_leak_check()
