"""A readable tree for a model that can be asked."""

from bristlecone.query.distilling.distill import distill
from bristlecone.query.distilling.fidelity import Fidelity
from bristlecone.query.distilling.result import Candidate, Distilled

__all__ = ["Candidate", "Distilled", "Fidelity", "distill"]
