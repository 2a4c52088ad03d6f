"""How far trees of resampled rows differ. Floor 6 of the house."""

from bristlecone.stability.disagreement import Disagreement, disagreement, of_answers

__all__ = ["Disagreement", "disagreement", "of_answers"]
