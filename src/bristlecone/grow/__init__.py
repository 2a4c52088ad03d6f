"""Growing trees from rows. Floor 3 of the house."""

from bristlecone.grow.cart import cart
from bristlecone.grow.dyadic import dyadic
from bristlecone.grow.gains import gain, gain_ratio, impurity
from bristlecone.grow.impurities import IMPURITIES, Impurity
from bristlecone.grow.kd import kd
from bristlecone.grow.top_down import top_down
from bristlecone.table import Predicates

__all__ = [
    "IMPURITIES",
    "Impurity",
    "Predicates",
    "cart",
    "dyadic",
    "gain",
    "gain_ratio",
    "impurity",
    "kd",
    "top_down",
]
