// The best threshold of a numeric column at a node, from the node's rows in order of that column.
#pragma once

#include <span>

#include "search/best.hpp"
#include "search/bound.hpp"
#include "search/entries.hpp"
#include "search/lanes.hpp"

namespace bristlecone {

// So many rows of a list are bounded at once (bound.hpp) and passed over if no place among them matters.
inline constexpr std::size_t stride = 16, short_stride = 8, short_list = 256;

// Moves past the next rows if no split among them or at their end may beat the floor.
template <class Accumulator, class Entry>
bool pass_over(Accumulator& acc, std::span<const Entry> rows, double floor) {
    auto group = acc.group();
    double spread = 0;
    for (const Entry entry : rows) {
        acc.add_to(group, row_of(entry));
        if constexpr (Accumulator::corners_ask_spread) spread += acc.spread(row_of(entry));
    }
    bool may_beat = acc.may_beat_at(0.0, 0.0, floor) ||
                    acc.may_beat_at(static_cast<double>(group.weight), static_cast<double>(group.sum), floor);
    visit_corners(acc, group, spread * (1 + 1e-9),
                  [&](double n, double s) { may_beat = may_beat || acc.may_beat_at(n, s, floor); });
    if (!may_beat) acc.add(group);
    return !may_beat;
}

// Few values of few classes: what goes left is looked at once a value.
template <class Accumulator, class Entry>
ColumnBest scan_values(Accumulator& acc, std::span<const Entry> present, const LeafLimits& limits, double floor) {
    ColumnBest best;
    best.floor = floor;
    Lanes left = acc.lanes_left();
    const std::uint32_t* label = acc.labels();
    const Lanes* lane = acc.lanes_by_class();
    for (std::size_t begin = 0, end = 0; end < present.size(); begin = end) {
        const std::uint32_t rank = rank_of(present[begin]);
        for (; end < present.size() && rank_of(present[end]) == rank; ++end)
            left.add(lane[label[row_of(present[end])]]);
        acc.set_left(left, end - begin);
        if (end < present.size() && offer(acc, limits, best)) best.cut = end;
    }
    return best;
}

// Whether a value has about so many rows that scan_values() is the faster way.
template <class Entry>
bool few_values(std::span<const Entry> present) {
    constexpr std::size_t rows_a_value = 3;
    if (present.empty()) return false;
    return present.size() > rows_a_value * (rank_of(present.back()) - rank_of(present.front()) + 1);
}

template <class Accumulator, class Entry>
ColumnBest scan_thresholds(Accumulator& acc, std::span<const Entry> present, const LeafLimits& limits, double floor) {
    if constexpr (requires { acc.few_classes(); })
        if (acc.by_lanes && acc.few_classes() && few_values(present)) return scan_values(acc, present, limits, floor);
    ColumnBest best;
    best.floor = floor;
    const std::size_t step = present.size() < short_list ? short_stride : stride;
    for (std::size_t begin = 0, end = 0; begin + 1 < present.size(); begin = end) {
        end = std::min(begin + step, present.size() - 1);
        if constexpr (Accumulator::passes_over)
            if (best.floor > nothing && pass_over(acc, present.subspan(begin, end - begin), best.floor)) continue;
        for (std::size_t i = begin; i < end; ++i) {
            acc.add(row_of(present[i]));
            if (rank_of(present[i]) == rank_of(present[i + 1])) continue;
            if (offer(acc, limits, best)) best.cut = i + 1;
        }
    }
    return best;
}

// Rows with a value left, rows without right; always the last candidate of its column.
template <class Accumulator, class Entry>
void offer_present_split(Accumulator& acc, std::span<const Entry> present, const LeafLimits& limits, ColumnBest& best) {
    acc.clear();
    for (const Entry entry : present) acc.add(row_of(entry));
    if (offer(acc, limits, best)) {
        best.cut = present.size();
        best.missing = Side::right;
        best.present_split = true;
    }
}

// list: rows with a value in ascending order, then the rows without one. floor: as in ColumnBest.
template <class Accumulator, class Entry>
ColumnBest search_thresholds(Accumulator& acc, std::span<const Entry> list, const LeafLimits& limits, double floor) {
    const std::span<const Entry> present = list.first(count_present(list));
    const std::span<const Entry> missing = list.subspan(present.size());
    acc.clear();
    if (missing.empty()) return scan_thresholds(acc, present, limits, floor);
    for (const Entry entry : missing) acc.add(row_of(entry));
    ColumnBest left = scan_thresholds(acc, present, limits, floor);
    acc.clear();
    ColumnBest right = scan_thresholds(acc, present, limits, floor);
    right.missing = Side::right;
    ColumnBest best = better_of(std::move(left), std::move(right), acc.tolerance());
    best.saw_missing = true;
    if (!present.empty()) offer_present_split(acc, present, limits, best);
    return best;
}

}  // namespace bristlecone
