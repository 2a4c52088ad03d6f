// A region searched by sorted lists: every boundary between neighbouring values is tried.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>

#include "grow/searching_region.hpp"
#include "grow/sorted_lists.hpp"
#include "search/levels.hpp"
#include "search/threshold.hpp"

namespace bristlecone {

template <class Accumulator, class Entry>
class ListRegion final : public SearchingRegion<Accumulator> {
    using Base = SearchingRegion<Accumulator>;
    using Base::columns;
    using Base::growth_;
    using Base::problem;

public:
    ListRegion(const Growth& growth, std::size_t begin, std::size_t end, int n_threads)
        : Base(growth),
          origin_(begin),
          ids_(growth.rows.begin() + static_cast<std::ptrdiff_t>(begin),
               growth.rows.begin() + static_cast<std::ptrdiff_t>(end)),
          order_(ids_.size()),
          goes_left_(ids_.size()),
          lists_(*growth.problem->columns, growth.codes, ids_, n_threads, growth.problem->interrupt) {
        std::iota(order_.begin(), order_.end(), 0);
        if (!over_classes(problem().criterion))
            for (const std::uint32_t id : ids_) y_.push_back(problem().y[id]);
        if constexpr (Base::medians)
            take_medians();
        else
            this->take_target(ids_, nullptr, ids_.size());
    }

    ~ListRegion() override {
        for (std::size_t i = 0; i < order_.size(); ++i) growth_.rows[origin_ + i] = ids_[order_[i]];
    }

private:
    std::size_t local(std::size_t at) const { return at - origin_; }
    std::span<const std::uint32_t> rows_of(const Open& open) const {
        return std::span<const std::uint32_t>(order_).subspan(local(open.begin), open.size());
    }
    std::span<const Entry> list_of(const Open& open, std::size_t j) const {
        return lists_.of(j, local(open.begin), local(open.end));
    }

    void take_medians() {
        if (growth_.weighing.kind != WeightKind::unit)
            for (const std::uint32_t id : ids_) weight_.push_back(problem().weight[id]);
        const double unit = weight_.empty() ? growth_.weighing.factor : 1.0;
        this->units_ = {unit, unit, 0.0};
        this->accumulator_.emplace(y_.data(), weight_.empty() ? nullptr : weight_.data());
    }

    Measure measure(Open& open) override {
        const auto rows = rows_of(open);
        const double* y = y_.empty() ? nullptr : y_.data();
        return measure_node(growth_.weighing, this->accumulator(), open, rows, y, [&] {
            if constexpr (Base::medians) return;
            std::vector<std::uint32_t> ids(rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) ids[i] = ids_[rows[i]];
            open.units = this->target_.quantise(problem(), growth_.weighing, ids, rows.data());
        });
    }

    void search(Open& open, const Measure& m, std::vector<ColumnBest>& bests, int n_threads) override {
        const LeafLimits limits = leaf_limits(problem(), open.units);
        this->over_columns(open, n_threads, [&](Accumulator& acc, std::size_t j, double& floor) {
            const auto list = list_of(open, j);
            bests[j].varies = rank_of(list.front()) != rank_of(list.back());
            if (!bests[j].varies) return;
            bests[j] = search_column(acc, j, list, limits, floor);
            this->raise_floor(floor, acc, bests[j], m);
        });
        for (std::size_t j = 0; j < bests.size(); ++j)
            if (!bests[j].varies) open.constant.set(j);
    }

    ColumnBest search_column(Accumulator& acc, std::size_t j, std::span<const Entry> list, const LeafLimits& limits,
                             double floor) const {
        if constexpr (Base::bounded) acc.set_direction(problem().monotone.empty() ? 0 : problem().monotone[j]);
        if (!columns()[j].categorical()) return search_thresholds(acc, list, limits, floor);
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

    double threshold_of(const Open& open, std::size_t j, const ColumnBest& best) const override {
        const auto list = list_of(open, j);
        const bool coded = growth_.codes != nullptr && (*growth_.codes)[j].exact;
        const auto value = [&](std::size_t at) {
            return coded ? (*growth_.codes)[j].values[rank_of(list[at])] : columns()[j].number(ids_[row_of(list[at])]);
        };
        return threshold_between(value(best.cut - 1), value(best.cut));
    }

    std::vector<Level> levels_of(const Open& open, std::size_t j, const ColumnBest& best) const override {
        const auto list = list_of(open, j);
        std::vector<Level> levels;
        for (const Entry entry : list.first(count_present(list))) {
            const auto code = static_cast<std::int32_t>(rank_of(entry));
            if (!levels.empty() && levels.back().code == code) continue;
            levels.push_back({code, std::binary_search(best.levels_left.begin(), best.levels_left.end(), code)});
        }
        return levels;
    }

    std::size_t part_rows(const Open& open) override {
        mark(open);
        const std::size_t begin = local(open.begin), end = local(open.end);
        const std::size_t n_left = stable_split(order_.data() + begin, order_.data() + end,
                                                [&](std::uint32_t row) { return goes_left_[row]; });
        const bool left = needs_lists(begin, begin + n_left, open), right = needs_lists(begin + n_left, end, open);
        for (std::size_t j = 0; j < columns().size(); ++j) {
            if (open.constant[j]) continue;
            if (left && right)
                lists_.partition(j, begin, end, goes_left_);
            else if (left)
                lists_.keep_left(j, begin, end, goes_left_);
            else if (right)
                lists_.keep_right(j, begin, end, goes_left_);
        }
        return n_left;
    }

    // Whether a child of these rows may be split in its turn.
    bool needs_lists(std::size_t begin, std::size_t end, const Open& parent) const {
        const Limits& limits = problem().limits;
        const auto n_rows = static_cast<std::int64_t>(end - begin);
        if (parent.depth + 1 >= limits.max_depth || n_rows < limits.min_rows_split) return false;
        if (n_rows < 2 * limits.min_rows_leaf || n_rows < 2) return false;
        const auto differs = [&](std::uint32_t row) {
            return y_.empty() ? !this->target_.same_class(row, order_[begin]) : y_[row] != y_[order_[begin]];
        };
        return std::any_of(order_.begin() + static_cast<std::ptrdiff_t>(begin + 1),
                           order_.begin() + static_cast<std::ptrdiff_t>(end), differs);
    }

    // Which of the node's rows go left.
    void mark(const Open& open) {
        const auto j = static_cast<std::size_t>(open.split.column);
        const auto list = list_of(open, j);
        const std::size_t n_present = count_present(list);
        if (columns()[j].categorical()) {
            std::size_t level = 0;
            for (const Entry entry : list.first(n_present)) {
                while (open.split.levels[level].code != static_cast<std::int32_t>(rank_of(entry))) ++level;
                goes_left_[row_of(entry)] = open.split.levels[level].left;
            }
        } else {
            for (std::size_t i = 0; i < n_present; ++i) goes_left_[row_of(list[i])] = i < open.cut;
        }
        for (const Entry entry : list.subspan(n_present)) goes_left_[row_of(entry)] = open.split.missing_left;
    }

    std::size_t origin_;
    std::vector<std::uint32_t> ids_;    // the caller's row of each row of the region
    std::vector<std::uint32_t> order_;  // the region's rows, a contiguous range for each node
    std::vector<std::uint8_t> goes_left_;
    SortedLists<Entry> lists_;
    std::vector<double> y_, weight_;
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
