// A skeleton out of two arrays, checked.
#pragma once

#include <cstddef>

#include "bindings/arrays.hpp"
#include "bindings/children.hpp"
#include "subtrees/skeleton.hpp"

namespace bristlecone {

inline Skeleton skeleton_of(const InArray<std::int32_t>& left, const InArray<std::int32_t>& right, Single single) {
    const std::size_t n = left.shape(0);
    if (n == 0) throw nb::value_error("a tree has at least one node");
    if (right.shape(0) != n) throw nb::value_error("children_left and children_right differ in length");
    if (n >= (std::size_t{1} << 31)) throw nb::value_error("more than 2,147,483,647 nodes");
    check_children(left.data(), right.data(), n, single);
    return {n, left.data(), right.data()};
}

}  // namespace bristlecone
