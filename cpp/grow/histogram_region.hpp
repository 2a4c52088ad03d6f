// A region searched by histograms over codes.
//
// Every code's rows are added up once; the edges between codes are candidates as they stand. Inside a bin of a column
// with many values there may be better ones: a bound (bound.hpp) tells which bins, and only their rows are sorted and
// tried value by value. The result is the exact best split. A child's histogram is its parent's minus its sibling's.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "grow/histogram.hpp"
#include "grow/measuring.hpp"
#include "grow/region.hpp"
#include "grow/sorted_lists.hpp"
#include "search/binned.hpp"
#include "search/choose.hpp"
#include "search/coded_levels.hpp"

namespace bristlecone {

template <class Accumulator, class Layout>
class HistogramRegion final : public Region {
    using Histogram = NodeHistogram<Layout>;

public:
    explicit HistogramRegion(const Growth& growth)
        : growth_(growth), layout_(growth.problem->n_classes), units_(take_targets()), acc_(make_accumulator()) {}

    void examine(Open& open, Node& node, int n_threads) override {
        if (open.constant.empty()) {
            open.units = units_;
            open.constant.assign(columns().size(), false);
        }
        const Measure m = measure(open);
        node.label = m.label;
        node.impurity = m.weight > 0 ? m.impurity / m.weight : 0.0;
        open.split = {};
        if (!may_split(problem(), open, m)) return;
        if (!open.histogram) open.histogram = Histogram::count(layout_, codes(), target_, rows_of(open), n_threads);
        search(open, node, m, n_threads);
    }

    std::pair<Open, Open> divide(Open& open) override {
        const std::size_t n_left = split_rows(open);
        require_two_sides(open, n_left);
        const std::shared_ptr<HistogramBase> histogram = std::move(open.histogram);
        Open left = open, right = open;
        left.end = right.begin = open.begin + n_left;
        ++left.depth;
        ++right.depth;
        share_histogram(histogram, left, right);
        for (Open* child : {&left, &right})
            if (child->size() <= growth_.small_node) leave(*child);
        return {std::move(left), std::move(right)};
    }

private:
    const Problem& problem() const { return *growth_.problem; }
    const Columns& columns() const { return *growth_.problem->columns; }
    const Codes& codes() const { return *growth_.codes; }
    std::span<const std::uint32_t> rows_of(const Open& open) const {
        return std::span<const std::uint32_t>(growth_.rows).subspan(open.begin, open.size());
    }

    Units take_targets() {
        target_.resize(problem(), growth_.weighing, columns().n_rows);
        return target_.quantise(problem(), growth_.weighing, growth_.rows, growth_.rows.data());
    }
    Accumulator make_accumulator() const {
        if constexpr (requires { Accumulator(target_, problem().n_classes); })
            return Accumulator(target_, problem().n_classes);
        else
            return Accumulator(target_);
    }

    Measure measure(Open& open) {
        const auto rows = rows_of(open);
        return measure_node(growth_.weighing, acc_, open, rows, problem().y, [&] {
            open.units = target_.quantise(problem(), growth_.weighing, rows, rows.data());
            open.histogram.reset();  // it counts in the former units
        });
    }

    // The growth loop gives the node a region of sorted lists.
    static void leave(Open& child) {
        child.region.reset();
        child.histogram.reset();
        child.constant.clear();
    }

    // The smaller child is counted, the larger one is the rest; a child that goes over to sorted lists needs neither.
    void share_histogram(const std::shared_ptr<HistogramBase>& histogram, Open& left, Open& right) {
        Open& small = left.size() < right.size() ? left : right;
        Open& large = left.size() < right.size() ? right : left;
        if (large.size() <= growth_.small_node || large.depth >= problem().limits.max_depth) return;
        auto counted = Histogram::count(layout_, codes(), target_, rows_of(small), problem().n_threads);
        auto rest = std::static_pointer_cast<Histogram>(histogram);
        rest->subtract(*counted);
        large.histogram = rest;
        if (small.size() > growth_.small_node) small.histogram = counted;
    }

