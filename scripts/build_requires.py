"""Print what must be installed before a build without isolation, one requirement a line."""

from __future__ import annotations

import tomllib
from pathlib import Path


def build_requires(pyproject: Path) -> list[str]:
    """The declared build requirements, and cmake and ninja, which the backend adds by itself only under isolation."""
    settings = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    cmake = settings["tool"]["scikit-build"]["cmake"]["version"]
    return [*settings["build-system"]["requires"], f"cmake{cmake}", "ninja"]


if __name__ == "__main__":
    print("\n".join(build_requires(Path(__file__).resolve().parents[1] / "pyproject.toml")))
