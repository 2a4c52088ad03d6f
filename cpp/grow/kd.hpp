// The k-d tree: the rows of a node are cut at their median in one column. SPEC A1.
#pragma once

#include <cstdint>

#include "grow/nodes.hpp"
#include "search/problem.hpp"

namespace bristlecone {

// cycle    the columns take turns by depth; one that cannot be cut hands over to the next
// spread   the column whose rows lie farthest apart, in standard deviations of the column
enum class Axis : std::uint8_t { cycle, spread };

struct KdLimits {
    std::int32_t max_depth = 0;
    bool stop_pure = true;
};

// The caller checked labels and weights. Throws std::invalid_argument for a cell that is not finite.
Grown grow_kd(const Problem& problem, Axis axis, const KdLimits& limits);

}  // namespace bristlecone
