// cell     the numbers of a column from low (itself inside only at the edge of the root's cell) to high. Rows beyond
//            the root's cell count to the cells at its edge.
// middle   of a cell, in the column's own units and rounded to float64: {x <= middle} is the left half. It is stored as
//            x < the next number, so that growing and routing compare the same two numbers.
// turn     a column's place in the cycle. A cell of one number cannot be cut: its column is passed over.
#include "grow/dyadic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "grow/space_grower.hpp"

namespace bristlecone {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct CellRange {
    double low = 0.0, high = 0.0;
    bool low_inside = true;

    bool divisible() const { return low < high && (low_inside || std::nextafter(low, infinity) < high); }
    // Of two neighbouring numbers the middle is the lower one, or the cell would be its own left half.
    double middle() const {
        const double between = std::midpoint(low, high);
        return between < high ? between : low;
    }
};

class DyadicRule {
public:
    struct Place {
        std::int32_t column = -1;  // the one that the parent was cut at
        std::uint32_t turn = 0;    // of the child
        CellRange cell;            // of the child in that column
    };

    explicit DyadicRule(const std::vector<Numbers::Range>& ranges) {
        for (const Numbers::Range& range : ranges) {
            if (range.low < range.high) cycle_.push_back(static_cast<std::int32_t>(cells_.size()));
            cells_.push_back({range.low, range.high, true});
        }
    }

    std::int64_t n_divisible() const { return static_cast<std::int64_t>(cycle_.size()); }

    void enter(const Place& place, std::int32_t depth) {
        if (depth == first_depth_) return;
        for (const auto path_above = static_cast<std::size_t>(depth - first_depth_ - 1); path_.size() > path_above;) {
            cells_[path_.back().first] = path_.back().second;
            path_.pop_back();
        }
        path_.emplace_back(place.column, cells_[place.column]);
        cells_[place.column] = place.cell;
        turn_ = place.turn;
    }

    Cut choose(std::span<const std::uint32_t>) {
        const auto n = static_cast<std::uint32_t>(cycle_.size());
        for (std::uint32_t passed = 0; passed < n; ++passed) {
            const std::uint32_t turn = (turn_ + passed) % n;
            const CellRange& cell = cells_[cycle_[turn]];
            if (!cell.divisible()) continue;
            middle_ = cell.middle();
            child_ = {cycle_[turn], (turn + 1) % n, cell};
            return {child_.column, std::nextafter(middle_, infinity)};
        }
        return {};
    }

    Place beside(bool left) const {
        Place place = child_;
        if (left)
            place.cell.high = middle_;
        else
            place.cell = {middle_, place.cell.high, false};
        return place;
    }

    DyadicRule restart(std::int32_t depth) const {
        DyadicRule rule = *this;
        rule.path_.clear();
        rule.first_depth_ = depth;
        return rule;
    }

private:
    std::vector<CellRange> cells_;                          // of the node entered last, one a column
    std::vector<std::int32_t> cycle_;                       // the columns that can be cut at all
    std::vector<std::pair<std::int32_t, CellRange>> path_;  // what the cells were before each cut on the way here
    std::int32_t first_depth_ = 0;
    std::uint32_t turn_ = 0;
    double middle_ = 0.0;
    Place child_;
};

std::vector<Numbers::Range> own_ranges(const Numbers& numbers) {
    std::vector<Numbers::Range> ranges;
    for (std::size_t j = 0; j < numbers.n_columns(); ++j) ranges.push_back(numbers.range(j));
    return ranges;
}

}  // namespace

Grown grow_dyadic(const Problem& problem, const std::vector<Numbers::Range>& ranges, const DyadicLimits& limits) {
    std::vector<std::uint32_t> rows = rows_with_weight(problem);
    const Numbers numbers(problem, rows);
    DyadicRule rule(ranges.empty() ? own_ranges(numbers) : ranges);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto all_turns = static_cast<std::int32_t>(std::min(most, limits.turns * rule.n_divisible()));
    const std::int32_t max_depth = limits.max_depth < 0 ? all_turns : limits.max_depth;
    return grow_space({&problem, &numbers, {max_depth, limits.stop_pure}, rows}, std::move(rule));
}

}  // namespace bristlecone
