// Depth first through a tree, left before right, without recursion: enter(v) on the way down, leave(v) on the way up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "subtrees/skeleton.hpp"

namespace bristlecone {

template <class Enter, class Leave>
void walk(const Skeleton& tree, const Enter& enter, const Leave& leave) {
    std::vector<std::int32_t> open;  // nodes to enter, and ~v for a node to leave
    std::int32_t next = 0;
    while (true) {
        const auto v = static_cast<std::size_t>(next);
        enter(v);
        if (tree.leaf(v)) {
            leave(v);
        } else {
            open.push_back(~next);
            if (tree.right[v] >= 0) open.push_back(tree.right[v]);
            if (tree.left[v] >= 0) {
                next = tree.left[v];
                continue;
            }
        }
        while (!open.empty() && open.back() < 0) {
            leave(static_cast<std::size_t>(~open.back()));
            open.pop_back();
        }
        if (open.empty()) return;
        next = open.back();
        open.pop_back();
    }
}

}  // namespace bristlecone
