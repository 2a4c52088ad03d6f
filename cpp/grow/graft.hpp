// Putting a subtree that was grown on its own in the place of the node that stood for it.
#pragma once

#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "grow/nodes.hpp"

namespace bristlecone {

inline void graft(std::vector<Node>& nodes, std::int32_t at, std::vector<Node> subtree) {
    const auto offset = static_cast<std::int32_t>(nodes.size()) - 1;  // the subtree's root takes the place of `at`
    for (Node& node : subtree) {
        if (!node.is_leaf()) node.left += offset;
    }
    nodes[static_cast<std::size_t>(at)] = std::move(subtree[0]);
    nodes.insert(nodes.end(), std::make_move_iterator(subtree.begin() + 1), std::make_move_iterator(subtree.end()));
}

}  // namespace bristlecone
