#include "route/route.hpp"

#include <algorithm>
#include <cmath>

#include "threads.hpp"

namespace bristlecone {
namespace {

constexpr std::size_t block_rows = 16384;

enum class Step : std::uint8_t { left, right, stop, refuse };

Step numeric_step(const TreeView& tree, std::int32_t node, double x, Missing missing) {
    if (!std::isnan(x)) return x < tree.threshold[node] ? Step::left : Step::right;
    if (missing == Missing::error) return Step::refuse;
    return tree.missing_left[node] ? Step::left : Step::right;
}

// The third answer of a level set: this node does not know the level.
Step unknown_step(const TreeView& tree, std::int32_t node, Unseen unseen, bool& met_unseen) {
    met_unseen = true;
    if (unseen == Unseen::stop) return Step::stop;
    if (unseen == Unseen::error) return Step::refuse;
    return tree.heavier_left[node] ? Step::left : Step::right;
}

Step level_step(const TreeView& tree, std::int32_t node, std::int32_t code, Unseen unseen, Missing missing,
                bool& met_unseen) {
    if (code == missing_level) {
        if (missing == Missing::error) return Step::refuse;
        return tree.missing_left[node] ? Step::left : Step::right;
    }
    const auto* first = tree.level_code + tree.level_ptr[node];
    const auto* last = tree.level_code + tree.level_ptr[node + 1];
    const auto* found = std::lower_bound(first, last, code);
    if (found == last || *found != code) return unknown_step(tree, node, unseen, met_unseen);
    return tree.level_left[found - tree.level_code] ? Step::left : Step::right;
}

// Walks one row down; returns false when an "error" rule refuses it at *node.
bool descend(const TreeView& tree, const Columns& columns, std::size_t row, Unseen unseen, Missing missing,
             std::int32_t* node, bool& met_unseen) {
    std::int32_t at = 0;
    while (tree.children_left[at] >= 0) {
        const Column& column = columns[tree.feature[at]];
        const Step step = column.categorical() ? level_step(tree, at, column.code(row), unseen, missing, met_unseen)
                                               : numeric_step(tree, at, column.number(row), missing);
        if (step == Step::stop) break;
        if (step == Step::refuse) {
            *node = at;
            return false;
        }
        at = step == Step::left ? tree.children_left[at] : tree.children_right[at];
    }
    *node = at;
    return true;
}

}  // namespace

RouteReport route(const TreeView& tree, const Columns& columns, Unseen unseen, Missing missing, int n_threads,
                  std::int32_t* nodes) {
    const std::size_t n_blocks = (columns.n_rows + block_rows - 1) / block_rows;
    std::vector<RouteReport> reports(n_blocks);
    run_tasks(n_threads, n_blocks, [&](std::size_t block) {
        RouteReport& report = reports[block];
        const std::size_t end = std::min(columns.n_rows, (block + 1) * block_rows);
        for (std::size_t row = block * block_rows; row < end; ++row) {
            bool met_unseen = false;
            const bool routed = descend(tree, columns, row, unseen, missing, nodes + row, met_unseen);
            report.n_unseen += met_unseen;
            if (!routed && report.refused_row < 0) {
                report.refused_row = static_cast<std::int64_t>(row);
                report.refused_column = tree.feature[nodes[row]];
            }
        }
    });
    RouteReport all;
    for (const RouteReport& report : reports) {
        all.n_unseen += report.n_unseen;
        if (all.refused_row < 0 && report.refused_row >= 0) {
            all.refused_row = report.refused_row;
            all.refused_column = report.refused_column;
        }
    }
    return all;
}

}  // namespace bristlecone
