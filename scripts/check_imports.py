"""Check that imports run only downwards through the floors of the house.

Words: a *room* is a folder of src/bristlecone or of cpp/; a *floor* is its height. An import may reach a lower floor or
stay inside its own room; the few exceptions stand in ``NOTED``. Outside packages: see ``OWNERS`` and ``LAZY``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "bristlecone"

FLOORS = {
    "table": 1,
    "tree": 2,
    "grow": 3,
    "subtrees": 3,
    "export": 3,
    "certify": 4,
    "query": 4,
    "estimators": 5,
    "noise": 6,
    "stability": 6,
    "report": 7,
    "cli": 8,
    "distributed": 8,
    "experiments": 8,
}
ROOF = 9  # bristlecone/__init__.py: gathers the public names

# What a room may read of the one below it, where that is less than everything.
NARROW = {"tree": {"table": ("table.schema",)}}

# (importer, imported): sideways or upward on purpose.
NOTED = (
    ("subtrees.selection", "grow"),  # grows a tree per fold
    ("query.distilling", "certify"),  # certifies what it distilled
    ("export.sklearn", "estimators"),  # the one door to scikit-learn
    ("cli.reproduce", "experiments"),  # the one command that runs them
)

REQUIRED = frozenset({"numpy", "scipy", "narwhals"})
# experiments measure beside scikit-learn, and use the data sets that it ships.
OWNERS = {"sklearn": {"estimators", "experiments"}, "typer": {"cli"}, "rich": {"cli"}, "dask": {"distributed"}}
# Extras: never imported when bristlecone is imported, hence only inside functions.
LAZY = {
    "pandas": {"table"},
    "polars": {"table", "cli"},
    "pyarrow": {"table"},
    "skops": {"estimators"},
    "joblib": {"cli", "estimators"},
    "onnx": {"export"},
    "onnxruntime": {"cli", "export"},
    "jinja2": {"report"},
    "matplotlib": {"tree", "estimators", "report", "noise"},
}

CPP_FLOORS = {
    "table": 1,
    "tree": 2,
    "impurity": 3,
    "search": 4,
    "grow": 5,
    "subtrees": 5,
    "route": 5,
    "query": 5,
    "bindings": 6,
}
CPP_PYTHON = re.compile(r"^(nanobind/|Python\.h|numpy/)")


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module and where it stands; `lazy` means not run when the importing module is imported."""

    module: str
    line: int
    lazy: bool


def module_name(path: Path, package_root: Path) -> str:
    """The dotted name of a file below the package, without the package: "" for the package itself."""
    parts = list(path.relative_to(package_root).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def imports_of(tree: ast.Module, importer: str, is_package: bool) -> Iterator[Import]:
    """All imports of a parsed module, relative ones made absolute, `from a import b` as both a and a.b."""
    deferred = _deferred_lines(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, node.lineno in deferred)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, importer, is_package)
            for alias in node.names:
                yield Import(f"{base}.{alias.name}", node.lineno, node.lineno in deferred)


def _deferred_lines(tree: ast.Module) -> set[int]:
    """Lines inside functions and inside `if TYPE_CHECKING:`."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        for statement in _deferred_body(node):
            lines.update(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
    return lines


def _deferred_body(node: ast.AST) -> list[ast.stmt]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.body
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        return node.body
    return []


def _absolute(node: ast.ImportFrom, importer: str, is_package: bool) -> str:
    if node.level == 0:
        return node.module or ""
    parts = [PACKAGE, *filter(None, importer.split("."))]
    keep = len(parts) - node.level + (1 if is_package else 0)
    return ".".join([*parts[:keep], *([node.module] if node.module else [])])


def complaint(importer: str, found: Import, modules: frozenset[str]) -> str | None:
    """Why `importer` (dotted, without the package) may not import `found`, or None."""
    top, _, rest = found.module.partition(".")
    room = importer.split(".")[0]
    if top == PACKAGE:
        return _inside(importer, room, rest, modules)
    return _outside(room, top, found.lazy)


def _inside(importer: str, room: str, target: str, modules: frozenset[str]) -> str | None:
    goal = target.split(".")[0]
    if goal not in FLOORS:
        if goal.startswith("_") and goal != "__init__":
            return None  # _core and the package's own private helpers lie under every floor
        return None if FLOORS.get(room, ROOF) >= 8 else "imports the package's own front door, which lies above it"
    if room == goal or _noted(importer, target):
        return None
    if FLOORS.get(room, ROOF) <= FLOORS[goal]:
        return f"floor {FLOORS.get(room, ROOF)} ({room}) imports floor {FLOORS[goal]} ({goal})"
    allowed = NARROW.get(room, {}).get(goal)
    if allowed is not None and not any(_below(target, name) for name in allowed):
        return f"{room} may read {' and '.join(allowed)} only, not {_module_part(target, modules)}"
    return None


def _noted(importer: str, target: str) -> bool:
    return any(_below(importer, source) and _below(target, goal) for source, goal in NOTED)


def _below(name: str, parent: str) -> bool:
    return name == parent or name.startswith(parent + ".")


def _module_part(target: str, modules: frozenset[str]) -> str:
    """The longest beginning of a dotted name that is a module: table.columns.Table -> table.columns."""
    parts = target.split(".")
    while len(parts) > 1 and ".".join(parts) not in modules:
        parts.pop()
    return ".".join(parts)


def _outside(room: str, top: str, lazy: bool) -> str | None:
    if top in sys.stdlib_module_names or top in REQUIRED:
        return None
    if top in OWNERS:
        owners = OWNERS[top]
        return None if room in owners else f"only {' and '.join(sorted(owners))} may import {top}"
    if top in LAZY:
        if room not in LAZY[top]:
            return f"only {' and '.join(sorted(LAZY[top]))} may import {top}"
        return None if lazy else f"{top} is optional: import it inside the function that needs it"
    return f"{top} is not a declared dependency"


def check_python(source: Path) -> list[str]:
    """Complaints about the package below `source` (the folder that holds bristlecone/), as file:line: reason."""
    root = source / PACKAGE
    files = sorted(root.rglob("*.py"))
    modules = frozenset(module_name(path, root) for path in files)
    complaints = []
    for path in files:
        importer = module_name(path, root)
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for found in imports_of(tree, importer, path.name == "__init__.py"):
            reason = complaint(importer, found, modules)
            if reason:
                complaints.append(f"{path}:{found.line}: {reason}")
    return sorted(set(complaints))


def check_cpp(root: Path) -> list[str]:
    """Complaints about #include lines below cpp/: no arrow up, no Python outside bindings/."""
    complaints = []
    for path in sorted([*root.rglob("*.hpp"), *root.rglob("*.cpp")]):
        room = path.relative_to(root).parts[0]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^">]+)[">]', line)
            reason = _include(room, match.group(1)) if match else None
            if reason:
                complaints.append(f"{path}:{number}: {reason}")
    return complaints


def _include(room: str, target: str) -> str | None:
    if CPP_PYTHON.match(target):
        return None if room == "bindings" else f"only bindings/ may know Python ({target})"
    goal = target.split("/")[0]
    if goal not in CPP_FLOORS or goal == room:
        return None
    if CPP_FLOORS.get(room, 0) <= CPP_FLOORS[goal]:
        return f"floor {CPP_FLOORS.get(room, 0)} ({room}) includes floor {CPP_FLOORS[goal]} ({goal})"
    return None


def main() -> int:
    root = Path(__file__).resolve().parents[1]
    complaints = check_python(root / "src") + check_cpp(root / "cpp")
    print("\n".join(complaints) or "imports: all arrows run down")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
