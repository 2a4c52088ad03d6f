// Space trees: a rule cuts the space of the rows in two, again and again, and never asks what a cut gains. SPEC A1.
//
// cut      a column and a threshold: rows with x < threshold go left
// empty    a child that no row reached: a leaf that is never cut, with the label of the node above it
// rule     chooses the cut of a node, see dyadic.cpp and kd.cpp. Nodes are entered depth first, parents before
// children.
//            Place          what a child must know of its parent's cut
//            enter(p, d)    the node that is dealt with now, at depth d
//            choose(rows)   -> its cut, without a column where there is none
//            beside(left)   -> the Place of a child of the cut just chosen
//            restart(d)     -> a rule for the subtree below the node entered last, at depth d
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grow/assemble.hpp"
#include "grow/graft.hpp"
#include "grow/numbers.hpp"
#include "grow/region.hpp"
#include "grow/tally.hpp"
#include "stable_split.hpp"
#include "threads.hpp"

namespace bristlecone {

struct Cut {
    std::int32_t column = -1;
    double threshold = 0.0;
};

struct SpaceLimits {
    std::int32_t max_depth = 0;
    bool stop_pure = true;
};

// What all threads share.
struct Space {
    const Problem* problem = nullptr;
    const Numbers* numbers = nullptr;
    SpaceLimits limits;
    std::span<std::uint32_t> rows;  // partitioned in place
};

// Nodes and open ends of one tree, or of one subtree that a thread grows on its own.
template <class Rule>
class SpaceGrower {
public:
    struct Open {
        std::int32_t node = 0, depth = 0;
        std::uint32_t begin = 0, end = 0;
        ClassSummary summary;
        typename Rule::Place place;
    };
    struct Subtree {
        Open root;
        Rule rule;
    };

    // Nodes of fewer than small_rows rows are put aside for others.
    SpaceGrower(const Space& space, Rule rule, std::size_t small_rows, int n_threads)
        : space_(space),
          rule_(std::move(rule)),
          small_rows_(small_rows),
          n_threads_(n_threads),
          tally_(*space.problem) {}

    void grow_from(Open root) {
        nodes_.emplace_back();
        root.node = 0;
        root.summary = tally_.of(rows_of(root.begin, root.end));
        settle(root);
        while (!open_.empty()) {
            const Open open = open_.back();
            open_.pop_back();
            check(space_.problem->interrupt);
            rule_.enter(open.place, open.depth);
            if (open.depth > 0 && open.end - open.begin < small_rows_)
                aside_.push_back({open, rule_.restart(open.depth)});
            else
                split(open);
        }
    }

    std::vector<Node> take_nodes() { return std::move(nodes_); }
    std::vector<Subtree> take_aside() { return std::move(aside_); }

private:
    std::span<std::uint32_t> rows_of(std::uint32_t begin, std::uint32_t end) const {
        return space_.rows.subspan(begin, end - begin);
    }

    void split(const Open& open) {
        const auto rows = rows_of(open.begin, open.end);
        const Cut cut = rule_.choose(rows);
        if (cut.column < 0) return;
        const double* cells = space_.numbers->column(cut.column);
        const auto n_left = static_cast<std::uint32_t>(stable_split(
            rows.data(), rows.data() + rows.size(), [&](std::uint32_t row) { return cells[row] < cut.threshold; },
            [&](std::uint32_t row) { __builtin_prefetch(cells + row); }, n_threads_));
        const std::uint32_t middle = open.begin + n_left;
        if (nodes_.size() + 2 > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
            throw std::length_error("the tree has more than 2,147,483,647 nodes; give a smaller max_depth");
        const auto left_node = static_cast<std::int32_t>(nodes_.size());
        nodes_.resize(nodes_.size() + 2);
        Open left{left_node,         open.depth + 1, open.begin, middle, summary_of(open, open.begin, middle),
                  rule_.beside(true)};
        Open right{left_node + 1,      open.depth + 1, middle, open.end, summary_of(open, middle, open.end),
                   rule_.beside(false)};
        Node& node = nodes_[open.node];
        node.left = left_node;
        node.column = cut.column;
        node.threshold = cut.threshold;
        node.missing_left = left_is_heavier(left.summary.weight, left.summary.weight + right.summary.weight);
        settle(right);
        settle(left);
    }

    // Chains are long: rows that stay together are not counted again.
    ClassSummary summary_of(const Open& parent, std::uint32_t begin, std::uint32_t end) {
        if (begin == parent.begin && end == parent.end) return parent.summary;
        if (begin == end) return {0.0, 0.0, parent.summary.label, true};
        return tally_.of(rows_of(begin, end));
    }

    // Writes what a leaf there would hold, and keeps the node open if it may be cut.
    void settle(const Open& open) {
        Node& node = nodes_[open.node];
        node.begin = open.begin;
        node.end = open.end;
        node.label = open.summary.label;
        node.impurity = open.summary.impurity;
        const bool done = open.begin == open.end || (space_.limits.stop_pure && open.summary.pure) ||
                          open.depth >= space_.limits.max_depth;
        if (!done) open_.push_back(open);
    }

    const Space& space_;
    Rule rule_;
    std::size_t small_rows_;
    int n_threads_;
    Tally tally_;
    std::vector<Node> nodes_;
    std::vector<Open> open_;  // the last one in comes out first
    std::vector<Subtree> aside_;
};

// The whole tree: large nodes one after the other, then the subtrees below them side by side.
template <class Rule>
Grown grow_space(const Space& space, Rule rule) {
    using Grower = SpaceGrower<Rule>;
    const int n_threads = space.problem->n_threads;
    const bool shared = n_threads > 1 && space.rows.size() >= rows_worth_threads;
    const std::size_t small_rows = shared ? space.rows.size() / (4 * static_cast<std::size_t>(n_threads)) : 0;
    typename Grower::Open root;
    root.end = static_cast<std::uint32_t>(space.rows.size());
    Grower top(space, std::move(rule), small_rows, n_threads);
    top.grow_from(root);
    std::vector<Node> nodes = top.take_nodes();
    std::vector<typename Grower::Subtree> aside = top.take_aside();
    std::vector<std::vector<Node>> subtrees(aside.size());
    run_tasks(n_threads, aside.size(), [&](std::size_t i) {
        Grower below(space, std::move(aside[i].rule), 0, 1);
        below.grow_from(aside[i].root);
        subtrees[i] = below.take_nodes();
    });
    for (std::size_t i = 0; i < aside.size(); ++i) graft(nodes, aside[i].root.node, std::move(subtrees[i]));
    Growth growth;
    growth.problem = space.problem;
    growth.rows = space.rows;
    return assemble(growth, std::move(nodes));
}

}  // namespace bristlecone
