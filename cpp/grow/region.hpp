// Regions: a set of rows under one way of searching, and the nodes inside it that are open.
//
// A large region searches by histograms (histogram_region.hpp), a small one by sorted lists (list_region.hpp). The
// growth loop knows only this interface.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "grow/nodes.hpp"
#include "search/best.hpp"
#include "search/measure.hpp"
#include "search/monotone.hpp"
#include "search/problem.hpp"
#include "search/target.hpp"
#include "table/codes.hpp"

namespace bristlecone {

class Region;

// A mark for each column. Those of the first 64 columns take no memory of their own: there is a set for every node.
class ColumnMarks {
public:
    bool operator[](std::size_t j) const {
        return j < first ? (marks_ >> j & 1) != 0 : j - first < more_.size() && more_[j - first];
    }
    void set(std::size_t j) {
        if (j < first) {
            marks_ |= std::uint64_t{1} << j;
        } else {
            if (more_.size() <= j - first) more_.resize(j - first + 1, false);
            more_[j - first] = true;
        }
    }

private:
    static constexpr std::size_t first = 64;
    std::uint64_t marks_ = 0;
    std::vector<bool> more_;
};

// What a histogram region keeps for an open node.
struct HistogramBase {
    virtual ~HistogramBase() = default;
};

// A node that may still be split.
struct Open {
    std::int32_t node = -1;
    std::int32_t depth = 0;
    std::size_t begin = 0, end = 0;  // its rows in the partitioned order
    std::shared_ptr<Region> region;
    bool fresh = true;  // to its region, whose units it takes over
    Units units;
    Bounds bounds;         // in the caller's units
    ColumnMarks constant;  // columns with one value here, and so below
    Split split;           // column -1: a leaf
    std::size_t cut = 0;   // as in ColumnBest, of the same split
    double value_left = 0.0, value_right = 0.0;
    double decrease = 0.0;  // see decrease_of()
    std::shared_ptr<HistogramBase> histogram;

    std::size_t size() const { return end - begin; }
};

// Everything that stays the same while a tree grows.
struct Growth {
    const Problem* problem = nullptr;
    Weighing weighing;
    std::span<std::uint32_t> rows;  // partitioned in place
    const Codes* codes = nullptr;   // null: sorted lists only
    double target_unit = 1.0;       // of decreases: the reach of a numeric target, a power of two
    std::size_t small_node = 0;     // rows from which on a node is searched by sorted lists
    std::size_t small_last = 0;     // the same for a node that can be split once only
    std::size_t part_rows = 0;      // rows from which on a part of the table is a region of its own
};

// Below so many cells a node is not worth a second thread.
inline constexpr std::size_t cells_worth_threads = 1 << 17;

// Whether a node of so many rows at this depth is searched by sorted lists.
inline bool by_lists(const Growth& growth, std::size_t n_rows, std::int32_t depth) {
    const bool last = depth + 1 >= growth.problem->limits.max_depth;
    return n_rows <= (last ? growth.small_last : growth.small_node);
}

class Region {
public:
    virtual ~Region() = default;
    // Measures the node, writes what a leaf there would hold, and finds its best split if it may have one.
    virtual void examine(Open& open, Node& node, int n_threads) = 0;
    // Splits the node's rows; the children are not examined yet.
    virtual std::pair<Open, Open> divide(Open& open) = 0;
};

void plan_regions(Growth& growth);
std::shared_ptr<Region> make_region(const Growth& growth, const Open& open, int n_threads);

// The rules that both kinds of region follow.
bool may_split(const Problem& problem, const Open& open, const Measure& m);
LeafLimits leaf_limits(const Problem& problem, const Units& units);
// Picks among the columns' best splits; no_column when none is good enough.
std::size_t choose_column(const Growth& growth, const std::vector<ColumnBest>& bests, const Open& open,
                          const Measure& m, double tolerance);
// The other columns' best splits, best first.
template <class Describe>
std::vector<Split> runners_up(const Problem& problem, const std::vector<ColumnBest>& bests, std::size_t winner,
                              Describe&& describe) {
    std::vector<Split> runners;
    for (std::size_t j = 0; j < bests.size(); ++j)
        if (j != winner && bests[j].found) runners.push_back(describe(j));
    std::stable_sort(runners.begin(), runners.end(), [](const Split& a, const Split& b) { return a.gain > b.gain; });
    if (runners.size() > static_cast<std::size_t>(problem.n_runners))
        runners.resize(static_cast<std::size_t>(problem.n_runners));
    return runners;
}
// On a tie, rounding apart, the left child counts as the heavier one.
inline bool left_is_heavier(double left, double total) { return 2 * left >= total * (1 - tie_tolerance); }
// The fall of the summed impurity that a gain stands for: relative to the target's own size, so that it neither
// overflows nor vanishes (decrease_of), and per unit of the node's weight in the caller's units (caller_gain).
double decrease_of(const Growth& growth, const Units& units, double gain);
double caller_gain(const Growth& growth, double decrease, double weight);
// t with lo < t <= hi for neighbouring values lo < hi: the middle where there is one.
double threshold_between(double lo, double hi);
// Growth ends only if every split parts its rows. Throws std::runtime_error when the table has changed meanwhile.
void require_two_sides(const Open& open, std::size_t n_left);
void set_child_bounds(const Problem& problem, const Open& parent, Open& left, Open& right);

}  // namespace bristlecone
