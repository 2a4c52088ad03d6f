"""The console script: runs one command and turns whatever happens into an exit code.

0: done. 2: the user got something wrong, one line says what. 130: stopped by Ctrl-C. 1: a fault of this program.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from bristlecone.cli.faults import Fault, one_line
from bristlecone.cli.progress import work_remains

DEBUG = "BRISTLECONE_DEBUG"
"""Environment variable: any value but 0 shows the traceback of an error."""

_MISSING = 'the command line needs more packages: pip install "bristlecone[cli]"'
_SIGPIPE = 141


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name; default: the process's own) and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _forgive_narrow_encodings()
    with _sigterm_unwinds():
        return _leave(_run(words))


def _invoke(words: list[str]) -> int:
    """Import the commands, which takes longer than many of them run, and run one."""
    try:
        from bristlecone.cli import app
    except ModuleNotFoundError as fault:
        if (fault.name or "").split(".")[0] not in {"typer", "rich", "polars"}:
            raise
        raise Fault(_MISSING) from fault
    return app.invoke(words)


def _run(words: list[str]) -> int:
    try:
        code = _invoke(words)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _say("stopped by Ctrl-C; nothing half-written is left behind", 130)
    except BrokenPipeError:
        return _close_pipes()
    except SystemExit as leaving:  # SIGTERM
        return leaving.code if isinstance(leaving.code, int) else 1
    except MemoryError:
        return _say("out of memory", 1)
    except (ValueError, TypeError, OSError, ImportError) as fault:
        _show_traceback()
        return _say(_sentence(fault), 2)
    except Exception as fault:
        _show_traceback()
        return _say(f"a fault of this program ({type(fault).__name__}: {fault}); {DEBUG}=1 shows where", 1)


def _sentence(fault: Exception) -> str:
    """Return what an error says, in the user's words where the system's own would be terse."""
    if isinstance(fault, OSError) and fault.strerror:
        where = f" '{fault.filename}'" if fault.filename is not None else ""
        return f"{fault.strerror[0].lower()}{fault.strerror[1:]}{where}"
    return str(fault) or type(fault).__name__


def _say(sentence: str, code: int) -> int:
    print(f"bristlecone: {one_line(sentence)}", file=sys.stderr, flush=True)
    return code


def _show_traceback() -> None:
    if os.environ.get(DEBUG, "0") != "0":
        traceback.print_exc()


def _close_pipes() -> int:
    """The reader of a pipe left early, as `head` does: that is no error, and says nothing."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(devnull, stream.fileno())  # or the interpreter would complain when it flushes at exit
    return _SIGPIPE


def _forgive_narrow_encodings() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave(code: int) -> int:
    if work_remains():
        # The compiled call cannot be stopped, and must not come back into an interpreter that is being taken down.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


@contextmanager
def _sigterm_unwinds() -> Iterator[None]:
    """Within, SIGTERM leaves through the `finally` blocks that remove unfinished files."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not the main thread: signals are not ours to handle
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
