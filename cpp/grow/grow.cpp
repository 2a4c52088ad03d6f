#include "grow/grow.hpp"

#include <numeric>

#include "grow/assemble.hpp"
#include "grow/frontier.hpp"
#include "grow/region.hpp"
#include "threads.hpp"

namespace bristlecone {
namespace {

std::vector<std::uint32_t> rows_with_weight(const Problem& problem) {
    std::vector<std::uint32_t> rows;
    rows.reserve(problem.columns->n_rows);
    for (std::size_t row = 0; row < problem.columns->n_rows; ++row)
        if (problem.weight == nullptr || problem.weight[row] > 0) rows.push_back(static_cast<std::uint32_t>(row));
    return rows;
}

// Nodes and open ends of one tree, or of one subtree that a thread grows on its own.
class Grower {
public:
    Grower(const Growth& growth, int n_threads)
        : growth_(growth), n_threads_(n_threads), best_first_(growth.problem->limits.max_leaves > 0), frontier_(best_first_) {}

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

private:
    void split(Open open) {
        auto [left, right] = open.region->divide(open);
        Node& node = nodes_[static_cast<std::size_t>(open.node)];
        node.split = std::move(open.split);
        left.node = node.left = static_cast<std::int32_t>(nodes_.size());
        right.node = node.right = left.node + 1;
        open.region.reset();
        nodes_.resize(nodes_.size() + 2);
        settle(std::move(left));
        settle(std::move(right));
    }

    // Finds the node's best split; the node joins the frontier if there is one.
    void settle(Open open) {
        Node& node = nodes_[static_cast<std::size_t>(open.node)];
        node.begin = open.begin;
        node.end = open.end;
        if (!open.region) open.region = make_region(growth_, open.begin, open.end);
        open.region->examine(open, node, n_threads_);
        if (open.split.column >= 0) frontier_.push(std::move(open));
    }

    const Growth& growth_;
    int n_threads_;
    bool best_first_;
    Frontier frontier_;
    std::vector<Node> nodes_;
};

}  // namespace

Grown grow(const Problem& problem) {
    std::vector<std::uint32_t> rows = rows_with_weight(problem);
    Growth growth{&problem, Weighing::of(problem, rows), rows};
    plan_regions(growth);
    Open root;
    root.end = rows.size();
    std::vector<Node> nodes;
    {
        Grower grower(growth, problem.n_threads);
        grower.grow_from(std::move(root));
        nodes = grower.take_nodes();
    }
    return assemble(growth, std::move(nodes));
}

}  // namespace bristlecone
