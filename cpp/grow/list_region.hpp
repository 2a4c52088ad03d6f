// A region searched by sorted lists: every boundary between neighbouring values is tried.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "grow/measuring.hpp"
#include "grow/region.hpp"
#include "grow/sorted_lists.hpp"
#include "search/choose.hpp"
#include "search/levels.hpp"
#include "search/threshold.hpp"

namespace bristlecone {

// Below so many cells a node is not worth a second thread.
inline constexpr std::size_t cells_worth_threads = 1 << 17;
template <class Accumulator, class Entry>
class ListRegion final : public Region {
    static constexpr bool medians = std::is_same_v<Accumulator, Median>;
    static constexpr bool bounded = requires(Accumulator acc) { acc.left_value(); };

public:
    ListRegion(const Growth& growth, std::size_t begin, std::size_t end, int n_threads)
        : growth_(growth),
          origin_(begin),
          ids_(growth.rows.begin() + static_cast<std::ptrdiff_t>(begin),
               growth.rows.begin() + static_cast<std::ptrdiff_t>(end)),
          order_(ids_.size()),
          goes_left_(ids_.size()),
          lists_(*growth.problem->columns, growth.codes, ids_, n_threads),
          units_(take_targets()),
          acc_(make_accumulator()) {
        std::iota(order_.begin(), order_.end(), 0);
    }

    ~ListRegion() override {
        for (std::size_t i = 0; i < order_.size(); ++i) growth_.rows[origin_ + i] = ids_[order_[i]];
    }

    void examine(Open& open, Node& node, int n_threads) override {
        if (open.constant.empty()) {
            open.units = units_;
            open.constant.assign(columns().size(), false);
        }
        const Measure m = measure(open);
        node.label = m.label;
        node.impurity = m.weight > 0 ? m.impurity / m.weight : 0.0;
        node.low = open.bounds.low;
        node.high = open.bounds.high;
        if (medians || m.clipped || answers_in_own_units())
            node.value = open.units.centre + m.value * (open.units.sum / open.units.weight);
        open.split = {};
        if (may_split(problem(), open, m)) search(open, node, m, n_threads);
    }

    std::pair<Open, Open> divide(Open& open) override {
        mark(open);
        const auto goes_left = [&](std::uint32_t row) { return goes_left_[row]; };
        for (std::size_t j = 0; j < columns().size(); ++j)
            if (!open.constant[j]) lists_.partition(j, local(open.begin), local(open.end), goes_left_);
        std::uint32_t* rows = order_.data();
        const std::size_t n_left =
            SortedLists<Entry>::stable_split(rows + local(open.begin), rows + local(open.end), goes_left);
        require_two_sides(open, n_left);
        Open left = open, right = open;
        left.end = right.begin = open.begin + n_left;
        ++left.depth;
        ++right.depth;
        set_child_bounds(problem(), open, left, right);
        return {std::move(left), std::move(right)};
    }

private:
    // Counts of rows give P(class 1) to the last bit; other weights round it, and it may slip past a bound.
    bool answers_in_own_units() const {
        const Weighing& weighing = growth_.weighing;
        const bool counts = weighing.kind != WeightKind::real && weighing.factor == 1.0;
        return bounded && over_classes(problem().criterion) && problem().n_classes == 2 && !counts;
    }
    const Problem& problem() const { return *growth_.problem; }
    const Columns& columns() const { return *growth_.problem->columns; }
    std::size_t local(std::size_t at) const { return at - origin_; }
    std::span<const std::uint32_t> rows_of(const Open& open) const {
        return std::span<const std::uint32_t>(order_).subspan(local(open.begin), open.size());
    }

    Units take_targets() {
        if (!over_classes(problem().criterion)) {
            y_.resize(ids_.size());
            for (std::size_t i = 0; i < ids_.size(); ++i) y_[i] = problem().y[ids_[i]];
        }
        if constexpr (medians) {
            if (growth_.weighing.kind != WeightKind::unit)
                for (const std::uint32_t id : ids_) weight_.push_back(problem().weight[id]);
            const double unit = weight_.empty() ? growth_.weighing.factor : 1.0;
            return {unit, unit, 0.0};
        } else {
            target_.resize(problem(), growth_.weighing, ids_.size());
            return target_.quantise(problem(), growth_.weighing, ids_, nullptr);
        }
    }

    Accumulator make_accumulator() const {
        if constexpr (medians)
            return Median(y_.data(), weight_.empty() ? nullptr : weight_.data());
        else if constexpr (requires { Accumulator(target_, problem().n_classes); })
            return Accumulator(target_, problem().n_classes);
        else
            return Accumulator(target_);
    }

    Measure measure(Open& open) {
        const auto rows = rows_of(open);
        return measure_node(growth_.weighing, acc_, open, rows, y_.empty() ? nullptr : y_.data(), [&] {
            if constexpr (medians) return;
            std::vector<std::uint32_t> ids(rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) ids[i] = ids_[rows[i]];
            open.units = target_.quantise(problem(), growth_.weighing, ids, rows.data());
        });
    }

