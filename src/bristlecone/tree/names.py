"""Names and levels as they may stand in a sentence: always on one line, never mistaken for the words around them."""

import re
import unicodedata
from collections.abc import Hashable

JOINERS = "\u200c\u200d"  # inside emoji and in Persian or Hindi words
SAID_BY_US = {"true", "false", "missing", "or", "and", "is", "nan", "none", "null", "inf", "infinity"}
NUMBER = re.compile(r"[+-]?(\d|\.\d)[\w.+-]*")


def shown(name: str) -> str:
    """A name as it is where that is plain, else quoted with what cannot be printed escaped (a newline as \\n)."""
    printable = all(letter.isprintable() or letter in JOINERS for letter in name)
    if name and printable and name == name.strip() and not name.startswith('"'):
        return name
    return quoted(name)


def quoted(name: str) -> str:
    """A name in double quotes, on one line."""
    return '"' + "".join(_escaped(letter) for letter in name) + '"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if letter.isprintable() or letter in JOINERS:
        return letter
    return letter.encode("unicode_escape").decode("ascii")


def shown_level(level: Hashable) -> str:
    """A level or label: text is quoted where it would read as a number, a list, or one of our words."""
    if isinstance(level, bool):
        return "true" if level else "false"
    if not isinstance(level, str):
        return shown(level.isoformat() if hasattr(level, "isoformat") else str(level))
    plain = shown(level)
    reads_otherwise = "," in level or " or " in level or level.lower() in SAID_BY_US or NUMBER.fullmatch(level)
    return quoted(level) if reads_otherwise else plain


def width_of(text: str) -> int:
    """The columns a text takes on a terminal: two for wide letters and emoji, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or letter in JOINERS or letter == "\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def listed(items: list[str], fold: int | None = None) -> str:
    """ "a", "a or b", "a, b or c"; with fold, "a, b, c and 37 others" when more than fold + 1."""
    if fold is not None and len(items) > fold + 1:
        return f"{', '.join(items[:fold])} and {len(items) - fold} others"
    return " or ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
