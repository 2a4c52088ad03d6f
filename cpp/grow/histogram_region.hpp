// A region searched by histograms over codes.
//
// Every code's rows are added up once; the edges between codes are candidates as they stand. Inside a bin of a column
// with many values there may be better ones: a bound (bound.hpp) tells which bins, and only their rows are sorted and
// tried value by value. The result is the exact best split. A child's histogram is its parent's minus its sibling's.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "grow/histogram.hpp"
#include "grow/searching_region.hpp"
#include "search/binned.hpp"
#include "search/coded_levels.hpp"
#include "stable_split.hpp"

namespace bristlecone {

template <class Accumulator, class Layout>
class HistogramRegion final : public SearchingRegion<Accumulator> {
    using Base = SearchingRegion<Accumulator>;
    using Base::columns;
    using Base::growth_;
    using Base::problem;
    using Histogram = NodeHistogram<Layout>;

public:
    HistogramRegion(const Growth& growth, std::size_t begin, std::size_t end)
        : Base(growth), layout_(growth.problem->n_classes), rows_(growth, begin, end) {
        const auto held = growth.rows.subspan(begin, end - begin);
        this->take_target(held, rows_.whole() ? held.data() : nullptr, rows_.whole() ? columns().n_rows : held.size());
        if (!rows_.whole() && problem().y != nullptr)
            for (const std::uint32_t id : held) y_.push_back(problem().y[id]);
    }

    std::pair<Open, Open> divide(Open& open) override {
        const std::shared_ptr<HistogramBase> histogram = std::move(open.histogram);
        auto [left, right] = Base::divide(open);
        share_histogram(histogram, left, right);
        for (Open* child : {&left, &right})
            if (leaves(*child)) leave(*child);
        return {std::move(left), std::move(right)};
    }

private:
    const Codes& codes() const { return rows_.plan(); }
    std::span<const std::uint32_t> rows_of(const Open& open) const { return rows_.of(open.begin, open.end); }
    double number(std::size_t j, std::uint32_t row) const { return columns()[j].number(rows_.id(row)); }
    std::int32_t level(std::size_t j, std::uint32_t row) const { return columns()[j].code(rows_.id(row)); }

    Measure measure(Open& open) override {
        const auto rows = rows_of(open);
        const double* y = y_.empty() ? problem().y : y_.data();
        return measure_node(growth_.weighing, this->accumulator(), open, rows, y, [&] {
            const std::vector<std::uint32_t> ids = rows_.ids(rows);
            open.units = this->target_.quantise(problem(), growth_.weighing, ids, rows.data());
            open.histogram.reset();  // it counts in the former units
        });
    }

    bool leaves(const Open& child) const {
        if (child.depth >= problem().limits.max_depth) return false;
        return by_lists(growth_, child.size(), child.depth) || (rows_.whole() && child.size() <= growth_.part_rows);
    }

    // The growth loop gives the node a region of its own.
    void leave(Open& child) {
        rows_.hand_over(child.begin, child.end);
        child.region.reset();
        child.fresh = true;
        // Whole numbers of rows and of whole weights mean the same there.
        const bool kept = over_classes(problem().criterion) && growth_.weighing.kind != WeightKind::real;
        if (!kept || by_lists(growth_, child.size(), child.depth)) child.histogram.reset();
    }

    // The smaller child is counted, the larger one is the rest; a child that goes over to sorted lists needs neither.
    void share_histogram(const std::shared_ptr<HistogramBase>& histogram, Open& left, Open& right) {
        Open& small = left.size() < right.size() ? left : right;
        Open& large = left.size() < right.size() ? right : left;
        if (by_lists(growth_, large.size(), large.depth) || large.depth >= problem().limits.max_depth) return;
        auto counted = Histogram::count(layout_, rows_, this->target_, rows_of(small), problem().n_threads);
        auto rest = std::static_pointer_cast<Histogram>(histogram);
        rest->subtract(*counted);
        large.histogram = rest;
        if (!by_lists(growth_, small.size(), small.depth)) small.histogram = counted;
    }

    void search(Open& open, const Measure& m, std::vector<ColumnBest>& bests, int n_threads) override {
        if (!open.histogram) open.histogram = Histogram::count(layout_, rows_, this->target_, rows_of(open), n_threads);
        const auto& histogram = static_cast<const Histogram&>(*open.histogram);
        const LeafLimits limits = leaf_limits(problem(), open.units);
        this->over_columns(open, n_threads, [&](Accumulator& acc, std::size_t j, double& floor) {
            bests[j] = search_column(acc, histogram, j, open, limits, floor);
            this->raise_floor(floor, acc, bests[j], m);
        });
        mark_constant(open, bests);
        if (this->is_settled(bests, m)) return;
        const OpenedBins opened = open_all(open, histogram, bests, limits, n_threads);
        double floor = nothing;
        for (const ColumnBest& best : bests) this->raise_floor(floor, this->accumulator(), best, m);
        this->over_columns(open, n_threads, [&](Accumulator& acc, std::size_t j, double&) {
            if (opened.any(j))
                bests[j] = search_bins(acc, layout_, histogram.column(j), codes()[j].n_codes, limits, opened, j, floor);
        });
    }

    // A bin of many values tells nothing about its rows.
    void mark_constant(Open& open, const std::vector<ColumnBest>& bests) const {
        for (std::size_t j = 0; j < bests.size(); ++j)
            if (!bests[j].varies && (codes()[j].exact || codes()[j].wide)) open.constant.set(j);
    }

