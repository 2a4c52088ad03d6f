"""Run the tests with the compiled part built under sanitizers; any report is a failure.

    python scripts/sanitize.py address|thread [arguments for pytest]

An instrumented build and an environment to run it in are made below build/sanitize/. The environment has only the
instrumented package of its own and borrows everything else from the Python that runs this script, which therefore needs
what pyproject.toml builds and tests with (`make sanitize` sees to that). Python and its packages are not instrumented:
what they do alone is not reported, so nothing of theirs has to be suppressed. Only leaks are counted in all memory, and
there a report counts if the lost memory was taken by the compiled part.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = re.compile(r"/bristlecone/_core\.[^/]*so$")
SHOWN_LINES = 40  # of a report; what follows are Python's own frames
COMMON = "halt_on_error=1:handle_abort=1:stack_trace_format='    #%n %p in %f %S %m'"


@dataclass(frozen=True)
class Sanitizer:
    """flags: as CMakeLists.txt takes them. libraries: loaded before Python. options: by the runtime's variable.

    variables: others that are needed. tests: what pytest is asked to run. skipped: tests that the sanitizer itself
    makes fail, with the reason.
    """

    flags: str
    libraries: tuple[str, ...]
    options: dict[str, str]
    variables: dict[str, str]
    tests: tuple[str, ...]
    skipped: dict[str, str]

    @property
    def name(self) -> str:
        return self.flags.split(",")[0]

    @property
    def folder(self) -> Path:
        return ROOT / "build" / "sanitize" / self.name

    @property
    def reports(self) -> Path:
        return self.folder / "reports"


SANITIZERS = {
    "address": Sanitizer(
        flags="address,undefined",
        # The C++ library too: the runtime looks for its exceptions when it starts.
        libraries=("libasan.so", "libubsan.so", "libstdc++.so"),
        # Leaks are looked for by scripts/under_sanitizer.py, not when a process ends: Python never frees all it has.
        options={"ASAN_OPTIONS": "detect_leaks=1:leak_check_at_exit=0", "UBSAN_OPTIONS": "print_stacktrace=1"},
        variables={},
        tests=("-n", "2"),
        skipped={
            "tests/cases/test_cases_models.py::test_c62_memory_is_linear_in_rows": "the sanitizer's own memory counts",
        },
    ),
    "thread": Sanitizer(
        flags="thread",
        libraries=("libtsan.so", "libstdc++.so"),
        # What others' code does is not followed (its atomics are not seen), nor is there room for the locks that the
        # allocator inside polars takes at a fork; and it leaves threads behind, while ours join by their type.
        options={"TSAN_OPTIONS": "ignore_noninstrumented_modules=1:detect_deadlocks=0:report_thread_leaks=0"},
        # That allocator starts a thread while it is loaded, which the runtime does not survive.
        variables={"_RJEM_MALLOC_CONF": "background_thread:false"},
        tests=("tests/grow", "tests/tree", "tests/table", "tests/subtrees", "tests/estimators"),
        skipped={},
    ),
}


def build(sanitizer: Sanitizer) -> Path:
    """Make the instrumented package and its environment, and return that environment's Python."""
    site, home = sanitizer.folder / "site", sanitizer.folder / "venv"
    settings = {
        "build-dir": str(sanitizer.folder / "cmake"),
        "cmake.build-type": "RelWithDebInfo",  # the names of functions stay
        "cmake.define.BRISTLECONE_SANITIZE": sanitizer.flags,
    }
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-build-isolation", "--upgrade", "--target", str(site)]
    command += [f"--config-settings={name}={value}" for name, value in settings.items()]
    subprocess.run([*command, str(ROOT)], check=True)
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    # Folders named in a .pth file are searched, but their own .pth files are not read: no editable install comes first.
    borrowed = home / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    (borrowed / "borrowed.pth").write_text(f"{site}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    command_line = home / "bin" / "bristlecone"
    run = "from bristlecone.cli.main import run; raise SystemExit(run())"
    command_line.write_text(f"""#!/bin/sh\nexec '{python}' -c '{run}' "$@"\n""", encoding="utf-8")
    command_line.chmod(0o755)
    return python


def environment(sanitizer: Sanitizer) -> dict[str, str]:
    """The variables under which the instrumented package runs in an ordinary Python."""
    compiler = os.environ.get("CXX", "c++")
    asked = [[compiler, f"-print-file-name={library}"] for library in sanitizer.libraries]
    found = [subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip() for line in asked]
    missing = [name for name, path in zip(sanitizer.libraries, found, strict=True) if not os.path.isabs(path)]
    if missing:
        sys.exit(f"sanitize: {compiler} has no {', '.join(missing)}; install it, or name g++ in CXX")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    options = {
        variable: f"{COMMON}:log_path={sanitizer.reports / 'report'}:{own}"
        for variable, own in sanitizer.options.items()
    }
    # With malloc for everything each object has bounds of its own, and leaks are found through objects.
    python = {"PYTHONMALLOC": "malloc", "PYTHONPATH": str(ROOT / "scripts")}
    return kept | options | python | sanitizer.variables | {"LD_PRELOAD": " ".join(found)}


def faults_in(text: str) -> list[str]:
    """The parts of a runtime's report that count: all of it, but of leaks only those of the compiled part."""
    if "LeakSanitizer: detected memory leaks" not in text:
        return [text] if text.strip() else []
    leaks = [part for part in text.split("\n\n") if re.match(r"\s*(Direct|Indirect) leak of", part)]
    return [leak for leak in leaks if _taken_by_core(leak)]


def _taken_by_core(leak: str) -> bool:
    """Whether the function that called malloc or new, the second frame, is in the compiled part."""
    frames = re.findall(r"^\s*#(\d+) .* (\S+)$", leak, re.MULTILINE)
    return any(number == "1" and CORE.search(module) for number, module in frames)


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] not in SANITIZERS:
        sys.exit(f"usage: python scripts/sanitize.py {'|'.join(SANITIZERS)} [arguments for pytest]")
    sanitizer = SANITIZERS[arguments[0]]
    python = build(sanitizer)
    shutil.rmtree(sanitizer.reports, ignore_errors=True)
    sanitizer.reports.mkdir(parents=True)
    skipped = [f"--deselect={test}" for test in sanitizer.skipped]
    command = [str(python), "-m", "pytest", "-p", "no:cacheprovider", "-p", "under_sanitizer", "-o", "timeout=1800"]
    tests = subprocess.run([*command, *skipped, *sanitizer.tests, *arguments[1:]], cwd=ROOT, env=environment(sanitizer))
    for test, reason in sanitizer.skipped.items():
        print(f"sanitize: left out {test}: {reason}")
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(sanitizer.reports.iterdir())]
    faults = [fault for text in texts for fault in faults_in(text)]
    for fault in faults:
        print("\n".join(fault.splitlines()[:SHOWN_LINES]), end="\n\n")
    print(f"sanitize ({sanitizer.flags}): {len(faults)} reports in {sanitizer.reports}, pytest gave {tests.returncode}")
    return 1 if faults else tests.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
