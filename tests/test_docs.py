"""Every example in README.md and docs/ runs, and prints what it is shown to print.

Words: a *block* is one fenced example. Python blocks run in order in one namespace a file, with >>> as doctest and
without as plain code. Of console blocks the lines `$ command` run where they name a command of ours or a harmless one;
what follows a command is its output, in which a line `...` stands for any lines. All of it happens in a folder that
holds the files `make demo` writes.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
RUN = ("bristlecone", "head", "cat")
KNOWN_LANGUAGES = {"python", "console", "json", "text", "sh", "toml", "cpp", ""}


@dataclass(frozen=True)
class Block:
    """A fenced example, its language, and the line of its first line."""

    language: str
    text: str
    line: int


def blocks_of(page: str) -> Iterator[Block]:
    """The fenced blocks of a page of Markdown."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        yield Block(match[1], match[2], page[: match.start()].count("\n") + 2)


def commands_of(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with its shown output."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        used = 1
        while lines[used - 1].endswith("\\"):
            used += 1
        yield " ".join(line.rstrip("\\").strip() for line in lines[:used]), "\n".join(lines[used:]).rstrip()


def agrees(shown: str, printed: str) -> bool:
    """Whether the output is as shown; spaces at line ends do not count, and `...` is any lines."""
    tidy = "\n".join(line.rstrip() for line in printed.rstrip().split("\n"))
    pieces = re.split(r"^\.\.\.$", shown, flags=re.MULTILINE)
    pattern = r".*?".join(re.escape(piece) for piece in pieces)
    return re.fullmatch(pattern, tidy, re.DOTALL) is not None


def run_console(block: Block, where: str) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONIOENCODING": "utf-8",
        "COLUMNS": "100",
    }
    for command, shown in commands_of(block.text):
        if command.split()[0] not in RUN:
            continue
        done = subprocess.run(
            command,
            shell=True,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout}"
        assert not shown or agrees(shown, done.stdout), f"{where}: {command}\nprints\n{done.stdout}\nnot\n{shown}"


def run_python(block: Block, namespace: dict[str, Any], where: str) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, where, "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.text, namespace, where, where, block.line - 1)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.failures == 0, f"{where}\n{''.join(report)}"
    namespace.update(test.globs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_they_show(page: Path, demo_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo_folder)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        where = f"{page.name}:{block.line}"
        if block.language == "python":
            run_python(block, namespace, where)
        elif block.language == "console":
            run_console(block, where)
        else:
            assert block.language in KNOWN_LANGUAGES, where


@pytest.fixture
def demo_folder(tmp_path: Path) -> Path:
    script = ROOT / "scripts" / "demo_data.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, capture_output=True)
    return tmp_path


def test_links_between_pages_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


class TestTheExtractor:
    def test_blocks_and_lines(self) -> None:
        page = "# A\n\n```python\nx = 1\n```\n\n```console\n$ head f\nout\n```\n"
        assert list(blocks_of(page)) == [Block("python", "x = 1\n", 4), Block("console", "$ head f\nout\n", 8)]

    def test_commands_and_outputs(self) -> None:
        text = "$ bristlecone fit a.csv \\\n    --target y\none\n\ntwo\n\n$ make demo\n"
        assert list(commands_of(text)) == [("bristlecone fit a.csv --target y", "one\n\ntwo"), ("make demo", "")]

    @pytest.mark.parametrize(
        ("shown", "printed", "right"),
        [
            ("one\ntwo", "one  \ntwo\n", True),
            ("one\n...\nfour", "one\ntwo\nthree\nfour\n", True),
            ("one", "one\ntwo\n", False),
            ("1.5", "105", False),
        ],
    )
    def test_agreement(self, shown: str, printed: str, right: bool) -> None:
        assert agrees(shown, printed) is right

    @pytest.mark.parametrize("text", ["$ cat no-such-file\n", "$ head -n 1 page.txt\nother\n"])
    def test_a_wrong_console_block_fails(self, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "page.txt").write_text("this\n")
        with pytest.raises(AssertionError, match=r"README:7: (cat|head)"):
            run_console(Block("console", text, 7), "README:7")

    @pytest.mark.parametrize("text", [">>> 1 + 1\n3\n", "assert 1 + 1 == 3\n"])
    def test_a_wrong_python_block_fails(self, text: str) -> None:
        with pytest.raises(AssertionError):
            run_python(Block("python", text, 7), {}, "README:7")
