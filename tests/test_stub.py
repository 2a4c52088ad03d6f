"""The stub of the compiled module names what is in it, with the same parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from bristlecone import _core

STUB = Path(__file__).resolve().parents[1] / "src" / "bristlecone" / "_core.pyi"


def stub_functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from stub_functions(node.body, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            is_property = any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)
            yield prefix + node.name, [] if is_property else [argument.arg for argument in node.args.args]


def parameters(function: object) -> list[str]:
    """Names from the signature that nanobind keeps: "def f(a: int, b: ... ) -> ..."; [] for a property."""
    if isinstance(function, property):
        return []
    signature = function.__nb_signature__[0][0]  # type: ignore[attr-defined]
    # Defaults and device annotations stand in it as \0, \1 ...: only names matter here.
    depth, names, start = 0, [], signature.index("(") + 1
    for place in range(start, len(signature)):
        letter = signature[place]
        closing = letter in ")]}" and depth == 0
        if closing or (letter == "," and depth == 0):
            names.append(signature[start:place].split(":")[0].split("=")[0].strip())
            start = place + 1
        if closing:
            break
        depth += (letter in "([{") - (letter in ")]}")
    return [name for name in names if name and name not in "/*"]


def core_functions() -> Iterator[tuple[str, list[str]]]:
    for name, item in vars(_core).items():
        if isinstance(item, type):
            for method, function in vars(item).items():
                if method in ("__init__", "__len__") or not method.startswith("__"):
                    yield f"{name}.{method}", parameters(function)
        elif hasattr(item, "__nb_signature__"):
            yield name, parameters(item)


def test_the_stub_and_the_module_agree() -> None:
    stub = dict(stub_functions(ast.parse(STUB.read_text()).body))
    core = dict(core_functions())
    assert {name: core[name] for name in sorted(core)} == {name: stub[name] for name in sorted(stub)}