    void search(Open& open, Node& node, const Measure& m, int n_threads) {
        const auto& histogram = static_cast<const Histogram&>(*open.histogram);
        const LeafLimits limits = leaf_limits(problem(), open.units);
        std::vector<BinnedBest> bests(columns().size());
        over_columns(n_threads, [&](Accumulator& acc, std::size_t j) {
            if (open.constant[j]) return;
            bests[j] = search_column(acc, histogram, j, open, limits);
        });
        // Where the other columns' best splits count too, each column must know its own exactly.
        const bool by_column = problem().criterion == Criterion::gain_ratio || problem().n_runners > 0;
        double floor = -std::numeric_limits<double>::infinity();
        for (const BinnedBest& best : bests)
            if (best.split.found) floor = std::max(floor, best.split.fast);
        OpenedBins opened(columns().size());
        over_columns(n_threads, [&](Accumulator& acc, std::size_t j) {
            if (open.constant[j] || codes()[j].exact || codes()[j].wide) return;
            const ColumnBest& own = bests[j].split;
            opened.flag(
                j, open_bins(acc, layout_, histogram.column(j), codes()[j].n_codes, limits,
                             by_column ? (own.found ? own.fast : -std::numeric_limits<double>::infinity()) : floor));
        });
        opened.gather(codes(), rows_of(open));
        over_columns(n_threads, [&](Accumulator& acc, std::size_t j) {
            if (!opened.any(j)) return;
            opened.sort(j, columns()[j]);
            bests[j] = search_bins(acc, layout_, histogram.column(j), codes()[j].n_codes, limits, opened, j);
        });
        settle(open, node, m, bests);
    }

    void settle(Open& open, Node& node, const Measure& m, std::vector<BinnedBest>& bests) {
        std::vector<ColumnBest> splits;
        for (std::size_t j = 0; j < bests.size(); ++j) {
            // A bin of many values tells nothing about its rows.
            open.constant[j] = open.constant[j] || (!bests[j].varies && (codes()[j].exact || codes()[j].wide));
            splits.push_back(bests[j].split);
        }
        const std::size_t winner = choose_column(growth_, splits, open, m, acc_.tolerance());
        if (winner == no_column) return;
        open.split = describe(open, winner, bests[winner], m);
        open.decrease = decrease_of(growth_, open.units, bests[winner].split.gain.value);
        if (problem().n_runners > 0)
            node.runners =
                runners_up(problem(), splits, winner, [&](std::size_t j) { return describe(open, j, bests[j], m); });
        open.best = std::move(bests[winner].split);
    }

    // task(accumulator, column), columns shared among the threads.
    template <class Task>
    void over_columns(int n_threads, Task&& task) {
        if (n_threads <= 1) {
            for (std::size_t j = 0; j < columns().size(); ++j) task(acc_, j);
            return;
        }
        const auto n_shares = static_cast<std::size_t>(n_threads);
        run_tasks(n_threads, n_shares, [&](std::size_t share) {
            Accumulator own = acc_;
            for (std::size_t j = share; j < columns().size(); j += n_shares) task(own, j);
        });
    }

    BinnedBest search_column(Accumulator& acc, const Histogram& histogram, std::size_t j, const Open& open,
                             const LeafLimits& limits) const {
        if (!columns()[j].categorical())
            return search_bins(acc, layout_, histogram.column(j), codes()[j].n_codes, limits, OpenedBins(0), j);
        BinnedBest best;
        LevelGroups<Accumulator> groups;
        auto missing = acc.group();
        if (codes()[j].wide)
            collect_wide_levels(acc, columns()[j], rows_of(open), groups, missing);
        else
            collect_levels(acc, layout_, histogram.column(j), codes()[j].n_codes, groups, missing);
        best.varies = groups.size() + (missing.rows > 0) > 1;
        if (!best.varies || groups.empty()) return best;
        best.split = search_levels(acc, groups, missing.rows > 0 ? &missing : nullptr, limits);
        return best;
    }

