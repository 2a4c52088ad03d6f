// The best level set of a categorical column at a node, from the rows of each level.
//
// Exact where a theorem or enumeration makes it so: sorted by mean for two classes, squared error and Poisson; all
// subsets up to ten levels otherwise. Beyond that the levels are put in a line by a stated heuristic (first principal
// component of the level-by-class table; median for absolute error), and the split is marked as heuristic.
#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "search/best.hpp"
#include "search/line.hpp"

namespace bristlecone {

inline constexpr std::size_t exhaustive_levels = 10;

template <class Accumulator>
struct LevelGroup {
    std::int32_t code;
    typename Accumulator::Group group;
};

template <class Accumulator>
using LevelGroups = std::vector<LevelGroup<Accumulator>>;

// Prefixes of a line of levels. order: places in groups.
template <class Accumulator>
ColumnBest scan_line(Accumulator& acc, const LevelGroups<Accumulator>& groups, const std::vector<std::uint32_t>& order,
                     const LeafLimits& limits) {
    ColumnBest best;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        acc.add(groups[order[i]].group);
        if (offer(acc, limits, best)) best.cut = i + 1;
    }
    for (std::size_t i = 0; i < best.cut; ++i) best.levels_left.push_back(groups[order[i]].code);
    return best;
}

// All subsets that hold the first level; a Gray code moves one level at a time.
template <class Accumulator>
ColumnBest scan_subsets(Accumulator& acc, const LevelGroups<Accumulator>& groups, const LeafLimits& limits) {
    ColumnBest best;
    const std::uint32_t n_masks = 1u << (groups.size() - 1);
    std::uint32_t mask = 0;
    acc.add(groups[0].group);
    for (std::uint32_t i = 0;; ++i) {
        const bool whole = mask + 1 == n_masks;
        if (!whole && offer(acc, limits, best)) {
            best.cut = mask;
            best.levels_left.assign(1, groups[0].code);
            for (std::size_t l = 1; l < groups.size(); ++l)
                if (mask >> (l - 1) & 1) best.levels_left.push_back(groups[l].code);
        }
        if (i + 1 == n_masks) break;
        const int moved = std::countr_zero(i + 1);
        mask ^= 1u << moved;
        if (mask >> moved & 1)
            acc.add(groups[moved + 1].group);
        else
            acc.remove(groups[moved + 1].group);
    }
    return best;
}

template <class Accumulator>
std::vector<std::uint32_t> line_of(const Accumulator& acc, const LevelGroups<Accumulator>& groups) {
    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0);
    if constexpr (Accumulator::ordered_levels) {
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return Accumulator::comes_before(groups[a].group, groups[b].group);
        });
        // Levels of one mean stand in the order of their codes, whatever rounding says.
        for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
            for (to = from + 1;
                 to < order.size() && acc.same_mean(groups[order[to - 1]].group, groups[order[to]].group);)
                ++to;
            std::sort(order.begin() + static_cast<std::ptrdiff_t>(from),
                      order.begin() + static_cast<std::ptrdiff_t>(to));
        }
    } else {
        if (groups.size() <= exhaustive_levels) return {};
        const std::vector<double> keys = line_keys(acc, groups);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    }
    return order;
}

// The set with the node's first level goes left.
template <class Accumulator>
void put_first_level_left(const LevelGroups<Accumulator>& groups, double total_weight, ColumnBest& best) {
    std::sort(best.levels_left.begin(), best.levels_left.end());
    if (best.levels_left.front() == groups.front().code) return;
    std::vector<std::int32_t> others;
    for (const auto& level : groups)
        if (!std::binary_search(best.levels_left.begin(), best.levels_left.end(), level.code))
            others.push_back(level.code);
    best.levels_left = std::move(others);
    best.missing = best.missing == Side::left ? Side::right : Side::left;
    std::swap(best.value_left, best.value_right);
    best.weight_left = total_weight - best.weight_left;
}

// The missing rows on the left, or (null) on the right.
template <class Accumulator>
void start(Accumulator& acc, const typename Accumulator::Group* missing_left) {
    acc.clear();
    if (missing_left != nullptr) acc.add(*missing_left);
}

// Whether limits on leaves forbid some prefix of the line: the best of the others need not be the best of all then.
template <class Accumulator>
bool limits_bite(Accumulator& acc, const LevelGroups<Accumulator>& groups, const std::vector<std::uint32_t>& order,
                 const typename Accumulator::Group* missing, const LeafLimits& limits) {
    if (limits.rows <= 1 && limits.weight <= 0 && !Accumulator::forbids_sides) return false;
    start(acc, missing);
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        acc.add(groups[order[i]].group);
        if (!fits(acc, limits)) return true;
    }
    return missing != nullptr && limits_bite<Accumulator>(acc, groups, order, nullptr, limits);
}

// How the level sets of a column are gone through.
struct LevelPlan {
    std::vector<std::uint32_t> line;  // empty: all subsets
    bool heuristic = false;
};

template <class Accumulator>
LevelPlan plan_levels(Accumulator& acc, const LevelGroups<Accumulator>& groups,
                      const typename Accumulator::Group* missing, const LeafLimits& limits) {
    LevelPlan plan{line_of(acc, groups), !Accumulator::ordered_levels};
    if (!Accumulator::ordered_levels || !limits_bite(acc, groups, plan.line, missing, limits)) return plan;
    if (groups.size() <= exhaustive_levels)
        plan.line.clear();
    else
        plan.heuristic = true;
    return plan;
}

// One way of the missing rows.
template <class Accumulator>
ColumnBest scan_levels(Accumulator& acc, const LevelGroups<Accumulator>& groups, const LevelPlan& plan,
                       const typename Accumulator::Group* missing_left, const LeafLimits& limits) {
    if (groups.size() < 2) return {};
    start(acc, missing_left);
    ColumnBest best = plan.line.empty() ? scan_subsets(acc, groups, limits) : scan_line(acc, groups, plan.line, limits);
    if (!best.found) return best;
    best.heuristic = plan.heuristic && !plan.line.empty();
    best.missing = missing_left != nullptr ? Side::left : Side::right;
    put_first_level_left(groups, static_cast<double>(acc.total().weight), best);
    return best;
}

// groups ascend by code and are not empty; missing is null when the node has no missing cell in this column.
template <class Accumulator>
ColumnBest search_levels(Accumulator& acc, const LevelGroups<Accumulator>& groups,
                         const typename Accumulator::Group* missing, const LeafLimits& limits) {
    const LevelPlan plan = plan_levels(acc, groups, missing, limits);
    ColumnBest best = scan_levels<Accumulator>(acc, groups, plan, nullptr, limits);
    if (missing == nullptr) return best;
    ColumnBest other = scan_levels(acc, groups, plan, missing, limits);
    if (!best.found || (other.found && (exceeds(other.gain, best.gain, acc.tolerance()) ||
                                        (other.missing == Side::left && best.missing == Side::right &&
                                         !exceeds(best.gain, other.gain, acc.tolerance())))))
        best = std::move(other);
    acc.clear();
    for (const auto& level : groups) acc.add(level.group);
    if (offer(acc, limits, best)) {
        best.present_split = true;
        best.heuristic = false;
        best.missing = Side::right;
        best.levels_left.clear();
        for (const auto& level : groups) best.levels_left.push_back(level.code);
    }
    best.saw_missing = true;
    return best;
}

}  // namespace bristlecone
