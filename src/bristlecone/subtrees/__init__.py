"""Prunings of a tree: the cheapest, all of them, and how many. Floor 3 of the house."""

from bristlecone.subtrees.cut import cut
from bristlecone.subtrees.path import Path, weakest_link_path

__all__ = ["Path", "cut", "weakest_link_path"]
