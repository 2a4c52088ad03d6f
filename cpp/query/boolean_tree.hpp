// A tree whose splits read single Boolean variables, and what becomes of it when one of them is known.
//
// resolved   no variable is read twice on a path, and no node has two leaves of the same answer: what is left of a tree
//            when each node that a known variable decides is passed by. It answers as the tree does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bristlecone {

// Parents before children, -1 for the children of leaves. A leaf has an answer, 0 or 1, an inner node its variable.
struct BooleanTree {
    std::vector<std::int32_t> left, right, variable;
    std::vector<std::uint8_t> answer;

    std::size_t size() const { return left.size(); }
    bool leaf(std::size_t v) const { return left[v] < 0; }
};

// What a node does although its variable is not known: nothing, or always the same side.
enum class Forced : std::uint8_t { no = 0, left = 1, right = 2 };

inline constexpr std::int32_t none_known = -1;

// The tree where `known` is `value` (none_known: only resolved), in pre-order. forced: one a node, or null.
BooleanTree restricted(const BooleanTree& tree, std::int32_t known, bool value, const Forced* forced = nullptr);

}  // namespace bristlecone
