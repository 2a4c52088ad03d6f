// What both kinds of region share: measuring a node, choosing among the columns' best splits, and writing the choice
// down. How a column is searched and how rows are parted is theirs.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "grow/measuring.hpp"
#include "grow/region.hpp"
#include "search/choose.hpp"
#include "threads.hpp"

namespace bristlecone {

template <class Accumulator>
class SearchingRegion : public Region {
protected:
    static constexpr bool medians = requires(const Accumulator& acc) { acc.group_median(acc.group()); };
    static constexpr bool bounded = requires(Accumulator acc) { acc.left_value(); };

public:
    void examine(Open& open, Node& node, int n_threads) final {
        if (open.fresh) {
            open.units = units_;
            open.fresh = false;
        }
        const Measure m = measure(open);
        node.label = m.label;
        node.impurity = m.weight > 0 ? m.impurity / m.weight : 0.0;
        if (open.bounds.any()) {
            node.need_extras().low = open.bounds.low;
            node.need_extras().high = open.bounds.high;
        }
        if (medians || m.clipped || answers_in_own_units())
            node.value = open.units.centre + m.value * (open.units.sum / open.units.weight);
        open.split = {};
        if (!may_split(problem(), open, m)) return;
        bests_.resize(columns().size());
        for (ColumnBest& best : bests_) {
            best.found = false;
            best.varies = true;
        }
        search(open, m, bests_, n_threads);
        choose(open, node, m);
    }

    std::pair<Open, Open> divide(Open& open) override {
        const std::size_t n_left = part_rows(open);
        require_two_sides(open, n_left);
        Open left = child(open, open.begin, open.begin + n_left), right = child(open, open.begin + n_left, open.end);
        set_child_bounds(problem(), open, left, right);
        return {std::move(left), std::move(right)};
    }

protected:
    explicit SearchingRegion(const Growth& growth) : growth_(growth) {}

    const Problem& problem() const { return *growth_.problem; }
    const Columns& columns() const { return *growth_.problem->columns; }
    Accumulator& accumulator() { return *accumulator_; }

    // For accumulators that read the target's integers; place as in Target::quantise.
    void take_target(std::span<const std::uint32_t> rows, const std::uint32_t* place, std::size_t n_places) {
        target_.resize(problem(), growth_.weighing, n_places);
        units_ = target_.quantise(problem(), growth_.weighing, rows, place);
        if constexpr (requires { Accumulator(target_, problem().n_classes); })
            accumulator_.emplace(target_, problem().n_classes);
        else if constexpr (requires { Accumulator(target_); })
            accumulator_.emplace(target_);
    }

    // task(accumulator, column, floor) for every column that may vary. floor starts as nothing and is the task's to
    // raise for the columns after it, which are left out when it is everything.
    template <class Task>
    void over_columns(const Open& open, int n_threads, Task&& task) {
        const bool large = open.size() * columns().size() > cells_worth_threads;
        const auto share_out = [&](Accumulator& acc, std::size_t share, std::size_t n_shares) {
            double floor = nothing;
            for (std::size_t j = share; j < columns().size() && floor < everything; j += n_shares)
                if (!open.constant[j]) {
                    if (large) check(problem().interrupt);
                    task(acc, j, floor);
                }
        };
        if (n_threads <= 1 || !large) return share_out(accumulator(), 0, 1);
        const auto n_shares = static_cast<std::size_t>(n_threads);
        run_tasks(n_threads, n_shares, [&](std::size_t share) {
            Accumulator own = accumulator();
            share_out(own, share, n_shares);
        });
    }

    // Where the other columns' best splits count too, no column's search may be cut short by another's.
    bool only_best_counts() const { return problem().criterion != Criterion::gain_ratio && problem().n_runners == 0; }
    void raise_floor(double& floor, const Accumulator& acc, const ColumnBest& best, const Measure& m) const {
        if (only_best_counts()) floor = ends_search(best, m) ? everything : std::max(floor, floor_beside(acc, best));
    }
    // Under monotone constraints the node's impurity may be that of a clipped answer.
    bool ends_search(const ColumnBest& best, const Measure& m) const {
        return !bounded && leaves_nothing(best, m.impurity);
    }
    bool is_settled(const std::vector<ColumnBest>& bests, const Measure& m) const {
        return only_best_counts() &&
               std::any_of(bests.begin(), bests.end(), [&](const ColumnBest& best) { return ends_search(best, m); });
    }

    virtual Measure measure(Open& open) = 0;
    // Every column's best split, as far as it may count; marks the columns that are constant in the node.
    virtual void search(Open& open, const Measure& m, std::vector<ColumnBest>& bests, int n_threads) = 0;
    // The threshold, or the levels, of a column's best split.
    virtual double threshold_of(const Open& open, std::size_t j, const ColumnBest& best) const = 0;
    virtual std::vector<Level> levels_of(const Open& open, std::size_t j, const ColumnBest& best) const = 0;
    // Parts the node's rows by its split; returns how many went left.
    virtual std::size_t part_rows(const Open& open) = 0;

    Growth growth_;
    Target target_;
    Units units_;  // of the whole region
    std::optional<Accumulator> accumulator_;

private:
    std::vector<ColumnBest> bests_;  // of the node at hand

    static Open child(const Open& parent, std::size_t begin, std::size_t end) {
        Open child;
        child.depth = parent.depth + 1;
        child.begin = begin;
        child.end = end;
        child.region = parent.region;
        child.units = parent.units;
        child.constant = parent.constant;
        child.fresh = false;
        return child;
    }
    // Counts of rows give P(class 1) to the last bit; other weights round it, and it may slip past a bound.
    bool answers_in_own_units() const {
        const Weighing& weighing = growth_.weighing;
        const bool counts = weighing.kind != WeightKind::real && weighing.factor == 1.0;
        return bounded && over_classes(problem().criterion) && problem().n_classes == 2 && !counts;
    }

    void choose(Open& open, Node& node, const Measure& m) {
        const std::size_t winner = choose_column(growth_, bests_, open, m, accumulator().tolerance());
        if (winner == no_column) return;
        const ColumnBest& best = bests_[winner];
        open.split = describe(open, winner, best, m);
        open.cut = best.cut;
        open.value_left = best.value_left;
        open.value_right = best.value_right;
        open.decrease = decrease_of(growth_, open.units, best.gain.value);
        if (problem().n_runners > 0)
            node.need_extras().runners =
                runners_up(problem(), bests_, winner, [&](std::size_t j) { return describe(open, j, bests_[j], m); });
    }

    Split describe(const Open& open, std::size_t j, const ColumnBest& best, const Measure& m) const {
        Split split;
        split.column = static_cast<std::int32_t>(j);
        split.heuristic = best.heuristic;
        split.gain =
            caller_gain(growth_, decrease_of(growth_, open.units, best.gain.value), m.weight * open.units.weight);
        split.missing_left =
            best.saw_missing ? best.missing == Side::left : left_is_heavier(best.weight_left, m.weight);
        if (columns()[j].categorical()) {
            split.threshold = std::numeric_limits<double>::quiet_NaN();
            split.levels = levels_of(open, j, best);
        } else {
            split.threshold =
                best.present_split ? std::numeric_limits<double>::infinity() : threshold_of(open, j, best);
        }
        return split;
    }
};

}  // namespace bristlecone
