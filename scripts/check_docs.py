"""Run every example of README.md and docs/, and check that it prints what it is shown to print.

    python scripts/check_docs.py            say which examples fail
    python scripts/check_docs.py --write    write what the commands of console blocks print now into the pages

Words: a *block* is one fenced example. Python blocks run in order in one namespace a page, with >>> as doctest and
without as plain code. Of console blocks the lines `$ command` run where they name a command of ours or a harmless one;
what follows a command is its output, in which a line `...` stands for any lines, and durations do not count. All of it
happens in a folder that holds the files `make demo` writes.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RUN = ("bristlecone", "head", "cat")
LANGUAGES = {"python", "console", "json", "text", ""}
WIDTH = 100  # columns of the terminal that the commands believe in
DURATION = re.compile(r"\b\d+(\.\d+)? (ms|s)\b")


@dataclass(frozen=True)
class Block:
    """A fenced example, its language, and the line of its first line."""

    language: str
    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A command of a console block as it is written there, and the output shown below it."""

    written: str
    shown: str

    @property
    def words(self) -> str:
        return re.sub(r"\s*\\\n\s*", " ", self.written)

    @property
    def runs(self) -> bool:
        return self.words.split()[0] in RUN


def pages() -> list[Path]:
    """README.md and the pages of docs/."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks_of(page: str) -> Iterator[Block]:
    """The fenced blocks of a page of Markdown."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        yield Block(match[1], match[2], page[: match.start()].count("\n") + 2)


def commands_of(text: str) -> Iterator[Command]:
    """The commands of a console block."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        used = 1
        while lines[used - 1].endswith("\\"):
            used += 1
        yield Command("\n".join(lines[:used]), "\n".join(lines[used:]).rstrip())


def printed_by(command: Command) -> str:
    """Run a command in the current folder and return all it prints; AssertionError if it fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command.words,
        shell=True,
        env={**os.environ, "PATH": path, "PYTHONIOENCODING": "utf-8", "COLUMNS": str(WIDTH)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{command.words}\n{done.stdout}"
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().split("\n"))


def agrees(shown: str, printed: str) -> bool:
    """Whether the output is as shown; durations do not count, and `...` is any lines."""
    pieces = re.split(r"^\.\.\.$", DURATION.sub("(time)", shown), flags=re.MULTILINE)
    pattern = r".*?".join(re.escape(piece) for piece in pieces)
    return re.fullmatch(pattern, DURATION.sub("(time)", printed), re.DOTALL) is not None


def run_console(block: Block) -> None:
    for command in commands_of(block.text):
        if command.runs:
            printed = printed_by(command)
            assert agrees(command.shown, printed), f"{command.words}\nprints\n{printed}\nnot\n{command.shown}"


def run_python(block: Block, namespace: dict[str, Any], where: str) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, where, "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.text, namespace, where, where, block.line - 1)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.failures == 0, "".join(report)
    namespace.update(test.globs)


def check_page(page: str, name: str) -> None:
    """Run the examples of a page in the current folder; AssertionError names the first that is wrong."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks_of(page):
        where = f"{name}:{block.line}"
        try:
            assert block.language in LANGUAGES, f"a block of an unknown language: {block.language}"
            if block.language == "python":
                run_python(block, namespace, where)
            elif block.language == "console":
                run_console(block)
        except Exception as fault:
            raise AssertionError(f"{where}: {fault}") from fault


def rewritten(page: str) -> str:
    """The page with the outputs that its console commands print now, where those shown are wrong."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks_of(page):
        if block.language == "python":
            with contextlib.suppress(AssertionError):
                run_python(block, namespace, "page")
        if block.language == "console":
            text = "\n".join(_rewritten(command) for command in commands_of(block.text)) + "\n"
            page = page.replace(f"```console\n{block.text}```", f"```console\n{text}```")
    return page


def _rewritten(command: Command) -> str:
    shown = command.shown
    if command.runs:
        printed = printed_by(command)
        shown = shown if agrees(shown, printed) else printed
    return f"$ {command.written}" + (f"\n{shown}" if shown else "")


@contextlib.contextmanager
def demo_folder() -> Iterator[None]:
    """A temporary current folder with the files of the demo."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        script = ROOT / "scripts" / "demo_data.py"
        subprocess.run([sys.executable, str(script), folder], check=True, capture_output=True)
        yield


def main(arguments: list[str]) -> int:
    wrong = 0
    for path in pages():
        text = path.read_text(encoding="utf-8")
        with demo_folder():
            try:
                if "--write" in arguments:
                    path.write_text(rewritten(text), encoding="utf-8")
                else:
                    check_page(text, path.name)
            except AssertionError as fault:
                print(fault)
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
