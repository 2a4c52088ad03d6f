// Absolute error: a side of a split answers its lower weighted median, the smallest y at which the weight of the rows
// so far reaches half.
//
// Both sides are Fenwick trees over the node's rows in order of y, so that moving a row and asking a median take
// logarithmic time: n log n a column. Targets are centred at the node's median.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "impurity/gain.hpp"
#include "search/measure.hpp"
#include "search/monotone.hpp"

namespace bristlecone {

// Weights and weighted targets in order of y, with prefix sums in logarithmic time.
class PrefixSums {
public:
    struct Sums {
        double weight = 0.0, target = 0.0;
    };
    void assign(std::size_t n) { tree_.assign(n + 1, {}); }
    void add(std::size_t at, double weight, double target) {
        for (std::size_t i = at + 1; i < tree_.size(); i += i & -i) {
            tree_[i].weight += weight;
            tree_[i].target += target;
        }
    }
    Sums before(std::size_t end) const {
        Sums sums;
        for (std::size_t i = end; i > 0; i -= i & -i) {
            sums.weight += tree_[i].weight;
            sums.target += tree_[i].target;
        }
        return sums;
    }
    // The first place whose prefix, itself included, has at least this weight.
    std::size_t reach(double weight) const {
        std::size_t at = 0, step = 1;
        while (2 * step < tree_.size()) step *= 2;
        for (; step > 0; step /= 2)
            if (at + step < tree_.size() && tree_[at + step].weight < weight) {
                at += step;
                weight -= tree_[at].weight;
            }
        return std::min(at, tree_.size() - 2);
    }

private:
    std::vector<Sums> tree_;
};

class Median {
public:
    struct Group {
        std::int64_t rows = 0;
        double weight = 0.0;
        std::vector<std::uint32_t> members;
    };
    struct Side {
        std::int64_t rows = 0;
        double weight = 0.0;
    };
    static constexpr bool ordered_levels = false;
    static constexpr bool forbids_sides = false;
    static constexpr bool passes_over = false;  // no bound is known

    // y and weight (null: ones) by the region's row numbers.
    Median(const double* y, const double* weight) : y_(y), weight_(weight) {}

    template <class Index>
    Measure measure(std::span<const Index> rows) {
        members_.assign(rows.begin(), rows.end());
        std::sort(members_.begin(), members_.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return y_[a] != y_[b] ? y_[a] < y_[b] : a < b; });
        return enter();
    }

    void clear();
    void add(std::uint32_t row) { move(row, 1.0); }
    void add(const Group& group) {
        for (const std::uint32_t row : group.members) move(row, 1.0);
    }
    void remove(const Group& group) {
        for (const std::uint32_t row : group.members) move(row, -1.0);
    }
    void add_to(Group& group, std::uint32_t row) const {
        ++group.rows;
        group.weight += weight_of(row);
        group.members.push_back(row);
    }
    Group group() const { return {}; }

    Side left() const { return {left_.rows, left_.weight}; }
    Side total() const { return total_; }
    double tolerance() const { return tolerance_; }
    // The same in the units of fast().
    double fast_tolerance() const { return tolerance_; }
    bool admissible() const { return direction_ * (right_value() - left_value()) >= 0; }
    double fast() const { return -cost(left_sums_, left_, left_value()) - cost(right_sums_, right(), right_value()); }
    bool may_beat(double floor) const { return fast() > floor; }
    double slack(double) const { return 0.0; }
    Gain gain() const { return {fast() + parent_cost_, 0, 0}; }

    void set_bounds(const Bounds& bounds) { bounds_ = bounds; }
    void set_direction(int direction) { direction_ = direction; }
    // Answers in the caller's units, clipped into the bounds.
    double left_value() const { return bounds_.clip(median(left_sums_, left_)); }
    double right_value() const { return bounds_.clip(median(right_sums_, right())); }

    double group_median(const Group& group) const;

private:
    // Half, rounding apart: a median may not depend on the unit of the weights.
    static double half_of(double weight) { return weight / 2 * (1 - tie_tolerance); }
    double weight_of(std::uint32_t row) const { return weight_ ? weight_[row] : 1.0; }
    Side right() const { return {total_.rows - left_.rows, total_.weight - left_.weight}; }
    double median(const PrefixSums& sums, const Side& side) const {
        return y_[members_[sums.reach(half_of(side.weight))]];
    }
    // The sum of w |y - v| over one side.
    double cost(const PrefixSums& sums, const Side& side, double v) const;
    void move(std::uint32_t row, double sign);
    Measure enter();

    const double* y_;
    const double* weight_;
    std::vector<std::uint32_t> members_;  // the node's rows in order of y
    std::vector<std::uint32_t> place_;    // row -> its place among them
    PrefixSums left_sums_, right_sums_, all_sums_;
    Side total_, left_;
    Bounds bounds_;
    int direction_ = 0;
    double centre_ = 0.0, parent_cost_ = 0.0, tolerance_ = 0.0;
};

}  // namespace bristlecone
