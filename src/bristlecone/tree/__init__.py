"""One tree type for everything: built and checked once, read by whatever stands above."""

from bristlecone.tree.conditions import EXACT, Condition, LevelSet, Present, Threshold, Wording
from bristlecone.tree.contributions import Contributions
from bristlecone.tree.explain import ClassShare, Explanation, Step
from bristlecone.tree.routing import Routing
from bristlecone.tree.text import draw
from bristlecone.tree.tree import Tree

__all__ = [
    "EXACT",
    "ClassShare",
    "Condition",
    "Contributions",
    "Explanation",
    "LevelSet",
    "Present",
    "Routing",
    "Step",
    "Threshold",
    "Tree",
    "Wording",
    "draw",
]
