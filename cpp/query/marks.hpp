// Counting of marked points by the leaf of a bare tree that they reach.
//
// point       a row of n bytes, 0 or 1; packed: its bits, the first one highest, in whole bytes.
// mark        what is counted of a point, a row of n_marks bytes, 0 or 1; packed likewise, after the point.
// times       how many points a packed one stands for; none given: one each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bristlecone {

// A tree over Boolean variables by nodes, the root first; below 0 at leaves.
struct BareTree {
    std::vector<std::int32_t> left, right, variable;

    std::int32_t leaf_of(const std::uint8_t* point) const {
        const std::int32_t *on_left = left.data(), *on_right = right.data(), *asked = variable.data();
        std::int32_t node = 0;
        while (on_left[node] >= 0) node = point[asked[node]] ? on_right[node] : on_left[node];
        return node;
    }
};

struct MarkedPoints {
    const std::uint8_t *points, *marks;
    std::size_t n_rows, n, n_marks;

    // Not of sizes near the largest: they would wrap.
    std::size_t packed_bytes() const { return (n + 7) / 8 + (n_marks + 7) / 8; }
};

// Points with at least one mark, packed, leaf by leaf: those of leaf[k] are rows start[k] to start[k + 1] - 1.
struct ByLeaf {
    std::vector<std::int32_t> leaf;
    std::vector<std::int64_t> start;
    std::vector<std::uint8_t> packed;
};

// Adds the marks to counts, (n_nodes, n_marks), at the leaves. keeps: whether the packed points are wanted.
ByLeaf count_by_leaf(const BareTree& tree, std::size_t n_nodes, const MarkedPoints& given, bool keeps,
                     std::int64_t* counts);

// Packed points of a leaf that is split: `high` says of each whether it has the variable; the marks of either side are
// added to counts (2, n_marks).
struct PackedPoints {
    const std::uint8_t* rows;
    const std::uint32_t* times;  // null: one each
    std::size_t n_rows, n, n_marks;
};
void count_sides(const PackedPoints& given, std::size_t variable, std::uint8_t* high, std::int64_t* counts);

}  // namespace bristlecone
