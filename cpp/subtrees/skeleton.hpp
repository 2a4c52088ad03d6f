// Skeleton: who is whose child, and nothing else of a tree. Parents come before children.
//
// A child may be absent (-1). Both absent: a leaf. One absent: a node of a partition tree whose other cell holds
// nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bristlecone {

struct Skeleton {
    std::size_t n_nodes = 0;
    const std::int32_t* left = nullptr;
    const std::int32_t* right = nullptr;

    // By the sign of both at once: no branch to guess.
    bool leaf(std::size_t v) const { return (left[v] & right[v]) < 0; }
};

}  // namespace bristlecone
