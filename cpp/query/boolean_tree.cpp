#include "query/boolean_tree.hpp"

#include <algorithm>
#include <tuple>

namespace bristlecone {
namespace {

constexpr std::int8_t unknown = -1;

class Walk {
public:
    Walk(const BooleanTree& tree, std::int32_t known, bool value, const Forced* forced) : tree_(tree), forced_(forced) {
        std::int32_t most = known;
        for (std::size_t v = 0; v < tree.size(); ++v) most = std::max(most, tree.leaf(v) ? -1 : tree.variable[v]);
        value_.assign(static_cast<std::size_t>(most) + 1, unknown);
        if (known >= 0) value_[known] = value ? 1 : 0;
    }

    // Every node that is not decided, in pre-order.
    BooleanTree kept() {
        stack_.push_back({0, -1, false, false});
        while (!stack_.empty()) {
            const Visit visit = stack_.back();
            stack_.pop_back();
            if (visit.leaves)
                value_[visit.node] = unknown;
            else
                enter(visit);
        }
        return std::move(out_);
    }

private:
    // A node to enter, below `parent` of the result; or, when it leaves, a variable to forget.
    struct Visit {
        std::int32_t node, parent;
        bool right, leaves;
    };

    void enter(const Visit& visit) {
        if (visit.parent >= 0) decide(visit.parent, visit.right);
        const std::int32_t node = passed(visit.node);
        const auto place = static_cast<std::int32_t>(out_.size());
        if (visit.parent >= 0) (visit.right ? out_.right : out_.left)[visit.parent] = place;
        const bool leaf = tree_.leaf(node);
        out_.left.push_back(-1);
        out_.right.push_back(-1);
        out_.variable.push_back(leaf ? -1 : tree_.variable[node]);
        out_.answer.push_back(leaf ? tree_.answer[node] : 0);
        if (leaf) return;
        stack_.push_back({tree_.variable[node], -1, false, true});
        stack_.push_back({tree_.right[node], place, true, false});
        stack_.push_back({tree_.left[node], place, false, false});
    }

    void decide(std::int32_t parent, bool value) { value_[out_.variable[parent]] = value ? 1 : 0; }

    std::int32_t passed(std::int32_t node) const {
        while (!tree_.leaf(node)) {
            const Forced forced = forced_ == nullptr ? Forced::no : forced_[node];
            const std::int8_t value = forced == Forced::no ? value_[tree_.variable[node]] : forced == Forced::right;
            if (value == unknown) break;
            node = value != 0 ? tree_.right[node] : tree_.left[node];
        }
        return node;
    }

    const BooleanTree& tree_;
    const Forced* forced_;
    std::vector<std::int8_t> value_;
    std::vector<Visit> stack_;
    BooleanTree out_;
};

void take(BooleanTree& tree, std::size_t from, std::size_t to) {
    tree.variable[to] = tree.variable[from];
    tree.answer[to] = tree.answer[from];
}

// Nodes whose children are leaves of one answer become leaves of it.
BooleanTree collapsed(BooleanTree tree) {
    for (std::size_t v = tree.size(); v-- > 0;) {
        if (tree.leaf(v)) continue;
        const auto l = static_cast<std::size_t>(tree.left[v]), r = static_cast<std::size_t>(tree.right[v]);
        if (!tree.leaf(l) || !tree.leaf(r) || tree.answer[l] != tree.answer[r]) continue;
        tree.answer[v] = tree.answer[l];
        tree.left[v] = tree.right[v] = -1;
        tree.variable[v] = -1;
    }
    // In pre-order what remains moves up: the place of a child is known when its parent is placed.
    std::vector<std::int32_t> place(tree.size(), -1);
    place[0] = 0;
    std::size_t n = 0;
    for (std::size_t v = 0; v < tree.size(); ++v) {
        if (place[v] < 0) continue;
        place[v] = static_cast<std::int32_t>(n++);
        if (tree.leaf(v)) continue;
        place[tree.left[v]] = place[tree.right[v]] = 0;
    }
    for (std::size_t v = 0; v < tree.size(); ++v) {
        if (place[v] < 0) continue;
        const auto to = static_cast<std::size_t>(place[v]);
        const bool leaf = tree.leaf(v);
        const std::int32_t l = leaf ? -1 : place[tree.left[v]], r = leaf ? -1 : place[tree.right[v]];
        take(tree, v, to);
        tree.left[to] = l;
        tree.right[to] = r;
    }
    tree.left.resize(n);
    tree.right.resize(n);
    tree.variable.resize(n);
    tree.answer.resize(n);
    return tree;
}

}  // namespace

BooleanTree restricted(const BooleanTree& tree, std::int32_t known, bool value, const Forced* forced) {
    return collapsed(Walk(tree, known, value, forced).kept());
}

}  // namespace bristlecone
