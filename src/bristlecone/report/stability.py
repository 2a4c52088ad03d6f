"""The page's part about other rows: how far trees of bootstrap samples differ."""

from __future__ import annotations

from dataclasses import dataclass

from bristlecone.stability import Disagreement

__all__ = ["OtherRows", "other_rows"]

MOST_COLUMNS = 10


@dataclass(frozen=True, slots=True)
class OtherRows:
    """sentences: the measures in words; census: how often each column stands first, as columns of text."""

    sentences: list[str]
    census: dict[str, list[str]]


def other_rows(found: Disagreement) -> OtherRows:
    """What the page shows of a disagreement."""
    return OtherRows(found.sentences, found.census(MOST_COLUMNS) if found.columns else {})
