"""What people are shown of a tree: the page, the drawing. Floor 7 of the house."""

from bristlecone.report.display import TreeDisplay
from bristlecone.report.pages import page

__all__ = ["TreeDisplay", "page"]
