#include "route/flat_tree.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bristlecone {
namespace {

constexpr std::uint64_t quiet_nan = 0x7ff8000000000000;

// Asking all rows who has arrived takes about as long as this many steps.
constexpr double worth_asking = 2;

struct Pair {
    std::int32_t parent;  // in the tree
    std::uint32_t parent_place;
    std::size_t depth;  // of the two children
};

class Flattening {
public:
    explicit Flattening(const TreeView& tree) : tree_(tree) {
        flat_.nodes.reserve(tree.n_nodes);
        flat_.missing_right.reserve(tree.n_nodes);
    }

    // Pairs stand in depth-first order, the heavier subtree first: most rows go on in memory that is near.
    FlatTree all() {
        place(0, tree_.feature[0], 0);
        while (!pairs_.empty()) {
            const Pair pair = pairs_.back();
            pairs_.pop_back();
            flat_.nodes[pair.parent_place].base = static_cast<std::uint32_t>(flat_.nodes.size());
            const std::size_t first = pairs_.size();
            place(tree_.children_right[pair.parent], tree_.feature[pair.parent], pair.depth);
            place(tree_.children_left[pair.parent], tree_.feature[pair.parent], pair.depth);
            if (pairs_.size() == first + 2 && !tree_.heavier_left[pair.parent])
                std::swap(pairs_[first], pairs_[first + 1]);
        }
        choose_levels();
        return std::move(flat_);
    }

private:
    void place(std::int32_t v, std::int32_t parent_feature, std::size_t depth) {
        const auto at = static_cast<std::uint32_t>(flat_.nodes.size());
        if (tree_.children_left[v] < 0) {
            flat_.nodes.push_back(
                {std::bit_cast<double>(quiet_nan | static_cast<std::uint32_t>(v)), at - 1, parent_feature});
            flat_.missing_right.push_back(0);
            if (depth >= leaves_at_.size()) leaves_at_.resize(depth + 1);
            ++leaves_at_[depth];
        } else {
            flat_.nodes.push_back({tree_.threshold[v], 0, tree_.feature[v]});
            flat_.missing_right.push_back(!tree_.missing_left[v]);
            pairs_.push_back({v, at, depth + 1});
        }
    }

    // A row that has arrived wastes a step a level. Where rows part evenly at each split, `arrived` of them have.
    void choose_levels() {
        double arrived = 0, wasted = 0;
        for (std::size_t level = 0; level + 1 < leaves_at_.size() && wasted <= worth_asking; ++level) {
            ++flat_.first_levels;
            arrived += std::ldexp(static_cast<double>(leaves_at_[level]), -static_cast<int>(level));
            wasted += arrived;
        }
    }

    const TreeView& tree_;
    FlatTree flat_;
    std::vector<std::size_t> leaves_at_;  // by depth
    std::vector<Pair> pairs_;
};

}  // namespace

FlatTree flatten(const TreeView& tree) {
    std::vector<std::int32_t> used;
    for (std::size_t v = 0; v < tree.n_nodes; ++v) {
        if (tree.level_ptr[v + 1] > tree.level_ptr[v]) return {};
        if (tree.children_left[v] >= 0) used.push_back(tree.feature[v]);
    }
    if (used.empty()) return {};
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    FlatTree flat = Flattening(tree).all();
    flat.features = std::move(used);
    return flat;
}

}  // namespace bristlecone
