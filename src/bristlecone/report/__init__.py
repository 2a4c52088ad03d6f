"""What people are shown of a tree: the page. Floor 7 of the house."""

from bristlecone.report.pages import page

__all__ = ["page"]
