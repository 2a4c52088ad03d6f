// The best threshold of a numeric column at a node, from the node's rows in order of that column.
#pragma once

#include <span>

#include "search/best.hpp"
#include "search/entries.hpp"

namespace bristlecone {

template <class Accumulator, class Entry>
ColumnBest scan_thresholds(Accumulator& acc, std::span<const Entry> present, const LeafLimits& limits) {
    ColumnBest best;
    for (std::size_t i = 0; i + 1 < present.size(); ++i) {
        acc.add(row_of(present[i]));
        if (rank_of(present[i]) == rank_of(present[i + 1])) continue;
        if (offer(acc, limits, best)) best.cut = i + 1;
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

// list: rows with a value in ascending order, then the rows without one.
template <class Accumulator, class Entry>
ColumnBest search_thresholds(Accumulator& acc, std::span<const Entry> list, const LeafLimits& limits) {
    const std::span<const Entry> present = list.first(count_present(list));
    const std::span<const Entry> missing = list.subspan(present.size());
    acc.clear();
    if (missing.empty()) return scan_thresholds(acc, present, limits);
    for (const Entry entry : missing) acc.add(row_of(entry));
    ColumnBest left = scan_thresholds(acc, present, limits);
    acc.clear();
    ColumnBest right = scan_thresholds(acc, present, limits);
    right.missing = Side::right;
    ColumnBest best = better_of(std::move(left), std::move(right), acc.tolerance());
    best.saw_missing = true;
    if (!present.empty()) offer_present_split(acc, present, limits, best);
    return best;
}

}  // namespace bristlecone
