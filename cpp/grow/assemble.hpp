// From the nodes as growth made them to the finished arrays.
#pragma once

#include <vector>

#include "grow/region.hpp"

namespace bristlecone {

// Renumbers the nodes in pre-order, counts the leaves' rows in the caller's own numbers, and sums up to the root.
Grown assemble(const Growth& growth, std::vector<Node> nodes);

}  // namespace bristlecone
