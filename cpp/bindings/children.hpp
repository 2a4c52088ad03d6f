// The structure of a tree, checked before a kernel follows it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bristlecone {

// Whether an inner node may have one child.
enum class Single { refused, allowed };

[[noreturn]] inline void refuse_node(std::size_t node, const std::string& what) {
    throw nanobind::value_error(("node " + std::to_string(node) + ": " + what).c_str());
}

// Indices in range, parents before children, one parent each.
inline void check_children(const std::int32_t* left, const std::int32_t* right, std::size_t n_nodes, Single single) {
    std::vector<std::uint8_t> has_parent(n_nodes, 0);
    for (std::size_t v = 0; v < n_nodes; ++v) {
        const std::int32_t children[] = {left[v], right[v]};
        if (single == Single::refused && (children[0] < 0) != (children[1] < 0)) refuse_node(v, "has one child");
        for (const std::int32_t child : children) {
            if (child == -1) continue;
            if (child < -1 || static_cast<std::size_t>(child) >= n_nodes)
                refuse_node(v, "child index " + std::to_string(child) + " is out of range");
            if (static_cast<std::size_t>(child) <= v) refuse_node(v, "child does not come after its parent");
            if (has_parent[child]) refuse_node(child, "has two parents");
            has_parent[child] = 1;
        }
    }
    for (std::size_t v = 1; v < n_nodes; ++v)
        if (!has_parent[v]) refuse_node(v, "has no parent");
}

}  // namespace bristlecone
