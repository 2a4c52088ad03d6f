#include "grow/region.hpp"

#include <cmath>
#include <stdexcept>

#include "search/choose.hpp"

namespace bristlecone {
namespace {

constexpr double slightly_less = 1 - 1e-12;

}  // namespace

bool may_split(const Problem& problem, const Open& open, const Measure& m) {
    const Limits& limits = problem.limits;
    if (m.pure || open.depth >= limits.max_depth) return false;
    if (m.rows < limits.min_rows_split || m.rows < 2 * limits.min_rows_leaf) return false;
    const double weight = m.weight * open.units.weight;
    return weight >= limits.min_weight_split * slightly_less && weight >= 2 * limits.min_weight_leaf * slightly_less;
}

LeafLimits leaf_limits(const Problem& problem, const Units& units) {
    return {problem.limits.min_rows_leaf, problem.limits.min_weight_leaf / units.weight * slightly_less};
}

double decrease_of(const Growth& growth, const Units& units, double gain) {
    const double sum = units.sum / growth.target_unit;
    switch (growth.problem->criterion) {
        case Criterion::squared_error:
            return gain * (sum / units.weight) * sum;
        case Criterion::poisson:
            return gain * sum;
        case Criterion::absolute_error:
            return gain * units.weight / growth.target_unit;
        default:
            return gain * units.weight;
    }
}

double caller_gain(const Growth& growth, double decrease, double weight) {
    const bool squared = growth.problem->criterion == Criterion::squared_error;
    return decrease / weight * growth.target_unit * (squared ? growth.target_unit : 1.0);
}

std::size_t choose_column(const Growth& growth, const std::vector<ColumnBest>& bests, const Open& open,
                          const Measure& m, double tolerance) {
    const Problem& problem = *growth.problem;
    const std::size_t winner = problem.criterion == Criterion::gain_ratio
                                   ? largest_gain_ratio(bests, m.weight, tolerance)
                                   : largest_gain(bests, tolerance);
    if (winner == no_column) return no_column;
    const Gain& gain = bests[winner].gain;
    if (problem.limits.stop_at_zero_gain && !gain.positive(tolerance)) return no_column;
    const double fall = caller_gain(growth, decrease_of(growth, open.units, gain.value), growth.weighing.total);
    if (fall < problem.limits.min_decrease * slightly_less) return no_column;
    return winner;
}

void require_two_sides(const Open& open, std::size_t n_left) {
    if (n_left == 0 || n_left >= open.size())
        throw std::runtime_error("the table's arrays were changed after the table was made");
}

double threshold_between(double lo, double hi) {
    const double middle = lo / 2 + hi / 2;
    return middle > lo ? middle : hi;
}

void set_child_bounds(const Problem& problem, const Open& parent, Open& left, Open& right) {
    left.bounds = right.bounds = parent.bounds;
    const int direction = problem.monotone.empty() ? 0 : problem.monotone[parent.split.column];
    if (direction == 0) return;
    const double scale = parent.units.sum / parent.units.weight;
    const double middle =
        parent.bounds.clip(parent.units.centre + (parent.value_left / 2 + parent.value_right / 2) * scale);
    (direction > 0 ? left : right).bounds.high = middle;
    (direction > 0 ? right : left).bounds.low = middle;
}

}  // namespace bristlecone
