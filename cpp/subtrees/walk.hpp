// Depth first through a tree, left before right, without recursion: enter(v) on the way down, leave(v) on the way up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "subtrees/skeleton.hpp"

namespace bristlecone {

template <class Enter, class Leave>
void walk(const Skeleton& tree, const Enter& enter, const Leave& leave) {
    std::vector<std::int32_t> open{0};  // ~v: all below v is done
    while (!open.empty()) {
        const std::int32_t next = open.back();
        open.pop_back();
        if (next < 0) {
            leave(static_cast<std::size_t>(~next));
            continue;
        }
        const auto v = static_cast<std::size_t>(next);
        enter(v);
        if (tree.leaf(v)) {
            leave(v);
            continue;
        }
        open.push_back(~next);
        if (tree.right[v] >= 0) open.push_back(tree.right[v]);
        if (tree.left[v] >= 0) open.push_back(tree.left[v]);
    }
}

}  // namespace bristlecone