    void search(Open& open, Node& node, const Measure& m, int n_threads) {
        const LeafLimits limits = leaf_limits(problem(), open.units);
        std::vector<ColumnBest> bests(columns().size());
        std::vector<std::uint8_t> varies(columns().size(), 0);
        const auto search_share = [&](Accumulator& acc, std::size_t share, std::size_t n_shares) {
            for (std::size_t j = share; j < columns().size(); j += n_shares) {
                if (open.constant[j]) continue;
                const auto list = lists_.of(j, local(open.begin), local(open.end));
                varies[j] = rank_of(list.front()) != rank_of(list.back());
                if (varies[j]) bests[j] = search_column(acc, j, list, limits);
            }
        };
        if (n_threads > 1 && open.size() * columns().size() > cells_worth_threads) {
            const auto n_shares = static_cast<std::size_t>(n_threads);
            run_tasks(n_threads, n_shares, [&](std::size_t share) {
                Accumulator own = acc_;
                search_share(own, share, n_shares);
            });
        } else {
            search_share(acc_, 0, 1);
        }
        for (std::size_t j = 0; j < columns().size(); ++j) open.constant[j] = !varies[j];
        const std::size_t winner = choose_column(growth_, bests, open, m, acc_.tolerance());
        if (winner == no_column) return;
        open.split = describe(open, winner, bests[winner], m);
        open.decrease = decrease_of(growth_, open.units, bests[winner].gain.value);
        if (problem().n_runners > 0)
            node.runners =
                runners_up(problem(), bests, winner, [&](std::size_t j) { return describe(open, j, bests[j], m); });
        open.best = std::move(bests[winner]);
    }

    ColumnBest search_column(Accumulator& acc, std::size_t j, std::span<const Entry> list,
                             const LeafLimits& limits) const {
        if constexpr (bounded) acc.set_direction(problem().monotone.empty() ? 0 : problem().monotone[j]);
        if (!columns()[j].categorical()) return search_thresholds(acc, list, limits);
        LevelGroups<Accumulator> groups;
        const std::size_t n_present = count_present(list);
        for (const Entry entry : list.first(n_present)) {
            const auto code = static_cast<std::int32_t>(rank_of(entry));
            if (groups.empty() || groups.back().code != code) groups.push_back({code, acc.group()});
            acc.add_to(groups.back().group, row_of(entry));
        }
        if (groups.empty()) return {};
        if (n_present == list.size()) return search_levels(acc, groups, nullptr, limits);
        auto missing = acc.group();
        for (const Entry entry : list.subspan(n_present)) acc.add_to(missing, row_of(entry));
        return search_levels(acc, groups, &missing, limits);
    }

    Split describe(const Open& open, std::size_t j, const ColumnBest& best, const Measure& m) const {
        Split split;
        split.column = static_cast<std::int32_t>(j);
        split.heuristic = best.heuristic;
        split.gain =
            caller_gain(growth_, decrease_of(growth_, open.units, best.gain.value), m.weight * open.units.weight);
        split.missing_left =
            best.saw_missing ? best.missing == Side::left : left_is_heavier(best.weight_left, m.weight);
        const auto list = lists_.of(j, local(open.begin), local(open.end));
        if (columns()[j].categorical()) {
            split.threshold = std::numeric_limits<double>::quiet_NaN();
            split.levels = levels_of(list, best);
        } else if (best.present_split) {
            split.threshold = std::numeric_limits<double>::infinity();
        } else {
            const auto value = [&](std::size_t at) { return columns()[j].number(ids_[row_of(list[at])]); };
            split.threshold = threshold_between(value(best.cut - 1), value(best.cut));
        }
        return split;
    }

    static std::vector<Level> levels_of(std::span<const Entry> list, const ColumnBest& best) {
        std::vector<Level> levels;
        for (const Entry entry : list.first(count_present(list))) {
            const auto code = static_cast<std::int32_t>(rank_of(entry));
            if (!levels.empty() && levels.back().code == code) continue;
            levels.push_back({code, std::binary_search(best.levels_left.begin(), best.levels_left.end(), code)});
        }
        return levels;
    }

    // Which of the node's rows go left.
    void mark(const Open& open) {
        const auto j = static_cast<std::size_t>(open.split.column);
        const auto list = lists_.of(j, local(open.begin), local(open.end));
        const std::size_t n_present = count_present(list);
        if (columns()[j].categorical()) {
            std::size_t level = 0;
            for (const Entry entry : list.first(n_present)) {
                while (open.split.levels[level].code != static_cast<std::int32_t>(rank_of(entry))) ++level;
                goes_left_[row_of(entry)] = open.split.levels[level].left;
            }
        } else {
            for (std::size_t i = 0; i < n_present; ++i) goes_left_[row_of(list[i])] = i < open.best.cut;
        }
        for (const Entry entry : list.subspan(n_present)) goes_left_[row_of(entry)] = open.split.missing_left;
    }

    Growth growth_;
    std::size_t origin_;
    std::vector<std::uint32_t> ids_;    // the caller's row of each row of the region
    std::vector<std::uint32_t> order_;  // the region's rows, a contiguous range for each node
    std::vector<std::uint8_t> goes_left_;
    SortedLists<Entry> lists_;
    Target target_;
    std::vector<double> y_, weight_;
    Units units_;  // of the whole region
    Accumulator acc_;
};

// 32-bit entries as far as they reach.
template <class Accumulator>
std::shared_ptr<Region> make_lists(const Growth& growth, std::size_t begin, std::size_t end, int n_threads) {
    std::size_t most = end - begin;
    for (const Column& column : growth.problem->columns->columns)
        most = std::max(most, static_cast<std::size_t>(column.n_levels));
    if (most < missing_rank<std::uint32_t>)
        return std::make_shared<ListRegion<Accumulator, std::uint32_t>>(growth, begin, end, n_threads);
    return std::make_shared<ListRegion<Accumulator, std::uint64_t>>(growth, begin, end, n_threads);
}

}  // namespace bristlecone
