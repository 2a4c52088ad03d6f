// TreeView: a tree as parallel arrays, parents before children. No algorithm.
//
// children_left, children_right are -1 at leaves. A numeric split sends x < threshold left; threshold +inf
// splits the rows that have a value (left) from those that do not. A categorical split has the levels
// level_code[level_ptr[v] .. level_ptr[v+1]), ascending, each with its side.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bristlecone {

struct TreeView {
    std::size_t n_nodes = 0;
    const std::int32_t* children_left = nullptr;
    const std::int32_t* children_right = nullptr;
    const std::int32_t* feature = nullptr;
    const double* threshold = nullptr;
    const std::uint8_t* missing_left = nullptr;
    const std::uint8_t* heavier_left = nullptr;
    const std::int64_t* level_ptr = nullptr;
    const std::int32_t* level_code = nullptr;
    const std::uint8_t* level_left = nullptr;
};

}  // namespace bristlecone
