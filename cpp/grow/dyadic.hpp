// The dyadic tree: cells are cut in the middle, the columns taking turns, whatever lies in them. SPEC A1.
#pragma once

#include <cstdint>
#include <vector>

#include "grow/nodes.hpp"
#include "grow/numbers.hpp"
#include "search/problem.hpp"

namespace bristlecone {

struct DyadicLimits {
    std::int32_t max_depth = -1;  // -1: turns a column that can be cut
    std::int32_t turns = 0;
    bool stop_pure = true;
};

// ranges: one a column, the cell of the root; empty for the rows' own. The caller checked labels and weights, and that
// ranges are finite and not reversed. Throws std::invalid_argument for a cell that is not finite.
Grown grow_dyadic(const Problem& problem, const std::vector<Numbers::Range>& ranges, const DyadicLimits& limits);

}  // namespace bristlecone
