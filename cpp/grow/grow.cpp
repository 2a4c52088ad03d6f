#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>

#include "grow/assemble.hpp"
#include "grow/frontier.hpp"
#include "grow/graft.hpp"
#include "grow/region.hpp"
#include "threads.hpp"

namespace bristlecone {
namespace {

// The reach of a numeric target as a power of two; 1 over classes.
double target_unit(const Problem& problem, const std::vector<std::uint32_t>& rows) {
    if (problem.y == nullptr || rows.empty()) return 1.0;
    double low = problem.y[rows[0]], high = low;
    for (const std::uint32_t row : rows) {
        low = std::min(low, problem.y[row]);
        high = std::max(high, problem.y[row]);
    }
    int e = 0;
    std::frexp(high / 2 - low / 2, &e);
    return high > low ? std::ldexp(1.0, std::max(e, -1000)) : 1.0;
}

// Nodes and open ends of one tree, or of one subtree that a thread grows on its own.
class Grower {
public:
    // Where small subtrees are put aside, settle() leaves nodes without a region to the caller.
    Grower(const Growth& growth, int n_threads, bool put_aside)
        : growth_(growth),
          n_threads_(n_threads),
          put_aside_(put_aside),
          best_first_(growth.problem->limits.max_leaves > 0),
          frontier_(best_first_) {}

    void grow_from(Open root) {
        nodes_.emplace_back();
        root.node = 0;
        settle(std::move(root));
        std::int64_t n_leaves = 1;
        while (!frontier_.empty() && (!best_first_ || n_leaves < growth_.problem->limits.max_leaves)) {
            split(frontier_.pop());
            ++n_leaves;
        }
    }

    std::vector<Node> take_nodes() { return std::move(nodes_); }
    std::vector<Open> take_aside() { return std::move(aside_); }

private:
    void split(Open open) {
        auto [left, right] = open.region->divide(open);
        Node& node = nodes_[static_cast<std::size_t>(open.node)];
        node.take(std::move(open.split));
        left.node = node.left = static_cast<std::int32_t>(nodes_.size());
        right.node = node.right();
        open.region.reset();
        nodes_.resize(nodes_.size() + 2);
        settle(std::move(left));
        settle(std::move(right));
    }

    // Finds the node's best split; the node joins the frontier if there is one.
    void settle(Open open) {
        if (!open.region && put_aside_ && open.depth > 0) {
            aside_.push_back(std::move(open));
            return;
        }
        check(growth_.problem->interrupt);
        Node& node = nodes_[static_cast<std::size_t>(open.node)];
        node.begin = static_cast<std::uint32_t>(open.begin);
        node.end = static_cast<std::uint32_t>(open.end);
        if (!open.region) open.region = make_region(growth_, open, n_threads_);
        open.region->examine(open, node, n_threads_);
        if (open.split.column >= 0) frontier_.push(std::move(open));
    }

    const Growth& growth_;
    int n_threads_;
    bool put_aside_;
    bool best_first_;
    Frontier frontier_;
    std::vector<Node> nodes_;
    std::vector<Open> aside_;
};

}  // namespace

Grown grow(const Problem& problem) {
    const bool small = problem.columns->n_rows * problem.columns->size() < cells_worth_threads;
    if (small && problem.n_threads > 1 && problem.small_node < 0) {
        Problem alone = problem;
        alone.n_threads = 1;
        return grow(alone);
    }
    std::vector<std::uint32_t> rows = rows_with_weight(problem);
    Growth growth{&problem, Weighing::of(problem, rows), rows};
    growth.target_unit = target_unit(problem, rows);
    plan_regions(growth);
    Open root;
    root.end = rows.size();
    const bool put_aside = problem.n_threads > 1 && problem.limits.max_leaves == 0;
    std::vector<Node> nodes;
    std::vector<Open> aside;
    {
        Grower top(growth, problem.n_threads, put_aside);
        top.grow_from(std::move(root));
        nodes = top.take_nodes();
        aside = top.take_aside();
    }
    std::vector<std::vector<Node>> subtrees(aside.size());
    run_tasks(problem.n_threads, aside.size(), [&](std::size_t i) {
        Grower below(growth, 1, false);
        below.grow_from(aside[i]);
        subtrees[i] = below.take_nodes();
    });
    for (std::size_t i = 0; i < aside.size(); ++i) graft(nodes, aside[i].node, std::move(subtrees[i]));
    return assemble(growth, std::move(nodes));
}

}  // namespace bristlecone
