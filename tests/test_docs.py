"""Every example in README.md and docs/ prints what it is shown to print, and the script that checks it bites."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_docs", ROOT / "scripts" / "check_docs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


docs = load_script()


@pytest.mark.parametrize("page", docs.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_they_show(page: Path) -> None:
    with docs.demo_folder():
        docs.check_page(page.read_text(encoding="utf-8"), page.name)


@pytest.mark.parametrize(
    "page", [*docs.pages(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=lambda page: str(page.name)
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), f"{page.name} links to {target}"


def test_blocks_and_lines() -> None:
    page = "# A\n\n```python\nx = 1\n```\n\n```console\n$ head f\nout\n```\n"
    found = [(block.language, block.text, block.line) for block in docs.blocks_of(page)]
    assert found == [("python", "x = 1\n", 4), ("console", "$ head f\nout\n", 8)]


def test_commands_and_outputs() -> None:
    text = "$ bristlecone fit a.csv \\\n    --target y\none\n\ntwo\n\n$ make demo\n"
    found = [(command.words, command.shown, command.runs) for command in docs.commands_of(text)]
    assert found == [("bristlecone fit a.csv --target y", "one\n\ntwo", True), ("make demo", "", False)]


@pytest.mark.parametrize(
    ("shown", "printed", "right"),
    [
        ("one\ntwo", "one\ntwo", True),
        ("one\n...\nfour", "one\ntwo\nthree\nfour", True),
        ("grown in 9 ms", "grown in 1.2 s", True),
        ("one", "one\ntwo", False),
        ("1.5", "105", False),
        ("", "one", False),
    ],
)
def test_agreement(shown: str, printed: str, right: bool) -> None:
    assert docs.agrees(shown, printed) is right


@pytest.mark.parametrize(
    "example",
    [
        "```console\n$ cat no-such-file\n```",
        "```console\n$ head -n 1 page.txt\nother\n```",
        "```python\n>>> 1 + 1\n3\n```",
        "```python\nassert 1 + 1 == 3\n```",
        "```python\nx = 1\n```\n\n```python\n>>> y\n```",
        "```klingon\n```",
    ],
)
def test_a_wrong_example_is_named(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.txt").write_text("this\n")
    with pytest.raises(AssertionError, match=r"^README.md:\d+: "):
        docs.check_page(f"# A\n\n{example}\n", "README.md")


def test_outputs_are_rewritten_where_they_are_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.txt").write_text("this\nthat\n")
    page = "```console\n$ cat page.txt\nold\n$ head -n 1 page.txt\n...\n$ make demo\n```\n"
    assert docs.rewritten(page) == page.replace("old", "this\nthat")
