"""What the user got wrong, said in one line.

fault: something about the command's words or files that the user can mend; it ends the command with exit code 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path


class Fault(ValueError):
    """What the user got wrong: one sentence that names the file, column, row or option, and the value."""


def plain(text: object) -> str:
    """Return `text` with every character that could move the cursor or forge a line written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(text))


def one_line(text: str) -> str:
    """Return a message of one or more lines as one line."""
    return plain(" ".join(part.strip() for part in text.splitlines() if part.strip()))


def quoted(name: object) -> str:
    """Return a name or a value in single quotes, escaped so that it stays on one line."""
    return f"'{plain(name)}'"


def names_of_two(a: Path, b: Path) -> tuple[str, str]:
    """Return what two files are called beside each other: by name, or as they were given where both have one name."""
    return (plain(a), plain(b)) if a.name == b.name else (plain(a.name), plain(b.name))


def label(value: object) -> str:
    """Return a class or a target's value as the user knows it: text in quotes, numbers as they are, true and false."""
    if isinstance(value, str):
        return quoted(value)
    shown = str(value)
    return shown.lower() if shown in ("True", "False") else shown.removesuffix(".0")


def listed(names: Iterable[object], most: int = 6) -> str:
    """Return quoted names with commas, the first `most` of them and a count of the rest."""
    every = [quoted(name) for name in names]
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest:,} more" if rest > 0 else "")


def check_chance(flag: str, value: float) -> None:
    """Raise the fault for what is no chance, 0 and 1 excluded."""
    if not 0 < value < 1:
        raise Fault(f"{flag} {value:g} must lie between 0 and 1")


def unknown_name(name: str, names: Sequence[str], where: str) -> Fault:
    """Return the fault for a column that is not there, with the names that come near it."""
    folded = {known.casefold().strip(): known for known in reversed(names)}
    near = difflib.get_close_matches(name.casefold().strip(), list(folded), n=3, cutoff=0.6)
    if near:
        hint = "did you mean " + " or ".join(quoted(folded[key]) for key in near) + "?"
    else:
        hint = f"its columns are {listed(names)}"
    return Fault(f"no column {quoted(name)} in {where}; {hint}")


def check_name(name: str, names: Sequence[str], where: str) -> str:
    """Return `name` if it is one of `names`; raise the fault that suggests near ones if it is not."""
    if name not in names:
        raise unknown_name(name, names, where)
    return name


def named(given: Sequence[str], names: Sequence[str], where: str) -> tuple[str, ...]:
    """Return the columns that the values of a repeated option name, each checked.

    A value that is no column itself may be several names with commas between them: `--drop id,date`.
    """
    found: list[str] = []
    for value in given:
        parts = [value] if value in names else [part.strip() for part in value.split(",")]
        if len(parts) > 1 and not any(part in names for part in parts):
            parts = [value]
        found.extend(check_name(part, names, where) for part in parts)
    return tuple(dict.fromkeys(found))
