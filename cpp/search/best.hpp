// The best split of one column at one node, and the scan that finds it along a sorted list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "impurity/gain.hpp"

namespace bristlecone {

// What a leaf must hold, in rows and in the region's weight units.
struct LeafLimits {
    std::int64_t rows = 1;
    double weight = 0.0;
};

enum class Side : std::uint8_t { left, right };

inline constexpr double everything = std::numeric_limits<double>::infinity(), nothing = -everything;

struct ColumnBest {
    bool found = false;
    Gain gain;
    double fast = nothing;
    double floor = nothing;     // what fast() must exceed, rounding apart, for a candidate to matter
    std::size_t cut = 0;        // rows with a value that go left, in the column's order
    Side missing = Side::left;  // read only where the node has missing cells in the column
    bool saw_missing = false;
    bool present_split = false;  // rows with a value left, rows without right
    bool heuristic = false;
    double weight_left = 0.0;
    double value_left = 0.0, value_right = 0.0;  // under monotone constraints
    std::vector<std::int32_t> levels_left;       // of a level set
    bool varies = true;                          // whether the column has several values in the node, as far as known
    // From histograms: where a threshold lies, between two neighbouring values inside an opened bin or on the edge
    // between two bins that have rows.
    bool inside = false;
    double low = 0.0, high = 0.0;
    std::size_t last = 0, next = 0;
};

// Whether the left side as it stands may be a child, and the right side too.
template <class Accumulator>
bool fits(const Accumulator& acc, const LeafLimits& limits) {
    const auto left = acc.left();
    const auto total = acc.total();
    return left.rows >= limits.rows && total.rows - left.rows >= limits.rows &&
           static_cast<double>(left.weight) >= limits.weight &&
           static_cast<double>(total.weight - left.weight) >= limits.weight && acc.admissible();
}

// Takes the split as it stands as the new best if it gains more than a tie. Rare: may_beat() let it through.
template <class Accumulator>
__attribute__((noinline)) bool consider(const Accumulator& acc, ColumnBest& best) {
    Gain gain = acc.gain();
    gain.value = std::max(0.0, gain.value);  // below 0 by rounding only
    if (best.found && !exceeds(gain, best.gain, acc.tolerance())) return false;
    best.found = true;
    best.fast = acc.fast();
    best.floor = std::max(best.floor, best.fast - acc.slack(best.fast));
    best.gain = gain;
    best.weight_left = static_cast<double>(acc.left().weight);
    if constexpr (requires { acc.left_value(); }) {
        best.value_left = acc.left_value();
        best.value_right = acc.right_value();
    }
    return true;
}

// Whether the split as it stands is the new best; the earlier one is kept on a tie.
template <class Accumulator>
inline bool offer(const Accumulator& acc, const LeafLimits& limits, ColumnBest& best) {
    return acc.may_beat(best.floor) && fits(acc, limits) && consider(acc, best);
}

// What a candidate of another column must exceed to matter beside this best: ties lie above it, and so does any chain
// of ties that could lead up to one.
template <class Accumulator>
double floor_beside(const Accumulator& acc, const ColumnBest& best) {
    constexpr double chain = 1024;
    return best.found ? best.fast - acc.slack(best.fast) - chain * acc.fast_tolerance() : nothing;
}

// Whether a split leaves so little of the node's impurity that no other one exceeds it, rounding apart.
inline bool leaves_nothing(const ColumnBest& best, double impurity) {
    return best.found && best.gain.value >= impurity * (1 - tie_tolerance / 2);
}

// The three ways of a node with missing cells are searched apart; the earlier threshold wins a tie, then missing left.
inline ColumnBest better_of(ColumnBest left_first, ColumnBest right_first, double tolerance) {
    if (!right_first.found) return left_first;
    if (!left_first.found || exceeds(right_first.gain, left_first.gain, tolerance)) return right_first;
    if (exceeds(left_first.gain, right_first.gain, tolerance)) return left_first;
    return right_first.cut < left_first.cut ? right_first : left_first;
}

}  // namespace bristlecone
