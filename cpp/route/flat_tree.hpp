// FlatTree: a tree without level sets, laid out for walking many rows at once.
//
// Siblings are neighbours, and a step asks one question: next = base + not (x >= threshold). The right child stands at
// base, the left one at base + 1, so a missing value (NaN) goes left by itself. A leaf keeps a row whatever its cells
// are: its threshold is NaN and its base is the place before its own. That NaN carries the leaf's node in the tree, so
// the last line of memory that a row touches says where it stopped.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tree/tree.hpp"

namespace bristlecone {

struct FlatNode {
    double threshold;
    std::uint32_t base;
    std::int32_t feature;  // at a leaf that of its parent, whose cell is at hand
};

struct FlatTree {
    std::vector<FlatNode> nodes;              // empty where the tree has no split, or a level set
    std::vector<std::uint8_t> missing_right;  // by place in nodes
    std::vector<std::int32_t> features;       // the columns that splits read, ascending
    std::size_t first_levels = 0;             // as many as rows had better walk before it is asked who has arrived
};

inline bool is_leaf(const FlatNode& node, std::uint32_t place) { return node.base + 1 == place; }

// Where a leaf stands in the tree. Asked of an inner node it answers with nothing of use.
inline std::uint32_t node_of_leaf(const FlatNode& leaf) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(leaf.threshold));
}

FlatTree flatten(const TreeView& tree);

}  // namespace bristlecone
