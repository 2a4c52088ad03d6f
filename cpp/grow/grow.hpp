// Growing a tree, exactly: every node takes the best split there is. SPEC B1-B2.
#pragma once

#include "grow/nodes.hpp"
#include "search/problem.hpp"

namespace bristlecone {

// Rows of weight zero are absent. The caller checked lengths, labels, weights and targets.
Grown grow(const Problem& problem);

}  // namespace bristlecone
