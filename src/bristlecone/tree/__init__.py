"""One tree type for everything: built and checked once, read by whatever stands above."""

from bristlecone.tree.conditions import EXACT, Condition, LevelSet, Present, Threshold, Wording
from bristlecone.tree.routing import Routing
from bristlecone.tree.tree import Tree

__all__ = ["EXACT", "Condition", "LevelSet", "Present", "Routing", "Threshold", "Tree", "Wording"]
