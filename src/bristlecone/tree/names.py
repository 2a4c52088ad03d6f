"""Names and levels as they may stand in a sentence: always on one line, never mistaken for the words around them."""

import math
import re
import unicodedata
from collections.abc import Hashable
from typing import Any

import numpy.typing as npt

from bristlecone.table.schema import format_number

JOINERS = "\u200c\u200d"  # inside emoji and in Persian or Hindi words
SAID_BY_US = {"true", "false", "missing", "or", "and", "is", "nan", "none", "null", "inf", "infinity"}
# letters of one column each: those below the first combining mark, and the guides of a drawing
NARROW = re.compile("[\x00-\u02ff│├└─⋯→…≥]*")
SHORT = 7  # digits of a number that is never rounded
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
    word = level.lower().removeprefix("-").removeprefix("+")  # "-inf" reads as a number, like "inf"
    reads_otherwise = "," in level or " or " in level or word in SAID_BY_US or NUMBER.fullmatch(level)
    return quoted(level) if reads_otherwise else plain


def shown_class(classes: npt.NDArray[Any], code: int) -> str:
    """The label of a class as it may stand in a sentence."""
    if classes.dtype.kind == "M":  # as Python objects, nanoseconds would be bare integers
        return str(classes[code])
    return shown_level(classes[code : code + 1].tolist()[0])


def width_of(text: str) -> int:
    """The columns a text takes on a terminal: two for wide letters and emoji, none for combining marks."""
    if text.isascii() or NARROW.fullmatch(text):
        return len(text)
    return sum(_letter_width(letter) for letter in text)


def _letter_width(letter: str) -> int:
    if unicodedata.combining(letter) or letter in JOINERS or letter == "\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def listed(items: list[str], fold: int | None = None) -> str:
    """ "a", "a or b", "a, b or c"; with fold, "a, b, c and 37 others" when more than fold + 1."""
    if fold is not None and len(items) > fold + 1:
        return f"{', '.join(items[:fold])} and {len(items) - fold:,} others"
    return " or ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def padded(text: str, size: int, to_the_right: bool = False) -> str:
    """A text filled with spaces to a width."""
    space = " " * (size - width_of(text))
    return space + text if to_the_right else text + space


def wrapped(label: str, first: str, rest: str, available: int) -> list[str]:
    """A label broken at spaces into lines of a width, with what stands before the first and before the others.

    A word wider than a line is broken anywhere; nothing is left out.
    """
    room = max(available - max(width_of(first), width_of(rest)), 8)
    words = [piece for word in label.split(" ") for piece in _pieces(word, room)]
    lines, current = [], words[0]
    for word in words[1:]:
        if width_of(current) + 1 + width_of(word) > room:
            lines.append(current)
            current = word
        else:
            current += " " + word
    return [before + line for before, line in zip([first] + [rest] * len(lines), [*lines, current], strict=True)]


def _pieces(word: str, room: int) -> list[str]:
    if width_of(word) <= room:
        return [word]
    pieces, used = [""], 0
    for letter in word:
        size = _letter_width(letter)
        if used + size > room:
            pieces.append("")
            used = 0
        pieces[-1] += letter
        used += size
    return pieces


def percent(share: float) -> str:
    """A share with one decimal; 0.0% and 100.0% are said only of nothing and of everything."""
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{100 * share:.1f}%"


def value_format(largest: float) -> str:
    """A format for values up to `largest` in size: about five digits, thousands apart, powers of ten where needed."""
    if largest == 0 or not 1e-4 <= largest < 1e12:
        return ".6g"
    return f",.{max(0, 4 - math.floor(math.log10(largest)))}f"


def rounded_number(value: float, digits: int) -> str:
    """A number with so many digits that count; in full where that is hardly longer, and to the unit at least.

    Whole numbers and halves, which stand between two whole numbers, are never rounded.
    """
    full = format_number(value)
    between = abs(value) < 2.0**52 and (2 * value).is_integer()
    if between or (len(full.lstrip("-0.").replace(".", "")) <= SHORT and "e" not in full):
        return full
    whole = len(f"{abs(value):.0f}") if 1 <= abs(value) < 1e15 else 0
    return format_number(float(f"{value:.{max(digits, whole)}g}"))


def rows_in_words(n_rows: int) -> str:
    """ "1 training row", "2,004 training rows"."""
    return f"{n_rows:,} training row" + ("" if n_rows == 1 else "s")


def probability_name(label: object) -> str:
    """What a column of probabilities of a class is called; true and false in small letters."""
    return f"probability_{str(label).lower() if isinstance(label, bool) else label}"
