"""The house keeps its rules, and the scripts that check them have teeth."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"house_{name}", ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


imports = load_script("check_imports")
rooms = load_script("check_rooms")


def test_imports_run_down() -> None:
    assert imports.check_python(ROOT / "src") == []


def test_includes_run_down() -> None:
    assert imports.check_cpp(ROOT / "cpp") == []


def test_rooms_are_small() -> None:
    assert rooms.check(ROOT) == []


def package_with(tmp_path: Path, module: str, text: str) -> Path:
    for folder in ("table", "tree", "grow", "subtrees", "export", "query", "certify", "estimators", "report", "cli"):
        (tmp_path / "bristlecone" / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "bristlecone" / folder / "__init__.py").touch()
    (tmp_path / "bristlecone" / "__init__.py").touch()
    (tmp_path / "bristlecone" / "table" / "schema.py").touch()
    (tmp_path / "bristlecone" / "table" / "columns.py").touch()
    path = tmp_path / "bristlecone" / f"{module}.py"
    path.write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("module", "text", "reason"),
    [
        ("tree/tree", "from bristlecone.report import page", "floor 2 (tree) imports floor 7 (report)"),
        ("tree/tree", "from ..grow.cart import cart", "floor 2 (tree) imports floor 3 (grow)"),
        ("tree/tree", "from bristlecone.table.columns import Table", "table.schema only, not table.columns"),
        ("tree/tree", "from bristlecone.table import columns", "table.schema only, not table.columns"),
        ("tree/tree", "def f():\n    import bristlecone.cli.main", "floor 2 (tree) imports floor 8 (cli)"),
        ("table/frames", "import bristlecone as bc", "front door"),
        ("table/frames", "from bristlecone import Tree", "front door"),
        ("subtrees/fold", "from bristlecone.grow import cart", "floor 3 (subtrees) imports floor 3 (grow)"),
        ("export/sql", "from bristlecone.estimators import load", "floor 3 (export) imports floor 5 (estimators)"),
        ("tree/tree", "import sklearn.tree", "only estimators and experiments may import sklearn"),
        ("estimators/base", "from rich import print", "only cli may import rich"),
        ("grow/cart", "import dask", "only distributed may import dask"),
        ("table/files", "import polars", "polars is optional"),
        ("grow/cart", "def f():\n    import pandas", "only table may import pandas"),
        ("grow/cart", "import numba", "not a declared dependency"),
    ],
)
def test_a_bad_import_is_named(tmp_path: Path, module: str, text: str, reason: str) -> None:
    complaints = imports.check_python(package_with(tmp_path, module, text))
    assert len(complaints) == 1
    assert reason in complaints[0]
    line = 2 if text.startswith("def") else 1
    assert complaints[0].startswith(f"{tmp_path}/bristlecone/{module}.py:{line}: ")


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("tree/tree", "from bristlecone.table.schema import Schema"),
        ("tree/tree", "from bristlecone.table import schema"),
        ("tree/tree", "from . import conditions\nfrom .conditions import Threshold"),
        ("grow/cart", "import numpy as np\nfrom bristlecone import _core\nfrom ..tree.tree import Tree"),
        ("subtrees/selection", "from bristlecone.grow.cart import cart"),
        ("query/distilling", "from bristlecone.certify import bounds"),
        ("export/sklearn", "from bristlecone.estimators import door"),
        ("estimators/base", "from sklearn.base import BaseEstimator"),
        ("cli/main", "import typer\nimport bristlecone as bc"),
        ("table/files", "def read():\n    import polars\n    return polars"),
        ("table/files", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pyarrow"),
        ("__init__", "from .estimators import DecisionTreeClassifier\nfrom . import grow"),
    ],
)
def test_a_good_import_passes(tmp_path: Path, module: str, text: str) -> None:
    assert imports.check_python(package_with(tmp_path, module, text)) == []


@pytest.mark.parametrize(
    ("file", "include", "reason"),
    [
        ("table/codes.hpp", '#include "grow/grow.hpp"', "floor 1 (table) includes floor 5 (grow)"),
        ("search/threshold.cpp", "#include <nanobind/ndarray.h>", "only bindings/ may know Python"),
        ("threads.hpp", '#include "tree/tree.hpp"', "includes floor 2 (tree)"),
    ],
)
def test_a_bad_include_is_named(tmp_path: Path, file: str, include: str, reason: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#pragma once\n{include}\n")
    complaints = imports.check_cpp(tmp_path)
    assert len(complaints) == 1
    assert reason in complaints[0] and f"{file}:2: " in complaints[0]


@pytest.mark.parametrize(("folder", "suffix"), [("src", "py"), ("cpp", "hpp"), ("cpp", "cpp"), ("benchmarks", "py")])
def test_a_long_file_is_named(tmp_path: Path, folder: str, suffix: str) -> None:
    path = tmp_path / folder / "deep" / f"long.{suffix}"
    path.parent.mkdir(parents=True)
    path.write_text("\n" * 401)
    assert rooms.check(tmp_path) == [f"{path}:1: 401 lines, 400 allowed"]
    path.write_text("\n" * 400)
    assert rooms.check(tmp_path) == []


def test_a_long_function_is_named(tmp_path: Path) -> None:
    path = tmp_path / "src" / "long.py"
    path.parent.mkdir()
    docstring = '    """' + "words\n    " * 60 + '"""\n'
    path.write_text("def short():\n" + docstring + "    x = 1\n" * 49)
    assert rooms.check(tmp_path) == []
    path.write_text("\n\ndef long():\n" + docstring + "    x = 1\n" * 50)
    assert rooms.check(tmp_path) == [f"{path}:3: long has 51 lines, 50 allowed"]


@pytest.mark.parametrize("script", [imports, rooms])
def test_the_scripts_exit_with_zero_here(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main() == 0
    assert "all" in capsys.readouterr().out