    Split describe(const Open& open, std::size_t j, const BinnedBest& best, const Measure& m) const {
        Split split;
        split.column = static_cast<std::int32_t>(j);
        split.heuristic = best.split.heuristic;
        split.gain =
            caller_gain(growth_, decrease_of(growth_, open.units, best.split.gain.value), m.weight * open.units.weight);
        split.missing_left = best.split.saw_missing ? best.split.missing == Side::left
                                                    : left_is_heavier(best.split.weight_left, m.weight);
        if (columns()[j].categorical()) {
            split.threshold = std::numeric_limits<double>::quiet_NaN();
            split.levels = levels_of(open, j, best.split);
        } else if (best.split.present_split) {
            split.threshold = std::numeric_limits<double>::infinity();
        } else if (best.inside) {
            split.threshold = threshold_between(best.low, best.high);
        } else if (codes()[j].exact) {
            split.threshold = threshold_between(codes()[j].values[best.last], codes()[j].values[best.next]);
        } else {
            split.threshold = edge_threshold(open, j, best);
        }
        return split;
    }

    // An edge between two bins: the threshold lies between the values on both sides that the node really has.
    double edge_threshold(const Open& open, std::size_t j, const BinnedBest& best) const {
        double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
        for (const std::uint32_t row : rows_of(open)) {
            const std::size_t code = codes().row(row)[j];
            if (code == best.last) low = std::max(low, columns()[j].number(row));
            if (code == best.next) high = std::min(high, columns()[j].number(row));
        }
        return threshold_between(low, high);
    }

    std::vector<Level> levels_of(const Open& open, std::size_t j, const ColumnBest& best) const {
        std::vector<std::uint8_t> seen(static_cast<std::size_t>(columns()[j].n_levels), 0);
        for (const std::uint32_t row : rows_of(open))
            if (columns()[j].code(row) >= 0) seen[static_cast<std::size_t>(columns()[j].code(row))] = 1;
        std::vector<Level> levels;
        for (std::size_t code = 0; code < seen.size(); ++code)
            if (seen[code]) {
                const auto level = static_cast<std::int32_t>(code);
                levels.push_back({level, std::binary_search(best.levels_left.begin(), best.levels_left.end(), level)});
            }
        return levels;
    }

    // Parts the node's rows in place; returns how many go left. The codes tell all rows but those of one bin.
    std::size_t split_rows(const Open& open) {
        const auto j = static_cast<std::size_t>(open.split.column);
        const Column& column = columns()[j];
        std::uint32_t* rows = growth_.rows.data();
        const auto split = [&](auto goes_left) {
            return SortedLists<std::uint32_t>::stable_split(rows + open.begin, rows + open.end, goes_left);
        };
        if (column.categorical()) {
            std::vector<std::uint8_t> left(static_cast<std::size_t>(column.n_levels) + 1, open.split.missing_left);
            for (const Level& level : open.split.levels) left[static_cast<std::size_t>(level.code)] = level.left;
            return split([&](std::uint32_t row) {
                const std::int32_t code = column.code(row);
                return left[code < 0 ? left.size() - 1 : static_cast<std::size_t>(code)] != 0;
            });
        }
        const std::size_t at = codes()[j].code_at(open.split.threshold), missing = codes()[j].missing();
        std::array<std::uint8_t, codes_per_column> left{};
        for (std::size_t code = 0; code < left.size(); ++code) left[code] = code < at;
        left[missing] = open.split.missing_left;
        if (codes()[j].exact || at == missing)
            return split([&](std::uint32_t row) { return left[codes().row(row)[j]] != 0; });
        return split([&](std::uint32_t row) {
            const std::size_t code = codes().row(row)[j];
            return code == at ? column.number(row) < open.split.threshold : left[code] != 0;
        });
    }

    Growth growth_;
    Layout layout_;
    Target target_;
    Units units_;  // of the whole region
    Accumulator acc_;
};

}  // namespace bristlecone
