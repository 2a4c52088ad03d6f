"""Growing trees from rows. Floor 3 of the house."""

from bristlecone.grow.cart import cart
from bristlecone.grow.dyadic import dyadic
from bristlecone.grow.gains import gain, gain_ratio, impurity
from bristlecone.grow.kd import kd

__all__ = ["cart", "dyadic", "gain", "gain_ratio", "impurity", "kd"]
