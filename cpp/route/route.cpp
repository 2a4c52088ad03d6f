#include "route/route.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <type_traits>

#include "route/cells.hpp"
#include "route/flat_walk.hpp"
#include "threads.hpp"

namespace bristlecone {
namespace {

constexpr std::size_t task_rows = 16384;

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

// Where the node's level set names a level, or -1. Codes ascend from 0 on and a node lacks few of them, so a level
// stands at its own code or not far before.
std::int64_t place_of(const TreeView& tree, std::int32_t node, std::int32_t code) {
    const std::int64_t begin = tree.level_ptr[node], n = tree.level_ptr[node + 1] - begin;
    const std::int32_t* codes = tree.level_code + begin;
    std::int64_t end = std::min<std::int64_t>(code, n - 1);  // the last place where it can be
    if (code < 0 || end < 0) return -1;
    if (codes[end] == code) return begin + end;
    std::int64_t step = 1;
    while (step <= end && codes[end - step] > code) {
        end -= step;
        step *= 2;
    }
    const std::int32_t* from = codes + std::max<std::int64_t>(0, end - step);
    const std::int32_t* found = std::lower_bound(from, codes + end, code);
    return found != codes + end && *found == code ? begin + (found - codes) : -1;
}

Step level_step(const TreeView& tree, std::int32_t node, std::int32_t code, Unseen unseen, Missing missing,
                bool& met_unseen) {
    if (code == missing_level) {
        if (missing == Missing::error) return Step::refuse;
        return tree.missing_left[node] ? Step::left : Step::right;
    }
    const std::int64_t at = place_of(tree, node, code);
    if (at < 0) return unknown_step(tree, node, unseen, met_unseen);
    return tree.level_left[at] ? Step::left : Step::right;
}

// Rows one after the other, through splits of any kind and under any rule.
class RowByRow {
public:
    RowByRow(const TreeView& tree, const Columns& columns, Unseen unseen, Missing missing)
        : tree_(tree), columns_(columns), unseen_(unseen), missing_(missing) {}

    void walk(std::size_t first, std::size_t end, std::int64_t* nodes, RouteReport& report) const {
        for (std::size_t row = first; row < end; ++row) {
            std::int32_t at = 0;
            bool met_unseen = false;
            const bool routed = descend(row, at, met_unseen);
            nodes[row] = at;
            report.n_unseen += met_unseen;
            if (!routed && report.refused_row < 0) {
                report.refused_row = static_cast<std::int64_t>(row);
                report.refused_column = tree_.feature[at];
            }
        }
    }

private:
    // Returns false when an "error" rule refuses the row at the node `at`.
    bool descend(std::size_t row, std::int32_t& at, bool& met_unseen) const {
        while (tree_.children_left[at] >= 0) {
            const Column& column = columns_[tree_.feature[at]];
            const Step step = column.categorical()
                                  ? level_step(tree_, at, column.code(row), unseen_, missing_, met_unseen)
                                  : numeric_step(tree_, at, column.number(row), missing_);
            if (step == Step::stop) break;
            if (step == Step::refuse) return false;
            at = step == Step::left ? tree_.children_left[at] : tree_.children_right[at];
        }
        return true;
    }

    const TreeView& tree_;
    const Columns& columns_;
    Unseen unseen_;
    Missing missing_;
};

struct Asked {
    const RowByRow* refusing = nullptr;  // where missing values are refused: walks a block again, to tell which
    bool infinite = false;               // whether cells are looked at, and lie so that they can be
};

// Rows first .. end - 1 through a flat tree, a block at a time; read(row, n_rows) gives the cells of a block.
template <class Cells, class Read>
void walk_flat(const FlatTree& flat, std::size_t first, std::size_t end, const Read& read, const Asked& asked,
               std::int64_t* nodes, RouteReport& report) {
    const auto walk = std::make_unique<FlatWalk<Cells>>(flat);
    for (std::size_t row = first; row < end; row += most_rows) {
        const std::size_t n_rows = std::min(most_rows, end - row);
        const Cells cells = read(row, n_rows);
        if constexpr (!std::is_same_v<Cells, ColumnCells>)
            report.infinite = report.infinite || !asked.infinite || any_infinite(cells, n_rows);
        const bool met_missing = walk->walk(cells, n_rows, end - row - n_rows, nodes + row);
        if (met_missing && asked.refusing) asked.refusing->walk(row, row + n_rows, nodes, report);
    }
}

void walk_flat(const FlatTree& flat, const Columns& columns, std::size_t first, std::size_t end, const Asked& asked,
               std::int64_t* nodes, RouteReport& report) {
    const auto walk = [&]<class Cells>(const Cells&, const auto& read) {
        walk_flat<Cells>(flat, first, end, read, asked, nodes, report);
    };
    const auto walk_rows = [&](const auto& rows) {
        walk(rows, [&](std::size_t row, std::size_t) { return rows.from(row); });
    };
    if (const auto doubles = as_rows<double>(columns, flat.features)) return walk_rows(*doubles);
    if (const auto floats = as_rows<float>(columns, flat.features)) return walk_rows(*floats);
    report.infinite = true;  // for all that is known here
    ColumnBlock block(columns, flat.features, std::min(most_rows, end - first));
    walk(ColumnCells{}, [&](std::size_t row, std::size_t n_rows) { return block.read(row, n_rows); });
}

}  // namespace

RouteReport route(const TreeView& tree, const FlatTree& flat, const Columns& columns, Unseen unseen, Missing missing,
                  bool ask_infinite, int n_threads, std::int64_t* nodes) {
    const RowByRow row_by_row(tree, columns, unseen, missing);
    const Asked asked{missing == Missing::error ? &row_by_row : nullptr, ask_infinite && whole_rows(columns)};
    const std::size_t n_tasks = (columns.n_rows + task_rows - 1) / task_rows;
    std::vector<RouteReport> reports(n_tasks);
    run_tasks(n_threads, n_tasks, [&](std::size_t task) {
        const std::size_t first = task * task_rows, end = std::min(columns.n_rows, first + task_rows);
        if (flat.nodes.empty())
            row_by_row.walk(first, end, nodes, reports[task]);
        else
            walk_flat(flat, columns, first, end, asked, nodes, reports[task]);
    });
    RouteReport all;
    all.infinite = !asked.infinite || flat.nodes.empty();
    for (const RouteReport& report : reports) {
        all.n_unseen += report.n_unseen;
        all.infinite = all.infinite || report.infinite;
        if (all.refused_row < 0 && report.refused_row >= 0) {
            all.refused_row = report.refused_row;
            all.refused_column = report.refused_column;
        }
    }
    return all;
}

}  // namespace bristlecone
