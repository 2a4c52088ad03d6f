"""Which reports of a sanitizer make the job fail."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "sanitize.py"
spec = importlib.util.spec_from_file_location("sanitize_script", SCRIPT)
assert spec is not None and spec.loader is not None
sanitize = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = sanitize
spec.loader.exec_module(sanitize)

CORE = "/site/bristlecone/_core.cpython-311-x86_64-linux-gnu.so"
OURS = f"""Direct leak of 576 byte(s) in 12 object(s) allocated from:
    #0 0x7f in operator new(unsigned long) asan_new_delete.cpp:95 /usr/lib/libasan.so
    #1 0x7f in std::allocator<long>::allocate(unsigned long) /usr/include/c++/12/bits/new_allocator.h:137 {CORE}
    #2 0x7f in PyObject_Vectorcall Objects/call.c:299 /usr/lib/libpython3.11.so.1.0"""
THEIRS = f"""Direct leak of 48 byte(s) in 1 object(s) allocated from:
    #0 0x7f in __interceptor_malloc asan_malloc_linux.cpp:69 /usr/lib/libasan.so
    #1 0x7f in _PyLong_New Objects/longobject.c:161 /usr/lib/libpython3.11.so.1.0
    #2 0x7f in nanobind::detail::nb_func_vectorcall {CORE}"""


def leaks(*parts: str) -> str:
    head = "==7==ERROR: LeakSanitizer: detected memory leaks"
    return "\n\n".join([head, *parts, "SUMMARY: AddressSanitizer: 624 byte(s) leaked in 13 allocation(s).\n"])


def test_leaks_count_where_the_compiled_part_took_the_memory() -> None:
    assert sanitize.faults_in(leaks(THEIRS)) == []
    assert sanitize.faults_in(leaks(THEIRS, OURS)) == [OURS]
    assert sanitize.faults_in(leaks(OURS.replace("Direct", "Indirect"))) != []


@pytest.mark.parametrize(
    "report",
    [
        "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\n",
        "cpp/table/codes.cpp:62:47: runtime error: nan is outside the range of representable values of type 'int'\n",
        "WARNING: ThreadSanitizer: data race (pid=7)\n",
        "==7==LeakSanitizer has encountered a fatal error.\n",
    ],
)
def test_every_other_report_counts(report: str) -> None:
    assert sanitize.faults_in(report) == [report]


def test_silence_is_no_report() -> None:
    assert sanitize.faults_in("\n") == []