    // The bins in which a better split than the edges' may lie, with their rows in order.
    OpenedBins open_all(const Open& open, const Histogram& histogram, const std::vector<ColumnBest>& bests,
                        const LeafLimits& limits, int n_threads) {
        double floor = nothing;
        for (const ColumnBest& best : bests)
            if (best.found) floor = std::max(floor, best.fast);
        OpenedBins opened(columns().size());
        this->over_columns(open, n_threads, [&](Accumulator& acc, std::size_t j, double&) {
            if (codes()[j].exact || codes()[j].wide) return;
            const double own = bests[j].found ? bests[j].fast : nothing;
            opened.flag(j, open_bins(acc, layout_, histogram.column(j), codes()[j].n_codes, limits,
                                     this->only_best_counts() ? floor : own, histogram.spread_error()));
        });
        opened.gather(rows_of(open), n_threads, [&](std::uint32_t row) { return rows_.codes(row); });
        this->over_columns(open, n_threads, [&](Accumulator&, std::size_t j, double&) {
            if (opened.any(j)) opened.sort(j, columns()[j], [&](std::uint32_t row) { return rows_.id(row); });
        });
        return opened;
    }

    ColumnBest search_column(Accumulator& acc, const Histogram& histogram, std::size_t j, const Open& open,
                             const LeafLimits& limits, double floor) const {
        if (!columns()[j].categorical())
            return search_bins(acc, layout_, histogram.column(j), codes()[j].n_codes, limits, OpenedBins(0), j, floor);
        LevelGroups<Accumulator> groups;
        auto missing = acc.group();
        if (codes()[j].wide)
            collect_wide_levels(
                acc, columns()[j].n_levels, rows_of(open), [&](std::uint32_t row) { return level(j, row); }, groups,
                missing);
        else
            collect_levels(acc, layout_, histogram.column(j), codes()[j].n_codes, groups, missing);
        ColumnBest best;
        const bool varies = groups.size() + (missing.rows > 0) > 1;
        if (varies && !groups.empty()) best = search_levels(acc, groups, missing.rows > 0 ? &missing : nullptr, limits);
        best.varies = varies;
        return best;
    }

    double threshold_of(const Open& open, std::size_t j, const ColumnBest& best) const override {
        if (best.inside) return threshold_between(best.low, best.high);
        if (codes()[j].exact) return threshold_between(codes()[j].values[best.last], codes()[j].values[best.next]);
        // Between two bins: between the values on both sides that the node really has.
        double low = nothing, high = -nothing;
        for (const std::uint32_t row : rows_of(open)) {
            const std::size_t code = rows_.codes(row)[j];
            if (code == best.last) low = std::max(low, number(j, row));
            if (code == best.next) high = std::min(high, number(j, row));
        }
        return threshold_between(low, high);
    }

    std::vector<Level> levels_of(const Open& open, std::size_t j, const ColumnBest& best) const override {
        std::vector<std::uint8_t> seen(static_cast<std::size_t>(columns()[j].n_levels), 0);
        if (codes()[j].wide) {
            for (const std::uint32_t row : rows_of(open))
                if (level(j, row) >= 0) seen[static_cast<std::size_t>(level(j, row))] = 1;
        } else {
            const auto* cells = static_cast<const Histogram&>(*open.histogram).column(j);
            for (std::size_t code = 0; code < seen.size(); ++code)
                seen[code] = !layout_.empty(cells + code * layout_.width());
        }
        std::vector<Level> levels;
        for (std::size_t code = 0; code < seen.size(); ++code)
            if (seen[code]) {
                const auto level = static_cast<std::int32_t>(code);
                levels.push_back({level, std::binary_search(best.levels_left.begin(), best.levels_left.end(), level)});
            }
        return levels;
    }

    // The codes tell all rows but those of one bin.
    std::size_t part_rows(const Open& open) override {
        const auto j = static_cast<std::size_t>(open.split.column);
        const Column& column = columns()[j];
        const auto rows = rows_.of(open.begin, open.end);
        const auto prefetch = [&](std::uint32_t row) { __builtin_prefetch(rows_.codes(row) + j); };
        const auto split = [&](auto goes_left) {
            return stable_split(rows.data(), rows.data() + rows.size(), goes_left, prefetch, problem().n_threads);
        };
        if (column.categorical()) {
            std::vector<std::uint8_t> left(static_cast<std::size_t>(column.n_levels) + 1, open.split.missing_left);
            for (const Level& level : open.split.levels) left[static_cast<std::size_t>(level.code)] = level.left;
            return split([&](std::uint32_t row) {
                const std::int32_t code = level(j, row);
                return left[code < 0 ? left.size() - 1 : static_cast<std::size_t>(code)] != 0;
            });
        }
        const std::size_t at = codes()[j].code_at(open.split.threshold), missing = codes()[j].missing();
        std::array<std::uint8_t, codes_per_column> left{};
        for (std::size_t code = 0; code < left.size(); ++code) left[code] = code < at;
        left[missing] = open.split.missing_left;
        if (codes()[j].exact) return split([&](std::uint32_t row) { return left[rows_.codes(row)[j]] != 0; });
        return split([&](std::uint32_t row) {
            const std::size_t code = rows_.codes(row)[j];
            return code == at && code != missing ? number(j, row) < open.split.threshold : left[code] != 0;
        });
    }

    Layout layout_;
    mutable CodedRows rows_;
    std::vector<double> y_;  // of a part's rows
};

}  // namespace bristlecone
