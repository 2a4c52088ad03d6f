"""Growing trees from rows. Floor 3 of the house."""

from bristlecone.grow.cart import cart
from bristlecone.grow.gains import gain, gain_ratio, impurity

__all__ = ["cart", "gain", "gain_ratio", "impurity"]
